package order

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Programs in which goroutines count themselves.

// LO1: who comes to zero comes after all.
func LO1_atomic(n int) {
	out := make([]int, n)
	done := make(chan bool)
	var left atomic.Int32
	left.Store(int32(n))
	for i := range n {
		go func() {
			out[i] = i // norace
			if left.Add(-1) == 0 {
				close(done)
			}
		}()
	}
	<-done
	fmt.Println(out)
}

// LO2: who counts itself first may be the last one in spite of it.
func LO2_tooEarly(n int) {
	out := make([]int, n)
	done := make(chan bool)
	var left atomic.Int32
	left.Store(int32(n))
	for i := range n {
		go func() {
			last := left.Add(-1) == 0
			out[i] = i // race! out[*]
			if last {
				close(done)
			}
		}()
	}
	<-done
	fmt.Println(out) // race! out[*]
}

// LO3: raised by the goroutines themselves, the counter comes to zero again and again.
func LO3_raisedLate(n int) {
	sum := 0
	var mu sync.Mutex
	var running atomic.Int32
	for i := range n {
		go func() {
			running.Add(1)
			mu.Lock()
			sum += i // race! sum
			mu.Unlock()
			if running.Add(-1) == 0 {
				fmt.Println(sum) // race! sum
			}
		}()
	}
}

type refBuffer struct {
	refs atomic.Int32
	data []int
}

func (b *refBuffer) release() {
	if b.refs.Add(-1) == 0 {
		b.data = nil // norace
	}
}

// LO4: the last user frees it.
func LO4_references(n int) {
	b := &refBuffer{data: make([]int, n)}
	b.refs.Store(1)
	for i := range n {
		b.refs.Add(1)
		go func() {
			fmt.Println(b.data[i])
			b.release()
		}()
	}
	b.release()
}

// LO5: a plain counter under a lock.
func LO5_cond(n int) {
	out := make([]int, n)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	left := n
	for i := range n {
		go func() {
			out[i] = i // norace
			mu.Lock()
			left--
			cond.Signal()
			mu.Unlock()
		}()
	}
	mu.Lock()
	for left > 0 {
		cond.Wait()
	}
	mu.Unlock()
	fmt.Println(out)
}

// LO6: the counter goes down before the work is done.
func LO6_condTooEarly(n int) {
	out := make([]int, n)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	left := n
	for i := range n {
		go func() {
			mu.Lock()
			left--
			cond.Signal()
			mu.Unlock()
			out[i] = i // race! out[*]
		}()
	}
	mu.Lock()
	for left > 0 {
		cond.Wait()
	}
	mu.Unlock()
	fmt.Println(out) // race! out[*]
}

// LO7: up to as many as there are.
func LO7_up(n int) {
	out := make([]int, n)
	done := make(chan bool)
	var count atomic.Int64
	for i := range n {
		go func() {
			out[i] = i // norace
			if count.Add(1) == int64(n) {
				close(done)
			}
		}()
	}
	<-done
	fmt.Println(out)
}

// LO8: up to fewer.
func LO8_quorum(n, quorum int) {
	out := make([]int, n)
	done := make(chan bool)
	var count atomic.Int64
	for i := range n {
		go func() {
			out[i] = i // race! out[*]
			if count.Add(1) == int64(quorum) {
				close(done)
			}
		}()
	}
	<-done
	fmt.Println(out) // race! out[*]
}

// LO9: up, under a lock.
func LO9_upLocked(n int) {
	out := make([]int, n)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := 0
	for i := range n {
		go func() {
			out[i] = i // norace
			mu.Lock()
			done++
			cond.Signal()
			mu.Unlock()
		}()
	}
	mu.Lock()
	for done < n {
		cond.Wait()
	}
	mu.Unlock()
	fmt.Println(out)
}

// LO10: up to fewer, under a lock.
func LO10_fewerLocked(n, enough int) {
	out := make([]int, n)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	done := 0
	for i := range n {
		go func() {
			out[i] = i // race! out[*]
			mu.Lock()
			done++
			cond.Signal()
			mu.Unlock()
		}()
	}
	mu.Lock()
	for done < enough {
		cond.Wait()
	}
	mu.Unlock()
	fmt.Println(out) // race! out[*]
}

type lastStore struct{ out []int }

func newLastStore(n int) *lastStore { return &lastStore{out: make([]int, n)} }

// LO11: what each round makes has a list that its goroutines fill.
func LO11_ofOneRound(sizes []int) {
	for _, n := range sizes {
		st := newLastStore(n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				st.out[i] = i // race! st.out[*]
			}()
		}
		fmt.Println(st.out[0]) // race! st.out[*]
		wg.Wait()
	}
}

// LO12: read after they are done.
func LO12_ofOneRoundJoined(sizes []int) {
	for _, n := range sizes {
		st := newLastStore(n)
		var wg sync.WaitGroup
		for i := range n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				st.out[i] = i // norace
			}()
		}
		wg.Wait()
		fmt.Println(st.out[0])
	}
}

// LO13: as many answers are collected as a caller says, of which nothing is known.
func LO13_otherNumber(n, m int) {
	out := make([]int, n)
	done := make(chan bool, n)
	for i := range n {
		go func() {
			out[i] = i // race! out[*]
			done <- true
		}()
	}
	for range m {
		<-done
	}
	fmt.Println(out) // race! out[*]
}

// LO14: each round of a loop has a counter and a lock.
func LO14_eachRound() {
	for k := range 4 {
		n := k + 8
		out := make([]int, n)
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		left := n
		for i := range n {
			go func() {
				out[i] = i // norace
				mu.Lock()
				left--
				cond.Signal()
				mu.Unlock()
			}()
		}
		mu.Lock()
		for left > 0 {
			cond.Wait()
		}
		mu.Unlock()
		fmt.Println(out[0])
	}
}

// LO15: the counter goes down under a lock of the goroutine's own.
func LO15_otherLock() {
	for k := range 4 {
		n := k + 8
		out := make([]int, n)
		var mu sync.Mutex
		left := n
		for i := range n {
			go func() {
				var mine sync.Mutex
				out[i] = i // race! out[*]
				mine.Lock()
				left-- // race! left
				mine.Unlock()
			}()
		}
		for {
			mu.Lock()
			done := left == 0 // race! left
			mu.Unlock()
			if done {
				break
			}
		}
		fmt.Println(out[0]) // race! out[*]
	}
}

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

type lastTasks struct {
	work    chan int
	left    atomic.Int32
	done    chan bool
	mu      sync.Mutex
	results []int
}

func newLastTasks(n int) *lastTasks {
	s := &lastTasks{work: make(chan int), done: make(chan bool)}
	s.left.Store(int32(n))
	return s
}

// LO16: workers count each task, and who has done the last one tells.
func LO16_tasks(n int) {
	s := newLastTasks(n)
	for range 3 {
		go func() {
			for {
				select {
				case t := <-s.work:
					s.finish16(t)
				case <-s.done:
					return
				}
			}
		}()
	}
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results)
}

func (s *lastTasks) finish16(t int) {
	s.mu.Lock()
	s.results = append(s.results, t) // norace
	s.mu.Unlock()
	if s.left.Add(-1) == 0 {
		close(s.done)
	}
}

// LO17: a task is counted before it is done.
func LO17_tasksTooEarly(n int) {
	s := newLastTasks(n)
	for range 3 {
		go func() {
			for {
				select {
				case t := <-s.work:
					last := s.left.Add(-1) == 0
					s.mu.Lock()
					s.results = append(s.results, t) // race! s.results
					s.mu.Unlock()
					if last {
						close(s.done)
					}
				case <-s.done:
					return
				}
			}
		}()
	}
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO18: some tasks are not counted, and nobody waits for those.
func LO18_someTasks(n int) {
	s := newLastTasks(n / 2)
	for range 3 {
		go func() {
			for {
				t := <-s.work
				s.mu.Lock()
				s.results = append(s.results, t) // race! s.results
				s.mu.Unlock()
				if t%2 == 1 && s.left.Add(-1) == 0 {
					close(s.done)
				}
			}
		}()
	}
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO19: a worker that gives up does not count its last task.
func LO19_givesUp(n int) {
	s := newLastTasks(n - 1)
	for range 3 {
		go func() {
			for t := range s.work {
				s.mu.Lock()
				s.results = append(s.results, t) // race! s.results
				s.mu.Unlock()
				if t == 0 {
					return
				}
				if s.left.Add(-1) == 0 {
					close(s.done)
				}
			}
		}()
	}
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO20: raised for each task when workers run, the counter comes to zero before the last one.
func LO20_raisedForEach(n int) {
	s := newLastTasks(0)
	for range 3 {
		go func() {
			for t := range s.work {
				s.mu.Lock()
				s.results = append(s.results, t) // race! s.results
				s.mu.Unlock()
				if s.left.Add(-1) == 0 {
					select {
					case s.done <- true:
					default:
					}
				}
			}
		}()
	}
	go func() {
		for i := range n {
			s.left.Add(1)
			s.work <- i
		}
	}()
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO21: one worker that ends tells, whichever tasks others have.
func LO21_notTheLast(n int) {
	s := newLastTasks(n)
	for range 3 {
		go func() {
			for t := range s.work {
				s.mu.Lock()
				s.results = append(s.results, t) // race! s.results
				s.mu.Unlock()
				if left := s.left.Add(-1); left == 1 {
					close(s.done)
				}
			}
		}()
	}
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO22: each round sets the one counter to its tasks.
func LO22_setForRounds(sizes []int) {
	sum := 0
	var mu sync.Mutex
	var left atomic.Int32
	work, done := make(chan int), make(chan bool)
	for range 3 {
		go func() {
			for t := range work {
				mu.Lock()
				sum += t // race! sum
				mu.Unlock()
				if left.Add(-1) == 0 {
					done <- true
				}
			}
		}()
	}
	for _, n := range sizes {
		left.Store(int32(n))
		for i := range n {
			work <- i
		}
		fmt.Println(sum) // race! sum
		<-done
	}
}

// LO23: two counters, of which the other one is waited for.
func LO23_otherCounter(n int) {
	s := newLastTasks(n)
	var begun atomic.Int32
	begun.Store(int32(n))
	for range 3 {
		go func() {
			for t := range s.work {
				if begun.Add(-1) == 0 {
					close(s.done)
				}
				s.mu.Lock()
				s.results = append(s.results, t) // race! s.results
				s.mu.Unlock()
				s.left.Add(-1)
			}
		}()
	}
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO24: one worker, which counts tasks when they begin, too.
func LO24_oneWorkerBegins(n int) {
	s := newLastTasks(n)
	var begun atomic.Int32
	begun.Store(int32(n))
	go func() {
		for t := range s.work {
			if begun.Add(-1) == 0 {
				close(s.done)
			}
			s.results = append(s.results, t) // race! s.results
			s.left.Add(-1)
		}
	}()
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO25: one worker, which tells of the last task but one.
func LO25_oneWorkerNotTheLast(n int) {
	s := newLastTasks(n)
	go func() {
		for t := range s.work {
			s.results = append(s.results, t) // race! s.results
			if s.left.Add(-1) == 1 {
				close(s.done)
			}
		}
	}()
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO26: one worker, which raises the counter itself.
func LO26_oneWorkerRaises(n int) {
	s := newLastTasks(0)
	go func() {
		for t := range s.work {
			s.left.Add(1)
			s.results = append(s.results, t) // race! s.results
			if s.left.Add(-1) == 0 {
				select {
				case s.done <- true:
				default:
				}
			}
		}
	}()
	go func() {
		for i := range n {
			s.work <- i
		}
	}()
	<-s.done
	fmt.Println(s.results) // race! s.results
}

// LO27: one worker.
func LO27_oneWorker(n int) {
	s := newLastTasks(n)
	go func() {
		for t := range s.work {
			s.results = append(s.results, t) // norace
			if s.left.Add(-1) == 0 {
				close(s.done)
			}
		}
	}()
	for i := range n {
		s.work <- i
	}
	<-s.done
	fmt.Println(s.results)
}

package order

import (
	"sync"
	"sync/atomic"
)

// One of several goroutines wins, does something, and tells of it: who hears of it has heard of that one.

func WS1_last() {
	var left atomic.Int32
	done := make(chan int)
	sum := 0
	left.Store(n)
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				sum++ // norace
				done <- 1
			}
		}()
	}
	<-done
	println(sum) // norace
}

// The first one does it, in an object, by a function that it is given.
func WS2_first() {
	done := make(chan *prize)
	p := &prize{tell: func(p *prize) { done <- p }}
	for range n {
		go p.try()
	}
	q := <-done
	println(q.sum) // norace
}

type prize struct {
	won  atomic.Bool
	sum  int
	tell func(*prize)
}

func (p *prize) try() {
	if p.won.CompareAndSwap(false, true) {
		p.sum++ // norace
		p.tell(p)
	}
}

// It tells too early.
func WS1b_early() {
	var left atomic.Int32
	done := make(chan int)
	sum := 0
	left.Store(n)
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				done <- 1
				sum++ // race! sum
			}
		}()
	}
	<-done
	println(sum) // race! sum
}

// Others tell, too.
func WS1c_others() {
	var left atomic.Int32
	done := make(chan int, n)
	sum := 0
	left.Store(n)
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				sum++ // race! sum
				done <- 1
			} else {
				done <- 0
			}
		}()
	}
	<-done
	println(sum) // race! sum
}

// Another goroutine tells.
func WS1d_another() {
	var left atomic.Int32
	done := make(chan int, 2)
	sum := 0
	left.Store(n)
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				sum++ // race! sum
				done <- 1
			}
		}()
	}
	go func() { done <- 0 }()
	<-done
	println(sum) // race! sum
}

// The flag is set back: several win.
func WS2b_again() {
	var won atomic.Bool
	done := make(chan int, n)
	sum := 0
	for range n {
		go func() {
			if won.CompareAndSwap(false, true) {
				sum++ // race! sum
				done <- 1
				won.Store(false)
			}
		}()
	}
	<-done
	println(sum) // race! sum
}

// All of them do it, and the first tells.
func WS2c_all() {
	var won atomic.Bool
	var mu sync.Mutex
	done := make(chan int, n)
	sum := 0
	for range n {
		go func() {
			mu.Lock()
			sum++ // race! sum
			mu.Unlock()
			if won.CompareAndSwap(false, true) {
				done <- 1
			}
		}()
	}
	<-done
	println(sum) // race! sum
}

// The one that tells has won elsewhere.
func WS2d_twoFlags() {
	var first, second atomic.Bool
	done := make(chan int, n)
	sum := 0
	for range n {
		go func() {
			if first.CompareAndSwap(false, true) {
				sum++ // race! sum
			}
			if second.CompareAndSwap(false, true) {
				done <- 1
			}
		}()
	}
	<-done
	println(sum) // race! sum
}

// Each object has a winner.
func WS2e_many() {
	done := make(chan *prize, n)
	var ps []*prize
	for range 2 {
		ps = append(ps, newPrize(done))
	}
	for i := range n {
		go ps[i%2].tryMany()
	}
	<-done
	println(ps[0].sum) // race! _.sum
}

func newPrize(done chan *prize) *prize { return &prize{tell: func(p *prize) { done <- p }} }

func (p *prize) tryMany() {
	if p.won.CompareAndSwap(false, true) {
		p.sum++ // race! p.sum
		p.tell(p)
	}
}

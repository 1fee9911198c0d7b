package order

import "sync"

// A goroutine that a named function runs is told apart by the call of what starts it, as a function literal is.

type onceCloser struct{ wg sync.WaitGroup }

func (c *onceCloser) done() { c.wg.Done() }
func (c *onceCloser) wait() { c.wg.Wait() }

func closeInner() {
	inner := &onceCloser{}
	inner.wg.Add(1)
	go inner.done()
	inner.wait()
}

// A joined goroutine uses another WaitGroup of the same wrapper.
func CL1_inner() {
	v := 0
	closeInner()
	c := &onceCloser{}
	c.wg.Add(1)
	go func() {
		defer c.done()
		v++ // norace
		closeInner()
	}()
	c.wait()
	println(v) // norace
}

func closeOuter(c *onceCloser) { go c.done() }

// It is the one that is waited for.
func CL1b_outer() {
	v := 0
	c := &onceCloser{}
	c.wg.Add(1)
	go func() {
		closeOuter(c)
		v++ // race! v
	}()
	c.wait()
	println(v) // race! v
}

type summer struct {
	nums  chan int
	sum   int
	ended chan struct{}
}

func newSummer() *summer {
	a := &summer{nums: make(chan int), ended: make(chan struct{})}
	go a.run()
	return a
}

func (a *summer) run() {
	defer close(a.ended)
	for n := range a.nums {
		a.sum += n // race! a.sum
	}
}

func (a *summer) close() {
	close(a.nums)
	<-a.ended
}

// Two adders have a goroutine each, and each is waited for by who reads its sum.
func CL2_twoOfAType() {
	a, b := newSummer(), newSummer()
	a.nums <- 1
	b.nums <- 2
	a.close()
	println(a.sum) // norace
	b.close()
	println(b.sum) // norace
}

// The other one is waited for.
func CL2b_otherOne() {
	a, b := newSummer(), newSummer()
	a.nums <- 1
	b.nums <- 2
	a.close()
	println(b.sum) // race! b.sum
	b.close()
}

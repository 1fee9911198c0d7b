package channel

import "sync"

// A goroutine runs functions that others send. Who sends has them run by a function of his own,
// which tells when they have been.
type player struct {
	ops  chan func()
	list []int
	kept []func()
}

func newPlayer() *player {
	p := &player{ops: make(chan func())}
	go p.run()
	return p
}

func (p *player) run() {
	for f := range p.ops {
		f()
	}
}

func (p *player) do(f func()) {
	done := make(chan struct{})
	p.ops <- func() {
		f()
		close(done)
	}
	<-done
}

func (p *player) size() (n int) {
	p.do(func() { n = len(p.list) }) // norace
	n++                              // norace
	return n
}

func (p *player) add(x int) {
	before := 0
	p.do(func() {
		before = len(p.list) // norace
		p.list = append(p.list, x)
	})
	println(before) // norace
}

func WR1_do() {
	p := newPlayer()
	p.add(1)
	println(p.size())
}

// Of several goroutines each has its own variable.
func WR2_several() {
	p := newPlayer()
	var wg sync.WaitGroup
	for k := range 3 {
		wg.Go(func() {
			p.add(k)
			println(p.size())
		})
	}
	wg.Wait()
}

// Both are made by one function.
func WR3_bothHere() {
	p := newPlayer()
	n := 0
	f := func() { n = len(p.list) } // norace
	done := make(chan struct{})
	p.ops <- func() {
		f()
		close(done)
	}
	<-done
	println(n) // norace
}

// By two functions, of which one has the variable.
func WR4_twice() {
	p := newPlayer()
	println(ask(p, func() int { return len(p.list) }))
	println(ask(p, func() int { return len(p.kept) }))
}

func ask[T any](p *player, f func() T) T {
	var r T
	p.do(func() { r = f() }) // norace
	return r                 // norace
}

// Nobody waits.
func WR5_noWait() {
	p := newPlayer()
	n := 0
	p.doLater(func() { n = len(p.list) }) // race! n
	println(n)                            // race! n
}

func (p *player) doLater(f func()) {
	done := make(chan struct{})
	p.ops <- func() {
		f()
		close(done)
	}
}

// It is waited for on one way only.
func WR6_sometimes(stop chan struct{}) {
	p := newPlayer()
	n := 0
	p.doUnless(stop, func() { n = len(p.list) }) // race! n
	println(n)                                   // race! n
}

func (p *player) doUnless(stop chan struct{}, f func()) {
	done := make(chan struct{})
	p.ops <- func() {
		f()
		close(done)
	}
	select {
	case <-done:
	case <-stop:
	}
}

// It is told too early.
func WR7_early() {
	p := newPlayer()
	n := 0
	p.doEarly(func() { n = len(p.list) }) // race! n
	println(n)                            // race! n
}

func (p *player) doEarly(f func()) {
	done := make(chan struct{})
	p.ops <- func() {
		close(done)
		f()
	}
	<-done
}

// The function is sent by itself, too.
func WR8_sentToo() {
	p := newPlayer()
	n := 0
	f := func() { n = len(p.list) } // race! n
	p.do(f)
	p.ops <- f
	println(n) // race! n
}

// It is kept, and run by others later.
func WR9_kept() {
	p := newPlayer()
	n := 0
	p.doKeep(func() { n++ }) // race! n
	n++                      // race! n
	p.do(func() {
		for _, f := range p.kept {
			f()
		}
	})
}

func (p *player) doKeep(f func()) {
	p.do(func() {
		f()
		p.kept = append(p.kept, f)
	})
}

// Another goroutine waits.
func WR10_waitsElsewhere() {
	p := newPlayer()
	n := 0
	go p.do(func() { n = len(p.list) }) // race! n
	println(n)                          // race! n
}

// The channel is that of all runs.
func WR11_oneChannel() {
	p := newPlayer()
	q := &asker{p: p, done: make(chan struct{}, 2)}
	for range 2 {
		go func() {
			n := 0
			q.do(func() { n = len(p.list) }) // race! n
			println(n)                       // race! n
		}()
	}
}

type asker struct {
	p    *player
	done chan struct{}
}

func (q *asker) do(f func()) {
	q.p.ops <- func() {
		f()
		q.done <- struct{}{}
	}
	<-q.done
}

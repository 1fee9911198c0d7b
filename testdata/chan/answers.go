package channel

import (
	"sync"
	"time"
)

// Requests come from a pool, are worked on by another goroutine, and answer by a
// channel of their own. Goroutines and the function that starts them ask.
func AN1_pooledRequests() {
	s := &oracle{make(chan *riddle)}
	go s.answer()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s.ask(i) })
	}
	s.ask(3)
	wg.Wait()
	close(s.in)
}

type riddle struct {
	q, a int
	done chan struct{}
}

type oracle struct{ in chan *riddle }

var riddles = sync.Pool{New: func() any { return &riddle{done: make(chan struct{}, 1)} }}

func (s *oracle) answer() {
	for r := range s.in {
		r.a = r.q // assumed _.a
		r.done <- struct{}{}
	}
}

func (s *oracle) ask(q int) int {
	r := riddles.Get().(*riddle)
	r.q = q // assumed _.q
	s.in <- r
	<-r.done
	a := r.a // assumed _.a
	r.a = 0  // assumed _.a
	riddles.Put(r)
	return a
}

// AN1b_notWaited looks before the answer has come.
func AN1b_notWaited() {
	in := make(chan *hurry)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- struct{}{}
		}
	}()
	r := &hurry{done: make(chan struct{}, 1)}
	in <- r
	_ = r.a // race! _.a
	<-r.done
}

type hurry struct {
	a    int
	done chan struct{}
}

// AN1c_touchedAfterAnswer has a server that goes on.
func AN1c_touchedAfterAnswer() {
	in := make(chan *linger)
	go func() {
		for r := range in {
			r.done <- struct{}{}
			r.a = 1 // race! _.a
		}
	}()
	r := &linger{done: make(chan struct{}, 1)}
	in <- r
	<-r.done
	_ = r.a // race! _.a
}

type linger struct {
	a    int
	done chan struct{}
}

// AN1d_givenUp puts a request back that has not been answered.
func AN1d_givenUp() {
	in := make(chan *order)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- struct{}{}
		}
	}()
	for range 3 {
		go order1(in)
	}
	order1(in)
}

type order struct {
	a    int
	done chan struct{}
}

var orders = sync.Pool{New: func() any { return &order{done: make(chan struct{}, 1)} }}

func order1(in chan *order) {
	r := orders.Get().(*order)
	r.a = 0 // race! _.a
	in <- r
	select {
	case <-r.done:
		orders.Put(r)
	case <-time.After(time.Second):
		orders.Put(r)
	}
}

// AN1e_anothersAnswer waits for the request before.
func AN1e_anothersAnswer() {
	in := make(chan *token, 2)
	go func() {
		for r := range in {
			r.a = 1 // race! _.a
			r.done <- struct{}{}
		}
	}()
	p, r := &token{done: make(chan struct{}, 1)}, &token{done: make(chan struct{}, 1)}
	in <- p
	in <- r
	<-p.done
	_ = r.a // race! _.a
}

type token struct {
	a    int
	done chan struct{}
}

// AN1f_sentToTwo has two servers at work on one request.
func AN1f_sentToTwo() {
	in := make(chan *letter, 2)
	for range 2 {
		go func() {
			for r := range in {
				r.a++ // race! _.a
				r.done <- struct{}{}
			}
		}()
	}
	r := &letter{done: make(chan struct{}, 2)}
	in <- r
	in <- r
	<-r.done
	<-r.done
}

type letter struct {
	a    int
	done chan struct{}
}

// AN2_chain has two servers, one after the other.
func AN2_chain() {
	s := &mill{make(chan *grain), make(chan *grain, 2)}
	go s.clean()
	go s.grind()
	go s.bring(1)
	s.bring(2)
}

type grain struct {
	n    int
	done chan *grain
}

type mill struct{ in, next chan *grain }

func (s *mill) clean() {
	for g := range s.in {
		g.n++ // assumed _.n
		s.next <- g
	}
}

func (s *mill) grind() {
	for g := range s.next {
		g.n++ // assumed _.n
		g.done <- g
	}
}

func (s *mill) bring(n int) int {
	g := &grain{n, make(chan *grain, 1)}
	s.in <- g
	<-g.done
	return g.n // assumed _.n
}

// AN2b_afterPassingOn has one that touches what it has passed on.
func AN2b_afterPassingOn() {
	s := &press{make(chan *grape), make(chan *grape, 2)}
	go s.wash()
	go s.crush()
	go s.bring(1)
	s.bring(2)
}

type grape struct {
	n    int
	done chan *grape
}

type press struct{ in, next chan *grape }

func (s *press) wash() {
	for g := range s.in {
		s.next <- g
		g.n++ // race! _.n
	}
}

func (s *press) crush() {
	for g := range s.next {
		g.n++ // race! _.n
		g.done <- g
	}
}

func (s *press) bring(n int) int {
	g := &grape{n, make(chan *grape, 1)}
	s.in <- g
	<-g.done
	return g.n // race! _.n
}

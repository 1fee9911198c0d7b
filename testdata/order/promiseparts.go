package order

import (
	"errors"
	"sync"
	"time"
)

// Several may close the channel of an object, each when it has set its part of it.

// P14: one of them sets the result, the other an error.
func P14_resultOrError() {
	for k := range n {
		p := &parts14{done: make(chan struct{})}
		go p.run(k)
		select {
		case <-p.done:
		case <-time.After(time.Second):
			return
		}
		if p.err != nil { // norace
			continue
		}
		println(p.v) // norace
	}
}

type parts14 struct {
	done chan struct{}
	v    int
	err  error
}

func (p *parts14) run(k int) {
	if k > 3 {
		p.fail(errors.New("too many"))
		return
	}
	p.complete(k)
}

func (p *parts14) fail(err error) {
	p.err = err // norace
	close(p.done)
}

func (p *parts14) complete(v int) {
	p.v = v // norace
	close(p.done)
}

// P14c: what is waited for lies in a table, where a goroutine finds it.
func P14c_inTable() {
	t := &table14{waiting: make(map[int]*parts14)}
	go t.serve()
	for k := range n {
		go t.ask(k)
	}
}

type table14 struct {
	mu      sync.Mutex
	waiting map[int]*parts14
}

func (t *table14) ask(k int) {
	p := &parts14{done: make(chan struct{})}
	t.mu.Lock()
	t.waiting[k] = p
	t.mu.Unlock()
	<-p.done
	if p.err == nil {
		println(p.v) // norace
	}
}

func (t *table14) serve() {
	for k := range n {
		t.mu.Lock()
		p := t.waiting[k]
		delete(t.waiting, k)
		t.mu.Unlock()
		if p != nil {
			p.run(k)
		}
	}
}

// P14b: who gives up sets nothing, and need not be the only one.
func P14b_givenUp() {
	for k := range n {
		p := &parts14b{done: make(chan struct{})}
		go p.fill(k)
		go p.giveUp()
		<-p.done
		println(p.v) // race! p.v
	}
}

type parts14b struct {
	done chan struct{}
	v    int
}

func (p *parts14b) fill(v int) {
	p.v = v // race! p.v
	close(p.done)
}

func (p *parts14b) giveUp() { close(p.done) }

package order

import (
	"errors"
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

package order

import (
	"errors"
	"sync"
)

var errAskedNothing = errors.New("stopped")

// SS1_doneOrNotSent sends what tells that it is done, or gives up before.
func SS1_doneOrNotSent() {
	stop := make(chan struct{})
	n := &asked1{reqs: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(stop)
		close(stopped)
	}()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(stop) })
	}
	wg.Wait()
	n.status(stop)
	close(stop)
	<-stopped
}

type asked1 struct {
	reqs chan func()
}

func (n *asked1) run(stop chan struct{}) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-stop:
			return
		}
	}
}

func (n *asked1) do(stop chan struct{}, fn func()) error {
	done := make(chan struct{})
	req := func() {
		defer close(done)
		fn()
	}
	select {
	case n.reqs <- req:
		<-done
		return nil
	case <-stop:
		return errAskedNothing
	}
}

func (n *asked1) propose(stop chan struct{}) (int, error) {
	i := 0
	err := n.do(stop, func() { i = 1 }) // norace
	return i, err
}

func (n *asked1) status(stop chan struct{}) (int, error) {
	st := 0
	err := n.do(stop, func() { st = 1 }) // norace
	return st, err
}

// SS1b_givesUpLater gives up after it has sent it, too.
func SS1b_givesUpLater() {
	stop := make(chan struct{})
	n := &asked2{reqs: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(stop)
		close(stopped)
	}()
	go close(stop)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(stop) })
	}
	wg.Wait()
	n.status(stop)
	<-stopped
}

type asked2 struct {
	reqs chan func()
}

func (n *asked2) run(stop chan struct{}) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-stop:
			return
		}
	}
}

func (n *asked2) do(stop chan struct{}, fn func()) error {
	done := make(chan struct{})
	req := func() {
		defer close(done)
		fn()
	}
	select {
	case n.reqs <- req:
		select {
		case <-done:
			return nil
		case <-stop:
			return errAskedNothing
		}
	case <-stop:
		return errAskedNothing
	}
}

func (n *asked2) propose(stop chan struct{}) (int, error) {
	i := 0
	err := n.do(stop, func() { i = 1 }) // race! i
	return i, err                       // race! i
}

func (n *asked2) status(stop chan struct{}) (int, error) {
	st := 0
	err := n.do(stop, func() { st = 1 }) // race! st
	return st, err                       // race! st
}

// SS1c_orElsewhere sends it to one of two, and waits for one of them only.
func SS1c_orElsewhere() {
	stop := make(chan struct{})
	n := &asked3{reqs: make(chan func(), 16), slow: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(stop)
		close(stopped)
	}()
	go func() {
		for fn := range n.slow {
			fn()
		}
	}()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(stop) })
	}
	wg.Wait()
	n.status(stop)
	close(stop)
	<-stopped
}

type asked3 struct {
	reqs chan func()
	slow chan func()
}

func (n *asked3) run(stop chan struct{}) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-stop:
			return
		}
	}
}

func (n *asked3) do(stop chan struct{}, fn func()) error {
	done := make(chan struct{})
	req := func() {
		defer close(done)
		fn()
	}
	select {
	case n.reqs <- req:
		<-done
		return nil
	case n.slow <- req:
		return nil
	case <-stop:
		return errAskedNothing
	}
}

func (n *asked3) propose(stop chan struct{}) (int, error) {
	i := 0
	err := n.do(stop, func() { i = 1 }) // race! i
	return i, err                       // race! i
}

func (n *asked3) status(stop chan struct{}) (int, error) {
	st := 0
	err := n.do(stop, func() { st = 1 }) // race! st
	return st, err                       // race! st
}

// SS1d_keptBefore has put it where another goroutine finds it before.
func SS1d_keptBefore() {
	stop := make(chan struct{})
	n := &asked4{reqs: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(stop)
		close(stopped)
	}()
	go func() {
		n.mu.Lock()
		last := n.last
		n.mu.Unlock()
		if last != nil {
			last()
		}
	}()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(stop) })
	}
	wg.Wait()
	n.status(stop)
	close(stop)
	<-stopped
}

type asked4 struct {
	reqs chan func()
	mu   sync.Mutex
	last func()
}

func (n *asked4) run(stop chan struct{}) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-stop:
			return
		}
	}
}

func (n *asked4) do(stop chan struct{}, fn func()) error {
	done := make(chan struct{})
	req := func() {
		defer close(done)
		fn()
	}
	n.mu.Lock()
	n.last = req
	n.mu.Unlock()
	select {
	case n.reqs <- req:
		<-done
		return nil
	case <-stop:
		return errAskedNothing
	}
}

func (n *asked4) propose(stop chan struct{}) (int, error) {
	i := 0
	err := n.do(stop, func() { i = 1 }) // race! i
	return i, err                       // race! i
}

func (n *asked4) status(stop chan struct{}) (int, error) {
	st := 0
	err := n.do(stop, func() { st = 1 }) // race! st
	return st, err                       // race! st
}

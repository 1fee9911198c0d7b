package order

import (
	"context"
	"sync"
)

// SS1_doneOrNotSent sends what tells that it is done, or gives up before.
func SS1_doneOrNotSent() {
	ctx, cancel := context.WithCancel(context.Background())
	n := &asked1{reqs: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(ctx)
		close(stopped)
	}()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(ctx) })
	}
	wg.Wait()
	n.status(ctx)
	cancel()
	<-stopped
}

type asked1 struct {
	reqs chan func()
	n    int
}

func (n *asked1) run(ctx context.Context) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-ctx.Done():
			return
		}
	}
}

func (n *asked1) do(ctx context.Context, fn func()) error {
	done := make(chan struct{})
	req := func() {
		defer close(done)
		fn()
	}
	select {
	case n.reqs <- req:
		<-done
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *asked1) propose(ctx context.Context) (i int, err error) {
	err = n.do(ctx, func() { n.n++; i = n.n }) // norace
	return i, err
}

func (n *asked1) status(ctx context.Context) (st int, err error) {
	err = n.do(ctx, func() { st = n.n }) // norace
	return st, err
}

// SS1b_givesUpLater gives up after it has sent it, too.
func SS1b_givesUpLater() {
	ctx, cancel := context.WithCancel(context.Background())
	n := &asked2{reqs: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(ctx)
		close(stopped)
	}()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(ctx) })
	}
	wg.Wait()
	n.status(ctx)
	cancel()
	<-stopped
}

type asked2 struct {
	reqs chan func()
	n    int
}

func (n *asked2) run(ctx context.Context) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-ctx.Done():
			return
		}
	}
}

func (n *asked2) do(ctx context.Context, fn func()) error {
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
		case <-ctx.Done():
			return ctx.Err()
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *asked2) propose(ctx context.Context) (i int, err error) { // race! i
	err = n.do(ctx, func() { n.n++; i = n.n }) // race! i
	return i, err
}

func (n *asked2) status(ctx context.Context) (st int, err error) { // race! st
	err = n.do(ctx, func() { st = n.n }) // race! st
	return st, err
}

// SS1c_orElsewhere sends it to one of two, and waits for one of them only.
func SS1c_orElsewhere() {
	ctx, cancel := context.WithCancel(context.Background())
	n := &asked3{reqs: make(chan func(), 16), slow: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(ctx)
		close(stopped)
	}()
	go func() {
		for fn := range n.slow {
			fn()
		}
	}()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { n.propose(ctx) })
	}
	wg.Wait()
	n.status(ctx)
	cancel()
	<-stopped
}

type asked3 struct {
	reqs chan func()
	slow chan func()
	n    int
}

func (n *asked3) run(ctx context.Context) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-ctx.Done():
			return
		}
	}
}

func (n *asked3) do(ctx context.Context, fn func()) error {
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
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *asked3) propose(ctx context.Context) (i int, err error) { // race! i
	err = n.do(ctx, func() { n.n++; i = n.n }) // race! i
	return i, err
}

func (n *asked3) status(ctx context.Context) (st int, err error) { // race! st
	err = n.do(ctx, func() { st = n.n }) // race! st
	return st, err
}

// SS1d_keptBefore has put it where another goroutine finds it before.
func SS1d_keptBefore() {
	ctx, cancel := context.WithCancel(context.Background())
	n := &asked4{reqs: make(chan func(), 16)}
	stopped := make(chan struct{})
	go func() {
		n.run(ctx)
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
		wg.Go(func() { n.propose(ctx) })
	}
	wg.Wait()
	n.status(ctx)
	cancel()
	<-stopped
}

type asked4 struct {
	reqs chan func()
	mu   sync.Mutex
	last func()
	n    int
}

func (n *asked4) run(ctx context.Context) {
	for {
		select {
		case fn := <-n.reqs:
			fn()
		case <-ctx.Done():
			return
		}
	}
}

func (n *asked4) do(ctx context.Context, fn func()) error {
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
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *asked4) propose(ctx context.Context) (i int, err error) { // race! i
	err = n.do(ctx, func() { n.n++; i = n.n }) // race! i
	return i, err
}

func (n *asked4) status(ctx context.Context) (st int, err error) { // race! st
	err = n.do(ctx, func() { st = n.n }) // race! st
	return st, err
}

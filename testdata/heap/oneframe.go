package heap

import "sync"

// What a goroutine has been started with, a literal in it may have captured: the frame that has the parameter is the
// iteration's own, and what it has stored there once is what it has been passed.

type oneCall struct {
	done chan struct{}
	val  int
	took int
}

type oneFlight struct {
	mu    sync.Mutex
	calls map[string]*oneCall
}

// Deferred calls run the last one first: whoever waits for done does not wait for what is written after it.
func OFR1_closedFirst() {
	f := &oneFlight{calls: make(map[string]*oneCall)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				f.closedFirst("a")
			}
		})
	}
	wg.Wait()
}

func (f *oneFlight) closedFirst(key string) (int, int) {
	f.mu.Lock()
	c, ok := f.calls[key]
	if !ok {
		c = &oneCall{done: make(chan struct{})}
		f.calls[key] = c
		go func(key string, c *oneCall) {
			defer func() { c.took = len(key) }() // race! c.took
			defer close(c.done)
			c.val = len(key)
		}(key, c)
	}
	f.mu.Unlock()
	<-c.done
	return c.val, c.took // race! c.took
}

func OFR2_closedLast() {
	f := &oneFlight{calls: make(map[string]*oneCall)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				f.closedLast("a")
			}
		})
	}
	wg.Wait()
}

func (f *oneFlight) closedLast(key string) (int, int) {
	f.mu.Lock()
	c, ok := f.calls[key]
	if !ok {
		c = &oneCall{done: make(chan struct{})}
		f.calls[key] = c
		go func(key string, c *oneCall) {
			defer close(c.done)
			defer func() { c.took = len(key) }() // norace
			c.val = len(key)
		}(key, c)
	}
	f.mu.Unlock()
	<-c.done
	return c.val, c.took
}

// The parameter is set anew: what the literal has is not what the goroutine has been started with.
func OFR3_setAnew() {
	f := &oneFlight{calls: make(map[string]*oneCall)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				f.setAnew("a")
			}
		})
	}
	wg.Wait()
}

func (f *oneFlight) setAnew(key string) (int, int) {
	f.mu.Lock()
	c, ok := f.calls[key]
	if !ok {
		c = &oneCall{done: make(chan struct{})}
		f.calls[key] = c
		go func(key string, c *oneCall) {
			defer func() { c.took = len(key) }() // norace
			c.val = len(key)
			close(c.done)
			c = new(oneCall)
		}(key, c)
	}
	f.mu.Unlock()
	<-c.done
	return c.val, c.took
}

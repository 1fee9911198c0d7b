package order

import "sync"

// Loops whose rounds call a function that starts a goroutine: what that function
// does, before its go statement too, runs beside the goroutines of earlier rounds.

// The starter still sets up what its goroutine reads.
func WP1_setUpTooLate() {
	var h hive
	for i := range n {
		h.start(i)
	}
	h.wg.Wait()
}

type hive struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	err error
	all []*bee
	sum int
}

type bee struct{ id, size int }

func (h *hive) start(i int) {
	b := &bee{id: i}
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		_ = b.size + b.id // race! b.size
	}()
	b.size = i // race! b.size
}

// Set up before the start, each round its own.
func WP2_setUpInTime() {
	var h hive
	for i := range n {
		h.begin(i)
	}
	h.wg.Wait()
}

func (h *hive) begin(i int) {
	b := &bee{id: i}
	b.size = i // norace
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		_ = b.size + b.id // norace
	}()
}

// Whether an earlier round has failed is looked at without the lock.
func WP3_lookedAtBefore() {
	var h hive
	for i := range n {
		h.try(i)
	}
	h.wg.Wait()
}

func (h *hive) try(i int) {
	if h.failed() != nil {
		return
	}
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		h.mu.Lock()
		h.err = fail(i) // race! h.err
		h.mu.Unlock()
	}()
}

func (h *hive) failed() error { return h.err } // race! h.err

func fail(int) error { return nil }

// The same with the lock.
func WP4_lookedAtLocked() {
	var h hive
	for i := range n {
		h.tryLocked(i)
	}
	h.wg.Wait()
}

func (h *hive) tryLocked(i int) {
	h.mu.Lock()
	err := h.err // norace
	h.mu.Unlock()
	if err != nil {
		return
	}
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		h.mu.Lock()
		h.err = fail(i) // norace
		h.mu.Unlock()
	}()
}

// Each round has a hive of its own and waits for what it has started, also where
// other goroutines come and go in between.
func WP5_ownOfEachRound() {
	for i := range n {
		newHive().run(i)
	}
}

func newHive() *hive { return new(hive) }

func (h *hive) run(i int) {
	h.all = append(h.all, &bee{id: i}) // norace
	done := make(chan bool)
	go func() {
		h.sum += len(h.all) // norace
		done <- true
	}()
	h.others()
	<-done
	h.sum++ // norace
}

func (h *hive) others() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.err = nil
		})
	}
	wg.Wait()
}

// One hive for all rounds, each of which waits for others only.
func WP6_oneForAll() {
	h := newHive()
	for i := range n {
		h.runOn(i)
	}
	h.wg.Wait()
}

func (h *hive) runOn(i int) {
	h.all = append(h.all, &bee{id: i}) // race! h.all
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		_ = len(h.all) // race! h.all
	}()
	h.others()
}

// The goroutine is started three calls down, and all that its callers do is return
// what it works for: nothing is arranged on the way up.
func WP7_handedUp() {
	p := newPipe().run("x").named("y")
	<-p.done
}

type pipe struct {
	name string
	done chan bool
}

func newPipe() *pipe { return &pipe{done: make(chan bool, 1)} }

func (p *pipe) run(s string) *pipe { return p.filter(func(to string) bool { return p.name == to+s }) } // race! p.name

func (p *pipe) filter(f func(string) bool) *pipe {
	go func() { p.done <- p.check(f) }()
	return p
}

func (p *pipe) check(f func(string) bool) bool { return f("") }

func (p *pipe) named(s string) *pipe {
	p.name = s // race! p.name
	return p
}

// Named before it runs.
func WP8_namedFirst() {
	p := newPipe().called("y").again("x")
	<-p.done
}

func (p *pipe) again(s string) *pipe { return p.filter(func(to string) bool { return p.name == to+s }) } // norace

func (p *pipe) called(s string) *pipe {
	p.name = s // norace
	return p
}

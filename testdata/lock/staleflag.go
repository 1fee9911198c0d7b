package lock

import (
	"sync"
	"sync/atomic"
)

// A flag that is looked at in one critical section, and set in the next one, may be set by two.
func SF1_lookedAtBefore() {
	i := &staleImage{}
	for range n {
		go func() {
			i.compute()
			i.mu.Lock()
			done := i.done
			i.mu.Unlock()
			if done {
				useCount(i.size) // race! i.size
			}
		}()
	}
}

type staleImage struct {
	mu   sync.Mutex
	done bool
	size int
}

func (i *staleImage) compute() {
	i.mu.Lock()
	done := i.done
	i.mu.Unlock()
	i.mu.Lock()
	if !done {
		i.size = 3 // race! i.size
		i.done = true
	}
	i.mu.Unlock()
}

// In one section it is set by one.
func SF2_lookedAtThere() {
	i := &freshImage{}
	for range n {
		go func() {
			i.compute()
			useCount(i.size) // norace
		}()
	}
}

type freshImage struct {
	mu   sync.Mutex
	done bool
	size int
}

func (i *freshImage) compute() {
	i.mu.Lock()
	done := i.done
	if !done {
		i.size = 3 // norace
		i.done = true
	}
	i.mu.Unlock()
}

// So it is with who claims something by it.
func SF3_claimedTwice() {
	d := &staleDoor{}
	for range n {
		go d.enter()
	}
}

type staleDoor struct {
	mu   sync.Mutex
	busy bool
	size int
}

func (d *staleDoor) enter() {
	d.mu.Lock()
	busy := d.busy
	d.mu.Unlock()
	d.mu.Lock()
	if busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	d.size++ // race! d.size
}

// And with keys of a map.
func SF4_visitedTwice() {
	s := &staleKeys{seen: map[int]bool{}}
	for i := range n {
		go s.visit(i / 2 % 8)
	}
}

type staleKeys struct {
	mu   sync.Mutex
	seen map[int]bool
	size [8]int
}

func (s *staleKeys) visit(k int) {
	s.mu.Lock()
	seen := s.seen[k]
	s.mu.Unlock()
	s.mu.Lock()
	if seen {
		s.mu.Unlock()
		return
	}
	s.seen[k] = true
	s.mu.Unlock()
	s.size[k]++ // race! s.size[*]
}

// A flag that is atomic is looked at again under the lock.
func SF5_notLookedAtAgain() {
	o := &staleOnce{}
	for range n {
		go func() {
			o.compute()
			if o.done.Load() {
				useCount(o.size) // race! o.size
			}
		}()
	}
}

type staleOnce struct {
	mu   sync.Mutex
	done atomic.Bool
	size int
}

func (o *staleOnce) compute() {
	done := o.done.Load()
	o.mu.Lock()
	if !done {
		o.size = 3 // race! o.size
		o.done.Store(true)
	}
	o.mu.Unlock()
}

// Who waits for something else meanwhile does not have the lock then.
func SF6_waitsMeanwhile() {
	w := &staleWaiter{}
	w.cond = sync.NewCond(&w.mu)
	go w.close()
	go w.prepare()
	w.connect()
}

type staleWaiter struct {
	mu            sync.Mutex
	cond          *sync.Cond
	ready, closed bool
	labels        []int
}

func (w *staleWaiter) prepare() {
	w.mu.Lock()
	w.ready = true
	w.mu.Unlock()
	w.cond.Broadcast()
}

func (w *staleWaiter) connect() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	for !w.ready {
		w.cond.Wait()
	}
	w.labels = []int{1} // race! w.labels
}

func (w *staleWaiter) close() {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.closed = true
	w.mu.Unlock()
	useCount(len(w.labels)) // race! w.labels
}

// He looks when he has waited.
func SF7_looksAfterwards() {
	w := &freshWaiter{}
	w.cond = sync.NewCond(&w.mu)
	go w.close()
	go w.prepare()
	w.connect()
}

type freshWaiter struct {
	mu            sync.Mutex
	cond          *sync.Cond
	ready, closed bool
	labels        []int
}

func (w *freshWaiter) prepare() {
	w.mu.Lock()
	w.ready = true
	w.mu.Unlock()
	w.cond.Broadcast()
}

func (w *freshWaiter) connect() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.ready && !w.closed {
		w.cond.Wait()
	}
	if w.closed {
		return
	}
	w.labels = []int{1} // norace
}

func (w *freshWaiter) close() {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.closed = true
	w.mu.Unlock()
	w.cond.Broadcast()
	useCount(len(w.labels)) // norace
}

// A function that is called meanwhile gives the lock away for a while.
func SF8_helperUnlocks() {
	h := &staleHelper{}
	go h.close()
	h.connect()
}

type staleHelper struct {
	mu     sync.Mutex
	closed bool
	labels []int
}

func (h *staleHelper) pause() {
	h.mu.Unlock()
	useCount(n)
	h.mu.Lock()
}

func (h *staleHelper) connect() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.pause()
	h.labels = []int{1} // race! h.labels
}

func (h *staleHelper) close() {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return
	}
	h.closed = true
	h.mu.Unlock()
	useCount(len(h.labels)) // race! h.labels
}

// A claim is not made by who has waited since he looked, himself or in a function.
func SF9_claimedAfterWait() {
	d := &staleGate{}
	d.cond = sync.NewCond(&d.mu)
	for i := range n {
		go d.enter()
		go d.pass()
		go d.go3(i)
		go d.go4()
	}
	d.cond.Broadcast()
}

type staleGate struct {
	mu            sync.Mutex
	cond          *sync.Cond
	in, by, third bool
	fourth        bool
	ins, bys      int
	thirds        int
	fourths       int
}

func (d *staleGate) enter() {
	d.mu.Lock()
	in := d.in
	d.cond.Wait()
	if in {
		d.mu.Unlock()
		return
	}
	d.in = true
	d.mu.Unlock()
	d.ins++ // race! d.ins
}

func (d *staleGate) pass() {
	d.mu.Lock()
	if d.by {
		d.mu.Unlock()
		return
	}
	d.cond.Wait()
	d.by = true
	d.mu.Unlock()
	d.bys++ // race! d.bys
}

func (d *staleGate) wait() { d.cond.Wait() }

func (d *staleGate) go3(k int) {
	d.mu.Lock()
	third := d.third
	if k > 3 {
		d.wait()
	}
	if third {
		d.mu.Unlock()
		return
	}
	d.third = true
	d.mu.Unlock()
	d.thirds++ // race! d.thirds
}

func (d *staleGate) go4() {
	d.mu.Lock()
	if d.fourth {
		d.mu.Unlock()
		return
	}
	d.wait()
	d.fourth = true
	d.mu.Unlock()
	d.fourths++ // race! d.fourths
}

package heap

import (
	"sync"
	"sync/atomic"
)

// Workers lie in a map while nobody has them.
type leases struct {
	mu         sync.Mutex
	idle, busy map[int]*lessee
}

type lessee struct{ id, jobs int }

func newLeases() *leases {
	l := &leases{idle: map[int]*lessee{}, busy: map[int]*lessee{}}
	for i := range 2 {
		l.idle[i] = &lessee{id: i}
	}
	return l
}

// TK1: whichever a range finds first is taken out of the map.
func TK1_taken() {
	l := newLeases()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			w := l.take()
			if w == nil {
				return
			}
			w.jobs++ // assumed jobs; unless it is used after it was put back
			l.give(w)
		})
	}
	wg.Wait()
}

func (l *leases) take() *lessee {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, w := range l.idle {
		if w.jobs > 9 {
			continue
		}
		delete(l.idle, id)
		l.busy[id] = w
		return w
	}
	return nil
}

func (l *leases) give(w *lessee) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.busy, w.id)
	l.idle[w.id] = w
}

// TK1b: another one than the one that is returned is deleted.
func TK1b_another() {
	l := newLeases()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if w := l.takeAnother(); w != nil {
				w.jobs++ // race! jobs
			}
		})
	}
	wg.Wait()
}

func (l *leases) takeAnother() *lessee {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, w := range l.idle {
		delete(l.idle, id+1)
		return w
	}
	return nil
}

// TK1c: it is deleted sometimes only.
func TK1c_sometimes() {
	l := newLeases()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if w := l.maybe(i%2 == 0); w != nil {
				w.jobs++ // race! jobs
			}
		})
	}
	wg.Wait()
}

func (l *leases) maybe(take bool) *lessee {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, w := range l.idle {
		if take {
			delete(l.idle, id)
		}
		return w
	}
	return nil
}

// TK1d: the lock is let go in between.
func TK1d_letGo() {
	l := newLeases()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if w := l.takeLater(); w != nil {
				w.jobs++ // race! jobs
			}
		})
	}
	wg.Wait()
}

func (l *leases) takeLater() *lessee {
	l.mu.Lock()
	for id, w := range l.idle {
		l.mu.Unlock()
		l.mu.Lock()
		delete(l.idle, id)
		l.mu.Unlock()
		return w
	}
	l.mu.Unlock()
	return nil
}

// TK2: who deletes it from a concurrent map has it.
func TK2_loadAndDelete() {
	var m sync.Map
	m.Store(1, &lessee{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			v, ok := m.LoadAndDelete(1)
			if !ok {
				return
			}
			s := v.(*lessee)
			s.jobs++ // assumed jobs; unless it is used after it was put back
			m.Store(1, s)
		})
	}
	wg.Wait()
}

// TK2b: it stays there.
func TK2b_loaded() {
	var m sync.Map
	m.Store(1, &lessee{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if v, ok := m.Load(1); ok {
				v.(*lessee).jobs++ // race! jobs
			}
		})
	}
	wg.Wait()
}

// TK2c: one finds it without deleting it.
func TK2c_bothWays() {
	var m sync.Map
	m.Store(1, &lessee{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if v, ok := m.Load(1); ok {
				println(v.(*lessee).jobs) // race! jobs
			}
			v, ok := m.LoadAndDelete(1)
			if !ok {
				return
			}
			s := v.(*lessee)
			s.jobs++ // race! jobs
			m.Store(1, s)
		})
	}
	wg.Wait()
}

// TK3: who swaps it out has it.
func TK3_swapped() {
	var at atomic.Pointer[lessee]
	at.Store(&lessee{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			s := at.Swap(nil)
			if s == nil {
				return
			}
			s.jobs++ // assumed jobs; unless it is used after it was put back
			at.Store(s)
		})
	}
	wg.Wait()
}

// TK3b: another one is read out while it is used.
func TK3b_loaded() {
	var at atomic.Pointer[lessee]
	at.Store(&lessee{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			s := at.Swap(&lessee{})
			s.jobs++                // race! jobs
			println(at.Load().jobs) // race! jobs
			at.Store(s)
		})
	}
	wg.Wait()
}

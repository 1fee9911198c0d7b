package lock

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// An entry is filled by whoever comes first.
type entry struct {
	done atomic.Bool
	mu   sync.Mutex
	n    int
}

func (e *entry) get() int {
	if !e.done.Load() {
		e.mu.Lock()
		if !e.done.Load() {
			e.n = 4 // norace
			e.done.Store(true)
		}
		e.mu.Unlock()
	}
	return e.n // norace
}

func K1_doubleChecked() {
	e := &entry{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { e.get() })
	}
	wg.Wait()
}

// Each entry has its own flag and lock.
func K2_oneOfMany() {
	var es []*entry
	for range n {
		es = append(es, &entry{})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { es[i/2].get() })
	}
	wg.Wait()
}

// The fast path, the slow one and the use are in three functions, and the flag
// is a plain integer that atomic operations work on.
type record struct {
	done   uint32
	mu     sync.Mutex
	fields []int
	n      int
}

func (r *record) init() {
	if atomic.LoadUint32(&r.done) == 0 {
		r.initOnce()
	}
}

func (r *record) initOnce() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == 1 { // norace
		return
	}
	r.fields = []int{1, 2} // norace
	r.n = 2                // norace
	atomic.StoreUint32(&r.done, 1)
}

func (r *record) first() int {
	r.init()
	return r.fields[0] + r.n // norace
}

func K3_initMethod() {
	rs := make([]record, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { rs[i/2].first() })
	}
	wg.Wait()
}

// Who does not call get has not seen the flag.
func K3b_notAsked() {
	e := &note{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i > 0 {
				_ = e.n // race! n
				return
			}
			e.get()
		})
	}
	wg.Wait()
}

type note struct {
	done atomic.Bool
	mu   sync.Mutex
	n    int
}

func (e *note) get() int {
	if !e.done.Load() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if !e.done.Load() {
			e.n = 4 // race! n
			e.done.Store(true)
		}
	}
	return e.n
}

// The flag is set before what it announces is done.
func K4_setTooEarly() {
	var done atomic.Bool
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !done.Load() {
				mu.Lock()
				if !done.Load() {
					done.Store(true)
					v = 3 // race! v
				}
				mu.Unlock()
			}
			_ = v // race! v
		})
	}
	wg.Wait()
}

// Nobody looks again under the lock: the second to come writes when the first
// reads.
func K5_checkedOnce() {
	var done atomic.Bool
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !done.Load() {
				mu.Lock()
				v = 3 // race! v
				done.Store(true)
				mu.Unlock()
			}
			_ = v // race! v
		})
	}
	wg.Wait()
}

// The lock is given up between the test and the write.
func K6_lockGivenUp() {
	var done atomic.Bool
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			first := !done.Load()
			if first {
				mu.Unlock()
				runtime.Gosched()
				v = 3 // race! v
				mu.Lock()
				done.Store(true)
			}
			mu.Unlock()
			_ = v // race! v
		})
	}
	wg.Wait()
}

// The flag is taken back now and then.
func K7_reset() {
	var done atomic.Bool
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == 3 {
				done.Store(false)
			}
			if !done.Load() {
				mu.Lock()
				if !done.Load() {
					v = i // race! v
					done.Store(true)
				}
				mu.Unlock()
			}
			_ = v // race! v
		})
	}
	wg.Wait()
}

// Somebody sets the flag without the lock.
func K8_setOutside() {
	e := &entry{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == 1 {
				e.done.Store(true)
			}
			if !e.done.Load() {
				e.mu.Lock()
				if !e.done.Load() {
					e.n = 4 // race! n
					e.done.Store(true)
				}
				e.mu.Unlock()
			}
			_ = e.n // race! n
		})
	}
	wg.Wait()
}

// Each call has a lock of its own.
func K9_ownLock() {
	var done atomic.Bool
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var mu sync.Mutex
			if !done.Load() {
				mu.Lock()
				if !done.Load() {
					runtime.Gosched()
					v = 3 // race! v
					done.Store(true)
				}
				mu.Unlock()
			}
			_ = v // race! v
		})
	}
	wg.Wait()
}

// The flag of one entry says nothing of another.
func K10_flagOfAnother() {
	var es []*entry
	for range n {
		es = append(es, &entry{})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			e, other := es[i], es[(i+1)%n]
			if !e.done.Load() {
				e.mu.Lock()
				if !e.done.Load() {
					other.n = i // race! n
					e.done.Store(true)
				}
				e.mu.Unlock()
			}
			_ = e.n // race! n
		})
	}
	wg.Wait()
}

// A read lock excludes no other reader: two may find the flag not set.
func K11_readLocked() {
	var done atomic.Bool
	var mu sync.RWMutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.RLock()
			if !done.Load() {
				runtime.Gosched()
				v = 3 // race! v
				done.Store(true)
			}
			mu.RUnlock()
			_ = v // race! v
		})
	}
	wg.Wait()
}

// What is called sets the flag before the caller writes.
func K12_calleeSets() {
	e := &entry{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if !e.done.Load() {
				e.mu.Lock()
				if !e.done.Load() {
					finish(e)
					e.n = 4 // race! n
				}
				e.mu.Unlock()
			}
			_ = e.n // race! n
		})
	}
	wg.Wait()
}

func finish(e *entry) { e.done.Store(true) }

// The body of a Once sets a flag, for those who do not want to call Do.
func K13_flagOfOnce() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				sumsOnce.Do(func() {
					sums = 7 // norace
					haveSums.Store(true)
				})
			}
			if haveSums.Load() {
				_ = sums // norace
			}
		})
	}
	wg.Wait()
}

var (
	sumsOnce sync.Once
	haveSums atomic.Bool
	sums     int
)

// It sets the flag too early.
func K14_flagOfOnceTooEarly() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				earlyOnce.Do(func() {
					haveEarly.Store(true)
					early = 7 // race! early
				})
			}
			if haveEarly.Load() {
				_ = early // race! early
			}
		})
	}
	wg.Wait()
}

var (
	earlyOnce sync.Once
	haveEarly atomic.Bool
	early     int
)

// Two ways lead to the use, and on one of them the flag was not looked at.
func K15_oneWayWithout() {
	e := &entry{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				if !e.done.Load() {
					e.mu.Lock()
					if !e.done.Load() {
						e.n = 4 // race! n
						e.done.Store(true)
					}
					e.mu.Unlock()
				}
			}
			_ = e.n // race! n
		})
	}
	wg.Wait()
}

// What is called may set the flag before the caller writes.
func K16_calleeMaySet() {
	e := &entry{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if !e.done.Load() {
				e.mu.Lock()
				if !e.done.Load() {
					finishIf(e, i != 3)
					runtime.Gosched()
					e.n = 4 // race! n
					e.done.Store(true)
				}
				e.mu.Unlock()
			}
			_ = e.n // race! n
		})
	}
	wg.Wait()
}

func finishIf(e *entry, yes bool) {
	if yes {
		e.done.Store(true)
	}
}

// The flag is set by a call that is deferred where it is found not to be set, as
// sync.Once does it.
func K17_deferredSet() {
	r := &recipe{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _ = r.get() })
	}
	wg.Wait()
}

type recipe struct {
	mu   sync.Mutex
	done atomic.Bool
	n    int
}

func (r *recipe) get() int {
	if !r.done.Load() {
		r.slow(func() { r.n = 4 }) // norace
	}
	return r.n // norace
}

func (r *recipe) slow(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done.Load() {
		defer r.done.Store(true)
		f()
	}
}

// On one way the call is not deferred, and the flag may not be set at the end.
func K18_deferredOnOneWay() {
	d := &dish{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _ = d.get(i == 2) })
	}
	wg.Wait()
}

type dish struct {
	mu   sync.Mutex
	done atomic.Bool
	n    int
}

func (d *dish) get(now bool) int {
	if !d.done.Load() {
		d.slow(now)
	}
	return d.n // race! _.n
}

func (d *dish) slow(now bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now && !d.done.Load() {
		defer d.done.Store(true)
		d.n = 4 // race! _.n
	}
}

// What is deferred sets the flag when the lock has been given back: another may have
// found it not set, and writes.
func K19_deferredTooLate() {
	m := &meal{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _ = m.get() })
	}
	wg.Wait()
}

type meal struct {
	mu   sync.Mutex
	done atomic.Bool
	n    int
}

func (m *meal) get() int {
	if !m.done.Load() {
		m.slow()
	}
	return m.n // race! _.n
}

func (m *meal) slow() {
	if !m.done.Load() {
		defer m.done.Store(true)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.n = 4 // race! _.n
	}
}

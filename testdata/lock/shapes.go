package lock

import "sync"

// walkDirs holds its own lock around the callback.
func walkDirs(fn func(dir string, entries []int) error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			entries := []int{i}
			mu.Lock()
			err := fn(string(rune('a'+i)), entries)
			mu.Unlock()
			_ = err
		})
	}
	wg.Wait()
}

// The helper's lock protects what the caller's callback does.
func S13_helperLocksAroundCallback() {
	dirs := map[string][]int{}
	walkDirs(func(dir string, entries []int) error {
		dirs[dir] = entries // norace
		return nil
	})
}

type locker struct{}

func (locker) locked(mu *sync.Mutex, f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

// The write is in a closure that a helper calls under the lock it is given.
func S14_lockPassedToHelper() {
	var c locker
	var mu sync.Mutex
	var errs []error
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := put(i)
			c.locked(&mu, func() {
				errs = append(errs, err) // norace
			})
		})
	}
	wg.Wait()
}

// The same helper, given a mutex per iteration.
func S14b_ownLockPassedToHelper() {
	var c locker
	var errs []error
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var mu sync.Mutex
			_, err := put(i)
			c.locked(&mu, func() {
				errs = append(errs, err) // race! errs errs[*]
			})
		})
	}
	wg.Wait()
}

type table struct {
	mu  sync.Mutex
	phi []int
	t   int
}

// The write is locked, the read before it is not; and there is a counter.
func S15_halfLocked() {
	g := &table{phi: make([]int, n)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for i := range g.phi {
				if g.phi[i] > 3 { // race! g.phi[*]
					continue
				}
				g.mu.Lock()
				g.phi[i]++ // race! g.phi[*]
				g.mu.Unlock()
			}
			g.t++ // race! g.t
		})
	}
	wg.Wait()
}

type column struct {
	sum int
}

func (c *column) add(v int) { c.sum += v } // race! cols[*].sum

// An array of locks: the index of the lock is that of the column.
func S16_lockArray() {
	mus := make([]sync.Mutex, 4)
	cols := make([]column, 4)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			k := i % 4
			mus[k].Lock()
			cols[k].add(i) // norace
			mus[k].Unlock()
		})
	}
	wg.Wait()
}

// The column's index has changed since the lock was taken.
func S16c_lockArrayIndexChanges() {
	mus := make([]sync.Mutex, 4)
	cols := make([]column, 4)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for k := range 3 {
				mus[k].Lock()
				cols[(k+i)%4].add(i) // race! cols[*].sum
				mus[k].Unlock()
			}
		})
	}
	wg.Wait()
}

// The lock's index is not the column's.
func S16b_lockArrayOtherIndex() {
	mus := make([]sync.Mutex, n)
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mus[i].Lock()
			sums[i%4] += i // race! sums[*]
			mus[i].Unlock()
		})
	}
	wg.Wait()
}

// A mutex per goroutine.
func S17_privateMutex() {
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var mu sync.Mutex
			mu.Lock()
			sum += i // race! sum
			mu.Unlock()
		})
	}
	wg.Wait()
}

type guarded struct {
	mu  sync.Mutex
	sum *int
}

// The struct with the mutex is copied: each copy locks its own.
func S17b_mutexCopied() {
	sum := 0
	g := guarded{sum: &sum}
	var wg sync.WaitGroup
	for i := range n {
		c := g //nolint:govet // the point of the program
		wg.Go(func() {
			c.mu.Lock()
			*c.sum += i // race! sum
			c.mu.Unlock()
		})
	}
	wg.Wait()
}

// The method locks its copy of the receiver.
func S17c_valueReceiver() {
	total := 0
	g := guarded{sum: &total}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			g.add(i) // race! total
		})
	}
	wg.Wait()
}

// A value receiver copies the mutex, too.
func (g guarded) add(i int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*g.sum += i // race! total
}

// Each goroutine sums for itself and adds to the total once, locked.
func S18_localThenLocked() {
	var mu sync.Mutex
	total := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sum := 0
			for k := range 100 {
				sum += i * k
			}
			mu.Lock()
			total += sum // norace
			mu.Unlock()
		})
	}
	wg.Wait()
	_ = total
}

// Deferred calls run last in, first out: Unlock before Done.
func S19_deferUnlockAndDone() {
	var mu sync.Mutex
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			sum += i // norace
		}()
	}
	wg.Wait()
	_ = sum // norace
}

// A deferred access that was registered before the Unlock runs after it.
func S19b_deferredAccessAfterUnlock() {
	var mu sync.Mutex
	sum, last := 0, 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				last += i // race! last
			}()
			mu.Lock()
			defer mu.Unlock()
			sum += i // norace
		}()
	}
	wg.Wait()
	_, _ = sum, last
}

// A captured slice grows without lock.
func S8_appendUnlocked() {
	var bad []int
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			bad = append(bad, i) // race! bad bad[*]
		})
	}
	wg.Wait()
}

// A captured slice grows under a lock.
func S8b_appendLocked() {
	var mu sync.Mutex
	var bad []int
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			bad = append(bad, i) // norace
		})
	}
	wg.Wait()
	_ = bad
}

// Each goroutine grows its own slice of slices.
func S8c_appendToOwnElement() {
	bad := make([][]int, n)
	var wg sync.WaitGroup
	for i := range bad {
		wg.Go(func() {
			for k := range 3 {
				bad[i] = append(bad[i], k) // norace
			}
		})
	}
	wg.Wait()
}

// The keys differ, but a map is one object.
func S10_mapDistinctKeys() {
	errs := map[int]error{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := put(i)
			errs[i] = err // race! errs[*]
		})
	}
	wg.Wait()
}

// The same map, locked.
func S10b_mapLocked() {
	var mu sync.Mutex
	errs := map[int]error{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := put(i)
			mu.Lock()
			errs[i] = err // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The map is only read; the slices in it are written at own elements.
func S11_mapOfSlices() {
	scores := map[string][]int{}
	for _, name := range []string{"a", "b"} {
		scores[name] = make([]int, n)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for _, name := range []string{"a", "b"} {
				scores[name][i] = i // norace
			}
		})
	}
	wg.Wait()
}

// A captured map is written and measured, as in the original tool's old test.
func H9_mapWriteAndLen() {
	set := map[*P]struct{}{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			set[&P{}] = struct{}{} // race! set[*]
			_ = len(set)           // race! set[*]
		})
	}
	wg.Wait()
}

// A registry is one of several, each with a lock of its own over the counters
// in its map.
type registry struct {
	mu       sync.Mutex
	counters map[string]*counted
}

type counted struct{ n int }

func (r *registry) hit(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.counters[k]; ok {
		c.n++ // assumed n
		return
	}
	r.counters[k] = &counted{1}
}

func (r *registry) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.counters {
		c.n = 0
	}
}

// What lies in the map of an owner is guarded by the owner's lock.
func B40_countersInMap() {
	var rs []*registry
	for range n {
		rs = append(rs, &registry{counters: map[string]*counted{"a": {}}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			rs[i/2].hit("a")
			rs[i/2].reset()
		})
	}
	wg.Wait()
}

// The lock of another registry does not guard it.
func B40b_otherLock() {
	var rs []*registry2
	for range n {
		rs = append(rs, &registry2{counters: map[string]*counted2{"a": {}}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r, other := rs[i/2], rs[(i+1)%n]
			other.mu.Lock()
			r.counters["a"].n++ // race! n
			other.mu.Unlock()
		})
	}
	wg.Wait()
}

type registry2 struct {
	mu       sync.Mutex
	counters map[string]*counted2
}

type counted2 struct{ n int }

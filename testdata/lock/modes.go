package lock

import (
	"runtime"
	"sync"
)

// Readers share the lock, and only read.
func B10_readLockedReads() {
	var mu sync.RWMutex
	v := 1
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == 0 {
				mu.Lock()
				v = 2 // norace
				mu.Unlock()
				return
			}
			mu.RLock()
			_ = v // norace
			mu.RUnlock()
		})
	}
	wg.Wait()
}

// Two readers hold the lock at once: it does not protect their writes.
func B10_writeUnderReadLock() {
	var mu sync.RWMutex
	v := 1
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.RLock()
			v += i // race! v
			mu.RUnlock()
		})
	}
	wg.Wait()
}

// The read that decides is locked for reading, the write for writing.
func B10_upgradedLock() {
	var mu sync.RWMutex
	cache := map[int]int{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.RLock()
			_, ok := cache[i] // norace
			mu.RUnlock()
			if !ok {
				mu.Lock()
				cache[i] = i // norace
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// On TryLock's true branch the lock is held.
func B10_tryLock() {
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if mu.TryLock() {
				v++ // norace
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// The result of TryLock is thrown away.
func B10_tryLockIgnored() {
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			locked := mu.TryLock()
			runtime.Gosched()
			v++ // race! v
			if locked {
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

type embedded struct {
	sync.Mutex
	v int
}

// The mutex is embedded.
func B10_embeddedMutex() {
	e := &embedded{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			e.Lock()
			defer e.Unlock()
			e.v++ // norace
		})
	}
	wg.Wait()
}

// Each element has its mutex, and its data is guarded by it, whoever comes.
func B10_ownMutexPerElement() {
	es := []*embedded{{}, {}, {}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			e := es[i%3]
			e.Lock()
			e.v++ // norace
			e.Unlock()
		})
	}
	wg.Wait()
}

// The neighbour's mutex guards nothing.
func B10_neighboursMutex() {
	es := []*embedded{{}, {}, {}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a, b := es[i%3], es[(i/3)%3]
			a.Lock()
			b.v++ // race! _.v
			a.Unlock()
		})
	}
	wg.Wait()
}

// The lock is taken on one path only.
func B10_lockOnOnePath() {
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				mu.Lock()
			}
			v++ // race! v
			if i%2 == 0 {
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// The helper returns with the lock held, another releases it.
func B10_lockInHelpers() {
	e := &embedded{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			acquire(e)
			e.v++ // norace
			release(e)
		})
	}
	wg.Wait()
}

func acquire(e *embedded) { e.Lock() }
func release(e *embedded) { e.Unlock() }

// enter locks and returns what unlocks.
func (e *embedded) enter() (leave func()) {
	e.Lock()
	return func() { e.Unlock() }
}

// The unlock is a closure that the locking method returned.
func B10_returnedUnlock() {
	e := &embedded{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			leave := e.enter()
			e.v++ // norace
			leave()
		})
	}
	wg.Wait()
}

// defer e.enter()() locks at once and unlocks on return.
func B10_deferredReturnedUnlock() {
	e := &embedded{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			defer e.enter()()
			e.v++ // norace
		})
	}
	wg.Wait()
}

type withLocker struct {
	l sync.Locker
	v int
}

// The lock is an interface value, set before the loop.
func B10_lockerInterface() {
	w := &withLocker{l: &sync.Mutex{}}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			w.l.Lock()
			w.v++ // norace
			w.l.Unlock()
		})
	}
	wg.Wait()
}

// Two locks, each held by half of the iterations.
func B10_differentLocks() {
	var a, b sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu := &a
			if i%2 == 0 {
				mu = &b
			}
			mu.Lock()
			v++ // race! v
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The lock is released and taken again around the slow part.
func B10_unlockInTheMiddle() {
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			v++ // race! v
			mu.Unlock()
			v += i // race! v
			runtime.Gosched()
			mu.Lock()
		})
	}
	wg.Wait()
}

// A queue with a condition variable.
func B10_condQueue() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var queue []int
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			for len(queue) == 0 { // norace
				cond.Wait()
			}
			queue = queue[1:] // norace
			mu.Unlock()
		})
	}
	for i := range 3 {
		mu.Lock()
		queue = append(queue, i) // norace
		mu.Unlock()
		cond.Signal()
	}
	wg.Wait()
}

type shard struct {
	mu sync.Mutex
	m  map[int]int
}

// A map in shards, each with its own lock.
func B10_shards() {
	var shards [4]shard
	for i := range shards {
		shards[i].m = map[int]int{}
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s := &shards[i%4]
			s.mu.Lock()
			s.m[i]++ // norace
			s.mu.Unlock()
		})
	}
	wg.Wait()
}

// The write loop is under the lock, the spawner looks without it before Wait.
func B10_spawnerUnlocked() {
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			v++ // race! v
			mu.Unlock()
		})
	}
	_ = v + 1 // race! v
	wg.Wait()
}

// The spawner looks with the lock.
func B10_spawnerLocked() {
	var mu sync.Mutex
	v := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			v++ // norace
			mu.Unlock()
		})
	}
	mu.Lock()
	_ = v + 1 // norace
	mu.Unlock()
	wg.Wait()
}

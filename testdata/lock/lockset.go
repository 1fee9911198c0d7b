package lock

import "sync"

// The body is empty.
func T54_emptyBody() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {})
	}
	wg.Wait()
}

// No lock at all.
func T55_noLocks() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.xyz = 10 // race! shared.xyz
		})
	}
	wg.Wait()
}

// The mutex is made by the iteration: there is one for each.
func T56_mutexPerIteration() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu := new(sync.Mutex)
			mu.Lock()
			shared.xyz = 10 // race! shared.xyz
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The mutex is the particle's own.
func T57_mutexOfShared() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.mu.Lock()
			shared.xyz = 10 // norace
			shared.mu.Unlock()
		})
	}
	wg.Wait()
}

// Two mutexes per iteration, the inner one released before the write.
func T58_nestedMutexesPerIteration() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var a, b sync.Mutex
			a.Lock()
			b.Lock()
			b.Unlock()
			shared.xyz = 10 // race! shared.xyz
			a.Unlock()
		})
	}
	wg.Wait()
}

// A mutex outside the loop, locked first thing and unlocked on return.
func T60_lockWholeBody() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			shared.xyz = 10 // norace
		})
	}
	wg.Wait()
}

// The write comes before Lock.
func T62_writeBeforeLock() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.xyz = 10 // race! shared.xyz
			mu.Lock()
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The lock that is common to all is released before the write.
func T63_innerLockReleased() {
	var common sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var own sync.Mutex
			own.Lock()
			common.Lock()
			common.Unlock()
			shared.xyz = 10 // race! shared.xyz
			own.Unlock()
		})
	}
	wg.Wait()
}

// Two locks are held, one of them common.
func T64_twoLocksHeld() {
	var common sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var own sync.Mutex
			own.Lock()
			common.Lock()
			shared.xyz = 10 // norace
			common.Unlock()
			own.Unlock()
		})
	}
	wg.Wait()
}

func writeLocked(p *P, mu *sync.Mutex) {
	mu.Lock()
	p.xyz = 10 // norace
	mu.Unlock()
}

// One lock in the caller, the common one in the callee.
func T65_lockInCallee() {
	var common sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var own sync.Mutex
			own.Lock()
			writeLocked(shared, &common)
			own.Unlock()
		})
	}
	wg.Wait()
}

func touch(p *P) int { return len("x") }

// A helper is called under the lock and again outside: the second call must
// not take the lock away from the first.
func T66_helperUnderAndOutside() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			touch(shared)
			shared.xyz = 10 // norace
			mu.Unlock()
			touch(shared)
		})
	}
	wg.Wait()
}

// The write follows the unlock; the call under the lock lends it nothing.
func T67_writeAfterUnlock() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			touch(shared)
			mu.Unlock()
			shared.xyz = 10 // race! shared.xyz
			touch(shared)
		})
	}
	wg.Wait()
}

// A block of the body is locked with an outer mutex.
func T68_lockedBlock() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			v := i * i
			mu.Lock()
			shared.xyz = v // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

func writeUnderCallersLock(p *P) {
	p.xyz = 10 // norace
}

// The caller locks, the helper writes.
func T69_writeInHelper() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			writeUnderCallersLock(shared)
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The helper is called once with the lock, once without.
func T70_helperWithAndWithoutLock() {
	var mu sync.Mutex
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			writeSometimesLocked(shared) // race! shared.xyz
			mu.Unlock()
			writeSometimesLocked(shared) // race! shared.xyz
		})
	}
	wg.Wait()
}

func writeSometimesLocked(p *P) {
	p.xyz = 10 // race! shared.xyz
}

// The method locks its receiver, but each iteration has its own receiver.
func T72_receiverPerIteration() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := &P{}
			p.update(shared) // race! shared.xyz
		})
	}
	wg.Wait()
}

// update locks its receiver, and writes what it is given.
func (p *P) update(q *P) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q.xyz = 10 // race! shared.xyz
}

var packageMu sync.Mutex

func writeUnderPackageLock(p *P) {
	packageMu.Lock()
	defer packageMu.Unlock()
	p.xyz = 10 // norace
}

// The lock is a package variable.
func T73_packageMutex() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { writeUnderPackageLock(shared) })
	}
	wg.Wait()
}

// Lock and Unlock around the write, on a mutex of the iteration's own.
func T74_lockCallsOnOwnMutex() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var mu sync.RWMutex
			mu.Lock()
			shared.xyz = 10 // race! shared.xyz
			mu.Unlock()
		})
	}
	wg.Wait()
}

package lock

import "sync"

type account struct {
	mu      *sync.Mutex
	balance int
}

func withdraw(a, b *account) {
	a.mu.Lock()
	b.balance-- // norace
	b.mu.Unlock()
}

// The mutex is locked and unlocked through two names of one parameter.
func H1_sameParameter() {
	acc := &account{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { withdraw(acc, acc) })
	}
	wg.Wait()
}

// The lock belongs to a fresh account, the balance to the shared one.
func H2_freshAccountsMutex() {
	acc := &account{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			other := &account{mu: new(sync.Mutex)}
			other.mu.Lock()
			acc.balance-- // race! acc.balance
			other.mu.Unlock()
		})
	}
	wg.Wait()
}

// The mutex pointer is loaded twice from a field that nobody changes.
func H3_twoLoadsOfOneField() {
	acc := &account{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu := acc.mu
			mu.Lock()
			acc.balance-- // norace
			acc.mu.Unlock()
		})
	}
	wg.Wait()
}

// Between Lock and Unlock, the field gets a fresh mutex.
func H4_fieldReplacedBetweenLoads() {
	acc := &account{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu := acc.mu // race! acc.mu
			mu.Lock()
			acc.mu = new(sync.Mutex) // race! acc.mu
			acc.balance--            // race! acc.balance
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The field is assigned the value it has: the same mutex always, as no other is
// ever made; but the assignment itself races with the loads.
func H5_fieldAssignedSameValue() {
	acc := &account{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu := acc.mu // race! acc.mu
			mu.Lock()
			acc.mu = mu   // race! acc.mu
			acc.balance-- // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The loop's closure is guarded by a captured mutex.
func U7_capturedMutex() {
	var mu sync.Mutex
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			sum += i // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The shared particle's own mutex, through a local alias.
func U8_aliasOfShared() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := shared
			p.mu.Lock()
			shared.x++ // norace
			p.mu.Unlock()
		})
	}
	wg.Wait()
}

// A mutex that nobody else can have protects nothing.
func U9_anonymousMutex() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			(&sync.Mutex{}).Lock()
			shared.x++ // race! shared.x
		})
	}
	wg.Wait()
}

// The mutex lies beside the slice that it guards.
func U10_mutexBesideSlice() {
	var log struct {
		mu    sync.Mutex
		lines []int
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			log.mu.Lock()
			log.lines = append(log.lines, i) // norace
			log.mu.Unlock()
		})
	}
	wg.Wait()
}

// A mutex pointer in a field, set once before the loop.
func U11_pointerFieldSetBefore() {
	acc := &account{}
	acc.mu = &sync.Mutex{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			acc.mu.Lock()
			acc.balance++ // norace
			acc.mu.Unlock()
		})
	}
	wg.Wait()
}

var globalMu *sync.Mutex

// A global mutex pointer, set once before the loop.
func U12_globalPointerSetBefore() {
	globalMu = new(sync.Mutex)
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			globalMu.Lock()
			sum += i // norace
			globalMu.Unlock()
		})
	}
	wg.Wait()
}

// The mutex pointer is replaced in each iteration, then locked.
func U13_replacedPointerField() {
	acc := &account{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu := new(sync.Mutex)
			acc.mu = mu // race! acc.mu
			mu.Lock()
			acc.balance++ // race! acc.balance
			mu.Unlock()
		})
	}
	wg.Wait()
}

var replacedMu *sync.Mutex

// As U13, with a global.
func U15_replacedGlobalPointer() {
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu := new(sync.Mutex)
			replacedMu = mu // race! replacedMu
			mu.Lock()
			sum += i // race! sum
			mu.Unlock()
		})
	}
	wg.Wait()
}

var helperMu sync.Mutex

func addUnderHelperMutex(sum *int, i int) {
	helperMu.Lock()
	*sum += i // norace
	helperMu.Unlock()
}

// A package function locks the package's mutex.
func U16_packageFunctionLocks() {
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { addUnderHelperMutex(&sum, i) })
	}
	wg.Wait()
}

// A recursive helper writes, under a lock of the iteration's own.
func U17_recursionUnderOwnLock() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var mu sync.Mutex
			mu.Lock()
			countDown(shared, 3) // race! shared.x
			mu.Unlock()
		})
	}
	wg.Wait()
}

func countDown(p *P, depth int) {
	p.x = depth // race! shared.x
	if depth > 0 {
		countDown(p, depth-1)
	}
}

// A recursive helper is called under a common lock, and once without.
func U18_recursionWithAndWithoutLock() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.mu.Lock()
			countUp(shared, 3) // race! shared.y
			shared.mu.Unlock()
			countUp(shared, 0) // race! shared.y
		})
	}
	wg.Wait()
}

func countUp(p *P, depth int) {
	p.y = depth // race! shared.y
	if depth > 0 {
		countUp(p, depth-1)
	}
}

// A recursive helper is only called under the common lock. (Java's original
// takes the lock again in each call, which Go's mutex does not allow.)
func U19_recursionUnderLock() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.mu.Lock()
			defer shared.mu.Unlock()
			descend(shared, 3)
		})
	}
	wg.Wait()
}

func descend(p *P, depth int) {
	p.xyz += depth // norace
	if depth > 0 {
		descend(p, depth-1)
	}
}

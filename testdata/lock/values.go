package lock

import "sync"

// The methods of a lock as values: x.f that is called later, or by another function.

type turnstile struct {
	mu     sync.Mutex
	passed int
}

// locked locks, and returns what unlocks.
func (t *turnstile) locked() func() {
	t.mu.Lock()
	return t.mu.Unlock
}

// What is returned is called at once: without defer.
func MV1_releasedAtOnce() {
	var t turnstile
	var wg sync.WaitGroup
	for range n {
		wg.Go(t.passUnlocked)
	}
	wg.Wait()
}

func (t *turnstile) passUnlocked() {
	t.locked()()
	t.passed++ // race! t.passed
}

// What is returned is called at the end.
func MV1b_releasedAtEnd() {
	var t turnstile
	var wg sync.WaitGroup
	for range n {
		wg.Go(t.pass)
	}
	wg.Wait()
}

func (t *turnstile) pass() {
	defer t.locked()()
	t.passed++ // norace
}

// A variable holds the method.
func MV2_inVariable() {
	var mu sync.Mutex
	x := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			unlock := mu.Unlock
			unlock()
			x++ // race! x
		})
	}
	wg.Wait()
}

// The methods are given to who calls them around a function.
func MV3_given() {
	var mu sync.Mutex
	x := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			between(mu.Lock, mu.Unlock, func() { x++ }) // norace
		})
	}
	wg.Wait()
}

func between(before, after, f func()) {
	before()
	defer after()
	f()
}

// A read lock does not exclude who else has one.
func MV3b_readLock() {
	var mu sync.RWMutex
	x := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			around(mu.RLock, mu.RUnlock, func() { x++ }) // race! x
		})
	}
	wg.Wait()
}

func around(before, after, f func()) {
	before()
	defer after()
	f()
}

// The goroutine has the Done of a WaitGroup, its starter waits by a variable.
func MV4_doneGiven() {
	var wg sync.WaitGroup
	wait := wg.Wait
	x := 0
	wg.Add(1)
	go setAndTell(&x, wg.Done)
	wait()
	x++ // norace
}

func setAndTell(x *int, done func()) {
	defer done()
	*x = 1 // norace
}

// Who waits for another group waits for nothing.
func MV4b_otherGroup() {
	var wg, other sync.WaitGroup
	wait := other.Wait
	x := 0
	wg.Add(1)
	go addAndTell(&x, wg.Done)
	wait()
	x++ // race! x
	wg.Wait()
}

func addAndTell(x *int, done func()) {
	defer done()
	*x += 1 // race! x
}

package lock

import "sync"

// Whether a function gives back what it has taken depends on the loop: in the one whose
// iterations set the pointer to the lock anew it is not known to, and may have given back the
// caller's.
func CM1_lockSetAnew() {
	a, b := newPicked(1), newPicked(2)
	for range n {
		go func() {
			b.mu = pick(3) // race! b.mu
			a.mu.Lock()
			a.n++ // race a.n; the lock that is given back in touch may be any
			a.mu.Unlock()
		}()
	}
	touchUnder(a, b)
}

// In this one nothing is set anew.
func CM1b_lockStays() {
	a, b := newPicked(1), newPicked(2)
	for range n {
		go func() {
			a.mu.Lock()
			a.m++ // norace
			a.mu.Unlock()
		}()
	}
	touchUnder(a, b)
}

// The same where the function calls itself by another: what both do is another thing then.
func CM2_lockSetAnew() {
	a, b := newPicked(1), newPicked(2)
	for range n {
		go func() {
			b.mu = pick(3) // race! b.mu
			a.mu.Lock()
			a.n++ // race a.n; the lock that is given back in each may be any
			a.mu.Unlock()
		}()
	}
	walkUnder(a, b)
}

func CM2b_lockStays() {
	a, b := newPicked(1), newPicked(2)
	for range n {
		go func() {
			a.mu.Lock()
			a.m++ // norace
			a.mu.Unlock()
		}()
	}
	walkUnder(a, b)
}

// Two loops for which it is another thing in the same way.
func CM3_lockSetAnew() {
	a, b := newPicked(1), newPicked(2)
	for range n {
		go func() {
			b.mu = pick(3) // race! b.mu
			a.mu.Lock()
			a.n++ // race a.n; the lock that is given back in each may be any
			a.mu.Unlock()
		}()
	}
	for range n {
		go func() {
			b.mu = pick(1) // race! b.mu
			a.mu.Lock()
			a.n++ // race a.n; the same
			a.mu.Unlock()
		}()
	}
	walkUnder(a, b)
}

type picked struct {
	mu   *sync.Mutex
	n, m int
	next *picked
}

func newPicked(k int) *picked { return &picked{mu: pick(k)} }

func pick(k int) *sync.Mutex {
	if k > 2 {
		return &firstPick
	}
	return &secondPick
}

var firstPick, secondPick sync.Mutex

func touchUnder(a, b *picked) {
	a.mu.Lock()
	b.touch()
	a.n++ // race a.n; the same
	a.m++
	a.mu.Unlock()
}

func (b *picked) touch() {
	b.mu.Lock() // race! b.mu
	b.next = newPicked(1)
	b.mu.Unlock() // race! b.mu
}

func walkUnder(a, b *picked) {
	a.mu.Lock()
	b.each(3)
	a.n++ // race a.n; the same
	a.m++
	a.mu.Unlock()
}

func (b *picked) each(k int) {
	b.mu.Lock() // race! b.mu
	b.next = newPicked(1)
	b.mu.Unlock() // race! b.mu
	b.rest(k)
}

func (b *picked) rest(k int) {
	if k > 0 {
		b.each(k - 1)
	}
}

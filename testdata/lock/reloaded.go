package lock

import (
	"runtime"
	"sync"
)

// A lock behind a pointer is locked again: by the same name, but for when the pointer
// was loaded.

type retried struct {
	mu   *sync.Mutex
	cond *sync.Cond
	n, m int
}

func newRetried() *retried {
	return &retried{mu: new(sync.Mutex), cond: sync.NewCond(new(sync.Mutex))}
}

// Where the ways meet again, it is held on both.
func RL1_again() {
	r := newRetried()
	for i := range n {
		go func() { r.again(i) }()
	}
}

func (r *retried) again(i int) {
	r.mu.Lock()
retry:
	r.n++ // norace
	if r.n < i {
		r.mu.Unlock()
		runtime.Gosched()
		r.mu.Lock()
		r.m++ // norace
		goto retry
	}
	r.mu.Unlock()
}

// On one way it is not locked again.
func RL2_notAgain() {
	r := newRetried()
	for i := range n {
		go func() { r.notAgain(i) }()
	}
}

func (r *retried) notAgain(i int) {
	r.mu.Lock()
retry:
	r.n++        // race! r.n
	if r.n < i { // race! r.n
		r.mu.Unlock()
		runtime.Gosched()
		goto retry
	}
	r.mu.Unlock()
}

// The pointer is set anew while others lock what it led to.
func RL3_setAnew() {
	r := newRetried()
	for i := range n {
		go func() { r.setAnew(i) }()
	}
}

func (r *retried) setAnew(i int) {
	r.mu.Lock() // race! r.mu
retry:
	r.n++        // race! r.n
	if r.n < i { // race! r.n
		r.mu.Unlock()          // race! r.mu
		r.mu = new(sync.Mutex) // race! r.mu
		r.mu.Lock()            // race! r.mu
		goto retry
	}
	r.mu.Unlock() // race! r.mu
}

// Two of different owners, one on each way.
func RL4_anothers() {
	r, s := newRetried(), newRetried()
	for i := range n {
		go func() { r.anothers(s, i) }()
	}
}

func (r *retried) anothers(s *retried, i int) {
	if i%2 == 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	r.n++ // race! r.n
}

// The lock of a Cond, given up while a function of the user's runs.
func RL5_cond() {
	r := newRetried()
	for i := range n {
		go func() { r.acquire(func() bool { return i > 0 }) }()
	}
}

func (r *retried) acquire(ok func() bool) {
	r.cond.L.Lock()
retry:
	for r.n == 3 { // norace
		r.cond.Wait()
	}
	r.n++ // norace
	r.cond.L.Unlock()
	if !ok() {
		r.cond.L.Lock()
		r.n-- // norace
		goto retry
	}
}

// A function unlocks around slow work in each round: its caller's lock is held again.
func RL6_rounds() {
	r := newRetried()
	for range n {
		go func() {
			r.mu.Lock()
			r.rounds()
			r.m++ // norace
			r.mu.Unlock()
		}()
	}
}

func (r *retried) rounds() {
	for r.n < 10 { // norace
		r.mu.Unlock()
		runtime.Gosched()
		r.mu.Lock()
		r.n++ // norace
	}
}

// It goes on without it in the last round.
func RL7_lastRound() {
	r := newRetried()
	for range n {
		go func() {
			r.mu.Lock()
			r.lastRound()
			r.m++ // race! r.m
		}()
	}
}

func (r *retried) lastRound() {
	for r.n < 10 { // norace
		r.mu.Unlock()
		runtime.Gosched()
		if r.m > 3 { // race! r.m
			return
		}
		r.mu.Lock()
		r.n++ // norace
	}
}

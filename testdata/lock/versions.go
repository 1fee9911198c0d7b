package lock

import "sync"

// What lies at a place may be another object when the place is read again: the lock is
// that of the object which was there.

type vault struct {
	mu sync.Mutex
	n  int
}

// Nothing is written in between.
func V1_stillThere() {
	a, b := new(vault), new(vault)
	for range 3 {
		go func() {
			vs := []*vault{a, b}
			vs[0].mu.Lock()
			vs[0].n++ // norace
			vs[0].mu.Unlock()
		}()
	}
}

// A pointer to a variable lies in a list.
func V1b_throughAPointer() {
	a, b := new(vault), new(vault)
	for range 3 {
		go func() {
			v := a
			places := []**vault{&v}
			v.mu.Lock()
			*places[0] = b
			v.n++ // race! b.n
			a.mu.Unlock()
		}()
	}
}

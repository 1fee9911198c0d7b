package testfiles

import (
	"sync"
	"testing"
)

// What one test puts into a package variable is not there for the next.

var hookSaved func()

type store struct{ n, hooked int }

func (s *store) save() {
	if hookSaved != nil {
		hookSaved()
		hookSaved = nil
	}
	s.n = 1
}

func (s *store) saveOwn() {
	if hookOwn != nil {
		hookOwn()
	}
}

var hookOwn func()

func TestHK11_sets(t *testing.T) {
	s := new(store)
	hookSaved = func() { s.hooked++ }
	t.Cleanup(func() { hookSaved = nil })
	var wg sync.WaitGroup
	wg.Go(s.save)
	wg.Wait()
}

func TestHK12_doesNot(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { new(store).save() })
	}
	wg.Wait()
}

// Its own test sets it.
func TestHK13_itself(t *testing.T) {
	n := 0
	hookOwn = func() {
		n++ // race! n
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { new(store).saveOwn() })
	}
	wg.Wait()
}

var lastOf, lastOfAll *store

func keepFirst() {
	if lastOfAll == nil {
		lastOfAll = new(store)
	}
}

func TestHK14_leaves(t *testing.T) {
	lastOf = new(store)
	var wg sync.WaitGroup
	wg.Go(keepFirst)
	wg.Wait()
}

// One other test has made the one, and any the other.
func TestHK15_finds(t *testing.T) {
	keepFirst()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			lastOf.n++    // norace
			lastOfAll.n++ // race! lastOfAll.n
		})
	}
	wg.Wait()
}

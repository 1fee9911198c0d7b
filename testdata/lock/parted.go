package lock

import (
	"crypto/sha256"
	"hash"
	"sync"
)

// What a function does to a slice, or to what is left of it, it does to the memory of who holds the lock.

type sealed struct {
	mu   sync.Mutex
	deps []*sealed
	sum  [32]byte
}

func eachSealed(do func(*sealed)) {
	a := &sealed{}
	b := &sealed{deps: []*sealed{a}}
	c := &sealed{deps: []*sealed{a, b}}
	var wg sync.WaitGroup
	for _, s := range []*sealed{a, b, c} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			do(s)
		}()
	}
	wg.Wait()
}

func lastOf(p []byte) byte {
	if len(p) > 8 {
		p = p[8:]
	}
	if len(p) > 4 {
		p = p[4:]
	}
	return p[len(p)-1]
}

// PA1: a part of it, if it is long.
func PA1_restOfIt() {
	eachSealed(func(s *sealed) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, d := range s.deps {
			d.mu.Lock()
			s.sum[31] += lastOf(d.sum[:]) // norace
			d.mu.Unlock()
		}
	})
}

// PA1b: not under its lock.
func PA1b_lockOfOther() {
	eachSealed(func(s *sealed) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, d := range s.deps {
			s.sum[31] += lastOfOther(d.sum[:]) // race! _.sum[*]
		}
	})
}

func lastOfOther(p []byte) byte {
	if len(p) > 8 {
		p = p[8:]
	}
	return p[len(p)-1] // race! _.sum[*]
}

// PA2: a hash of the library reads it, by an interface.
func PA2_hashed() {
	eachSealed(func(s *sealed) {
		s.mu.Lock()
		defer s.mu.Unlock()
		var h hash.Hash = sha256.New()
		for _, d := range s.deps {
			d.mu.Lock()
			h.Write(d.sum[:]) // norace
			d.mu.Unlock()
		}
		copy(s.sum[:], h.Sum(nil)) // norace
	})
}

// PA2b: after the lock is given back.
func PA2b_hashedLater() {
	eachSealed(func(s *sealed) {
		s.mu.Lock()
		defer s.mu.Unlock()
		var h hash.Hash = sha256.New()
		for _, d := range s.deps {
			d.mu.Lock()
			d.mu.Unlock()
			h.Write(d.sum[:]) // race! _.sum[*]
		}
		copy(s.sum[:], h.Sum(nil)) // race! _.sum[*]
	})
}

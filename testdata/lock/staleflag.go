package lock

import (
	"sync"
	"sync/atomic"
)

// A flag that is looked at in one critical section, and set in the next one, may be set by two.
func SF1_lookedAtBefore() {
	i := &staleImage{}
	for range n {
		go func() {
			i.compute()
			i.mu.Lock()
			done := i.done
			i.mu.Unlock()
			if done {
				useCount(i.size) // race! i.size
			}
		}()
	}
}

type staleImage struct {
	mu   sync.Mutex
	done bool
	size int
}

func (i *staleImage) compute() {
	i.mu.Lock()
	done := i.done
	i.mu.Unlock()
	i.mu.Lock()
	if !done {
		i.size = 3 // race! i.size
		i.done = true
	}
	i.mu.Unlock()
}

// In one section it is set by one.
func SF2_lookedAtThere() {
	i := &freshImage{}
	for range n {
		go func() {
			i.compute()
			useCount(i.size) // norace
		}()
	}
}

type freshImage struct {
	mu   sync.Mutex
	done bool
	size int
}

func (i *freshImage) compute() {
	i.mu.Lock()
	done := i.done
	if !done {
		i.size = 3 // norace
		i.done = true
	}
	i.mu.Unlock()
}

// So it is with who claims something by it.
func SF3_claimedTwice() {
	d := &staleDoor{}
	for range n {
		go d.enter()
	}
}

type staleDoor struct {
	mu   sync.Mutex
	busy bool
	size int
}

func (d *staleDoor) enter() {
	d.mu.Lock()
	busy := d.busy
	d.mu.Unlock()
	d.mu.Lock()
	if busy {
		d.mu.Unlock()
		return
	}
	d.busy = true
	d.mu.Unlock()
	d.size++ // race! d.size
}

// And with keys of a map.
func SF4_visitedTwice() {
	s := &staleKeys{seen: map[int]bool{}}
	for i := range n {
		go s.visit(i / 2 % 8)
	}
}

type staleKeys struct {
	mu   sync.Mutex
	seen map[int]bool
	size [8]int
}

func (s *staleKeys) visit(k int) {
	s.mu.Lock()
	seen := s.seen[k]
	s.mu.Unlock()
	s.mu.Lock()
	if seen {
		s.mu.Unlock()
		return
	}
	s.seen[k] = true
	s.mu.Unlock()
	s.size[k]++ // race! s.size[*]
}

// A flag that is atomic is looked at again under the lock.
func SF5_notLookedAtAgain() {
	o := &staleOnce{}
	for range n {
		go func() {
			o.compute()
			if o.done.Load() {
				useCount(o.size) // race! o.size
			}
		}()
	}
}

type staleOnce struct {
	mu   sync.Mutex
	done atomic.Bool
	size int
}

func (o *staleOnce) compute() {
	done := o.done.Load()
	o.mu.Lock()
	if !done {
		o.size = 3 // race! o.size
		o.done.Store(true)
	}
	o.mu.Unlock()
}

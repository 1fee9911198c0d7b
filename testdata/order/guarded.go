package order

import "sync"

// Where two accesses are far apart, what lies between may have arranged that they do
// not meet. A lock beside the datum at one of them says that they do.

// One side holds the lock of what it writes, the other reads without.
func GD1_lockedFar() {
	g := &sharedFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type sharedFar struct {
	mu sync.Mutex
	n  int
}

func (g *sharedFar) serve()  { g.handle() }
func (g *sharedFar) handle() { g.store() }
func (g *sharedFar) store() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++ // race! g.n
}
func (g *sharedFar) ask()      { g.look() }
func (g *sharedFar) look()     { g.read() }
func (g *sharedFar) read() int { return g.n } // race! g.n

// Both hold it.
func GD2_bothLocked() {
	g := &lockedFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type lockedFar struct {
	mu sync.Mutex
	n  int
}

func (g *lockedFar) serve()  { g.handle() }
func (g *lockedFar) handle() { g.store() }
func (g *lockedFar) store() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++ // norace
}
func (g *lockedFar) ask()  { g.look() }
func (g *lockedFar) look() { g.read() }
func (g *lockedFar) read() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n // norace
}

// The goroutine is over when the other side looks.
func GD3_waited() {
	g := &overFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	<-done
	g.ask()
}

type overFar struct {
	mu sync.Mutex
	n  int
}

func (g *overFar) serve()  { g.handle() }
func (g *overFar) handle() { g.store() }
func (g *overFar) store() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n++ // norace
}
func (g *overFar) ask()      { g.look() }
func (g *overFar) look()     { g.read() }
func (g *overFar) read() int { return g.n } // norace

// What a field of the lock's owner refers to is its own; the lock is a pointer.
func GD4_map() {
	g := &mapFar{mu: new(sync.RWMutex), items: map[int]int{}}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type mapFar struct {
	mu    *sync.RWMutex
	items map[int]int
}

func (g *mapFar) serve()  { g.handle() }
func (g *mapFar) handle() { g.store() }
func (g *mapFar) store()  { g.items[1] = 2 } // race! g.items[*]
func (g *mapFar) ask()    { g.look() }
func (g *mapFar) look()   { g.read() }
func (g *mapFar) read() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.items[1] // race! g.items[*]
}

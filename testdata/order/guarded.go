package order

import (
	"container/list"
	"sync"
	"sync/atomic"
)

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

// A lock in read mode at both does not exclude.
func GD5_writtenUnderRLock() {
	g := &readFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type readFar struct {
	mu sync.RWMutex
	n  int
}

func (g *readFar) serve()  { g.handle() }
func (g *readFar) handle() { g.store() }
func (g *readFar) store() {
	g.mu.RLock()
	defer g.mu.RUnlock()
	g.n++ // race! g.n
}
func (g *readFar) ask()  { g.look() }
func (g *readFar) look() { g.read() }
func (g *readFar) read() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.n // race! g.n
}

// One is atomic.
func GD6_atomicFar() {
	g := &countFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type countFar struct{ n int64 }

func (g *countFar) serve() { g.handle() }
func (g *countFar) handle() {
	func() { atomic.AddInt64(&g.n, 1) }() // race! g.n
}
func (g *countFar) ask()        { g.look() }
func (g *countFar) look()       { g.read() }
func (g *countFar) read() int64 { return g.n } // race! g.n

// Both are.
func GD7_bothAtomic() {
	g := &countsFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type countsFar struct{ n int64 }

func (g *countsFar) serve()      { g.handle() }
func (g *countsFar) handle()     { g.store() }
func (g *countsFar) store()      { atomic.AddInt64(&g.n, 1) } // norace
func (g *countsFar) ask()        { g.look() }
func (g *countsFar) look()       { g.read() }
func (g *countsFar) read() int64 { return atomic.LoadInt64(&g.n) } // norace

// The lock is held by all that call what stores.
func GD8_calledLocked() {
	g := &helpedFar{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type helpedFar struct {
	mu     sync.Mutex
	n, max int
	turns  atomic.Int64
}

func (g *helpedFar) turn()  { g.turns.Add(1) }
func (g *helpedFar) serve() { g.turn(); g.handle() }
func (g *helpedFar) handle() {
	g.turn()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.storeLocked(1)
}
func (g *helpedFar) reset() {
	g.mu.Lock()
	g.storeLocked(0)
	g.mu.Unlock()
}
func (g *helpedFar) storeLocked(n int) {
	g.n = n // race! g.n
	g.mostLocked(n)
}
func (g *helpedFar) mostLocked(n int) { g.max = max(g.max, n) } // race! g.max
func (g *helpedFar) ask()             { g.turn(); g.look() }
func (g *helpedFar) look()            { g.turn(); g.read() }
func (g *helpedFar) read() int {
	g.turn()
	n := g.n         // race! g.n
	return n + g.max // race! g.max
}

// So do all that call what reads.
func GD9_bothCalledLocked() {
	g := &helpedBoth{}
	done := make(chan bool)
	go func() {
		g.serve()
		done <- true
	}()
	g.ask()
	<-done
}

type helpedBoth struct {
	mu    sync.Mutex
	n     int
	turns atomic.Int64
}

func (g *helpedBoth) turn()  { g.turns.Add(1) }
func (g *helpedBoth) serve() { g.turn(); g.handle() }
func (g *helpedBoth) handle() {
	g.turn()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.storeLocked(1)
}
func (g *helpedBoth) storeLocked(n int) { g.n = n } // norace
func (g *helpedBoth) ask()              { g.turn(); g.look() }
func (g *helpedBoth) look() {
	g.turn()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.readLocked()
}
func (g *helpedBoth) readLocked() int { g.turn(); return g.n } // norace

// What a library does inside, some calls further down, is done under the lock as well.
func GD10_listUnderLock() {
	w := &listWheel{}
	for range 2 {
		w.all = append(w.all, &listFar{l: list.New()})
	}
	done := make(chan bool)
	go func() {
		w.turn()
		w.all[1].flush()
		done <- true
	}()
	w.turn()
	w.ask()
	<-done
}

type listWheel struct {
	all   []*listFar
	turns atomic.Int64
}

type listFar struct {
	mu sync.Mutex
	l  *list.List
}

func (w *listWheel) turn() { w.turns.Add(1) }
func (w *listWheel) ask()  { w.turn(); w.all[0].add(1) }

func (b *listFar) add(n int) {
	b.mu.Lock()
	b.l.PushBack(n) // norace
	b.mu.Unlock()
}

func (b *listFar) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for e := b.l.Front(); e != nil; e = e.Next() { // norace
	}
}

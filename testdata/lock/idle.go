package lock

import "sync"

// Lockers that lock nothing.

// idleLock is what who needs no lock has for one.
type idleLock struct{}

func (idleLock) Lock()   {}
func (idleLock) Unlock() {}

// A locker that locks nothing by way of an embedded field.
func ID1_noLock() {
	d := &idleDrawer{}
	for range n {
		go func() { d.addLocked(d) }()
	}
}

type idleDrawer struct {
	idleLock
	n int
}

func (d *idleDrawer) addLocked(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
	d.n++ // race! d.n
}

// The same with a lock.
func ID2_lock() {
	d := &lockedDrawer{}
	for range n {
		go func() { d.addLocked(d) }()
	}
}

type lockedDrawer struct {
	sync.Mutex
	n int
}

func (d *lockedDrawer) addLocked(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
	d.n++ // norace
}

// A lock that the program has made itself, of a channel.
func ID3_channelLock() {
	d := &turnDrawer{turn: make(channelLock, 1)}
	for range n {
		go func() { d.add(d.turn) }()
	}
}

type channelLock chan struct{}

func (t channelLock) Lock()   { t <- struct{}{} }
func (t channelLock) Unlock() { <-t }

type turnDrawer struct {
	turn channelLock
	n    int
}

func (d *turnDrawer) add(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
	d.n++ // norace
}

// One helper is given drawers of both kinds.
func ID4_bothKinds() {
	for _, d := range []drawer{&mutexDrawer{}, &freeDrawer{}} {
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() { fillDrawer(d) })
		}
		wg.Wait()
	}
}

type drawer interface {
	sync.Locker
	add()
}

func fillDrawer(d drawer) {
	d.Lock()
	defer d.Unlock()
	d.add()
}

type mutexDrawer struct {
	sync.Mutex
	n int
}

func (d *mutexDrawer) add() { d.n++ } // norace

type freeDrawer struct {
	idleLock
	n int
}

func (d *freeDrawer) add() { d.n++ } // race! d.n

// Which locker it is has been chosen before: the one that locks nothing, where there is
// nobody else.
func ID5_chosen(alone bool) {
	c := &chosenLock{mu: &sync.Mutex{}}
	if alone {
		c.mu = idleLock{}
	}
	for range n {
		go c.add()
	}
}

type chosenLock struct {
	mu sync.Locker
	n  int
}

func (c *chosenLock) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++ // assumed c.n; see S76
}

// What a method says when it is called is no lock, but it might be one.
func ID6_saysSo() {
	d := &loudDrawer{}
	for range n {
		go func() { d.addLocked(d) }()
	}
}

type loudDrawer struct {
	said chan string
	n    int
}

func (d *loudDrawer) Lock()   { d.said <- "lock" }
func (d *loudDrawer) Unlock() {}

func (d *loudDrawer) addLocked(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
	d.n++ // norace
}

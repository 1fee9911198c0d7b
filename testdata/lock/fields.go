package lock

import "sync"

// One method is called for two fields of one object, under a lock of each.
func FL1_lockOfField() {
	d := new(flDesk)
	for range n {
		go func() {
			d.popIdle()
			d.popFresh()
		}()
	}
}

// flWaiting is a list of numbers.
type flWaiting struct {
	head []int
	pos  int
}

func (w *flWaiting) pop() {
	if w.pos < len(w.head) {
		w.pos++ // norace
	}
}

func (w *flWaiting) len() int { return len(w.head) - w.pos } // norace

// A desk has two lists, each of which has its lock.
type flDesk struct {
	idleMu sync.Mutex
	idle   flWaiting
	newMu  sync.Mutex
	fresh  flWaiting
}

func (d *flDesk) popIdle() {
	d.idleMu.Lock()
	defer d.idleMu.Unlock()
	d.idle.pop()
}

func (d *flDesk) popFresh() {
	d.newMu.Lock()
	defer d.newMu.Unlock()
	if d.fresh.len() > 0 {
		d.fresh.pop()
	}
}

// Of the other field nobody has a lock.
func FL1b_oneWithoutLock() {
	d := new(flDesk2)
	for range n {
		go func() {
			d.idleMu.Lock()
			d.idle.pop()
			d.idleMu.Unlock()
			d.fresh.pop()
		}()
	}
}

type flWaiting2 struct{ pos int }

func (w *flWaiting2) pop() {
	w.pos++ // race! d
}

type flDesk2 struct {
	idleMu      sync.Mutex
	idle, fresh flWaiting2
}

// A variable may lead to either field, whichever lock is held.
func FL1c_chosenField(other bool) {
	d := new(flDesk3)
	for i := range n {
		go func() {
			w := &d.idle
			if other && i > 0 {
				w = &d.fresh
			}
			d.newMu.Lock()
			w.pop()
			d.newMu.Unlock()
		}()
		go func() {
			d.idleMu.Lock()
			d.idle.pop()
			d.idleMu.Unlock()
		}()
	}
}

type flWaiting3 struct{ pos int }

func (w *flWaiting3) pop() {
	w.pos++ // race! d
}

type flDesk3 struct {
	idleMu, newMu sync.Mutex
	idle, fresh   flWaiting3
}

// Who copies the object reads both.
func FL2b_copied() {
	d := new(flDesk5)
	go d.idle.pop()
	d.fresh.pop()
	x := d.both()
	println(x.idle.pos)
}

type flWaiting5 struct{ pos, size int }

func (w *flWaiting5) pop() {
	w.pos++ // race! _.idle.pos
}

type flDesk5 struct{ idle, fresh flWaiting5 }

func (d *flDesk5) both() flDesk5 { return *d } // race! _.idle.pos

// The address of the field was kept.
func FL2c_keptAddress() {
	d := new(struct{ idle, fresh flWaiting6 })
	c := &flClerk{at: &d.idle}
	go c.work()
	d.fresh.pop()
	d.idle.pop()
}

type flWaiting6 struct{ pos int }

func (w *flWaiting6) pop() {
	w.pos++ // race! _.idle.pos
}

type flClerk struct{ at *flWaiting6 }

func (c *flClerk) work() { c.at.pop() }

// The method is called by another method of the field.
func FL3_methodOfMethod() {
	d := new(struct {
		idleMu, newMu sync.Mutex
		idle, fresh   flWaiting7
	})
	for range n {
		go func() {
			d.idleMu.Lock()
			d.idle.drain()
			d.idleMu.Unlock()
			d.newMu.Lock()
			d.fresh.drain()
			d.newMu.Unlock()
		}()
	}
}

type flWaiting7 struct{ pos int }

func (w *flWaiting7) pop() {
	w.pos++ // norace
}

func (w *flWaiting7) drain() { w.pop() }

package lock

import "sync"

// What is to be done one after the other is put into a list, of which one goroutine takes it as long as there is something.
// Several places put it there, so that the function that does has copies.

type serial struct {
	mu   sync.Mutex
	busy bool
	ops  []func()
}

func (q *serial) add(op func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ops = append(q.ops, op)
	if !q.busy {
		q.busy = true
		go q.run()
	}
}

func (q *serial) run() {
	for {
		q.mu.Lock()
		if len(q.ops) == 0 {
			q.busy = false
			q.mu.Unlock()
			return
		}
		op := q.ops[0]
		q.ops = q.ops[1:]
		q.mu.Unlock()
		op()
	}
}

// QU1: one goroutine runs all.
func QU1_serially() {
	q, n := new(serial), 0
	for range 10 {
		q.add(func() { n++ }) // norace
		q.add(func() { n-- }) // norace
	}
}

// QU2: so it does if what it runs adds more.
func QU2_addsMore() {
	q, n := new(serial), 0
	for range 10 {
		go q.add(func() {
			n++                   // norace
			q.add(func() { n-- }) // norace
		})
		q.add(func() { n-- }) // norace
	}
}

// QU3: two goroutines are started, by a function that has copies.
func QU3_startedTwice() {
	q, n := new(serialTwice), 0
	for range 10 {
		q.add(func() { n++ }) // race! n
	}
}

type serialTwice struct {
	mu   sync.Mutex
	busy bool
	ops  []func()
}

func (q *serialTwice) run() {
	for {
		q.mu.Lock()
		if len(q.ops) == 0 {
			q.busy = false
			q.mu.Unlock()
			return
		}
		op := q.ops[0]
		q.ops = q.ops[1:]
		q.mu.Unlock()
		op()
	}
}

func (q *serialTwice) start() {
	go q.run()
}

func (q *serialTwice) add(op func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ops = append(q.ops, op)
	if !q.busy {
		q.busy = true
		q.start()
		q.start()
	}
}

// QU4: two goroutines are started.
func QU4_two() {
	q, n := new(serialBoth), 0
	for range 10 {
		q.add(func() { n++ }) // race! n
	}
}

type serialBoth struct {
	mu   sync.Mutex
	busy bool
	ops  []func()
}

func (q *serialBoth) run() {
	for {
		q.mu.Lock()
		if len(q.ops) == 0 {
			q.busy = false
			q.mu.Unlock()
			return
		}
		op := q.ops[0]
		q.ops = q.ops[1:]
		q.mu.Unlock()
		op()
	}
}

func (q *serialBoth) add(op func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ops = append(q.ops, op)
	if !q.busy {
		q.busy = true
		go q.run()
		go q.run()
	}
}

// QU5: the next one is started before the operation.
func QU5_freeTooEarly() {
	q, n := new(serialLate), 0
	for range 10 {
		q.add(func() { n++ }) // race! n
		q.add(func() { n-- }) // race! n
	}
}

type serialLate struct {
	mu   sync.Mutex
	busy bool
	ops  []func()
}

func (q *serialLate) add(op func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ops = append(q.ops, op)
	if !q.busy {
		q.busy = true
		go q.run()
	}
}

func (q *serialLate) run() {
	q.mu.Lock()
	op := q.ops[0]
	q.ops = q.ops[1:]
	q.busy = false
	q.mu.Unlock()
	op()
}

// QU6: two lists.
func QU6_twoLists() {
	q, r, n := new(serial), new(serial), 0
	q.add(func() { n++ }) // race! n
	r.add(func() { n-- }) // race! n
}

// QU7: who has found the flag free, and set it, starts the goroutine later.
func QU7_remembered() {
	q := new(serialRemembered)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialRemembered struct {
	mu   sync.Mutex
	busy bool
	more bool
	n    int
}

func (q *serialRemembered) start() {
	q.mu.Lock()
	start := !q.busy
	q.busy = true
	q.mu.Unlock()
	if start {
		go q.run()
	}
}

func (q *serialRemembered) run() {
	q.n++ // norace
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

// QU8: the flag is set under the lock, but after others may have found it free, too.
func QU8_setLater() {
	q := new(serialSetLater)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialSetLater struct {
	mu   sync.Mutex
	busy bool
	more bool
	n    int
}

func (q *serialSetLater) start() {
	q.mu.Lock()
	start := !q.busy
	q.mu.Unlock()
	q.mu.Lock()
	q.busy = true
	q.mu.Unlock()
	if start {
		go q.run()
	}
}

func (q *serialSetLater) run() {
	q.n++ // race! q.n
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

// QU9: somebody may free it before the goroutine is started.
func QU9_givenBack() {
	q := new(serialGivenBack)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialGivenBack struct {
	mu   sync.Mutex
	busy bool
	more bool
	n    int
}

func (q *serialGivenBack) start() {
	q.mu.Lock()
	start := !q.busy
	q.busy = true
	q.mu.Unlock()
	q.free()
	if start {
		go q.run()
	}
}

func (q *serialGivenBack) run() {
	q.n++ // race! q.n
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

func (q *serialGivenBack) free() {
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

// QU10: several have the lock.
func QU10_reading() {
	q := new(serialReading)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialReading struct {
	mu   sync.RWMutex
	busy bool
	more bool
	n    int
}

func (q *serialReading) start() {
	q.mu.RLock()
	start := !q.busy // race! q.busy
	q.busy = true    // race! q.busy
	q.mu.RUnlock()
	if start {
		go q.run()
	}
}

func (q *serialReading) run() {
	q.n++ // race! q.n
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

// QU11: the flag may be free again.
func QU11_perhaps() {
	q := new(serialPerhaps)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialPerhaps struct {
	mu   sync.Mutex
	busy bool
	more bool
	n    int
}

func (q *serialPerhaps) start() {
	q.mu.Lock()
	start := !q.busy
	q.busy = true
	q.busy = q.more
	q.mu.Unlock()
	if start {
		go q.run()
	}
}

func (q *serialPerhaps) run() {
	q.n++ // race! q.n
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

// QU12: the lock is one of each call.
func QU12_otherLock() {
	q := new(serialOtherLock)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialOtherLock struct {
	mu   sync.Mutex
	busy bool
	more bool
	n    int
}

func (q *serialOtherLock) start() {
	mu := new(sync.Mutex)
	mu.Lock()
	start := !q.busy // race! q.busy
	q.busy = true    // race! q.busy
	mu.Unlock()
	if start {
		go q.run()
	}
}

func (q *serialOtherLock) run() {
	q.n++ // race! q.n
	q.mu.Lock()
	q.busy = false // race! q.busy
	q.mu.Unlock()
}

// QU13: who has found it taken starts the goroutine.
func QU13_found() {
	q := new(serialFound)
	for range 10 {
		q.start()
		go q.start()
	}
}

type serialFound struct {
	mu   sync.Mutex
	busy bool
	more bool
	n    int
}

func (q *serialFound) start() {
	q.mu.Lock()
	start := !q.busy
	q.busy = true
	q.mu.Unlock()
	if !start {
		go q.run()
	}
}

func (q *serialFound) run() {
	q.n++ // race! q.n
	q.mu.Lock()
	q.busy = false
	q.mu.Unlock()
}

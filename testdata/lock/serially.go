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

func (q *serialTwice) start() { go q.run() }

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

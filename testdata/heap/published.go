package heap

import (
	"sync"
	"sync/atomic"
)

// What is made aside and then published by an atomic pointer.

type edition struct {
	rows map[int]int
	list []int
	next *edition
}

// beside runs two functions on several goroutines each.
func beside(f, g func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
		wg.Go(func() { g(i) })
	}
	wg.Wait()
}

// The parts are filled before.
func Y4_filledAside() {
	var cur atomic.Pointer[edition]
	cur.Store(&edition{rows: map[int]int{}})
	beside(func(i int) {
		e := &edition{rows: make(map[int]int), list: make([]int, 3)}
		for k, v := range cur.Load().rows { // norace
			e.rows[k] = v // norace
		}
		e.rows[i] = i // norace
		e.list[0] = i // norace
		cur.Store(e)
	}, func(i int) {
		e := cur.Load()
		_ = e.rows[i]              // norace
		for _, v := range e.list { // norace
			_ = v
		}
	})
}

// One of them after.
func Y4b_filledAfter() {
	var cur atomic.Pointer[edition]
	cur.Store(&edition{rows: map[int]int{}})
	beside(func(i int) {
		e := &edition{rows: make(map[int]int)}
		cur.Store(e)
		e.rows[i] = i // race! _[*]
	}, func(i int) {
		_ = cur.Load().rows[i] // race! _[*]
	})
}

// The map was there before.
func Y4c_oldMap() {
	var cur atomic.Pointer[edition]
	cur.Store(&edition{rows: map[int]int{}})
	beside(func(i int) {
		old := cur.Load()
		e := &edition{rows: old.rows}
		e.rows[i] = i // race! _[*]
		cur.Store(e)
	}, func(i int) {
		_ = cur.Load().rows[i] // race! _[*]
	})
}

// The map is published by itself, too.
func Y4d_alsoKept() {
	var cur atomic.Pointer[edition]
	var rows atomic.Pointer[map[int]int]
	first := map[int]int{}
	cur.Store(&edition{rows: first})
	rows.Store(&first)
	beside(func(i int) {
		m := make(map[int]int)
		e := &edition{rows: m}
		rows.Store(&m)
		e.rows[i] = i // race! _[*]
		cur.Store(e)
	}, func(i int) {
		_ = (*rows.Load())[i] // race! _[*]
	})
}

// What could not be published is still nobody's.
func Y5_pushed() {
	var head atomic.Pointer[edition]
	beside(func(i int) {
		e := new(edition)
		for {
			old := head.Load()
			e.next = old // norace
			if head.CompareAndSwap(old, e) {
				return
			}
		}
	}, func(i int) {
		for e := head.Load(); e != nil; e = e.next { // norace
		}
	})
}

// It is changed when it is.
func Y5b_changedWhenPushed() {
	var head atomic.Pointer[edition]
	beside(func(i int) {
		e := new(edition)
		for {
			old := head.Load()
			if head.CompareAndSwap(old, e) {
				e.next = old // race! _.next
				return
			}
		}
	}, func(i int) {
		for e := head.Load(); e != nil; e = e.next { // race! _.next
		}
	})
}

package heap

import (
	"maps"
	"sync"
	"sync/atomic"
)

// New memory is filled by a function value that is given it, before others have it.

// FB1 copies a table, has the caller's function change the copy, and puts it in place of the old one.
func FB1_changedByCaller() {
	r := newRules1()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.edit(func(t *rules1) {
				t.version++     // norace
				t.quota["a"]++  // norace
				rename1(t, "b") // norace
			})
			println(r.cur.Load().quota["a"], r.cur.Load().version) // norace
		})
	}
	wg.Wait()
}

type rules1 struct {
	version int
	name    string
	quota   map[string]int
}

type router1 struct{ cur atomic.Pointer[rules1] }

func newRules1() *router1 {
	r := &router1{}
	r.cur.Store(&rules1{quota: map[string]int{}})
	return r
}

func (r *router1) edit(f func(*rules1)) {
	for {
		old := r.cur.Load()
		next := &rules1{version: old.version, name: old.name, quota: maps.Clone(old.quota)} // norace
		f(next)
		if r.cur.CompareAndSwap(old, next) {
			return
		}
	}
}

func rename1(t *rules1, s string) { t.name = s } // norace

// The function keeps what it is given, and changes it then.
func FB1b_keptByFunction() {
	r := newRules1b()
	var last atomic.Pointer[rules1b]
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.edit(func(t *rules1b) {
				last.Store(t)
				t.version++ // race! _.version
			})
			println(last.Load().version) // race! _.version
		})
	}
	wg.Wait()
}

type rules1b struct{ version int }

type router1b struct{ cur atomic.Pointer[rules1b] }

func newRules1b() *router1b {
	r := &router1b{}
	r.cur.Store(&rules1b{})
	return r
}

func (r *router1b) edit(f func(*rules1b)) {
	next := &rules1b{version: 1}
	f(next)
	r.cur.Store(next)
}

// It is changed when others have it already.
func FB1c_changedAfter() {
	r := &router1c{}
	r.cur.Store(&rules1c{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.edit(func(t *rules1c) {
				t.version++ // race! _.version
			})
			println(r.cur.Load().version) // race! _.version
		})
	}
	wg.Wait()
}

type rules1c struct{ version int }

type router1c struct{ cur atomic.Pointer[rules1c] }

func (r *router1c) edit(f func(*rules1c)) {
	next := &rules1c{version: 1}
	r.cur.Store(next)
	f(next)
}

// The function runs on a goroutine of its own.
func FB1d_startedWith() {
	r := &router1d{}
	r.cur.Store(&rules1d{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.edit(func(t *rules1d) {
				t.version++ // race! _.version
			})
			println(r.cur.Load().version) // race! _.version
		})
	}
	wg.Wait()
}

type rules1d struct{ version int }

type router1d struct{ cur atomic.Pointer[rules1d] }

func (r *router1d) edit(f func(*rules1d)) {
	next := &rules1d{version: 1}
	go f(next)
	r.cur.Store(next)
}

// FB2 does it by an interface.
func FB2_byInterface() {
	r := &router2{}
	r.cur.Store(&rules2{})
	edits := []edit2{grown2(1), named2("a")}
	var wg sync.WaitGroup
	for _, e := range edits {
		wg.Go(func() {
			r.edit(e)
			println(r.cur.Load().version) // norace
		})
	}
	wg.Wait()
}

type rules2 struct {
	version int
	name    string
}

type edit2 interface{ on(*rules2) }

type grown2 int

func (g grown2) on(t *rules2) { t.version += int(g) } // norace

type named2 string

func (s named2) on(t *rules2) { t.name = string(s) } // norace

type router2 struct{ cur atomic.Pointer[rules2] }

func (r *router2) edit(e edit2) {
	next := &rules2{version: r.cur.Load().version}
	e.on(next)
	r.cur.Store(next)
}

// The method of what others have is given the copy, and changes its receiver.
func FB2b_receiverChanged() {
	r := &router2b{}
	r.cur.Store(&rules2b{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(r.edit)
	}
	wg.Wait()
}

type rules2b struct{ version int }

type merger2b interface{ merge(*rules2b) }

func (t *rules2b) merge(from *rules2b) { t.version += from.version } // race! _.version

type other2b struct{ n atomic.Int64 }

func (o *other2b) merge(from *rules2b) { o.n.Add(int64(from.version)) } // race _.version; the receiver of such a call may be what others have

type router2b struct {
	cur  atomic.Pointer[rules2b]
	more []merger2b
}

func (r *router2b) edit() {
	old := r.cur.Load()
	next := &rules2b{version: 1}
	var m merger2b = old
	if old.version > 5 { // race! _.version
		m = &other2b{}
	}
	m.merge(next)
	r.cur.Store(next)
}

// The receiver is what the round before has made, and others have.
func FB2c_receiverHandedOn() {
	r := &router2c{}
	r.cur.Store(&rules2c{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(r.edit)
	}
	wg.Wait()
}

type rules2c struct{ version int }

type merger2c interface{ merge(*rules2c) }

func (t *rules2c) merge(from *rules2c) { t.version += from.version } // race! _.version

type router2c struct{ cur atomic.Pointer[rules2c] }

func (r *router2c) edit() {
	var last merger2c
	for range 3 {
		next := &rules2c{version: 1} // race _.version; the round before is not told from this one
		if last != nil {
			last.merge(next)
		}
		r.cur.Store(next)
		last = next
	}
	println(r.cur.Load().version) // race! _.version
}

// FB3 has a copy of a map which a helper fills: nobody else has it.
func FB3_copiedMap() {
	r := &router3{}
	r.cur.Store(&rules3{quota: map[string]int{}})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			next := &rules3{quota: maps.Clone(r.cur.Load().quota)} // norace
			fill3(next)
			r.cur.Store(next)
		})
	}
	wg.Wait()
}

type rules3 struct{ quota map[string]int }

type router3 struct{ cur atomic.Pointer[rules3] }

func fill3(t *rules3) { t.quota["a"] = 1 } // assumed _[*]

// The copy is in two tables.
func FB3b_copyInTwo() {
	r := &router3b{}
	r.cur.Store(&rules3b{quota: map[string]int{}})
	r.last.Store(&rules3b{quota: map[string]int{}})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			m := maps.Clone(r.cur.Load().quota) // race! _[*]
			r.last.Store(&rules3b{quota: m})
			next := &rules3b{quota: m}
			fill3b(next)
			r.cur.Store(next)
			println(r.last.Load().quota["a"]) // race! _[*]
		})
	}
	wg.Wait()
}

type rules3b struct{ quota map[string]int }

type router3b struct{ cur, last atomic.Pointer[rules3b] }

func fill3b(t *rules3b) { t.quota["a"] = 1 } // race! _[*]

// What is in the copy is what was in the map.
func FB3c_sameValues() {
	r := &router3c{}
	r.cur.Store(&rules3c{quota: map[string]*leaf{"a": {}}})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			next := &rules3c{quota: maps.Clone(r.cur.Load().quota)}
			fill3c(next)
			r.cur.Store(next)
		})
	}
	wg.Wait()
}

type rules3c struct{ quota map[string]*leaf }

type router3c struct{ cur atomic.Pointer[rules3c] }

func fill3c(t *rules3c) { t.quota["a"].n++ } // race! _.n

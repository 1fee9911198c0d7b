package heap

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// What is cloned, changed and then published by an atomic pointer.

type print struct {
	rows map[int]int
	list []int
	text []byte
}

// together runs two functions on several goroutines each.
func together(f, g func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
		wg.Go(func() { g(i) })
	}
	wg.Wait()
}

func Y6_cloned() {
	var cur atomic.Pointer[print]
	cur.Store(&print{rows: map[int]int{}, list: []int{1}, text: []byte("x")})
	together(func(i int) {
		old := cur.Load()
		p := &print{rows: maps.Clone(old.rows), list: slices.Clone(old.list), text: bytes.Clone(old.text)} // norace
		p.rows[i] = i                                                                                      // norace
		p.list[0] = i                                                                                      // norace
		p.list = append(p.list, i)                                                                         // norace
		p.list[0]++                                                                                        // norace
		slices.Sort(p.list)                                                                                // norace
		p.text[0] = 'y'                                                                                    // norace
		cur.Store(p)
	}, func(i int) {
		p := cur.Load()
		_ = p.rows[i]              // norace
		for _, v := range p.list { // norace
			_ = v
		}
		_ = p.text[0] // norace
	})
}

// Kept in a variable, whose address is published.
func Y6b_variable() {
	var cur atomic.Pointer[[]int]
	cur.Store(new([]int))
	together(func(i int) {
		next := append(slices.Clone(*cur.Load()), i) // norace
		next[0] = i                                  // norace
		next = append(next, i)
		next[0]++ // norace
		cur.Store(&next)
	}, func(i int) {
		for _, v := range *cur.Load() { // norace
			_ = v
		}
	})
}

// Not cloned.
func Y6c_sameMap() {
	var cur atomic.Pointer[print]
	cur.Store(&print{rows: map[int]int{}})
	together(func(i int) {
		p := &print{rows: cur.Load().rows, list: slices.Clone(cur.Load().list)}
		p.rows[i] = i // race! _[*]
		cur.Store(p)
	}, func(i int) {
		_ = cur.Load().rows[i] // race! _[*]
	})
}

// The whole is copied while it is only the frame's, and the copy published.
func Y6d_copiedWhole() {
	var cur atomic.Pointer[print]
	cur.Store(&print{})
	together(func(i int) {
		p := &print{rows: make(map[int]int)}
		q := *p
		cur.Store(&q)
		p.rows[i] = i // race! _[*]
	}, func(i int) {
		_ = cur.Load().rows[i] // race! _[*]
	})
}

func (p *print) share(rows map[int]int) { p.rows = rows }

// Another function puts in what is everyone's.
func Y6e_sharedByCallee() {
	rows := make(map[int]int)
	together(func(i int) {
		p := &print{rows: make(map[int]int)}
		p.share(rows)
		p.rows[i] = i // race! _[*]
	}, func(i int) {
		_ = rows[i] // race! _[*]
	})
}

// The slice that grows in place is that of all.
func Y6f_grownInPlace() {
	list := make([]int, 0, 100)
	together(func(i int) {
		p := &print{}
		p.list = append(list, i)   // race! list[*]
		p.list = append(p.list, i) // race! list[*]
		p.list[0] = i              // race! list[*]
	}, func(i int) {
		_ = cap(list)
	})
}

// What is in the variable is read out before.
func Y6g_readOut() {
	var cur atomic.Pointer[[]int]
	cur.Store(new([]int))
	together(func(i int) {
		next := make([]int, 3)
		kept := next
		cur.Store(&kept)
		next[0] = i // race! _[*]
		cur.Store(&next)
	}, func(i int) {
		for _, v := range *cur.Load() { // race! _[*]
			_ = v
		}
	})
}

type header map[string]string

type options struct {
	head header
	n    int
}

func (o options) with(k string) options {
	o.head = maps.Clone(o.head)
	o.head[k] = k // norace
	return o
}

// Y6h: each has a copy of the struct, and replaces the map in it before it writes.
func Y6h_replacedInCopy() {
	o := options{head: header{"a": "b"}}
	for i := range n {
		go func() {
			_ = o.with(string(rune(i))).head["a"] // norace
		}()
	}
}

func (o *options) reset(k string) {
	o.head = header{}
	o.head[k] = k // norace
}

// Y6i: each has a struct of its own, which had what all have.
func Y6i_replacedByCallee() {
	all := header{"a": "b"}
	for i := range n {
		go func() {
			o := &options{head: all}
			_ = o.head["a"] // norace
			o.reset(string(rune(i)))
		}()
	}
}

// Y6j: the map is replaced afterwards.
func Y6j_replacedTooLate() {
	all := header{"a": "b"}
	for i := range n {
		go func() {
			o := &options{head: all}
			o.head["a"] = string(rune(i)) // race! all
			o.head = header{}
		}()
	}
}

type listed struct{ id int }

func (e *listed) clone() *listed { return &listed{} }

func (e *listed) copied() any { return e.clone() }

// Y6k: each has a list of its own, and replaces what is in it before it writes.
func Y6k_replacedInList() {
	a := &listed{}
	all := []*listed{a, a}
	for range n {
		go func() {
			own := make([]*listed, len(all))
			copy(own, all)
			for i := range own {
				own[i] = own[i].clone()
				own[i].id = i // norace
			}
			own[0] = all[1].copied().(*listed)
			own[0].id = 1 // norace
		}()
	}
}

// Y6l: another element is replaced.
func Y6l_replacedElsewhere() {
	a := &listed{}
	all := []*listed{a, a}
	for range n {
		go func() {
			own := make([]*listed, len(all))
			copy(own, all)
			for i := range own {
				if i > 0 {
					own[i] = own[i].clone()
					own[0].id = i // race! a
				}
			}
		}()
	}
}

// Y6m: what was replaced is put back.
func Y6m_putBack() {
	a := &listed{}
	all := []*listed{a, a}
	for range n {
		go func() {
			own := make([]*listed, len(all))
			for i := range own {
				own[i] = all[i].clone()
				copy(own, all)
				own[i].id = i // race! a
			}
		}()
	}
}

func fillFrom(own, all []*listed) { own[0] = all[0] }

// Y6n: a callee puts it back.
func Y6n_putBackByCallee() {
	a := &listed{}
	all := []*listed{a, a}
	for range n {
		go func() {
			own := make([]*listed, len(all))
			own[0] = all[0].clone()
			fillFrom(own, all)
			own[0].id = 1 // race! a
		}()
	}
}

// Y6o: by another name.
func Y6o_putBackByName() {
	a := &listed{}
	all := []*listed{a, a}
	for range n {
		go func() {
			own := make([]*listed, len(all))
			same := own[:1]
			own[0] = all[0].clone()
			same[0] = all[0]
			own[0].id = 1 // race! a
		}()
	}
}

type envelope struct{ from *listed }

type letter struct {
	envelope
	size int
}

func sized(to *int) { *to = 1 }

func signed(l *letter, by *listed) { l.from = by }

func signedAt(to **listed, by *listed) { *to = by }

// Y6p: what is called meanwhile has a part of the letter only.
func Y6p_partHandedOn() {
	a := &listed{}
	for range n {
		go func() {
			for range 3 {
				l := &letter{}
				l.from = &listed{}
				sized(&l.size)
				l.from.id = 1 // norace
				l.from = a
				_ = l.from.id // norace
			}
		}()
	}
}

// Y6q: it has the letter.
func Y6q_letterHandedOn() {
	a := &listed{}
	for range n {
		go func() {
			l := &letter{}
			l.from = &listed{}
			signed(l, a)
			l.from.id = 1 // race! a
		}()
	}
}

// Y6r: it has the field.
func Y6r_fieldHandedOn() {
	a := &listed{}
	for range n {
		go func() {
			l := &letter{}
			l.from = &listed{}
			signedAt(&l.from, a)
			l.from.id = 1 // race! a
		}()
	}
}

// Y6s: the round before has stored another one.
func Y6s_roundBefore() {
	a := &listed{}
	for range n {
		go func() {
			l := &letter{}
			l.from = &listed{}
			for range 2 {
				sized(&l.size)
				l.from.id = 1 // race! a
				l.from = a
			}
		}()
	}
}

// Y6t: all of the letter is written.
func Y6t_written() {
	a := &listed{}
	for range n {
		go func() {
			l := &letter{}
			l.from = &listed{}
			sized(&l.size)
			l.envelope = envelope{a}
			l.from.id = 1 // race! a
		}()
	}
}

// Y6u: one of two branches stores another one.
func Y6u_branch() {
	a := &listed{}
	for i := range n {
		go func() {
			l := &letter{}
			l.from = &listed{}
			if i > 2 {
				l.from = a
			}
			sized(&l.size)
			l.from.id = 1 // race! a
		}()
	}
}

func (o options) cloned() *options {
	o.head = maps.Clone(o.head) // norace
	return &o
}

func (o options) longer(n int) options {
	list := make([]int, 0, n+1)
	for k := range o.head { // norace
		list = append(list, len(k))
	}
	o.n += len(list)
	if o.n > 2 {
		o.head = maps.Clone(o.head) // norace
	} else {
		o.head = header{}
	}
	return o
}

// Y6v: each reads the map out of its copy, replaces it by a clone and hands the copy on.
func Y6v_clonedInCopy() {
	o := options{head: header{"a": "b"}}
	for i := range n {
		go func() {
			c := o.cloned()
			c.head[string(rune(i))] = "c" // norace
			d := o.longer(i)
			d.head[string(rune(i))] = "d" // norace
		}()
	}
}

func (o options) perhapsCloned() *options {
	if len(o.head) > 1 { // race! most
		o.head = maps.Clone(o.head) // race! most
	}
	return &o
}

func (o options) keeps() (*options, header) {
	head := o.head
	o.head = maps.Clone(head) // race! kept
	return &o, head
}

// Y6w: on one way the map stays, and of the other function it is what was read that is written.
func Y6w_notCloned() {
	most, kept := header{"a": "b"}, header{"c": "d"}
	a, b := options{head: most}, options{head: kept}
	for i := range n {
		go func() {
			c := a.perhapsCloned()
			c.head[string(rune(i))] = "c" // race! most
			_, head := b.keeps()
			head[string(rune(i))] = "d" // race! kept
		}()
	}
}

package index

// This file holds the cases of a small callee with several returns. What it
// returns is one of several pointers, slices or structs, which no unknown can
// stand for: so the question is asked once for each return, and all must be
// answered alike.

// A pick says that a small callee came back by return ret.
type pick struct {
	key string
	ret int
}

// A want is a callee of which it would help to know by which of n returns it
// came back.
type want struct {
	key string
	n   int
}

// maxPicks bounds the callees that are looked at return by return, and
// maxCases the cases that this gives.
const (
	maxPicks = 6
	maxCases = 40
)

// returned is the number of the return by which the frame's small callee came
// back, if that is known; ask tells that it would help.
func (f *frame) returned(ask bool) (int, bool) {
	n := len(f.c.rets)
	if n <= 1 {
		return 0, n == 1
	}
	key := f.key(0, "return", 0)
	for _, p := range f.e.picks {
		if p.key == key {
			f.e.see(f)
			return p.ret, true
		}
	}
	if ask {
		for _, w := range f.e.wants {
			if w.key == key {
				return 0, false
			}
		}
		f.e.wants = append(f.e.wants, want{key, n})
	}
	return 0, false
}

// see remembers a callee whose return is picked.
func (e *env) see(f *frame) {
	for _, g := range e.picked {
		if g == f {
			return
		}
	}
	e.picked = append(e.picked, f)
}

// pickedFacts returns what holds at the picked returns of the callees that have
// been called.
func (s *scene) pickedFacts() {
	for _, f := range s.e.picked {
		if !reached(f.up, f.up.c.vals[f.call].blk, s.also) {
			continue
		}
		i, _ := f.returned(false)
		cs, ors := f.guards(f.c.vals[f.c.rets[i]].blk, true)
		s.facts = append(s.facts, cs...)
		s.ors = append(s.ors, ors...)
	}
}

// A leaf is a case of an order case: its unknowns and what came of it.
type leaf struct {
	e *env
	r ruling
}

// A decision is an order case that is being decided.
type decision struct {
	q       *Query
	nest    nest
	spawn   *nest
	c       orderCase
	weak    int
	w       *work
	explain bool
	left    int            // cases
	could   [attempts]bool // weak assumptions that would have made a difference
}

// settle decides the order case, return by return of the callees that it
// depends on. The leaves are all cases of a disjoint one.
func (d *decision) settle(picks []pick) (ruling, []leaf) {
	d.left--
	e := newEnv(d.q, d.nest, d.c.equal, d.weak, d.w)
	e.spawn, e.picks = d.spawn, picks
	r := e.decide(d.c, d.explain && len(picks) == 0)
	for i := range e.could {
		d.could[i] = d.could[i] || e.could[i]
	}
	self := []leaf{{e, r}}
	if r.disjoint || len(e.wants) == 0 || len(picks) >= maxPicks {
		return r, self
	}
	var all []leaf
	next := e.wants[0]
	for i := range next.n {
		if d.left <= 0 {
			return r, self
		}
		x, leaves := d.settle(append(picks[:len(picks):len(picks)], pick{next.key, i}))
		if !x.disjoint {
			return r, self
		}
		all = append(all, leaves...)
	}
	r.disjoint = true
	return r, all
}

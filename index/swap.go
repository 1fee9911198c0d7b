package index

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
)

// This file is about buffers that change places from round to round:
//
//	for ... {
//		step(next, cur)
//		cur, next = next, cur
//	}
//
// The variables have no closed form, but whatever the round, each has another of
// the buffers that there were at first.

// maxSwapped bounds the variables that change places with each other.
const maxSwapped = 4

// swapped reports whether x and y, of one round, are different objects: variables
// that a loop only lets change places, and that begin with new memory each, or one of
// them with what the function is given; or all with what is given, or loaded, and is known to be apart.
func (e *env) swapped(x, y thing) bool {
	if x.f == nil || y.f == nil || x.f.c != y.f.c || x.f.id != y.f.id || x.f.call != 0 || y.f.call != 0 || x.f.loose || y.f.loose {
		return false
	}
	f, c := x.f, x.f.c
	r, s := c.resolve(x.r), c.resolve(y.r)
	blk := c.vals[r].blk
	l := c.headerOf(blk)
	if r == s || c.vals[s].blk != blk || l < 0 || f.sideOf(blk) != 0 || y.f.sideOf(blk) != 0 {
		return false
	}
	all := []vref{r, s}
	place := map[vref]bool{r: true, s: true}
	preds := c.blocks[blk].preds
	for k := 0; k < len(all); k++ {
		v := &c.vals[all[k]]
		if v.op != opPhi || len(v.a) != len(preds) || len(all) > maxSwapped {
			return false
		}
		for i, p := range preds {
			if !c.inLoop(l, p) {
				continue
			}
			z := c.resolve(v.a[i])
			if c.vals[z].op != opPhi || c.vals[z].blk != blk {
				return false
			}
			if !place[z] {
				place[z] = true
				all = append(all, z)
			}
		}
	}
	for i, p := range preds {
		seen := make(map[vref]bool)
		var given []vref
		loaded, made := false, false
		for _, r := range all {
			z := c.resolve(c.vals[r].a[i])
			if !c.inLoop(l, p) {
				if w, ok := f.givenBy(z); ok {
					given = append(given, z)
					loaded = loaded || w.Load != ssair.NoInstr
				} else if z = f.newMemory(z); z == 0 {
					return false
				} else {
					made = true
				}
			}
			if seen[z] {
				return false
			}
			seen[z] = true
		}
		if loaded && made {
			return false // what was made may lie there
		}
		for k, z := range given {
			if slices.ContainsFunc(given[:k], func(w vref) bool { return !f.givenApart(w, z) }) {
				return false // they may be one
			}
		}
	}
	return true
}

// swappedCells is swapped for captured variables, which the places begin with.
func (e *env) swappedCells(p, q place) bool {
	x, y := p.home, q.home
	if x.f == nil || y.f == nil || x.f.c != y.f.c || x.f.id != y.f.id || x.f.call != 0 || y.f.call != 0 || x.f.loose || y.f.loose ||
		len(p.path) == 0 || len(q.path) == 0 || p.path[0].kind != 'd' || q.path[0].kind != 'd' {
		return false
	}
	v, w := x.val(), y.val()
	if v.op != opAlloc || w.op != opAlloc || v == w || v.n <= 0 || v.n != w.n || x.f.sideOf(v.blk) != 0 || y.f.sideOf(w.blk) != 0 {
		return false
	}
	a, b := x.f.newMemory(v.a[0]), x.f.newMemory(w.a[0])
	switch {
	case a == 0 && b == 0:
		return x.f.givenApart(v.a[0], w.a[0])
	case a == 0:
		return b != 0 && x.f.given(v.a[0])
	case b == 0:
		return x.f.given(w.a[0])
	}
	return a != b
}

// older reports whether q is rooted in what there was before the memory was made that p
// is rooted in: in what a round of a loop begins with, or in a captured variable that
// an earlier round has set; or whether it was found by way of that.
func (e *env) older(p, q place) bool {
	m, x := p.maker, q.origin()
	if m.f == nil || x.f == nil || m.f.newMemory(m.r) != m.r || x.f.call != 0 || x.f.loose || x.f.sideOf(x.val().blk) != 0 {
		return false
	}
	c, v := x.f.c, x.val()
	since := false // m is known to be made after what x holds
	switch {
	case v.op == opPhi:
		l := c.headerOf(v.blk)
		if l < 0 || p.fresh && !e.carriesNew(x, l) {
			return false
		}
		since = m.val().blk != v.blk && c.dominates(v.blk, m.val().blk)
	case v.n == heldOver:
		if q.home.f != nil && (len(q.path) == 0 || q.path[0].kind != 'd') {
			return false // the variable itself
		}
		since = slices.Contains(v.a, m.r)
	default:
		return false
	}
	// Each iteration makes it for itself, or all have what the spawner has made.
	return p.fresh || since && m.f.c == c && m.f.id == x.f.id && m.f.call == 0 && m.f.sideOf(m.val().blk) == 0
}

// carriesNew reports whether a loop gives a variable what one of its rounds has made.
func (e *env) carriesNew(x thing, l int32) bool {
	c := x.f.c
	for i, p := range c.blocks[x.val().blk].preds {
		if c.inLoop(l, p) {
			if m := x.f.newMemory(x.val().a[i]); m != 0 && c.inLoop(l, c.vals[m].blk) {
				return true
			}
		}
	}
	return false
}

// behindCell is the place as seen from what the captured variable refers to that it
// begins with.
func (p place) behindCell() place {
	if p.home.f != nil && p.home.val().n != 0 && len(p.path) > 0 {
		p.path = p.path[1:]
	}
	return p
}

// given reports whether a value refers to memory that the function is given: what it
// makes itself is other memory.
func (f *frame) given(r vref) bool {
	g, ok := f.givenBy(r)
	return ok && g.Load == ssair.NoInstr
}

// givenBy says how the function is given what a value refers to; ok is false if it is not, or makes it itself.
func (f *frame) givenBy(r vref) (g Given, ok bool) {
	switch v := &f.c.vals[f.c.uncut(r)]; v.op {
	case opParam:
		return Given{int(v.n), ssair.NoInstr}, true
	case opLoad:
		return Given{-1, v.at}, v.at >= 0
	}
	return g, false
}

// givenApart reports whether two values that the function is given never refer to one
// object.
func (f *frame) givenApart(r, s vref) bool {
	p, ok := f.givenBy(r)
	q, ok2 := f.givenBy(s)
	return ok && ok2 && p != q && f.e.q.Oracle != nil && f.e.q.Oracle.GivenApart(f.chain, p, q)
}

// newMemory returns what has made the memory that a value refers to, 0 if that is
// nothing that makes new memory in this frame.
func (f *frame) newMemory(r vref) vref {
	r = f.c.maker(r)
	if v := &f.c.vals[r]; r != 0 && v.op == opCall && (f.e.q.Oracle == nil || v.at < 0 || !f.e.q.Oracle.Makes(f.chain, v.at)) {
		return 0
	}
	return r
}

// maker returns the value that has made the memory of another, or the call that has
// returned it; 0 where none is seen.
func (c *code) maker(r vref) vref {
	r = c.uncut(r)
	switch c.vals[r].op {
	case opAlloc, opMakeSlice, opCall:
		return r
	}
	return 0
}

// uncut returns what a slice is cut from in the end.
func (c *code) uncut(r vref) vref {
	for r = c.resolve(r); r != 0 && c.vals[r].op == opSlice; {
		r = c.resolve(c.vals[r].a[0])
	}
	return r
}

package index

import "github.com/iterace/iterace/internal/ssair"

// accessPlace is the place of an access and what bounds it.
type accessPlace struct {
	ok    bool
	place place
	facts []con
}

// accessed evaluates the place that the last step of a chain accesses.
func (f *frame) accessed(a *Access) accessPlace {
	r := f.c.at[f.at]
	v := &f.c.vals[r]
	if r == 0 {
		return accessPlace{}
	}
	at := func(x *ref) accessPlace { return accessPlace{ok: x.ok, place: x.place} }
	switch v.op {
	case opStore, opLoad:
		return at(thing{f, v.a[0], ""}.ref())
	case opFreeVal:
		return at(thing{f, v.a[0], ""}.ref().fields(v.s))
	case opIndexAddr, opFieldAddr:
		return at(thing{f, r, ""}.ref())
	case opIndex:
		if l := f.c.get(v.a[0]); l.op == opLoad {
			return at(thing{f, l.a[0], ""}.ref().element(f.eval(v.a[1])))
		}
	case opLookup:
		// Where a pointer comes from; of the map itself no two elements are apart.
		return at(thing{f, v.a[0], ""}.ref().element(f.eval(v.a[1])))
	case opCopy, opClear, opAppend:
		if a.Arg < 0 || a.Arg >= len(v.a) || v.a[a.Arg] == 0 {
			break
		}
		x := thing{f, v.a[a.Arg], ""}.ref()
		if !x.slice {
			break
		}
		lo, hi := poly(nil), x.len
		switch {
		case v.op == opCopy:
			y := thing{f, v.a[1-a.Arg], ""}.ref()
			if y.slice || y.len != nil {
				return f.region(x, lo, hi, y.len)
			}
		case v.op == opAppend && a.Arg == 0 && a.Write:
			// In place while the capacity lasts.
			lo, hi = x.len, x.cap
			if x.ok && lo.equal(hi) {
				return accessPlace{ok: true, place: place{root: nilRoot}} // all goes to new memory
			}
			if len(v.a) > 1 {
				if y := (thing{f, v.a[1], ""}).ref(); y.slice || y.len != nil {
					// What does not fit goes to new memory, all of it.
					out := f.region(x, lo, hi, x.len.add(y.len))
					fits := f.e.fact("there is room in "+x.text(), "")
					out.facts = append(out.facts, con{x.cap.sub(x.len).sub(y.len), fits, noAtom})
					return out
				}
			}
		}
		return f.region(x, lo, hi)
	case opSlice:
		// The sub-slice as a whole: all that can be reached through it.
		if x := (thing{f, r, ""}).ref(); x.slice {
			return f.region(x, nil, x.len)
		}
	case opCall:
		i := a.Arg + 1
		if v.n&callInvoke != 0 {
			i = a.Arg
		}
		if i < 0 || i >= len(v.a) || v.a[i] == 0 {
			break
		}
		x := thing{f, v.a[i], ""}.ref()
		if !x.slice {
			return at(x)
		}
		if a.WithinLen {
			return f.region(x, nil, x.len)
		}
		return f.region(x, nil, x.cap)
	}
	return accessPlace{}
}

// WindowOf returns the slice expression of the function whose elements a load
// or store goes to: d[2] where d := dst[j:j+4]. What holds of all elements of
// the window holds of each.
func (fn *Func) WindowOf(at ssair.Instr) (ssair.Instr, bool) {
	c := fn.body()
	if c == nil {
		return 0, false
	}
	v := c.get(c.at[at])
	if v.op != opLoad && v.op != opStore {
		return 0, false
	}
	p := c.get(v.a[0])
	for p.op == opFieldAddr {
		p = c.get(p.a[0])
	}
	if p.op != opIndexAddr {
		return 0, false
	}
	w := c.get(p.a[0])
	return w.at, w.op == opSlice && w.n == -1
}

// region is an arbitrary element of a slice between lo and all of his.
func (f *frame) region(x *ref, lo poly, his ...poly) accessPlace {
	if !x.ok {
		return accessPlace{}
	}
	e := f.e
	a := e.atom(f.key(f.c.blockOf(f.at), "e"+string(rune(48+f.side)), int(f.at)), "any", f.side, func(a atom, i *atomInfo) { i.side = f.side })
	v := variable(a)
	why := e.fact("within "+x.text(), "")
	out := accessPlace{ok: true, place: x.element(v).place}
	out.facts = append(out.facts, con{v.sub(lo), why, noAtom})
	for _, hi := range his {
		out.facts = append(out.facts, con{v.below(hi), why, noAtom})
	}
	return out
}

// accessText renders the accessed place in source terms.
func (f *frame) accessText(a *Access) string {
	r := f.c.at[f.at]
	v := &f.c.vals[r]
	prime := ""
	if f.side == 2 {
		prime = "'"
	}
	switch v.op {
	case opStore:
		return f.derefText(v.a[0]) + prime
	case opLoad:
		return f.derefText(v.a[0]) + prime
	}
	return f.text(r) + prime
}

// derefText renders what an address points to.
func (f *frame) derefText(r vref) string {
	switch f.c.get(r).op {
	case opIndexAddr, opFieldAddr, opAlloc, opGlobal, opFree:
		return f.text(r)
	}
	return "*" + f.text(r)
}

// accumulates reports whether the access stores what it computes from the
// same element, as in h[i]++.
func (a *Access) accumulates() bool {
	if len(a.Chain) == 0 {
		return false
	}
	s := a.Chain[len(a.Chain)-1]
	c := s.Fn.body()
	if c == nil {
		return false
	}
	v := c.get(c.at[s.At])
	if v.op != opStore {
		return false
	}
	to := c.get(v.a[0])
	return to.op == opIndexAddr && c.computedFrom(v.a[1], func(y *val) bool {
		y = c.get(y.a[0])
		return y.op == opIndexAddr && c.sameVal(y.a[1], to.a[1])
	}, 0)
}

// Accumulates reports whether an instruction stores what it computes from what it
// replaces, as in groups[key].n++.
func (fn *Func) Accumulates(at ssair.Instr) bool {
	c := fn.body()
	if c == nil {
		return false
	}
	v := c.get(c.at[at])
	return v.op == opStore && c.computedFrom(v.a[1], func(y *val) bool { return y.op == opLoad && c.alike(y.a[0], v.a[0], 0) }, 0)
}

// computedFrom reports whether a value is computed by arithmetic, or by appending,
// from a load of a kind.
func (c *code) computedFrom(r vref, is func(load *val) bool, depth int) bool {
	x := c.get(r)
	switch {
	case x.op == opLoad:
		return is(x)
	case depth > 4:
	case x.op == opAppend:
		return c.computedFrom(x.a[0], is, depth+1)
	case x.op >= opAdd && x.op <= opFloatNeg:
		for _, y := range x.a {
			if c.computedFrom(y, is, depth+1) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two values are computed in the same way.
func (c *code) alike(x, y vref, depth int) bool {
	if c.sameVal(x, y) {
		return true
	}
	p, q := c.get(x), c.get(y)
	if p.op != q.op || p.n != q.n || p.s != q.s || len(p.a) != len(q.a) || depth > 6 {
		return false
	}
	switch p.op {
	case opLoad, opLookup, opFieldAddr, opIndexAddr, opFreeVal, opConv:
	default:
		return false
	}
	for i := range p.a {
		if !c.alike(p.a[i], q.a[i], depth+1) {
			return false
		}
	}
	return len(p.a) > 0
}

// match compares two places. May comes with the equations that must hold for
// them to be equal. Unless the caller says otherwise, different elements of a
// slice of slices are different slices (soundness: rows-distinct). If they may
// be one, it matters which they are only where the oracle knows that they are
// not; that two rows are one slice or share no element may be assumed
// (soundness: rows-apart), of what pointers point to it is certain.
func (e *env) match(p, q place) ([]equation, Answer, string) {
	if p.root != q.root && p.fresh && q.fresh && !p.throughPointer() && !q.throughPointer() {
		return nil, Disjoint, "" // allocated by each iteration for itself
	}
	same, apart := e.inStep(p.phi, q.phi)
	if p.root != q.root && (apart || e.swapped(p.phi, q.phi) || e.swappedCells(p, q) || e.older(p, q) || e.older(q, p)) {
		if p, q := p.behindCell(), q.behindCell(); !p.throughPointer() && !q.throughPointer() && p.above.f == nil && q.above.f == nil {
			return nil, Disjoint, ""
		}
		if e.could[apart4] = true; e.weak == apart4 {
			e.below = true
			return nil, Disjoint, ""
		}
	}
	if p.root != q.root && !same && !(e.q.OneBase && p.inBase() && q.inBase()) {
		return nil, GaveUp, "indices into " + p.name + " and " + q.name + ", which need not start at the same element"
	}
	var eqs []equation
	last := lastPointer(p, q)
	for i := 0; i < len(p.path) && i < len(q.path); i++ {
		s, t := p.path[i], q.path[i]
		switch {
		case s.kind != t.kind:
			return nil, GaveUp, "places of different shape"
		case s.kind == 'f' && s.n != t.n:
			if i < last {
				return nil, GaveUp, "different pointers may refer to one object"
			}
			return nil, Disjoint, ""
		case s.kind == 'i':
			if e.q.RowsMayAlias && i < last {
				if s.form.equal(t.form) {
					continue
				}
				if len(p.path) <= last || len(q.path) <= last || p.path[last].kind != 'd' || q.path[last].kind != 'd' {
					return nil, GaveUp, "different rows may be the same object"
				}
				if !p.path[last].slice && !q.path[last].slice {
					continue
				}
				if i > p.pointerBefore(last) && (s.own && t.own || e.q.Oracle != nil && e.q.Oracle.OneRow()) {
					eqs = append(eqs, equation{s.form, t.form})
					continue
				}
				e.could[apart4] = true
				if e.weak != apart4 {
					return nil, GaveUp, "different rows may be the same object"
				}
				e.apart = true
				continue
			}
			eqs = append(eqs, equation{s.form, t.form})
		}
	}
	return eqs, May, ""
}

// inBase reports whether the place is an element of its root, or a part of one.
func (p place) inBase() bool { return len(p.path) > 0 && p.path[0].kind == 'i' && !p.throughPointer() }

// pointerBefore returns the step before n that goes through a pointer, or -1.
func (p place) pointerBefore(n int) int {
	for n--; n >= 0 && p.path[n].kind != 'd'; n-- {
	}
	return n
}

// lastPointer is the number of steps up to the last pointer in either path.
func lastPointer(p, q place) int {
	last := 0
	for i, s := range p.path {
		if s.kind == 'd' {
			last = i
		}
	}
	for i, s := range q.path {
		if s.kind == 'd' {
			last = max(last, i)
		}
	}
	return last
}

// throughPointer reports whether the place lies in another object than its root.
func (p place) throughPointer() bool {
	for _, s := range p.path {
		if s.kind == 'd' {
			return true
		}
	}
	return false
}

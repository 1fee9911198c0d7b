package index

// This file evaluates phis: counters of loops as first + step*round, other
// values that a loop carries, and merges.

// A cursor is a value that a parallel loop carries from round to round and
// that has no closed form: the start of the next chunk.
type cursor struct {
	f    *frame
	loop int32
	p    part
	a    atom
	up   bool // next >= a, else next <= a
	why  whySet
}

// component evaluates a part of a value.
func (f *frame) component(r vref, what byte) poly {
	if what == 0 {
		return f.eval(r)
	}
	x := thing{f, r, ""}.ref()
	switch what {
	case 'o':
		return x.off
	case 'l':
		return x.len
	}
	return x.cap
}

// phi evaluates a part of a phi.
func (f *frame) phi(r vref, what byte) poly {
	v := &f.c.vals[r]
	l := f.c.inner[v.blk]
	if l < 0 || f.c.loops[l].header != v.blk {
		return f.merge(r, what)
	}
	var first poly
	var latches []vref
	entries := 0
	for i, p := range f.c.blocks[v.blk].preds {
		switch {
		case v.a[i] == 0:
			return f.opaque(r, what)
		case f.c.inLoop(l, p):
			latches = append(latches, v.a[i])
		default:
			x := f.component(v.a[i], what)
			if entries > 0 && !x.equal(first) {
				return f.opaque(r, what)
			}
			entries++
			first = x
		}
	}
	if entries == 0 {
		return f.opaque(r, what)
	}
	var step poly
	for i, x := range latches {
		s, ok := f.step(x, r, l, what, 0)
		if !ok || i > 0 && !s.equal(step) {
			return f.carried(r, what, l, first, latches)
		}
		step = s
	}
	m := f.counter0(l)
	if p, ok := step.times(m); ok {
		return first.add(p)
	}
	return f.opaque(r, what)
}

// counter0 is the round number of a loop, from 0.
func (f *frame) counter0(l int32) poly {
	h := f.c.loops[l].header
	key := f.key(h, "m", int(l))
	if a, ok := f.e.byKey[key]; ok {
		return variable(a)
	}
	a := f.e.atom(key, f.roundName(l), f.sideOf(h), func(a atom, i *atomInfo) {
		i.loops = f.loopsAt(h)
		i.cons = append(i.cons, con{variable(a), whySet{}, noAtom})
	})
	return variable(a)
}

// roundName names the round number: by the variable that equals it, if any.
func (f *frame) roundName(l int32) string {
	h := f.c.loops[l].header
	name := "round"
	for r := range f.c.vals {
		v := &f.c.vals[r]
		if v.op != opPhi || v.blk != h || !v.kind.isInt() {
			continue
		}
		t := f.text(vref(r))
		if _, _, ok := rangeVar(v.s); ok {
			return t
		}
		zero, up := false, false
		for _, x := range v.a {
			y := f.c.get(x)
			zero = zero || y.op == opConst && y.n == 0
			if y.op == opAdd && len(y.a) == 2 {
				k := f.c.get(y.a[1])
				up = up || f.c.resolve(y.a[0]) == vref(r) && k.op == opConst && k.n == 1
			}
		}
		if zero && up {
			return t
		}
		if name == "round" {
			name = "round of " + t
		}
	}
	return name
}

// step returns by how much x exceeds the phi, if that is the same in every
// round of loop l.
func (f *frame) step(x, phi vref, l int32, what byte, depth int) (poly, bool) {
	x = f.c.resolve(x)
	if x == phi {
		return nil, true
	}
	v := &f.c.vals[x]
	if x == 0 || depth > 8 {
		return nil, false
	}
	if what != 0 {
		return f.sliceStep(x, phi, l, what, depth)
	}
	switch v.op {
	case opAdd, opSub:
		if v.kind.narrow() != 0 || v.op == opSub && v.kind.isUnsigned() {
			return nil, false
		}
		for i, other := range []vref{v.a[1], v.a[0]} {
			if i == 1 && v.op == opSub || !f.fixedIn(other, l, 0) {
				continue
			}
			s, ok := f.step(v.a[i], phi, l, what, depth+1)
			if !ok {
				continue
			}
			if v.op == opSub {
				return s.sub(f.eval(other)), true
			}
			return s.add(f.eval(other)), true
		}
	case opConv:
		if v.kind.narrow() == 0 {
			return f.step(v.a[0], phi, l, what, depth+1)
		}
	case opPhi:
		if v.blk == f.c.vals[phi].blk || f.c.headerOf(v.blk) >= 0 {
			return nil, false
		}
		var all poly
		for i, y := range v.a {
			s, ok := f.step(y, phi, l, what, depth+1)
			if !ok || i > 0 && !s.equal(all) {
				return nil, false
			}
			all = s
		}
		return all, true
	}
	return nil, false
}

// headerOf returns the loop that has the block as its header, or -1.
func (c *code) headerOf(b int32) int32 {
	if l := c.inner[b]; l >= 0 && c.loops[l].header == b {
		return l
	}
	return -1
}

// sliceStep is step for a part of a slice: s = s[k:] adds k to the offset and
// takes it off length and capacity.
func (f *frame) sliceStep(x, phi vref, l int32, what byte, depth int) (poly, bool) {
	v := &f.c.vals[x]
	if v.op != opSlice || v.n != -1 {
		return nil, false
	}
	s, ok := f.step(v.a[0], phi, l, what, depth+1)
	if !ok || v.a[1] != 0 && !f.fixedIn(v.a[1], l, 0) {
		return nil, false
	}
	if what == 'l' && v.a[2] != 0 || what == 'c' && v.a[3] != 0 {
		return nil, false
	}
	var lo poly
	if v.a[1] != 0 {
		lo = f.eval(v.a[1])
	}
	if what == 'o' {
		return s.add(lo), true
	}
	return s.sub(lo), true
}

// fixedIn reports whether the value is the same in every round of the loop.
func (f *frame) fixedIn(r vref, l int32, depth int) bool {
	r = f.c.resolve(r)
	v := &f.c.vals[r]
	switch {
	case r == 0 || depth > 6:
		return false
	case v.blk < 0 || !f.c.inLoop(l, v.blk):
		return true
	case v.op == opFreeVal:
		t := thing{f, r, ""}.chase()
		return t.f != f || f.invariant(v.at)
	case v.op == opLoad:
		return f.invariant(v.at) && f.fixedIn(v.a[0], l, depth+1)
	case v.op >= opAdd && v.op <= opConv, v.op == opLen, v.op == opCap,
		v.op == opFieldAddr, v.op == opIndexAddr, v.op == opField:
		for _, a := range v.a {
			if !f.fixedIn(a, l, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// carried is a header phi without a closed form. If the loop can only raise
// it, or only lower it, it is bounded by its first value, and for a parallel
// loop the rounds are ordered.
func (f *frame) carried(r vref, what byte, l int32, first poly, latches []vref) poly {
	p := f.opaque(r, what)
	a := atom(p[0].m[0] - 1)
	if f.tried[a] {
		return p
	}
	if f.tried == nil {
		f.tried = make(map[atom]bool)
	}
	f.tried[a] = true
	f.ints[part{r, what}] = p // seen by the latch values
	for _, up := range []bool{true, false} {
		why, ok := f.monotone(r, what, l, p, up)
		if !ok {
			continue
		}
		i := &f.e.atoms[a]
		bound := p.sub(first)
		text := f.text(r) + " never falls"
		if !up {
			bound, text = bound.neg(), f.text(r)+" never rises"
		}
		why = why.or(f.e.fact(text, ""))
		i.cons = append(i.cons, con{bound, why, noAtom})
		f.e.carry = append(f.e.carry, cursor{f, l, part{r, what}, a, up, why})
		break
	}
	return p
}

// monotone reports whether no round of the loop lowers (raises) the phi: the
// facts at each latch exclude it.
func (f *frame) monotone(r vref, what byte, l int32, p poly, up bool) (whySet, bool) {
	v := &f.c.vals[r]
	var why whySet
	for i, pred := range f.c.blocks[v.blk].preds {
		if !f.c.inLoop(l, pred) {
			continue
		}
		next := f.component(v.a[i], what)
		wrong := next.below(p)
		if !up {
			wrong = p.below(next)
		}
		cs, ors := f.guards(pred, true)
		w, ok := f.e.impossible([]con{{wrong, whySet{}, noAtom}}, cs, ors, []point{{f, pred}})
		if !ok {
			return w, false
		}
		why = why.or(w)
	}
	return why, true
}

// merge is a phi that is no loop header: one of its edges was taken.
func (f *frame) merge(r vref, what byte) poly {
	v := &f.c.vals[r]
	e := f.e
	same := true
	var first poly
	vals := make([]poly, len(v.a))
	for i, x := range v.a {
		if x == 0 {
			return f.opaque(r, what)
		}
		vals[i] = f.component(x, what)
		if i == 0 {
			first = vals[i]
		}
		same = same && vals[i].equal(first)
	}
	if same {
		return first
	}
	p := f.opaque(r, what)
	a := atom(p[0].m[0] - 1)
	if e.atoms[a].choice != nil || len(v.a) > 6 {
		return p
	}
	why := e.fact(f.text(r)+" is one of "+e.texts(vals), "")
	d := disj{why: why}
	for i, x := range vals {
		for _, more := range f.edge(f.c.blocks[v.blk].preds[i], v.blk) {
			alt := []literal{{p: p.sub(x), eq: true, def: a}}
			d.alts = append(d.alts, append(alt, more...))
		}
	}
	f.choose(a, v.blk, d)
	return p
}

func (e *env) texts(ps []poly) string {
	s := ""
	for i, p := range ps {
		if i > 0 {
			s += ", "
		}
		s += e.polyText(p)
	}
	return s
}

// slicePhi is a phi of slices of one array.
func (f *frame) slicePhi(r vref) *ref {
	v := &f.c.vals[r]
	unknown := f.refs[r]
	var base *ref
	var check []*ref
	l := f.c.headerOf(v.blk)
	// A header phi is its entry value cut further; find the array by the
	// entries, then see whether the latches agree.
	for i, p := range f.c.blocks[v.blk].preds {
		if v.a[i] == 0 {
			return unknown
		}
		if l >= 0 && f.c.inLoop(l, p) {
			continue
		}
		x := thing{f, v.a[i], ""}.ref()
		if base == nil {
			base = x
		}
		check = append(check, x)
	}
	if base == nil || !base.ok || !base.slice {
		return unknown
	}
	y := &ref{ok: true, slice: true, place: base.place}
	f.refs[r] = y
	if l >= 0 {
		// Until the parts are known they are unknowns of the phi's own.
		y.off, y.len, y.cap = f.opaque(r, 'o'), f.opaque(r, 'l'), f.opaque(r, 'c')
		for i, p := range f.c.blocks[v.blk].preds {
			if f.c.inLoop(l, p) {
				check = append(check, f.again(v.a[i]))
			}
		}
	}
	for _, x := range check {
		if !x.ok || !samePlace(x.place, base.place) {
			f.refs[r] = unknown
			return unknown
		}
	}
	z := *y
	if l >= 0 {
		defer func() {
			for _, x := range v.a {
				f.forget(x) // they were evaluated with the unknowns
			}
		}()
	}
	z.off = f.phi(r, 'o')
	z.len = f.phi(r, 'l')
	z.cap = f.phi(r, 'c')
	f.refs[r] = &z
	return &z
}

// again evaluates a slice anew, because it was looked at before the phi that
// it depends on was known.
func (f *frame) again(r vref) *ref {
	f.forget(r)
	return thing{f, r, ""}.ref()
}

func (f *frame) forget(r vref) {
	for r = f.c.resolve(r); f.c.vals[r].op == opSlice; r = f.c.resolve(f.c.vals[r].a[0]) {
		delete(f.refs, r)
	}
}

func samePlace(p, q place) bool {
	if p.root != q.root || len(p.path) != len(q.path) {
		return false
	}
	for i, s := range p.path {
		t := q.path[i]
		if s.kind != t.kind || s.n != t.n || !s.form.equal(t.form) {
			return false
		}
	}
	return true
}

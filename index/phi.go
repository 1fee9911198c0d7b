package index

import "strconv"

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
	if what == 0 {
		if p, ok := f.fetched(r, v); ok {
			return p
		}
		if s, n, ok := f.repeated(v); ok {
			return f.inlined(v.blk, f.text(r), s, n)
		}
	}
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
		i.data = f.loose // which of the closures that the loop has made is called, nothing says
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

// carried is a header phi without a closed form. If the loop can only raise
// it, or only lower it, it is bounded by its first value, and for a parallel
// loop the rounds are ordered.
func (f *frame) carried(r vref, what byte, l int32, first poly, latches []vref) poly {
	p := f.opaque(r, what)
	a := atom(p[0].m[0] - 1)
	if f.tried[a] {
		return p
	}
	if what == 0 && f.e.hasData(first) {
		f.e.atoms[a].data = true // a cursor that begins where a table says
	}
	if f.tried == nil {
		f.tried = make(map[atom]bool)
	}
	f.tried[a] = true
	f.ints[part{r, what}] = p // seen by the latch values
	e := f.e
	c := &carry{f: f, r: r, what: what, l: l, first: first, p: p}
	e.carrying++
	c.learn()
	e.carries = append(e.carries, c)
	// What an inner one needs may have been known only now, and what is known of
	// one may show something of another: start += size, where size only falls.
	for again := e.carrying == 1 && len(e.carries) > 1; again; {
		again = false
		for _, c := range e.carries {
			again = c.learn() || again
		}
	}
	if e.carrying--; e.carrying == 0 {
		e.carries = e.carries[:0]
	}
	return p
}

// A carry is a header phi without a closed form, and what is known of it.
type carry struct {
	f        *frame
	r        vref
	what     byte
	l        int32
	first, p poly
	ordered  bool // no round raises it, or none lowers it
	bounded  bool // it keeps above a constant
	followed bool // it keeps behind the round number
}

// learn adds what can be shown of the phi; it reports whether that is more than
// was known.
func (c *carry) learn() bool {
	ordered, bounded, followed := c.ordered, c.bounded, c.followed
	if !c.followed && c.what == 0 {
		c.follow()
	}
	for _, up := range []bool{true, false} {
		if !c.ordered {
			c.order(up)
		}
	}
	for _, least := range []int64{1, 0} {
		if !c.bounded {
			c.keepsAbove(least)
		}
	}
	return c.ordered != ordered || c.bounded != bounded || c.followed != followed
}

// follow adds that the phi is no further than the counter was that some rounds set it to, where others leave it
// alone: the start of a part that ends where enough has come together,
//
//	for i, x := range xs { if sum += x; sum > most { cut(lo, i+1); lo, sum = i+1, 0 } }
func (c *carry) follow() {
	f, e := c.f, c.f.e
	for _, next := range f.setTo(c.r, c.l) {
		m := f.counter0(c.l)
		step, behind := e.perRound(next, m, loopID{f.id, c.l})
		if step == 0 {
			continue
		}
		passed := func(p, at poly) con { // p is further than at
			if step < 0 {
				p, at = at, p
			}
			return con{at.below(p), whySet{}, noAtom}
		}
		begin, ok := e.impossible([]con{passed(c.first, behind.sub(m.scale(step)))}, nil, nil, nil)
		if !ok {
			continue
		}
		held := con{behind.sub(c.p), whySet{}, noAtom}
		if step < 0 {
			held.p = held.p.neg()
		}
		why, ok := f.everyRound(c.r, c.l, func(i int) []con {
			return []con{held, passed(f.component(f.c.vals[c.r].a[i], c.what), next)}
		})
		if ok {
			fact := e.fact(f.text(c.r)+" is no further than the round", "")
			i := &e.atoms[c.p[0].m[0]-1]
			i.cons = append(i.cons, con{held.p, why.or(begin).or(fact), noAtom})
			c.followed = true
			return
		}
	}
}

// perRound returns the constant by which p grows from round to round of the loop with round number m, 0 where it
// does not or that is not known, and what p was the round before.
func (e *env) perRound(p, m poly, l loopID) (step int64, before poly) {
	var rest poly
	for _, t := range p {
		switch {
		case t.m == m[0].m:
			step = t.c
		case t.m.has(atom(m[0].m[0] - 1)):
			return 0, nil
		default:
			rest = append(rest, t)
		}
	}
	if e.variesIn(rest, l) {
		return 0, nil
	}
	return step, p.plus(-step)
}

// setTo lists what the rounds of a loop may set a phi of its header to, but for what it was.
func (f *frame) setTo(r vref, l int32) (out []poly) {
	c := f.c
	seen := map[vref]bool{r: true}
	work := append([]vref(nil), c.vals[r].a...)
	for i, p := range c.blocks[c.vals[r].blk].preds {
		if !c.inLoop(l, p) {
			work[i] = r
		}
	}
	for len(work) > 0 && len(out) < maxSetTo {
		x := c.resolve(work[0])
		if work = work[1:]; seen[x] || x == 0 {
			continue
		}
		seen[x] = true
		if v := &c.vals[x]; v.op == opPhi && c.inner[v.blk] == l && v.blk != c.loops[l].header {
			work = append(work, v.a...)
			continue
		}
		out = append(out, f.eval(x))
	}
	return out
}

// maxSetTo bounds the values that are looked at of those that rounds set a variable to.
const maxSetTo = 4

// order adds that the loop never lowers (raises) the phi.
func (c *carry) order(up bool) {
	f, e := c.f, c.f.e
	why, ok := f.monotone(c.r, c.what, c.l, c.p, up)
	if !ok {
		return
	}
	a := atom(c.p[0].m[0] - 1)
	i := &e.atoms[a]
	bound := c.p.sub(c.first)
	text := f.text(c.r) + " never falls"
	if !up {
		bound, text = bound.neg(), f.text(c.r)+" never rises"
	}
	why = why.or(e.fact(text, ""))
	i.cons = append(i.cons, con{bound, why, noAtom})
	e.carry = append(e.carry, cursor{f, c.l, part{c.r, c.what}, a, up, why})
	c.ordered = true
	c.bounded = up // by its first value
}

// keepsAbove adds that the phi stays at least 1, or 0, if it starts there and
// no round leads below: the size of the next chunk, cut down for the last one.
func (c *carry) keepsAbove(least int64) {
	f, e := c.f, c.f.e
	below := func(p poly) con { return con{p.neg().plus(least - 1), whySet{}, noAtom} }
	begin, ok := e.impossible([]con{below(c.first)}, nil, nil, nil)
	if !ok {
		return
	}
	held := con{c.p.plus(-least), whySet{}, noAtom}
	why, ok := f.everyRound(c.r, c.l, func(i int) []con {
		return []con{held, below(f.component(f.c.vals[c.r].a[i], c.what))}
	})
	if ok {
		fact := e.fact(f.text(c.r)+" > "+strconv.FormatInt(least-1, 10)+" in every round", "")
		i := &e.atoms[c.p[0].m[0]-1]
		i.cons = append(i.cons, con{held.p, why.or(begin).or(fact), noAtom})
		c.bounded = true
	}
}

// monotone reports whether no round of the loop lowers (raises) the phi: the
// facts at each latch exclude it.
func (f *frame) monotone(r vref, what byte, l int32, p poly, up bool) (whySet, bool) {
	return f.everyRound(r, l, func(i int) []con {
		next := f.component(f.c.vals[r].a[i], what)
		wrong := next.below(p)
		if !up {
			wrong = p.below(next)
		}
		return []con{{wrong, whySet{}, noAtom}}
	})
}

// everyRound reports whether the facts at each latch exclude what wrong gives
// for the edge from it.
func (f *frame) everyRound(r vref, l int32, wrong func(edge int) []con) (whySet, bool) {
	v := &f.c.vals[r]
	var why whySet
	for i, pred := range f.c.blocks[v.blk].preds {
		if !f.c.inLoop(l, pred) {
			continue
		}
		goal := wrong(i)
		cs, ors := f.guards(pred, true)
		w, ok := f.e.impossible(goal, cs, ors, []point{{f, pred}})
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
	var vals []poly
	var preds []int32
	same := true
	for i, x := range v.a {
		if x == 0 {
			return f.opaque(r, what)
		}
		pred := f.c.blocks[v.blk].preds[i]
		if f.neverTaken(pred, v.blk) {
			continue
		}
		y := f.component(x, what)
		same = same && (len(vals) == 0 || y.equal(vals[0]))
		vals, preds = append(vals, y), append(preds, pred)
	}
	if same && len(vals) > 0 {
		return vals[0]
	}
	p := f.opaque(r, what)
	a := atom(p[0].m[0] - 1)
	if e.atoms[a].choice != nil || len(vals) == 0 || len(vals) > 6 {
		return p
	}
	why := e.fact(f.text(r)+" is one of "+e.texts(vals), "")
	d := disj{why: why}
	for i, x := range vals {
		for _, more := range f.edge(preds[i], v.blk) {
			alt := []literal{{p: p.sub(x), eq: true, def: a}}
			d.alts = append(d.alts, append(alt, more...))
		}
	}
	f.choose(a, v.blk, d)
	return p
}

// neverTaken reports whether the conditions of an edge include a comparison of
// constants that is false.
func (f *frame) neverTaken(p, x int32) (never bool) {
	add := func(r vref, yes bool) {
		v := f.c.get(r)
		if v.op < opLess || v.op > opNotEqual {
			return
		}
		cs, ors := f.condition(r, yes)
		for _, c := range cs {
			if n, isC := c.p.isConst(); isC && (n < 0 || c.def == isEq && n != 0) {
				never = true
			}
		}
		for _, d := range ors {
			excluded := len(d.alts) > 0
			for _, alt := range d.alts {
				n, isC := alt[0].p.isConst()
				excluded = excluded && isC && n < 0
			}
			never = never || excluded
		}
	}
	f.onEdge(p, x, add)
	stop := f.c.blocks[x].idom
	for y := p; y >= 0 && y != stop && !never; y = f.c.blocks[y].idom {
		if preds := f.c.blocks[y].preds; len(preds) == 1 {
			f.onEdge(preds[0], y, add)
		}
	}
	return never
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

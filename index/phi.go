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

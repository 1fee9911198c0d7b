package index

// This file collects what is known where an instruction executes: the branches
// taken, the bounds that executed index and slice expressions respect, the
// bounds of loop counters.

// maxExecuted bounds the index and slice expressions whose bounds are used.
const maxExecuted = 24

// guards returns the constraints and disjunctions that hold at the end of block
// blk (whole) or, in the block of the frame's own instruction, just before it.
func (f *frame) guards(blk int32, whole bool) ([]con, []disj) {
	k := 2 * blk
	if whole {
		k++
	}
	g, ok := f.known[k]
	if !ok {
		g.cons, g.ors = f.collect(blk, whole)
		if f.known == nil {
			f.known = make(map[int32]guarded)
		}
		f.known[k] = g
	}
	return g.cons, g.ors
}

type guarded struct {
	cons []con
	ors  []disj
}

// maxBranches bounds the branches that are looked at, the nearest first; the
// tests of loops come on top.
const maxBranches = 48

func (f *frame) collect(blk int32, whole bool) ([]con, []disj) {
	var cs []con
	var ors []disj
	add := func(r vref, yes bool) {
		c, d := f.condition(r, yes)
		cs = append(cs, c...)
		ors = append(ors, d...)
	}
	n := 0
	for x := blk; x >= 0; x = f.c.blocks[x].idom {
		preds := f.c.blocks[x].preds
		if len(preds) == 1 {
			if n++; n <= maxBranches || f.c.headerOf(preds[0]) >= 0 {
				f.onEdge(preds[0], x, add)
			}
			continue
		}
		if l := f.c.headerOf(x); l >= 0 {
			c, d := f.rotated(l)
			cs, ors = append(cs, c...), append(ors, d...)
		}
	}
	cs = append(cs, f.progress(blk)...)
	c, d := f.executed(blk, whole)
	return append(cs, c...), append(ors, d...)
}

// onEdge calls add with the condition of the branch from p to x.
func (f *frame) onEdge(p, x int32, add func(vref, bool)) {
	b := &f.c.blocks[p]
	if b.cond == 0 || len(b.succs) != 2 || b.succs[0] == b.succs[1] {
		return
	}
	add(b.cond, b.succs[0] == x)
}

// edge returns what holds on the edge from p to x beyond what holds at x: one
// of some conjunctions. Of several disjunctions only the first is kept.
func (f *frame) edge(p, x int32) [][]literal {
	var sure []literal
	var some *disj
	add := func(r vref, yes bool) {
		cs, ors := f.condition(r, yes)
		for _, c := range cs {
			sure = append(sure, literal{p: c.p, eq: c.def == isEq, def: noAtom})
		}
		if some == nil && len(ors) > 0 {
			some = &ors[0]
		}
	}
	f.onEdge(p, x, add)
	stop := f.c.blocks[x].idom
	for y := p; y >= 0 && y != stop; y = f.c.blocks[y].idom {
		if preds := f.c.blocks[y].preds; len(preds) == 1 {
			f.onEdge(preds[0], y, add)
		}
	}
	if some == nil {
		return [][]literal{sure}
	}
	var out [][]literal
	for _, alt := range some.alts {
		out = append(out, append(append([]literal(nil), sure...), alt...))
	}
	return out
}

// inside returns what holds in a block of a small callee.
func (f *frame) inside(blk int32) []literal {
	cs, _ := f.guards(blk, true)
	var out []literal
	for _, c := range cs {
		out = append(out, literal{p: c.p, eq: c.def == isEq, def: noAtom})
	}
	return out
}

// isEq marks a con that is an equality while facts are collected.
const isEq atom = -4

// condition returns what a comparison being true (or false) means.
func (f *frame) condition(r vref, yes bool) ([]con, []disj) {
	r = f.c.resolve(r)
	v := &f.c.vals[r]
	o := v.op
	if o == opBoolNot {
		return f.condition(v.a[0], !yes)
	}
	if s, n, ok := f.told(v); ok {
		k := int64(0)
		if yes {
			k = 1
		}
		if i, ok := s.returned(false); ok {
			y := s.c.vals[s.c.rets[i]].a[n]
			if z := s.c.get(y); z.op == opBool {
				return []con{{number(z.n - k), f.e.fact(f.text(r), ""), isEq}}, nil
			}
			return s.condition(y, yes)
		}
		return []con{{variable(s.truth(n)).plus(-k), f.e.fact(f.text(r), ""), isEq}}, nil
	}
	if o < opLess || o > opNotEqual || !f.c.get(v.a[0]).kind.isInt() && !f.c.get(v.a[1]).kind.isInt() {
		return nil, nil
	}
	if !yes {
		o = map[op]op{opLess: opGreaterEq, opLessEq: opGreater, opGreater: opLessEq, opGreaterEq: opLess,
			opEqual: opNotEqual, opNotEqual: opEqual}[o]
	}
	x, y := f.eval(v.a[0]), f.eval(v.a[1])
	text := f.text(v.a[0]) + " " + infix[o] + " " + f.text(v.a[1])
	if f.side == 2 && max(f.e.sideOfPoly(x), f.e.sideOfPoly(y)) == 2 {
		text = f.text(v.a[0]) + "' " + infix[o] + " " + f.text(v.a[1]) + "'"
	}
	why := f.e.fact(text, "")
	switch o {
	case opLess:
		return []con{{x.below(y), why, noAtom}}, nil
	case opLessEq:
		return []con{{x.atMost(y), why, noAtom}}, nil
	case opGreater:
		return []con{{y.below(x), why, noAtom}}, nil
	case opGreaterEq:
		return []con{{y.atMost(x), why, noAtom}}, nil
	case opEqual:
		return []con{{x.sub(y), why, isEq}}, nil
	}
	return nil, []disj{{[][]literal{ge(x.below(y)), ge(y.below(x))}, why}}
}

// rotated returns the bound of a loop that tests before its header: every edge
// into the header has passed the same test of the value it carries.
func (f *frame) rotated(l int32) ([]con, []disj) {
	h := f.c.loops[l].header
	preds := f.c.blocks[h].preds
	var cs []con
	for r := range f.c.vals {
		phi := &f.c.vals[r]
		if phi.op != opPhi || phi.blk != h || !phi.kind.isInt() || len(phi.a) != len(preds) {
			continue
		}
		var bound vref
		var cmp op
		ok := true
		for i, p := range preds {
			b := &f.c.blocks[p]
			// An empty block may stand between the test and the header.
			to := h
			for b.cond == 0 && len(b.preds) == 1 && len(b.succs) == 1 {
				to, p = p, b.preds[0]
				b = &f.c.blocks[p]
			}
			if b.cond == 0 || len(b.succs) != 2 || b.succs[0] != to || b.succs[1] == to {
				ok = false
				break
			}
			c := f.c.get(b.cond)
			if c.op != opLess && c.op != opLessEq && c.op != opNotEqual && c.op != opGreater && c.op != opGreaterEq ||
				!f.c.sameVal(c.a[0], phi.a[i]) {
				ok = false
				break
			}
			if i == 0 {
				bound, cmp = c.a[1], c.op
			} else if c.op != cmp || !f.c.sameVal(c.a[1], bound) {
				ok = false
				break
			}
		}
		if !ok || bound == 0 || !f.fixedIn(bound, l, 0) {
			continue
		}
		x, y := f.eval(vref(r)), f.eval(bound)
		why := f.e.fact(f.text(vref(r))+" "+infix[cmp]+" "+f.text(bound), "")
		switch cmp {
		case opLess:
			cs = append(cs, con{x.below(y), why, noAtom})
			cs = append(cs, f.advances(vref(r), l, 1)...)
		case opLessEq:
			cs = append(cs, con{x.atMost(y), why, noAtom})
		case opGreater:
			cs = append(cs, con{y.below(x), why, noAtom})
		case opGreaterEq:
			cs = append(cs, con{y.atMost(x), why, noAtom})
		}
	}
	return cs, nil
}

// sameVal reports whether two values are one, or equal constants.
func (c *code) sameVal(x, y vref) bool {
	x, y = c.resolve(x), c.resolve(y)
	if x == y {
		return x != 0
	}
	p, q := &c.vals[x], &c.vals[y]
	return p.op == opConst && q.op == opConst && p.n == q.n
}

// progress returns what follows from loops around the block ending at all: a
// counter with an unchanging step that is tested against an unchanging bound
// moves towards it (soundness: loop-terminates).
func (f *frame) progress(blk int32) []con {
	var cs []con
	if blk < 0 {
		return nil
	}
	for l := f.c.inner[blk]; l >= 0; l = f.c.loops[l].parent {
		h := f.c.loops[l].header
		b := &f.c.blocks[h]
		if b.cond == 0 || len(b.succs) != 2 || !f.c.inLoop(l, b.succs[0]) || f.c.inLoop(l, b.succs[1]) || h == blk {
			continue
		}
		c := f.c.get(b.cond)
		if c.op < opLess || c.op > opGreaterEq {
			continue
		}
		up := int64(1)
		if c.op == opGreater || c.op == opGreaterEq {
			up = -1
		}
		for i, x := range c.a {
			if i == 1 {
				up = -up
			}
			if f.fixedIn(c.a[1-i], l, 0) {
				cs = append(cs, f.advances(x, l, up)...)
			}
		}
	}
	return cs
}

// advances states the sign of the step of x, a counter of loop l or a sum of
// one and something that is fixed.
func (f *frame) advances(x vref, l int32, up int64) []con {
	p := f.eval(x)
	m := f.counter0(l)[0].m
	var step poly
	for _, t := range p {
		if t.m.has(atom(m[0] - 1)) {
			step = append(step, term{t.m.without(atom(m[0] - 1)), t.c})
		}
	}
	if len(step) == 0 || len(step) > 1 && step[0].m == step[1].m {
		return nil
	}
	if _, isC := step.isConst(); isC || f.e.variesIn(step, loopID{f.id, l}) {
		return nil
	}
	sum := poly(nil)
	for _, t := range step {
		sum = sum.add(poly{t})
	}
	text := f.e.polyText(sum) + " > 0"
	if up < 0 {
		text = f.e.polyText(sum) + " < 0"
	}
	why := f.e.fact(text+", or the loop would not end", AssumeTerminates)
	return []con{{sum.scale(up).plus(-1), why, noAtom}}
}

// executed returns what holds because index and slice expressions and divisions
// on the way did not panic.
func (f *frame) executed(blk int32, whole bool) ([]con, []disj) {
	var cs []con
	var ors []disj
	n := 0
	for r := len(f.c.vals) - 1; r > 0 && n < maxExecuted; r-- {
		v := &f.c.vals[r]
		switch v.op {
		case opIndexAddr, opIndex, opSlice:
		case opQuo, opRem:
			if f.c.get(v.a[1]).op == opConst {
				continue
			}
		default:
			continue
		}
		if v.blk < 0 || !f.c.dominates(v.blk, blk) || v.blk == blk && !whole && v.at > f.at {
			continue
		}
		n++
		if v.op == opQuo || v.op == opRem {
			d := f.eval(v.a[1])
			why := f.e.fact(f.text(v.a[1])+" is not 0", "")
			ors = append(ors, disj{[][]literal{ge(d.plus(-1)), ge(d.neg().plus(-1))}, why})
			continue
		}
		cs = append(cs, f.inBounds(vref(r), v)...)
	}
	return cs, ors
}

func (f *frame) inBounds(r vref, v *val) []con {
	e := f.e
	why := e.fact("bounds of "+f.text(r), "")
	if f.side == 2 && f.sideOf(v.blk) == 2 {
		why = e.fact("bounds of "+f.text(r)+"'", "")
	}
	if v.op != opSlice {
		i := f.eval(v.a[1])
		n := number(v.n)
		if v.n < 0 {
			x := thing{f, v.a[0], ""}.ref()
			if !x.slice {
				return []con{{i, why, noAtom}}
			}
			n = x.len
		}
		return []con{{i, why, noAtom}, {i.below(n), why, noAtom}}
	}
	if v.n == -2 {
		return nil
	}
	x := thing{f, v.a[0], ""}.ref()
	y := thing{f, r, ""}.ref()
	if !y.ok || !y.slice {
		return nil
	}
	cs := []con{{y.len, why, noAtom}, {y.cap.sub(y.len), why, noAtom}}
	if v.a[1] != 0 {
		cs = append(cs, con{y.off.sub(x.off), why, noAtom}) // 0 <= lo
	}
	if v.n < 0 && x.slice && v.a[3] != 0 {
		cs = append(cs, con{x.off.add(x.cap).sub(y.off).sub(y.cap), why, noAtom})
	}
	if v.n >= 0 {
		cs = append(cs, con{number(v.n).sub(y.off).sub(y.len), why, noAtom})
	}
	return cs
}

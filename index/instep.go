package index

// This file is about what two iterations carry through loops of their own, in which they go from round to round together:
//
//	wg.Go(func() {
//		a, b := cur, next
//		for range steps {
//			step(b, a, lo, hi)
//			barrier.wait()
//			a, b = b, a
//		}
//	})
//
// All have begun with the same two buffers and let them change places in each round, so in the same round a is one buffer for all of
// them, and b the other one. That they are in the same round is for the caller to know.

// inStep says of two values, of an iteration each, that are carried by the loop that both are in the same round of, whether they are
// one and the same, or are known to refer to different memory.
func (e *env) inStep(x, y thing) (same, apart bool) {
	f, g := x.f, y.f
	if e.q.InStep == nil || e.q.InStep.Func != "" || f == nil || g == nil || f.c != g.c || f.side == g.side || !e.inBody(f) || !e.inBody(g) {
		return false, false
	}
	c := f.c
	r, s := c.resolve(x.r), c.resolve(y.r)
	blk := c.vals[r].blk
	if c.headerOf(blk) < 0 || blk != e.q.InStep.Header || c.vals[s].blk != blk {
		return false, false
	}
	all, first, ok := c.turning(r, s)
	if !ok {
		return false, false
	}
	begin := make([]thing, len(all))
	for i, z := range first {
		t, u := thing{f, z, ""}.chase(), thing{g, z, ""}.chase()
		if !t.shared() || !u.shared() || t.f.id != u.f.id || t.f.c != u.f.c || t.r != u.r || t.path != u.path {
			return false, false
		}
		begin[i] = t
	}
	if r == s {
		return true, false
	}
	for i := range begin {
		for k := range begin[:i] {
			if !begin[i].apart(begin[k]) {
				return false, false
			}
		}
	}
	return false, true
}

// inBody reports whether a frame is that of the function in which an iteration begins.
func (e *env) inBody(f *frame) bool {
	return f.no == e.nest.last+1 && f.call == 0 && f.ghost == nil && !f.vague()
}

// step adds that both iterations are in the same round of the loop.
func (s *scene) step(as, bs []*frame) {
	e, k := s.e, s.e.nest.last+1
	if e.q.InStep != nil && e.q.InStep.Func != "" {
		s.alike(as, bs)
		return
	}
	if e.q.InStep == nil || k >= len(as) || k >= len(bs) {
		return
	}
	a, b := as[k], bs[k]
	if a == nil || b == nil || a.c != b.c || !e.inBody(a) || !e.inBody(b) {
		return
	}
	if l := a.c.headerOf(e.q.InStep.Header); l >= 0 {
		s.facts = append(s.facts, con{a.counter0(l).sub(b.counter0(l)), whySet{}, isEq})
	}
}

// alike adds that both iterations are in the same round of a loop of a function, and that what this carries is the same for them.
func (s *scene) alike(as, bs []*frame) {
	e := s.e
	for k := range min(len(as), len(bs)) {
		a, b := as[k], bs[k]
		if a == nil || b == nil || a.c != b.c || a.side == b.side || a.c.name != e.q.InStep.Func {
			continue
		}
		l := a.c.headerOf(e.q.InStep.Header)
		if l < 0 {
			continue
		}
		equal := func(x, y poly) { s.facts = append(s.facts, con{x.sub(y), whySet{}, isEq}) }
		equal(a.counter0(l), b.counter0(l))
		for r := range a.c.vals {
			if v := &a.c.vals[r]; v.op == opPhi && v.blk == e.q.InStep.Header && v.kind.isInt() {
				equal(a.eval(vref(r)), b.eval(vref(r)))
				for _, f := range []*frame{a, b} {
					if x, ok := e.byKey[f.key(v.blk, "va", r)]; ok {
						e.atoms[x].data = true // which values it takes is not known
					}
				}
			}
		}
	}
}

// turning returns the values that a loop lets change places, from two of them on, and what they begin with. Whichever
// way a round takes, it ends with the same exchange.
func (c *code) turning(r, s vref) (all, first []vref, ok bool) {
	blk := c.vals[r].blk
	l := c.headerOf(blk)
	all = []vref{r}
	if s != r {
		all = append(all, s)
	}
	preds := c.blocks[blk].preds
	for k := 0; k < len(all); k++ {
		v := &c.vals[all[k]]
		if v.op != opPhi || v.blk != blk || len(v.a) != len(preds) || len(all) > maxSwapped {
			return nil, nil, false
		}
		var next, begins vref
		for i, p := range preds {
			z := c.resolve(v.a[i])
			to := &begins
			if c.inLoop(l, p) {
				to = &next
			}
			if z == 0 || *to != 0 && *to != z {
				return nil, nil, false
			}
			*to = z
		}
		if next == 0 || begins == 0 {
			return nil, nil, false
		}
		first = append(first, begins)
		known := false
		for _, w := range all {
			known = known || w == next
		}
		if !known {
			all = append(all, next)
		}
	}
	// No two of them become one.
	for i, x := range all {
		for _, y := range all[:i] {
			for k, p := range preds {
				if c.inLoop(l, p) && c.resolve(c.vals[x].a[k]) == c.resolve(c.vals[y].a[k]) {
					return nil, nil, false
				}
			}
		}
	}
	return all, first, true
}

// shared reports whether a value is the same for both iterations: it is computed once before they part, and in no loop but such as
// they are started in.
func (t thing) shared() bool {
	f, blk := t.f, t.f.c.vals[t.r].blk
	if f.vague() || f.ghost != nil || f.sideOf(blk) != 0 {
		return false
	}
	for ; f.call != 0; f = f.up {
		if blk >= 0 && f.c.inner[blk] >= 0 {
			return false
		}
		blk = f.up.c.vals[f.call].blk
	}
	return blk < 0 || f.c.inner[blk] < 0 || f.at >= 0 && f.c.inLoop(f.c.inner[blk], f.c.blockOf(f.at))
}

// apart reports whether two values that both iterations share refer to different memory, for certain: each is new, or one of them is
// what a function is given and the other one what it, or one that it calls, has made; or it is given them as two.
func (t thing) apart(u thing) bool {
	if t.path != "" || u.path != "" {
		return false
	}
	m, n := t.f.newMemory(t.r), u.f.newMemory(u.r)
	switch {
	case m != 0 && n != 0:
		return t.f.id != u.f.id || m != n
	case m != 0:
		return u.f.call == 0 && u.f.given(u.r) && t.f.no >= u.f.no
	case n != 0:
		return t.f.call == 0 && t.f.given(t.r) && u.f.no >= t.f.no
	}
	return t.f.call == 0 && u.f.call == 0 && t.f.id == u.f.id && t.f.given(t.r) && u.f.given(u.r) && t.f.givenApart(t.r, u.r)
}

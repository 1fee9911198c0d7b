package index

// This file finds by how much a loop changes a value in every round.

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

// headerOf returns the loop that has the block as its header, or -1. What is not
// computed in a block, as a constant, has block -1.
func (c *code) headerOf(b int32) int32 {
	if b < 0 {
		return -1
	}
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

package index

import "github.com/iterace/iterace/internal/ssair"

// This file tells which elements takes cut off lists, see takes.go.

// Popped reports whether an instruction loads the very element that a take then
// cuts off a slice, and returns the load of the slice: what one thread has got so,
// no other gets from that place.
func (fn *Func) Popped(at ssair.Instr) (load ssair.Instr, ok bool) {
	c := fn.body()
	if c == nil {
		return 0, false
	}
	elem := c.get(c.at[at])
	if elem.op != opLoad {
		return 0, false
	}
	p := c.get(elem.a[0])
	for p.op == opFieldAddr {
		p = c.get(p.a[0])
	}
	if p.op != opIndexAddr || p.n >= 0 {
		return 0, false
	}
	list := c.get(p.a[0])
	for _, b := range list.bind {
		first := list
		if b.path == takeSame {
			first = c.get(b.v)
		}
		st := ssair.Instr(b.free)
		how := c.takes[st]
		if (b.path[0] == takeFirst || b.path == takeSame) && c.cutsOff(first, st, how, p.a[1]) && at > list.at && c.goesOn(list, at, st) {
			return list.at, true
		}
	}
	return 0, false
}

// Returns lists the loads by which a function has what it returns as result k, if it returns that, or nil, only.
func (fn *Func) Returns(k int) (loads []ssair.Instr, ok bool) {
	c := fn.body()
	if c == nil {
		return nil, false
	}
	for _, r := range c.rets {
		ret := c.vals[r].a
		if k >= len(ret) || ret[k] == 0 {
			return nil, false
		}
		switch v := c.get(ret[k]); {
		case v.op == opNone && v.at < 0 && v.blk < 0: // a constant
		case v.op == opLoad:
			loads = append(loads, v.at)
		default:
			return nil, false
		}
	}
	return loads, true
}

// cutsOff reports whether the take that ends with a store cuts off the element of
// an index.
func (c *code) cutsOff(list *val, store ssair.Instr, how string, i vref) bool {
	var cut *val
	for _, b := range list.bind {
		if ssair.Instr(b.free) == store && b.path[0] == takeFirst {
			cut = c.get(b.v)
		}
	}
	if cut == nil || cut.op != opSlice {
		return false
	}
	switch how {
	case takeHead:
		k, lo := c.get(i), c.get(cut.a[1])
		return k.op == opConst && lo.op == opConst && k.n < lo.n
	case takeTail:
		// [:len-1] and the element at len-1, of the same list.
		return c.sameLast(i, cut.a[2])
	}
	return false
}

// sameLast reports whether two values are the length of one list, less 1.
func (c *code) sameLast(x, y vref) bool {
	p, q := c.get(x), c.get(y)
	if p.op != opSub || q.op != opSub || !c.sameVal(p.a[1], q.a[1]) || c.get(p.a[1]).op != opConst || c.get(p.a[1]).n != 1 {
		return false
	}
	m, n := c.get(p.a[0]), c.get(q.a[0])
	return m == n || m.op == opLen && n.op == opLen && c.alikeNow(m.a[0], n.a[0])
}

// alikeNow reports whether two values are loads of one cell in one take.
func (c *code) alikeNow(x, y vref) bool {
	if c.sameVal(x, y) {
		return true
	}
	p, q := c.get(x), c.get(y)
	for _, b := range p.bind {
		for _, d := range q.bind {
			if b.free == d.free && b.path != takeAfter && d.path != takeAfter {
				return true
			}
		}
	}
	return false
}

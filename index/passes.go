package index

import "github.com/iterace/iterace/internal/ssair"

// This file asks whether a take that has begun is over where its value is used.

// passes reports whether control, each time it has passed a load, passes the
// store that ends its take before it gets to where the frame is: to the frame's
// instruction, or of a callee to the returns whose results depend on the load.
func (f *frame) passes(load *val, store ssair.Instr) bool {
	if f.call == 0 {
		return f.at >= 0 && (f.c.passes(load, store, f.at) || f.c.goesOn(load, f.at, store))
	}
	for _, r := range f.c.rets {
		ret := &f.c.vals[r]
		if f.c.dependsOn(ret, load, 0) && !f.c.passes(load, store, ret.at) {
			return false
		}
	}
	return true
}

// passes reports whether every way from a load to an instruction, on which the
// load is not passed again, passes the store.
func (c *code) passes(load *val, store, to ssair.Instr) bool {
	lb, sb, tb := load.blk, c.blockOf(store), c.blockOf(to)
	if sb == lb && store > load.at {
		return tb != lb || to <= load.at || to > store
	}
	if tb == lb && to > load.at {
		return false
	}
	seen := map[int32]bool{}
	work := append([]int32(nil), c.blocks[lb].succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if b == tb && (b != sb || to < store) && (b != lb || to < load.at) {
			return false
		}
		if b == sb || b == lb {
			continue
		}
		work = append(work, c.blocks[b].succs...)
	}
	return true
}

// goesOn reports whether every way on from an instruction, as from an element that
// is taken while the take is under way, leads to the store, and passes the load no
// more before.
func (c *code) goesOn(load *val, from, store ssair.Instr) bool {
	fb, sb := c.blockOf(from), c.blockOf(store)
	if fb == sb && from < store {
		return fb != load.blk || load.at < from || load.at > store
	}
	seen := map[int32]bool{}
	work := []int32{fb}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if len(c.blocks[b].succs) == 0 {
			return false
		}
		for _, s := range c.blocks[b].succs {
			switch {
			case s == sb:
				if s == load.blk && load.at < store {
					return false
				}
			case s == load.blk, s == fb:
				return false
			case !seen[s]:
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

// maxDepends bounds the operations between a load and what a callee returns.
const maxDepends = 8

// dependsOn reports whether a value may be computed from what a load yields.
func (c *code) dependsOn(v, load *val, depth int) bool {
	if v.at == load.at && v.at >= 0 || depth > maxDepends {
		return true
	}
	for _, a := range v.a {
		if a != 0 && c.dependsOn(c.get(a), load, depth+1) {
			return true
		}
	}
	for _, b := range v.bind {
		if b.path == takeSame && c.dependsOn(c.get(b.v), load, depth+1) {
			return true
		}
	}
	return false
}

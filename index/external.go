package index

import "golang.org/x/tools/go/ssa"

// OfCall returns what index forms need of a function without code that does something to the
// slices it is given, as if it passed its parameters on at instruction 0; nil if it is given none.
func OfCall(fn *ssa.Function) *Func {
	c := &code{name: fn.String(), vals: make([]val, 1), blocks: []block{{idom: -1, end: 1}}}
	c.vals[0].at, c.vals[0].blk = -1, -1
	call, slices := val{op: opCall, kind: kOther, a: []vref{0}, s: fn.String()}, false
	for k, p := range fn.Params {
		x := val{op: opParam, kind: kindOf(p.Type()), n: int64(k), s: p.Name(), at: -1, blk: -1}
		slices = slices || x.kind == kSlice
		c.params = append(c.params, x.s)
		c.vals = append(c.vals, x)
		call.a = append(call.a, vref(len(c.vals)-1))
	}
	if !slices {
		return nil
	}
	c.vals = append(c.vals, call)
	return new(packer).pack(c)
}

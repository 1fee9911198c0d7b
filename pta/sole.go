package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file decides which stores put a pointer into one place only. Whatever
// else has a pointer to that memory got it from there.

// An origin is where all that a value may point to comes from: new memory that
// nobody else has been given, and what was at one place before.
type origin struct {
	p      *Program
	place  ssa.Value                  // the address of that place, nil for none
	update *ssa.MapUpdate             // which puts it into a map, at that place; or nil
	round  func(ssa.Instruction) bool // in the round in which the value is used
	result bool                       // of a result: new memory is not stored, and arguments may come back
	args   uint64                     // of a result: the arguments that come back, or parts of them
	back   bool                       // the value may be what was at the place
	seen   map[ssa.Value]bool
}

// originIn is the origin of what is put somewhere in a block: at that place, nil where it is the element of a map.
func (l *lowerer) originIn(blk *ssa.BasicBlock, place ssa.Value) *origin {
	nat := l.ir.Innermost(blk)
	return &origin{
		p: l.p, place: place, seen: make(map[ssa.Value]bool),
		round: func(in ssa.Instruction) bool { return l.ir.Innermost(in.Block()) == nat },
	}
}

// storedSole reports whether the store puts in new memory that it alone has, or
// what was there, or a part of it.
func (l *lowerer) storedSole(st *ssa.Store) bool {
	o := l.originIn(st.Block(), st.Addr)
	return l.p.types.layoutOf(st.Val.Type()).Ptr && o.of(st.Val, freshDepth) && (!o.back || l.steady(st.Addr))
}

// yieldedAlone returns the call of a function that is not known of which a store puts a result, by its number and one, into one
// place only, zero if there is none: it may be new.
func (l *lowerer) yieldedAlone(st *ssa.Store) (call ssair.Instr, result int32) {
	c, _ := st.Val.(*ssa.Call)
	i := 0
	if x, ok := st.Val.(*ssa.Extract); ok {
		c, _ = x.Tuple.(*ssa.Call)
		i = x.Index
	}
	if c == nil || c.Call.StaticCallee() != nil || !l.p.types.layoutOf(st.Val.Type()).Ptr || !l.originIn(st.Block(), st.Addr).alone(st.Val) {
		return 0, 0
	}
	return l.ir.Num(c), int32(i + 1)
}

// updatedSole is storedSole for what is put into a map.
func (l *lowerer) updatedSole(up *ssa.MapUpdate) bool {
	o := l.originIn(up.Block(), nil)
	o.update = up
	return l.p.types.layoutOf(up.Value.Type()).Ptr && o.of(up.Value, freshDepth) && (!o.back || l.steady(up.Map) && l.steadyExpr(up.Key))
}

// putSole is storedSole for what is put into a new place, as append does: nothing of it was there before.
func (l *lowerer) putSole(v ssa.Value) bool {
	o := l.originIn(l.fn.Blocks[l.ir.Block(l.at)], nil)
	return l.p.types.layoutOf(v.Type()).Ptr && o.of(v, freshDepth)
}

// of reports whether v comes from the origin.
func (o *origin) of(v ssa.Value, depth int) bool {
	if o.seen[v] {
		return true // round a loop
	}
	o.seen[v] = true
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true // nil
	case *ssa.Parameter:
		for k, p := range v.Parent().Params {
			if p == v && o.result && k < 64 {
				o.args |= 1 << k
				return true
			}
		}
	case *ssa.Alloc:
		return o.alone(v)
	case *ssa.MakeSlice:
		return o.alone(v)
	case *ssa.MakeMap:
		return o.alone(v)
	case *ssa.MakeChan:
		return o.alone(v)
	case *ssa.Slice:
		return o.of(v.X, depth)
	case *ssa.ChangeType:
		return o.of(v.X, depth)
	case *ssa.ChangeInterface:
		return o.of(v.X, depth)
	case *ssa.MakeInterface:
		switch ssair.Under(v.X.Type()).(type) {
		case *types.Pointer, *types.Map, *types.Chan:
			return o.of(v.X, depth)
		}
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok && o.result && v.Op == token.MUL && resultCell(a) {
			for _, r := range *a.Referrers() {
				if st, ok := r.(*ssa.Store); ok && !o.of(st.Val, depth-1) {
					return false
				}
			}
			return true
		}
		o.back = true
		return v.Op == token.MUL && o.place != nil && sameAddr(v.X, o.place)
	case *ssa.Lookup:
		o.back = true
		return o.update != nil && sameAddr(v.X, o.update.Map) && sameExpr(v.Index, o.update.Key, freshDepth)
	case *ssa.Call:
		if ssair.IsBuiltin(v, "append") {
			return o.alone(v) && o.of(v.Call.Args[0], depth-1)
		}
		return o.call(v, v, 0, depth-1)
	case *ssa.Extract:
		if x, ok := v.Tuple.(*ssa.Lookup); ok && v.Index == 0 {
			return o.of(x, depth)
		}
		c, ok := v.Tuple.(*ssa.Call)
		return ok && o.call(c, v, v.Index, depth-1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !o.of(e, depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

// alone reports whether what an instruction makes goes into one place only.
func (o *origin) alone(v ssa.Value) bool {
	if in, ok := v.(ssa.Instruction); o.round != nil && (!ok || !o.round(in)) {
		return false
	}
	if o.result {
		return timesStoredBut(v, func(st *ssa.Store) bool {
			a, ok := st.Addr.(*ssa.Alloc)
			return ok && resultCell(a)
		}, nil) == 0
	}
	return timesStoredBut(v, nil, o.p.givesBack) <= 1 && !returned(v)
}

// loads reports whether a value is loaded from a variable.
func loads(v ssa.Value, a *ssa.Alloc) bool {
	ld, ok := v.(*ssa.UnOp)
	return ok && ld.Op == token.MUL && ld.X == a
}

// givesBack reports whether the result of a call may be an argument, or part of it.
func (p *Program) givesBack(c *ssa.Call, arg ssa.Value) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" && c.Call.Args[0] == arg
	}
	if !types.Identical(c.Type(), arg.Type()) {
		return false
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return true
	}
	if e := p.entry(fn); e != nil && p.blackHole(e) {
		return slices.ContainsFunc(e.Returns, func(k int) bool { return k >= 0 && k < len(c.Call.Args) && c.Call.Args[k] == arg })
	}
	from := p.resultFrom(fn, 0)
	for k, a := range c.Call.Args {
		if a == arg && (!from.Known || k >= 64 || from.Args&(1<<k) != 0) {
			return true
		}
	}
	return false
}

// resultCell reports whether a variable only holds a result until the function,
// which recovers from panics, returns it: where it is named, return v, nil stores there
// what is there.
func resultCell(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != a {
				return false
			}
		case *ssa.UnOp:
			for _, u := range *r.Referrers() {
				st, ok := u.(*ssa.Store)
				if _, returns := u.(*ssa.Return); !returns && !(ok && st.Addr == a) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// call follows result i of a call, the value v.
func (o *origin) call(c *ssa.Call, v ssa.Value, i, depth int) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || !o.alone(v) {
		return false
	}
	if e := o.p.entry(fn); e != nil && o.p.blackHole(e) {
		for _, k := range e.Returns {
			if k < 0 || k >= len(c.Call.Args) || !o.of(c.Call.Args[k], depth) {
				return false
			}
		}
		return e.Fresh || e.MakesResult() || len(e.Returns) > 0 && len(e.Copies) == 0 && !e.ReturnsCalled
	}
	from := o.p.resultFrom(fn, i)
	for k, a := range c.Call.Args {
		if from.Args&(1<<k) != 0 && !o.of(a, depth) {
			return false
		}
	}
	return from.Known
}

// A returnKey names a result of a function.
type returnKey struct {
	fn *ssa.Function
	i  int
}

// A returnFrom says where a result comes from, if all that it may be is new
// memory, or an argument or a part of one: Args is the bit set of those.
type returnFrom struct {
	Args  uint64
	Known bool
}

// resultFrom returns where result i of fn comes from; recursion answers "not
// known".
func (p *Program) resultFrom(fn *ssa.Function, i int) returnFrom {
	if fn.Blocks == nil {
		if s, known := p.summary(fn); known && i < len(s.From) {
			return s.From[i]
		}
		return returnFrom{}
	}
	k := returnKey{fn, i}
	if r, ok := p.returns[k]; ok {
		return r
	}
	if p.returns == nil {
		p.returns = make(map[returnKey]returnFrom)
	}
	p.returns[k] = returnFrom{}
	o := &origin{p: p, result: true, seen: make(map[ssa.Value]bool)}
	some := false
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if ret, ok := in.(*ssa.Return); ok {
				some = true
				if i >= len(ret.Results) || !o.of(ret.Results[i], freshDepth) {
					return returnFrom{}
				}
			}
		}
	}
	if some {
		p.returns[k] = returnFrom{o.args, true}
	}
	return p.returns[k]
}

// returned reports whether v, or a conversion of it, is a result of its function.
func returned(v ssa.Value) bool {
	found := false
	eachUse(v, func(_ ssa.Value, r ssa.Instruction) []ssa.Value {
		_, ret := r.(*ssa.Return)
		found = found || ret
		return nil
	})
	return found
}

// steady reports whether an address stays the same wherever the function
// computes it: no pointer on the way to it is stored to. What callees do to
// these pointers is not looked at (soundness: sole-owner).
func (l *lowerer) steady(addr ssa.Value) bool {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.UnOp:
			if st, ok := ssair.AssignedBefore(a); ok && st.Parent() == l.fn {
				if _, given := st.Val.(*ssa.Parameter); given {
					return true
				}
			}
			for _, b := range l.fn.Blocks {
				for _, in := range b.Instrs {
					if st, ok := in.(*ssa.Store); ok && sameAddr(st.Addr, a.X) {
						return false
					}
				}
			}
			addr = a.X
		default:
			return true
		}
	}
}

// steadyExpr is steady for what sums and the like are made of.
func (l *lowerer) steadyExpr(v ssa.Value) bool {
	if x, ok := v.(*ssa.BinOp); ok {
		return l.steadyExpr(x.X) && l.steadyExpr(x.Y)
	}
	return l.steady(v)
}

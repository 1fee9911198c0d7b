package pta

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// This file finds what is taken out of a list by hand:
//
//	x := p.free[n-1]
//	p.free = p.free[:n-1]
//
// or x := q.head; q.head = x.next, or x := m[k]; delete(m, k). Whoever takes it is
// the only one who has it from there, until it is put back (soundness: tenure).

// takenLoad is the Arg of an OpLoad of what is taken out.
const takenLoad = 1

// takes reports whether the function of a load removes what it has loaded.
func takes(in *ssa.UnOp) int32 {
	for _, b := range in.Parent().Blocks {
		for _, i := range b.Instrs {
			if st, ok := i.(*ssa.Store); ok && removes(st, in) {
				return takenLoad
			}
		}
	}
	return 0
}

// takesKey is takes for what is looked up in a map.
func takesKey(in *ssa.Lookup) int32 {
	for _, b := range in.Parent().Blocks {
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if ok && isBuiltin(c, "delete") && sameExpr(c.Call.Args[0], in.X, freshDepth) && sameExpr(c.Call.Args[1], in.Index, freshDepth) {
				return takenLoad
			}
		}
	}
	return 0
}

// removes reports whether a store makes a list begin behind, or end before, what a
// load has yielded.
func removes(st *ssa.Store, load *ssa.UnOp) bool {
	switch from := load.X.(type) {
	case *ssa.IndexAddr:
		list, ok := from.X.(*ssa.UnOp)
		if !ok || !sameAddr(list.X, st.Addr) {
			return false
		}
		cut, ok := st.Val.(*ssa.Slice)
		if !ok || !sameExpr(cut.X, list, freshDepth) {
			return false
		}
		if cut.Low == nil {
			return cut.High != nil && sameExpr(cut.High, from.Index, freshDepth)
		}
		return constIs(cut.Low, 1) && constIs(from.Index, 0)
	case *ssa.FieldAddr:
		if !sameAddr(from, st.Addr) {
			return false
		}
		next, ok := st.Val.(*ssa.UnOp)
		if !ok {
			return false
		}
		a, ok := next.X.(*ssa.FieldAddr)
		return ok && sameExpr(a.X, load, freshDepth)
	}
	return false
}

// sameExpr reports whether two values are computed in the same way. What happens
// between is not looked at: it is a matter of a list that is held under a lock.
func sameExpr(a, b ssa.Value, depth int) bool {
	if a == b {
		return true
	}
	if depth == 0 {
		return false
	}
	switch a := a.(type) {
	case *ssa.Const:
		b, ok := b.(*ssa.Const)
		return ok && a.Value != nil && b.Value != nil && constant.Compare(a.Value, token.EQL, b.Value)
	case *ssa.BinOp:
		b, ok := b.(*ssa.BinOp)
		return ok && a.Op == b.Op && sameExpr(a.X, b.X, depth-1) && sameExpr(a.Y, b.Y, depth-1)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == b.Op && (sameAddr(a.X, b.X) || sameExpr(a.X, b.X, depth-1))
	case *ssa.Call:
		b, ok := b.(*ssa.Call)
		return ok && isBuiltin(a, "len") && isBuiltin(b, "len") && sameExpr(a.Call.Args[0], b.Call.Args[0], depth-1)
	}
	return false
}

func constIs(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}

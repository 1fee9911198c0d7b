package flow

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds the loops that come to each element of a list, or of a map, or to all that a channel has before it is
// closed:
//
//	for _, f := range futures {
//		<-f.done
//	}
//
// A part of a list is none of these, even where it is all of it.

// each returns the paths by which a loop has the elements of what it goes over from the first one to the last: the address
// of the element of a list, the copy of that in a variable of its own, the value in a map.
func (b *builder) each(l *ssair.Loop, fl *Loop) (elems []PathID) {
	add := func(v ssa.Value) {
		if p := b.path(v); p > 0 {
			elems = append(elems, p)
		}
	}
	for _, i := range fl.Blocks {
		for _, in := range b.ir.SSA.Blocks[i].Instrs {
			switch v := in.(type) {
			case *ssa.IndexAddr:
				if ind, ok := b.induction(l, v.Index); ok && ind.known && ind.lo == 0 && ind.step == 1 && b.goesOver(fl.Trip, v.X) {
					add(v)
					for _, st := range copies(v) {
						add(st.Addr)
					}
				}
			case *ssa.Extract:
				switch t := v.Tuple.(type) {
				case *ssa.UnOp: // of a channel
					if fl.Drains && v.Index == 0 && t.Op == token.ARROW && int32(t.Block().Index) == fl.Header {
						add(v)
						for _, st := range keptIn(v) {
							add(st.Addr)
						}
					}
				}
				if next, ok := v.Tuple.(*ssa.Next); ok && fl.Trip.Kind == TripUnknown && v.Index > 0 && int32(next.Block().Index) == fl.ExitFrom {
					add(v)
				}
			}
		}
	}
	return elems
}

// keptIn lists the stores of a value to variables that have nothing else.
func keptIn(v ssa.Value) (out []*ssa.Store) {
	for _, in := range *v.Referrers() {
		if st, ok := in.(*ssa.Store); ok && st.Val == v && onlyStore(st) {
			out = append(out, st)
		}
	}
	return out
}

// copies lists the stores of what lies at an address to variables that have nothing else.
func copies(addr ssa.Value) (out []*ssa.Store) {
	for _, in := range *addr.Referrers() {
		ld, ok := in.(*ssa.UnOp)
		if !ok || ld.Op != token.MUL {
			continue
		}
		for _, in := range *ld.Referrers() {
			if st, ok := in.(*ssa.Store); ok && st.Val == ld && onlyStore(st) {
				out = append(out, st)
			}
		}
	}
	return out
}

// onlyStore reports whether a store is the only one to the whole of a variable of its function.
func onlyStore(st *ssa.Store) bool {
	v, ok := st.Addr.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		other, ok := in.(*ssa.Store)
		return ok && other != st && other.Addr == v
	})
}

// goesOver reports whether as many rounds as a trip has, which begin with the first element of a list, come to all
// elements.
func (b *builder) goesOver(t Trip, list ssa.Value) bool {
	if ptr, ok := ssair.Under(list.Type()).(*types.Pointer); ok { // to an array
		arr, ok := ssair.Under(ptr.Elem()).(*types.Array)
		return ok && t.Kind == TripConst && t.N == arr.Len()
	}
	whole := list
	if ld, ok := list.(*ssa.UnOp); ok && ld.Op == token.MUL {
		if st, ok := ssair.AssignedOnce(ld.X); ok {
			whole = st.Val
		}
	}
	switch v := whole.(type) {
	case *ssa.Slice:
		n, ok := madeLen(v)
		return ok && v.Low == nil && t.Kind == TripConst && t.N == n
	case *ssa.MakeSlice:
		// A captured list is made by another function, whose values have no path here.
		if t.Kind == TripBound && t.N == 0 && v.Parent() == b.ir.SSA && b.path(v.Len) == t.Bound {
			return true
		}
	}
	if t.Kind != TripBound || t.N != 0 {
		return false
	}
	n := &b.paths[t.Bound]
	return n.kind == pathLen && n.base == b.path(list)
}

package pta

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// This file is about slices that go back to where they come from:
//
//	p.idle = append(p.idle, c)
//	p.idle = p.idle[1:]
//
// What p.idle held, it holds already: the store adds the memory that append may
// have made, and nothing else. It pays to say so, because p may stand for several
// objects, each with a slice and a lock of its own: stored as a whole, the slices of
// all of them would be those of each, and no lock would guard any. Both times p is
// the same (soundness: sole-owner).

// A grownKey names the copy of an append that is lowered.
type grownKey struct {
	v    *ssa.Call
	loop *splitLoop
	side uint8
}

// backTo reports whether v is what is at a place already, or a part of it, or what
// appends make of that; steps lists the slicings and appends. A chain without a phi
// is computed in one round, so that both addresses are.
func (l *lowerer) backTo(v ssa.Value, at func(ssa.Value) bool) (steps []ssa.Value, ok bool) {
	for {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Slice:
			if !ssair.IsSlice(x.X.Type()) || l.window(x) {
				return nil, false
			}
			steps, v = append(steps, x), x.X
		case *ssa.Call:
			if !ssair.IsBuiltin(x, "append") {
				return nil, false
			}
			steps, v = append(steps, x), x.Call.Args[0]
		default:
			return steps, at(v)
		}
	}
}

// storedBack is backTo for a store.
func (l *lowerer) storedBack(st *ssa.Store) (steps []ssa.Value, ok bool) {
	if !ssair.IsSlice(st.Val.Type()) {
		return nil, false
	}
	return l.backTo(st.Val, func(v ssa.Value) bool {
		ld, ok := v.(*ssa.UnOp)
		return ok && ld.Op == token.MUL && sameAddr(ld.X, st.Addr) && l.steady(st.Addr)
	})
}

// putBack is backTo for an element of a map: whatever the key, the content of the
// map has it already.
func (l *lowerer) putBack(up *ssa.MapUpdate) (steps []ssa.Value, ok bool) {
	if !ssair.IsSlice(up.Value.Type()) {
		return nil, false
	}
	return l.backTo(up.Value, func(v ssa.Value) bool {
		if e, ok := v.(*ssa.Extract); ok {
			v = e.Tuple
		}
		x, ok := v.(*ssa.Lookup)
		return ok && sameAddr(x.X, up.Map) && l.steady(up.Map)
	})
}

// grownBack reports whether the result of an append is put back where its first
// argument comes from.
func (l *lowerer) grownBack(v ssa.Value) bool {
	refs := v.Referrers()
	if refs == nil {
		return false
	}
	for _, r := range *refs {
		var steps []ssa.Value
		var ok bool
		switch r := r.(type) {
		case *ssa.Store:
			steps, ok = l.storedBack(r)
		case *ssa.MapUpdate:
			steps, ok = l.putBack(r)
		case *ssa.Slice:
			if l.grownBack(r) {
				return true
			}
		case *ssa.Call:
			if ssair.IsBuiltin(r, "append") && l.grownBack(r) {
				return true
			}
		}
		if ok && slices.Contains(steps, v) {
			return true
		}
	}
	return false
}

// addedBack returns the node of what a store of s adds to where it comes back to,
// None for nothing.
func (l *lowerer) addedBack(s Node, steps []ssa.Value, back bool) Node {
	if !back || s == None {
		return s
	}
	n := None
	for _, v := range steps {
		d := None
		switch x := v.(type) {
		case *ssa.Call:
			k, ok := l.grown[grownKey{x, l.loop, l.side}]
			if !ok {
				return s // lowered in another copy
			}
			d = k
		case *ssa.Slice:
			lay := l.p.types.layout(l.elem(x.X.Type()))
			if x.High == nil || withinLen(x.X, x.High) || !lay.Ptr || !splits(lay) {
				continue
			}
			d = l.newNodes(1)
			l.widen(d, l.val(x.X), lay)
		}
		if n == None {
			n = l.newNodes(1)
		}
		l.copyLeaves(n, d, 1)
	}
	return n
}

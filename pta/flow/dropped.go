package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// This file finds what a field, or a variable behind a pointer, is forgotten by when
// it is given away:
//
//	pool.Put(r.buf)
//	r.buf = nil
//
// Who looks there later does not find what was given away, but nil, or what was put
// there since. Whether the call gives its argument away is not for this file to say.

// dropped collects the calls of Dropped. The place must be set in the block of the
// call, so that there is no way around it.
func (b *builder) dropped() {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || !isNil(st.Val) {
				continue
			}
			slot := b.path(st.Addr)
			if slot == 0 {
				continue
			}
			for _, in := range blk.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok && b.passesFrom(c.Common(), slot) {
					b.Dropped = append(b.Dropped, b.ir.Num(in))
				}
			}
		}
	}
	slices.Sort(b.Dropped)
	b.Dropped = slices.Compact(b.Dropped)
}

// passesFrom reports whether a call is passed what was loaded from a slot.
func (b *builder) passesFrom(c *ssa.CallCommon, slot PathID) bool {
	from := func(v ssa.Value) bool {
		for v != nil {
			if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
				return b.path(ld.X) == slot
			}
			src := sources(v)
			if len(src) != 1 {
				return false
			}
			v = src[0]
		}
		return false
	}
	return slices.ContainsFunc(c.Args, from) || c.IsInvoke() && from(c.Value)
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil && refers(c.Type())
}

// Drops reports whether the call at a site is passed what a place held that is set
// to nil beside it.
func (f *Func) Drops(at ssair.Instr) bool {
	_, ok := slices.BinarySearch(f.Dropped, at)
	return ok
}

// sent returns the path of what a send hands over: a number gives nothing away,
// wherever it was read.
func (b *builder) sent(v ssa.Value) PathID {
	if v == nil || !carries(v.Type()) {
		return 0
	}
	return b.path(v)
}

// carries reports whether values of a type may refer to memory.
func carries(t types.Type) bool {
	switch t := ssair.Under(t).(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr
	case *types.Array:
		return carries(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if carries(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

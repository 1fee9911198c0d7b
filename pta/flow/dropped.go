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
// there since; nor does he where something else is put there at once, new memory or what a
// call yields:
//
//	pool.Put(buf)
//	buf = bigger
//
// Whether the call gives its argument away is not for this file to say.

// dropped collects the calls of Dropped and Replaced. The place must be set in the block of the
// call, so that there is no way around it, and after what the call is passed was found there.
func (b *builder) dropped() {
	for _, blk := range b.ir.SSA.Blocks {
		passed := b.passed(blk)
		if len(passed) == 0 {
			continue
		}
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || !refers(st.Val.Type()) {
				continue
			}
			if isNil(st.Val) {
				if slot := b.path(st.Addr); slot != 0 {
					for _, p := range passed {
						if b.path(p.load.X) == slot {
							b.Dropped = append(b.Dropped, p.call)
						}
					}
				}
				continue
			}
			for _, p := range passed {
				if sameSlot(p.load.X, st.Addr) && (p.load.Block() != blk || b.ir.Num(p.load) < b.ir.Num(st)) &&
					b.another(st.Val, st.Addr) && !b.lookedAt(st, p.call) {
					b.Replaced = append(b.Replaced, p.call)
				}
			}
		}
	}
	for _, list := range []*[]ssair.Instr{&b.Dropped, &b.Replaced} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// A loaded is a call that is passed what was loaded somewhere.
type loaded struct {
	call ssair.Instr
	load *ssa.UnOp
}

// passed lists what the calls of a block are passed that was loaded.
func (b *builder) passed(blk *ssa.BasicBlock) (out []loaded) {
	for _, in := range blk.Instrs {
		if c, ok := in.(ssa.CallInstruction); ok {
			for _, ld := range loadedFor(c.Common()) {
				out = append(out, loaded{b.ir.Num(in), ld})
			}
		}
	}
	return out
}

// loadedFor lists the loads that yield what a call is passed.
func loadedFor(c *ssa.CallCommon) (out []*ssa.UnOp) {
	add := func(v ssa.Value) {
		for v != nil {
			if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
				out = append(out, ld)
				return
			}
			src := sources(v)
			if len(src) != 1 {
				return
			}
			v = src[0]
		}
	}
	for _, a := range c.Args {
		add(a)
	}
	if c.IsInvoke() {
		add(c.Value)
	}
	return out
}

// another reports whether a value is something else than what a slot has held, as far as is
// known: all that it may come from is new memory, or what a call yields that was not passed that.
func (b *builder) another(v, slot ssa.Value) bool {
	for x := range b.behind(v) {
		switch x := x.(type) {
		case *ssa.Call:
			if len(sources(x)) == 0 && slices.ContainsFunc(loadedFor(x.Common()), func(ld *ssa.UnOp) bool { return sameSlot(ld.X, slot) }) {
				return false
			}
		case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Const:
		default:
			if x == nil || len(sources(x)) == 0 {
				return false
			}
		}
	}
	return true
}

// lookedAt reports whether, between a call and a store of its block, the slot of the store may be
// looked at.
func (b *builder) lookedAt(st *ssa.Store, call ssair.Instr) bool {
	base := st.Addr
	for f, ok := base.(*ssa.FieldAddr); ok; f, ok = base.(*ssa.FieldAddr) {
		base = f.X
	}
	return slices.ContainsFunc(st.Block().Instrs, func(in ssa.Instruction) bool {
		if n := b.ir.Num(in); n <= call || n >= b.ir.Num(st) {
			return false
		}
		if ld, ok := in.(*ssa.UnOp); ok && ld.Op == token.MUL {
			return sameSlot(ld.X, st.Addr)
		}
		c, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		fn := c.Common().StaticCallee()
		return fn == nil || len(fn.FreeVars) > 0 || slices.ContainsFunc(c.Common().Args, func(a ssa.Value) bool { return a == base || a == st.Addr })
	})
}

// sameSlot reports whether two addresses are one variable's, or that of one field of it.
func sameSlot(x, y ssa.Value) bool {
	f, okf := x.(*ssa.FieldAddr)
	g, okg := y.(*ssa.FieldAddr)
	if okf && okg {
		return f.Field == g.Field && sameSlot(f.X, g.X)
	}
	return x == y
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

// Replaces reports whether the call at a site is passed what a place held into which
// something else is put beside it.
func (f *Func) Replaces(at ssair.Instr) bool {
	_, ok := slices.BinarySearch(f.Replaced, at)
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

package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// returnLoads corrects the order of a return statement. go/ssa loads the
// operands of `return xs, g.Wait()` from left to right, so xs before the
// call; the compiler calls first and loads xs then (soundness: return-order).
// And `return n` of a named result n stores n to itself, which the compiled
// program does not do.
func (b *builder) returnLoads(blk *ssa.BasicBlock) {
	last := len(blk.Instrs) - 1
	if last < 0 {
		return
	}
	ret, ok := blk.Instrs[last].(*ssa.Return)
	if !ok || !ret.Pos().IsValid() {
		return
	}
	end := last // where the statement's own evaluation ends
	for i, in := range blk.Instrs {
		if _, ok := in.(*ssa.RunDefers); ok {
			end = i
			break
		}
	}
	start := b.ir.Start[blk.Index]
	for i, in := range blk.Instrs[:end] {
		ld, ok := in.(*ssa.UnOp)
		if !ok || ld.Op != token.MUL || !inReturn(ld, ret) {
			continue
		}
		st, only := soleUse(ld)
		if !only {
			continue
		}
		if st != nil && st.Addr == ld.X && nothingBetween(blk.Instrs[i+1:end]) {
			b.phantom = append(b.phantom, start+ssair.Instr(i), b.ir.Num(st))
			continue
		}
		b.moved = append(b.moved, move{start + ssair.Instr(i), start + ssair.Instr(end)})
	}
}

// returns notes what a return statement yields, and tells which of its results are nil.
func (b *builder) returns(ret *ssa.Return) (none uint64) {
	if b.Returned == nil {
		b.Returned = make([]PathID, len(ret.Results))
		b.differ = make([]bool, len(ret.Results))
		b.Yields = make([][]PathID, len(ret.Results))
		for i := range b.Yields {
			b.Yields[i] = []PathID{}
		}
	}
	for i := range ret.Results {
		v := b.result(ret, i)
		if c, ok := v.(*ssa.Const); ok && c.Value == nil {
			none |= 1 << i // reaches nothing
			continue
		}
		b.holds(i, v)
		from := b.path(cutFrom(v))
		if from <= 0 || len(b.Yields[i]) >= maxYields {
			from = -1
		}
		if !slices.Contains(b.Yields[i], from) {
			b.Yields[i] = append(b.Yields[i], from)
		}
		p := b.path(v)
		if b.differ[i] = b.differ[i] || p <= 0 || b.Returned[i] > 0 && b.Returned[i] != p; b.differ[i] {
			p = 0
		}
		b.Returned[i] = p
	}
	return none
}

// holds notes what the fields of a struct have that is returned from a variable:
//
//	return frame{seq: n, body: b.data}
func (b *builder) holds(result int, v ssa.Value) {
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return
	}
	cell, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return
	}
	for _, use := range *cell.Referrers() {
		field, ok := use.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *field.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != field {
				continue
			}
			h := Held{result, b.path(cutFrom(st.Val))}
			if h.Value > 0 && len(b.Holds) < maxYields && !slices.Contains(b.Holds, h) {
				b.Holds = append(b.Holds, h)
			}
		}
	}
}

// spill notes a variable that holds a struct which the function is given, or a call of it returns:
//
//	func (c *collector) accept(f frame) { c.add(f.body) }
func (b *builder) spill(cell *ssa.Alloc, at ssair.Instr) {
	if cell.Heap {
		return
	}
	var set *ssa.Store
	for _, use := range *cell.Referrers() {
		switch use := use.(type) {
		case *ssa.Store:
			if set != nil || use.Addr != cell {
				return
			}
			set = use
		case *ssa.FieldAddr:
			if slices.ContainsFunc(*use.Referrers(), func(in ssa.Instruction) bool {
				ld, ok := in.(*ssa.UnOp)
				return !ok || ld.Op != token.MUL
			}) {
				return
			}
		}
	}
	if set == nil || !isStruct(cell) {
		return
	}
	switch set.Val.(type) {
	case *ssa.Parameter, *ssa.Call, *ssa.Extract:
		if v := b.path(set.Val); v > 0 {
			b.Spills = append(b.Spills, Spill{at, v})
		}
	}
}

func isStruct(cell *ssa.Alloc) bool {
	_, ok := ssair.Under(cell.Type().Underlying().(*types.Pointer).Elem()).(*types.Struct)
	return ok
}

// Unspilled names what a path leads to by the struct that a variable holds, if the path begins with a load from such a variable.
func (f *Func) Unspilled(p Path) Path {
	at, ok := p.Made()
	load := strings.IndexAny(p.Sels, "*~[#")
	if !ok || load < 0 || p.Sels[load] != '*' && p.Sels[load] != '~' {
		return p
	}
	rest := p.Sels[load+1:]
	if p.Sels[load] == '~' {
		rest = strings.TrimLeft(rest, "-0123456789") // the version of the memory
	}
	for _, s := range f.Spills {
		if s.At == at {
			v := f.Path(s.Value)
			return Path{v.Root, v.Sels + p.Sels[:load] + rest}
		}
	}
	return p
}

// cutFrom returns the slice, or the pointer to an array, that a slice is cut from.
func cutFrom(v ssa.Value) ssa.Value {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			return v
		}
		v = s.X
	}
}

// maxYields bounds the values told apart that a result may have.
const maxYields = 8

// inReturn reports whether the load belongs to the text of the return
// statement. A load without a position counts as such if no call before the
// statement lies between.
func inReturn(ld *ssa.UnOp, ret *ssa.Return) bool {
	pos := ld.Pos()
	if !pos.IsValid() {
		pos = ld.X.Pos()
		if fa, ok := ld.X.(*ssa.FieldAddr); ok {
			pos = fa.Pos()
		} else {
			return false
		}
	}
	return pos > ret.Pos()
}

// soleUse reports whether the only use of ld, conversions apart, is to be
// returned: by the Return itself or by a store into a result variable.
func soleUse(ld ssa.Value) (*ssa.Store, bool) {
	for {
		refs := ld.Referrers()
		if refs == nil || len(*refs) != 1 {
			return nil, false
		}
		switch r := (*refs)[0].(type) {
		case *ssa.Return:
			return nil, true
		case *ssa.Store:
			_, local := r.Addr.(*ssa.Alloc)
			if _, free := r.Addr.(*ssa.FreeVar); free {
				local = true // result of the function around a range-over-func body
			}
			return r, local && r.Val == ld
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Convert:
			ld = r.(ssa.Value)
		default:
			return nil, false
		}
	}
}

func nothingBetween(ins []ssa.Instruction) bool {
	for _, in := range ins {
		switch in.(type) {
		case *ssa.Store, *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

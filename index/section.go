package index

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file is about what lies between the load and the store of a take: that both
// are of one cell, and that nothing in between lets others in.

// sameCell reports whether two addresses of the function are computed alike.
func (b *builder) sameCell(x, y ssa.Value, depth int) bool {
	if x == y {
		return true
	}
	if depth > 4 {
		return false
	}
	switch x := x.(type) {
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && b.sameCell(x.X, y.X, depth+1)
	case *ssa.IndexAddr:
		y, ok := y.(*ssa.IndexAddr)
		return ok && x.Index == y.Index && b.sameCell(x.X, y.X, depth+1)
	case *ssa.UnOp:
		// A pointer that is loaded twice, and that the function does not set.
		y, ok := y.(*ssa.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && b.sameCell(x.X, y.X, depth+1) && !b.sets(x.X, depth+1)
	}
	return false
}

// sets reports whether the function stores a pointer at an address, or at one
// that is computed in another way and may be the same.
func (b *builder) sets(p ssa.Value, depth int) bool {
	for _, st := range b.pointers {
		if st.Addr == p || b.sameCell(st.Addr, p, depth) {
			return true
		}
		x, okX := st.Addr.(*ssa.FieldAddr)
		y, okY := p.(*ssa.FieldAddr)
		if okX && okY && x.Field == y.Field && types.Identical(x.X.Type(), y.X.Type()) {
			return true
		}
	}
	return false
}

// pure reports whether control can get from one instruction to another, and
// whether it then passes nothing that may release a lock or store to the cell
// of the take.
func (b *builder) pure(from, to ssa.Instruction) bool {
	blocks := b.f.SSA.Blocks
	back := make([]bool, len(blocks)) // leads to the instruction, and has not passed it
	work := []*ssa.BasicBlock{to.Block()}
	direct := from.Block() == to.Block() && b.f.Num(from) < b.f.Num(to)
	for len(work) > 0 && !direct {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range x.Preds {
			if !back[p.Index] {
				back[p.Index] = true
				if p != from.Block() {
					work = append(work, p)
				}
			}
		}
	}
	if !direct && !back[from.Block().Index] {
		return false
	}
	cell := cellOfTake(to)
	if cell == nil {
		cell = cellOfTake(from)
	}
	harmless := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Call:
			_, builtin := in.Call.Value.(*ssa.Builtin)
			return builtin
		case *ssa.Go, *ssa.Defer, *ssa.RunDefers, *ssa.Send, *ssa.Select, *ssa.Return:
			return false
		case *ssa.UnOp:
			return in.Op != token.ARROW
		case *ssa.Store:
			return !b.sameCell(in.Addr, cell, 0)
		}
		return true
	}
	// Forward from the one to the other.
	seen := make([]bool, len(blocks))
	scan := func(x *ssa.BasicBlock, first bool) bool {
		for _, in := range x.Instrs {
			if first && b.f.Num(in) <= b.f.Num(from) {
				continue
			}
			if in == to {
				return true
			}
			if in == from {
				return true // from here on it is another round
			}
			if !harmless(in) {
				return false
			}
		}
		for _, s := range x.Succs {
			if !seen[s.Index] && (s == to.Block() || back[s.Index]) {
				seen[s.Index] = true
				work = append(work, s)
			}
		}
		return true
	}
	work = work[:0]
	if !scan(from.Block(), true) {
		return false
	}
	if direct {
		return true
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if !scan(x, false) {
			return false
		}
	}
	return true
}

func cellOfTake(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return in.Addr
	case *ssa.UnOp:
		return in.X
	}
	return nil
}

// precedes reports whether the second of two instructions runs only after the
// first one has.
func (b *builder) precedes(x, y ssa.Instruction) bool {
	if x.Block() == y.Block() {
		return b.f.Num(x) < b.f.Num(y)
	}
	return x.Block().Dominates(y.Block())
}

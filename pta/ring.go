package pta

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file finds what is taken out of a ring, see taken.go:
//
//	for q.n == 0 {
//		q.filled.Wait()
//	}
//	x := q.ring[q.head]
//	q.head = (q.head + 1) % len(q.ring)
//	q.n--
//
// The place is filled anew before the ring comes around to it (soundness: ring-slots): what the function
// asks of the ring's other numbers before it takes something is taken to be whether there is something.

// takesSlot reports whether a load finds an element of a list by an index that its function moves on then,
// as everybody does who sets it.
func (p *Program) takesSlot(in *ssa.UnOp, list ssa.Value) bool {
	at, ok := in.X.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	head := indexField(at.Index)
	if head == nil || !sameOwner(head, list) {
		return false
	}
	moves := func(i ssa.Instruction) bool {
		st, ok := i.(*ssa.Store)
		return ok && sameAddr(head, st.Addr) && movesOn(st)
	}
	return p.movedOnly(head) && p.removedAfter(in, moves) && p.keepsList(list) && asksBefore(in, head)
}

// indexField returns the address of the field that an index comes from, itself or round a ring of some
// length: q.head, q.head % len(q.ring) or q.head & q.mask.
func indexField(v ssa.Value) *ssa.FieldAddr {
	if b, ok := v.(*ssa.BinOp); ok && (b.Op == token.REM || b.Op == token.AND) {
		v = b.X
	}
	if c, ok := v.(*ssa.Convert); ok {
		v = c.X
	}
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return nil
	}
	a, _ := ld.X.(*ssa.FieldAddr)
	return a
}

// sameOwner reports whether two addresses are those of fields of one struct.
func sameOwner(a *ssa.FieldAddr, b ssa.Value) bool {
	f, ok := b.(*ssa.FieldAddr)
	return ok && sameAddr(a.X, f.X)
}

// movesOn reports whether a store adds one to what is there, or does so round a ring.
func movesOn(st *ssa.Store) bool {
	v := st.Val
	if b, ok := v.(*ssa.BinOp); ok && (b.Op == token.REM || b.Op == token.AND) {
		v = b.X
	}
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op != token.ADD || !constIs(b.Y, 1) {
		return false
	}
	ld, ok := b.X.(*ssa.UnOp)
	return ok && ld.Op == token.MUL && sameAddr(ld.X, st.Addr)
}

// movedOnly reports whether all that is ever stored in a field, which no other package can set, moves it on: who
// sets it back finds again what others have taken.
func (p *Program) movedOnly(addr *ssa.FieldAddr) bool {
	f := fieldOf(addr)
	if f == nil || f.Exported() {
		return false
	}
	if p.sites == nil {
		p.countSites()
	}
	return !slices.ContainsFunc(p.fieldStores[f], func(st *ssa.Store) bool { return !movesOn(st) })
}

// asksBefore reports whether control comes to a load by a branch on another field of the struct that an
// index lies in: how many there are, or where the next one is put.
func asksBefore(load *ssa.UnOp, head *ssa.FieldAddr) bool {
	asks := func(v ssa.Value) bool {
		for range 2 {
			if c, ok := v.(*ssa.Convert); ok {
				v = c.X
			}
		}
		ld, ok := v.(*ssa.UnOp)
		return ok && ld.Op == token.MUL && sameOwner(head, ld.X) && !sameAddr(head, ld.X)
	}
	for b := load.Block(); b != nil; b = b.Idom() {
		up := b.Idom()
		if up == nil {
			return false
		}
		branch, ok := up.Instrs[len(up.Instrs)-1].(*ssa.If)
		if !ok || !slices.ContainsFunc(up.Succs, func(s *ssa.BasicBlock) bool { return s == b && len(s.Preds) == 1 }) {
			continue
		}
		if is, ok := branch.Cond.(*ssa.BinOp); ok && (asks(is.X) || asks(is.Y)) {
			return true
		}
	}
	return false
}

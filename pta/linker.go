package pta

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// This file finds functions whose arguments must not be mixed up: with one
// analysis for all calls, connect(a, b) and connect(b, a) link a to a, and
// step(old, new) and step(new, old) read what they write.

const (
	linkInstr = 80 // instructions of a function that is told apart by call for what it links
	linkSites = 8  // and calls of it
	loopSites = 4  // calls of a function that is told apart for its loop: each is solved on its own
)

// distinct says for which of the two reasons calls of fn are told apart: it
// stores what one argument leads to in what another leads to, or it has a
// parallel loop and is given something other than its receiver.
func (l *lowerer) distinct() (linker, looper bool) {
	n := l.p.sitesOf(l.fn)
	if !l.f.App || n < 2 || n > linkSites || l.f.Recurses {
		return false, false
	}
	given := 0
	for i, v := range l.fn.Params {
		if l.p.types.layoutOf(v.Type()).Ptr && (i > 0 || l.fn.Signature.Recv() == nil) {
			given++
		}
	}
	instrs := 0
	for _, b := range l.fn.Blocks {
		for _, in := range b.Instrs {
			instrs++
			looper = looper || given > 0 && n <= loopSites && l.ir.Innermost(b) != nil && l.spawns(in)
			linker = linker || l.links(in)
		}
	}
	return linker && instrs <= linkInstr, looper
}

// links reports whether an instruction stores a pointer that one parameter
// leads to into memory that another leads to.
func (l *lowerer) links(in ssa.Instruction) bool {
	var into, what ssa.Value
	switch in := in.(type) {
	case *ssa.Store:
		into, what = in.Addr, in.Val
	case *ssa.MapUpdate:
		into, what = in.Map, in.Value
	default:
		return false
	}
	if !l.p.types.layoutOf(what.Type()).Ptr {
		return false
	}
	seen := make(map[ssa.Value]bool)
	to := l.leadingTo(into, seen)
	clear(seen)
	from := l.leadingTo(what, seen)
	return from != 0 && to&^from != 0 || to != 0 && from&^to != 0
}

// leadingTo returns, as a bit set, the parameters from which a value is reached
// by loads, fields and elements.
func (l *lowerer) leadingTo(v ssa.Value, seen map[ssa.Value]bool) uint64 {
	if seen[v] {
		return 0
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter:
		for k, p := range l.fn.Params {
			if p == v && k < 64 {
				return 1 << k
			}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL || v.Op == token.ARROW {
			return l.leadingTo(v.X, seen)
		}
	case *ssa.FieldAddr:
		return l.leadingTo(v.X, seen)
	case *ssa.Field:
		return l.leadingTo(v.X, seen)
	case *ssa.IndexAddr:
		return l.leadingTo(v.X, seen)
	case *ssa.Index:
		return l.leadingTo(v.X, seen)
	case *ssa.Lookup:
		return l.leadingTo(v.X, seen)
	case *ssa.Slice:
		return l.leadingTo(v.X, seen)
	case *ssa.Extract:
		return l.leadingTo(v.Tuple, seen)
	case *ssa.Next:
		return l.leadingTo(v.Iter, seen)
	case *ssa.Range:
		return l.leadingTo(v.X, seen)
	case *ssa.ChangeType:
		return l.leadingTo(v.X, seen)
	case *ssa.MakeInterface:
		return l.leadingTo(v.X, seen)
	case *ssa.TypeAssert:
		return l.leadingTo(v.X, seen)
	case *ssa.Phi:
		out := uint64(0)
		for _, e := range v.Edges {
			out |= l.leadingTo(e, seen)
		}
		return out
	}
	return 0
}

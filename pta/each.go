package pta

import (
	"go/token"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file is about lists that are filled from others:
//
//	for _, s := range all {
//		if s.enabled {
//			some = append(some, s)
//		}
//	}
//
// What one element of the first list holds is put into one element of the second.

// eachOf returns the slice of which a value that is used here is the element of the round, where the
// loop around is inside no other one and does not set that slice; None otherwise. No two rounds have
// one element then.
func (l *lowerer) eachOf(v ssa.Value) Node {
	nat := l.ir.Innermost(l.fn.Blocks[l.ir.Block(l.at)])
	if nat == nil || nat.Parent != nil {
		return None
	}
	for {
		c, ok := v.(*ssa.ChangeInterface)
		if !ok {
			break
		}
		v = c.X
	}
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || !nat.Contains(ld.Block()) {
		return None
	}
	ia, ok := ld.X.(*ssa.IndexAddr)
	if !ok || l.inductionLoop(ia.Index) != nat || l.leaves(ld.Type()) != 1 {
		return None
	}
	if in, ok := ia.X.(ssa.Instruction); ok && nat.Contains(in.Block()) {
		return None
	}
	if !ssair.IsSlice(ia.X.Type()) {
		return None
	}
	return l.val(ia.X)
}

// handsOnEach returns eachOf a value that is stored, or the parameter that it is, plus one, where
// that is stored once in a run.
func (l *lowerer) handsOnEach(v ssa.Value) (each Node, given int32) {
	if c, ok := v.(*ssa.ChangeInterface); ok {
		v = c.X
	}
	if p, ok := v.(*ssa.Parameter); ok && l.ir.Innermost(l.fn.Blocks[l.ir.Block(l.at)]) == nil {
		return None, int32(slices.Index(l.fn.Params, p)) + 1
	}
	return l.eachOf(v), 0
}

// noteGiven notes in a store's fact what handsOnEach says of the value.
func (l *lowerer) noteGiven(f *StoreFact, v ssa.Value) {
	f.Each, f.Given = l.handsOnEach(v)
	f.Only = f.Given > 0 && timesStored(v) <= 1
}

// maxPassedOn bounds the calls by which an element is handed on to who stores it.
const maxPassedOn = 4

// eachIn returns the list of which a store puts elements into a collection, each once, and the
// instruction that does so: the store, in a loop of a function that runs once, or a call there of the
// function with the store. Calls that pass nothing of interest do not count.
func (r *baseResult) eachIn(p pred, holds func(node int32) bool) (list int32, at Site, ok bool) {
	in := r.s.inst(p.inst)
	fact := &in.fn.Facts[p.fact]
	if fact.Each != None {
		return in.node(fact.Each), Site{p.inst, fact.At}, r.once(p.inst)
	}
	k := fact.Given - 1
	for depth := 0; k >= 0 && depth < maxPassedOn; depth++ {
		from, by := r.s.passing(in, k, holds)
		if by == nil {
			break
		}
		caller := r.s.inst(from.Inst)
		if by.Each != None {
			return caller.node(by.Each), from, r.once(from.Inst)
		}
		in, k = caller, int32(slices.Index(caller.fn.Params, by.Node))
	}
	return 0, Site{}, false
}

// passing returns the one call that passes for a parameter of an instance what is of interest, and what
// it passes: in a loop, the element of the round. It returns nil if there are several, or others.
func (s *solver) passing(in *instance, k int32, holds func(node int32) bool) (from Site, by *Arg) {
	ok := s.eachPassed(in, k, func(at Site, i int, arg *Arg) bool {
		caller := s.inst(at.Inst)
		c := &caller.fn.Calls[i]
		switch {
		case arg.Node == None || !holds(caller.node(arg.Node)):
			return true
		case by != nil && from != at || arg.Each == None && (c.InLoop || c.Loop >= 0):
			return false
		}
		from, by = at, arg
		return true
	})
	if !ok {
		return Site{}, nil
	}
	return from, by
}

// eachPassed calls do for what each call, one of the frame at a site by its number there, passes for a parameter of an instance, as
// long as that is true. It returns whether it always was, and each call passes something.
func (s *solver) eachPassed(in *instance, k int32, do func(at Site, call int, arg *Arg) bool) bool {
	for _, at := range in.callers {
		fn := s.inst(at.Inst).fn
		for i := range fn.Calls {
			c := &fn.Calls[i]
			if c.At != at.At {
				continue
			}
			n := k
			if c.Kind == CallInvoke {
				n-- // the receiver
			}
			if n < 0 || int(n) >= len(c.Args) || !do(at, i, &c.Args[n]) {
				return false
			}
		}
	}
	return true
}

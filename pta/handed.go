package pta

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about what functions go on using after they have sent it, or put it
// back, and what they send twice. Where an object stands for many it is assumed
// that two threads which come by it on different ways have different ones
// (soundness: many-objects). Such code says that they do not: pairs of it are kept,
// for the order stage to say whether the two ways meet at the giving.

// handed marks the accesses to what the function has given away, and notes what
// it gives away more than once.
func (l *lowerer) handed() {
	f := l.f
	if f.Flow == nil || len(f.Flow.Gone) == 0 {
		return
	}
	for i := range f.Flow.Gone {
		g := &f.Flow.Gone[i]
		if len(g.After) == 0 {
			continue
		}
		for k := range f.Accesses {
			if _, ok := slices.BinarySearch(g.After, f.Accesses[k].At); ok {
				f.Accesses[k].Flags |= FlagSpent
			}
		}
		again := func(h flow.Gone) bool { _, ok := slices.BinarySearch(g.After, h.At); return ok }
		if v := given(l.ir.At(g.At), g.K); v != nil && slices.ContainsFunc(f.Flow.Gone, again) {
			if n := l.valueOf(v); n != None {
				f.Lent = append(f.Lent, n)
			}
		}
	}
}

// given returns what an instruction gives away.
func given(in ssa.Instruction, k int) ssa.Value {
	switch in := in.(type) {
	case *ssa.Send:
		return in.X
	case *ssa.Select:
		return in.States[k].Send
	}
	return nil
}

// handedOn reports whether a pair that rests on many-objects is to be looked at
// all the same.
func (p *pairing) handedOn(loc int32, a, b accRef, other model.Thread) bool {
	return p.assumption(loc, a, b) == "many-objects" &&
		((p.v.access(a).Flags|p.v.access(b).Flags)&FlagSpent != 0 || other == model.Main && p.lent(loc)&lentTwice != 0)
}

// Kinds of objects that are given away.
const (
	lentTwice = 1 << iota // more than once
	usedLater             // and used by the giver afterwards
)

// lent returns in which ways the object at a location is given away.
func (p *pairing) lent(loc int32) uint8 {
	r := p.v.res
	r.onces.lent.Do(r.findLent)
	if len(r.lent) == 0 {
		return 0
	}
	c := p.v.canonical(loc)
	if c >= p.v.ov.first {
		return 0
	}
	return r.lent[p.v.ov.base.ownerOf(c)]
}

func (r *Result) findLent() {
	r.lent = make(map[int32]uint8)
	s := r.base.s
	add := func(in *instance, n Node, kind uint8) {
		if n == None {
			return
		}
		for l := range s.pts(in.node(n)).All() {
			r.lent[s.ownerOf(l)] |= kind
		}
	}
	for id := range InstID(len(s.insts)) {
		in := s.inst(id)
		for _, n := range in.fn.Lent {
			add(in, n, lentTwice)
		}
		for k := range in.fn.Accesses {
			if x := &in.fn.Accesses[k]; x.Flags&FlagSpent != 0 {
				add(in, x.Node, usedLater)
			}
		}
	}
}

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

// handed marks the accesses to what the function has given away, or to what that leads to, and notes what
// it gives away more than once, keeps in a field, or has from a method of the library.
func (l *lowerer) handed() {
	f := l.f
	if f.Flow == nil {
		return
	}
	for i := range f.Flow.Shown {
		for k := range f.Accesses {
			if _, ok := slices.BinarySearch(f.Flow.Shown[i].After, f.Accesses[k].At); ok {
				f.Accesses[k].Flags |= FlagShown
			}
		}
	}
	for i := range f.Flow.Gone {
		g := &f.Flow.Gone[i]
		for k := range f.Accesses {
			_, of := slices.BinarySearch(g.After, f.Accesses[k].At)
			if _, within := slices.BinarySearch(g.Within, f.Accesses[k].At); of || within {
				f.Accesses[k].Flags |= FlagSpent
			}
		}
		again := func(h flow.Gone) bool { _, ok := slices.BinarySearch(g.After, h.At); return ok }
		if v := given(l.ir.At(g.At), g.K); v != nil && (g.Kept || slices.ContainsFunc(f.Flow.Gone, again) || l.yielded(v)) {
			if n := l.valueOf(v); n != None {
				f.Lent = append(f.Lent, n)
			}
		} else if v != nil {
			if n := l.valueOf(v); n != None {
				f.Sent = append(f.Sent, n)
			}
		}
	}
}

// yielded reports whether a value is, or is cut from, what a method of the library returned: a part
// of what its receiver keeps, maybe, and goes on using.
func (l *lowerer) yielded(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.Slice:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			fn := x.Call.StaticCallee()
			return fn != nil && fn.Signature.Recv() != nil && !l.p.Application(pkgPath(fn))
		default:
			return false
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

// handedOn reports whether one side of a pair may use what it has handed on.
func (p *pairing) handedOn(loc int32, a, b accRef, other model.Thread) bool {
	return (p.v.access(a).Flags|p.v.access(b).Flags)&FlagSpent != 0 || other == model.Main && p.mayBeLentTwice(loc)
}

// mayBeHanded reports whether such a pair that rests on many-objects is to be looked at all the same.
func (p *pairing) mayBeHanded(loc int32, a, b accRef) bool {
	return !p.apart(a, b) && p.assumption(loc, a, b) == "many-objects" // who has made what it touches is dear to find out
}

// foundShown reports whether one access is to what the function has made, and has put
// where the other one has it from: into a place that there is one of. What lies there is the
// last that was made, whichever round has made it.
func (p *pairing) foundShown(loc int32, a, b accRef, beside bool) bool {
	p.beside = beside
	defer func() { p.beside = false }()
	return p.shownTo(loc, a, b) || p.shownTo(loc, b, a)
}

func (p *pairing) shownTo(loc int32, by, to accRef) bool {
	v := p.v
	x := v.access(by)
	if x.Flags&FlagShown == 0 {
		return false
	}
	obj := v.baseOf(loc)
	from := point{to.inst, v.access(to).Node}
	ways, ok := v.ways(from, obj)
	if !ok || !loaded(ways) {
		return false
	}
	ways = p.own(v.withCopies(from, obj), to.inst)
	in := v.ov.inst(by.inst)
	found := false
	for i := range in.fn.Flow.Shown {
		g := &in.fn.Flow.Shown[i]
		if _, after := slices.BinarySearch(g.After, x.At); !after {
			continue
		}
		for k := range in.fn.Accesses {
			y := &in.fn.Accesses[k]
			if found || y.At != g.At || y.Flags&FlagWrite == 0 {
				continue
			}
			v.ov.locations(in, y, func(c int32) {
				found = found || slices.ContainsFunc(ways, func(w Way) bool {
					return !w.taken && slices.ContainsFunc(w.cells, func(d int32) bool { return p.oneCell(c, d) })
				})
			})
		}
	}
	return found
}

// oneCell reports whether two locations are one of an object that there is one of, or of
// a map.
func (p *pairing) oneCell(c, d int32) bool {
	v := p.v
	owner := v.baseOf(c)
	return owner == v.baseOf(d) && !v.ov.leafAt(d).Pool && (v.isMap(owner) || v.sameField(c, d) && !v.element(c)) && p.isOne(owner)
}

// mayBeLentTwice reports whether the object at a location is given away more than once, or is sent and may have been
// put back before, by who has returned it.
func (p *pairing) mayBeLentTwice(loc int32) bool {
	how := p.lent(loc)
	return how&lentTwice != 0 || how&lentOnce != 0 && p.yielded(loc)
}

// Kinds of objects that are given away.
const (
	lentTwice  = 1 << iota // more than once, by who keeps it, or has it from a library
	lentOnce               // sent, as far as the function shows
	usedLater              // and used by the giver afterwards
	shownFirst             // by a store, and used on by who has made it
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
		for _, n := range in.fn.Sent {
			add(in, n, lentOnce)
		}
		for k := range in.fn.Accesses {
			x := &in.fn.Accesses[k]
			if x.Flags&FlagSpent != 0 {
				add(in, x.Node, usedLater)
			}
			if x.Flags&FlagShown != 0 {
				add(in, x.Node, shownFirst)
			}
		}
	}
}

package pta

import "github.com/iterace/iterace/internal/bitset"

// This file tells which objects of the base are there for a loop. Functions that many
// entry points lead to mix up what these make and are given: a connection's method
// that stores the connection in what it leads to stores those of all entry points in
// each of them. But what different entry points do happens at different times
// (soundness: roots-apart), and what one of them makes, or is given, is there for
// another only if it has been left where package variables lead, and not in a pool. What a test leaves there
// is not there for others: tests put back what they change.

// A presence tells in which programs objects of the base are there.
type presence struct {
	s     *solver
	roots []bitset.Set // by instance: the entry points that lead to it
	inits *bitset.Set  // those that run before others
	// left has, by object, the entry points that leave it where package variables
	// lead, nil if none does.
	left []*bitset.Set
	// stays has those of them of which others find what they leave: all but tests.
	stays []*bitset.Set
}

// presence returns the presence of the base's objects.
func (r *Result) presence() *presence {
	r.onces.presence.Do(func() {
		p := &presence{s: r.base.s, roots: r.roots, inits: &r.inits}
		p.findLeft()
		p.findStaying(r.rootInsts)
		r.present = p
	})
	return r.present
}

// rootsOf returns the entry points that lead to an object's maker; ok is false for
// what is there for all: package variables, and what initialisers make.
func (p *presence) rootsOf(oid int32) (roots *bitset.Set, ok bool) {
	o := p.s.object(oid)
	if o.kind != objAlloc && o.kind != objSym || o.inst < 0 {
		return nil, false
	}
	roots = &p.roots[o.inst]
	return roots, !roots.Empty() && !roots.Intersects(p.inits)
}

// findLeft follows package variables through what each entry point's own
// instructions have stored: a store counts for the entry points that lead to it and to
// what it stores, and that find the place where it stores.
func (p *presence) findLeft() {
	p.left = make([]*bitset.Set, len(p.s.objects))
	var work []int32
	queued := make([]bool, len(p.s.objects))
	passed := make(map[int32]*bitset.Set) // by set: the entry points for which it has been looked at
	leave := func(oid int32, by *bitset.Set) {
		if roots, ok := p.rootsOf(oid); ok {
			by = by.And(roots)
		}
		if by.Empty() {
			return
		}
		if p.left[oid] == nil {
			p.left[oid] = new(bitset.Set)
		}
		if p.left[oid].Union(by, nil) && !queued[oid] {
			queued[oid] = true
			work = append(work, oid)
		}
	}
	store := func(n int32, by *bitset.Set) {
		id := p.s.setOf[n]
		if id < 0 || by.Empty() {
			return
		}
		if passed[id] == nil {
			passed[id] = new(bitset.Set)
		}
		if passed[id].Union(by, nil) {
			p.s.behindBoxes(&p.s.sets[id], func(l int32) { leave(p.s.ownerOf(l), by) })
		}
	}
	all := new(bitset.Set)
	for i := range p.roots {
		all.Union(&p.roots[i], nil)
	}
	for oid := range p.s.objects {
		if p.s.objects[oid].kind == objGlobal {
			leave(int32(oid), all)
		}
	}
	for len(work) > 0 {
		oid := work[len(work)-1]
		work = work[:len(work)-1]
		queued[oid] = false
		o, by := p.s.object(oid), p.left[oid].Copy()
		for l := o.loc; l < o.loc+o.layout.Len(); l++ {
			if o.layout.Leaves[l-o.loc].Pool {
				// Who gets it has it alone, as what the program itself has put there (soundness: tenure): what a
				// key-value store's other entry points leave in its pools, and what that leads to, was 106 of the 273
				// race sets of its commands, and 37 of 92 s of what their loops took.
				continue
			}
			for _, x := range p.s.storesTo(l) {
				store(x.src, by.And(&p.roots[x.inst]))
			}
			if len(p.s.children[l]) > 0 {
				p.s.behindBoxes(bitset.Of(p.s.children[l]...), func(l int32) { leave(p.s.ownerOf(l), by) })
			}
		}
	}
}

// findStaying leaves out what tests leave; roots has the entry points.
func (p *presence) findStaying(roots []InstID) {
	last := new(bitset.Set)
	for n, id := range roots {
		if !p.s.inst(id).fn.Test {
			last.Add(int32(n))
		}
	}
	if p.stays = p.left; last.Len() == len(roots) {
		return
	}
	p.stays = make([]*bitset.Set, len(p.left))
	for oid, by := range p.left {
		if by.Intersects(last) {
			p.stays[oid] = by.And(last)
		}
	}
}

// entries returns the entry points whose work some instances see: those that lead to
// them, and those that run before all others.
func (p *presence) entries(of []InstID) *bitset.Set {
	out := p.inits.Copy()
	for _, id := range of {
		out.Union(&p.roots[id], nil)
	}
	return out
}

// there reports whether an object of the base may be there in the programs that run
// the loop.
func (ov *overlay) there(oid int32) bool {
	return ov.present.At(oid).ask(func() bool {
		p := ov.presence
		roots, ok := p.rootsOf(oid)
		return !ok || roots.Intersects(ov.entries) || !p.stays[oid].Empty()
	})
}

// done reports whether a store is done in the programs that run the loop, or where
// what it does to a location is there for these.
func (ov *overlay) done(loc int32, by InstID) bool {
	p := ov.presence
	runs := ov.runs.At(by).ask(func() bool { return p.roots[by].Empty() || p.roots[by].Intersects(ov.entries) })
	return runs || p.stays[ov.base.ownerOf(loc)].Intersects(&p.roots[by])
}

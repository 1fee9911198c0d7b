package pta

import (
	"github.com/iterace/iterace/internal/bitset"
)

// This file finds single objects that a loop which reaches too much touches far below
// its body: package variables, the variables of a function that runs once, what it has
// made. Where there is one object of a name, whoever touches that name, by a pointer that
// leads nowhere else, touches it, and how many calls lead there makes it no less certain.
// So the overlay enters one way to such accesses, as it does where locking lapses
// (soundness: deep-cone).

// findSingles lists the accesses to what is written in single objects by code that
// iterations run. Of these one is guarded if the function holds a lock, whichever it is.
func (x *lapseFinder) findSingles() {
	r, s := x.r, x.r.s
	single := new(bitset.Set)
	for oid := range s.objects {
		o := &s.objects[oid]
		if o.kind == objView || !s.isData(int32(oid)) || r.many(int32(oid)) || r.ofARound(o) {
			continue
		}
		for l := o.loc; l < o.loc+o.layout.Len(); l++ {
			if r.isShared(r.shared, l) {
				single.Add(l)
			}
		}
	}
	written := new(bitset.Set)
	x.eachUse(single, true, func(_ InstID, _, loc int32, _ *bitset.Set) { written.Add(loc) })
	singles := make(map[int32][]guardedUse)
	x.eachUse(written, false, func(id InstID, k, loc int32, _ *bitset.Set) {
		in := s.insts[id]
		a := &in.fn.Accesses[k]
		u := guardedUse{accRef: accRef{id, k}, write: a.Flags&FlagWrite != 0, guarded: !x.at(in, a.At).Empty()}
		if uses := singles[loc]; len(uses) == 0 || uses[len(uses)-1].accRef != u.accRef {
			singles[loc] = append(uses, u)
		}
	})
	x.singles = newUseTable(written, singles)
}

// ofARound reports whether an object that there is one of is so only for a round of a
// loop: of a loop that is taken apart into two rounds each has its own.
func (r *baseResult) ofARound(o *object) bool {
	if o.kind != objAlloc {
		return false
	}
	in := r.s.inst(o.inst)
	if in.fn.Allocs[o.alloc].Side != 0 {
		return true
	}
	for len(in.callers) == 1 { // it runs once
		c := in.callers[0]
		in = r.s.inst(c.Inst)
		for k := range in.fn.Calls {
			if call := &in.fn.Calls[k]; call.At == c.At && call.Side != 0 {
				return true
			}
		}
	}
	return false
}

// maxSingle is the number of accesses of a kind that are entered for a location.
const maxSingle = 2

// singlesOf returns the locations of single objects that a loop's iterations write, without
// a lock or touched elsewhere without one, and the instances that touch them.
func (r *baseResult) singlesOf(loop int, depths callDepths) (locs *bitset.Set, at []InstID) {
	ls := &r.lapses
	ls.once.Do(func() { ls.find(r) })
	return r.usesBelow(&ls.singles, loop, depths, maxSingle, func(near *nearUses) bool {
		return near.any(true, false) || near.any(true, true) && near.any(false, false)
	})
}

// singleAt reports whether a location is one of a single object that is looked at however
// deep it is.
func (v *View) singleAt(loc int32) bool {
	c := &v.res.base.cones[v.loop]
	return c.singles != nil && c.singles.Has(v.canonical(loc))
}

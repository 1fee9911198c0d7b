package pta

import (
	"github.com/iterace/iterace/internal/bitset"
	"golang.org/x/tools/go/ssa"
)

// This file is about a program of which the goroutines share nothing but what package
// variables lead to: the tests of a package that run at the same time.

// Bounds on the instances of one such program, and of all together (soundness:
// entries-bounded). The tests of 56 packages of a site generator took 57 s with 20 thousand for each,
// which was too little for 41 of them. A client of a library runs little, or what it runs is mostly of no interest.
const (
	maxTogether    = 8_000
	maxAllTogether = 40_000
	maxClient      = 4_000
	maxAllClients  = 16_000
)

// Together solves by itself the program of one entry, before which others run. It may lower
// functions, so it comes before Forget. The result is nil if it takes too many instances.
func (r *Result) Together(before []*ssa.Function, entry *ssa.Function) *Result {
	res := r.alone(before, entry, min(maxTogether, maxAllTogether-r.spent))
	if res == nil {
		return nil
	}
	res.together = true
	for id, n := range res.rootNumber { // one has the function
		if res.base.s.inst(id).fn.ID == r.Prog.FuncID(entry) {
			res.driver = n
		}
	}
	return res
}

// Client is Together for a program of which all goroutines may share what they find.
func (r *Result) Client(before []*ssa.Function, entry *ssa.Function) *Result {
	return r.alone(before, entry, min(maxClient, maxAllClients-r.spent))
}

// alone solves by itself the program of one entry, before which others run.
func (r *Result) alone(before []*ssa.Function, entry *ssa.Function, room int) *Result {
	if room <= 0 {
		return nil
	}
	p := r.Prog
	known := make(map[FuncID]bool)
	for _, f := range p.Lowered() {
		known[f.ID] = true
	}
	res := newResult(p, r.cfg)
	s := res.base.s
	s.sites.few, s.most = true, room
	for _, fn := range before {
		res.addRoot(p.FuncID(fn))
	}
	res.addRoot(p.FuncID(entry))
	res.running = int32(res.Roots)
	s.solve()
	r.spent += min(len(s.insts), room)
	if s.overrun {
		return nil
	}
	res.solved()
	for _, f := range p.Lowered() {
		if !known[f.ID] {
			res.Notices = append(res.Notices, f.Notices...)
		}
	}
	return res
}

// madeByTest reports whether what is at a location of the base may have been made by a goroutine of such
// a program, and whether a package variable itself holds it. Functions
// that several of them call mix up what they make, and what lies further behind package variables
// is nearly always of one of them; so is what comes out of a pool (soundness: roots-apart).
func (r *Result) madeByTest(loc int32) (made, left bool) {
	oid := r.base.s.ownerOf(loc)
	if !r.together || oid < 0 {
		return false, false
	}
	made = r.testMakes(oid)
	return made, made && r.leftByTests().Has(oid)
}

// testMakes reports whether what makes an object is run by tests, be it run by initialisers, too.
func (r *Result) testMakes(oid int32) bool {
	o := r.base.s.object(oid)
	return o.kind == objAlloc && r.roots[o.inst].Has(r.driver)
}

// leftByTests lists the objects that are held in that way.
func (r *Result) leftByTests() *bitset.Set {
	r.onces.left.Do(func() {
		s := r.base.s
		r.left = new(bitset.Set)
		for oid := range s.objects {
			o := s.object(int32(oid))
			if o.kind != objGlobal {
				continue
			}
			for i := range o.layout.Leaves {
				if leaf := &o.layout.Leaves[i]; leaf.Ptr && !leaf.Pool {
					s.behindBoxes(s.pts(o.loc+int32(i)), func(l int32) { r.left.Add(s.ownerOf(l)) })
				}
			}
		}
	})
	return r.left
}

// ofOneTest reports whether a pair of two tests is about what a test has made: that both have the
// same one has to show.
func (p *pairing) ofOneTest(loc int32) bool {
	if p.other == nil || !p.v.res.together {
		return false
	}
	c := p.v.canonical(loc)
	if c >= p.v.ov.first {
		return true
	}
	made, _ := p.v.res.madeByTest(c)
	return made
}

// Meeting reports, by loop, which of the goroutines that the entry of such a program starts
// touch, each by its base, what another of them touches, too, one of the two writing.
func (r *Result) Meeting() []bool {
	s := r.base.s
	var mine bitset.Set
	for i, pl := range r.base.loops {
		if pl.fn == s.inst(r.rootInsts[r.driver]).fn {
			mine.Add(int32(i))
		}
	}
	type users struct{ writes, all bitset.Set }
	at := make(map[int32]*users)
	for id, in := range s.insts {
		by := r.base.reach[id].And(&mine)
		if by.Empty() {
			continue
		}
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.Flags&FlagInit != 0 {
				continue
			}
			s.locations(in, a, func(loc int32) {
				if made, left := r.madeByTest(loc); made && !left {
					return
				}
				u := at[loc]
				if u == nil {
					u = new(users)
					at[loc] = u
				}
				u.all.Union(by, nil)
				if a.Flags&FlagWrite != 0 {
					u.writes.Union(by, nil)
				}
			})
		}
	}
	out := make([]bool, len(r.Loops))
	for loc, u := range at { // the order does not matter: a set is made
		if u.writes.Empty() {
			continue
		}
		s.overlapping(loc, func(x int32) {
			v := at[x]
			if v == nil || u.writes.Len() == 1 && v.all.Len() == 1 && u.writes.Intersects(&v.all) {
				return
			}
			for l := range u.writes.All() {
				out[l] = true
			}
			for l := range v.all.All() {
				out[l] = true
			}
		})
	}
	return out
}

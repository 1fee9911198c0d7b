package locks

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for reference counts:
//
//	x.refs.Add(1)
//	go func() {
//		use(x)
//		if x.refs.Add(-1) == 0 {
//			x.reset()
//		}
//	}()
//
// Who finds the count at zero is the last: all who have given their references back have
// used the object before, by the order of the operations on the count. What is not known
// is whether all who use it have a reference. That is assumed of who gives one back
// afterwards (soundness: counted), and of nobody else.

// countsDown reports whether an event tells that a count has come down to zero.
func countsDown(ev *flow.Event) bool {
	return ev.Op == library.OpAtomicAdd && ev.HasDelta && ev.Delta < 0 && ev.Allows(0) && !ev.Allows(1) && !ev.Allows(1<<20)
}

// byCounting reports whether one access of a race is made by the last who has an object,
// and the other by who has a reference of his own.
func (a *Analysis) byCounting(r *model.Race) bool {
	return a.lastBefore(r, r.A, r.B) || a.lastBefore(r, r.B, r.A)
}

// lastBefore reports whether x is made by the last, and y by another one before.
func (a *Analysis) lastBefore(r *model.Race, x, y *model.Access) bool {
	for _, h := range a.At(x) {
		if !h.last || !a.ofCounted(r, x, &h) {
			continue
		}
		alsoLast := func(g Held) bool { return g.last && overlap(g.cells, h.cells) && a.ofCounted(r, y, &g) }
		if slices.ContainsFunc(a.At(y), alsoLast) {
			return true // the count comes to zero once
		}
		s := a.countSteps(h.cells)
		if len(s.up) > 0 && s.hasReference(r, y) {
			return true
		}
	}
	return false
}

// ofCounted reports whether what an access touches is a part of the object whose count is
// h, or is reached through that object alone.
func (a *Analysis) ofCounted(r *model.Race, x *model.Access, h *Held) bool {
	d := a.addr(x)
	if !d.Known() {
		return false
	}
	g, ok := a.distance(side{Access: x}, d, h)
	return ok && g.frame == "" && !through(g.lock) && (!through(g.datum) || a.owned(r, flow.Derefs(g.datum)))
}

// countSteps are the operations on a count.
type countSteps struct {
	a *Analysis
	// up and down have the instances that take a reference and that give one back,
	// themselves or in what they call at once.
	up, down map[pta.InstID]bool
	cells    []pta.Loc
}

// countedDepth is how many calls lie between who uses an object and the operation on
// its count.
const countedDepth = 4

// countSteps finds the operations on what cells a count may be.
func (a *Analysis) countSteps(cells []pta.Loc) *countSteps {
	s := &countSteps{a, make(map[pta.InstID]bool), make(map[pta.InstID]bool), cells}
	a.eachSync(func(i pta.InstID, f *flow.Func) {
		for k := range f.Steps {
			switch s.changes(i, &f.Steps[k]) {
			case 1:
				s.up[i] = true
			case -1:
				s.down[i] = true
			}
		}
	})
	s.up, s.down = s.above(s.up), s.above(s.down)
	return s
}

// changes returns 1 if a step takes a reference, -1 if it gives one back, else 0.
func (s *countSteps) changes(i pta.InstID, st *flow.Step) int {
	switch {
	case st.Kind != flow.Sync || st.Op != library.OpAtomicAdd || !st.HasConst || st.Const == 0 || !overlap(s.a.operands(i, st.Site), s.cells):
		return 0
	case st.Const > 0:
		return 1
	}
	return -1
}

// above adds to some instances those that call them.
func (s *countSteps) above(some map[pta.InstID]bool) map[pta.InstID]bool {
	out := make(map[pta.InstID]bool)
	work := make([]pta.InstID, 0, len(some))
	for i := range some {
		out[i] = true
		work = append(work, i)
	}
	slices.Sort(work)
	for range countedDepth {
		var next []pta.InstID
		for _, i := range work {
			for _, c := range s.a.in.Callers(i) {
				if !out[c.Inst] && !s.a.in.IsSpawn(c) {
					out[c.Inst] = true
					next = append(next, c.Inst)
				}
			}
		}
		work = next
	}
	return out
}

// hasReference reports whether who makes an access of a race gives a reference back
// afterwards, in whichever way the access has got the object. Where those ways cannot be
// followed, one is enough: of a function that leads to a whole client, some caller has
// nothing to do with the object.
func (s *countSteps) hasReference(r *model.Race, y *model.Access) bool {
	at := pta.SiteOf(y)
	ms, ok := s.a.w.Meetings(r)
	if !ok || len(ms) == 0 {
		return s.followed(at, someWay, make(map[pta.Site]bool), 0)
	}
	for _, m := range ms {
		ways := m.A
		if y == r.B {
			ways = m.B
		}
		if slices.ContainsFunc(ways, func(w pta.Way) bool { return !s.onWay(w, at) }) {
			return false
		}
	}
	return true
}

// onWay is followed for one way to a site.
func (s *countSteps) onWay(w pta.Way, at pta.Site) bool {
	for k := len(w.Calls); ; k-- {
		if k == 0 {
			return s.followed(at, allWays, make(map[pta.Site]bool), 0)
		}
		if f := s.a.w.Flow(at.Inst); f == nil || s.inFrame(at, f) {
			return f != nil
		}
		if at = w.Calls[k-1]; s.a.in.IsSpawn(at) {
			return false
		}
	}
}

// A quantifier says of how many ways to a site something is asked.
type quantifier bool

const (
	someWay quantifier = false
	allWays quantifier = true
)

// followed reports whether who comes by a site, by some calls or by any, may give a
// reference back afterwards without taking one first.
func (s *countSteps) followed(at pta.Site, q quantifier, seen map[pta.Site]bool, depth int) bool {
	if seen[at] {
		return bool(q) // on the way to another call of it
	}
	seen[at] = true
	f := s.a.w.Flow(at.Inst)
	if f == nil {
		return false
	}
	if s.inFrame(at, f) {
		return true
	}
	callers := s.a.in.Callers(at.Inst)
	if len(callers) == 0 || depth == 2*countedDepth {
		return false
	}
	for _, c := range callers {
		if ok := !s.a.in.IsSpawn(c) && s.followed(c, q, seen, depth+1); ok != bool(q) {
			return ok
		}
	}
	return bool(q)
}

// inFrame is followed for what the function itself does after a site.
func (s *countSteps) inFrame(at pta.Site, f *flow.Func) bool {
	seen := make([]bool, f.NGaps())
	work := f.Gaps(at.At)
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[g] {
			continue
		}
		seen[g] = true
		k := f.StepAfter(g)
		if k < 0 {
			blk := &f.Blocks[f.BlockOf(g)]
			for n := range blk.Succs {
				if !blk.Succs[n].Dead {
					work = append(work, f.First(blk.Succs[n].To))
				}
			}
			continue
		}
		if st := &f.Steps[k]; st.Site != at.At || st.Kind == flow.Sync {
			switch s.does(at.Inst, f, k) {
			case -1:
				return true
			case 1:
				continue
			}
		}
		work = append(work, g+1)
	}
	return false
}

// does is changes, for all that a step calls, too.
func (s *countSteps) does(i pta.InstID, f *flow.Func, k int32) int {
	st := &f.Steps[k]
	if st.Kind != flow.Call {
		return s.changes(i, st)
	}
	n := 0
	for _, c := range s.a.in.Callees(i, f, k) {
		if s.down[c] {
			return -1
		}
		if s.up[c] {
			n = 1
		}
	}
	return n
}

// overlap reports whether two sorted lists of locations have one in common.
func overlap(x, y []pta.Loc) bool {
	return slices.ContainsFunc(x, func(l pta.Loc) bool {
		_, ok := slices.BinarySearch(y, l)
		return ok
	})
}

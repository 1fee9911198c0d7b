package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file recognises what is done under a lock as long as a place is zero, where who does the other access has set
// that before, under the lock:
//
//	func (s *service) add(t task) {
//		s.mu.Lock()
//		defer s.mu.Unlock()
//		if s.state == idle {
//			s.tasks = append(s.tasks, t) // x
//		}
//	}
//
//	func (s *service) serve() {
//		s.mu.Lock()
//		s.state = serving
//		s.mu.Unlock()
//		for _, t := range s.tasks { // y
//
// It is asked in doubt: that nobody sets the place back to zero is not shown.

// inEarlierPhase reports whether one access of a race is done so, and the other one by who has set the place.
func (a *Analysis) inEarlierPhase(r *model.Race) bool {
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return a.beforeSet(x, y) || a.beforeSet(y, x)
}

func (a *Analysis) beforeSet(x, y access) bool {
	f, g, ok := a.gap(x.inst, x.at)
	if !ok {
		return false
	}
	for b := range f.Blocks {
		for _, e := range f.Blocks[b].Succs {
			first := f.First(e.To)
			for _, ev := range e.Events {
				zero := ev.Kind == flow.PlainTest && ev.Allows(0) && !ev.Allows(1) && !ev.Allows(-1)
				if !zero || first != g && f.Reaches(f.Entry(), g, ssair.NoInstr, first) {
					continue
				}
				for _, l := range a.w.Cells(pta.Site{Inst: x.inst, At: ev.Site}) {
					if a.setBefore(l, x, y) {
						return true
					}
				}
			}
		}
	}
	return false
}

// setBefore reports whether all that comes to y comes there after a store of what is not zero to a place, under a lock
// that x holds, too.
func (a *Analysis) setBefore(l pta.Loc, x, y access) bool {
	stores, _ := a.w.StoresTo(l)
	return slices.ContainsFunc(stores, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		if f == nil || !slices.ContainsFunc(f.Stores, func(st flow.Store) bool { return st.At == s.At && st.Const != 0 }) {
			return false
		}
		set := f.GapOf(s.At)
		after := func(c pta.Site) bool {
			h := a.w.Flow(c.Inst)
			return h != nil && h.Name == f.Name && h.GapOf(c.At) != set && !h.Reaches(h.Entry(), h.GapOf(c.At), ssair.NoInstr, set)
		}
		never := func(pta.Site) bool { return false }
		return a.shareLock(s, pta.Site{Inst: x.inst, At: x.at}) && (after(pta.Site{Inst: y.inst, At: y.at}) || a.onAllWays(y.inst, never, after))
	})
}

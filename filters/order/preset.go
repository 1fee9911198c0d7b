package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about goroutines that a caller keeps a function from starting:
//
//	func (s *server) read() {
//		if !s.single { // x: go s.loop()
//			go s.loop()
//		}
//	}
//
//	func (s *server) init() {
//		s.single = true
//		s.read()
//		s.ready = true // y
//	}
//
// It is asked in doubt: that nobody else sets the field meanwhile is not shown.

// keptFromStarting reports whether what starts the threads of x leads to y only by calls before which the caller has set
// a field so that they start none.
func (a *Analysis) keptFromStarting(r *model.Race) bool {
	if r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	y := a.accessOf(r.B)
	var starts, others []pta.Site // where the threads are started, and by whose calls that no field keeps from it
	kept := false
	for _, t := range a.threadsOf(pta.InstID(r.A.Inst)) {
		for _, s := range a.spawnsOf(t) {
			starts = append(starts, s)
			for _, c := range a.in.Callers(s.Inst) {
				if a.keepsFrom(c, s) {
					kept = true
				} else {
					others = append(others, c)
				}
			}
		}
	}
	return kept && !slices.ContainsFunc(starts, func(s pta.Site) bool {
		w := a.newWalk()
		w.within = s.Inst
		return w.fromSpawn(s).run().reaches(y.inst, y.at)
	}) && !slices.ContainsFunc(others, func(c pta.Site) bool {
		return a.w.Flow(c.Inst) == nil || a.newWalk().fromSite(c).run().reaches(y.inst, y.at)
	})
}

// keepsFrom reports whether the caller at a site has set a field so that the function does not come to what it
// starts.
func (a *Analysis) keepsFrom(c, start pta.Site) bool {
	f, g := a.w.Flow(c.Inst), a.w.Flow(start.Inst)
	if f == nil || g == nil || a.in.IsSpawn(c) {
		return false
	}
	return slices.ContainsFunc(f.Presets, func(p flow.Preset) bool {
		if p.Call != c.At {
			return false
		}
		w := a.newWalk()
		w.within = start.Inst
		w.edges = true
		w.toward(start.Inst)
		w.avoid = func(at place, _ bool) bool {
			return at.step < 0 && at.inst == start.Inst && slices.ContainsFunc(at.f.Blocks[at.block].Succs[at.edge].Events, func(ev flow.Event) bool {
				if ev.Kind != flow.PlainTest || ev.Allows(p.Const) {
					return false
				}
				up, ok := f.UpAt(c.At, g.Path(ev.Path))
				return ok && up == f.Path(p.Path)
			})
		}
		return !w.fromEntry(start.Inst).run().reaches(start.Inst, ssair.Instr(start.At))
	})
}

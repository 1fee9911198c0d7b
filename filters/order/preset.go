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
	y := accessOf(r.B)
	ts := a.threadsOf(pta.InstID(r.A.Inst))
	if !slices.ContainsFunc(ts, func(t pta.InstID) bool {
		return slices.ContainsFunc(a.spawnsOf(t), func(s pta.Site) bool {
			return slices.ContainsFunc(a.in.Callers(s.Inst), func(c pta.Site) bool { return a.keepsFrom(c, s) })
		})
	}) {
		return false
	}
	for _, t := range ts {
		for _, s := range a.spawnsOf(t) {
			callers := a.in.Callers(s.Inst)
			keeps := func(c pta.Site) bool { return a.keepsFrom(c, s) }
			w := a.newWalk()
			w.within = s.Inst
			if w.fromSpawn(s).run().reaches(y.inst, y.at) {
				return false
			}
			for _, c := range callers {
				if keeps(c) {
					continue
				}
				if a.w.Flow(c.Inst) == nil || a.newWalk().fromSite(c).run().reaches(y.inst, y.at) {
					return false
				}
			}
		}
	}
	return true
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
		w.through = append(w.through, a.leadingTo(start.Inst))
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

package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file recognises what is waited for only where a place says that the goroutine was started:
//
//	func (s *service) Start() {
//		s.running = true
//		go s.loop()
//	}
//
//	func (s *service) Stop() {
//		if !s.running {
//			return
//		}
//		close(s.stop)
//		<-s.done
//		s.running = false
//	}
//
// Who has started the goroutine, and comes to Stop, waits for it. It is asked in doubt: that it is the
// same service, and that nobody has set the place back meanwhile, is not shown.

// againstStart reports whether a test finds in a place something else than who starts the loop's iterations has
// set there.
func (a *Analysis) againstStart(i pta.InstID, ev *flow.Event) bool {
	if ev.Kind != flow.PlainTest {
		return false
	}
	for _, l := range a.w.Cells(pta.Site{Inst: i, At: ev.Site}) {
		stores, _ := a.w.StoresTo(l)
		if slices.ContainsFunc(stores, func(s pta.Site) bool {
			set, ok := a.setAtStart()[s]
			return ok && !ev.Allows(set)
		}) {
			return true
		}
	}
	return false
}

// setAtStart returns what the functions that start the iterations store where they do so, whichever way they take: before
// that, or from there to their end.
func (a *Analysis) setAtStart() map[pta.Site]int64 {
	if a.startSets != nil {
		return a.startSets
	}
	a.startSets = make(map[pta.Site]int64)
	for _, s := range a.spawns {
		f := a.w.Flow(s.Inst)
		if f == nil {
			continue
		}
		for _, st := range f.Stores {
			set := f.GapOf(st.At)
			if slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
				before, after := f.BeforeStep(k), f.AfterStep(k)
				return before != set && f.Reaches(f.Entry(), before, ssair.NoInstr, set) && after != set && f.ReturnsPast(after, set)
			}) {
				continue
			}
			for _, j := range a.copiesOf(s.Inst) {
				a.startSets[pta.Site{Inst: j, At: st.At}] = st.Const
			}
		}
	}
	return a.startSets
}

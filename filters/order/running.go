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

// againstStart reports whether a test finds in a field something else than who starts the loop's iterations has
// set there.
func (a *Analysis) againstStart(i pta.InstID, f *flow.Func, ev *flow.Event) bool {
	if ev.Kind != flow.PlainTest {
		return false
	}
	// Tests of other fields are most: where they may load from is asked last.
	field := flow.LastField(f.Path(ev.Path))
	sets := a.setAtStart()
	if field == "" || !slices.ContainsFunc(sets, func(s startSet) bool { return s.field == field && !ev.Allows(s.value) }) {
		return false
	}
	k := pta.Site{Inst: i, At: ev.Site}
	stores, known := a.testStores[k]
	if !known {
		for _, l := range a.w.Cells(k) {
			all, _ := a.w.StoresTo(l)
			stores = append(stores, all...)
		}
		if a.testStores == nil {
			a.testStores = make(map[pta.Site][]pta.Site)
		}
		a.testStores[k] = stores
	}
	return slices.ContainsFunc(sets, func(s startSet) bool {
		return s.field == field && !ev.Allows(s.value) && slices.Contains(stores, s.Site)
	})
}

// A startSet is what a function that starts iterations stores to a field.
type startSet struct {
	pta.Site
	field string
	value int64
}

// setAtStart returns what the functions that start the iterations store where they do so, whichever way they take: before
// that, or from there to their end.
func (a *Analysis) setAtStart() []startSet {
	if a.startSets != nil {
		return a.startSets
	}
	a.startSets = []startSet{}
	for _, s := range a.spawns {
		f := a.w.Flow(s.Inst)
		if f == nil {
			continue
		}
		for _, st := range f.Stores {
			field, set := flow.LastField(f.Path(st.Path)), f.GapOf(st.At)
			if field == "" || slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
				before, after := f.BeforeStep(k), f.AfterStep(k)
				return before != set && f.Reaches(f.Entry(), before, ssair.NoInstr, set) && after != set && f.ReturnsPast(after, set)
			}) {
				continue
			}
			for _, j := range a.copiesOf(s.Inst) {
				a.startSets = append(a.startSets, startSet{pta.Site{Inst: j, At: st.At}, field, st.Const})
			}
		}
	}
	return a.startSets
}

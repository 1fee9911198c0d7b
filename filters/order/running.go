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
	for _, top := range a.spawns {
		for _, s := range a.starts(top) {
			a.addStartSets(s)
		}
	}
	return a.startSets
}

// addStartSets adds what the function that starts a goroutine stores.
func (a *Analysis) addStartSets(s pta.Site) {
	f := a.w.Flow(s.Inst)
	if f == nil {
		return
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

// tellsSinceStart reports whether a function returns with one outcome only, by the tests of what who starts the iterations has set:
//
//	func (c *conn) lock() error {
//		if c.state == closed { // set where the goroutine is started
//			return errClosed
//		}
//		return nil
//	}
func (a *Analysis) tellsSinceStart(i pta.InstID, f *flow.Func, o flow.Outcome) bool {
	if len(a.setAtStart()) == 0 {
		return false
	}
	seen := make([]bool, len(f.Blocks))
	work := []int32{0}
	returns := false
	for len(work) > 0 {
		b := &f.Blocks[work[len(work)-1]]
		work = work[:len(work)-1]
		if b.Exit {
			if returns = true; b.Outcome != o {
				return false
			}
		}
		for k := range b.Succs {
			e := &b.Succs[k]
			if e.Dead || seen[e.To] || slices.ContainsFunc(e.Events, func(ev flow.Event) bool { return a.againstStart(i, f, &ev) }) {
				continue
			}
			if e.Ends != flow.AnyOutcome {
				if returns = true; e.Ends != o {
					return false
				}
				continue
			}
			seen[e.To] = true
			work = append(work, e.To)
		}
	}
	return returns
}

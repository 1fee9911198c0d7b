package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about what goroutines count down for each task, of which none has a certain number:
//
//	left.Store(int32(len(tasks)))
//	for range workers {
//		go func() {
//			for t := range queue {
//				t.run()
//				if left.Add(-1) == 0 {
//					close(done)
//				}
//			}
//		}()
//	}
//	<-done
//
// A worker comes to run again when it has counted, so that no count of its own tells that it is over. But it counts again after
// each run. If nothing raises the counter any more, which never goes below zero, nobody counts who comes after the last one, and so nobody runs
// (soundness: last-out). The same holds of a group, of which a worker that is done with a task makes a Done.

// A taskCount is a counter, or a group, that a thread counts down, and nobody raises when the thread may run.
type taskCount struct {
	at    pta.Loc
	downs []*op // the thread's
}

// taskCounts lists those of a thread.
func (a *Analysis) taskCounts(t pta.InstID) []taskCount {
	if out, ok := a.counters[t]; ok {
		return out
	}
	var out []taskCount
	for _, o := range a.opsOf(t) {
		if !lowers(o) && !ends(o) || len(o.locs) != 1 || o.step < 0 {
			continue
		}
		l := o.locs[0]
		if k := slices.IndexFunc(out, func(c taskCount) bool { return c.at == l }); k >= 0 {
			out[k].downs = append(out[k].downs, o)
		} else {
			out = append(out, taskCount{l, []*op{o}})
		}
	}
	out = slices.DeleteFunc(out, func(c taskCount) bool {
		return !slices.ContainsFunc(c.downs, func(o *op) bool { return a.onward(o).reachesOp(o) }) || a.raisedBeside(c.at, t)
	})
	if a.counters == nil {
		a.counters = make(map[pta.InstID][]taskCount)
	}
	a.counters[t] = out
	return out
}

// raisedBeside reports whether what is at l may be raised when a thread may run, or is not one counter that is all in view.
func (a *Analysis) raisedBeside(l pta.Loc, t pta.InstID) bool {
	o := a.w.Object(l)
	if !oneCell(o) || o.Alloc.Inst < 0 || a.external(l) {
		return true
	}
	var raise []*op
	for _, r := range a.ops[l] {
		switch {
		case r.lib == library.OpWGWait, r.lib == library.OpAtomicLoad, lowers(r), ends(r) && (r.has || r.lib == library.OpWGDone):
		default:
			raise = append(raise, r)
		}
	}
	if len(raise) == 0 {
		return false
	}
	w := a.newWalk()
	w.spawns = true
	if a.bornBefore(o.Alloc, t) {
		w.birth = o.Alloc // the next round's is another one
	}
	w.besideThread(t).run()
	return slices.ContainsFunc(raise, func(r *op) bool { return w.reachesOp(r) || slices.Contains(a.threadsOf(r.inst), t) })
}

// bornBefore reports whether the function that makes something starts a thread, and each time when it has made one.
func (a *Analysis) bornBefore(birth pta.Site, t pta.InstID) bool {
	sites := a.spawnsOf(t)
	if birth.At < 0 || len(sites) == 0 {
		return false
	}
	w := a.newWalk()
	w.birth = birth
	w.fromEntry(birth.Inst).run()
	return !slices.ContainsFunc(sites, func(s pta.Site) bool { return s.Inst != birth.Inst || w.reaches(s.Inst, s.At) })
}

// countedAfter lists the counters that thread t counts down whenever it has come to x, before it waits for anything else or comes
// to its end. Of those after all of whose counts x is over nothing new is learnt.
func (a *Analysis) countedAfter(x access, t pta.InstID, over map[int32]bool) (out []pta.Loc) {
	for _, c := range a.taskCounts(t) {
		if !slices.ContainsFunc(c.downs, func(o *op) bool { return !over[o.id] }) {
			continue
		}
		w := a.kept(walkKey{kind: 'Z', inst: x.inst, site: x.at, op: int32(c.at)}, func() *walk {
			w := a.newWalk()
			w.without(c.downs)
			return w.fromGaps(pta.Site{Inst: x.inst, At: x.at}).run()
		})
		if !w.reachesExit(t) && !slices.ContainsFunc(a.blockingSteps(), func(s pta.Site) bool { return w.reaches(s.Inst, s.At) }) {
			out = append(out, c.at)
		}
	}
	return out
}

// blockingSteps lists where instances wait for others, but for locks: who does so may wait for his next task.
func (a *Analysis) blockingSteps() []pta.Site {
	if a.blockings == nil {
		a.blockings = []pta.Site{}
		for _, o := range a.allOps {
			if isWait(o) || o.lib == library.OpSemAcquire {
				a.blockings = append(a.blockings, pta.Site{Inst: o.inst, At: o.site})
			}
		}
		a.synchronising(func(i pta.InstID, f *flow.Func) {
			for k := range f.Steps {
				if op := f.Steps[k].Op; op == library.OpCondWait || op == library.OpSleep {
					a.blockings = append(a.blockings, pta.Site{Inst: i, At: f.Steps[k].Site})
				}
			}
		})
	}
	return a.blockings
}

// afterTasks reports whether a thread comes to its operation r only when it has found a counter at zero, or has waited for a group, that it
// counts down whenever it has come to x.
func (a *Analysis) afterTasks(r *op, x access) bool {
	t, ok := a.sole(r.inst)
	if ts := a.threadsOfAccess(x); !ok || len(ts) != 1 || ts[0] != t {
		return false
	}
	for _, l := range a.countedAfter(x, t, nil) {
		if !a.kept(walkKey{kind: 'z', inst: t, op: int32(l)}, func() *walk {
			w := a.newWalk()
			w.avoid = func(p place, _ bool) bool { return a.findsAtZero(p, l) }
			return w.fromEntry(t).run()
		}).reachesOp(r) {
			return true
		}
	}
	return false
}

// findsAtZero reports whether a step or edge is passed only when the counter at l is at zero.
func (a *Analysis) findsAtZero(p place, l pta.Loc) bool {
	one := func(site ssair.Instr, k int) bool {
		locs := a.operand(p.inst, site, k)
		return len(locs) == 1 && locs[0] == l
	}
	if p.step >= 0 {
		st := &p.f.Steps[p.step]
		return st.Kind == flow.Sync && st.Op == library.OpWGWait && one(st.Site, 0)
	}
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		return ev.Kind == flow.FlagTest && findsZero(&ev) && countsDown(&ev) && one(ev.Site, ev.Operand)
	})
}

// countsDown reports whether a test is of what counting down has left, or of the counter as it is.
func countsDown(ev *flow.Event) bool {
	return ev.Op == library.OpAtomicLoad || ev.Op == library.OpAtomicAdd && ev.HasDelta && ev.Delta < 0
}

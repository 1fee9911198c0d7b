package order

import (
	"maps"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file recognises barriers that programs make by hand. All iterations come to one function,
// which has each of them wait until the last one lets them go:
//
//	func (b *barrier) wait() {
//		b.mu.Lock()
//		defer b.mu.Unlock()
//		if b.arrived++; b.arrived == b.n {
//			b.round++
//			b.cond.Broadcast()
//			return
//		}
//		for round := b.round; round == b.round; {
//			b.cond.Wait()
//		}
//	}
//
// Where it is not shown that it counts right, as it is in parties.go, it orders nothing. But what iterations do in two phases
// with a barrier between them is no definite race.

// inPhases reports whether what one iteration does for a race may lie behind a barrier from what
// the other does: an iteration comes from one to the other by a barrier only. Or the other is who starts the iterations, does it
// before he starts one of them, and an iteration comes to the access by a barrier only.
func (a *Analysis) inPhases(r *model.Race) bool {
	if r.Other != nil {
		return false
	}
	w := a.barriers()
	if len(w.at) == 0 {
		return false
	}
	i, j := pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)
	if r.B.Thread == model.Main {
		return len(a.spawns) == 1 && a.beforeOneMore(a.accessOf(r.B)) && !w.comesFreely(pta.Site{Inst: i, At: ssair.Instr(r.A.Instr)})
	}
	f := w.a.w.Flow(j)
	if f == nil {
		return false
	}
	// Each iteration does what the other does, in an instance of its own.
	for _, k := range w.a.w.Named(f.Name) {
		if !w.a.in.Runs(k) || w.a.w.Thread(k) != w.a.w.Thread(i) {
			continue
		}
		x, y := pta.Site{Inst: i, At: ssair.Instr(r.A.Instr)}, pta.Site{Inst: k, At: ssair.Instr(r.B.Instr)}
		if (w.leads(x, y, false) || w.leads(y, x, false)) && !w.leads(x, y, true) && !w.leads(y, x, true) {
			return true
		}
	}
	return false
}

// comesFreely reports whether an iteration may come to an access past no barrier.
func (w *barriers) comesFreely(x pta.Site) bool {
	return w.fromBodies(w.walk(true)).reaches(x.Inst, x.At)
}

// fromBodies runs a walk from where the iterations begin.
func (w *barriers) fromBodies(v *walk) *walk {
	for _, side := range []model.Thread{model.Alpha, model.Beta} {
		for _, t := range w.a.w.Bodies(side) {
			v.fromEntry(t)
		}
	}
	return v.run()
}

// toldInPhase reports whether an iteration comes to either access of a race only where what may be a barrier has told it so, as
// the last one to come is told.
func (a *Analysis) toldInPhase(r *model.Race) bool {
	if r.Other != nil || r.B.Thread != model.Beta {
		return false
	}
	w := a.barriers()
	if len(w.at) == 0 {
		return false
	}
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return slices.ContainsFunc([]flow.Outcome{flow.Zero, flow.NonZero}, func(o flow.Outcome) bool {
		v := w.a.newWalk()
		v.avoid = func(p place, _ bool) bool {
			return p.step < 0 && slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
				return ev.Kind == flow.Returned && flow.Outcome(ev.Const) == o && w.at[pta.Site{Inst: p.inst, At: ev.Site}]
			})
		}
		v.toward(w.insts...)
		w.fromBodies(v)
		return !v.reaches(x.inst, x.at) && !v.reaches(y.inst, y.at)
	})
}

// apartInPhase reports whether iterations go round a loop in step, since each round of it has a wait at what may be a barrier, and nothing
// shows that the accesses of a race meet within a round:
//
//	for h := 1; h < n; h *= 2 {
//		for k := id; k < n/2; k += workers {
//			swap(k, h) // touches other elements for each k, but which it touches in which round is not proved
//		}
//		barrier.wait()
//	}
func (a *Analysis) apartInPhase(r *model.Race, meet func(r *model.Race, function string, header int32) bool) bool {
	if r.Other != nil || r.B.Thread != model.Beta || meet == nil {
		return false
	}
	w := a.barriers()
	for _, s := range slices.SortedFunc(maps.Keys(w.at), compareSites) {
		f := a.w.Flow(s.Inst)
		if f == nil || !w.at[s] || a.w.Thread(s.Inst) != r.A.Thread {
			continue
		}
		for _, k := range f.StepsAt(s.At) {
			for l := f.Innermost(f.BlockOf(f.BeforeStep(k))); l >= 0; l = f.Loops[l].Parent {
				inStep := w.a.eachRound(place{inst: s.Inst, f: f}, l, func(p place, _ bool) bool {
					return p.step >= 0 && w.at[pta.Site{Inst: p.inst, At: p.f.Steps[p.step].Site}]
				})
				if inStep && !meet(r, f.Name, f.Loops[l].Header) {
					return true
				}
			}
		}
	}
	return false
}

// leads reports whether a thread may come from one access to another, past no barrier if it is to be free.
func (w *barriers) leads(x, y pta.Site, free bool) bool {
	f := w.a.w.Flow(x.Inst)
	if f == nil {
		return true
	}
	v := w.walk(free)
	for _, g := range f.Gaps(x.At) {
		v.from(x.Inst, g)
	}
	return v.run().reaches(y.Inst, y.At)
}

// walk returns a walk that passes no barrier if it is to be free.
func (w *barriers) walk(free bool) *walk {
	v := w.a.newWalk()
	if free {
		v.avoid = func(p place, _ bool) bool {
			return p.step >= 0 && w.at[pta.Site{Inst: p.inst, At: p.f.Steps[p.step].Site}]
		}
		v.toward(w.insts...)
	}
	return v
}

// barriers are the steps by which iterations wait in a function, or let others go that wait
// there, and the calls of such functions: who waits for a condition finds it true if he is late,
// and does neither.
type barriers struct {
	at    map[pta.Site]bool
	insts []pta.InstID // where they are
	a     *Analysis    // whose walks see them
}

func (a *Analysis) barriers() *barriers {
	if a.barred != nil {
		return a.barred
	}
	a.barred = &barriers{at: make(map[pta.Site]bool)}
	bodies := slices.Concat(a.w.Bodies(model.Alpha), a.w.Bodies(model.Beta))
	var insts []pta.InstID
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		if !a.anyRuns(bodies, i) {
			return
		}
		found := false
		for k := range f.Steps {
			for n := range f.Steps {
				x, y := &f.Steps[k], &f.Steps[n]
				if (x.Kind == flow.Recv && y.Kind == flow.Close || x.Op == library.OpCondWait && y.Op == library.OpCondBroadcast) &&
					overlaps(a.operand(i, x.Site, 0), a.operand(i, y.Site, 0)) {
					a.barred.at[pta.Site{Inst: i, At: x.Site}] = true
					a.barred.at[pta.Site{Inst: i, At: y.Site}] = true
					found = true
				}
			}
		}
		if found {
			insts = append(insts, i)
			for _, c := range a.in.Callers(i) {
				if !a.in.IsSpawn(c) {
					a.barred.at[c] = true
					a.barred.insts = append(a.barred.insts, c.Inst)
				}
			}
		}
	})
	if len(insts) == 0 {
		return a.barred
	}
	a.barred.insts = append(a.barred.insts, insts...)
	b := a.comingTo(insts)
	b.seesConds = true
	a.barred.a = b
	return a.barred
}

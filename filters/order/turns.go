package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file recognises goroutines that take turns with who has started them:
//
//	func (w *world) work(start chan bool) {
//		for range start {
//			x(w)
//			w.done <- true
//		}
//	}
//
//	func (w *world) tick() {
//		for _, s := range w.start {
//			s <- true
//		}
//		for range w.start {
//			<-w.done
//		}
//		y(w)
//	}
//
// That as many are received as were started is not shown, so this orders nothing. But x and y are no definite race.

// takesTurns reports whether an iteration, once it has told that x is over, comes to x again only by a receive from
// what the code beside it sends to, and that code comes to y only where it has received what the iteration tells.
func (a *Analysis) takesTurns(r *model.Race) bool {
	if r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	x, y := accessOf(r.A), accessOf(r.B)
	mine, theirs := a.threadsOf(x.inst), a.threadsOf(y.inst)
	by := func(o *op, ts []pta.InstID) bool {
		return slices.ContainsFunc(a.threadsOf(o.inst), func(t pta.InstID) bool { return slices.Contains(ts, t) })
	}
	var told []pta.Loc // what the code beside the iterations sends to, or closes
	for _, o := range a.allOps {
		if (o.kind == opSend || o.kind == opClose) && by(o, theirs) {
			told = append(told, o.locs...)
		}
	}
	slices.Sort(told)
	var starts []*op
	for _, o := range a.allOps {
		if o.kind == opRecv && by(o, mine) && overlaps(o.locs, told) {
			starts = append(starts, o)
		}
	}
	if len(starts) == 0 {
		return false
	}
	var tells []pta.Loc
	for _, o := range a.allOps {
		if o.kind != opSend || !by(o, mine) {
			continue
		}
		w := a.newWalk()
		w.forbids(takes(starts), starts)
		if !w.startAfter(o).run().reaches(x.inst, x.at) {
			tells = append(tells, o.locs...)
		}
	}
	slices.Sort(tells)
	var waits []*op
	for _, o := range a.allOps {
		if o.kind == opRecv && by(o, theirs) && overlaps(o.locs, tells) {
			waits = append(waits, o)
		}
	}
	if len(waits) == 0 {
		return false
	}
	received := takes(waits)
	w := a.newWalk()
	w.edges = true
	w.forbids(func(p place, crossed bool) bool { return received(p, crossed) || a.passesLoopOf(p, waits) }, waits)
	for _, t := range mine {
		for _, s := range a.spawnsOf(t) {
			w.fromSpawn(s)
		}
	}
	return !w.run().reaches(y.inst, ssair.Instr(r.B.Instr))
}

// takes returns a condition for places where one of some receives has happened.
func takes(ops []*op) func(place, bool) bool {
	return func(p place, _ bool) bool {
		return slices.ContainsFunc(ops, func(o *op) bool {
			if o.inst != p.inst || p.step >= 0 || o.step >= 0 {
				return o.inst == p.inst && p.step >= 0 && o.step == p.step
			}
			return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(e flow.Event) bool {
				return e.Kind == flow.CaseTaken && e.Site == o.site && int(e.Operand) == o.k
			})
		})
	}
}

// passesLoopOf reports whether an edge leads out of, or past, a loop that has one of some operations in it: the loop
// may have met what it waits for in its rounds.
func (a *Analysis) passesLoopOf(p place, ops []*op) bool {
	if p.step >= 0 {
		return false
	}
	succs := p.f.Blocks[p.block].Succs
	return slices.ContainsFunc(ops, func(o *op) bool {
		return o.inst == p.inst && slices.ContainsFunc(p.f.Loops, func(l flow.Loop) bool {
			comes := l.Has(p.block) || slices.ContainsFunc(succs, func(e flow.Edge) bool { return l.Has(e.To) })
			return comes && l.Has(a.blockOf(o)) && !l.Has(succs[p.edge].To)
		})
	})
}

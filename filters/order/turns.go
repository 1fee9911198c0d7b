package order

import (
	"slices"

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
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	mine, theirs := a.opsOfThreads(x.inst), a.opsOfThreads(y.inst)
	starts := receivesFrom(mine, theirs, isTell)
	if len(starts) == 0 {
		return false
	}
	waits := a.heardOver(x, mine, theirs, starts, func(o *op) bool { return o.kind == opSend })
	if len(waits) == 0 {
		return false
	}
	w := a.newWalk()
	w.edges = true
	w.forbids(func(p place, _ bool) bool { return acquiredBy(p, waits, opRecv) || a.passesLoopOf(p, waits) }, waits)
	for _, t := range a.threadsOf(x.inst) {
		for _, s := range a.spawnsOf(t) {
			w.fromSpawn(s)
		}
	}
	return !w.run().reaches(y.inst, y.at)
}

// receivesUncounted reports whether the code beside an iteration comes to y only by a loop in each round of which it waits for x, where it
// is not known how many rounds that has:
//
//	for range seq {
//		pending++ // in the body of a range over a function
//		go func() { x(); done <- true }()
//	}
//	for ; pending > 0; pending-- {
//		<-done
//	}
//	y()
func (a *Analysis) receivesUncounted(r *model.Race) bool {
	if r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	var waits []*op
	for _, n := range a.opsOfThreads(y.inst) {
		if n.kind != opRecv || n.step < 0 || !a.isUseful(n) {
			continue
		}
		k := n.f.Innermost(a.blockOf(n))
		if k < 0 || n.f.Loops[k].Trip.Kind != flow.TripUnknown {
			continue
		}
		c := a.classOf(x)
		if a.solve(c); a.fuel < 0 {
			return false
		}
		tells := a.matching(n.locs, func(o *op) bool { return isTell(o) && a.over(c, o) && a.mayPrecede(o, n) })
		if len(tells) > 0 && a.eachRound(place{inst: n.inst, f: n.f}, k, func(q place, _ bool) bool { return n.isAt(q) }) {
			waits = append(waits, n)
		}
	}
	return len(waits) > 0 && !a.spawnsLeadTo(y, func(w *walk) {
		w.edges = true
		w.forbids(func(p place, _ bool) bool { return acquiredBy(p, waits, opRecv) || a.passesLoopOf(p, waits) }, waits)
	})
}

// heardOver lists the receives among theirs that may get what some of mine tell, which come to x then only by one of starts.
func (a *Analysis) heardOver(x access, mine, theirs, starts []*op, tells func(*op) bool) []*op {
	return receivesFrom(theirs, mine, func(o *op) bool {
		if !tells(o) {
			return false
		}
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return acquiredBy(p, starts, opRecv) }, starts)
		return !w.startAfter(o).run().reaches(x.inst, x.at)
	})
}

// receivesFrom lists the receives among some operations that may get what others tell.
func receivesFrom(ops, others []*op, tells func(*op) bool) (out []*op) {
	var told []pta.Loc
	for _, o := range others {
		if tells(o) {
			told = append(told, o.locs...)
		}
	}
	slices.Sort(told)
	for _, o := range ops {
		if o.kind == opRecv && overlaps(o.locs, told) {
			out = append(out, o)
		}
	}
	return out
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

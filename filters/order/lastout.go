package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a counter by which goroutines say that they are done, as they would by a group:
//
//	left.Store(int32(len(parts)))
//	for _, p := range parts {
//		go func() {
//			p.run()
//			if left.Add(-1) == 0 {
//				close(done)
//			}
//		}()
//	}
//	<-done
//
// Who finds the counter at zero comes after all that have counted down. That it was set to as many as there are, or raised for
// each, is taken for granted, as it is of a group (soundness: last-out). The counter may be a plain variable, under a lock. Those that
// count up to a number are counted themselves.

// lastOut reports whether an edge finds a counter at zero by which x's thread has said that x is over, and that
// not x's own threads alone have raised, each when it ran already.
func (a *Analysis) lastOut(n *op, ev *flow.Event, x *class, locs []pta.Loc, own, crossed bool) bool {
	if !findsZero(ev) || slices.ContainsFunc(locs, a.external) {
		return false
	}
	if slices.ContainsFunc(locs, func(l pta.Loc) bool {
		o := a.w.Object(l)
		return o.Alloc.Inst < 0 || crossed && o.Many // another run may set it anew, or it is another one by now
	}) {
		return false
	}
	if !countsDown(ev) {
		return false
	}
	over := func(r *op) bool { return a.mustSame(n, r, locs, own) && (x.counts(r) || a.overByDone(x, r, lowers)) }
	return slices.ContainsFunc(a.matching(locs, lowers), over) && (len(a.matching(locs, raises)) == 0 || a.added(n, x, locs, own, crossed, raises))
}

// counts reports whether r counts down what the class's thread counts down for each task.
func (c *class) counts(r *op) bool { return len(r.locs) == 1 && slices.Contains(c.counted, r.locs[0]) }

// findsZero reports whether an edge proves that a counter, which is not below zero, is at zero.
func findsZero(ev *flow.Event) bool { return ev.Const == 0 && (ev.Cmp == "==" || ev.Cmp == "<=") }

// plainLastOut is lastOut for a plain variable, cell, that is tested and counted down under one lock.
func (a *Analysis) plainLastOut(ev *flow.Event, i pta.InstID, x *class, cell pta.Site) bool {
	if !findsZero(ev) {
		return false
	}
	over, told := false, false
	for _, w := range a.flags[cell] {
		if lowers(w) {
			over = over || a.over(x, w) && w.f.Innermost(a.blockOf(w)) < 0 && a.underOneLock(i, ev.Site, w, cell)
			continue
		}
		told = told || !slices.ContainsFunc(a.threadsOf(w.inst), func(t pta.InstID) bool { return slices.Contains(x.threads, t) })
	}
	return over && told
}

// countedUp decides for the edge on which a counter has come to a number that is none of the code: if that is how
// often goroutines count up in all, those have done so.
func (a *Analysis) countedUp(n *op, ev *flow.Event, x *class, crossed bool) bool {
	var writes []*op
	var birth pta.Site
	var loc pta.Loc
	if cell, ok := a.tests[pta.Site{Inst: n.inst, At: ev.Site}]; ok {
		writes, birth = a.flags[cell], cell
	} else {
		locs, own, ok := a.chanOf(n, x, crossed)
		if !ok || len(locs) != 1 || a.external(locs[0]) {
			return false
		}
		o := a.w.Object(locs[0])
		if o.Many && !own || o.Part != 0 || indexed(o.Field) {
			return false
		}
		writes, birth, loc = a.ops[locs[0]], o.Alloc, locs[0]
	}
	most, one := amount{}, false
	for _, w := range writes {
		switch {
		case w.lib == library.OpAtomicLoad:
			continue
		case w.lib == library.OpAtomicAdd && w.has && w.delta == 1:
		case w.has && w.lib != library.OpAtomicAdd && w.delta == 0 && a.w.Thread(w.inst) == model.Main:
			continue // as it is at first
		default:
			return false
		}
		over := a.over(x, w) && (w.kind != opFlag || a.underOneLock(n.inst, ev.Site, w, birth))
		if one = one || over; a.w.Thread(w.inst) != model.Main && a.w.Thread(w.inst) == other(x.side) {
			continue // one side stands for all iterations
		}
		m, ok := a.happenings(w, birth, loc)
		if !ok {
			return false
		}
		most = most.add(m)
	}
	need := amount{bound: map[tripBound]int64{a.boundOf(n.inst, n.f, flow.Trip{Kind: flow.TripBound, Bound: ev.Value}): 1}}
	return one && most.within(need)
}

// lowers reports whether an operation counts an atomic down, or a plain variable.
func lowers(o *op) bool { return o.lib == library.OpAtomicAdd && o.has && o.delta < 0 }

// raises reports whether an operation counts an atomic up, or sets it to something that may not be zero.
func raises(o *op) bool {
	switch o.lib {
	case library.OpAtomicAdd:
		return !o.has || o.delta > 0
	case library.OpAtomicStore:
		return !o.has || o.delta != 0
	}
	return false
}

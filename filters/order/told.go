package order

import (
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about what may tell a thread that another one is done with what it was
// sent. The rules of order must know that it is so; where two sides are taken to have
// different objects, and the code shows one of them going on with what it has given away,
// any wait in between may be for an answer:
//
//	in <- q
//	<-q.done
//	q.n++
//
// But not a wait for what has nothing to do with the other thread, a ticker or the next
// input, nor for an answer that the other thread gives before it touches the object.

// told has the channels, groups and flags by which it may become known that the access
// of a thread is over: those that the thread uses, and those of all that uses one of these.
type told struct {
	all  bool
	locs map[pta.Loc]bool // as Canon has them
}

// toldOf returns what may tell x's thread that y is over.
func (a *Analysis) toldOf(x, y access) *told {
	t := &told{locs: make(map[pta.Loc]bool)}
	mine := a.threadsOf(x.inst)
	by := make(map[pta.InstID]bool)
	for _, u := range a.threadsOf(y.inst) {
		by[u] = true
		t.all = t.all || slices.Contains(mine, u)
	}
	for changed := !t.all; changed; {
		changed = false
		for _, o := range a.allOps {
			ts := a.threadsOf(o.inst)
			uses := slices.ContainsFunc(ts, func(u pta.InstID) bool { return by[u] })
			met := slices.ContainsFunc(o.locs, func(l pta.Loc) bool { return t.locs[a.w.Object(l).Canon] })
			if uses {
				for _, l := range o.locs {
					if c := a.w.Object(l).Canon; !t.locs[c] {
						t.locs[c], changed = true, true
					}
				}
			}
			if met {
				for _, u := range ts {
					if !by[u] && !slices.Contains(mine, u) {
						by[u], changed = true, true
					}
				}
			}
		}
	}
	return t
}

// tells reports whether one of some objects is among them. Of what other code may have
// it is not known.
func (t *told) tells(a *Analysis, locs []pta.Loc) bool {
	return t.all || len(locs) == 0 || slices.ContainsFunc(locs, func(l pta.Loc) bool {
		return a.external(l) && !a.isTimer(l) || t.locs[a.w.Object(l).Canon]
	})
}

// early reports whether all that is sent, or the close, on one of some channels comes from
// y's thread before y: after what o has given was taken, and before more is.
func (a *Analysis) early(o *op, y access, chans []pta.Loc, sends, closes bool) bool {
	some := false
	for _, r := range a.allOps {
		if !(sends && r.kind == opSend || closes && r.kind == opClose) || !a.inCommon(r.locs, chans) {
			continue
		}
		w := a.newWalk()
		w.avoid = func(p place, _ bool) bool { return a.receivesFrom(p, o.locs) }
		if !a.sameThread(r.inst, y.inst) || !w.startAfter(r).run().reaches(y.inst, y.at) {
			return false
		}
		some = true
	}
	return some
}

// inCommon reports whether two lists have an object in common, by whichever name.
func (a *Analysis) inCommon(ls, ms []pta.Loc) bool {
	return slices.ContainsFunc(ls, func(l pta.Loc) bool {
		c := a.w.Object(l).Canon
		return slices.ContainsFunc(ms, func(m pta.Loc) bool { return a.w.Object(m).Canon == c })
	})
}

// unawaited reports whether x may follow o with nothing in between by which y's thread
// may have told that it is done, by what t has.
func (a *Analysis) unawaited(o *op, x, y access, t *told) bool {
	answers := func(locs []pta.Loc, sends, closes bool) bool {
		return t.tells(a, locs) && (t.all || !a.early(o, y, locs, sends, closes))
	}
	w := a.newWalk()
	w.avoid = func(p place, _ bool) bool {
		if p.step >= 0 {
			st := &p.f.Steps[p.step]
			switch st.Kind {
			case flow.Recv:
				return answers(a.operand(p.inst, st.Site, 0), true, true)
			case flow.Sync:
				return orders(st.Op) && !onTimer(st.Op) && t.tells(a, a.operand(p.inst, st.Site, 0))
			}
			return false
		}
		for _, ev := range p.f.Blocks[p.block].Succs[p.edge].Events {
			sends, closes := true, true
			switch ev.Kind {
			case flow.CaseTaken:
				if ev.Send {
					continue
				}
			case flow.RecvSent:
				closes = false
			case flow.RecvClosed:
				sends = false
			default:
				continue
			}
			if answers(a.operand(p.inst, ev.Site, ev.Operand), sends, closes) {
				return true
			}
		}
		return false
	}
	return w.startAfter(o).run().reaches(x.inst, x.at)
}

// onTimer reports whether an operation starts or stops a timer, or what sends as one does.
func onTimer(op library.Op) bool {
	switch op {
	case library.OpTimerFunc, library.OpTimerChan, library.OpTimerReset, library.OpTimerStop, library.OpNotify:
		return true
	}
	return false
}

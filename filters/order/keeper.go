package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for the last one who has a channel that is used as a lock, as a baton that runners hand on:
//
//	for left := range baton {
//		x()
//		if left == 0 {
//			close(finish)
//			return
//		}
//		go func() { baton <- left - 1 }()
//	}
//
// Who closes finish has the baton, and gives it to nobody after that. So there is no x any more, whoever did the
// others: each of them had the baton.

// toldByLast reports whether y, of the goroutine that starts the iterations, comes after one of them has told so.
func (a *Analysis) toldByLast(r *model.Race, x, y access) bool {
	if r.Other != nil {
		return false
	}
	from, ok := a.sole(y.inst)
	if !ok {
		return false
	}
	var spawns []pta.Site
	for _, t := range a.threadsOfAccess(x) {
		for _, s := range a.spawnsOf(t) {
			if by, ok := a.sole(s.Inst); !ok || by != from {
				return false
			}
			spawns = append(spawns, s)
		}
	}
	if len(spawns) == 0 {
		return false
	}
	for _, l := range a.oneChannels() {
		for _, acquire := range []opKind{opSend, opRecv} {
			if a.w.Object(l).Many || !a.mayBeLock(l, acquire) || !a.mayHold(x.inst, l, acquire) || !a.isLock(l, acquire) || !a.holds(x, l, acquire) {
				continue
			}
			for _, m := range a.receivedBy(from) {
				if m == l || !a.tellsLast(m, l, acquire, x) {
					continue
				}
				w := a.newWalk()
				w.forbids(func(p place, _ bool) bool { return acquiredBy(p, a.ops[m], opRecv) }, a.ops[m])
				for _, s := range spawns {
					w.fromSpawn(s)
				}
				if !w.run().reaches(y.inst, y.at) {
					return true
				}
			}
		}
	}
	return false
}

// receivedBy lists the channels, of which there is one each, that a thread receives from.
func (a *Analysis) receivedBy(t pta.InstID) (out []pta.Loc) {
	for _, o := range a.allOps {
		if o.kind != opRecv || len(o.locs) != 1 || slices.Contains(out, o.locs[0]) || !slices.Contains(a.threadsOf(o.inst), t) {
			continue
		}
		l := o.locs[0]
		if v := a.w.Object(l); oneCell(v) && !a.external(l) && !a.isTimer(l) {
			out = append(out, l)
		}
	}
	return out
}

// tellsLast reports whether each who sends to channel m, or closes it, holds l then, and comes to x no more, and neither he
// nor those that he starts give l back.
func (a *Analysis) tellsLast(m, l pta.Loc, acquire opKind, x access) bool {
	some := false
	for _, o := range a.ops[m] {
		if o.kind == opRecv {
			continue
		}
		if len(o.locs) != 1 || o.kind != opSend && o.kind != opClose || !a.mayHold(o.inst, l, acquire) || !a.holdsAt(o, l, acquire) {
			return false
		}
		some = true
		w := a.kept(walkKey{kind: 'K', op: o.id}, func() *walk {
			w := a.newWalk()
			w.spawns = true
			return w.startAfter(o).run()
		})
		if w.reaches(x.inst, x.at) || slices.ContainsFunc(a.ops[l], func(g *op) bool { return g.kind != acquire && g.kind != opClose && w.reachesOp(g) }) {
			return false
		}
	}
	return some
}

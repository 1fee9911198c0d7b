package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file recognises what a goroutine does for who asks it, where all that ask have been answered:
//
//	go func() {
//		for b := range requests {
//			answers <- db.write(b) // x
//		}
//	}()
//	for range 4 {
//		wg.Go(func() {
//			requests <- batch
//			<-answers
//		})
//	}
//	wg.Wait()
//	db.close() // y
//
// It is asked in doubt: whose answer it is that somebody receives is not shown.

// allServed reports whether x is done for requests only, and y comes when each of those has been answered.
func (a *Analysis) allServed(r *model.Race) bool {
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return a.servedBefore(x, y) || a.servedBefore(y, x)
}

func (a *Analysis) servedBefore(x, y access) bool {
	ts := a.threadsOf(x.inst)
	if len(ts) != 1 || len(a.spawnsOf(ts[0])) == 0 || a.anyRuns(ts, y.inst) {
		return false
	}
	channels := func(kind opKind) (locs []pta.Loc) {
		for _, o := range a.allOps {
			if o.kind == kind && len(o.locs) == 1 && !a.external(o.locs[0]) && !a.isTimer(o.locs[0]) && !slices.Contains(locs, o.locs[0]) && slices.Equal(a.threadsOf(o.inst), ts) {
				locs = append(locs, o.locs[0])
			}
		}
		return locs
	}
	answers := channels(opSend)
	if len(answers) == 0 {
		return false
	}
	for _, q := range channels(opRecv) {
		for _, l := range answers {
			if l != q && a.serves(ts[0], q, l, x) && a.allAsked(q, l, y) {
				return true
			}
		}
	}
	return false
}

// serves reports whether a thread comes to x only between a receive from q and a send on l.
func (a *Analysis) serves(t pta.InstID, q, l pta.Loc, x access) bool {
	return !a.kept(walkKey{kind: 'Q', inst: t, op: int32(q), site: ssair.Instr(l)}, func() *walk {
		var sent []*op
		for _, o := range a.ops[l] {
			if o.kind == opSend {
				sent = append(sent, o)
			}
		}
		return a.idleBetween(make(map[pta.InstID]*walk), t, q, true, sent)
	}).reaches(x.inst, x.at)
}

// allAsked reports whether all that send on q receive from l then, before they are over, and have been waited for where control
// comes to y.
func (a *Analysis) allAsked(q, l pta.Loc, y access) bool {
	asked := false
	chans := []pta.Loc{l}
	for _, o := range a.ops[q] {
		if o.kind != opSend {
			continue
		}
		asked = true
		w := a.kept(walkKey{kind: 'S', op: o.id, site: ssair.Instr(l)}, func() *walk {
			w := a.newWalk()
			w.avoid = func(p place, _ bool) bool { return a.receivesFrom(p, chans) }
			return w.startAfter(o).run()
		})
		if w.reaches(y.inst, y.at) {
			return false
		}
		for _, u := range a.threadsOf(o.inst) {
			if a.up[u] || a.anyRuns([]pta.InstID{u}, y.inst) {
				continue
			}
			if w.reachesExit(u) || !a.allReceived(u, l, y) {
				return false
			}
		}
	}
	return asked && a.fuel >= 0
}

// allReceived reports whether what a thread receives from l is over where control comes to y.
func (a *Analysis) allReceived(t pta.InstID, l pta.Loc, y access) bool {
	some := false
	for _, o := range a.ops[l] {
		if o.kind != opRecv || !a.anyRuns([]pta.InstID{t}, o.inst) {
			continue
		}
		some = true
		c := a.classOf(access{inst: o.inst, at: o.site, birth: noSite, own: noSite, by: t + 1})
		if a.solve(c); c.hopeless || c.outward.reaches(y.inst, y.at) {
			return false
		}
	}
	return some
}

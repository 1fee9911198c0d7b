package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a fan-in: for each channel of a list a goroutine passes on what it gets, until the
// channel is closed, and a group waits for all of these.
//
//	for _, in := range ins {
//		go func() {
//			defer wg.Done()
//			for v := range in {
//				out <- v
//			}
//		}()
//	}
//	go func() {
//		wg.Wait()
//		close(out)
//	}()
//
// Whoever closes a channel of the list when x is over has been waited for when the group is. As elsewhere the list is taken to have
// all whose names it has (soundness: whole-list).

// A forwarder is a goroutine that is started for each element of a list, and comes to its end only where a channel that the
// element has is closed.
type forwarder struct {
	body pta.InstID
	recv *op
}

// forwarders lists them.
func (a *Analysis) forwarders() []forwarder {
	if a.forwards != nil {
		return a.forwards
	}
	a.forwards = []forwarder{}
	for _, o := range a.allOps {
		if o.kind == opRecv && o.step >= 0 && o.f.Steps[o.step].CommaOk && !slices.ContainsFunc(o.locs, a.external) && a.isForwarder(o) {
			a.forwards = append(a.forwards, forwarder{o.inst, o})
		}
	}
	return a.forwards
}

func (a *Analysis) isForwarder(o *op) bool {
	t, ok := a.sole(o.inst)
	if !ok || t != o.inst {
		return false
	}
	sites := a.spawnsOf(t)
	if len(sites) != 1 {
		return false
	}
	s := sites[0]
	f := a.w.Flow(s.Inst)
	steps := f.StepsAt(s.At)
	if len(steps) != 1 || f.Steps[steps[0]].Kind != flow.Spawn || f.Steps[steps[0]].Repeat {
		return false
	}
	l := f.Innermost(f.BlockOf(f.BeforeStep(steps[0])))
	if l < 0 || f.Loops[l].Drains {
		return false
	}
	i, p, ok := a.in.Up(t, s, o.path)
	if !ok || i != s.Inst || !hasElement(f, &f.Loops[l], p) || leavesEarly(f, l) ||
		!a.eachRound(place{inst: s.Inst, f: f}, l, func(q place, _ bool) bool { return q.inst == s.Inst && q.step == steps[0] }) {
		return false
	}
	w := a.newWalk()
	w.forbids(func(p place, _ bool) bool { return a.findsClosed(p, o) }, []*op{o})
	w.fromEntry(t).run()
	return !w.reachesExit(t)
}

// leavesEarly reports whether a loop may be left before it has come to all elements.
func leavesEarly(f *flow.Func, l int32) bool {
	return slices.ContainsFunc(f.Loops[l].Blocks, func(b int32) bool {
		return slices.ContainsFunc(f.Blocks[b].Succs, func(e flow.Edge) bool { return !e.Dead && !f.Loops[l].Has(e.To) && e.Counts != l+1 })
	})
}

// findsClosed reports whether an edge is taken where a receive finds its channel closed.
func (a *Analysis) findsClosed(p place, o *op) bool {
	return p.inst == o.inst && p.step < 0 && slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		return ev.Kind == flow.RecvClosed && ev.Site == o.site && ev.Operand == o.k
	})
}

// forwardedAll reports whether a Wait waits for forwarders of channels of which x's goroutine closes its own when x is over.
func (a *Analysis) forwardedAll(n *op, x *class, crossed bool) bool {
	if a.doubtful || x.side == model.Main {
		return false
	}
	for _, fw := range a.forwarders() {
		closes := a.matching(fw.recv.locs, func(o *op) bool { return o.kind == opClose && a.w.Thread(o.inst) != other(x.side) })
		if !a.overAny(x, closes) || slices.ContainsFunc(closes, func(r *op) bool { return !a.over(x, r) }) {
			continue
		}
		// It tells the group when it receives no more.
		z := a.classOf(accessAt(pta.Site{Inst: fw.body, At: fw.recv.site}))
		if locs, _, ok := a.chanOf(n, z, crossed); ok && !a.addsLate(z, locs) && a.waitAwaits(n, z, crossed) {
			return true
		}
	}
	return false
}

// closedBehindAll reports whether a channel, which no iteration has, is closed only by goroutines that have waited for
// forwarders, as forwardedAll says. That holds of whichever round x is: what else these goroutines wait for may be another
// round's.
func (a *Analysis) closedBehindAll(n *op, x *class) bool {
	if len(a.forwarders()) == 0 || x.side == model.Main {
		return false
	}
	m := a.meaningOf(n)
	if !m.useful || len(m.locs) != 1 || a.external(m.locs[0]) {
		return false
	}
	o := a.w.Object(m.locs[0])
	if !oneCell(o) || a.usedByRounds(m.locs[0]) {
		return false
	}
	var waits []*op
	for _, o := range a.allOps {
		if o.lib == library.OpWGWait && a.forwardedAll(o, x, true) {
			waits = append(waits, o)
		}
	}
	if len(waits) == 0 {
		return false
	}
	closes := a.matching(m.locs, func(r *op) bool { return r.kind == opClose })
	for _, r := range closes {
		t, ok := a.sole(r.inst)
		if !ok || len(a.spawnsOf(t)) == 0 {
			return false
		}
		w := a.newWalk()
		w.without(waits)
		if w.fromEntry(t).run().reachesOp(r) {
			return false
		}
	}
	return len(closes) > 0
}

// usedByRounds reports whether iterations of the loop, or what they start, do something with what is at l.
func (a *Analysis) usedByRounds(l pta.Loc) bool {
	for _, side := range []model.Thread{model.Alpha, model.Beta} {
		if slices.ContainsFunc(a.w.Bodies(side), func(t pta.InstID) bool { return a.uses(t, l) }) {
			return true
		}
	}
	return false
}

package order

import (
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for bubbles, as testing/synctest has them: the call
// that makes one returns when all goroutines in it have ended, and a wait in it
// completes when each other one has ended or blocks.

// returning stands in place.edge where a walk comes out of a call, not to it.
const returning = 1

// ends reports whether what a walk waits for is over when the body run by step
// k returns to it: the body of a bubble, and all that was started in it.
func (w *walk) ends(i pta.InstID, f *flow.Func, k int32) bool {
	return w.avoid != nil && f.Steps[k].Op == library.OpBubble && w.avoid(place{inst: i, f: f, step: k, edge: returning}, false)
}

// burst decides for the call that makes a bubble: it awaits what is started
// below its body and nowhere else.
func (a *Analysis) burst(n *op, x *class) bool {
	bodies := a.in.CalleesAt(n.inst, n.site)
	without := func(t pta.InstID) bool { return !a.startedWithin(t, bodies, 0) }
	return len(x.threads) > 0 && !slices.ContainsFunc(x.threads, without)
}

// within reports whether x is started in some bubble.
func (a *Analysis) within(x *class) bool {
	return slices.ContainsFunc(a.allOps, func(o *op) bool { return o.lib == library.OpBubble && a.burst(o, x) })
}

func (a *Analysis) startedWithin(t pta.InstID, bodies []pta.InstID, depth int) bool {
	sites := a.spawnsOf(t)
	if len(sites) == 0 || depth > 8 {
		return false
	}
	for _, s := range sites {
		if slices.ContainsFunc(bodies, func(b pta.InstID) bool { return a.onlyBelow(s.Inst, b) }) {
			continue
		}
		for _, u := range a.threadsOf(s.Inst) {
			if !a.startedWithin(u, bodies, depth+1) {
				return false
			}
		}
	}
	return true
}

// settled decides for a wait in a bubble: x is over if the very thread that
// waits has started x's, and nothing that lies on the way to x, from its start or from an
// earlier x, blocks when it waits.
func (a *Analysis) settled(n *op, x *class) bool {
	waiter, ok := a.sole(n.inst)
	if !ok || !x.settles {
		return false
	}
	sites := a.spawnsOf(x.threads[0])
	for _, s := range sites {
		if u, ok := a.sole(s.Inst); !ok || u != waiter || !a.unblocked(n, s, x.blocked) {
			return false
		}
	}
	return len(sites) > 0
}

// A blocking is a step that may block, in an instance.
type blocking struct {
	inst pta.InstID
	step int32 // -1 for a case of a select
}

// maxBlocking bounds the steps before an access that are told apart.
const maxBlocking = 8

// blockedBefore lists the steps of thread t that may block and come before x, and reports whether it
// knows all of them.
func (a *Analysis) blockedBefore(t pta.InstID, x access) (out []blocking, ok bool) {
	var all []blocking
	ok = true
	comes := func(from func(*walk)) bool {
		w := a.newWalk()
		from(w)
		return w.run().reaches(x.inst, x.at)
	}
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		if !slices.Contains(a.threadsOf(i), t) {
			return
		}
		for k := range f.Steps {
			if blocks(&f.Steps[k]) {
				all = append(all, blocking{i, int32(k)})
			}
		}
		for b := range f.Blocks {
			for _, e := range f.Blocks[b].Succs {
				for _, ev := range e.Events {
					if ev.Kind == flow.CaseTaken && ok {
						ok = !comes(func(w *walk) { w.from(i, f.First(e.To)) })
					}
				}
			}
		}
	})
	if !ok || len(all) > maxBlocking {
		return nil, ok && !comes(func(w *walk) {
			for _, b := range all {
				w.fromStep(b.inst, b.step)
			}
		})
	}
	for _, b := range all {
		if comes(func(w *walk) { w.fromStep(b.inst, b.step) }) {
			out = append(out, b)
		}
	}
	return out, true
}

// unblocked reports whether a goroutine that was started at a site is past some steps when a wait of
// the same frame completes: it has slept for no longer than who waits has since, and received
// no more than that one has sent before, or from a channel that is closed.
func (a *Analysis) unblocked(n *op, spawn pta.Site, steps []blocking) bool {
	if len(steps) == 0 {
		return true
	}
	starts := n.f.StepsAt(spawn.At)
	if n.step < 0 || n.inst != spawn.Inst || len(starts) == 0 {
		return false
	}
	slept, own := int64(0), int64(0)
	for k := range n.f.Steps {
		st := &n.f.Steps[k]
		if st.Op == library.OpSleep && st.HasConst && n.f.Leads(starts[0], int32(k)) && n.f.Leads(int32(k), n.step) {
			slept += st.Const
		}
	}
	for _, b := range steps {
		f := a.w.Flow(b.inst)
		if f.Innermost(f.BlockOf(f.BeforeStep(b.step))) >= 0 {
			return false
		}
		switch st := &f.Steps[b.step]; {
		case st.Op == library.OpSleep && st.HasConst:
			own += max(st.Const, 0)
		case st.Kind == flow.Recv && a.fedBefore(n, starts[0], b, steps):
		default:
			return false
		}
	}
	return own <= slept
}

// fedBefore reports whether a receive, one of some steps of a goroutine, completes before a wait: who
// waits has closed the channel, or has sent for each of these, and nobody else receives.
func (a *Analysis) fedBefore(n *op, start int32, b blocking, steps []blocking) bool {
	k := slices.IndexFunc(a.allOps, func(o *op) bool { return o.inst == b.inst && o.step == b.step })
	if k < 0 || len(a.allOps[k].locs) != 1 {
		return false
	}
	recv := a.allOps[k]
	sent, received := 0, 0
	for _, o := range a.allOps {
		if !slices.Equal(o.locs, recv.locs) {
			continue
		}
		before := o.inst == n.inst && o.step >= 0 && n.f.Leads(o.step, n.step)
		switch {
		case o.kind == opClose && before:
			return true
		case o.kind == opSend && before:
			sent++
		case o.kind == opRecv && slices.Contains(steps, blocking{o.inst, o.step}):
			received++
		case o.kind == opRecv:
			return false
		}
	}
	// Of many goroutines one may receive what is sent for another.
	return received <= sent && n.f.Innermost(n.f.BlockOf(n.f.BeforeStep(start))) < 0
}

// blocks reports whether a step may block for long, in the sense of a bubble.
// Locks do not: what holds one is still to settle.
func blocks(st *flow.Step) bool {
	switch st.Kind {
	case flow.Send, flow.Recv:
		return true
	case flow.Sync:
		switch st.Op {
		case library.OpWGWait, library.OpJoin, library.OpCondWait, library.OpSemAcquire:
			return true
		case library.OpSleep:
			return !st.HasConst || st.Const > 0
		}
	}
	return false
}

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
	return f.Steps[k].Op == library.OpBubble && w.avoid != nil && w.avoid(place{inst: i, f: f, step: k, edge: returning}, false)
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
// waits has started x's, which comes to x without anything on the way, from its
// start or from an earlier x, that may block.
func (a *Analysis) settled(n *op, x *class) bool {
	waiter, ok := a.sole(n.inst)
	if !ok || !x.settles {
		return false
	}
	sites := a.spawnsOf(x.threads[0])
	for _, s := range sites {
		if u, ok := a.sole(s.Inst); !ok || u != waiter {
			return false
		}
	}
	return len(sites) > 0
}

// settles reports whether thread t comes to x before it can block, and never
// again after that.
func (a *Analysis) settles(t pta.InstID, x access) bool {
	w := a.newWalk()
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		if !slices.Contains(a.threadsOf(i), t) {
			return
		}
		for k := range f.Steps {
			if blocks(&f.Steps[k]) {
				w.fromStep(i, int32(k))
			}
		}
		for b := range f.Blocks {
			for _, e := range f.Blocks[b].Succs {
				for _, ev := range e.Events {
					if ev.Kind == flow.CaseTaken {
						w.from(i, f.First(e.To))
					}
				}
			}
		}
	})
	return !w.run().reaches(x.inst, x.at)
}

// blocks reports whether a step may block for long, in the sense of a bubble.
// Locks do not: what holds one is still to settle.
func blocks(st *flow.Step) bool {
	switch st.Kind {
	case flow.Send, flow.Recv:
		return true
	case flow.Sync:
		switch st.Op {
		case library.OpWGWait, library.OpJoin, library.OpCondWait, library.OpSemAcquire, library.OpSleep:
			return true
		}
	}
	return false
}

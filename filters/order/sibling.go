package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for two goroutines that one round of a loop starts:
//
//	for {
//		c := &conn{done: make(chan struct{})}
//		go c.read()  // closes c.done
//		go c.write() // waits for it
//	}
//
// Each round has a channel of its own, and that both goroutines mean that of their round is
// not followed. Where one of them comes to its access only after it has waited for what the
// other may do by an object of one name, it is taken to order them (soundness: round-order).

// orderedInRound reports whether the goroutines of a race are of one round, and one of them comes to its access only
// after it has waited for what the other may do.
func (a *Analysis) orderedInRound(r *model.Race) bool {
	if r.Other == nil || !r.Loop.Sibling || !r.Other.Sibling {
		return false
	}
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	xs, ys := a.opsOfThreads(x.inst), a.opsOfThreads(y.inst)
	return a.comesAfterWait(x, xs, ys) || a.comesAfterWait(y, ys, xs)
}

// comesAfterWait reports whether x, whose threads do some operations, comes after one by which they wait for what one of
// others may do.
func (a *Analysis) comesAfterWait(x access, ops, others []*op) bool {
	waits := slices.DeleteFunc(slices.Clone(ops), func(o *op) bool {
		return !slices.ContainsFunc(others, func(p *op) bool { return mayTell(p, o) && a.inCommon(o.locs, p.locs) })
	})
	if len(waits) == 0 {
		return false
	}
	w := a.newWalk()
	w.without(waits)
	for _, t := range a.threadsOf(x.inst) {
		w.fromEntry(t)
	}
	return !w.run().reaches(x.inst, x.at)
}

// mayTell reports whether an operation p is of a kind that another one, o, waits for.
func mayTell(p, o *op) bool {
	return o.kind == opRecv && (p.kind == opSend || p.kind == opClose) ||
		o.lib == library.OpWGWait && (p.lib == library.OpWGDone || p.lib == library.OpWGAdd)
}

// opsOfThreads lists the operations of the threads that run an instance.
func (a *Analysis) opsOfThreads(i pta.InstID) (out []*op) {
	ts := a.threadsOf(i)
	for _, o := range a.allOps {
		if a.anyRuns(ts, o.inst) {
			out = append(out, o)
		}
	}
	return out
}

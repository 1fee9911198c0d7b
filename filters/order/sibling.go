package order

import (
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
// not followed. Where one of them waits for what the other may do by an object of one name,
// it is taken to order them (soundness: round-order).

// orderedInRound reports whether the goroutines of a race are of one round, and one of them may wait
// for the other.
func (a *Analysis) orderedInRound(r *model.Race) bool {
	if r.Other == nil || !r.Loop.Sibling || !r.Other.Sibling {
		return false
	}
	xs, ys := a.opsOfThreads(pta.InstID(r.A.Inst)), a.opsOfThreads(pta.InstID(r.B.Inst))
	return a.mayAwait(xs, ys) || a.mayAwait(ys, xs)
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

// mayAwait reports whether one of some operations waits for what one of others may do.
func (a *Analysis) mayAwait(waiting, others []*op) bool {
	for _, o := range waiting {
		for _, p := range others {
			tells := o.kind == opRecv && (p.kind == opSend || p.kind == opClose) ||
				o.lib == library.OpWGWait && (p.lib == library.OpWGDone || p.lib == library.OpWGAdd)
			if tells && a.inCommon(o.locs, p.locs) {
				return true
			}
		}
	}
	return false
}

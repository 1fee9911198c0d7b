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
// not followed. Where one of them waits for what the other may do by an object of one name,
// it is taken to order them (soundness: round-order).

// orderedInRound reports whether the goroutines of a race are of one round, and one of them may wait
// for the other.
func (a *Analysis) orderedInRound(r *model.Race) bool {
	if r.Other == nil || !r.Loop.Sibling || !r.Other.Sibling {
		return false
	}
	x, y := pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)
	runs := func(o *op, i pta.InstID) bool {
		return slices.ContainsFunc(a.threadsOf(o.inst), func(t pta.InstID) bool { return slices.Contains(a.threadsOf(i), t) })
	}
	for _, o := range a.allOps {
		var ends func(p *op) bool
		switch {
		case o.kind == opRecv:
			ends = func(p *op) bool { return p.kind == opSend || p.kind == opClose }
		case o.lib == library.OpWGWait:
			ends = func(p *op) bool { return p.lib == library.OpWGDone || p.lib == library.OpWGAdd }
		default:
			continue
		}
		for _, p := range a.allOps {
			if ends(p) && a.inCommon(o.locs, p.locs) && (runs(o, x) && runs(p, y) || runs(o, y) && runs(p, x)) {
				return true
			}
		}
	}
	return false
}

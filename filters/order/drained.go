package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for workers that are sent one thing only: who comes round
// to the receive again waits for ever,
//
//	for t := range queue { t.f(); t.done <- true }
//
// so that what comes after the first round's release is not another f.

// drained returns the condition of a walk from r that ends at receives, in the
// function of r, for which there is no second message: one was received before r
// on every way to it, and one is all that is ever sent.
func (a *Analysis) drained(r *op) func(place, bool) bool {
	if r.step < 0 {
		return nil
	}
	var ends []int32
	for k := range r.f.Steps {
		st := &r.f.Steps[k]
		if st.Kind != flow.Recv || r.f.Reaches(r.f.Entry(), r.f.BeforeStep(r.step), st.Site, -1) {
			continue
		}
		locs := a.operand(r.inst, st.Site, 0)
		if len(locs) == 1 && a.oneMessage(locs[0]) {
			ends = append(ends, int32(k))
		}
	}
	if len(ends) == 0 {
		return nil
	}
	return func(p place, _ bool) bool { return p.inst == r.inst && slices.Contains(ends, p.step) }
}

// oneMessage reports whether at most one message is ever sent on a channel, which
// is not closed.
func (a *Analysis) oneMessage(l pta.Loc) bool {
	if o := a.w.Object(l); !oneCell(o) || a.external(l) || a.isTimer(l) {
		return false
	}
	n := 0
	for _, o := range a.ops[l] {
		switch o.kind {
		case opClose:
			return false
		case opSend:
			if n++; n > 1 || !a.happensOnce(o) {
				return false
			}
		}
	}
	return true
}

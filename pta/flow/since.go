package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file is about variables of a function that are true only when something has been received:
//
//	ready := false
//	for !ready {
//		select {
//		case ready = <-done:
//		default:
//			tick()
//		}
//	}
//
// Who leaves the loop has received from done.

// sinceCases notes the edges on which such a variable is found true.
func (b *builder) sinceCases() {
	var cases []takenCase
	for _, blk := range b.ir.SSA.Blocks {
		succs := b.Blocks[blk.Index].Succs
		if len(succs) != len(blk.Succs) {
			continue
		}
		for i, s := range blk.Succs {
			for _, ev := range succs[i].Events {
				if ev.Kind == CaseTaken && !ev.Send {
					cases = append(cases, takenCase{blk, s, ev})
				}
			}
		}
	}
	if len(cases) == 0 {
		return
	}
	for _, blk := range b.ir.SSA.Blocks {
		t, ok := testAt(blk, make(map[*ssa.Alloc]bool))
		if !ok || len(b.Blocks[blk.Index].Succs) != 2 {
			continue
		}
		phi, ok := t.on.(*ssa.Phi)
		if !ok || !isBool(phi.Type()) {
			continue
		}
		if c := trueSince(phi, cases); c != nil {
			e := &b.Blocks[blk.Index].Succs[1-t.zero]
			e.Events = append(e.Events, Event{Kind: Since, Site: c.ev.Site, Operand: c.ev.Operand, Path: c.ev.Path})
		}
	}
}

// A takenCase is an edge by which the case of a select is taken that receives.
type takenCase struct {
	from, to *ssa.BasicBlock
	ev       Event
}

// leadsTo reports whether control comes to the end of a block, on its way to another one, only by the case.
func (c *takenCase) leadsTo(from, to *ssa.BasicBlock) bool {
	return from == c.from && to == c.to || len(c.to.Preds) == 1 && c.to.Dominates(from)
}

// trueSince returns a case that has been taken where a variable is true, nil if there is none.
func trueSince(v *ssa.Phi, cases []takenCase) *takenCase {
	type way struct{ from, to *ssa.BasicBlock }
	var set []way
	seen := map[*ssa.Phi]bool{v: true}
	for work := []*ssa.Phi{v}; len(work) > 0; {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for i, e := range p.Edges {
			if zero, ok := isZero(e, nil); ok && zero {
				continue
			}
			if q, ok := e.(*ssa.Phi); ok {
				if !seen[q] {
					seen[q] = true
					work = append(work, q)
				}
				continue
			}
			set = append(set, way{p.Block().Preds[i], p.Block()})
		}
	}
	for i := range cases {
		c := &cases[i]
		if len(set) > 0 && !slices.ContainsFunc(set, func(w way) bool { return !c.leadsTo(w.from, w.to) }) {
			return c
		}
	}
	return nil
}

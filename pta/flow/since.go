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
// Who leaves the loop has received from done. It is about channels, too, that are set to nil once
// nothing more is to come from them:
//
//	for a != nil || b != nil {
//		select {
//		case v, ok := <-a:
//			if !ok {
//				a = nil
//				continue
//			}
//			use(v)
//		case v := <-b:
//			use(v)
//			b = nil
//		}
//	}
//
// Who leaves this one has seen a closed, and received from b.

// sinceCases notes the edges on which such a variable is found true, or nil.
func (b *builder) sinceCases() {
	var cases, closed []takenCase
	for _, blk := range b.ir.SSA.Blocks {
		succs := b.Blocks[blk.Index].Succs
		if len(succs) != len(blk.Succs) {
			continue
		}
		for i, s := range blk.Succs {
			for _, ev := range succs[i].Events {
				switch {
				case ev.Kind == CaseTaken && !ev.Send:
					cases = append(cases, takenCase{blk, s, ev})
				case ev.Kind == RecvClosed:
					closed = append(closed, takenCase{blk, s, ev})
				}
			}
		}
	}
	if len(cases) == 0 && len(closed) == 0 {
		return
	}
	for _, blk := range b.ir.SSA.Blocks {
		t, ok := testAt(blk, make(map[*ssa.Alloc]bool))
		if !ok || len(b.Blocks[blk.Index].Succs) != 2 {
			continue
		}
		phi, ok := t.on.(*ssa.Phi)
		if !ok {
			continue
		}
		note := func(succ int, ev Event) {
			e := &b.Blocks[blk.Index].Succs[succ]
			e.Events = append(e.Events, ev)
		}
		since := func(c *takenCase) Event {
			return Event{Kind: Since, Site: c.ev.Site, Operand: c.ev.Operand, Path: c.ev.Path}
		}
		switch {
		case isBool(phi.Type()):
			if c := among(cases, setOn(phi, nil), nil); c != nil {
				note(1-t.zero, since(c))
			}
		case isChan(phi.Type()):
			ch := channelBefore(phi)
			if ch == nil {
				continue
			}
			// A channel is closed whenever that was seen, but what has come from it may have come before what is asked about.
			set, of := setOn(phi, ch), func(c *takenCase) bool { return b.receivesFrom(c, phi, ch) }
			if c := among(closed, set, of); c != nil {
				note(t.zero, c.ev)
			} else if c := among(cases, set, of); c != nil {
				note(t.zero, since(c))
			}
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

// A way is an edge by which control comes to where a variable has a value.
type way struct{ from, to *ssa.BasicBlock }

// setOn lists the ways by which a variable comes to be something else than false; or, where the channel is given that it
// has at first, something else than that.
func setOn(v *ssa.Phi, first ssa.Value) (set []way) {
	for _, p := range webOf(v) {
		for i, e := range p.Edges {
			if _, ok := e.(*ssa.Phi); ok || e == first && first != nil {
				continue
			}
			if zero, ok := isZero(e, nil); first == nil && ok && zero {
				continue
			}
			set = append(set, way{p.Block().Preds[i], p.Block()})
		}
	}
	return set
}

// webOf lists a phi and those from which it may have what it is.
func webOf(v *ssa.Phi) []*ssa.Phi {
	web := []*ssa.Phi{v}
	for i := 0; i < len(web); i++ {
		for _, e := range web[i].Edges {
			if q, ok := e.(*ssa.Phi); ok && !slices.Contains(web, q) {
				web = append(web, q)
			}
		}
	}
	return web
}

// among returns a case, of those that count, by which alone each of some ways is come to; nil if there is none.
func among(cases []takenCase, set []way, counts func(*takenCase) bool) *takenCase {
	for i := range cases {
		c := &cases[i]
		if len(set) > 0 && !slices.ContainsFunc(set, func(w way) bool { return !c.leadsTo(w.from, w.to) }) && (counts == nil || counts(c)) {
			return c
		}
	}
	return nil
}

// channelBefore returns the channel that a variable is before it is nil, nil if it may be several. It is not another one in
// each round of a loop: then the variable is nil before the first.
func channelBefore(v *ssa.Phi) ssa.Value {
	var ch ssa.Value
	for _, p := range webOf(v) {
		for _, e := range p.Edges {
			if _, ok := e.(*ssa.Phi); ok || nilConst(e) {
				continue
			}
			if ch != nil && ch != e {
				return nil
			}
			ch = e
		}
	}
	return ch
}

// receivesFrom reports whether the receive of a case is from a variable that is a channel or nil.
func (b *builder) receivesFrom(c *takenCase, v *ssa.Phi, ch ssa.Value) bool {
	var from ssa.Value
	switch in := b.ir.At(c.ev.Site).(type) {
	case *ssa.Select:
		from = in.States[c.ev.Operand].Chan
	case *ssa.UnOp:
		from = in.X
	}
	if from == ch {
		return true
	}
	p, ok := from.(*ssa.Phi)
	return ok && slices.Contains(webOf(v), p)
}

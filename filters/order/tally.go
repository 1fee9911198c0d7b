package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is rule K where a variable keeps the count:
//
//	pending := 0
//	for _, job := range jobs {
//		pending++
//		go func() { out[job.n] = run(job); done <- job }()
//		if pending == limit {
//			<-done
//			pending--
//		}
//	}
//	for ; pending > 0; pending-- {
//		<-done
//	}
//
// On every way through the function a variable may have changed by as much as it has received more
// than it has started, or started more, or received alone: then a comparison of the variable is one of
// what was received, wherever it stands.

// A ledger is what a function receives from a channel that it has made, and how much
// it has others send there.
type ledger struct {
	a     *Analysis
	c     *counting
	made  ssair.Instr     // where the channel is made
	ops   []*op           // what is sent there
	sends map[int32]int64 // by step: the most that is sent because of it
	never bool            // the channel is never closed
	found map[tallyForm]*balance
}

// A tallyForm names a tally and what is compared with it: what is received and
// what is sent, times these.
type tallyForm struct {
	tally          int
	received, sent int64
}

// tallied decides at an edge that proves something of a tally.
func (a *Analysis) tallied(p place, ev *flow.Event, x *class, crossed bool) bool {
	var done []pta.Loc
	for _, n := range a.opsIn(p.inst) {
		if n.kind != opRecv {
			continue
		}
		locs, own, ok := a.chanOf(n, x, crossed)
		if !ok || len(locs) == 0 || slices.Contains(done, locs[0]) {
			continue
		}
		done = append(done, locs[0])
		g := a.ledgerOf(n, locs, x.side)
		if g == nil {
			continue
		}
		all, got, ok := g.proves(p, ev)
		if !ok {
			continue
		}
		t, ok := a.releasesFor(n, x, locs, own, crossed)
		if !ok {
			continue
		}
		if all {
			if t.overWhichever() {
				return true
			}
			continue
		}
		if seen, ok := g.c.projections(t.ops); ok {
			if _, ok := g.c.atLeast(got, &t, seen, -1); ok {
				return true
			}
		}
	}
	return false
}

// mayTell reports whether an event proves anything of what the function has received, whatever it awaits. Few do.
func (a *Analysis) mayTell(p place, ev *flow.Event) bool {
	return slices.ContainsFunc(a.opsIn(p.inst), func(n *op) bool {
		if n.kind != opRecv || a.useless(p.inst, n.site, n.k) {
			return false
		}
		return slices.ContainsFunc(a.operandOf(n), func(l pta.Loc) bool {
			g := a.ledgerOf(n, []pta.Loc{l}, model.Alpha)
			if g == nil {
				return false
			}
			_, _, ok := g.proves(p, ev)
			return ok
		})
	})
}

// ledgerOf returns the ledger of a channel that n receives from, nil if it is made elsewhere: what was sent before is
// not known then. What the other side's iterations send they do as those of side do.
func (a *Analysis) ledgerOf(n *op, locs []pta.Loc, side model.Thread) *ledger {
	made := a.w.Object(locs[0]).Alloc
	if made.Inst != n.inst || made.At < 0 {
		return nil
	}
	skip := model.Beta
	if side == model.Beta {
		skip = model.Alpha
	}
	return &ledger{
		a:     a,
		c:     &counting{a: a, inst: n.inst, f: n.f, loc: locs[0], kind: opRecv},
		made:  made.At,
		ops:   a.matching(locs, func(o *op) bool { return o.kind == opSend && a.w.Thread(o.inst) != skip }),
		never: a.doneToChan(locs[0])&(1<<opClose) == 0,
		found: make(map[tallyForm]*balance),
	}
}

// proves says what follows from an event for what was received: all that was sent, or so many.
func (g *ledger) proves(p place, ev *flow.Event) (all bool, got amount, ok bool) {
	at := func(tally int, received, sent int64) (int64, bool) {
		if sent != 0 && !g.counts() {
			return 0, false
		}
		return g.balance(tallyForm{tally, received, sent}).onEdge(p.block, p.edge)
	}
	f := p.f
	received := func(bound flow.PathID, n int64) amount {
		if bound == 0 {
			return amount{n: n}
		}
		return amount{n: n, bound: map[tripBound]int64{g.a.boundOf(p.inst, f, flow.Trip{Kind: flow.TripBound, Bound: bound}): 1}}
	}
	most, least := ev.Cmp == "<=", ev.Cmp == ">="
	base := f.Tallies[ev.Operand].Base
	switch {
	case ev.HasDelta: // two variables: one of what was started, one of what was received
		u, v, by := ev.Operand, int(ev.Delta), ev.Const
		if most {
			u, v, by = v, u, -by
		}
		if base != 0 || f.Tallies[ev.Delta].Base != 0 {
			return false, got, false
		}
		r, ok := at(u, -1, 0)
		if !ok {
			return false, got, false
		}
		s, ok := at(v, 0, -1)
		return true, got, ok && by+s-r >= 0
	case most && ev.Value == 0 && base == 0: // one of what is under way
		k, ok := at(ev.Operand, 1, -1)
		return true, got, ok && ev.Const-k <= 0
	case most && ev.Value == 0 && g.once(): // one that counts down
		k, ok := at(ev.Operand, 1, 0)
		return false, received(base, k-ev.Const), ok
	case least && base == 0 && g.once(): // one that counts up
		k, ok := at(ev.Operand, -1, 0)
		return false, received(ev.Value, ev.Const-k), ok
	}
	return false, got, false
}

// once reports whether the channel is made once in a run of the function: what was received is compared
// with all that is sent in it.
func (g *ledger) once() bool { return g.c.f.Innermost(g.c.f.Block(g.made)) < 0 }

// counts finds how much is sent because of each step, and reports whether that is known.
func (g *ledger) counts() bool {
	if g.sends != nil {
		return len(g.sends) > 0
	}
	g.sends = make(map[int32]int64)
	if slices.ContainsFunc(g.ops, func(o *op) bool { return o.inst == g.c.inst }) {
		return false // it sends itself
	}
	by, ok := g.c.sendersOf(g.ops)
	if !ok {
		return false
	}
	sends := make(map[int32]int64)
	for _, call := range by[g.c.inst].calls {
		m, ok := g.c.heaviestOf(by, call.to)
		if !ok || len(m.bound) > 0 {
			return false
		}
		sends[call.step] += m.n
	}
	g.sends = sends
	return true
}

// A balance says at each gap by how much a tally is more than what is compared with it.
type balance struct {
	onEdges map[[2]int32]tallyState
}

// A tallyState is what is known of a tally where control is.
type tallyState struct {
	sum       int64 // received and sent since the channel was made, as the form says
	sumKnown  bool
	diff      int64 // by how much the tally and that is more than its base
	diffKnown bool
}

// meet is what is known in both.
func (s tallyState) meet(t tallyState) tallyState {
	s.sumKnown = s.sumKnown && t.sumKnown && s.sum == t.sum
	s.diffKnown = s.diffKnown && t.diffKnown && s.diff == t.diff
	if !s.sumKnown {
		s.sum = 0
	}
	if !s.diffKnown {
		s.diff = 0
	}
	return s
}

// happens is the state when k more, times what the form says, was done.
func (s tallyState) happens(k int64) tallyState {
	s.sum += k
	s.diff += k
	return s
}

// changes is the state after a step of the tally.
func (s tallyState) changes(t *flow.TallyStep) tallyState {
	if t.Sets {
		s.diff, s.diffKnown = s.sum+t.By, s.sumKnown
	} else {
		s.diff += t.By
	}
	return s
}

func (b *balance) onEdge(block, succ int32) (int64, bool) {
	s, ok := b.onEdges[[2]int32{block, succ}]
	return s.diff, ok && s.diffKnown
}

// balance follows a tally through the function.
func (g *ledger) balance(form tallyForm) *balance {
	if b := g.found[form]; b != nil {
		return b
	}
	f := g.c.f
	steps := f.Tallies[form.tally].Steps
	b := &balance{onEdges: make(map[[2]int32]tallyState)}
	g.found[form] = b
	in := map[int32]tallyState{0: {sumKnown: true}}
	for changed := true; changed; {
		changed = false
		for i := range f.Blocks {
			s, ok := in[int32(i)]
			if !ok {
				continue
			}
			s = g.through(form, int32(i), steps, s)
			for k := range f.Blocks[i].Succs {
				e := &f.Blocks[i].Succs[k]
				if e.Dead {
					continue
				}
				t := s.happens(form.received * g.c.onEdgeOf(e))
				for n := range steps {
					if steps[n].Block == int32(i) && steps[n].Succ == int32(k) {
						t = t.changes(&steps[n])
					}
				}
				b.onEdges[[2]int32{int32(i), int32(k)}] = t
				if old, ok := in[e.To]; ok {
					t = old.meet(t)
				}
				if old, ok := in[e.To]; !ok || old != t {
					in[e.To] = t
					changed = true
				}
			}
		}
	}
	return b
}

// through is what is known after a block.
func (g *ledger) through(form tallyForm, block int32, steps []flow.TallyStep, s tallyState) tallyState {
	f := g.c.f
	blk := &f.Blocks[block]
	next := 0
	upTo := func(at ssair.Instr) {
		for ; next < len(steps); next++ {
			if t := &steps[next]; t.Block == block && t.Succ < 0 {
				if t.At >= at {
					return
				}
				s = s.changes(t)
			}
		}
	}
	for k := blk.Lo; k < blk.Hi; k++ {
		st := &f.Steps[k]
		if blk.First <= g.made && g.made < st.At && (k == blk.Lo || f.Steps[k-1].At <= g.made) {
			upTo(g.made)
			s = tallyState{sumKnown: true}
		}
		upTo(st.At)
		if form.sent != 0 && g.sends[k] > 0 {
			s = s.happens(form.sent * g.sends[k])
		}
		if form.received == 0 || st.Kind != flow.Recv {
			continue
		}
		switch {
		case !slices.Contains(g.a.operand(g.c.inst, st.Site, 0), g.c.loc):
		case st.Optional, st.CommaOk && !g.never, !g.c.onLoc(st.Site, 0):
			s = tallyState{} // it may have received something
		default:
			s = s.happens(form.received)
		}
	}
	if blk.First <= g.made && g.made < blk.End && (blk.Hi == blk.Lo || f.Steps[blk.Hi-1].At <= g.made) {
		upTo(g.made)
		s = tallyState{sumKnown: true}
	}
	upTo(blk.End)
	return s
}

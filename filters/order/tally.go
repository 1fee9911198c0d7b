package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
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
	a      *Analysis
	c      *counting
	made   ssair.Instr     // where the channel is made
	sends  map[int32]int64 // by step: the most that is sent because of it
	never  bool            // the channel is never closed
	joined map[tallyForm]*balance
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
		if made := a.w.Object(locs[0]).Alloc; made.Inst != p.inst || made.At < 0 {
			continue // what was sent before is not known
		}
		if t, ok := a.releasesFor(n, x, locs, own, crossed); ok && a.settledBy(p, ev, n, &t, locs[0]) {
			return true
		}
	}
	return false
}

// settledBy reports whether an event tells that all that was sent on a channel has been received.
func (a *Analysis) settledBy(p place, ev *flow.Event, n *op, t *releases, loc pta.Loc) bool {
	c := &counting{a: a, inst: n.inst, f: n.f, loc: loc, kind: opRecv}
	g := &ledger{a: a, c: c, made: a.w.Object(loc).Alloc.At, joined: make(map[tallyForm]*balance)}
	g.never = a.doneToChan(loc)&(1<<opClose) == 0
	at := func(tally int, received, sent int64) (int64, bool) {
		return g.balance(tallyForm{tally, received, sent}).onEdge(p.block, p.edge)
	}
	f := p.f
	received := func(bound flow.PathID, n int64) bool {
		got := amount{n: n}
		if bound != 0 {
			got = amount{n: n, bound: map[tripBound]int64{a.boundOf(p.inst, f, flow.Trip{Kind: flow.TripBound, Bound: bound}): 1}}
		}
		seen, ok := c.projections(t.ops)
		if !ok {
			return false
		}
		_, ok = c.atLeast(got, t, seen, -1)
		return ok
	}
	most, least := ev.Cmp == "<=", ev.Cmp == ">="
	base := f.Tallies[ev.Operand].Base
	switch {
	case ev.HasDelta: // two variables: one of what was started, one of what was received
		u, v, by := ev.Operand, int(ev.Delta), ev.Const
		if most {
			u, v, by = v, u, -by
		}
		if base != 0 || f.Tallies[ev.Delta].Base != 0 || !g.counts(t) {
			return false
		}
		r, ok := at(u, -1, 0)
		s, ok2 := at(v, 0, -1)
		return ok && ok2 && by+s-r >= 0
	case most && ev.Value == 0 && base == 0: // one of what is under way
		if !g.counts(t) {
			return false
		}
		k, ok := at(ev.Operand, 1, -1)
		return ok && ev.Const-k <= 0
	case most && ev.Value == 0: // one that counts down
		k, ok := at(ev.Operand, 1, 0)
		return ok && g.once() && received(base, k-ev.Const)
	case least && base == 0: // one that counts up
		k, ok := at(ev.Operand, -1, 0)
		return ok && g.once() && received(ev.Value, ev.Const-k)
	}
	return false
}

// once reports whether the channel is made once in a run of the function: what was received is compared
// with all that is sent in it.
func (g *ledger) once() bool { return g.c.f.Innermost(g.c.f.Block(g.made)) < 0 }

// counts finds how much is sent because of each step, and reports whether that is known.
func (g *ledger) counts(t *releases) bool {
	if g.sends != nil {
		return true
	}
	if !t.overWhichever() {
		return false
	}
	by := make(senders)
	for _, o := range t.ops {
		if o.inst == g.c.inst {
			return false // it sends itself
		}
		s := by.at(o.inst, o.f)
		s.own = append(s.own, weight{g.a.blockOf(o), amount{n: 1}})
		if !g.c.link(by, s) {
			return false
		}
	}
	top := by[g.c.inst]
	if top == nil {
		return false
	}
	sends := make(map[int32]int64)
	for _, call := range top.calls {
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
	if b := g.joined[form]; b != nil {
		return b
	}
	f := g.c.f
	steps := f.Tallies[form.tally].Steps
	b := &balance{onEdges: make(map[[2]int32]tallyState)}
	g.joined[form] = b
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

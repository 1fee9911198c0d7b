package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file counts for rule K how many of some operations there can have been,
// where a frame does some of them on one branch and some on another: the sender
// of an error and that of a value are most often two statements, of which a
// goroutine runs one.

// A heap of work: what happens in a block of a frame, and how often.
type weight struct {
	block int32
	times amount
}

// A sender is a frame that does some of the operations, itself or below.
type sender struct {
	inst  pta.InstID
	f     *flow.Func
	own   []weight
	calls []calling
}

// A calling is a step of a sender at which it calls or starts others. A call runs
// one of them, and both sides of a loop stand for its rounds.
type calling struct {
	step, block int32
	to          []pta.InstID
}

// most returns an upper bound of how often the operations happen, in a round of
// loop scope of the frame or, for -1, in a run of it.
func (c *counting) most(ops []*op, scope int32) (amount, bool) {
	t, ok := c.sendersOf(ops)
	if !ok {
		return amount{}, false
	}
	top := t[c.inst]
	ws, ok := c.weights(t, top)
	if !ok {
		return amount{}, false
	}
	return c.heaviest(top, scope, ws)
}

type senders map[pta.InstID]*sender

// sendersOf finds the frames that do some operations, up to the one that counts; ok is false where there is not one way
// to each of them.
func (c *counting) sendersOf(ops []*op) (t senders, ok bool) {
	t = make(senders)
	for _, o := range ops {
		s := t.at(o.inst, o.f)
		s.own = append(s.own, weight{c.a.blockOf(o), amount{n: 1}})
		if !c.link(t, s) {
			return nil, false
		}
	}
	return t, t[c.inst] != nil
}

func (t senders) at(i pta.InstID, f *flow.Func) *sender {
	s := t[i]
	if s == nil {
		s = &sender{inst: i, f: f}
		t[i] = s
	}
	return s
}

// link adds the callers of a sender, up to the frame that counts. There must be
// one way.
func (c *counting) link(t senders, s *sender) bool {
	for depth := 0; s.inst != c.inst; depth++ {
		callers := c.a.in.Callers(s.inst)
		if len(callers) != 1 || depth > 10 {
			return false
		}
		at := callers[0]
		f := c.a.w.Flow(at.Inst)
		if f == nil {
			return false
		}
		steps := f.StepsAt(at.At)
		if len(steps) != 1 || f.Steps[steps[0]].Kind == flow.Parallel || f.Steps[steps[0]].Repeat {
			return false
		}
		up := t.at(at.Inst, f)
		k := slices.IndexFunc(up.calls, func(x calling) bool { return x.step == steps[0] })
		if k < 0 {
			k = len(up.calls)
			up.calls = append(up.calls, calling{step: steps[0], block: f.BlockOf(f.BeforeStep(steps[0]))})
		}
		if slices.Contains(up.calls[k].to, s.inst) {
			return true // the rest is known
		}
		up.calls[k].to = append(up.calls[k].to, s.inst)
		s = up
	}
	return true
}

// weights returns what happens in the blocks of a sender, with what its calls do.
func (c *counting) weights(t senders, s *sender) ([]weight, bool) {
	ws := slices.Clone(s.own)
	for _, call := range s.calls {
		m, ok := c.heaviestOf(t, call.to)
		if !ok {
			return nil, false
		}
		ws = append(ws, weight{call.block, m})
	}
	return ws, true
}

// heaviestOf returns the most that one of some instances does.
func (c *counting) heaviestOf(t senders, instances []pta.InstID) (m amount, ok bool) {
	for _, i := range instances {
		below, ok := c.weights(t, t[i])
		if !ok {
			return m, false
		}
		n, ok := c.heaviest(t[i], -1, below)
		if !ok {
			return m, false
		}
		m = m.most(n)
	}
	return m, true
}

// heaviest returns the most that one way through a loop's body, or through a
// frame, does. A loop in it counts at its head, where each way comes by once.
func (c *counting) heaviest(s *sender, scope int32, ws []weight) (amount, bool) {
	f := s.f
	blocks := make(map[int32]amount)
	inner := make(map[int32][]weight)
	var loops []int32
	for _, w := range ws {
		l := f.Innermost(w.block)
		if l == scope {
			blocks[w.block] = blocks[w.block].add(w.times)
			continue
		}
		for l >= 0 && f.Loops[l].Parent != scope {
			l = f.Loops[l].Parent
		}
		if l < 0 {
			return amount{}, false // outside the scope
		}
		if inner[l] == nil {
			loops = append(loops, l)
		}
		inner[l] = append(inner[l], w)
	}
	for _, l := range loops {
		m, ok := c.heaviest(s, l, inner[l])
		if ok {
			m, ok = c.a.times(m, s.inst, f, f.Loops[l].Trip)
		}
		if !ok {
			return amount{}, false
		}
		h := f.Loops[l].Header
		blocks[h] = blocks[h].add(m)
	}
	start := int32(0)
	if scope >= 0 {
		start = f.Loops[scope].Header
	}
	var best amount
	in := make(map[int32]amount)
	done := make(map[int32]bool)
	for _, b := range topological(f, scope, start) {
		done[b] = true
		out := in[b].add(blocks[b])
		best = best.most(out)
		for k := range f.Blocks[b].Succs {
			e := &f.Blocks[b].Succs[k]
			if e.Dead || scope >= 0 && !f.Loops[scope].Has(e.To) || goesBack(f, b, e.To) {
				continue
			}
			if done[e.To] {
				return amount{}, false // a loop that is no natural one
			}
			in[e.To] = in[e.To].most(out)
		}
	}
	return best, true
}

// goesBack reports whether an edge leads to the head of a loop that it is in.
func goesBack(f *flow.Func, from, to int32) bool {
	for l := f.Innermost(from); l >= 0; l = f.Loops[l].Parent {
		if f.Loops[l].Header == to {
			return true
		}
	}
	return false
}

// most is an upper bound of both.
func (m amount) most(o amount) amount {
	out := amount{n: max(m.n, o.n), bound: make(map[tripBound]int64)}
	for k, v := range m.bound {
		out.bound[k] = v
	}
	for k, v := range o.bound {
		out.bound[k] = max(out.bound[k], v)
	}
	return out
}

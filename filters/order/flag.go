package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for flags (F): an edge that finds an atomic value in a
// state that it did not have at first proves that a write made it so, and what
// that write's thread did before is over.

func indexed(field string) bool { return strings.Contains(field, "[") }

// oneCell reports whether an object is one, and no part or element of another.
func oneCell(o pta.ObjectInfo) bool { return !o.Many && o.Part == 0 && !indexed(o.Field) }

// flagAwaits decides for the test of an atomic operation's result.
func (a *Analysis) flagAwaits(n *op, ev *flow.Event, x *class, crossed bool) bool {
	locs, own, ok := a.chanOf(n, x, crossed)
	if !ok || len(locs) == 0 {
		return false
	}
	if a.lastOut(n, ev, x, locs, own, crossed) {
		return true
	}
	if !a.doubtful { // in doubt, what is not in view has been zero at first, and one of many is the same
		if o := a.w.Object(locs[0]); len(locs) > 1 || a.external(locs[0]) || o.Many && !own || o.Part != 0 || indexed(o.Field) {
			return false
		}
	}
	inits, ok := a.initial(n)
	if !ok {
		return false
	}
	if ev.Op == library.OpAtomicAdd {
		return a.countdown(n, ev, x, locs[0], inits)
	}
	for _, v := range inits {
		if ev.Allows(v) {
			return false // it may have been so all along
		}
	}
	some := false
	var writes []*op
	for _, l := range locs {
		writes = append(writes, a.ops[l]...)
	}
	if !a.overAny(x, slices.DeleteFunc(slices.Clone(writes), func(w *op) bool { return !a.makesTrue(w, ev) })) {
		return false
	}
	for _, w := range writes {
		if !a.makesTrue(w, ev) || !a.mayPrecede(w, n) || a.harmlessInit(w, n) {
			continue
		}
		if !a.overAll(x, w, locs, own) {
			if a.doubtful && ev.Const > 1 && w.lib == library.OpAtomicAdd {
				continue // as many as there are may have been counted
			}
			return false
		}
		some = true
	}
	return some
}

// makesTrue reports whether write w may leave a value that satisfies ev.
func (a *Analysis) makesTrue(w *op, ev *flow.Event) bool {
	switch w.lib {
	case library.OpAtomicStore, library.OpAtomicSwap, library.OpAtomicCAS:
		return !w.has || ev.Allows(w.delta)
	case library.OpAtomicAdd, library.OpAtomicAnd, library.OpAtomicOr:
		return true
	}
	return false
}

// harmlessInit reports whether w is n itself.
func (a *Analysis) harmlessInit(w, n *op) bool {
	return w.inst == n.inst && w.site == n.site && w.lib == library.OpAtomicLoad
}

// countdown is the rule for counters: Add(d) yields K only when as many adds
// were made as K needs. If that is all there are, all are over.
func (a *Analysis) countdown(n *op, ev *flow.Event, x *class, l pta.Loc, inits []int64) bool {
	if ev.Cmp != "==" || !ev.HasDelta || ev.Delta == 0 {
		return false
	}
	start := inits
	if len(start) > 1 {
		start = start[1:] // the zero value was overwritten before
	}
	if len(start) != 1 {
		return false
	}
	most := amount{}
	one := false
	for _, w := range a.ops[l] {
		switch w.lib {
		case library.OpAtomicLoad:
			continue
		case library.OpAtomicStore:
			if !w.has {
				return false
			}
			continue // an initial value
		case library.OpAtomicAdd:
		default:
			return false
		}
		if !w.has || w.delta != ev.Delta {
			return false
		}
		if a.w.Thread(w.inst) == other(a.w.Thread(n.inst)) && a.w.Thread(n.inst) != 0 {
			one = one || a.over(x, w)
			continue
		}
		one = one || a.over(x, w)
		m, ok := a.happenings(w, a.w.Object(l).Alloc, l)
		if !ok {
			return false
		}
		most = most.add(m)
	}
	need := ev.Const - start[0] // = d · number of adds made
	return one && len(most.bound) == 0 && need/ev.Delta >= most.n && need%ev.Delta == 0
}

// happenings bounds how often o happens, counted from the frame that made what it works on: at birth, with location l if it
// has one.
func (a *Analysis) happenings(o *op, birth pta.Site, l pta.Loc) (amount, bool) {
	f := a.w.Flow(birth.Inst)
	if birth.Inst < 0 || f == nil {
		return amount{}, false
	}
	c := &counting{a: a, inst: birth.Inst, f: f, loc: l}
	p, ok := c.project(o)
	if !ok {
		return amount{}, false
	}
	m := p.times
	inner := f.Innermost(f.Block(birth.At))
	for k := f.Innermost(p.block); k >= 0 && k != inner; k = f.Loops[k].Parent {
		if m, ok = a.times(m, birth.Inst, f, f.Loops[k].Trip); !ok {
			return amount{}, false
		}
	}
	return m, true
}

// initial returns the values that the flag of n may have at first: zero, and
// what plain stores give it. (A store of an unknown value is a plain access of
// the flag, and races with the atomic one unless it is ordered before.)
func (a *Analysis) initial(n *op) ([]int64, bool) {
	s := pta.Site{Inst: n.inst, At: n.site}
	v, known := a.inits[s]
	if !known {
		v.values, v.ok = a.initialNow(n)
		a.inits[s] = v
	}
	return v.values, v.ok
}

// initials are the values that a flag may have at first, if they are known.
type initials struct {
	values []int64
	ok     bool
}

func (a *Analysis) initialNow(n *op) ([]int64, bool) {
	out := []int64{0}
	i, p, ok := a.origin(n.inst, n.path, 0)
	if !ok {
		i, p = n.inst, n.path
	}
	f := a.w.Flow(i)
	if f == nil {
		return nil, false
	}
	for _, st := range f.Stores {
		if q := f.Path(st.Path); q.Known() && q == p {
			out = append(out, st.Const)
		}
	}
	// An atomic store made by the frame that has the flag, before all else.
	for _, l := range a.operand(n.inst, n.site, 0) {
		for _, w := range a.ops[l] {
			if w.inst == i && w.lib == library.OpAtomicStore && w.has && a.happensOnce(w) && !a.forwardSpawned(w) {
				out = append(out, w.delta)
			}
		}
	}
	return out, true
}

// forwardSpawned reports whether w comes after the loop's spawn.
func (a *Analysis) forwardSpawned(w *op) bool {
	z := a.newWalk()
	for _, s := range a.spawns {
		z.fromSite(s)
	}
	return z.run().reachesOp(w)
}

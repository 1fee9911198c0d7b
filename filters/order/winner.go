package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// oneWinner reports whether x and y both lie behind a test that at most one
// thread passes: a counter that only goes one way yields a value once, and a
// CompareAndSwap whose old value never comes back succeeds once.
func (a *Analysis) oneWinner(x, y access) bool {
	return slices.ContainsFunc(a.prizes(), func(l pta.Loc) bool { return a.behind(x, l) && a.behind(y, l) })
}

// behind reports whether every path to x in its thread wins at l.
func (a *Analysis) behind(x access, l pta.Loc) bool {
	ts := a.threadsOf(x.inst)
	return len(ts) == 1 && !a.losing(ts[0], l).reaches(x.inst, x.at)
}

// losing is where a thread comes without winning at l.
func (a *Analysis) losing(t pta.InstID, l pta.Loc) *walk {
	return a.kept(walkKey{kind: 'w', inst: t, op: int32(l)}, func() *walk {
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return p.step < 0 && a.wins(p, l) }, a.ops[l])
		return w.fromEntry(t).run()
	})
}

// prizes lists the locations, of which there is one each, with a test at which one thread wins.
func (a *Analysis) prizes() []pta.Loc {
	if a.prizeLocs != nil {
		return a.prizeLocs
	}
	a.prizeLocs = []pta.Loc{}
	for _, o := range a.allOps {
		if o.lib != library.OpAtomicAdd && o.lib != library.OpAtomicCAS || len(o.locs) != 1 || slices.Contains(a.prizeLocs, o.locs[0]) {
			continue
		}
		l := o.locs[0]
		if v := a.w.Object(l); !oneCell(v) || a.external(l) || !a.winsIn(o.inst, o.site, l) {
			continue
		}
		a.prizeLocs = append(a.prizeLocs, l)
	}
	return a.prizeLocs
}

// winsIn reports whether an instance tests what the operation at a site, on l, has yielded, and one thread wins then.
func (a *Analysis) winsIn(i pta.InstID, site ssair.Instr, l pta.Loc) bool {
	f := a.w.Flow(i)
	for b := range f.Blocks {
		for k := range f.Blocks[b].Succs {
			if slices.ContainsFunc(f.Blocks[b].Succs[k].Events, func(ev flow.Event) bool { return ev.Kind == flow.FlagTest && ev.Site == site }) &&
				a.wins(place{inst: i, f: f, step: -1, block: int32(b), edge: int32(k), via: noSite}, l) {
				return true
			}
		}
	}
	return false
}

// wonBy lists where a thread has won if it comes to x:
//
//	if left.Add(-1) == 0 {
//		sum = total()
//		done <- true
//	}
//
// Who has heard of r from one that has won there, too, has heard of it from the one that comes to x, if any does.
func (a *Analysis) wonBy(x access) []pta.Loc {
	var out []pta.Loc
	for _, l := range a.prizes() {
		if a.behind(x, l) {
			out = append(out, l)
		}
	}
	return out
}

// wonWith reports whether only the one thread that comes to the class, if any does, comes to r, and no more than one
// object is in question.
func (a *Analysis) wonWith(c *class, r *op) bool {
	ts := a.threadsOf(r.inst)
	return len(ts) == 1 && slices.ContainsFunc(c.won, func(l pta.Loc) bool { return !a.losing(ts[0], l).reachesOp(r) })
}

// wins reports whether at most one thread ever takes the edge at p, by what it
// proves of l.
func (a *Analysis) wins(p place, l pta.Loc) bool {
	for _, ev := range p.f.Blocks[p.block].Succs[p.edge].Events {
		if ev.Kind != flow.FlagTest || ev.Cmp != "==" {
			continue
		}
		locs := a.operand(p.inst, ev.Site, 0)
		if len(locs) != 1 || locs[0] != l {
			continue
		}
		switch ev.Op {
		case library.OpAtomicAdd:
			if ev.HasDelta && ev.Delta != 0 && !a.changes(l, func(o *op) bool {
				return o.lib != library.OpAtomicAdd || !o.has || o.delta > 0 != (ev.Delta > 0)
			}) {
				return true
			}
		case library.OpAtomicCAS:
			if !a.changes(l, func(o *op) bool {
				// What And and Or leave is not what they are given.
				return o.lib == library.OpAtomicAdd || o.lib == library.OpAtomicAnd || o.lib == library.OpAtomicOr || !o.has || o.delta == ev.Const
			}) {
				return true
			}
		}
	}
	return false
}

// changes reports whether some write of l, other than a store made before the
// loop's spawn, satisfies bad.
func (a *Analysis) changes(l pta.Loc, bad func(*op) bool) bool {
	return slices.ContainsFunc(a.ops[l], func(o *op) bool {
		switch o.lib {
		case library.OpAtomicLoad:
			return false
		case library.OpAtomicStore:
			if a.byMain(o.inst) && a.happensOnce(o) && !a.forwardSpawned(o) {
				return false
			}
		}
		return bad(o)
	})
}

// mayHaveOneWinner reports whether two accesses are done only by who succeeds with a CompareAndSwap of what may be one
// flag, or by goroutines that such a one starts:
//
//	func (c *call) send() {
//		if c.sent.CompareAndSwap(false, true) {
//			go c.request()
//		}
//	}
//
// Of two places that start it so one does, if the flag is one. So it is with who finds nothing in a place where he
// leaves something by a Swap, as actors are started by the first message that they get. It is asked in doubt, of
// flags of many objects.
func (a *Analysis) mayHaveOneWinner(x, y access) bool {
	won, ok := a.wonBefore(x, 0)
	if !ok {
		return false
	}
	too, ok := a.wonBefore(y, 0)
	return ok && slices.ContainsFunc(too, func(l pta.Loc) bool { return slices.Contains(won, l) })
}

// maxWinnerStarts bounds how many starts of goroutines lie between an access and the test.
const maxWinnerStarts = 2

// wonBefore returns the flags of which one was won by who comes to an access, in its function or in those that start
// each of its threads; ok is false if there may be none.
func (a *Analysis) wonBefore(x access, starts int) (flags []pta.Loc, ok bool) {
	var here []*op
	for _, o := range a.opsIn(x.inst) {
		if o.lib == library.OpAtomicCAS || o.lib == library.OpAtomicSwap {
			here = append(here, o)
			flags = append(flags, o.locs...)
		}
	}
	if len(here) > 0 && !a.kept(walkKey{kind: 'W', inst: x.inst}, func() *walk {
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return p.step < 0 && p.inst == x.inst && winsFlag(p) }, here)
		return w.fromEntry(x.inst).run()
	}).reaches(x.inst, x.at) {
		return flags, true
	}
	ts := a.threadsOf(x.inst)
	if len(ts) == 0 || len(ts) > maxThreads || starts == maxWinnerStarts {
		return nil, false
	}
	flags = nil
	for _, t := range ts {
		from := a.spawnsOf(t)
		if len(from) == 0 {
			return nil, false
		}
		for _, s := range from {
			won, ok := a.wonBefore(access{inst: s.Inst, at: s.At, birth: noSite, own: noSite}, starts+1)
			if !ok {
				return nil, false
			}
			flags = append(flags, won...)
		}
	}
	return flags, true
}

// winsFlag reports whether the edge at p is taken by who has set a flag.
func winsFlag(p place) bool {
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		return ev.Kind == flow.FlagTest && ev.Cmp == "==" && (ev.Op == library.OpAtomicCAS || ev.Op == library.OpAtomicSwap && ev.Const == 0)
	})
}

package order

import (
	"slices"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what is built once, under a lock, and then told by an
// atomic flag:
//
//	if !ready.Load() {
//		mu.Lock()
//		if !ready.Load() {
//			… x …
//			ready.Store(true)
//		}
//		mu.Unlock()
//	}
//	… y …
//
// Of all threads one alone comes to the Store, since it is still under the lock
// under which the flag was found unset. Whoever comes to y has either found the
// flag set, and then the builder is done with x; or it is the builder.

// builtOnce reports whether x is part of what is built, and y comes after it.
func (a *Analysis) builtOnce(x, y access) bool {
	seen := make(map[pta.Loc]bool)
	for _, o := range a.allOps {
		if o.lib != library.OpAtomicStore || o.step < 0 || len(o.locs) != 1 || seen[o.locs[0]] {
			continue
		}
		l := o.locs[0]
		seen[l] = true
		if v := a.w.Object(l); v.Many || v.Part != 0 || indexed(v.Field) || a.external(l) {
			continue
		}
		if a.onlySet(l) && a.builds(x, l) && a.afterBuilt(y, l) {
			return true
		}
	}
	return false
}

// onlySet reports whether a flag starts unset and is never reset.
func (a *Analysis) onlySet(l pta.Loc) bool {
	return !slices.ContainsFunc(a.ops[l], func(o *op) bool {
		switch o.lib {
		case library.OpAtomicStore:
			return !o.has || o.delta == 0
		case library.OpAtomicLoad:
			inits, ok := a.initial(o)
			return !ok || slices.ContainsFunc(inits, func(n int64) bool { return n != 0 })
		}
		return true
	})
}

// testsFlag reports what an edge tells of a flag: that it was found unset, or set; and
// by which operation.
func (a *Analysis) testsFlag(p place, l pta.Loc) (unset, set bool, at ssair.Instr) {
	for _, ev := range p.f.Blocks[p.block].Succs[p.edge].Events {
		if ev.Kind != flow.FlagTest || ev.Op != library.OpAtomicLoad {
			continue
		}
		if locs := a.operand(p.inst, ev.Site, 0); len(locs) != 1 || locs[0] != l {
			continue
		}
		if !compares(0, ev.Cmp, ev.Const) {
			return false, true, ev.Site
		}
		return true, false, ev.Site
	}
	return false, false, 0
}

// builds reports whether x lies between finding the flag unset and setting it, all
// of it under one lock.
func (a *Analysis) builds(x access, l pta.Loc) bool {
	t, ok := a.sole(x.inst)
	if !ok {
		return false
	}
	under := a.locksAt(pta.Site{Inst: x.inst, At: x.at})
	guarded := func(p place) bool {
		if p.step >= 0 {
			return false
		}
		unset, _, at := a.testsFlag(p, l)
		return unset && sameSection(under, a.locksAt(pta.Site{Inst: p.inst, At: at}))
	}
	w := a.newWalk()
	w.forbids(func(p place, _ bool) bool { return guarded(p) }, a.ops[l])
	if w.fromEntry(t).run().reaches(x.inst, x.at) {
		return false
	}
	for _, o := range a.ops[l] {
		if o.lib != library.OpAtomicStore {
			continue
		}
		// Not again after it is set, unless it was found unset again, which it
		// never is.
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return guarded(p) }, a.ops[l])
		if w.startAfter(o).run().reaches(x.inst, x.at) {
			return false
		}
		if a.setsAfter(o, x) && sameSection(under, a.locksAt(pta.Site{Inst: o.inst, At: o.site})) {
			return true
		}
	}
	return false
}

// setsAfter reports whether every way on from x comes to o, in the function of o.
func (a *Analysis) setsAfter(o *op, x access) bool {
	s := pta.Site{Inst: x.inst, At: x.at}
	for range promiseDepth {
		if s.Inst == o.inst {
			f, here, ok := a.gap(s.Inst, s.At)
			return ok && !f.Returns(here, o.site)
		}
		callers := a.in.Callers(s.Inst)
		if len(callers) != 1 || a.isSpawn(callers[0]) {
			return false
		}
		s = callers[0]
	}
	return false
}

func (a *Analysis) locksAt(s pta.Site) []locks.Held {
	a.locksets.Prepare([]pta.InstID{s.Inst})
	return a.locksets.AtSite(s)
}

// sameSection reports whether two places are under one lock since one acquisition
// of it, in write mode.
func sameSection(x, y []locks.Held) bool {
	return slices.ContainsFunc(x, func(h locks.Held) bool {
		return h.Write && !h.Once && slices.ContainsFunc(y, func(g locks.Held) bool { return g.Write && !g.Once && g.Acq == h.Acq })
	})
}

// afterBuilt reports whether y's thread has found the flag set, or set it itself,
// wherever it comes to y.
func (a *Analysis) afterBuilt(y access, l pta.Loc) bool {
	ts := a.threadsOf(y.inst)
	for _, t := range ts {
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool {
			if p.step >= 0 {
				st := &p.f.Steps[p.step]
				locs := a.operand(p.inst, st.Site, 0)
				return st.Op == library.OpAtomicStore && len(locs) == 1 && locs[0] == l
			}
			_, set, _ := a.testsFlag(p, l)
			return set
		}, a.ops[l])
		if w.fromEntry(t).run().reaches(y.inst, y.at) {
			return false
		}
	}
	return len(ts) > 0
}

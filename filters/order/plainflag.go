package order

import (
	"slices"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for plain flags (F3): a variable that is tested and
// written under one lock counts like an atomic one, as in the loop around a
// Cond's Wait.

// findFlags lists the stores to the flags that are tested somewhere.
func (a *Analysis) findFlags() {
	for _, i := range a.in.Syncing() {
		f := a.w.Flow(i)
		if f == nil {
			continue
		}
		for _, flag := range f.Flags {
			cell := a.ownBirth(accessAt(pta.Site{Inst: i, At: flag.Test}))
			if cell.Inst < 0 {
				continue
			}
			a.tests[pta.Site{Inst: i, At: flag.Test}] = cell
			if a.flags[cell] != nil {
				continue
			}
			for _, w := range flag.Writes {
				for _, j := range a.w.Named(w.Fn) {
					if a.in.Runs(j) && a.ownBirth(accessAt(pta.Site{Inst: j, At: w.At})) == cell {
						a.addFlagWrite(cell, j, w)
					}
				}
			}
		}
	}
}

func (a *Analysis) addFlagWrite(cell pta.Site, i pta.InstID, w flow.FlagWrite) {
	f := a.w.Flow(i)
	o := &op{
		id: int32(len(a.allOps)), inst: i, f: f, step: -1, site: w.At, kind: opFlag, via: noSite,
		after: []flow.Gap{f.GapOf(w.At)}, delta: w.Const, has: w.Has,
	}
	if w.Adds != 0 { // as an atomic addition is noted
		o.lib, o.delta, o.has = library.OpAtomicAdd, w.Adds, true
	}
	a.allOps = append(a.allOps, o)
	a.flags[cell] = append(a.flags[cell], o)
}

// plainFlagAwaits decides for the test of a plain flag.
func (a *Analysis) plainFlagAwaits(ev *flow.Event, i pta.InstID, x *class) bool {
	cell, ok := a.tests[pta.Site{Inst: i, At: ev.Site}]
	if !ok {
		return false // not a flag
	}
	if a.plainLastOut(ev, i, x, cell) {
		return true
	}
	if ev.Allows(0) {
		return false // it may have been so all along
	}
	some := false
	for _, w := range a.flags[cell] {
		if w.has && w.lib != library.OpAtomicAdd && !ev.Allows(w.delta) {
			continue
		}
		if !a.over(x, w) || !a.underOneLock(i, ev.Site, w, cell) {
			return false
		}
		if t, ok := a.sole(w.inst); !ok || slices.Contains(x.threads, t) && a.multi(t, cell) {
			return false
		}
		some = true
	}
	return some
}

// underOneLock reports whether a lock excludes the test from the write. Both are
// prepared at once: what a goroutine inherits shows in either or in none. A lock
// may be made by the very run of a function that makes the flag, cell, and be had by
// capture, as the flag is.
func (a *Analysis) underOneLock(i pta.InstID, test ssair.Instr, w *op, cell pta.Site) bool {
	a.locksets.Prepare([]pta.InstID{i, w.inst})
	x, y := a.locksets.AtSite(pta.Site{Inst: i, At: test}), a.locksets.AtSite(pta.Site{Inst: w.inst, At: w.site})
	if a.locksets.Exclude(x, y) {
		return true
	}
	for k := range x {
		for l := range y {
			if h, g := &x[k], &y[l]; mutex(h) && mutex(g) && (h.Write || g.Write) && !h.Elem && !g.Elem {
				if b := a.birthAt(i, h.Path); b != noSite && b.Inst == cell.Inst && b == a.birthAt(w.inst, g.Path) {
					return true
				}
			}
		}
	}
	return false
}

// mutex reports whether what is held is a lock.
func mutex(h *locks.Held) bool { return !h.Once && !h.Flag && !h.Claim }

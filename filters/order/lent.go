package order

import (
	"slices"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for who holds a lock while its goroutines run, and waits
// for them: see filters/locks/lent.go.

// underLent reports whether a lock that is lent to a goroutine protects a race.
// An owner's lock is graded as such.
func (a *Analysis) underLent(r *model.Race, x, y access) (protected, owner bool) {
	if !slices.ContainsFunc(a.threadsOf(x.inst), a.underLock) && !slices.ContainsFunc(a.threadsOf(y.inst), a.underLock) {
		return false, false
	}
	if a.lentFuel < 0 || a.fuel < 0 {
		return false, false
	}
	defer a.spending(&a.lentFuel)()
	return a.locksets.Lent(r, waiter{a, r, x, y})
}

// maxLentFuel is what of its own the rule may spend on one loop: what it cannot
// decide stays, and others are decided as without it.
const maxLentFuel = 75_000

// A waiter answers for the accesses x and y of a race.
type waiter struct {
	*Analysis
	r    *model.Race
	x, y access
}

func (l waiter) Waits(z *model.Access, s pta.Site, h *locks.Held, other *model.Access) bool {
	x := l.x
	if z != l.r.A {
		x = l.y
	}
	return l.overInTime(x, s, h, other)
}

func (l waiter) OverBefore(z *model.Access, at pta.Site) bool {
	x := l.x
	if z != l.r.A {
		x = l.y
	}
	if !l.enters(at.Inst) || len(l.threadsOf(x.inst)) == 0 || l.w.Thread(at.Inst) != model.Main {
		return false
	}
	x.birth = noSite
	y := accessAt(at)
	return !l.open(x, y) && !l.againstMain(x, y).overlap
}

// MayWait looks for a way to the end on which nothing can be waited for.
func (l waiter) MayWait(s pta.Site) bool {
	a := l.Analysis
	if len(a.resetsOf(s)) > 0 {
		return false // a timer's function may be started again, without the lock
	}
	if v := a.mayWait[s]; v != unasked {
		return v == yes
	}
	w := a.newWalk()
	w.avoid = func(p place, _ bool) bool { return !a.idle(p) }
	w.fromSite(s).run()
	if a.mayWait == nil {
		a.mayWait = make(map[pta.Site]answer)
	}
	a.mayWait[s] = answerOf(!w.reachesExit(s.Inst))
	return a.mayWait[s] == yes
}

// underLock reports whether thread t, or one that it is started by, is started
// where a lock is held.
func (a *Analysis) underLock(t pta.InstID) bool {
	if v := a.locked[t]; v != unasked {
		return v == yes
	}
	if a.locked == nil {
		a.locked = make(map[pta.InstID]answer)
	}
	a.locked[t] = no
	v := slices.ContainsFunc(a.spawnsOf(t), func(s pta.Site) bool {
		held := slices.ContainsFunc(a.locksets.AtSite(s), func(h locks.Held) bool { return h.Claim || (!h.Once || h.Write) && !h.Flag })
		return held || slices.ContainsFunc(a.threadsOf(s.Inst), a.underLock)
	})
	a.locked[t] = answerOf(v)
	return v
}

// overInTime reports whether x, of what the spawn at s starts, is over whenever the
// frame of s may have released lock h, and before it comes to another access.
func (a *Analysis) overInTime(x access, s pta.Site, h *locks.Held, other *model.Access) bool {
	f := a.w.Flow(s.Inst)
	if f == nil {
		return false
	}
	x.birth = noSite
	for _, t := range a.threadsOf(x.inst) {
		if a.isLent(t, s, h, nil) {
			if x.by = t + 1; !a.overBeforeRelease(x, f, s, h, other) {
				return false
			}
		}
	}
	return true
}

// isLent reports whether thread t has what was lent to it by the spawn at s, or by
// that to others first.
func (a *Analysis) isLent(t pta.InstID, s pta.Site, h *locks.Held, below []pta.InstID) bool {
	if slices.Contains(below, t) {
		return false
	}
	return slices.ContainsFunc(a.spawnsOf(t), func(r pta.Site) bool {
		return r == s || h.LentAt(r) && slices.ContainsFunc(a.threadsOf(r.Inst), func(u pta.InstID) bool { return a.isLent(u, s, h, append(slices.Clip(below), t)) })
	})
}

// overBeforeRelease is overInTime for one thread.
func (a *Analysis) overBeforeRelease(x access, f *flow.Func, s pta.Site, h *locks.Held, other *model.Access) bool {
	w := a.untilOver(x, s)
	if w.exhausted || w.reachesExit(s.Inst) || other != nil && w.reaches(pta.InstID(other.Inst), ssair.Instr(other.Instr)) {
		return false
	}
	for g := range f.NGaps() {
		if w.at(s.Inst, flow.Gap(g)) != 0 && !a.locksets.HoldsAt(s.Inst, flow.Gap(g), h) {
			return false
		}
	}
	for k := range f.Steps {
		if st := &f.Steps[k]; st.Kind != flow.Spawn && w.reachesStep(s.Inst, int32(k)) && a.locksets.MayDrop(s.Inst, st.Site, h) {
			return false
		}
	}
	return true
}

// untilOver is what a frame does from a spawn on until it waits for x. What it has
// told a group of, this very frame waits for, whoever else runs the function.
func (a *Analysis) untilOver(x access, s pta.Site) *walk {
	c, f := a.classOf(x), a.w.Flow(s.Inst)
	return a.walkOf(c, 'l', s.Inst, s.At, func(w *walk) {
		awaits := w.avoid
		w.avoid = func(p place, crossed bool) bool {
			return awaits != nil && awaits(p, crossed) || p.inst == s.Inst && p.step >= 0 && a.waitsFor(p, c, s)
		}
		for _, k := range f.StepsAt(s.At) {
			if f.Steps[k].Kind != flow.Parallel || !a.awaits(place{inst: s.Inst, f: f, step: k, via: noSite}, c, false) {
				w.fromStep(s.Inst, k)
			}
		}
	})
}

// waitsFor reports whether the step at p waits for a group that the same frame has
// told of what it starts at s, before or as it did so.
func (a *Analysis) waitsFor(p place, c *class, s pta.Site) bool {
	if op := p.f.Steps[p.step].Op; op != library.OpWGWait && op != library.OpJoin {
		return false
	}
	n := a.opAt(p, 0)
	if !n.path.Known() || n.path.Loads() {
		return false
	}
	if at, ok := n.path.Made(); ok && p.f.Innermost(p.f.Block(at)) >= 0 {
		return false // there is another one in the next round
	}
	told := slices.ContainsFunc(a.opsIn(s.Inst), func(o *op) bool {
		return o.lib == library.OpWGAdd && o.has && o.delta > 0 && o.path == n.path && o.step >= 0 &&
			slices.ContainsFunc(p.f.StepsAt(s.At), func(k int32) bool { return p.f.Leads(o.step, k) })
	})
	for _, r := range a.allOps {
		switch {
		case r.joins:
			if r.inst == s.Inst && r.site == s.At && r.path == n.path && slices.ContainsFunc(a.in.CalleesAt(r.inst, r.site), func(t pta.InstID) bool { return a.bodyOver(c, t) }) {
				return true
			}
		case told && (r.lib == library.OpWGDone || r.lib == library.OpWGAdd && r.has && r.delta < 0):
			if a.overByDone(c, r, ends) && slices.ContainsFunc(c.threads, func(t pta.InstID) bool { return a.startedWith(r.inst, t, r.path, s, n.path) }) {
				return true
			}
		}
	}
	return false
}

// startedWith reports whether a path of an instance that thread t runs is what the
// frame with the spawn at s, which starts t, has at another path.
func (a *Analysis) startedWith(i, t pta.InstID, p flow.Path, s pta.Site, at flow.Path) bool {
	return a.atSpawns(i, t, p, 0, func(c pta.Site) bool { return c == s }, func(_ pta.Site, j pta.InstID, up flow.Path) bool {
		return j == s.Inst && up == at
	})
}

package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// Who starts goroutines under a lock, and waits for them before the lock is
// released, lends it to them: what they do, no one else does at the same time who
// has locked it. Against one another, and against who started them, it is no
// protection. So a lock that is lent excludes only what was acquired at another
// time.
//
// Whether goroutines are waited for is a question of order. That stage asks here,
// at the end, with the answer to it.

// A Lender tells who is waited for.
type Lender interface {
	// MayWait reports whether who starts a goroutine at a site may wait for it on
	// every way to its own end.
	MayWait(spawn pta.Site) bool
	// Waits reports whether an access, of a goroutine that the spawn at a site
	// starts, directly or not, is over whenever a lock may no longer be held by who
	// started it, and before that comes to the other access, if that is not nil.
	Waits(x *model.Access, spawn pta.Site, h *Held, other *model.Access) bool
	// OverBefore reports whether an access of a goroutine is over whenever code outside the
	// iterations comes to a site.
	OverBefore(x *model.Access, at pta.Site) bool
}

// Lent reports how locks that are lent protect a race: surely, or if what is
// reached through the lock's owner is reached through it alone.
func (a *Analysis) Lent(r *model.Race, by Lender) (protected, owner bool) {
	if a.lending == nil {
		b := *a
		b.entries, b.asked, b.passed = nil, nil, nil
		b.inherit, b.claims, b.givenBacks = true, nil, nil
		a.lending = &b
	}
	b := a.lending
	b.lender = by
	b.Prepare([]pta.InstID{pta.InstID(r.A.Inst), pta.InstID(r.B.Inst)})
	if !b.borrows(r.A) && !b.borrows(r.B) {
		return false, false
	}
	v := b.judge(r)
	return v == proven, v == assumed
}

func (a *Analysis) borrows(x *model.Access) bool {
	return slices.ContainsFunc(a.At(x), func(h Held) bool { return len(h.lent) > 0 })
}

// lendable reports whether a lock is one that can be lent.
func lendable(h *Held) bool {
	return !h.Once && !h.Flag && !h.Claim && !h.conditional() && len(h.lent) < maxLent
}

// maxLent is how many goroutines lie between who has locked and who runs under
// the lock.
const maxLent = 3

// alsoBy returns the acquisitions beside h.Acq that h or g may be the result of.
func alsoBy(h, g *Held) []pta.Site {
	if h.Acq == g.Acq && len(g.others) == 0 {
		return h.others
	}
	out := h.others
	for _, s := range append(slices.Clip(g.others), g.Acq) {
		if s != h.Acq && !slices.Contains(out, s) {
			out = append(slices.Clip(out), s)
		}
	}
	return out
}

func (h *Held) acquisitions() []pta.Site { return append(slices.Clip(h.others), h.Acq) }

// atTwoTimes reports whether two locks that may be one were surely not acquired at
// once: by different lines, or by two iterations.
func (a *Analysis) atTwoTimes(g, h *Held) bool {
	for _, s := range g.acquisitions() {
		for _, r := range h.acquisitions() {
			t, u := a.w.Thread(s.Inst), a.w.Thread(r.Inst)
			if a.sameCode(s, r) && (t == model.Main || u == model.Main || t == u) {
				return false
			}
		}
	}
	return true
}

// lentApart reports whether locks that may be one, of which one is lent at least,
// keep two accesses apart. Acquired at two times they do, if what they are lent for
// is over before they are released. Acquired at once, they are apart if who has the
// lock does the other thing before it starts the goroutine, or when that is over; or
// if there is one goroutine each time.
func (a *Analysis) lentApart(x side, g *Held, y side, h *Held) bool {
	if g.Claim {
		return a.startedOnce(x, g, y, h)
	}
	if g.Once {
		return a.beforeStart(x, g, h) || a.beforeStart(y, h, g)
	}
	if a.atTwoTimes(g, h) || a.toOne(g, h) {
		return a.awaited(x, g, nil) && a.awaited(y, h, nil)
	}
	return (len(g.lent) == 0 || len(h.lent) == 0) && a.awaited(x, g, y.Access) && a.awaited(y, h, x.Access)
}

// beforeStart reports whether the body of a Once, which is g at x, comes to x before it starts
// the goroutines that h is lent to, and not afterwards. There is one run of the body for each
// Once: what another run of that code does it does for another Once.
func (a *Analysis) beforeStart(x side, g, h *Held) bool {
	f := a.w.Flow(pta.InstID(x.Inst))
	return f != nil && len(g.lent) == 0 && len(h.lent) > 0 && !slices.ContainsFunc(h.lent, func(s pta.Site) bool {
		if !a.sameFunc(s.Inst, pta.InstID(x.Inst)) {
			return true
		}
		to := f.Gaps(ssair.Instr(x.Instr))
		return slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
			return slices.ContainsFunc(to, func(g flow.Gap) bool { return f.Reaches(f.AfterStep(k), g, -1, -1) })
		})
	})
}

// toOne reports whether each time that two locks, which are lent, are acquired, one
// goroutine is started for which they are.
func (a *Analysis) toOne(g, h *Held) bool {
	if len(g.lent) != 1 || len(h.lent) != 1 || len(g.others)+len(h.others) > 0 || !a.sameCode(g.lent[0], h.lent[0]) {
		return false
	}
	s := g.lent[0]
	f := a.w.Flow(s.Inst)
	return s.Inst == g.Acq.Inst && h.lent[0].Inst == h.Acq.Inst && f.Innermost(f.Block(s.At)) < 0 && !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
		return f.Steps[k].Kind != flow.Spawn || f.Steps[k].Repeat
	})
}

// awaited reports whether an access is over before a lock that is lent for it is
// released, and before who lends it comes to another access.
func (a *Analysis) awaited(x side, h *Held, other *model.Access) bool {
	return !slices.ContainsFunc(h.lent, func(s pta.Site) bool { return !a.lender.Waits(x.Access, s, h, other) })
}

// HoldsAt reports whether instance i still has, at a gap, what it has lent. Where
// nothing comes to the gap it does.
func (a *Analysis) HoldsAt(i pta.InstID, g flow.Gap, h *Held) bool {
	b := a.lending
	b.Prepare([]pta.InstID{i})
	s := b.gap(i, int(g))
	return s == nil || s.never || slices.ContainsFunc(s.held, func(k Held) bool {
		return k.Write == h.Write && !k.conditional() && slices.Contains(h.acquisitions(), k.Acq)
	})
}

// LentAt reports whether a lock has come through the spawn at a site.
func (h *Held) LentAt(s pta.Site) bool { return slices.Contains(h.lent, s) }

// MayDrop reports whether what runs at an instruction may release a lock that it
// has not acquired, if only to acquire it again.
func (a *Analysis) MayDrop(i pta.InstID, at ssair.Instr, h *Held) bool {
	seen := make(map[pta.InstID]bool)
	work := slices.Clone(a.in.CalleesAt(i, at))
	for len(work) > 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		f := a.w.Flow(c)
		if seen[c] || !a.lockish.Get(c) || f == nil {
			continue
		}
		seen[c] = true
		if slices.ContainsFunc(a.dropsOf(c, f), func(k *Held) bool { return mayAlias(k.Locs, h.Locs) }) {
			return true
		}
		for k := range f.Steps {
			if f.Steps[k].Kind != flow.Spawn {
				work = append(work, a.in.Callees(c, f, int32(k))...)
			}
		}
	}
	return false
}

// dropsOf lists what instance i releases at some time without having acquired it.
func (a *Analysis) dropsOf(i pta.InstID, f *flow.Func) []*Held {
	if out, ok := a.drops[i]; ok {
		return out
	}
	if a.drops == nil {
		a.drops = make(map[pta.InstID][]*Held)
	}
	var out released
	for _, s := range a.run(i, f, &state{relative: true}) {
		if s == nil || s.never {
			continue
		}
		out = out.and(s.missing)
	}
	out = slices.DeleteFunc(slices.Clone(out), func(h *Held) bool { return h.Flag || h.Claim })
	a.drops[i] = out
	return out
}

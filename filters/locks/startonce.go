package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for goroutines that are started once, by who has a claim that is
// never given back, or that the goroutine gives back when it is done:
//
//	func (s *server) start() {
//		s.mu.Lock()
//		defer s.mu.Unlock()
//		if s.running {
//			return
//		}
//		s.running = true
//		s.quit = make(chan bool)
//		go s.loop()
//	}
//
// As the run of a Once, the claim is lent to what its owner starts: what he has done before
// that is over, and nobody else will ever do it. Who finds that the flag is not set is, while
// he has its guard, either the one who sets it, or earlier than that one.

// bothValid is valid for two claims; if one of them is lent, no one ever gives it back, or only
// those that it is lent to do.
func (a *Analysis) bothValid(g, h *Held) bool {
	if len(g.lent)+len(h.lent) == 0 {
		return a.valid(g) && a.valid(h)
	}
	return a.forGood(g) && a.forGood(h) || a.givenBackByLast(g) && a.givenBackByLast(h)
}

// givenBackByLast reports whether a claim that is lent is given back by the one goroutine that is
// started with it, and by nobody else:
//
//	if !d.running {
//		d.running = true
//		go d.drain() // … under the lock, when there is nothing left: d.running = false
//	}
//
// Whoever makes it again does so under its guard, and comes after all that this goroutine has done
// with it. Goroutines that it has started itself may go on.
func (a *Analysis) givenBackByLast(h *Held) bool {
	if h.delta != 0 || h.last || h.Elem || h.mixed || h.Guard == nil || len(a.startedBy(h)) > 1 {
		return false
	}
	made := *h
	made.Write = true
	if !a.valid(&made) {
		return false
	}
	writers, ok := a.w.WritersOf(h.cells)
	cleared := slices.DeleteFunc(slices.Clone(writers), func(w pta.Site) bool { return !a.mayClear(w) })
	return ok && len(cleared) > 0 && !slices.ContainsFunc(cleared, func(w pta.Site) bool { return !a.lentAlone(w) }) &&
		!slices.ContainsFunc(h.cells, func(l pta.Loc) bool {
			stores, ok := a.w.StoresTo(l)
			return !ok || slices.ContainsFunc(stores, func(s pta.Site) bool {
				return a.mayClear(s) && !slices.ContainsFunc(cleared, func(w pta.Site) bool { return a.sameCode(s, w) })
			})
		})
}

// lentAlone reports whether a claim of the flag that is set at a site is held there, lent to the one
// goroutine that its maker has started.
func (a *Analysis) lentAlone(w pta.Site) bool {
	f := a.w.Flow(w.Inst)
	p := flow.Path{}
	for k := range f.Stores {
		if f.Stores[k].At == w.At {
			p = f.Path(f.Stores[k].Path)
		}
	}
	return p.Known() && slices.ContainsFunc(a.AtSite(w), func(g Held) bool {
		by := a.startedBy(&g)
		return g.Claim && g.Write && g.Path == p && len(by) == 1 && a.oneStarted(by, by)
	})
}

// startedBy returns the spawns that a claim has come through. A function that makes the claim and starts the goroutine
// may have copies for its callers; whichever of them has made it has started the one goroutine, and one of the spawns stands
// for all.
func (a *Analysis) startedBy(h *Held) []pta.Site {
	if len(h.lent) < 2 || slices.ContainsFunc(h.lent, func(s pta.Site) bool { return !a.sameCode(s, h.lent[0]) }) {
		return h.lent
	}
	return h.lent[:1]
}

// forGood reports whether a claim is never given back, once it is made: not in the parallel
// region, and not by what is done before and after that, when it may be made again.
func (a *Analysis) forGood(h *Held) bool {
	if h.delta != 0 || h.free != 0 || h.last || h.Elem || h.mixed {
		return false
	}
	made := *h
	made.Write = true
	return a.valid(&made) && !slices.ContainsFunc(h.cells, func(l pta.Loc) bool {
		stores, ok := a.w.MaySettle(l)
		return !ok || slices.ContainsFunc(stores, a.mayClear)
	})
}

// mayClear reports whether a store may set what it stores to to zero.
func (a *Analysis) mayClear(w pta.Site) bool {
	f := a.w.Flow(w.Inst)
	if f == nil {
		return true
	}
	if st := syncAt(f, w.At); st != nil {
		return !st.HasConst || st.Const == 0
	}
	return !slices.ContainsFunc(f.Stores, func(st flow.Store) bool { return st.At == w.At && st.Const != 0 })
}

// startedOnce reports whether two claims that may be one, of which one is lent at least, keep
// two accesses apart: who has it comes to one of them before he starts what does the other, or
// both are of the one goroutine that he starts; or the code makes the two at different places, of
// which only one can have made it for good, for itself and all that it starts.
func (a *Analysis) startedOnce(x side, g *Held, y side, h *Held) bool {
	switch {
	case g.Write && h.Write && a.madeElsewhere(g, h) && a.forGood(g) && a.forGood(h):
		return true
	case len(g.lent) == 0:
		return !h.above && a.neverAfter(pta.SiteOf(x.Access), g, h.lent, nil)
	case len(h.lent) == 0:
		return !g.above && a.neverAfter(pta.SiteOf(y.Access), h, g.lent, nil)
	}
	return !g.above && !h.above && a.oneStarted(a.startedBy(g), a.startedBy(h))
}

// madeElsewhere reports whether none of the code that may have made a claim is code that may have
// made another one.
func (a *Analysis) madeElsewhere(g, h *Held) bool {
	return !slices.ContainsFunc(g.acquisitions(), func(s pta.Site) bool {
		return slices.ContainsFunc(h.acquisitions(), func(t pta.Site) bool { return a.sameCode(s, t) })
	})
}

// oneStarted reports whether who starts goroutines once starts one only by some spawns, of
// which one is his, and each other one of the goroutine that one of them starts.
func (a *Analysis) oneStarted(spawns, others []pta.Site) bool {
	if len(spawns) != len(others) || slices.ContainsFunc(others, func(s pta.Site) bool {
		return !slices.ContainsFunc(spawns, func(t pta.Site) bool { return a.sameCode(s, t) })
	}) {
		return false
	}
	first := 0
	for _, s := range spawns {
		f := a.w.Flow(s.Inst)
		if f == nil || f.Innermost(f.Block(s.At)) >= 0 || slices.ContainsFunc(spawns, func(t pta.Site) bool { return t != s && a.sameFunc(t.Inst, s.Inst) }) {
			return false
		}
		for _, k := range f.StepsAt(s.At) {
			if st := &f.Steps[k]; st.Kind != flow.Spawn || st.Repeat || st.Op == library.OpTimerFunc {
				return false
			}
		}
		if callers := a.in.Callers(s.Inst); len(callers) != 1 || !slices.Contains(spawns, callers[0]) {
			first++
		}
	}
	return first == 1
}

// neverAfter reports whether who has claim g does not come to a site once he has started
// goroutines to which the claim is lent. Above the frame that has made the claim there is none
// that has it, and that frame runs once with it.
func (a *Analysis) neverAfter(s pta.Site, g *Held, spawns, below []pta.Site) bool {
	f := a.w.Flow(s.Inst)
	if f == nil || slices.ContainsFunc(below, func(b pta.Site) bool { return a.sameFunc(b.Inst, s.Inst) }) {
		return false
	}
	to := f.Gaps(s.At)
	for _, from := range spawns {
		if a.sameFunc(from.Inst, s.Inst) && slices.ContainsFunc(f.StepsAt(from.At), func(k int32) bool {
			return slices.ContainsFunc(to, func(g flow.Gap) bool { return f.Reaches(f.AfterStep(k), g, ssair.NoInstr, -1) })
		}) {
			return false
		}
	}
	if !g.above {
		return true
	}
	below = append(slices.Clip(below), s)
	callers := a.in.Callers(s.Inst)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(c pta.Site) bool {
		is := func(h Held) bool { return h.Claim && h.Acq == g.Acq && h.Orig == g.Orig && len(h.lent) == 0 }
		held := a.AtSite(c)
		k := slices.IndexFunc(held, is)
		return k < 0 || !a.neverAfter(c, &held[k], spawns, below)
	})
}

// claimedNext is s before step k, which starts a goroutine, where what has been found to be
// zero is set right afterwards: the guard is held until then.
func (a *Analysis) claimedNext(f *flow.Func, k int32, s *state) *state {
	blk := &f.Blocks[f.BlockOf(f.BeforeStep(k))]
	end := blk.End
	if k+1 < blk.Hi {
		end = f.Steps[k+1].At
	}
	set := func(h Held) bool {
		return h.Claim && !h.Write && h.Path.Known() && slices.ContainsFunc(f.Stores, func(st flow.Store) bool {
			return st.At > f.Steps[k].At && st.At < end && st.Const != 0 && f.Path(st.Path) == h.Path
		})
	}
	if !slices.ContainsFunc(s.held, set) {
		return s
	}
	s = s.clone()
	for i := range s.held {
		s.held[i].Write = s.held[i].Write || set(s.held[i])
	}
	return s
}

package locks

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a goroutine that is started with a claim which is given back, under its
// guard, when the goroutine is over:
//
//	func (s *server) stop() {
//		s.mu.Lock()
//		defer s.mu.Unlock()
//		if s.running {
//			close(s.quit)
//			<-s.done
//			s.running = false
//		}
//	}
//
// Between two such claims the flag is cleared, so that what was started with the earlier one is over
// when the later one is made. What is done by who has found the flag cleared, before he releases the
// guard, comes after the one and before the other.

// stoppedBetween reports whether two claims, of which one is lent at least, are of one flag that is
// cleared only when what has been started with a claim has come past the accesses.
func (a *Analysis) stoppedBetween(x side, g *Held, y side, h *Held) bool {
	return len(g.lent)+len(h.lent) > 0 && a.stopped(x, g) && a.stopped(y, h)
}

// stopped reports whether an access that is made with a claim is over when the flag is cleared.
func (a *Analysis) stopped(x side, h *Held) bool {
	if h.delta != 0 || h.last || h.Elem || h.mixed || h.Guard == nil || len(h.lent) > 0 && !h.Write || len(h.lent) == 0 && !a.guardedStill(x, h) {
		return false
	}
	writers, ok := a.w.WritersOf(h.cells)
	writers = append(slices.Clone(writers), a.w.WritersBeside(h.cells)...)
	return ok && !slices.ContainsFunc(writers, func(w pta.Site) bool { return !a.clearsLate(x, h, w) }) &&
		!slices.ContainsFunc(h.cells, func(l pta.Loc) bool {
			stores, ok := a.w.StoresTo(l)
			return !ok || slices.ContainsFunc(stores, func(s pta.Site) bool {
				return a.mayClear(s) && !slices.ContainsFunc(writers, func(w pta.Site) bool { return a.sameCode(s, w) })
			})
		})
}

// guardedStill reports whether the guard under which a claim was made has not been released at an access.
func (a *Analysis) guardedStill(x side, h *Held) bool {
	return slices.ContainsFunc(x.held, func(k Held) bool {
		return !k.Flag && !k.Claim && k.Write && k.Once == h.Guard.Once && k.Acq == h.Guard.Acq && len(k.others) == 0 && len(k.lent) == 0
	})
}

// clearsLate reports whether what writes the flag of a claim does so under its guard, and clears it
// only when an access that was started with the claim is over.
func (a *Analysis) clearsLate(x side, h *Held, w pta.Site) bool {
	f := a.w.Flow(w.Inst)
	if f == nil || syncAt(f, w.At) != nil {
		return false
	}
	k := slices.IndexFunc(f.Stores, func(st flow.Store) bool { return st.At == w.At })
	if k < 0 || !a.heldAt(w, f.Path(f.Stores[k].Path), h) {
		return false
	}
	return !a.mayClear(w) || len(h.lent) == 0 || a.lender.OverBefore(x.Access, w)
}

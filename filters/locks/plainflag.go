package locks

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what is done once by hand without atomic operations:
//
//	func (x *image) compute() {
//		x.mu.Lock()
//		defer x.mu.Unlock()
//		if x.done {
//			return
//		}
//		x.n = compute()
//		x.done = true
//	}
//
//	x.compute()
//	return x.n
//
// It is that of flag.go, but that the flag is tested under the lock, too: who has found it
// set comes after whoever has set it, by the lock. That nobody has set it is so as long as
// the lock is held. A plain store that takes the flag back while iterations run breaks it.

// What is set once may be the flag itself, and then an error, too, though that may be nil: who finds
// it set comes after all that is done where it is not.
//
//	x.mu.Lock()                        x.mu.Lock()
//	if x.err == nil { x.err = err }    if x.err != nil {
//	x.mu.Unlock()                              x.mu.Unlock()
//	                                           return x.err
//	                                   }

// foundPlain is s on an edge that tells whether a plain flag is set, which some function sets
// where it is not, and whose guard is held.
func (a *Analysis) foundPlain(i pta.InstID, f *flow.Func, ev *flow.Event, s *state) *state {
	unset := ev.Allows(0) && !ev.Allows(1) && !ev.Allows(-1)
	if !unset && ev.Allows(0) {
		return s
	}
	if _, atomic := a.flagAt(i, f, ev); atomic {
		return s
	}
	out := s
	for k := range s.held { // of several locks any may be the guard
		g := &s.held[k]
		if !isMutex(g) || unset && !g.Write || g.conditional() || len(g.lent) > 0 {
			continue
		}
		h := named(i, f, ev.Site, ev.Path)
		l, c, near := besides(g.Path, h.Path)
		if !near {
			continue
		}
		h.Once, h.Flag, h.Write, h.Guard, h.plain = true, true, unset, g, l+" "+c
		h.Locs = slices.Clone(a.cells(pta.Site{Inst: i, At: ev.Site}))
		slices.Sort(h.Locs)
		out = a.acquire(out, h)
	}
	return out
}

// storedPlain is s after a plain store of a constant.
func storedPlain(s *state, p flow.Path, to int64) *state {
	if !p.Known() {
		return s
	}
	unset := func(h Held) bool { return h.plain != "" && h.Write && h.Path == p }
	if to == 0 || !slices.ContainsFunc(s.held, unset) {
		return s
	}
	s = s.clone()
	for k := range s.held {
		if unset(s.held[k]) {
			s.held[k].Write = false
		}
	}
	return s
}

// plainlySet reports whether all that writes flag h while iterations run sets it, under its
// guard, or writes where it is known not to be set.
func (a *Analysis) plainlySet(h *Held) bool {
	writers, ok := a.w.WritersOf(h.Locs)
	return ok && !slices.ContainsFunc(writers, func(w pta.Site) bool { return !a.keepsPlain(h, w) })
}

// keepsPlain reports whether a write does so.
func (a *Analysis) keepsPlain(h *Held, w pta.Site) bool {
	f := a.w.Flow(w.Inst)
	if f == nil {
		return false
	}
	under := func(st flow.Store) bool { return st.At == w.At && a.heldAt(w, f.Path(st.Path), h) }
	return slices.ContainsFunc(f.Stores, func(st flow.Store) bool { return st.Const != 0 && under(st) }) ||
		slices.ContainsFunc(f.Unsure, func(st flow.Store) bool {
			return under(st) && slices.ContainsFunc(a.AtSite(w), func(g Held) bool { return g.plain == h.plain && g.Write && g.Path == f.Path(st.Path) })
		})
}

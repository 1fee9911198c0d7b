package locks

import (
	"slices"
	"strconv"

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

// A state may be what is set, and never left again: whoever does something under the lock where it is another one does so
// before it.
//
//	c.mu.Lock()                        c.mu.Lock()
//	if c.state == closed {             if c.state == closed {
//		c.mu.Unlock()                      c.mu.Unlock()
//		return                             return
//	}                                  }
//	c.labels = labels                  c.state = closed
//	c.mu.Unlock()                      c.mu.Unlock()
//	                                   count(c.labels)

// foundPlain is s on an edge that tells whether a plain flag is set, which some function sets
// where it is not, and whose guard is held: whether it is something but zero, or to, if that is not zero.
func (a *Analysis) foundPlain(i pta.InstID, f *flow.Func, ev *flow.Event, to int64, then look, s *state) *state {
	unset := ev.Allows(0) && !ev.Allows(1) && !ev.Allows(-1)
	set := !ev.Allows(0)
	if to != 0 {
		unset, set = !ev.Allows(to), ev.Cmp == "==" && ev.Const == to
	}
	if !unset && !set {
		return s
	}
	if _, atomic := a.flagAt(i, f, ev); atomic {
		return s
	}
	out := s
	for k := range s.held { // of several locks any may be the guard
		g := &s.held[k]
		if !isMutex(g) || unset && !g.Write || g.conditional() || len(g.lent) > 0 || !heldSince(g, then) {
			continue
		}
		h := named(i, f, ev.Site, ev.Path)
		l, c, near := besides(g.Path, h.Path)
		if !near {
			continue
		}
		h.Once, h.Flag, h.Write, h.Guard, h.plain, h.is = true, true, unset, g, l+" "+c, to
		if to != 0 {
			h.plain += " " + strconv.FormatInt(to, 10)
		}
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
	unset := func(h Held) bool { return h.plain != "" && h.Write && h.Path == p && h.setBy(to) }
	if !slices.ContainsFunc(s.held, unset) {
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

// setBy reports whether a store of a constant to a plain flag sets it.
func (h *Held) setBy(to int64) bool { return h.is == 0 && to != 0 || h.is != 0 && to == h.is }

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
	foundUnset := func(st flow.Store) bool {
		return slices.ContainsFunc(a.AtSite(w), func(g Held) bool {
			return g.plain != "" && g.Write && g.is == h.is && g.Path == f.Path(st.Path) && (g.plain == h.plain || a.guarded(&g))
		})
	}
	return slices.ContainsFunc(f.Stores, func(st flow.Store) bool { return under(st) && (h.setBy(st.Const) || h.is != 0 && foundUnset(st)) }) ||
		slices.ContainsFunc(f.Unsure, func(st flow.Store) bool { return under(st) && foundUnset(st) })
}

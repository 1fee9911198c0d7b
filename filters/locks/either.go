package locks

import (
	"slices"

	"github.com/iterace/iterace/pta/flow"
)

// This file is about locks that are taken in an order of their own:
//
//	first, second := from, to
//	if second.id < first.id {
//		first, second = second, first
//	}
//	first.mu.Lock()
//	second.mu.Lock()
//
// Whichever way control has come to where the variables are chosen, the two locks are those
// of from and of to: the locks that are held on each way, by the names that the chosen
// variables have there, are held.

// withEither is s with the locks that are held whatever variables stand for that were
// chosen in one place.
func (a *Analysis) withEither(f *flow.Func, s *state) *state {
	for k := range s.held {
		if !s.held[k].outright() {
			continue
		}
		ways := f.Merged(s.held[k].Path)
		if len(ways) < 2 {
			continue
		}
		var all []Held
		for w := range ways {
			held := a.heldOnWay(f, s, ways, w)
			if w == 0 {
				all = held
			} else {
				all = inBoth(all, held)
			}
		}
		for _, h := range all {
			if !slices.ContainsFunc(s.held, func(g Held) bool { return g.Path == h.Path }) {
				s = a.acquire(s, h)
			}
		}
	}
	return s
}

// heldOnWay lists the locks of s whose roots were chosen where some ways meet, by the names
// that they have on the w-th of these.
func (a *Analysis) heldOnWay(f *flow.Func, s *state, ways []flow.Way, w int) (out []Held) {
	for _, h := range s.held {
		if !h.outright() || len(h.lent) > 0 {
			continue
		}
		of := f.Merged(h.Path)
		if !slices.EqualFunc(of, ways, func(x, y flow.Way) bool { return x.At == y.At }) {
			continue
		}
		h.Path, h.Orig, h.either = of[w].Path, flow.Path{}, true
		out = append(out, h)
	}
	return out
}

// inBoth returns the locks that are held on two ways, in the weaker mode. Which acquisition
// each is from depends on the way.
func inBoth(xs, ys []Held) (out []Held) {
	for _, x := range xs {
		k := slices.IndexFunc(ys, func(y Held) bool { return y.Path == x.Path })
		if k < 0 {
			continue
		}
		x.Write = x.Write && ys[k].Write
		x.mixed = true
		x.Locs = union(x.Locs, ys[k].Locs)
		x.Through = unionSites(x.Through, ys[k].Through)
		x.Elem = x.Elem || ys[k].Elem
		out = append(out, x)
	}
	return out
}

// eitherOf reports whether a lock is one by the name of what was chosen, and may be h.
func eitherOf(g, h *Held) bool { return g.either && mayAlias(g.Locs, h.Locs) }

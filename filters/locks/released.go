package locks

import (
	"cmp"
	"slices"
	"strings"
)

// A released is a set of locks that may have been released: of two that one call acquired and
// that have one name, one. It is sorted by these and not changed: states and summaries have it
// in common. In a message broker a function may release a hundred, and while they stood in no
// order a third of what meets of states took was to look for each of one state's in the other's.
type released []*Held

func (h *Held) compare(g *Held) int {
	// One by one: nearly all that is compared where sets of hundreds are merged differs in the first.
	switch {
	case h == g:
		return 0
	case h.Acq.Inst != g.Acq.Inst:
		return cmp.Compare(h.Acq.Inst, g.Acq.Inst)
	case h.Acq.At != g.Acq.At:
		return cmp.Compare(h.Acq.At, g.Acq.At)
	}
	if h.open != g.open {
		if g.open {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(h.Path.Root, g.Path.Root), strings.Compare(h.Path.Sels, g.Path.Sels))
}

// releasing makes a set of some locks, which it keeps. Of two that are the same the first one
// stays.
func releasing(hs []*Held) released {
	slices.SortStableFunc(hs, (*Held).compare)
	return slices.CompactFunc(hs, func(g, h *Held) bool { return g.compare(h) == 0 })
}

func (r released) has(h *Held) bool {
	_, ok := slices.BinarySearchFunc(r, h, (*Held).compare)
	return ok
}

// and returns what is in either set: r itself, if that has all.
func (r released) and(s released) released {
	if len(r) == 0 {
		return s
	}
	if len(s) == 0 || len(r) == len(s) && &r[0] == &s[0] {
		return r
	}
	var out released // once it is more than r
	i := 0
	for k, h := range s {
		from, c := i, 1
		for i < len(r) {
			if c = r[i].compare(h); c >= 0 {
				break
			}
			i++
		}
		if out != nil {
			out = append(out, r[from:i]...)
		}
		if c == 0 {
			continue
		}
		if out == nil {
			out = append(make(released, 0, len(r)+len(s)-k), r[:i]...)
		}
		out = append(out, h)
	}
	if out == nil {
		return r
	}
	return append(out, r[i:]...)
}

package disjoint

import (
	"slices"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file spares questions about elements of sub-slices.

// A window is the question whether two sub-slices have an element in common,
// which settles all pairs of their elements: of d := dst[j:j+4] and d[0] to
// d[3] there are sixteen.
type window struct {
	apart   bool // they have none, and that rests on no weak assumption
	verdict index.Verdict
	failed  int // pairs of elements that were not proved to be different either
}

// maxAlike is the number of pairs of elements of two windows that are asked
// about before the others are given up.
const maxAlike = 2

// window returns the windows that two accesses go to, nil if there are none.
func (f *filter) window(x, y pta.Chain, r *model.Race) *window {
	wx, okX := f.widen(x)
	wy, okY := f.widen(y)
	if !okX && !okY {
		return nil
	}
	k := f.key(wx, wy, r)
	g := f.windows[k]
	if g == nil {
		g = new(window)
		f.windows[k] = g
		if len(f.windows) <= maxProofs && f.prover.Spent() < maxEffort {
			g.verdict = f.prover.Overlap(f.query(wx, wy, r))
			g.apart = g.verdict.Answer == index.Disjoint && !g.verdict.Weak()
		}
	}
	return g
}

// widen goes from the access at the end of a chain to the sub-slice that it
// goes through.
func (f *filter) widen(c pta.Chain) (pta.Chain, bool) {
	n := len(c.Sites) - 1
	fn := f.w.Index(c.Sites[n].Inst)
	if fn == nil || n == c.Spawn {
		return c, false
	}
	at, ok := fn.WindowOf(c.Sites[n].At)
	if ok {
		c.Sites = slices.Clone(c.Sites)
		c.Sites[n].At = at
	}
	return c, ok
}

// why asks again, for an explanation; of two windows one pair will do.
func (f *filter) why(x, y pta.Chain, r *model.Race) index.Verdict {
	wx, okX := f.widen(x)
	wy, okY := f.widen(y)
	if okX || okY {
		k := f.key(wx, wy, r)
		if f.windows[k] != nil {
			return index.Verdict{Answer: index.May}
		}
		f.windows[k] = new(window)
	}
	return f.prover.Overlap(f.query(x, y, r))
}

package locks

import (
	"slices"

	"github.com/iterace/iterace/pta"
)

// This file asks whether a claim, or a plain flag, is given back beside the iterations by who
// does not have it:
//
//	go s.work() // if !s.busy { s.busy = true; … }, under a lock
//	s.reset()   // s.busy = false, under the lock
//	s.work()
//
// What iterations do to it is looked at when the claim itself is, see valid and plainlySet, and
// what Main does by the same code is taken to be as right as that (soundness: once-reset).

// givenBack reports whether that is done to what two claims, or flags, are about.
func (a *Analysis) givenBack(g, h *Held) bool {
	k := [2]claimKey{{g.Acq, g.Orig}, {h.Acq, h.Orig}}
	if back, known := a.givenBacks[k]; known {
		return back
	}
	keeps := a.keepsPlain
	if g.Claim {
		keeps = a.keepsClaim
	}
	back := slices.ContainsFunc(a.w.WritersBeside(a.inBoth(g.flags(), h.flags())), func(w pta.Site) bool { return !keeps(g, w) })
	if a.givenBacks == nil {
		a.givenBacks = make(map[[2]claimKey]bool)
	}
	a.givenBacks[k] = back
	return back
}

// flags lists all that the flag of a claim, or a flag, may be.
func (h *Held) flags() []pta.Loc {
	if h.Claim {
		return h.cells
	}
	return h.Locs
}

// inBoth lists those of some locations that are among others, too: what two sides have in common
// if they mean one thing.
func (a *Analysis) inBoth(xs, ys []pta.Loc) (out []pta.Loc) {
	for _, x := range xs {
		same := func(y pta.Loc) bool { return a.w.Object(y).Canon == a.w.Object(x).Canon }
		if slices.ContainsFunc(ys, same) {
			out = append(out, x)
		}
	}
	return out
}

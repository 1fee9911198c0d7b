package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for what the spawner does in the round of an iteration:
//
//	for {
//		c := &client{conn: accept()}
//		c.dec = newDecoder(c) // fills the decoder
//		go c.serve()          // uses it
//	}
//
// The decoder is reached through two fields, so that no path says which round's it is,
// and the next round's filling comes after the spawn. But what the spawner does in the
// round of the iteration is over when that round is, whatever memory it goes to: as if
// all of that were made where the round begins.

// roundOf returns where the round begins that y, an access of the spawner, belongs to, if
// that is the round of alpha: what another round does to the same memory is there once
// more, as an access of the loop's second copy.
func (a *Analysis) roundOf(y *model.Access) pta.Site {
	at, ok := a.w.AlphasRound(y)
	if !ok || len(a.spawns) == 0 {
		return noSite
	}
	s := a.copyOf(at[0].Inst)
	elsewhere := func(t pta.Site) bool { return a.copyOf(t.Inst) != s }
	if slices.ContainsFunc(at, elsewhere) || slices.ContainsFunc(a.spawns, elsewhere) {
		return noSite
	}
	f := a.w.Flow(s)
	k := a.w.RoundLoop()
	if f == nil || k < 0 || k >= len(f.Loops) {
		return noSite
	}
	first := ssair.Instr(0)
	if h := f.Loops[k].Header; h > 0 {
		first = f.Blocks[h-1].End
	}
	return pta.Site{Inst: s, At: first}
}

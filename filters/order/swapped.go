package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for buffers in fields that change places between two parallel loops, or two
// runs of one:
//
//	for i := range p.back {
//		wg.Go(func() { p.back[i] = f(p.front, i) })
//	}
//	wg.Wait()
//	p.front, p.back = p.back, p.front
//
// As long as the fields rest each holds another buffer (pta/swap.go). So they are apart if
// what exchanges them runs beside neither of the two accesses.

// swappedApart reports whether x and y go to what different fields hold, which do not change
// places while they do.
func (a *Analysis) swappedApart(r *model.Race, x, y access) bool {
	by, ok := a.w.Swapped(r)
	return ok && !slices.ContainsFunc(by, func(s pta.Site) bool {
		z := accessAt(s)
		x.birth, y.birth = noSite, noSite
		return a.w.Flow(s.Inst) == nil || a.againstMain(x, z).overlap || a.againstMain(y, z).overlap
	})
}

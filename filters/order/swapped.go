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
// what exchanges them runs beside neither of the two accesses. Or it is done between the waits of a
// barrier of which the iterations are the parties:
//
//	for range steps {
//		for k := lo; k < hi; k++ {
//			p.back[k] = f(p.front, k)
//		}
//		b.wait(func() { p.front, p.back = p.back, p.front })
//	}
//
// While two iterations have come to the same number of waits none does so, if it is done at another number
// of waits, or by the last one to come. What an iteration has loaded from the fields it must then use before it waits again.

// swappedApart reports whether x and y go to what different fields hold, which do not change
// places while they do.
func (a *Analysis) swappedApart(r *model.Race, x, y access) bool {
	s, ok := a.w.Swapped(r)
	if !ok || slices.ContainsFunc(s.By, func(s pta.Site) bool {
		z := accessAt(s)
		x.birth, y.birth = noSite, noSite
		return a.w.Flow(s.Inst) == nil || a.againstMain(x, z).overlap || a.againstMain(y, z).overlap
	}) {
		return false
	}
	if len(s.Within) == 0 {
		return true
	}
	var fields []pta.Loc
	for _, l := range s.Loads {
		fields = append(fields, a.w.Cells(l)...)
	}
	other := func(l pta.Site) bool {
		return slices.ContainsFunc(a.w.Cells(l), func(c pta.Loc) bool { return !slices.Contains(fields, c) })
	}
	return slices.ContainsFunc(a.parties(), func(p *party) bool {
		for _, z := range []access{x, y} {
			loads, ok := a.loadedSinceWait(p, z)
			if !ok || !a.restsWhile(p, z, s.Within) || slices.ContainsFunc(loads, other) {
				return false
			}
		}
		return true
	})
}

package locks

import (
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for arrays of locks: mu[k] guards d[k].

func (a *Analysis) byIndex(x *model.Access, dx flow.Path, g *Held, y *model.Access, dy flow.Path, h *Held) verdict {
	if !g.Elem || !h.Elem || len(g.Locs) != 1 || len(h.Locs) != 1 || g.Locs[0] != h.Locs[0] {
		return unprotected
	}
	if a.object(g.Locs[0]).Many {
		return unprotected
	}
	lx, dx := a.inFrame(x, dx, g)
	ly, dy := a.inFrame(y, dy, h)
	ix, iy := lastIndex(lx.Sels), lastIndex(ly.Sels)
	if ix == "" || iy == "" {
		return unprotected
	}
	if strings.HasPrefix(ix, "[c:") && ix == iy {
		return proven // the same constant element
	}
	sx, sy := selectors(dx.Sels), selectors(dy.Sels)
	if len(sx) != len(sy) {
		return unprotected
	}
	for k := range sx {
		if sx[k] == ix && sy[k] == iy {
			return proven
		}
	}
	return unprotected
}

// inFrame returns the paths of lock h and of the datum of x in a frame where
// both have one: that of the access, or the one that acquired the lock and then
// called what leads to the access, if it has one way.
func (a *Analysis) inFrame(x *model.Access, d flow.Path, h *Held) (lock, datum flow.Path) {
	i, at := pta.InstID(x.Inst), ssair.Instr(x.Instr)
	for depth := 0; !h.Path.Known() && i != h.Acq.Inst && depth < 6; depth++ {
		callers := a.in.Callers(i)
		if len(callers) != 1 || a.in.IsSpawn(callers[0]) {
			return flow.Path{}, d
		}
		f := a.w.Flow(callers[0].Inst)
		if f == nil || len(f.StepsAt(callers[0].At)) != 1 {
			return flow.Path{}, d
		}
		up, ok := f.UpAt(callers[0].At, d)
		if !ok {
			return flow.Path{}, d
		}
		i, at, d = callers[0].Inst, callers[0].At, up
		// A name that the lock has lost there is one of another round.
		for _, g := range a.at(i, at) {
			if g.Acq == h.Acq && g.Path.Known() {
				return g.Path, d
			}
		}
	}
	return h.Path, d
}

func lastIndex(s string) string {
	sel := selectors(s)
	for i := len(sel) - 1; i >= 0; i-- {
		if sel[i][0] == '[' {
			return sel[i]
		}
	}
	return ""
}

package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for arrays of locks: mu[k] guards d[k].

func (a *Analysis) byIndex(x *model.Access, dx flow.Path, g *Held, y *model.Access, dy flow.Path, h *Held) verdict {
	if !g.Elem || !h.Elem || !a.ofOneArray(g.Locs, h.Locs) {
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

// ofOneArray reports whether all locations of two locks are elements of one array, of which there is one. A loop over
// the array may have an element of each round's own.
func (a *Analysis) ofOneArray(g, h []pta.Loc) bool {
	if len(g) == 0 || len(h) == 0 {
		return false
	}
	o := a.object(g[0])
	other := func(l pta.Loc) bool {
		p := a.object(l)
		return p.Object.ID != o.Object.ID || p.Object.ID < 0 || p.Many || !strings.Contains(p.Field, "[") || anyElement(p.Field) != anyElement(o.Field)
	}
	return !slices.ContainsFunc(g, other) && !slices.ContainsFunc(h, other)
}

// anyElement returns the name of a field without what tells its elements apart.
func anyElement(field string) string {
	out := ""
	for {
		before, rest, found := strings.Cut(field, "[")
		if out += before; !found {
			return out
		}
		_, field, _ = strings.Cut(rest, "]")
		out += "[]"
	}
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

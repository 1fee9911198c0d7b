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
	ways := a.inFrames(pta.InstID(x.Inst), ssair.Instr(x.Instr), dx, g, 0)
	others := a.inFrames(pta.InstID(y.Inst), ssair.Instr(y.Instr), dy, h, 0)
	if len(ways) == 0 || len(others) == 0 {
		return unprotected
	}
	for _, w := range ways {
		for _, o := range others {
			if !sameElement(w, o) {
				return unprotected
			}
		}
	}
	return proven
}

// A lockedWay is the paths of a lock and of what it may guard, in a frame that has both.
type lockedWay struct{ lock, datum flow.Path }

// sameElement reports whether two locks are one element of their array, or guard what lies in the elements of the
// same index.
func sameElement(x, y lockedWay) bool {
	ix, iy := lastIndex(x.lock.Sels), lastIndex(y.lock.Sels)
	if ix == "" || iy == "" {
		return false
	}
	if strings.HasPrefix(ix, "[c:") && ix == iy {
		return true // the same constant element
	}
	sx, sy := selectors(x.datum.Sels), selectors(y.datum.Sels)
	if len(sx) != len(sy) {
		return false
	}
	for k := range sx {
		if sx[k] == ix && sy[k] == iy {
			return true
		}
	}
	return false
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

// inFrames returns the paths of lock h and of datum d of an access in frames where both have one: that of the access, or
// those that acquired the lock and then called what leads to the access, on each way that does; none if these are not known.
func (a *Analysis) inFrames(i pta.InstID, at ssair.Instr, d flow.Path, h *Held, depth int) []lockedWay {
	if h.Path.Known() || i == h.Acq.Inst {
		return []lockedWay{{h.Path, d}}
	}
	callers := a.in.Callers(i)
	if depth == maxFrames || len(callers) > maxWays {
		return nil
	}
	var out []lockedWay
	for _, c := range callers {
		f := a.w.Flow(c.Inst)
		if a.in.IsSpawn(c) || f == nil || len(f.StepsAt(c.At)) != 1 {
			return nil
		}
		up, ok := f.UpAt(c.At, d)
		if !ok {
			return nil
		}
		// A name that the lock has lost there is one of another round.
		held := h
		for _, g := range a.at(c.Inst, c.At) {
			if g.Acq == h.Acq && g.Path.Known() {
				held = &g
				break
			}
		}
		ways := a.inFrames(c.Inst, c.At, up, held, depth+1)
		if out = append(out, ways...); len(ways) == 0 || len(out) > maxWays {
			return nil
		}
	}
	return out
}

// maxWays bounds the ways to an access that are looked at.
const maxWays = 8

func lastIndex(s string) string {
	sel := selectors(s)
	for i := len(sel) - 1; i >= 0; i-- {
		if sel[i][0] == '[' {
			return sel[i]
		}
	}
	return ""
}

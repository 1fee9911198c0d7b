package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file decides when several abstract objects are one object at run time:
// a lock made in either branch of an if is one lock.

// maxExclusive bounds the objects that are compared with each other.
const maxExclusive = 16

// oneCell reports whether both operands point to one memory cell: of a single
// object, or of several of which only one is ever made; and not in an element
// of an array, slice or map.
func (a *Analysis) oneCell(x, y *Held) bool {
	if !inCells(x, y) {
		return false
	}
	yes := a.areOneCell(x.Locs, y.Locs)
	if q := a.asking; q != nil {
		note(&q.oneCell, [2]locList{listOf(x.Locs), listOf(y.Locs)}, cellQuestion{x.Locs, y.Locs, yes})
	}
	return yes
}

func (a *Analysis) areOneCell(xs, ys []pta.Loc) bool {
	if len(xs) == 1 && len(ys) == 1 {
		return areOne(xs[0], ys[0], a.w.Object)
	}
	g := a.fewCells(xs)
	if !g.exclusive {
		return false
	}
	h := a.fewCells(ys)
	all := slices.Clip(g.of)
	return h.exclusive && !slices.ContainsFunc(h.of, func(o pta.ObjectInfo) bool { return !a.addCell(&all, o) }) && len(all) > 0
}

// oneLock is oneCell for the locks of two accesses of the race at hand, see object. The states that locks
// are in are those of all races, and are found by oneCell.
func (a *Analysis) oneLock(x, y *Held) bool {
	if !inCells(x, y) {
		return false
	}
	if len(x.Locs) == 1 && len(y.Locs) == 1 {
		return areOne(x.Locs[0], y.Locs[0], a.object)
	}
	var all []pta.ObjectInfo
	return a.addCells(&all, x.Locs, a.object) && a.addCells(&all, y.Locs, a.object) && len(all) > 0
}

func inCells(x, y *Held) bool {
	return !x.Elem && !y.Elem && len(x.Locs) > 0 && len(y.Locs) > 0
}

// areOne reports whether two locations are one cell.
func areOne(l, m pta.Loc, object func(pta.Loc) pta.ObjectInfo) bool {
	o, p := object(l), object(m)
	if !single(o) || !single(p) {
		return false
	}
	return l == m || o.Canon == p.Canon && o.Made == model.Main && p.Made == model.Main
}

// cells are those at a list of locations.
type cells struct {
	exclusive bool             // only one of them is ever made
	of        []pta.ObjectInfo // if so
}

// fewCells returns the cells at a list of locations, which two states have in common more often
// than not when they are compared.
func (a *Analysis) fewCells(locs []pta.Loc) cells {
	key := listOf(locs)
	c, known := a.few[key]
	if !known {
		c.exclusive = a.addCells(&c.of, locs, a.w.Object)
		if a.few == nil {
			a.few = make(map[locList]cells)
		}
		a.few[key] = c
	}
	return c
}

// addCells adds the cells at some locations to those of which only one is ever made, and
// reports whether that is still so.
func (a *Analysis) addCells(cells *[]pta.ObjectInfo, locs []pta.Loc, object func(pta.Loc) pta.ObjectInfo) bool {
	for _, l := range locs {
		if o := object(l); !a.elsewhere(o) && !a.addCell(cells, o) {
			return false
		}
	}
	return true
}

// addCell is addCells for the object at one location.
func (a *Analysis) addCell(cells *[]pta.ObjectInfo, o pta.ObjectInfo) bool {
	if !single(o) || o.Made != model.Main {
		return false
	}
	if slices.ContainsFunc(*cells, func(c pta.ObjectInfo) bool { return c.Canon == o.Canon }) {
		return true
	}
	if len(*cells) == maxExclusive || slices.ContainsFunc(*cells, func(c pta.ObjectInfo) bool { return !a.exclusive(c.Alloc, o.Alloc) }) {
		return false
	}
	*cells = append(*cells, o)
	return true
}

// elsewhere reports whether an object is of other entry points than those that
// lead to the loop.
func (a *Analysis) elsewhere(o pta.ObjectInfo) bool {
	spawns := a.w.Spawns()
	return len(spawns) > 0 && !slices.ContainsFunc(spawns, func(s pta.Site) bool { return !a.w.Apart(o.Alloc.Inst, s.Inst) })
}

func single(o pta.ObjectInfo) bool {
	return !o.Many && o.Part == 0 && !strings.Contains(o.Field, "[")
}

// exclusive reports whether at most one of two allocations happens, both being
// made once at most: for different entry points, or where the calls that lead to
// them part, no control flow leads from one to the other.
func (a *Analysis) exclusive(s, t pta.Site) bool {
	if a.w.Apart(s.Inst, t.Inst) {
		return true
	}
	ss, ts := a.calls(s), a.calls(t)
	for i := range ss {
		for k := range ts {
			if ss[i].Inst != ts[k].Inst {
				continue
			}
			f := a.w.Flow(ss[i].Inst)
			if f == nil {
				return false
			}
			x, y := f.Block(ss[i].At), f.Block(ts[k].At)
			return x != y && !leads(f, x, y) && !leads(f, y, x)
		}
	}
	return false
}

// calls returns the calls that lead to a site, innermost first, as long as
// there is one.
func (a *Analysis) calls(s pta.Site) []pta.Site {
	if s.Inst < 0 {
		return nil
	}
	out := []pta.Site{s}
	for range 20 {
		cs := a.in.Callers(s.Inst)
		if len(cs) != 1 {
			break
		}
		s = cs[0]
		out = append(out, s)
	}
	return out
}

// leads reports whether control flow leads from block x to block y.
func leads(f *flow.Func, x, y int32) bool {
	seen := make([]bool, len(f.Blocks))
	work := []int32{x}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.Blocks[b].Succs {
			if e.To == y {
				return true
			}
			if !seen[e.To] {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return false
}

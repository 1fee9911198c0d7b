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
	return inCells(x, y) && a.askedCell(x, y, a.findOneCell(x, y, a.w.Object))
}

// oneLock is oneCell for the locks of two accesses of the race at hand, see object. The states that locks
// are in are those of all races, and are found by oneCell.
func (a *Analysis) oneLock(x, y *Held) bool { return inCells(x, y) && a.findOneCell(x, y, a.object) }

func inCells(x, y *Held) bool {
	return !x.Elem && !y.Elem && len(x.Locs) > 0 && len(y.Locs) > 0
}

func (a *Analysis) findOneCell(x, y *Held, object func(pta.Loc) pta.ObjectInfo) bool {
	if len(x.Locs) == 1 && len(y.Locs) == 1 {
		o, p := object(x.Locs[0]), object(y.Locs[0])
		if !single(o) || !single(p) {
			return false
		}
		return x.Locs[0] == y.Locs[0] || o.Canon == p.Canon && o.Made == model.Main && p.Made == model.Main
	}
	var cells []pta.ObjectInfo
	return a.addCells(&cells, x.Locs, object) && a.addCells(&cells, y.Locs, object) && len(cells) > 0
}

// addCells adds the cells at some locations to those of which only one is ever made, and
// reports whether that is still so.
func (a *Analysis) addCells(cells *[]pta.ObjectInfo, locs []pta.Loc, object func(pta.Loc) pta.ObjectInfo) bool {
	for _, l := range locs {
		o := object(l)
		if a.elsewhere(o) {
			continue
		}
		if !single(o) || o.Made != model.Main {
			return false
		}
		if slices.ContainsFunc(*cells, func(c pta.ObjectInfo) bool { return c.Canon == o.Canon }) {
			continue
		}
		if len(*cells) == maxExclusive || slices.ContainsFunc(*cells, func(c pta.ObjectInfo) bool { return !a.exclusive(c.Alloc, o.Alloc) }) {
			return false
		}
		*cells = append(*cells, o)
	}
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

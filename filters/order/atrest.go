package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about places that rest while iterations work between two waits of a barrier of which they are the parties:
//
//	for range steps {
//		for k := lo; k < hi; k++ {
//			g.next[k] = f(g.cur, k)
//		}
//		b.wait(func() { g.cur, g.next = g.next, make([]int, n) })
//	}
//
// Two iterations that have come to the same number of waits find one and the same in g.next, since it is set at another number of
// waits, or by the last one to come, while all others wait. So to compare indices is to compare elements. At different numbers they
// are apart anyway. What an iteration has loaded it must use before it waits again.

// apartAtRest reports whether x and y go to different elements of what they have found in one place, which rests.
func (a *Analysis) apartAtRest(r *model.Race, x, y access) bool {
	if a.compare.OnOneBase == nil || r.B.Thread != model.Beta || r.Other != nil {
		return false
	}
	return slices.ContainsFunc(a.parties(), func(p *party) bool {
		xs, ok := a.loadedSinceWait(p, x)
		if !ok {
			return false
		}
		ys, ok := a.loadedSinceWait(p, y)
		if !ok {
			return false
		}
		var cells []pta.Loc
		for _, s := range slices.Concat(xs, ys) {
			for _, l := range a.w.Cells(s) {
				if o := a.w.Object(l); !oneCell(o) || a.external(l) {
					return false
				}
				if !slices.Contains(cells, l) {
					cells = append(cells, l)
				}
			}
		}
		if len(cells) != 1 || len(a.w.WritersBeside(cells)) > 0 {
			return false
		}
		writers, ok := a.w.WritersOf(cells)
		return ok && len(writers) > 0 && a.restsWhile(p, x, writers) && a.restsWhile(p, y, writers) && a.compare.OnOneBase(r)
	})
}

// restsWhile reports whether none of some sites comes between the waits between which x is.
func (a *Analysis) restsWhile(p *party, x access, sites []pta.Site) bool {
	n, last, ok := a.waitsBehind(p, x)
	return ok && !last && !slices.ContainsFunc(sites, func(s pta.Site) bool {
		m, last, ok := a.waitsBehind(p, accessAt(s))
		d := m - n
		if p.period > 0 {
			d %= p.period
		}
		return !ok || !last && d == 0
	})
}

// loadedSinceWait returns the loads of which each time one has yielded what x goes to an element of, in x's function or in
// those that pass it down; ok is false if that is not known, or a wait may come between.
func (a *Analysis) loadedSinceWait(p *party, x access) (loads []pta.Site, ok bool) {
	f, g, ok := a.gap(x.inst, x.at)
	if !ok {
		return nil, false
	}
	return a.loadedAbove(p, x.inst, g, f.Addr(x.at), f.LoadsAt(x.at), 0)
}

// maxSinceLoad bounds the calls that lie between a load and the use of what it yields.
const maxSinceLoad = 4

// loadedAbove is loadedSinceWait for what has path q, which some loads lead to, at gap g of an instance.
func (a *Analysis) loadedAbove(p *party, i pta.InstID, g flow.Gap, q flow.Path, loads []ssair.Instr, up int) (out []pta.Site, ok bool) {
	f := a.w.Flow(i)
	if !q.Known() {
		return nil, false
	}
	if len(loads) > 0 {
		// Of several loads of one version, between which nothing is called, the first: what has the value by a
		// later one has come past it.
		from := f.GapOf(loads[0])
		return []pta.Site{{Inst: i, At: loads[0]}}, from == g || f.Reaches(from, g, -1, -1) && !a.waitsBetween(p, i, from, g, from)
	}
	k, ok := q.Param()
	if !ok || up == maxSinceLoad || f.Entry() != g && a.waitsBetween(p, i, f.Entry(), g, -1) {
		return nil, false
	}
	callers := a.in.Callers(i)
	for _, c := range callers {
		h := a.w.Flow(c.Inst)
		if h == nil || a.in.IsSpawn(c) {
			return nil, false
		}
		steps := h.StepsAt(c.At)
		if len(steps) != 1 {
			return nil, false
		}
		st := &h.Steps[steps[0]]
		if st.Kind != flow.Call || st.Site != c.At || st.Body >= 0 || k >= len(st.Args) {
			return nil, false
		}
		some, ok := a.loadedAbove(p, c.Inst, h.BeforeStep(steps[0]), h.Path(st.Args[k]), h.LoadsOf(st.Args[k]), up+1)
		if !ok {
			return nil, false
		}
		out = append(out, some...)
	}
	return out, len(out) > 0
}

// waitsBetween reports whether an instance may come from one gap to another past a step that waits, and not again past a third.
func (a *Analysis) waitsBetween(p *party, i pta.InstID, from, to, past flow.Gap) bool {
	f := a.w.Flow(i)
	for k := range f.Steps {
		if slices.ContainsFunc(a.in.CalleesAt(i, f.Steps[k].Site), p.leads.Has) &&
			f.Reaches(from, f.BeforeStep(int32(k)), -1, past) && f.Reaches(f.AfterStep(int32(k)), to, -1, past) {
			return true
		}
	}
	return false
}

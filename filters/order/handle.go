package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about functions that start goroutines and return by what to wait for them:
//
//	func squares(n int) []int {
//		out := make([]int, n)
//		p := newPool(out) // p.wg.Add(n); … go func() { defer p.wg.Done(); out[k] = k*k }() …; return p
//		p.wg.Wait()
//		return out
//	}
//
// There is a pool for each run of newPool, and who waits for one waits for the goroutines of that alone. But if every
// function that has such a pool waits for it before it is over, and before it has the next one, then whoever comes to a
// Wait from the start of a goroutine comes to that of its own pool first.

// handedBack reports whether n waits for what r is done on by that: r is done by a function, or by the goroutines that
// it starts, on an object that it returns, and each of its callers comes to an operation like n on this, whatever it does.
func (a *Analysis) handedBack(n, r *op) bool {
	if !n.path.Known() || n.step < 0 {
		return false
	}
	type made struct {
		by   pta.InstID
		path flow.Path
	}
	var from []made
	if _, ok := r.path.Made(); ok {
		from = append(from, made{r.inst, r.path})
	} else {
		t, at, ok := a.inThread(r)
		if !ok {
			return false
		}
		for _, s := range a.in.Callers(t) {
			p, ok := a.w.Flow(s.Inst).UpAt(s.At, at)
			if _, here := p.Made(); !ok || !here {
				return false
			}
			from = append(from, made{s.Inst, p})
		}
	}
	var keepers []pta.InstID
	waits := make(map[pta.Site]bool) // the operations, and the calls of the function that has n
	for _, m := range from {
		for _, c := range a.in.Callers(m.by) {
			if a.in.IsSpawn(c) || slices.Contains(keepers, c.Inst) {
				return false
			}
			by, ok := a.waitedByCaller(n, a.w.Flow(m.by), m.path, c)
			if !ok {
				return false
			}
			keepers = append(keepers, c.Inst)
			waits[by] = true
		}
	}
	if waits[pta.Site{Inst: n.inst, At: n.site}] {
		return true
	}
	callers := a.in.Callers(n.inst)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(c pta.Site) bool { return !waits[c] })
}

// waitedByCaller returns where a caller of a function waits as n does for what that has returned at path p of its frame, if
// it does so whatever happens: by an operation of its own, or by a call of the function that has n.
func (a *Analysis) waitedByCaller(n *op, f *flow.Func, p flow.Path, call pta.Site) (by pta.Site, ok bool) {
	g := a.w.Flow(call.Inst)
	if f == nil || g == nil || len(g.StepsAt(call.At)) != 1 {
		return by, false
	}
	is := func(q flow.Path) bool {
		at, made := q.Made()
		if !made {
			return false
		}
		from, k := g.ResultOf(at)
		if from != call.At || k >= len(f.Returned) {
			return false
		}
		ret := f.Path(f.Returned[k])
		return ret.Known() && ret.Root == p.Root && strings.HasPrefix(p.Sels, ret.Sels) && q.Sels == p.Sels[len(ret.Sels):]
	}
	var sites []ssair.Instr
	for _, o := range a.opsIn(call.Inst) {
		if o.step >= 0 && o.lib == n.lib && g.Steps[o.step].Kind == n.f.Steps[n.step].Kind && is(o.path) {
			sites = append(sites, o.site)
		}
	}
	if len(n.f.StepsAt(n.site)) == 1 && !n.f.Returns(n.f.Entry(), n.site) {
		for _, c := range a.in.Callers(n.inst) {
			if c.Inst != call.Inst || len(a.in.CalleesAt(c.Inst, c.At)) != 1 {
				continue
			}
			if q, ok := g.UpAt(c.At, n.path); ok && is(q) {
				sites = append(sites, c.At)
			}
		}
	}
	begins := g.StepsAt(call.At)[0]
	for _, at := range sites {
		if len(g.StepsAt(at)) == 1 && !g.Returns(g.AfterStep(begins), at) && !g.Reaches(g.AfterStep(begins), g.BeforeStep(begins), at, -1) {
			return pta.Site{Inst: call.Inst, At: at}, true
		}
	}
	return by, false
}

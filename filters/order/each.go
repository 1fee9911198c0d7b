package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a loop that waits for each element of a list:
//
//	var fs []*future
//	for i := range n {
//		fs = append(fs, start(func() { out[i] = f(i) }))
//	}
//	for _, f := range fs {
//		<-f.done
//	}
//
// Each goroutine has a channel of its own, or a group, and tells by it that it is over. Which elements the list has is
// not followed: it is taken to have all whose names it has (soundness: whole-list). What is received from a channel until
// that is closed is such a list, if nobody else receives from it.

// eachAwaits decides for the edge on which a loop has come to all elements of what it goes over.
func (a *Analysis) eachAwaits(p place, loop int32, x *class) bool {
	if a.mayEndEach(p, loop, x) {
		return true
	}
	var told []*op
	for _, n := range a.elementOps(p.inst, p.f, loop) {
		if a.toldByEach(n, x) {
			told = append(told, n)
		}
	}
	return len(told) > 0 && (!p.f.Loops[loop].Drains || a.receivesAll(p, loop)) && a.eachRound(p, loop, func(q place, _ bool) bool {
		return slices.ContainsFunc(told, func(n *op) bool {
			if q.inst != n.inst || q.step != n.step {
				return false
			}
			return n.step >= 0 || slices.ContainsFunc(q.f.Blocks[q.block].Succs[q.edge].Events, func(ev flow.Event) bool {
				return ev.Kind == flow.CaseTaken && ev.Site == n.site && ev.Operand == n.k
			})
		})
	})
}

// receivesAll reports whether a loop that receives from a channel until that is closed and empty is the only one to do so:
// what others take out of the channel they may not wait for.
func (a *Analysis) receivesAll(p place, loop int32) bool {
	for _, o := range a.opsIn(p.inst) {
		if o.kind == opRecv && a.blockOf(o) == p.f.Loops[loop].Header {
			others := a.matching(o.locs, func(n *op) bool { return n.kind == opRecv && n != o })
			return len(others) == 0 && !slices.ContainsFunc(o.locs, a.external)
		}
	}
	return false
}

// eachRound reports whether no round of a loop goes on to the next without one of some places.
func (a *Analysis) eachRound(p place, loop int32, waits func(q place, crossed bool) bool) bool {
	l := &p.f.Loops[loop]
	w := a.newWalk()
	w.within = p.inst
	w.avoid = waits
	for k := range p.f.Blocks[l.Header].Succs {
		if e := &p.f.Blocks[l.Header].Succs[k]; !e.Dead && l.Has(e.To) {
			w.from(p.inst, p.f.First(e.To))
		}
	}
	return !w.run().reaches(p.inst, p.f.Blocks[l.Header].First)
}

// A frameLoop is a loop of a frame.
type frameLoop struct {
	inst pta.InstID
	loop int32
}

// elementOps lists the operations by which rounds of a loop wait for something that the round's element has: its own, and
// those of what it passes the element to.
func (a *Analysis) elementOps(i pta.InstID, f *flow.Func, loop int32) []*op {
	l := &f.Loops[loop]
	if len(l.Each) == 0 {
		return nil
	}
	k := frameLoop{i, loop}
	if out, ok := a.ofElements[k]; ok {
		return out
	}
	var out []*op
	useful := func(o *op) bool { return isWait(o) && a.isUseful(o) && !slices.ContainsFunc(o.locs, a.external) }
	for _, o := range a.opsIn(i) {
		if useful(o) && l.Has(a.blockOf(o)) && hasElement(f, l, o.path) {
			out = append(out, o)
		}
	}
	type param struct {
		inst pta.InstID
		k    int
	}
	passed := make(map[param]bool) // whether all calls in the loop pass it
	var params []param             // those that some pass, in the order in which they are found
	pass := func(c pta.InstID, k int, is bool) {
		known, ok := passed[param{c, k}]
		if !ok && is {
			params = append(params, param{c, k})
		}
		passed[param{c, k}] = is && (known || !ok)
	}
	for _, b := range l.Blocks {
		for s := f.Blocks[b].Lo; s < f.Blocks[b].Hi; s++ {
			a.passedOn(i, f, s, func(c pta.InstID, k int, path flow.Path) { pass(c, k, hasElement(f, l, path)) })
		}
	}
	for n := 0; n < len(params) && n < maxElementParams; n++ {
		x := params[n]
		g := a.w.Flow(x.inst)
		if g == nil || !passed[x] {
			continue
		}
		root := flow.ParamPath(x.k).Root
		for _, o := range a.opsIn(x.inst) {
			if useful(o) && o.path.Root == root {
				out = append(out, o)
			}
		}
		for s := range g.Steps {
			a.passedOn(x.inst, g, int32(s), func(c pta.InstID, k int, path flow.Path) {
				if path.Root == root {
					pass(c, k, true)
				}
			})
		}
	}
	if a.ofElements == nil {
		a.ofElements = make(map[frameLoop][]*op)
	}
	a.ofElements[k] = out
	return out
}

// maxElementParams bounds the parameters by which a loop's element is followed down.
const maxElementParams = 8

// passedOn calls do for what a step, a call, passes to functions that synchronise.
func (a *Analysis) passedOn(i pta.InstID, f *flow.Func, s int32, do func(c pta.InstID, k int, path flow.Path)) {
	st := &f.Steps[s]
	if st.Kind != flow.Call || st.Body >= 0 {
		return
	}
	for _, c := range a.in.Callees(i, f, s) {
		if !a.syncful.Has(c) {
			continue
		}
		for k, arg := range st.Args {
			do(c, k, f.Path(arg))
		}
	}
}

// hasElement reports whether a path leads to what an element of a loop has.
func hasElement(f *flow.Func, l *flow.Loop, path flow.Path) bool {
	return path.Known() && slices.ContainsFunc(l.Each, func(id flow.PathID) bool {
		e := f.Path(id)
		rest, ok := strings.CutPrefix(path.Sels, e.Sels)
		return ok && path.Root == e.Root && (rest == "" || strings.ContainsRune(".[*~", rune(rest[0])))
	})
}

// toldByEach reports whether n, an operation on one of many channels or groups, waits for x where it is one of that
// x's own goroutine tells by.
func (a *Analysis) toldByEach(n *op, x *class) bool {
	m := a.meaningOf(n)
	if len(m.locs) == 1 && !a.w.Object(m.locs[0]).Many && !indexed(a.w.Object(m.locs[0]).Field) {
		return false
	}
	if n.kind != opRecv {
		return slices.ContainsFunc(a.matching(m.locs, func(*op) bool { return true }), func(r *op) bool {
			return ends(r) && a.overByDone(x, r, ends) || r.joins && a.bodiesOver(r, x)
		})
	}
	rs := a.matching(m.locs, func(o *op) bool {
		return isTell(o) && (x.side == model.Main || a.w.Thread(o.inst) != other(x.side))
	})
	return a.overAny(x, rs) && !slices.ContainsFunc(rs, func(r *op) bool { return !a.over(x, r) && a.mayPrecede(r, n) })
}

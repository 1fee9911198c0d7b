package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file takes what comes out of a pool for new: where a thread gets an
// object, lends it to goroutines, joins them and puts the object back, all
// happens in one tenure, as if the Get had made the object. Whether the old
// owner has really let go of it is looked at as far as paths tell, and so what
// only this removes is kept with low confidence (soundness: tenure).

// asNew is a world in which Get makes what it yields.
type asNew struct {
	World
	a *Analysis // of the world as it is
}

// Object says of what a pool's New makes that it is made where Get asks for it.
func (w *asNew) Object(l pta.Loc) pta.ObjectInfo {
	x := w.World.Object(l)
	if x.Alloc.Inst >= 0 {
		if callers := w.World.Callers(x.Alloc.Inst); len(callers) == 1 && w.a.gotFrom(callers[0]) != nil {
			x.Alloc = callers[0]
		}
	}
	return x
}

// Operand leaves out the objects of other Gets where a path leads to one.
func (w *asNew) Operand(i pta.InstID, at ssair.Instr, k int) []pta.Loc {
	all := w.a.asRenamed(slices.Clone(w.World.Operand(i, at, k)))
	f := w.World.Flow(i)
	if f == nil {
		return all
	}
	steps := f.StepsAt(at)
	if len(steps) == 0 || k >= len(f.Steps[steps[0]].Args) {
		return all
	}
	got, ok := w.a.got(i, f.Path(f.Steps[steps[0]].Args[k]).Base())
	if !ok {
		return all
	}
	// A path down into a call of the spawner leads to any copy.
	exact := w.World.Thread(i) != model.Main || w.a.inside(i, got.Inst)
	var out []pta.Loc
	for _, l := range all {
		s := w.Object(l).Alloc
		if s == got || !exact && s.At == got.At && w.a.copyOf(s.Inst) == w.a.copyOf(got.Inst) {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// maxInside bounds the calls between an instance and one that runs it.
const maxInside = 8

// inside reports whether an instance is run by another one, the one itself among them.
func (a *Analysis) inside(i, by pta.InstID) bool {
	for range maxInside {
		if i == by {
			return true
		}
		callers := a.in.Callers(i)
		if len(callers) != 1 {
			return false
		}
		i = callers[0].Inst
	}
	return false
}

// atOneTenure reports whether both accesses of r go to what one Get yields, and
// cannot overlap if that is new memory each time.
func (a *Analysis) atOneTenure(r *model.Race) bool {
	if a.tenured || r.Other != nil || len(a.poolOps()) == 0 {
		return false
	}
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	gx, okx := a.gotAt(x)
	gy, oky := a.gotAt(y)
	if !okx || !oky || gx != gy || a.overlapAsNew(r) {
		return false
	}
	b := a.newWorld
	return b.overAtPuts(x, gx) && b.overAtPuts(y, gx)
}

// overlapAsNew reports whether the accesses of r may overlap if each Get yields new memory.
func (a *Analysis) overlapAsNew(r *model.Race) bool {
	if a.newWorld == nil {
		a.newWorld = newAnalysis(&asNew{a.w, a}, a.locksets, a.set, true)
	}
	b := a.newWorld
	b.fuel = min(b.fuel, a.fuel)
	return b.judge(r).overlap
}

// gotByEach reports whether each access of r goes to what a Get yields, by two Gets or by two of
// one place: they meet only if an object is put back that its last user still has. Who starts a
// goroutine with it and waits for it before the Put does not do that.
func (a *Analysis) gotByEach(r *model.Race) bool {
	if a.tenured || len(a.poolOps()) == 0 {
		return false
	}
	x, okx := a.gotAt(a.accessOf(r.A))
	y, oky := a.gotAt(a.accessOf(r.B))
	return okx && oky && (x != y || r.Other == nil && !a.overlapAsNew(r) && a.newWorld.fuel >= 0)
}

// gotAt returns the Get that yields the object which x touches.
func (a *Analysis) gotAt(x access) (pta.Site, bool) {
	if a.w.Flow(x.inst) == nil {
		return noSite, false
	}
	s, ok := a.got(x.inst, a.addr(x).Base())
	s.Inst = a.copyOf(s.Inst)
	return s, ok
}

// got returns the Get that a path of an instance is rooted in.
func (a *Analysis) got(i pta.InstID, p flow.Path) (pta.Site, bool) {
	j, q, ok := a.origin(i, p, 0)
	if !ok || q.Loads() {
		return noSite, false
	}
	at, _ := q.Made()
	s := pta.Site{Inst: j, At: at}
	return s, a.gotFrom(s) != nil
}

// overAtPuts reports whether x, to what the Get at a site yields, is over
// whenever that may be put back.
func (a *Analysis) overAtPuts(x access, get pta.Site) bool {
	x.own, x.birth = get, get
	g := a.gotFrom(get)
	for _, o := range a.handedOver(g) {
		if s, ok := a.got(o.inst, o.value); ok && (s.At != get.At || a.copyOf(s.Inst) != get.Inst) {
			continue // what another Get has yielded
		}
		if a.givenTwice(o) {
			return false
		}
		// Not after it with no Get between, in its own thread or one that is
		// started then.
		w := a.newWalk()
		w.birth, w.spawns = get, true
		if w.startAfter(o).run().reaches(x.inst, x.at) {
			return false
		}
		if a.sameThread(o.inst, x.inst) {
			continue
		}
		c := a.classOf(x)
		a.solve(c)
		if !a.startsAll(o, c.threads) && !a.over(c, o) || c.outward.reachesOp(o) {
			return false
		}
	}
	return true
}

// startsAll reports whether the thread that does o has started all of some
// threads, directly or not.
func (a *Analysis) startsAll(o *op, threads []pta.InstID) bool {
	t, ok := a.sole(o.inst)
	for _, u := range threads {
		ok = ok && a.startedBy(u, t)
	}
	return ok && len(threads) > 0
}

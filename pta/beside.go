package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// This file pairs what an iteration does with what runs beside the loop: Main,
// and the iterations of other loops.

// pairMain pairs alpha's accesses with those of everything that is not the
// loop's own iterations. Which of them really run beside the body is for the
// order stage to say.
func (r *Result) pairMain(p *pairing, alpha *accessTable) {
	v := p.v
	ov := v.ov
	byBase := newAccessTable()
	for _, l := range alpha.locs {
		c := v.canonical(l)
		if c >= ov.first {
			continue // made by an iteration, and the base has never seen it
		}
		if !r.base.shared(ov.base.ownerOf(c)) {
			continue
		}
		u := byBase.at(c)
		u.writes = append(u.writes, alpha.byLoc[l].writes...)
		u.reads = append(u.reads, alpha.byLoc[l].reads...)
	}
	if len(byBase.locs) == 0 {
		return
	}
	pl := r.base.loops[v.loop]
	scope := v.scope()
	// What the spawner does in the loop is solved again in the overlay.
	for _, id := range ov.reruns {
		in := ov.inst(id)
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if !in.spawner.reruns(a.Loop) {
				continue
			}
			ov.locations(in, a, func(loc int32) {
				c := v.canonical(loc)
				if c >= ov.first {
					return
				}
				bs := new(uses)
				bs.add(use{c, accRef{id, int32(k)}}, a.Flags&FlagWrite != 0)
				ov.base.overlapping(c, func(l int32) {
					if as := byBase.byLoc[l]; as != nil {
						p.meet(as, bs, model.Main)
					}
				})
			})
		}
	}
	mainTable := r.baseTable()
	region := p.region
	p.dist = region.distance
	defer func() { p.dist = nil }()
	// Whether an instance runs beside the loop at all is asked of few instances
	// and very often.
	runs := make(map[InstID]bool)
	mayRun := func(id InstID) bool {
		yes, ok := runs[id]
		if !ok {
			yes = region.touches(id) && (!r.cfg.Sure || region.distance(id) <= maxNear) && r.runsBeside(v.loop, id, scope)
			runs[id] = yes
		}
		return yes
	}
	for _, l := range slices.Sorted(slices.Values(byBase.locs)) {
		as := byBase.byLoc[l]
		if r.cfg.Sure {
			as = as.filter(func(u use) bool { return p.maySurely(u, 0) })
		}
		if len(as.writes)+len(as.reads) == 0 {
			continue
		}
		var bs uses
		ov.base.overlapping(l, func(loc int32) {
			mainTable.at(loc, len(as.writes) > 0, func(b accRef, write bool) {
				if !mayRun(b.inst) {
					return
				}
				a := &ov.base.inst(b.inst).fn.Accesses[b.idx]
				if pl.split >= 0 && a.Loop == pl.split && ov.isSpawner(b.inst) || !region.has(b.inst, a.At) {
					return
				}
				bs.add(use{loc, b}, write)
			})
		})
		p.meet(as, &bs, model.Main)
	}
}

// baseTable returns the accesses of the base by location.
func (r *Result) baseTable() *baseTable {
	if r.mainTable == nil {
		r.mainTable = newBaseTable(r.base.s)
	}
	return r.mainTable
}

// maySurely reports whether some pair of a use of alpha with Main's, at least so
// many calls from the spawner, may rest on no assumption. It is what confidence
// says without a look at the other side, and spares forming the rest.
func (p *pairing) maySurely(u use, dist int) bool {
	oid := p.v.ov.ownerOf(u.loc)
	near := !p.v.ov.manyObject(oid) && p.depth[u.inst]+dist <= maxNear
	return (near || p.fromSpawner(oid, u.accRef)) && p.v.access(u.accRef).Flags&FlagInit == 0
}

// runsBeside reports whether an instance of the base may run beside a loop's
// iterations: it runs in the spawner's thread, from the same root.
func (r *Result) runsBeside(loop int, id InstID, scope *scope) bool {
	s := r.base.s
	first := r.base.loops[loop].spawners[0]
	own := s.inst(first).ctx.tag
	if s.inst(id).ctx.tag != own || !scope.in[id] {
		return false
	}
	// A loop inside another's iteration has that iteration for its Main.
	return own == tagMain || r.base.reach[id].Intersects(&r.base.reach[first])
}

// pairLoops pairs alpha's accesses with those of iterations of the loops that
// were solved before.
func (r *Result) pairLoops(p *pairing, alpha *accessTable) {
	v := p.v
	mine := newAccessTable()
	others := r.otherLoops(v, p.region)
	for _, l := range alpha.locs {
		c := v.canonical(l)
		if c >= v.ov.first || !r.base.shared(v.ov.base.ownerOf(c)) {
			continue
		}
		as := alpha.byLoc[l]
		here := mine.at(c)
		for _, list := range [][]use{as.writes, as.reads} {
			for _, a := range list {
				if b, ok := v.baseInst(a.inst); ok {
					here.add(use{c, accRef{b, a.idx}}, v.access(a.accRef).Flags&FlagWrite != 0)
				}
			}
		}
		for _, o := range others {
			p.other, p.dist = r.Loops[o.loop], func(InstID) int { return o.dist }
			v.ov.base.overlapping(c, func(x int32) {
				bs := r.tables[o.loop].at(x)
				switch {
				case bs == nil:
				case r.cfg.Sure:
					p.meet(as.filter(func(u use) bool { return p.maySurely(u, o.dist) }), bs, model.Main)
				case o.dist > maxNear:
					// All of it is graded assumed: a few stand for the rest.
					p.meet(as.first(maxFar), bs.first(maxFar), model.Main)
				default:
					p.meet(as, bs, model.Main)
				}
			})
			p.other, p.dist = nil, nil
		}
	}
	r.finished(v.loop, mine)
}

// finished keeps the table of a loop for as long as there are loops to come
// that it may run beside.
func (r *Result) finished(loop int, mine *accessTable) {
	if r.beside == nil {
		r.beside = make([]int, len(r.Loops))
		for i := range r.Loops {
			for _, o := range r.inScope(i) {
				r.beside[o]++
			}
		}
	}
	for _, o := range r.inScope(loop) {
		if r.beside[o]--; r.beside[o] == 0 {
			r.tables[o] = nil
		}
	}
	if r.beside[loop] > 0 {
		r.tables[loop] = mine.pack()
	}
}

// inScope lists the other loops that have a spawner in the scope of a loop.
func (r *Result) inScope(loop int) []int {
	scope := r.scopeOf(loop)
	var out []int
	for i, pl := range r.base.loops {
		if _, ok := scope.first(pl.spawners); ok && i != loop {
			out = append(out, i)
		}
	}
	return out
}

// An otherLoop is a loop that may run beside the one at hand, and how far away
// its iterations are: as far as its spawner.
type otherLoop struct{ loop, dist int }

// otherLoops lists the loops solved before that may run beside a view's.
func (r *Result) otherLoops(v *View, region *region) []otherLoop {
	scope := v.scope()
	var out []otherLoop
	for i, t := range r.tables {
		if t == nil || i == v.loop {
			continue
		}
		spawner, ok := scope.first(r.base.loops[i].spawners)
		if !ok {
			continue
		}
		if d := region.distance(spawner); d <= maxNear || !r.cfg.Sure {
			out = append(out, otherLoop{i, d})
		}
	}
	return out
}

// baseInst returns the base's instance of an overlay instance.
func (v *View) baseInst(id InstID) (InstID, bool) {
	if id < v.ov.firstInst {
		return id, true
	}
	in := v.ov.inst(id)
	if in.spawner != nil {
		return in.spawner.base, true
	}
	ctx := in.ctx
	if main := v.ov.base.inst(v.ov.spawners[0]).ctx.tag; main != tagMain && ctx.tag != tagMain {
		ctx.tag = main
	}
	b, ok := v.ov.base.byCtx[instKey{in.fn.ID, ctx}]
	return b, ok
}

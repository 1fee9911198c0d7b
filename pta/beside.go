package pta

import (
	"cmp"
	"slices"
	"sync"

	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/model"
)

// This file pairs what an iteration does with what runs beside the loop: Main,
// and the iterations of other loops.

// A meeting is a location of the base that alpha touches, by whatever name, and
// others may touch.
type meeting struct {
	loc  int32 // the base's name
	as   *uses
	made bool // the iteration has made the object itself
}

// sharedWith lists the locations that alpha touches and that others may touch,
// in the order of alpha's table.
func (r *Result) sharedWith(v *View, alpha *accessTable) []meeting {
	var out []meeting
	in := v.scope().sharing
	for i, l := range alpha.locs {
		c := v.canonical(l)
		if c >= v.ov.first || !r.base.isShared(in, c) || !v.ov.there(v.ov.ownerOf(c)) {
			continue // made by an iteration, and the base has never seen it
		}
		if made, left := r.madeByTest(c); made && !left {
			continue
		}
		out = append(out, meeting{c, &alpha.list[i], l >= v.ov.first && v.ov.madeBy(l) == tagA})
	}
	return out
}

// byBase merges what has one name in the base, in the order of the first of each, and
// says where a location stands, plus one.
func byBase(shared []meeting) (merged []meeting, index pages.Table[int32, int32]) {
	for _, m := range shared {
		i := index.At(m.loc)
		if *i == 0 {
			merged = append(merged, m)
			*i = int32(len(merged))
			continue
		}
		as := merged[*i-1].as
		merged[*i-1].as = &uses{writes: slices.Concat(as.writes, m.as.writes), reads: slices.Concat(as.reads, m.as.reads)}
	}
	return merged, index
}

// pairMain pairs alpha's accesses with those of everything that is not the
// loop's own iterations. Which of them really run beside the body is for the
// order stage to say.
func (r *Result) pairMain(p *pairing, shared []meeting) {
	v := p.v
	ov := v.ov
	merged, index := byBase(shared)
	if len(merged) == 0 {
		return
	}
	pl := r.base.loops[v.loop]
	scope := v.scope()
	// What the spawner does in the loop is solved again in the overlay, and so is
	// what it calls there that starts the iterations.
	again := ov.mainDepths()
	hops := sync.OnceValue(ov.mainHops)
	p.dist, p.hopDist = again.of, func(id InstID) int { return hops().of(id) }
	sure := make([]*uses, len(merged)) // what may rest on no assumption, by number of the meeting
	told := func(i int, flags uint32) *uses {
		if !r.cfg.Sure || flags&FlagSpent != 0 {
			return merged[i].as // see handedOn
		}
		if sure[i] == nil {
			sure[i] = merged[i].as.filter(func(u use) bool {
				return p.v.access(u.accRef).Flags&FlagSpent != 0 || p.mayBeLentTwice(u.loc) || p.maySurely(u, 0)
			})
		}
		return sure[i]
	}
	var locs []int32
	for _, id := range ov.inOrder() {
		in := ov.inst(id)
		if !again.known(id) || r.cfg.Sure && again.of(id) > maxGuarded {
			continue
		}
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if in.spawner != nil && !in.spawner.reruns(a.Loop) {
				continue
			}
			locs = locs[:0]
			ov.locations(in, a, func(loc int32) {
				c := v.canonical(loc)
				if c >= ov.first {
					return
				}
				met := false
				ov.base.overlapping(c, func(l int32) { met = met || index.Get(l) > 0 })
				if met {
					locs = append(locs, c)
				}
			})
			slices.SortStableFunc(locs, ov.compareLocations) // what the bounds on pairs keep must not hang on the solver
			for _, c := range locs {
				bs := new(uses)
				bs.add(use{c, accRef{id, int32(k)}}, a.Flags&FlagWrite != 0)
				ov.base.overlapping(c, func(l int32) {
					if i := index.Get(l); i > 0 {
						if as := told(int(i-1), a.Flags); as.meets(bs) {
							p.meet(as, bs, model.Main)
						}
					}
				})
			}
		}
	}
	region := p.region
	p.dist, p.hopDist = region.distance, region.hops
	defer func() { p.dist, p.hopDist = nil, nil }()
	// Whether an instance runs beside the loop at all is asked of few instances
	// and very often.
	runs := make(map[InstID]bool)
	mayRun := func(id InstID) bool {
		yes, ok := runs[id]
		if !ok {
			d := region.distance(id)
			yes = d < far && (!r.cfg.Sure || d <= maxGuarded) && r.runsBeside(v.loop, id, scope)
			runs[id] = yes
		}
		return yes
	}
	rank := r.rankOf()
	byInstance := func(x, y use) int { return cmp.Or(cmp.Compare(rank[x.inst], rank[y.inst]), cmp.Compare(x.idx, y.idx)) }
	beside := newSelection(func(b accRef) bool {
		if !mayRun(b.inst) {
			return false
		}
		a := &ov.base.inst(b.inst).fn.Accesses[b.idx]
		return !(r.cfg.Sure && a.Flags&FlagInit != 0) && !(pl.split >= 0 && a.Loop == pl.split && ov.isSpawner(b.inst)) && region.has(b.inst, a.At)
	})
	for _, m := range merged {
		l, as := m.loc, m.as
		if r.cfg.Sure {
			as = as.filter(func(u use) bool { return p.maySurely(u, 0) })
		}
		if len(as.writes)+len(as.reads) == 0 {
			continue
		}
		var bs uses
		ov.base.overlapping(l, func(loc int32) {
			r.baseTable().at(loc, len(as.writes) > 0, beside, func(b accRef, write bool) { bs.add(use{loc, b}, write) })
		})
		slices.SortStableFunc(bs.writes, byInstance)
		slices.SortStableFunc(bs.reads, byInstance)
		p.meet(as, &bs, model.Main)
	}
}

// rankOf returns the places that instances of the base have in the order of compareInstances. Where a hundred
// thousand of them touch what iterations share, comparing them anew for each location was 38 of 252 s of samples.
func (r *Result) rankOf() []int32 {
	r.onces.ranks.Do(func() {
		s := r.base.s
		ids := make([]InstID, len(s.insts))
		for i := range ids {
			ids[i] = InstID(i)
		}
		slices.SortFunc(ids, s.compareInstances)
		r.ranks = make([]int32, len(ids))
		for n, id := range ids {
			r.ranks[id] = int32(n)
		}
	})
	return r.ranks
}

// baseTable returns the accesses of the base by location.
func (r *Result) baseTable() *baseTable {
	r.onces.main.Do(func() { r.mainTable = newBaseTable(r.base.s) })
	return r.mainTable
}

// maySurely reports whether some pair of a use of alpha with Main's, at least so
// many calls from the spawner, may rest on no assumption. It is what confidence
// says without a look at the other side, and spares forming the rest.
func (p *pairing) maySurely(u use, dist int) bool {
	x := p.v.access(u.accRef)
	if x.Flags&FlagInit != 0 {
		return false
	}
	o := p.ownedAt(u.loc)
	near := p.hops.of(u.inst)+dist <= maxGuarded
	switch {
	case o.spawners && x.Root.outer():
		return true
	case !near:
		return false
	case !o.many || o.lent || o.round:
		return true
	}
	return p.mayMeetUp(u) || p.mayBeOfOneFrame(u) // as it does where variableOf knows a variable
}

// An owned is what maySurely asks of the object at a location: the same for all uses,
// of which there may be hundreds.
type owned struct {
	loc                  int32
	spawners, many, lent bool
	round                bool // see sharedArgument
}

// ownedAt remembers the last answer.
func (p *pairing) ownedAt(loc int32) owned {
	if p.owned == nil || p.owned.loc != loc {
		oid := p.v.ov.ownerOf(loc)
		p.owned = &owned{
			loc: loc, spawners: p.spawnersVariable(oid), many: p.v.ov.manyObject(oid), lent: p.lent(loc)&^lentOnce != 0 || p.mayBeLentTwice(loc),
			round: p.ofStartersRound(p.v.ov.ownerOf(p.v.canonical(loc))),
		}
	}
	return *p.owned
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
func (r *Result) pairLoops(p *pairing, shared []meeting) {
	for _, h := range r.hits(p, shared) {
		o := p.others[h.other]
		as, bs := shared[h.shared].as, o.table.at(h.at, shared[h.shared].made && o.apart)
		p.other, p.by, p.dist = r.Loops[o.loop], o.loop, func(InstID) int { return o.dist }
		switch {
		case r.cfg.Sure:
			p.meet(as.filter(func(u use) bool { return p.maySurely(u, o.dist) }), bs, model.Main)
		case o.dist > maxGuarded:
			// All of it is graded assumed: a few stand for the rest.
			p.meet(as.first(maxFar), bs.first(maxFar), model.Main)
		default:
			p.meet(as, bs, model.Main)
		}
		p.other, p.dist = nil, nil
	}
}

// A hit is a location that alpha and an iteration of another loop touch.
type hit struct{ shared, other, seq, at int }

// hits finds, for the locations that alpha shares, where they and what overlaps
// them stand in the tables of other loops, one of the two writing. Both are
// sorted: looking each location up in each table took five times as long.
func (r *Result) hits(p *pairing, shared []meeting) []hit {
	type place struct {
		loc         int32
		shared, seq int
	}
	var places []place
	if len(p.others) > 0 {
		for i, m := range shared {
			if r.cfg.Sure && !m.as.any(func(u use) bool { return p.maySurely(u, 0) }) {
				continue
			}
			seq := 0
			p.v.ov.base.overlapping(m.loc, func(x int32) {
				places = append(places, place{x, i, seq})
				seq++
			})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.loc, b.loc) })
	var out []hit
	for k, o := range p.others {
		t, at := o.table, 0
		for _, x := range places {
			at += t.skipTo(at, x.loc)
			if at == len(t.locs) {
				break
			}
			as := shared[x.shared].as
			if t.locs[at] == x.loc && (t.written(at) || t.read(at) && len(as.writes) > 0) {
				out = append(out, hit{x.shared, k, x.seq, at})
			}
		}
	}
	slices.SortFunc(out, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.shared, b.shared), cmp.Compare(a.other, b.other), cmp.Compare(a.seq, b.seq))
	})
	return out
}

// settle makes the table of a loop, if there are loops to come that it may run
// beside.
func (r *Result) settle(v *View, shared []meeting, region *region) {
	r.onces.beside.Do(func() {
		r.beside = make([]int, len(r.Loops))
		for i := range r.Loops {
			for _, o := range r.inScope(i) {
				r.beside[o]++
			}
		}
	})
	r.mu.Lock()
	wanted := r.beside[v.loop] > 0
	r.mu.Unlock()
	if wanted { // it can only be wanted less while it is made
		t := v.packed(shared)
		t.near = make(map[int]int)
		for i := range r.base.loops {
			for _, s := range r.base.loops[i].spawners {
				if d := region.distance(s); d <= maxGuarded {
					if old, ok := t.near[i]; !ok || d < old {
						t.near[i] = d
					}
				}
			}
		}
		r.mu.Lock()
		if r.beside[v.loop] > 0 {
			r.tables[v.loop] = t
		}
		r.mu.Unlock()
	}
	r.turns.settle(r.turns.rank[v.loop])
}

// finished drops the tables that no loop to come runs beside.
func (r *Result) finished(loop int) {
	others := r.inScope(loop)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range others {
		if r.beside[o]--; r.beside[o] == 0 {
			r.tables[o] = nil
		}
	}
}

// packed makes the table of what an iteration shares, in the base's names.
func (v *View) packed(shared []meeting) *loopTable {
	const unknown = -2
	ids := make([]InstID, len(v.ov.insts))
	for i := range ids {
		ids[i] = unknown
	}
	mine := newAccessTable()
	for _, m := range shared {
		for _, list := range [][]use{m.as.writes, m.as.reads} {
			for _, a := range list {
				id := &ids[a.inst-v.ov.firstInst]
				if *id == unknown {
					*id = -1
					if b, ok := v.baseInst(a.inst); ok {
						*id = b
					}
				}
				if *id < 0 {
					continue
				}
				ref := accRef{*id, a.idx}
				if m.made {
					ref.idx |= madeHere
				}
				mine.add(m.loc, ref, v.access(a.accRef).Flags&FlagWrite != 0)
			}
		}
	}
	v.addBelow(mine)
	return mine.seal().pack()
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
type otherLoop struct {
	loop, dist int
	table      *loopTable
	apart      bool // neither loop's iterations start the other
}

// apart reports whether no iteration of either of two loops starts iterations of the
// other. Then what those of the one have made is nothing that those of the other have
// made, though one function may have done so for both.
func (r *baseResult) apart(a, b int) bool {
	starts := func(x, y int) bool {
		return slices.ContainsFunc(r.loops[y].everywhere, func(id InstID) bool { return r.reaches(id, x) })
	}
	return a != b && !starts(a, b) && !starts(b, a)
}

// otherLoops lists the loops before a view's in the order that may run beside it.
func (r *Result) otherLoops(v *View, region *region) []otherLoop {
	scope := v.scope()
	var out []otherLoop
	r.mu.RLock()
	tables := slices.Clone(r.tables)
	r.mu.RUnlock()
	for i, t := range tables {
		if t == nil || r.turns.rank[i] >= r.turns.rank[v.loop] || !r.tells(i) && !r.tells(v.loop) {
			continue
		}
		if (r.base.loops[i].sibling || r.base.loops[v.loop].sibling) && !r.base.siblings(i, v.loop) {
			continue
		}
		spawner, ok := scope.first(r.base.loops[i].spawners)
		if !ok {
			continue
		}
		// Either may have been started first, by a call of the other's spawner.
		d := region.distance(spawner)
		if back, ok := t.near[v.loop]; ok {
			d = min(d, back)
		}
		if d <= maxGuarded || !r.cfg.Sure {
			out = append(out, otherLoop{i, d, t, r.base.apart(v.loop, i)})
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
	b, ok := v.ov.base.byCtx[instKey{in.fn.ID, v.ov.baseContext(in.ctx)}]
	return b, ok
}

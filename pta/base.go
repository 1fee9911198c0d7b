package pta

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/scc"
	"github.com/iterace/iterace/internal/ssair"
)

// A parLoop is a parallel loop, or a single spawn, of the solved program: a
// loop of a function, with the instances that run it.
type parLoop struct {
	fn         *Func
	split      int8 // -1 for a single spawn
	spawn      int8 // index into fn.Spawns: the first of the loop's
	at         ssair.Instr
	site       int32 // of a helper that is cloned per call
	joinBit    uint32
	spawners   []InstID
	everywhere []InstID // all that spawn it: spawners are those of one thread
	wrapped    bool     // the goroutine is started by a wrapper that the loop calls
	sibling    bool     // see siblings
	nested     bool     // the same, and meets what its starter does, who is a goroutine of that round
}

// baseResult is the frozen base and what is derived from it.
type baseResult struct {
	s       *solver
	loops   []*parLoop
	reach   []bitset.Set           // by instance: loops whose iterations run it
	onces   []uint8                // by instance: 0 not asked, 1 in progress or no, 2 yes
	sides   []uint8                // by object
	manies  []uint8                // by object: 0 not asked, 1 no, 2 yes
	shared  *sharing               // in all programs together
	cones   []cone                 // by loop
	counts  []int                  // by loop: the instances that its iterations run
	ways    int                    // each loop's share of maxBelow
	crowded bool                   // some loop needs more than that
	first   []cone                 // by loop: before any has turned out to be too large; a cone only loses functions
	calls   callLists              // what instances call and start
	fns     []FuncID               // what they run
	thread  threadCalls            // what they call
	outer   outerUses              // found when a cone is cut
	lapses  lapses                 // the same
	puts    map[InstID]*bitset.Set // by body of a goroutine: what it may put back into a pool
	homes   homes
}

// once reports whether an instance runs at most once in a run of its root.
func (r *baseResult) once(id InstID) bool {
	if r.onces[id] != 0 {
		return r.onces[id] == 2
	}
	r.onces[id] = 1 // recursion runs more than once
	in := r.s.inst(id)
	yes := false
	switch {
	case in.fn.initialises():
		yes = true // of a package, which is initialised once, whoever imports it
	case in.root:
		yes = len(in.callers) == 0
	case len(in.callers) == 1:
		c, once := r.calledOnce(id)
		yes = once && r.once(c.Inst)
	}
	if yes {
		r.onces[id] = 2
	}
	return yes
}

// many reports whether an object may stand for several concrete ones.
func (r *baseResult) many(oid int32) bool {
	if r.manies[oid] == 0 {
		r.manies[oid] = 1
		o := r.s.object(oid)
		many := false
		switch o.kind {
		case objAlloc:
			in := r.s.inst(o.inst)
			// Every iteration of another loop makes one.
			many = in.ctx.tag != tagMain && !r.startedOnce(o.inst) || in.fn.Allocs[o.alloc].InLoop || !r.once(o.inst)
		case objSym:
			// Behind an element or a map there are as many as there are elements.
			if o.several() || o.folded {
				many = true
			}
			for up := o.parent; up >= 0 && !many; {
				p := r.s.object(r.s.ownerOf(up))
				many = p.several() || p.layout.HasArray && r.s.leafAt(up).PartSize > 0 || p.lkind == LeafMap || p.lkind == LeafChan
				up = p.parent
			}
		}
		if many {
			r.manies[oid] = 2
		}
	}
	return r.manies[oid] == 2
}

// startedOnce reports whether only spawns outside loops lead to an instance: it
// is then not an iteration, of which there are many.
func (r *baseResult) startedOnce(id InstID) bool {
	for l := range r.reach[id].All() {
		if pl := r.loops[l]; pl.split >= 0 || pl.spawn < 0 || pl.fn.Spawns[pl.spawn].Self {
			return false
		}
	}
	return true
}

// side returns the side that made a base object: that of the copy of the loop
// that allocates it, else of the thread, else of the copy that called its
// factory; 0 for none.
func (r *baseResult) side(oid int32) uint8 {
	if oid < 0 {
		return 0
	}
	o := r.s.object(oid)
	switch o.kind {
	case objSym:
		return o.side
	case objAlloc:
		in := r.s.inst(o.inst)
		if a := &in.fn.Allocs[o.alloc]; a.Side != 0 {
			return a.Side
		}
		if in.ctx.tag != tagMain {
			return in.ctx.tag
		}
		return in.ctx.fill
	}
	return 0
}

// reaches reports whether iterations of a loop run an instance.
func (r *baseResult) reaches(id InstID, loop int) bool {
	return id >= 0 && r.reach[id].Has(int32(loop))
}

// sidesOf returns the sides of a loop to which an instance of the base
// belongs. Inside another loop's iteration the base does not split: there both
// sides are one instance.
func (r *baseResult) sidesOf(in *instance, loop int) []uint8 {
	pl := r.loops[loop]
	if r.s.inst(pl.spawners[0]).ctx.tag == tagMain {
		return []uint8{in.ctx.tag}
	}
	if pl.split < 0 {
		return []uint8{tagA}
	}
	return []uint8{tagA, tagB}
}

// startsAnother reports whether a run of a function, or a round of its loop, may start another
// goroutine beside that of its i-th spawn.
func (f *Func) startsAnother(i int) bool {
	return slices.ContainsFunc(f.Spawns, func(y Spawn) bool { return f.inOneRound(&f.Spawns[i], &y) })
}

// inOneRound reports whether two spawns may both come about in one round of their loop, or in
// one run of the function outside loops.
func (f *Func) inOneRound(x, y *Spawn) bool {
	return f.Flow != nil && x.At != y.At && x.Split == y.Split && (f.Flow.InOneRound(x.At, y.At) || f.Flow.InOneRound(y.At, x.At))
}

// siblings reports whether two goroutines are started by one run of a function, or by one round of
// its loop. An iteration of a loop is all that a round starts. What two of these goroutines share
// that is the round's own, no pair of iterations has. So each goroutine of several stands for
// itself, too, and meets the others only: those that the same function starts (soundness:
// round-starts).
func (r *baseResult) siblings(a, b int) bool {
	x, y := r.loops[a], r.loops[b]
	return x.sibling && y.sibling && x.fn == y.fn && x.site == y.site && x.fn.inOneRound(&x.fn.Spawns[x.spawn], &y.fn.Spawns[y.spawn])
}

// twice reports whether what loop l does another loop does: that of whose rounds l is a sibling, or
// whose rounds start the sibling that is solved. What siblings do is part of another loop's
// iterations, for others than siblings.
func (r *baseResult) twice(l, solved int) bool {
	x, y := r.loops[l], r.loops[solved]
	if x.sibling {
		return !y.sibling
	}
	return y.sibling && x.fn == y.fn && x.site == y.site && x.split >= 0 && x.split == y.fn.Spawns[y.spawn].Split
}

// findLoops lists the parallel loops and single spawns of the application, in
// the order of functions, and what each reaches.
func (r *baseResult) findLoops(want func(in *instance) bool) {
	type key struct {
		fn    FuncID
		split int8
		at    ssair.Instr
		site  int32
	}
	type start struct {
		key
		parLoop
		by InstID
	}
	var siblings []start
	index := make(map[key]int)
	s := r.s
	for id := range s.insts {
		in := s.insts[id]
		if !want(in) {
			continue
		}
		site := int32(0)
		if in.fn.Helper || in.fn.Round && s.waitedFor(in) || in.fn.Looper || in.fn.begins() {
			site = in.ctx.site // each call brings a body of its own, or a goroutine beside the others
		}
		add := func(k key, pl parLoop) {
			i, ok := index[k]
			if !ok {
				i = len(r.loops)
				index[k] = i
				pl.site = site
				r.loops = append(r.loops, &pl)
			}
			r.loops[i].spawners = append(r.loops[i].spawners, InstID(id))
		}
		for si := range in.fn.Splits {
			sp := &in.fn.Splits[si]
			if !sp.Parallel {
				continue
			}
			pl := parLoop{fn: in.fn, split: int8(si), spawn: -1, at: ssair.NoInstr}
			for i := range in.fn.Spawns {
				if in.fn.Spawns[i].Split == int8(si) && pl.spawn < 0 && !s.shutByType(in, in.fn.Spawns[i].At) {
					pl.spawn, pl.at = int8(i), in.fn.Spawns[i].At
					if i < 32 {
						pl.joinBit = 1 << i
					}
				}
			}
			if pl.spawn < 0 {
				pl.wrapped = true
				for k := range in.fn.Calls {
					if c := &in.fn.Calls[k]; c.Loop == int8(si) && s.p.runsWrapper(c) && pl.at < 0 && !s.shutByType(in, c.At) {
						pl.at = c.At
					}
				}
				if pl.at < 0 && in.ctx.dyn != 0 {
					continue // it starts nothing for this type
				}
			}
			add(key{in.fn.ID, int8(si), -1, site}, pl)
		}
		for i := range in.fn.Spawns {
			sp := &in.fn.Spawns[i]
			if s.shutByType(in, sp.At) {
				continue
			}
			k, pl := key{in.fn.ID, -1, sp.At, site}, parLoop{fn: in.fn, split: -1, spawn: int8(i), at: sp.At}
			if sp.Split >= 0 || in.fn.Wrapper && in.ctx.fill != 0 {
				// It is part of its loop, or of the loop of the caller.
				pl.nested = sp.Split < 0 && in.ctx.tag != tagMain
				if in.fn.startsAnother(i) || pl.nested {
					pl.sibling = true
					siblings = append(siblings, start{k, pl, InstID(id)})
				}
				continue
			}
			add(k, pl)
		}
	}
	single := len(r.loops)
	for _, x := range siblings {
		// Where it is started by itself, too, all that it shares with others is looked at there.
		if i, ok := index[x.key]; !ok || i >= single {
			if !ok {
				i = len(r.loops)
				index[x.key] = i
				x.parLoop.site = x.key.site
				r.loops = append(r.loops, &x.parLoop)
			}
			r.loops[i].spawners = append(r.loops[i].spawners, x.by)
		}
	}
	// Functions and sites are numbered as the solver comes by; the order of
	// loops, which reports follow, and of the instances that spawn one, of which the first stands
	// for all here and there, must not depend on its strategy.
	for _, pl := range r.loops {
		slices.SortFunc(pl.spawners, s.compareInstances)
		pl.everywhere, pl.spawners = pl.spawners, r.preferMain(pl.spawners)
	}
	slices.SortStableFunc(r.loops, func(a, b *parLoop) int {
		return cmp.Or(a.fn.Pos.Compare(b.fn.Pos), cmp.Compare(a.fn.Name, b.fn.Name),
			cmp.Compare(a.split, b.split), cmp.Compare(a.at, b.at), s.compareSites(a.site, b.site))
	})
	r.computeReach()
}

// waitedFor reports whether the helper that ranges over what runs its round, an iterator, waits itself: else the
// goroutines of all its calls are beside each other, as those of one loop.
func (s *solver) waitedFor(round *instance) bool {
	return slices.ContainsFunc(round.callers, func(c Site) bool {
		return slices.ContainsFunc(s.inst(c.Inst).callers, func(c Site) bool { return s.inst(c.Inst).fn.waits() })
	})
}

// compareSites orders call sites by the functions they lie in.
func (s *solver) compareSites(a, b int32) int {
	for a != b && a > 0 && b > 0 {
		x, y := s.sites.infos[a].key, s.sites.infos[b].key
		f, g := s.p.Func(x.fn), s.p.Func(y.fn)
		if c := cmp.Or(f.Pos.Compare(g.Pos), cmp.Compare(f.Name, g.Name), cmp.Compare(x.at, y.at)); c != 0 {
			return c
		}
		a, b = x.outer, y.outer
	}
	return cmp.Compare(a, b)
}

// preferMain keeps the spawners that run as Main; if there is none, those of
// one side, since the other mirrors it.
func (r *baseResult) preferMain(ids []InstID) []InstID {
	for _, t := range []tag{tagMain, tagA, tagB} {
		var out []InstID
		for _, id := range ids {
			if r.s.inst(id).ctx.tag == t {
				out = append(out, id)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// computeReach finds, for every instance, the loops whose iterations run it.
func (r *baseResult) computeReach() {
	s := r.s
	r.reach = make([]bitset.Set, len(s.insts))
	r.onces = make([]uint8, len(s.insts))
	r.sides = make([]uint8, len(s.objects))
	r.manies = make([]uint8, len(s.objects))
	r.calls = s.callLists(func(*instance, int) bool { return true })
	r.fns = make([]FuncID, len(s.insts))
	for id, in := range s.insts {
		r.fns[id] = in.fn.ID
	}
	for i := range r.loops {
		r.bodies(i, func(id InstID) { r.reach[id].Add(int32(i)) })
	}
	r.calls.down(r.reach)
	r.puts = r.putsBySpawn()
	r.shared = r.findShared(nil)
	// All at once: loops that are solved at the same time ask.
	for id := range s.insts {
		r.once(InstID(id))
	}
	for oid := range s.objects {
		r.many(int32(oid))
	}
	r.findCones()
}

// callLists has what some calls of each instance run, each callee once, in one array: every
// loop goes through most of it.
type callLists struct {
	first []int32 // by instance
	to    []InstID

	// Found when down asks: the instances, those of each component side by side and after all
	// that they call, and where each component begins.
	order      []InstID
	components []int32
}

func (c *callLists) of(id InstID) []InstID { return c.to[c.first[id]:c.first[id+1]] }

// callLists lists what the calls run that are kept.
func (s *solver) callLists(keep func(in *instance, k int) bool) callLists {
	c := callLists{first: make([]int32, 1, len(s.insts)+1)}
	for _, in := range s.insts {
		from := len(c.to)
		for k := range in.fn.Calls {
			if len(in.callees[k]) == 0 || !keep(in, k) {
				continue
			}
			for _, e := range in.callees[k] {
				c.to = append(c.to, e.callee)
			}
		}
		c.to = c.to[:from+len(sortedUnique(c.to[from:]))]
		c.first = append(c.first, int32(len(c.to)))
	}
	return c
}

// down adds to the set of each instance those of all that call it, directly or not. Sets go
// from strongly connected component to component, callers first, and through each call once:
// along a worklist they took half the time of the base where a program has a thousand loops.
func (c *callLists) down(sets []bitset.Set) {
	if c.components == nil {
		f := scc.Finder[InstID]{
			Next: func(id InstID, visit func(InstID)) {
				for _, callee := range c.of(id) {
					visit(callee)
				}
			},
			Found: func(component []InstID, _ bool) {
				c.components = append(c.components, int32(len(c.order)))
				c.order = append(c.order, component...)
			},
		}
		for id := range sets {
			f.Visit(InstID(id))
		}
	}
	end := len(c.order)
	for _, begin := range slices.Backward(c.components) {
		component := c.order[begin:end]
		end = int(begin)
		all := &sets[component[0]]
		for _, id := range component[1:] {
			all.Union(&sets[id], nil)
		}
		if all.Empty() {
			continue
		}
		for _, id := range component[1:] {
			sets[id] = *all.Copy()
		}
		for _, id := range component {
			for _, callee := range c.of(id) {
				sets[callee].Union(all, nil)
			}
		}
	}
}

// startWrapped calls body for the goroutines that a wrapper starts, and through for itself and
// the wrappers that it calls.
func (r *baseResult) startWrapped(id InstID, through, body func(InstID), depth int) {
	through(id)
	in := r.s.inst(id)
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		for _, e := range in.callees[k] {
			if c.Mode == ModeSpawn {
				body(e.callee)
			} else if depth > 0 && r.s.p.runsWrapper(c) {
				r.startWrapped(e.callee, through, body, depth-1)
			}
		}
	}
}

// encloses reports whether a loop is spawned by iterations of another.
func (r *baseResult) encloses(outer, inner int) bool {
	for _, id := range r.loops[inner].spawners {
		if !r.reaches(id, outer) {
			return false
		}
	}
	return outer != inner
}

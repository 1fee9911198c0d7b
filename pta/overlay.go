package pta

import (
	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
)

// An overlay solves one parallel loop again, with an alpha and a beta of its
// own, on the frozen base. Run again are the copies of the loop's body in the
// functions that spawn it, and everything that the iterations reach. What the
// base knows of memory is imported, store by store: who wrote a value decides
// whether an iteration can see it, and from which side.
//
// In the terms of the base's rules: an overlay never writes a base location;
// each has a shadow for what the overlay stores there, and a load sees the
// shadow and the import.
type overlay struct {
	*solver
	loop      int      // index in Result.loops
	spawners  []InstID // base instances
	spawns    map[InstID]bool
	reruns    []InstID // their instances in the overlay
	ordered   []InstID // all of the overlay, see inOrder
	shadows   map[int32]int32
	seen      importTable
	stores    bool // every location may be stored to, see mayStore
	missed    bool // a location was stored to of which mayStore said no
	imported  map[importedKey]*bitset.Set
	described objectTable
	views     map[viewKey]int32
	res       *baseResult
	cut       *idset.Set[FuncID]          // functions that are not entered, see cone
	writes    []*bitset.Set               // by loop: base locations that its iterations store to; nil in the first round
	many      map[int32]bool              // by object, see manyObject
	canon     []int32                     // by object, see inBase
	rivals    *bitset.Set                 // loops that may run what this loop runs, see findOthers
	foreign   *bitset.Set                 // loops whose iterations make objects of their own
	unknown   pages.Table[InstID, answer] // by instance of the base, see neverKnown
	again     bool                        // a second round would be more precise
	left      map[leftKey]bool
	byFunc    map[FuncID][]*instance // see standIns
	called    *callDepths            // see depths
	hopped    *callDepths            // see hops
	certain   *callDepths            // see surely
	oneRound  *callDepths            // see ofOneRound

	// See there.go.
	presence *presence
	entries  *bitset.Set                 // whose work the loop sees
	present  pages.Table[int32, answer]  // by object of the base
	inRun    pages.Table[int32, answer]  // by object of the base, see oneInRun
	homes    map[int32]InstID            // of those that it says yes of
	runs     pages.Table[InstID, answer] // by instance of the base
}

type viewKey struct {
	obj  int32
	side uint8
}

// spawnerInfo marks an overlay instance as a spawner whose copies of the
// loop's body run again, and nothing else of it.
type spawnerInfo struct {
	base     InstID
	split    int8  // the loop, -1 for a spawn outside loops
	at       int32 // the spawn's instruction, where split is -1
	fn       *Func
	p        *Program
	defined  []bool // by node: computed by what runs again
	imported []bool
}

func (x *spawnerInfo) reruns(loop int8) bool { return x.split >= 0 && loop == x.split }

func (x *spawnerInfo) rerunsCall(c *Call) bool {
	if x.split < 0 {
		return c.Mode == ModeSpawn && int32(c.At) == x.at
	}
	if c.Loop != x.split {
		return false
	}
	return c.Mode == ModeSpawn || x.p.runsWrapper(c)
}

// newOverlay prepares the overlay of a loop.
func newOverlay(res *baseResult, loop int, present *presence) *overlay {
	s := newSolver(res.s.p, res.s)
	ov := &overlay{
		solver:    s,
		loop:      loop,
		shadows:   make(map[int32]int32),
		seen:      newImportTable(),
		imported:  make(map[importedKey]*bitset.Set),
		described: newObjectTable(),
		views:     make(map[viewKey]int32),
		many:      make(map[int32]bool),
		res:       res,
		presence:  present,
		homes:     make(map[int32]InstID),
	}
	s.ov = ov
	s.naive = res.s.naive
	pl := res.loops[loop]
	ov.spawners, ov.spawns = pl.spawners, make(map[InstID]bool, len(pl.spawners))
	ov.entries = present.entries(pl.spawners)
	ov.findOthers()
	for _, id := range pl.spawners {
		ov.spawns[id] = true
		b := s.base.inst(id)
		info := &spawnerInfo{
			base: id, split: pl.split, at: int32(pl.at), fn: b.fn, p: s.p,
			defined:  make([]bool, b.fn.NNodes),
			imported: make([]bool, b.fn.NNodes),
		}
		for i := range b.fn.Constraints {
			if c := &b.fn.Constraints[i]; info.reruns(c.Loop) && c.Op != OpStore {
				info.defined[c.Dst] = true
			}
		}
		for i := range b.fn.Calls {
			c := &b.fn.Calls[i]
			if info.rerunsCall(c) && c.Mode != ModeSpawn && c.Result != None {
				for j := range s.p.Func(c.Callee).RLen {
					info.defined[c.Result+Node(j)] = true
				}
			}
		}
		ctx := b.ctx
		ctx.tag = tagMain // what is outside the loop is Main, even in another loop's iteration
		rid := s.newInstance(b.fn, ctx)
		s.inst(rid).spawner = info
		ov.reruns = append(ov.reruns, rid)
	}
	return ov
}

// findOthers finds the loops that are neither this one nor enclose it: what they run, too,
// is done by others, unless it is done twice. Every store that is imported asks.
func (ov *overlay) findOthers() {
	ov.rivals, ov.foreign = new(bitset.Set), new(bitset.Set)
	for l := range ov.res.loops {
		if l == ov.loop || ov.res.encloses(l, ov.loop) {
			continue
		}
		ov.foreign.Add(int32(l))
		if !ov.res.twice(l, ov.loop) {
			ov.rivals.Add(int32(l))
		}
	}
}

// isSpawner reports whether an instance of the base spawns this loop.
func (ov *overlay) isSpawner(id InstID) bool {
	return ov.spawns[id]
}

// inSpawner reports whether an instance is the function that has the loop, or starts the goroutine:
// as the base has it, or as the loop's solution runs it again.
func (ov *overlay) inSpawner(id InstID) bool {
	return ov.isSpawner(id) || id >= ov.firstInst && ov.inst(id).spawner != nil
}

// madeOnce reports whether the spawner makes an object, once in each of its runs.
func (ov *overlay) madeOnce(oid int32) bool {
	if oid < 0 {
		return false
	}
	o := ov.object(oid)
	return o.kind == objAlloc && ov.inSpawner(o.inst) && ov.inst(o.inst).fn.Allocs[o.alloc].once()
}

// importLocal fills the overlay node x of template node n from the base, if
// nothing that runs again computes it.
func (s *solver) importLocal(in *instance, n Node, x int32) {
	info := in.spawner
	if info.defined[n] || info.imported[n] {
		return
	}
	info.imported[n] = true
	b := s.base.inst(info.base)
	s.addShared(x, s.ov.importSet(b.node(n), importFrom{main: true}))
}

// shadow returns the node that holds what the overlay stores at a location.
func (ov *overlay) shadow(loc int32) int32 {
	if loc >= ov.first {
		return loc
	}
	n, ok := ov.shadows[loc]
	if !ok {
		n = ov.addNodes(1)
		ov.shadows[loc] = n
	}
	return n
}

// load makes pts(dst) ⊇ the content of a location as the iteration sees it.
// own is the side of an own load, 0 for a plain one.
func (ov *overlay) load(loc, dst int32, own uint8) {
	ov.seen.begin()
	ov.gather(loc, dst, own)
	ov.deliver(dst)
}

// loadEach loads from all locations of a set that are not in another one, shifted by an offset.
func (ov *overlay) loadEach(off, dst int32, own uint8, set, but *bitset.Set) {
	ov.seen.begin()
	for l := range set.All() {
		if but.Has(l) {
			continue
		}
		if x, ok := ov.shift(l, off); ok {
			ov.gather(x, dst, own)
		}
	}
	ov.deliver(dst)
}

// gather lets dst have what the overlay stores at a location, and notes what
// is imported from there.
func (ov *overlay) gather(loc, dst int32, own uint8) {
	addrPart := ov.leafAt(loc).Part
	ov.overlapping(loc, func(l int32) {
		o := ov.object(ov.ownerOf(l))
		switch {
		case o.kind == objView:
			ov.addEdge(l, dst)
			seen := ov.object(o.view)
			ov.seen.add(ov.imp(seen.loc+(l-o.loc), o.side))
		case l >= ov.first:
			ov.addEdge(l, dst)
			if o.kind != objAlloc {
				return
			}
			in := ov.inst(o.inst)
			answers := o.alloc >= 0 && int(o.alloc) < len(in.fn.Allocs) && in.fn.Allocs[o.alloc].Kind == AllocChan
			given := in.ctx.tag != tagMain
			if ov.cut == nil && !answers && !given {
				return
			}
			b := ov.inBase(ov.ownerOf(l))
			if b < 0 {
				return
			}
			loc := ov.base.object(b).loc + (l - o.loc)
			if ov.cut != nil {
				ov.seen.add(ov.importBelow(loc, in.ctx.tag))
			}
			if answers || given {
				ov.seen.add(ov.importAnswers(loc, in.ctx.tag, answers))
			}
		default:
			// Through [any], the part that is read tells nothing: it may stem
			// from a loop inside the one that looks.
			side := addrPart
			if side == partAny {
				side = own
			}
			if side == partAny {
				side = ov.res.side(ov.ownerOf(l))
			}
			e := ov.imp(l, side)
			if e.stored {
				ov.addEdge(ov.shadow(l), dst)
			}
			ov.seen.add(e)
		}
	})
}

// deliver adds to dst what was gathered.
func (ov *overlay) deliver(dst int32) { ov.addShared(dst, ov.seen.met()) }

// skip reports whether the loop's iterations cannot see a store of the base,
// or run it again themselves, and whether that holds at this location only and
// not wherever else the same store goes.
func (ov *overlay) skip(loc int32, p pred) (skip, here bool) {
	w := ov.base.inst(p.inst)
	if !ov.done(loc, p.inst) {
		return true, true
	}
	if ov.spawns[p.inst] && ov.rerunOrAfter(p) {
		return true, false
	}
	if !ov.res.reaches(p.inst, ov.loop) {
		return false, false
	}
	fn := w.fn.ID
	if ov.cut.Has(fn) {
		return false, false // not run again
	}
	// Run again, more precisely, unless another loop runs it too and may be
	// the one that wrote. Which loops write what is known after a first round.
	if reach := &ov.res.reach[p.inst]; !reach.Intersects(ov.rivals) {
		return true, false
	} else if ov.writes == nil {
		ov.again = ov.again || !ov.neverKnown(p.inst)
		return false, false
	}
	for l := range ov.res.reach[p.inst].All() {
		if !ov.rivals.Has(l) {
			continue
		}
		w := ov.writes[l]
		if w == nil || ov.res.cones[l].partly(fn) {
			return false, here // what it writes there is not known
		}
		here = true
		if w.Has(loc) {
			return false, true
		}
	}
	return true, here
}

// rerunOrAfter reports whether a store of a spawner is run again, or comes after every
// iteration.
func (ov *overlay) rerunOrAfter(p pred) bool {
	if p.fact < 0 {
		return false
	}
	pl, fact := ov.res.loops[ov.loop], &ov.base.inst(p.inst).fn.Facts[p.fact]
	return pl.split >= 0 && fact.Loop == pl.split ||
		pl.joinBit != 0 && fact.AfterJoin&pl.joinBit != 0 && ov.res.once(p.inst)
}

// neverKnown reports whether it is not known after a first round either where an instance of the
// base writes for other loops, since one of them does not enter it. Where loops share maxBelow,
// most do not enter most, and nearly each second round of the message broker's would find
// what the first has. In other programs the second rounds are kept: which of two loops
// tells of a race between them is for their order to say.
func (ov *overlay) neverKnown(id InstID) bool {
	if !ov.res.crowded {
		return false
	}
	return ov.unknown.At(id).ask(func() bool {
		fn := ov.base.inst(id).fn.ID
		for l := range ov.res.reach[id].All() {
			if ov.rivals.Has(l) && ov.res.first[l].partly(fn) {
				return true
			}
		}
		return false
	})
}

// importSet returns what the set of a base node is in the overlay. The base
// has few different sets, and each is imported once for each way of looking.
func (ov *overlay) importSet(n int32, how importFrom) *bitset.Set {
	id := ov.base.setOf[n]
	if id < 0 {
		return nil
	}
	k := importedKey{id, how}
	set := ov.imported[k]
	if set == nil {
		set = new(bitset.Set)
		ov.importAll(set, &ov.base.sets[id], how)
		ov.imported[k] = set
	}
	return set
}

type importedKey struct {
	set int32
	how importFrom
}

// importAll adds to set what the elements of a base set are in the overlay.
func (ov *overlay) importAll(set, from *bitset.Set, how importFrom) {
	for l := range from.All() {
		if b, ok := ov.base.boxAt(l); ok {
			var in, out bitset.Set
			in.Add(b.loc)
			ov.importAll(&out, &in, how)
			for x := range out.All() {
				set.Add(ov.box(box{b.typ, x}))
			}
			continue
		}
		ov.importLoc(set, l, how)
	}
}

func (ov *overlay) importLoc(set *bitset.Set, l int32, how importFrom) {
	oid := ov.base.ownerOf(l)
	if oid < 0 || !ov.there(oid) {
		return
	}
	o := ov.base.object(oid)
	off := l - o.loc
	if o.kind == objAlloc && ov.res.reaches(o.inst, ov.loop) {
		maker := ov.base.inst(o.inst)
		others := ov.res.reach[o.inst].Intersects(ov.foreign)
		if how.main && !ov.cut.Has(maker.fn.ID) {
			for _, side := range ov.res.sidesOf(maker, ov.loop) {
				ctx := maker.ctx
				ctx.tag = side
				set.Add(ov.object(ov.namedObject(maker.fn, ctx, o.alloc, o.layout)).loc + off)
			}
			if !others {
				return
			}
		}
		if how.below && !ov.cut.Has(maker.fn.ID) {
			ctx := maker.ctx
			if ov.baseContext(context{tag: how.side}).tag != how.side {
				ctx.tag = how.side
			}
			set.Add(ov.object(ov.namedObject(maker.fn, ctx, o.alloc, o.layout)).loc + off)
			if !others {
				return
			}
		}
	}
	if how.fresh && how.side != 0 && ov.res.many(oid) && !(how.frame && ov.madeOnce(oid)) && !ov.oneInRun(oid) {
		set.Add(ov.object(ov.viewOf(oid, how.side)).loc + off)
		return
	}
	set.Add(l)
}

// namedObject returns the overlay's object of an allocation, whether or not
// its instance is there yet.
func (ov *overlay) namedObject(fn *Func, ctx context, k int32, layout *Layout) int32 {
	key := objKey{fn.ID, ctx, k}
	if o, ok := ov.byKey[key]; ok {
		return o
	}
	inst := ov.instanceOf(fn, ctx)
	return ov.allocObject(inst, k)
}

// viewOf returns one side's view of a base object that stands for many.
func (ov *overlay) viewOf(obj int32, side uint8) int32 {
	k := viewKey{obj, side}
	if v, ok := ov.views[k]; ok {
		return v
	}
	o := *ov.base.object(obj)
	v := ov.addObject(object{kind: objView, side: side, inst: o.inst, alloc: o.alloc, layout: o.layout, fn: o.fn, view: obj, parent: -1, many: true})
	ov.views[k] = v
	return v
}

package pta

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// A sharing tells which memory of the base can be known to more than one
// goroutine: those that can be reached from memory that nobody has made in view
// (package variables, what entry points are called with), from what is handed
// over where a goroutine starts, and from memory that is known itself. Whatever
// else a goroutine touches it has made itself, and has passed on to what it calls
// or keeps in memory that it has made, however many goroutines do the same with
// an object of the same name. That some memory holds an object is not enough: a
// connection whose handlers are closures over it is held by these alone.
//
// Where a goroutine puts back what it is started with, that is a way for the object
// to the pool: others know it only from there. Whether the starter goes on using it
// is asked by the order stage.
//
// What an iteration starts goroutines with is known to these and to the iteration.
//
// Who knows the address of a field knows no other field of the object.
type sharing struct {
	known bitset.Set // locations of what is allocated
	firm  bitset.Set // the part of known that no pool is needed for
	apart bitset.Set // the part of firm that is not known by what iterations start
}

// isShared reports whether a location may be known to several goroutines.
func (r *baseResult) isShared(in *sharing, l int32) bool {
	oid := r.s.ownerOf(l)
	return oid < 0 || r.s.object(oid).kind != objAlloc || in.known.Has(l)
}

// byPools reports whether a location is shared in no other way than by lying in a
// pool, or behind what lies there.
func (sh *sharing) byPools(l int32) bool { return sh.known.Has(l) && !sh.firm.Has(l) }

// byIteration reports whether a location is known by what iterations start goroutines
// with, if not by a pool.
func (sh *sharing) byIteration(l int32) bool { return sh.known.Has(l) && !sh.apart.Has(l) }

// maxSharing is up to which number of objects times loops the goroutines of each
// program of a module are looked at apart, about half a second.
const maxSharing = 5_000_000

// sharingIn returns the sharing in the programs that run some instances. Other
// programs of the module may start goroutines with objects of the same name.
func (r *baseResult) sharingIn(in []bool) *sharing {
	if len(r.s.objects)*len(r.loops) > maxSharing {
		return r.shared
	}
	return r.findShared(in)
}

// findShared finds what is shared where some instances run, all if in is nil.
func (r *baseResult) findShared(in []bool) *sharing {
	sh := new(sharing)
	s := r.s
	f := &sharingFinder{s: s, sh: sh, looked: make([]bool, len(s.sets)), carried: make(map[int32]bool), passed: make(map[int32]bool)}
	for oid := range s.objects {
		if o := &s.objects[oid]; o.kind != objAlloc {
			for i := range o.layout.Leaves {
				f.work = append(f.work, o.loc+int32(i))
			}
		}
	}
	for id, x := range s.insts {
		if (in == nil || in[id]) && x.ctx.tag == tagMain {
			f.starts(x, r.puts)
		}
	}
	f.follow()
	sh.apart.Union(&sh.known, nil)
	for id, x := range s.insts {
		if (in == nil || in[id]) && x.ctx.tag != tagMain {
			f.starts(x, r.puts)
		}
	}
	f.follow()
	sh.firm.Union(&sh.known, nil)
	for _, l := range f.back {
		f.knows(l)
	}
	f.follow()
	for len(f.pools) > 0 {
		l := f.pools[len(f.pools)-1]
		f.pools = f.pools[:len(f.pools)-1]
		f.hold(l)
		f.follow()
	}
	return sh
}

// A sharingFinder finds what can be reached.
type sharingFinder struct {
	s       *solver
	sh      *sharing
	looked  []bool         // by set
	work    []int32        // locations that are to be looked at
	pools   []int32        // the pools among them
	back    []int32        // what goroutines are started with and put back
	carried map[int32]bool // closures and variables of which nothing else is known yet
	passed  map[int32]bool // those that have been looked at for the spawn at hand
}

// behindBoxes calls do for the locations of objects that a set holds.
func (s *solver) behindBoxes(set *bitset.Set, do func(l int32)) {
	for l := range set.All() {
		for {
			b, boxed := s.boxAt(l)
			if !boxed {
				break
			}
			l = b.loc
		}
		if s.ownerOf(l) >= 0 {
			do(l)
		}
	}
}

// hold notes that what a node holds is known.
func (f *sharingFinder) hold(n int32) {
	if id := f.s.setOf[n]; id >= 0 && !f.looked[id] {
		f.looked[id] = true
		f.s.behindBoxes(&f.s.sets[id], f.knows)
	}
}

// knows notes that what a pointer to a location refers to is known.
func (f *sharingFinder) knows(l int32) {
	oid := f.s.ownerOf(l)
	o := f.s.object(oid)
	if o.kind != objAlloc || f.sh.known.Has(l) && !f.carried[oid] {
		return
	}
	lo, hi := reachOf(o.layout.Leaves, l-o.loc)
	for l := o.loc + lo; l < o.loc+hi; l++ {
		if f.sh.known.Add(l) || f.carried[oid] {
			f.work = append(f.work, l)
		}
	}
	delete(f.carried, oid)
}

// reachOf returns which leaves may belong to what begins at leaf i, or to an array
// that it is an element of.
func reachOf(leaves []Leaf, i int32) (lo, hi int32) {
	if i == 0 {
		return 0, int32(len(leaves))
	}
	name, before := leaves[i].Name, leaves[i-1].Name
	outer, _, array := strings.Cut(name, "[")
	if array {
		name = outer
	} else {
		for k := 1; k < len(name); k++ {
			if name[k] == '.' && !inField(before, name[:k]) {
				name = name[:k]
				break
			}
		}
	}
	lo, hi = i, i+1
	for array && lo > 0 && inField(leaves[lo-1].Name, name) {
		lo--
	}
	for int(hi) < len(leaves) && inField(leaves[hi].Name, name) {
		hi++
	}
	return lo, hi
}

// inField reports whether a leaf's name is a field's, or begins with it.
func inField(name, field string) bool {
	return strings.HasPrefix(name, field) && (len(name) == len(field) || field == "" || name[len(field)] == '.' || name[len(field)] == '[')
}

// starts notes what an instance starts goroutines with.
func (f *sharingFinder) starts(x *instance, puts map[InstID]*bitset.Set) {
	for k := range x.fn.Calls {
		c := &x.fn.Calls[k]
		if c.Mode != ModeSpawn {
			continue
		}
		clear(f.passed)
		var back *bitset.Set
		for _, e := range x.callees[k] {
			if p := puts[e.callee]; p != nil {
				if back == nil {
					back = new(bitset.Set)
				}
				back.Union(p, nil)
			}
		}
		if c.Fn != None && c.Kind != CallStatic {
			f.start(x.node(c.Fn), back)
		}
		for _, a := range c.Args {
			if a.Node == None {
				continue
			}
			for j := range a.Len {
				f.start(x.node(a.Node+Node(j)), back)
			}
		}
	}
}

// start notes that a goroutine is started with what a node holds, which puts some
// objects back.
func (f *sharingFinder) start(n int32, back *bitset.Set) {
	id := f.s.setOf[n]
	if id < 0 {
		return
	}
	if back == nil {
		f.hold(n)
		return
	}
	f.s.behindBoxes(&f.s.sets[id], func(l int32) {
		oid := f.s.ownerOf(l)
		o := f.s.object(oid)
		switch {
		case o.kind == objAlloc && back.Has(oid):
			f.back = append(f.back, l)
		case o.kind == objAlloc && f.s.carries(o) && (f.carried[oid] || !f.sh.known.Has(o.loc)):
			if f.carried[oid] = true; f.passed[oid] {
				return
			}
			f.passed[oid] = true
			for i := range o.layout.Leaves {
				f.sh.known.Add(o.loc + int32(i))
			}
			for i := range o.layout.Leaves {
				f.start(o.loc+int32(i), back)
			}
		default:
			f.knows(l)
		}
	})
}

// carries reports whether an object is a closure, or a variable that one captures.
func (s *solver) carries(o *object) bool {
	a := &s.inst(o.inst).fn.Allocs[o.alloc]
	return a.Kind == AllocClosure || a.Word == "var"
}

// follow goes on from what is known.
func (f *sharingFinder) follow() {
	for len(f.work) > 0 {
		l := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if o := f.s.object(f.s.ownerOf(l)); o.layout.Leaves[l-o.loc].Pool {
			f.pools = append(f.pools, l)
		} else {
			f.hold(l)
		}
	}
}

// maxPutDepth bounds the calls between the body of a goroutine and a Put.
const maxPutDepth = 6

// putsBySpawn returns what the bodies of goroutines may put back into a pool.
func (r *baseResult) putsBySpawn() map[InstID]*bitset.Set {
	puts := make(map[InstID]*bitset.Set)
	for id, x := range r.s.insts {
		if x.fn.Flow == nil || !x.fn.Flow.Sync {
			continue
		}
		for i := range x.fn.Flow.Steps {
			if st := &x.fn.Flow.Steps[i]; st.Op == library.OpPoolPut {
				r.addPut(puts, InstID(id), st.Site)
			}
		}
	}
	return puts
}

// addPut notes for the bodies of goroutines that lead to it what a Put puts back.
func (r *baseResult) addPut(puts map[InstID]*bitset.Set, id InstID, at ssair.Instr) {
	s := r.s
	x := s.inst(id)
	back := new(bitset.Set)
	for _, o := range x.fn.Operands {
		if o.At == at && o.K == 1 {
			s.behindBoxes(s.pts(x.node(o.Node)), func(l int32) { back.Add(s.ownerOf(l)) })
		}
	}
	if back.Empty() {
		return
	}
	seen := map[InstID]bool{id: true}
	level := []InstID{id}
	for depth := 0; len(level) > 0 && depth <= maxPutDepth; depth++ {
		var up []InstID
		for _, i := range level {
			for _, c := range s.inst(i).callers {
				if s.spawnsAt(c) {
					if puts[i] == nil {
						puts[i] = new(bitset.Set)
					}
					puts[i].Union(back, nil)
				} else if !seen[c.Inst] {
					seen[c.Inst] = true
					up = append(up, c.Inst)
				}
			}
		}
		level = up
	}
}

// spawnsAt reports whether the call at a site starts a goroutine.
func (s *solver) spawnsAt(c Site) bool {
	return slices.ContainsFunc(s.inst(c.Inst).fn.Calls, func(k Call) bool { return k.At == c.At && k.Mode == ModeSpawn })
}

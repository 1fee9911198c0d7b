package pta

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// This file finds where locking lapses in what a loop reaches far below its body: memory
// that is written under a lock which stands beside it, and touched elsewhere without.
// By the lock the code says that threads meet there, however many calls lie between. So
// that is looked at where else the overlay does not enter (soundness: deep-cone), and two
// iterations are taken to touch one object of those that have its name (soundness:
// half-locked).
//
// All of it is the base's view and says where to look: there a lock counts as held if
// some call path has it, and an access as unlocked if none has. The overlay enters one
// way to each access, and the stages judge what it finds: the locks stage asks that the
// one access must hold a lock, and the other holds none. In an analyzer's
// loop over all packages, 40 of 40 thousand accesses of the application lie below the cone;
// 15 functions were entered beside 21.

// lapses is what the base knows of memory with locks beside it, and of single objects
// (single.go), in the application's code that iterations run. It is found when a loop
// reaches too much.
type lapses struct {
	once    sync.Once
	lapsing useTable // of what is somewhere written under a lock beside it
	singles useTable // of what is written in single objects
}

// A useTable has the accesses to each of some locations, in the order of eachUse. A pointer to
// many objects touches them all alike, so that most locations have a list together. A message
// broker has millions of accesses by location, which as a map took a fifth of what its
// base did.
type useTable struct {
	locs  []int32 // in order
	list  []int32 // by number in locs
	lists [][]guardedUse
	order [][]int32 // by list: its numbers in the order of instances and accesses
}

// newUseTable makes a table of the accesses by location.
func newUseTable(locs *bitset.Set, uses map[int32][]guardedUse) useTable {
	t := useTable{locs: locs.Elems()}
	lists := make(map[string]int32)
	var key []byte
	for _, loc := range t.locs {
		key = key[:0]
		for i := range uses[loc] {
			u := &uses[loc][i]
			key = binary.AppendUvarint(key, uint64(u.inst))
			key = binary.AppendUvarint(key, uint64(u.idx))
			key = append(key, byte(u.kind()))
		}
		n, ok := lists[string(key)]
		if !ok {
			n = int32(len(t.lists))
			lists[string(key)] = n
			list := slices.Clip(uses[loc])
			order := make([]int32, len(list))
			for i := range order {
				order[i] = int32(i)
			}
			slices.SortFunc(order, func(i, j int32) int { return list[i].accRef.compare(list[j].accRef) })
			t.lists, t.order = append(t.lists, list), append(t.order, order)
		}
		t.list = append(t.list, n)
	}
	return t
}

// at returns what the table has of an access to a location, or nil.
func (t *useTable) at(loc int32, a accRef) *guardedUse {
	i, ok := slices.BinarySearch(t.locs, loc)
	if !ok {
		return nil
	}
	list, order := t.lists[t.list[i]], t.order[t.list[i]]
	k, ok := slices.BinarySearchFunc(order, a, func(i int32, a accRef) int { return list[i].accRef.compare(a) })
	if !ok {
		return nil
	}
	return &list[order[k]]
}

// A lapseFinder finds them.
type lapseFinder struct {
	*lapses
	r       *baseResult
	frames  map[*Func]*lockFrame
	numbers map[int32]int32     // of locks, by location; see anyLock
	locks   []int32             // their locations
	held    []bitset.Set        // by instance: locks that callers may hold, or callees return with
	beside  map[int32][]stretch // by object
	order   []InstID            // all instances, by compareNames
}

// A guardedUse is an access to a location that is somewhere written under a lock beside it.
type guardedUse struct {
	accRef
	write   bool
	guarded bool // by such a lock
	unknown bool // a lock may be held of which it is not known which
}

// useKinds is the number of kinds of uses, and unknownUse the kind of those that are left out.
const useKinds, unknownUse = 4, 4

// kind is the number of what a use is: a write or not, guarded or not.
func (u *guardedUse) kind() int {
	if u.unknown {
		return unknownUse
	}
	return useKind(u.write, u.guarded)
}

func useKind(write, guarded bool) int {
	k := 0
	if write {
		k++
	}
	if guarded {
		k += 2
	}
	return k
}

// lapse reports whether of two accesses to a location one is guarded and the other is not.
func (u *guardedUse) lapse(v *guardedUse) bool {
	return (u.write || v.write) && u.guarded != v.guarded && !u.unknown && !v.unknown
}

// A lockFrame is what a function does with locks.
type lockFrame struct {
	locks   guards
	held    heldAtEntry
	ops     []lockOp
	leaves  uint64 // locks that it may return with
	unknown bool   // there are locks that have no path
}

// A lockOp acquires a lock of a frame.
type lockOp struct {
	site ssair.Instr
	bit  uint64
}

// anyLock is the number of the lock of which it is not known which it is.
const anyLock = 0

// maxLockNames bounds the locations that a lock operand may mean.
const maxLockNames = 32

func (ls *lapses) find(r *baseResult) {
	x := &lapseFinder{
		lapses: ls, r: r,
		frames: make(map[*Func]*lockFrame), numbers: make(map[int32]int32), locks: []int32{-1},
		held: make([]bitset.Set, len(r.s.insts)), beside: make(map[int32][]stretch),
		order: make([]InstID, len(r.s.insts)),
	}
	for id := range x.order {
		x.order[id] = InstID(id)
	}
	slices.SortFunc(x.order, r.s.compareNames)
	x.hold()
	if near := x.findBeside(); !near.Empty() {
		x.findUses(near)
	}
	x.findSingles()
}

// frame returns what a function does with locks, or nil.
func (x *lapseFinder) frame(fn *Func) *lockFrame {
	f := fn.Flow
	if f == nil || !f.Sync {
		return nil
	}
	if fr, ok := x.frames[fn]; ok {
		return fr
	}
	var fr *lockFrame
	for i := range f.Steps {
		st := &f.Steps[i]
		switch st.Op {
		case library.OpLock, library.OpRLock, library.OpTryLock, library.OpTryRLock:
		default:
			continue
		}
		if fr == nil {
			fr = &lockFrame{locks: locksIn(f)}
		}
		bit := uint64(0)
		if len(st.Args) > 0 {
			bit = fr.locks.bit(f.Path(st.Args[0]), st.Op)
		}
		fr.unknown = fr.unknown || bit == 0
		fr.ops = append(fr.ops, lockOp{st.Site, bit})
	}
	if fr != nil {
		fr.held = heldIn(f, fr.locks)
		for b := range f.Blocks {
			if h := fr.held.before(f, fr.locks, int32(b), f.Blocks[b].Hi); f.Blocks[b].Exit && h != ^uint64(0) {
				fr.leaves |= h
			}
		}
	}
	x.frames[fn] = fr
	return fr
}

// at returns the locks that an instance itself may hold at an instruction.
func (x *lapseFinder) at(in *instance, at ssair.Instr) *bitset.Set {
	fr := x.frame(in.fn)
	if fr == nil {
		return nil
	}
	mask := fr.held.at(in.fn.Flow, fr.locks, at)
	if mask == ^uint64(0) {
		mask = 0
	}
	return x.named(in, fr, mask)
}

// named returns the locks of a frame by number.
func (x *lapseFinder) named(in *instance, fr *lockFrame, mask uint64) *bitset.Set {
	out := new(bitset.Set)
	if fr.unknown {
		out.Add(anyLock)
	}
	for _, op := range fr.ops {
		if mask&op.bit == 0 {
			continue
		}
		locs := x.r.s.operand(in, op.site)
		if len(locs) == 0 || len(locs) > maxLockNames {
			out.Add(anyLock)
			continue
		}
		for _, l := range locs {
			n, ok := x.numbers[l]
			if !ok {
				n = int32(len(x.locks))
				x.numbers[l] = n
				x.locks = append(x.locks, l)
			}
			out.Add(n)
		}
	}
	return out
}

// operand returns the memory that the first operand at an instruction may point to.
func (s *solver) operand(in *instance, at ssair.Instr) (out []int32) {
	see := func(n Node) {
		if n != None {
			s.behindBoxes(s.pts(in.node(n)), func(l int32) { out = append(out, l) })
		}
	}
	for i := range in.fn.Operands {
		if o := &in.fn.Operands[i]; o.At == at && o.K == 0 {
			see(o.Node)
		}
	}
	for i := range in.fn.Calls {
		if c := &in.fn.Calls[i]; c.At == at && len(c.Args) > 0 {
			see(c.Args[0].Node)
		}
	}
	return sortedUnique(out)
}

// hold finds which locks callers may hold.
func (x *lapseFinder) hold() {
	s, reach := x.r.s, x.r.reach
	for id := range reach {
		if reach[id].Empty() {
			continue
		}
		in := s.insts[id]
		if fr := x.frame(in.fn); fr != nil {
			x.leave(InstID(id), x.named(in, fr, fr.leaves), 3)
		}
	}
	calls := s.callLists(func(in *instance, k int) bool { return in.fn.Calls[k].Mode != ModeSpawn })
	// What iterations run acquires locks for what it calls, and so does what holds some when
	// that is known.
	done := make([]bool, len(s.insts))
	for more := true; more; {
		more = false
		for id, in := range s.insts {
			if done[id] || reach[id].Empty() && x.held[id].Empty() || x.frame(in.fn) == nil {
				continue
			}
			done[id] = true
			for k := range in.fn.Calls {
				c := &in.fn.Calls[k]
				if c.Mode == ModeSpawn {
					continue
				}
				if own := x.at(in, c.At); !own.Empty() {
					for _, e := range in.callees[k] {
						more = x.held[e.callee].Union(own, nil) || more
					}
				}
			}
		}
		calls.down(x.held)
	}
}

// leave notes that the callers of an instance may get locks from it, and theirs if they
// do nothing but call.
func (x *lapseFinder) leave(id InstID, locks *bitset.Set, depth int) {
	if locks.Empty() || depth == 0 {
		return
	}
	for _, c := range x.r.s.insts[id].callers {
		up := x.r.s.insts[c.Inst]
		if x.held[c.Inst].Union(locks, nil) && up.fn.Flow != nil && len(up.fn.Flow.Blocks) == 1 && x.frame(up.fn) == nil {
			x.leave(c.Inst, locks, depth-1)
		}
	}
}

// A stretch is a part of an object, and the locks that stand beside it.
type stretch struct {
	from, to int32
	locks    bitset.Set
}

// maxBeside bounds what a field beside a lock may point to.
const maxBeside = 100

// findBeside finds what stands beside locks: the struct that a lock is a field of, or
// that points to it, and what other fields of that struct point to. It returns all of it.
func (x *lapseFinder) findBeside() *bitset.Set {
	s := x.r.s
	near, owners := new(bitset.Set), new(bitset.Set)
	byOwner := make(map[int32][]int32) // by object: its locks
	add := func(oid, from, to, lock int32) {
		if !s.isData(oid) {
			return
		}
		k := slices.IndexFunc(x.beside[oid], func(p stretch) bool { return p.from == from && p.to == to })
		if k < 0 {
			k = len(x.beside[oid])
			x.beside[oid] = append(x.beside[oid], stretch{from: from, to: to})
			for l := from; l < to; l++ {
				near.Add(l)
			}
		}
		x.beside[oid][k].locks.Add(lock)
	}
	around := func(oid, leaf, lock int32) {
		o := s.object(oid)
		from, to := structOf(o.layout.Leaves, leaf)
		add(oid, o.loc+from, o.loc+to, lock)
		for l := o.loc + from; l < o.loc+to; l++ {
			set := s.pts(l)
			if set.Empty() || set.Len() > maxBeside {
				continue
			}
			s.behindBoxes(set, func(l int32) {
				if to := s.ownerOf(l); to != s.ownerOf(x.locks[lock]) {
					p := s.object(to)
					add(to, p.loc, p.loc+p.layout.Len(), lock)
				}
			})
		}
	}
	globals := make(map[string][]int32) // locks that are variables, by package
	for n, l := range x.locks {
		if n == anyLock {
			continue
		}
		oid := s.ownerOf(l)
		o := s.object(oid)
		for i := range o.layout.Leaves {
			owners.Add(o.loc + int32(i))
		}
		byOwner[oid] = append(byOwner[oid], int32(n))
		around(oid, l-o.loc, int32(n))
		if o.kind == objGlobal && l == o.loc {
			globals[s.packageOf(o)] = append(globals[s.packageOf(o)], int32(n))
		}
	}
	for oid := range s.objects {
		o := &s.objects[oid]
		if o.kind == objGlobal {
			for _, n := range globals[s.packageOf(o)] {
				around(int32(oid), 0, n)
			}
		}
		if o.layout.Len() < 2 {
			continue
		}
		for i := range o.layout.Leaves {
			if set := s.pts(o.loc + int32(i)); set.Len() <= maxBeside && set.Intersects(owners) {
				s.behindBoxes(set, func(l int32) {
					for _, n := range byOwner[s.ownerOf(l)] {
						around(int32(oid), int32(i), n)
					}
				})
			}
		}
	}
	return near
}

// packageOf returns the path of a variable's package.
func (s *solver) packageOf(o *object) string {
	full := s.p.globals[o.global].full
	return full[:max(0, strings.LastIndexByte(full, '.'))]
}

// structOf returns the leaves of the struct that a leaf is a field of.
func structOf(leaves []Leaf, i int32) (from, to int32) {
	name := leaves[i].Name
	outer := name[:max(0, strings.LastIndexByte(name, '.'))]
	from, to = i, i+1
	for from > 0 && inField(leaves[from-1].Name, outer) {
		from--
	}
	for int(to) < len(leaves) && inField(leaves[to].Name, outer) {
		to++
	}
	return from, to
}

// guards reports whether one of some locks stands beside a location.
func (x *lapseFinder) guards(loc int32, locks *bitset.Set) bool {
	return slices.ContainsFunc(x.beside[x.r.s.ownerOf(loc)], func(p stretch) bool {
		return p.from <= loc && loc < p.to && p.locks.Intersects(locks)
	})
}

// findUses lists the accesses to what is somewhere written under a lock beside it.
func (x *lapseFinder) findUses(near *bitset.Set) {
	r, s := x.r, x.r.s
	written := new(bitset.Set)
	x.eachUse(near, true, func(id InstID, _, loc int32, locks *bitset.Set) {
		if !locks.Empty() && !written.Has(loc) && x.guards(loc, locks) && r.isShared(r.shared, loc) {
			written.Add(loc)
		}
	})
	byLoc := make(map[int32][]guardedUse)
	x.eachUse(written, false, func(id InstID, k, loc int32, locks *bitset.Set) {
		uses, a := byLoc[loc], accRef{id, k}
		if n := len(uses); n > 0 && uses[n-1].accRef == a {
			return
		}
		u := guardedUse{accRef: a, write: s.insts[id].fn.Accesses[k].Flags&FlagWrite != 0, guarded: x.guards(loc, locks)}
		u.unknown = !u.guarded && locks.Has(anyLock)
		byLoc[loc] = append(uses, u)
	})
	x.lapsing = newUseTable(written, byLoc)
}

// eachUse calls f for the accesses of the application's code to some locations, writes only
// or all, with the locks that may be held there: by instance in x.order, and in the order of
// the code.
func (x *lapseFinder) eachUse(touch *bitset.Set, write bool, f func(id InstID, k, loc int32, locks *bitset.Set)) {
	r, s := x.r, x.r.s
	for _, id := range x.order {
		in := s.insts[id]
		if r.reach[id].Empty() || !in.fn.App {
			continue
		}
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.Flags&(FlagInit|FlagDeep|FlagAtomic|FlagCall) != 0 || write && a.Flags&FlagWrite == 0 {
				continue
			}
			var locks *bitset.Set
			use := func(loc int32) {
				if locks == nil {
					if locks = x.held[id].Copy(); x.frame(in.fn) != nil {
						locks.Union(x.at(in, a.At), nil)
					}
				}
				f(id, int32(k), loc, locks)
			}
			if a.Off != 0 || a.N != 1 || a.Flags&FlagRegion != 0 {
				s.locations(in, a, func(loc int32) {
					if touch.Has(loc) {
						use(loc)
					}
				})
				continue
			}
			both := s.pts(in.node(a.Node)).And(touch)
			if both.Empty() || a.Flags&FlagOpen != 0 && !s.open(in, a.Recv) {
				continue
			}
			for loc := range both.All() { // what locations does, which is most of what this takes
				if oid := s.ownerOf(loc); oid >= 0 && s.isData(oid) {
					use(loc)
				}
			}
		}
	}
}

// maxLapse is the number of accesses of a kind that are entered for a location: those
// that are the fewest calls below the body.
const maxLapse = 4

// lapsesOf returns the locations at which locking lapses in what a loop's iterations run,
// and the instances that touch them.
func (r *baseResult) lapsesOf(loop int, depths callDepths) (locs *bitset.Set, at []InstID) {
	ls := &r.lapses
	ls.once.Do(func() { ls.find(r) })
	return r.usesBelow(&ls.lapsing, loop, depths, maxLapse, func(near *nearUses) bool {
		return near.any(true, true) && (near.any(false, false) || near.any(true, false))
	})
}

// usesBelow returns those locations of a table whose accesses in what a loop's iterations run
// count together, and the instances of the nearest accesses: so many at most of a kind.
func (r *baseResult) usesBelow(t *useTable, loop int, depths callDepths, most int, count func(*nearUses) bool) (locs *bitset.Set, at []InstID) {
	locs = new(bitset.Set)
	var near nearUses
	counts := make([]answer, len(t.lists))
	for i, loc := range t.locs {
		if o := r.s.object(r.s.ownerOf(loc)); o.kind == objAlloc && r.reaches(o.inst, loop) {
			continue // each iteration has its own
		}
		n := t.list[i]
		if counts[n] == unasked {
			near.reset()
			for i := range t.lists[n] {
				u := &t.lists[n][i]
				if k := u.kind(); k != unknownUse && depths.known(u.inst) {
					near.add(u, k, depths, most)
				}
			}
			if counts[n] = no; count(&near) {
				counts[n] = yes
				for _, uses := range near {
					for _, u := range uses {
						at = append(at, u.inst)
					}
				}
			}
		}
		if counts[n] == yes {
			locs.Add(loc)
		}
	}
	return locs, sortedUnique(at)
}

// nearUses are the accesses of each kind that are the fewest calls below a loop's body; of
// those that are as far down, the first. All accesses of each location, sorted for each loop,
// were 150 of 208 s that a message broker's base took before it was stopped.
type nearUses [useKinds][]*guardedUse

func (n *nearUses) reset() {
	for k := range n {
		n[k] = n[k][:0]
	}
}

func (n *nearUses) any(write, guarded bool) bool { return len(n[useKind(write, guarded)]) > 0 }

// add notes an access of a kind, if there are not as many of it that are as near.
func (n *nearUses) add(u *guardedUse, kind int, depths callDepths, most int) {
	list := n[kind]
	d, at := depths.of(u.inst), len(list)
	for at > 0 && depths.of(list[at-1].inst) > d {
		at--
	}
	if at == most {
		return
	}
	if len(list) == most {
		list = list[:most-1]
	}
	n[kind] = slices.Insert(list, at, u)
}

// compareNames orders instances by their functions' names.
func (s *solver) compareNames(a, b InstID) int {
	return cmp.Or(strings.Compare(s.insts[a].fn.Name, s.insts[b].fn.Name), cmp.Compare(a, b))
}

// callDepths counts the calls between a loop's bodies and each instance that they lead to, and
// lists these.
func (r *baseResult) callDepths(loop int) (depths callDepths, all []InstID) {
	depths = callDepths{0, slices.Repeat([]int32{-1}, len(r.s.insts))}
	add := func(id InstID, depth int32) {
		if depths.calls[id] < 0 {
			depths.calls[id] = depth
			all = append(all, id)
		}
	}
	r.bodies(loop, func(id InstID) { add(id, 0) })
	for i := 0; i < len(all); i++ {
		for _, callee := range r.calls.of(all[i]) {
			add(callee, depths.calls[all[i]]+1)
		}
	}
	return depths, all
}

// partly reports whether a function is not entered, or not from all callers: then it is
// not known what all it writes.
func (c *cone) partly(fn FuncID) bool { return c.cut.Has(fn) || c.through[fn] }

// lapsesAt reports whether locking lapses at a location.
func (v *View) lapsesAt(loc int32) bool {
	c := &v.res.base.cones[v.loop]
	return c.lapses != nil && c.lapses.Has(v.canonical(loc))
}

// lapse reports whether of two accesses to a location one is guarded by a lock that
// stands beside it, and the other is not.
func (v *View) lapse(loc int32, a, b accRef) bool {
	if !v.lapsesAt(loc) {
		return false
	}
	x, y := v.guardedUse(loc, a), v.guardedUse(loc, b)
	return x != nil && y != nil && x.lapse(y)
}

func (v *View) guardedUse(loc int32, a accRef) *guardedUse {
	id, ok := v.baseInst(a.inst)
	if !ok {
		return nil
	}
	return v.res.base.lapses.lapsing.at(v.canonical(loc), accRef{id, a.idx})
}

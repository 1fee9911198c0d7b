package pta

import (
	"cmp"
	"math/rand"
	"slices"
	"sync"

	"github.com/iterace/iterace/internal/bitset"
)

// A solver computes one solution: the base, or an overlay on a base.
//
// It is inclusion-based with difference propagation: a node remembers which
// of its elements it has not passed on yet (delta). The call graph and the
// objects grow while it runs.
type solver struct {
	p     *Program
	base  *solver // the frozen base under an overlay; nil for the base itself
	sites *siteTable

	// Nodes, instances, objects and boxes of an overlay are numbered after
	// those of its base.
	first     int32
	firstInst InstID
	firstObj  int32
	firstBox  int32

	nodes     []*node // nil until something is known of the node
	room      []node  // for nodes to come
	keys      []int64 // see nextRound
	owners    []int32 // by node: object, -1 for a local value, below for a box
	insts     []*instance
	byCtx     map[instKey]InstID
	objects   []object
	byKey     map[objKey]int32
	globals   map[GlobalID]int32
	funcObjs  map[FuncID]int32
	consts    map[TypeID]int32
	seenByApp *bitset.Set // see visible
	appOnce   sync.Once
	boxes     []box
	boxIDs    map[box]int32
	outsides  map[symKey]int32
	constants map[int32]int32       // by location: the node that holds it alone
	loaded    map[loadKey]int32     // nodes of shared loads, see loads.go
	shared    []sharedLoad          // those loads, by the numbers of their constraints
	holders   map[*bitset.Set]int32 // see holder
	births    int32                 // nodes that have elements
	expanded  map[int32]bool
	children  map[int32][]int32 // by location of a symbolic object: what it refers to
	storing   map[int32][]pred  // by location: who stores into it; base only, until it is frozen
	predOf    []int32           // frozen: by location, its list
	predList  [][]pred          // frozen: the different lists, the first of them empty

	setOf []int32 // frozen: by node, its set; -1 for the empty one
	sets  []bitset.Set

	queue   []int32 // nodes with a delta
	current []int32 // those of this round, in order
	look    int     // steps before the next look for cycles
	// different is how many different sets there were when equal ones were last made one.
	different int
	pending   []InstID // instances whose constraints are not there yet
	ov        *overlay // what an overlay adds; nil for the base
	naive     bool
	changed   bool // naive: something grew in this round
	rng       *rand.Rand
	steps     int
	budget    int // steps allowed; 0 for no limit
	most      int // instances allowed; 0 for no limit
	overrun   bool
	running   map[FuncID]bool // functions that have an instance, among the first counted ones
	counted   int
}

// A conRef is a constraint that watches a node: constraint k of an instance,
// or its call -1-k.
type conRef struct {
	inst InstID
	k    int32
}

type instKey struct {
	fn  FuncID
	ctx context
}

// An instance is a function in a context.
type instance struct {
	fn      *Func
	ctx     context
	base    int32 // number of its first node
	objs    []int32
	callees [][]edge // by call: what it may run
	callers []Site
	root    bool
	spawner *spawnerInfo // overlay: a spawner whose copies run again
}

type edge struct {
	callee InstID
	obj    int32 // closure object called, -1
}

// node returns the number of a template node in the instance.
func (in *instance) node(n Node) int32 { return in.base + int32(n) }

// A pred says who stored into a location.
type pred struct {
	src  int32 // node of the stored value
	inst InstID
	fact int32 // index into the writer's Facts, -1 for none
}

func (p pred) compare(q pred) int {
	return cmp.Or(cmp.Compare(p.inst, q.inst), cmp.Compare(p.fact, q.fact), cmp.Compare(p.src, q.src))
}

func newSolver(p *Program, base *solver) *solver {
	s := &solver{
		p: p, base: base,
		byCtx:     make(map[instKey]InstID),
		byKey:     make(map[objKey]int32),
		globals:   make(map[GlobalID]int32),
		funcObjs:  make(map[FuncID]int32),
		consts:    make(map[TypeID]int32),
		boxIDs:    make(map[box]int32),
		constants: make(map[int32]int32),
		outsides:  make(map[symKey]int32),
		expanded:  make(map[int32]bool),
		children:  make(map[int32][]int32),
	}
	if base == nil {
		s.sites = newSiteTable()
		s.storing = make(map[int32][]pred)
		return s
	}
	s.sites = base.sites
	s.first = int32(len(base.owners))
	s.firstInst = InstID(len(base.insts))
	s.firstObj = int32(len(base.objects))
	s.firstBox = int32(len(base.boxes))
	return s
}

func (s *solver) inst(id InstID) *instance {
	if s.base != nil && id < s.firstInst {
		return s.base.inst(id)
	}
	return s.insts[id-s.firstInst]
}

func (s *solver) addNodes(n int32) int32 {
	first := s.first + int32(len(s.owners))
	for range n {
		if s.setOf != nil {
			s.setOf = append(s.setOf, -1)
		} else {
			s.nodes = append(s.nodes, nil)
		}
		s.owners = append(s.owners, -1)
	}
	return first
}

// state returns the state of a node, making it on first use.
func (s *solver) state(n int32) *node {
	p := &s.nodes[n-s.first]
	if *p == nil {
		if len(s.room) == 0 {
			s.room = make([]node, min(256, 32+len(s.nodes)/8)) // hundreds of thousands, one by one, are dear; most overlays have few
		}
		*p, s.room = &s.room[0], s.room[1:]
		(*p).id, (*p).pts = n, noPts
	}
	return *p
}

// pts returns the points-to set of a node; it may be nil.
func (s *solver) pts(n int32) *bitset.Set {
	if s.base != nil && n < s.first {
		return s.base.pts(n)
	}
	if s.setOf != nil {
		return s.set(n)
	}
	if st := s.nodes[n-s.first]; st != nil {
		return st.pts
	}
	return nil
}

// maxScan is the number of edges up to which a look for one goes through the
// list.
const maxScan = 16

// addEdge makes pts(dst) ⊇ pts(src).
func (s *solver) addEdge(src, dst int32) {
	if s.naive {
		s.addSet(dst, s.pts(src))
	}
	st := s.state(src)
	to := s.state(dst)
	if st == to {
		return
	}
	dst = to.id
	if st.outSet != nil {
		if !st.outSet.add(dst) {
			return
		}
	} else {
		for _, x := range st.out {
			if x == dst {
				return
			}
		}
		if len(st.out) == maxScan {
			st.outSet = newNumberSet(st.out)
			st.outSet.add(dst)
		}
	}
	st.out = append(st.out, dst)
	s.changed = true
	switch {
	case st.pts.Empty():
	case to.pts.Empty() && !s.naive:
		s.lend(st, to)
	default:
		s.addTo(to, st.pts)
	}
}

// watch lets a constraint see every element of a node, now and later.
func (s *solver) watch(n int32, c conRef) {
	st := s.state(n)
	st.cons = append(st.cons, c)
	if !st.pts.Empty() && !s.naive && !st.all {
		// What is pending comes to the constraint with the node's turn.
		s.apply(st, c, st.pts.Minus(&st.delta))
	}
}

// solve runs to the fixpoint.
func (s *solver) solve() {
	if s.naive {
		s.solveNaive()
		return
	}
	var delta bitset.Set
	if s.look == 0 {
		s.look = firstLook
	}
	for {
		s.instantiate()
		if s.ov != nil && s.ov.tooLarge() {
			return
		}
		if len(s.current) == 0 {
			if len(s.queue) == 0 {
				return
			}
			if s.steps >= s.look {
				s.collapse()
				s.look = 2 * s.steps
			}
			s.nextRound()
		}
		if s.budget > 0 && s.steps > s.budget || s.most > 0 && len(s.insts) > s.most {
			s.overrun = true
			return
		}
		s.steps++
		n := s.current[len(s.current)-1]
		s.current = s.current[:len(s.current)-1]
		st := s.state(n)
		if !st.queued {
			continue // merged with one that had its turn
		}
		st.queued = false
		news := &delta
		if st.all {
			// What is added meanwhile goes into another set.
			news, st.all, st.owned = st.pts, false, false
		} else {
			delta, st.delta = st.delta, delta
		}
		st.delta.Clear()
		if news.Empty() {
			continue
		}
		for i := 0; i < len(st.out); i++ {
			s.flow(st, s.state(st.out[i]), news)
		}
		st.passed = st.pts
		for i := 0; i < len(st.cons); i++ {
			s.apply(st, st.cons[i], news)
		}
	}
}

// nextRound takes what is queued, in topological order from the back: a set
// that has grown is passed on when all that flow into it are.
func (s *solver) nextRound() {
	s.current, s.queue = s.queue, s.current[:0]
	if s.rng != nil {
		s.rng.Shuffle(len(s.current), func(i, j int) { s.current[i], s.current[j] = s.current[j], s.current[i] })
		return
	}
	s.keys = s.keys[:0]
	for _, n := range s.current {
		s.keys = append(s.keys, int64(s.state(n).order)<<32|int64(n))
	}
	slices.Sort(s.keys)
	last := len(s.keys) - 1
	for i, k := range s.keys {
		s.current[last-i] = int32(k & (1<<32 - 1))
	}
}

// instance returns the instance of a function in a context.
func (s *solver) instanceOf(fn *Func, ctx context) InstID {
	k := instKey{fn.ID, ctx}
	if id, ok := s.byCtx[k]; ok {
		return id
	}
	id := s.newInstance(fn, ctx)
	s.byCtx[k] = id
	return id
}

func (s *solver) newInstance(fn *Func, ctx context) InstID {
	in := &instance{fn: fn, ctx: ctx, base: s.addNodes(fn.NNodes), callees: make([][]edge, len(fn.Calls))}
	in.objs = make([]int32, len(fn.Allocs))
	for i := range in.objs {
		in.objs[i] = -1
	}
	id := s.firstInst + InstID(len(s.insts))
	s.insts = append(s.insts, in)
	s.pending = append(s.pending, id)
	return id
}

// instantiate gives new instances their constraints. It is a loop and not a
// recursion along static calls: call chains are longer than stacks.
func (s *solver) instantiate() {
	for len(s.pending) > 0 {
		id := s.pending[len(s.pending)-1]
		s.pending = s.pending[:len(s.pending)-1]
		in := s.inst(id)
		for k := range in.fn.Constraints {
			if in.spawner == nil || in.spawner.reruns(in.fn.Constraints[k].Loop) {
				s.instantiateConstraint(id, in, int32(k))
			}
		}
		for k := range in.fn.Calls {
			if in.spawner == nil || in.spawner.rerunsCall(&in.fn.Calls[k]) {
				s.instantiateCall(id, in, int32(k))
			}
		}
	}
}

func (s *solver) instantiateConstraint(id InstID, in *instance, k int32) {
	c := &in.fn.Constraints[k]
	switch c.Op {
	case OpCopy:
		s.addEdge(s.source(in, c.Src), in.node(c.Dst))
	case OpAddr:
		s.addPts(in.node(c.Dst), s.addressOf(id, in, c.Arg)+c.Off)
	case OpGlobal:
		s.addPts(in.node(c.Dst), s.object(s.globalObject(GlobalID(c.Arg))).loc+c.Off)
	case OpFunc:
		s.addPts(in.node(c.Dst), s.object(s.funcObject(FuncID(c.Arg))).loc)
	case OpBoxVal:
		s.addPts(in.node(c.Dst), s.box(box{TypeID(c.Arg), s.addressOf(id, in, c.Off)}))
	case OpBoxConst:
		s.addPts(in.node(c.Dst), s.box(box{TypeID(c.Arg), s.object(s.constObject(TypeID(c.Arg))).loc}))
	case OpStore:
		s.watch(s.source(in, c.Dst), conRef{id, k})
	default:
		s.watch(s.source(in, c.Src), conRef{id, k})
	}
}

// addressOf returns the location of an allocation; a closure's free variables
// are filled when its address is first taken.
func (s *solver) addressOf(id InstID, in *instance, k int32) int32 {
	var oid int32
	if in.spawner != nil {
		oid = s.base.allocObject(in.spawner.base, k) // allocations keep the base's names
	} else {
		oid = s.allocObject(id, k)
	}
	o := s.object(oid)
	a := &in.fn.Allocs[k]
	if a.Kind != AllocClosure {
		return o.loc
	}
	s.p.Func(a.Func) // lowered now: the order in which functions are met decides which of many alike races are kept
	off := int32(0)
	for i, b := range a.Binds {
		n := s.p.varLen(a.Vars[i])
		if b != None {
			for j := range n {
				s.storeEdge(o.loc+off+j, s.source(in, b+Node(j)), id, -1)
			}
		}
		off += n
	}
	return o.loc
}

// source returns the number of a template node that is read; an overlay
// imports what a spawner computed outside the copies that run again.
func (s *solver) source(in *instance, n Node) int32 {
	x := in.node(n)
	if in.spawner != nil {
		s.importLocal(in, n, x)
	}
	return x
}

// apply runs a complex constraint on new elements of the node it watches.
func (s *solver) apply(st *node, c conRef, delta *bitset.Set) {
	if c.inst == sharedInst {
		l := s.shared[c.k]
		s.load(st, l.off, l.dst, l.own, delta)
		return
	}
	in := s.inst(c.inst)
	if c.k < 0 {
		s.applyCall(c.inst, in, -1-c.k, delta)
		return
	}
	k := &in.fn.Constraints[c.k]
	dst := in.node(k.Dst)
	switch k.Op {
	case OpOffset:
		for l := range delta.All() {
			if x, ok := s.shift(l, k.Off); ok {
				s.addPts(dst, x)
			}
		}
	case OpElem:
		off := int32(0)
		switch part := s.part(in, k); part {
		case partAlpha, partBeta:
			off = int32(part) * k.Off
		case partWiden:
			for l := range delta.All() {
				if s.ownerOf(l) >= 0 {
					if x := s.leafAt(l); x.PartSize == k.Off && x.Part != partAny {
						s.addPts(dst, l-int32(x.Part)*x.PartSize)
					}
				}
			}
			return
		}
		for l := range delta.All() {
			if x, ok := s.shiftElem(l, off, k.Off); ok {
				s.addPts(dst, x)
			}
		}
	case OpLoad:
		own := k.Part
		if own == partOfTag {
			own = in.ctx.tag
		}
		s.load(st, k.Off, dst, own, delta)
	case OpStore:
		if f := &in.fn.Facts[k.Arg]; f.Self {
			for l := range delta.All() {
				x, okx := s.shift(l, k.Off)
				y, oky := s.shift(l, f.SelfOff)
				if okx && oky {
					s.storeEdge(x, s.constant(y), c.inst, k.Arg)
				}
			}
			return
		}
		src := s.source(in, k.Src)
		for l := range delta.All() {
			if x, ok := s.shift(l, k.Off); ok {
				s.storeEdge(x, src, c.inst, k.Arg)
			}
		}
	case OpBox:
		for l := range delta.All() {
			if s.ownerOf(l) >= 0 {
				s.addPts(dst, s.box(box{TypeID(k.Arg), l}))
			}
		}
	case OpUnbox:
		for l := range delta.All() {
			if b, ok := s.boxAt(l); ok && b.typ == TypeID(k.Arg) {
				s.addPts(dst, b.loc)
			}
		}
	case OpUnboxVal:
		for l := range delta.All() {
			if b, ok := s.boxAt(l); ok && b.typ == TypeID(k.Arg) {
				if x, ok := s.shift(b.loc, k.Off); ok {
					s.loadEdges(x, dst, 0)
				}
			}
		}
	case OpFilter:
		for l := range delta.All() {
			if b, ok := s.boxAt(l); ok && s.p.implements(b.typ, TypeID(k.Arg)) {
				s.addPts(dst, l)
			}
		}
	case OpNotType:
		for l := range delta.All() {
			if b, ok := s.boxAt(l); !ok || b.typ != TypeID(k.Arg) {
				s.addPts(dst, l)
			}
		}
	case OpOfType:
		t := &in.fn.TypeTests[k.Arg]
		for l := range delta.All() {
			if s.passes(l, t) {
				s.addPts(dst, l)
			}
		}
	case OpNotMade, OpNotGlobal:
		for l := range delta.All() {
			if !s.isSentinel(l, k) {
				s.addPts(dst, l)
			}
		}
	}
}

// part returns the part that an OpElem selects in an instance.
func (s *solver) part(in *instance, c *Constraint) uint8 {
	switch c.Part {
	case partByTag:
		if c.Mask&in.ctx.own != 0 {
			return in.ctx.tag
		}
		return partAny
	case partOfTag:
		return in.ctx.tag
	}
	return c.Part
}

// shift adds an offset to a location; ok is false if that leaves the object,
// which happens where types do not match.
func (s *solver) shift(loc, off int32) (int32, bool) {
	oid := s.ownerOf(loc)
	if oid < 0 {
		return 0, false
	}
	o := s.object(oid)
	if len(o.layout.Leaves) == 1 && o.layout.Collapsed {
		return o.loc, true
	}
	x := loc + off
	return x, x >= o.loc && x < o.loc+o.layout.Len()
}

// shiftElem moves from the start of an array to the start of one of its parts.
func (s *solver) shiftElem(loc, off, size int32) (int32, bool) {
	if off == 0 {
		return s.shift(loc, 0)
	}
	oid := s.ownerOf(loc)
	if oid < 0 {
		return 0, false
	}
	o := s.object(oid)
	x := &o.layout.Leaves[loc-o.loc]
	if x.PartSize != size || x.Part != partAny {
		return loc, true // already in a part, or an array without parts
	}
	return loc + off, true
}

func (s *solver) leafAt(loc int32) *Leaf {
	o := s.object(s.ownerOf(loc))
	return &o.layout.Leaves[loc-o.loc]
}

// overlapping calls f for every location that a read of loc also reads: part
// any overlaps both sides.
func (s *solver) overlapping(loc int32, f func(int32)) {
	f(loc)
	x := s.leafAt(loc)
	if x.PartSize == 0 {
		return
	}
	switch x.Part {
	case partAny:
		f(loc + x.PartSize)
		f(loc + 2*x.PartSize)
	default:
		f(loc - int32(x.Part)*x.PartSize)
	}
}

// loadEdges makes pts(dst) ⊇ the content of loc.
func (s *solver) loadEdges(loc, dst int32, own uint8) {
	if s.base != nil {
		s.ov.load(loc, dst, own)
		return
	}
	s.expand(loc)
	s.overlapping(loc, func(l int32) { s.addEdge(l, dst) })
}

// storeEdge makes the content of loc ⊇ pts(src).
func (s *solver) storeEdge(loc, src int32, writer InstID, fact int32) {
	if s.base != nil {
		s.ov.store(loc, src)
		return
	}
	if s.naive && s.hasPred(loc, pred{src, writer, fact}) {
		s.addEdge(src, loc)
		return
	}
	s.storing[loc] = append(s.storing[loc], pred{src, writer, fact})
	s.addEdge(src, loc)
}

// constant returns a node that holds one location. Where an object gets an address
// in itself, each of those that a store may mean gets its own: if they were taken
// together, all would lead to each other.
func (s *solver) constant(loc int32) int32 {
	n, ok := s.constants[loc]
	if !ok {
		n = s.addNodes(1)
		s.constants[loc] = n
		s.addPts(n, loc)
	}
	return n
}

func (s *solver) hasPred(loc int32, p pred) bool {
	for _, q := range s.storing[loc] {
		if p == q {
			return true
		}
	}
	return false
}

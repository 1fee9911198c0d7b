package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// This file asks whether an object travels: whether at each time one thread has it, which
// hands it on through a channel, a pool or a go statement, or keeps it in one place
// meanwhile, and does not touch it after it has handed it on (soundness: travels).
//
//	buf := <-free                 s.current = <-full
//	fill(buf)                     read(s.current)
//	full <- buf                   free <- s.current
//	                              s.current = nil
//
// It is a matter of the functions that have pointers to what is made at one place, each by
// itself (strand.go). None of them may show that a pointer is stored, sent or handed to a
// goroutine twice, or that one of the two accesses in question comes after it was given away;
// and who gives away what he has found in a field sets the field anew. Then two threads
// that come by the object from different places have it one after the other. If both find it in
// one place, the same is asked of the object that this place belongs to.
//
// That an object lies in a channel or a pool says that it is meant to be handed on. That a goroutine
// is started with it does not: it may be what all of them share. There the functions that start
// goroutines must give it up (handover.go), and all that shows where the two threads have it
// from is looked at: what calls have returned, and where it was put before it was touched.

// Travels reports whether the accesses of a race go to an object that travels.
func (v *View) Travels(r *model.Race) bool {
	obj, ok := v.describedBase(r.Object)
	if !ok || r.A.Index < 0 || r.B.Index < 0 {
		return false
	}
	var ends [2][]touchAt
	for i, x := range []*model.Access{r.A, r.B} {
		ref := accRef{InstID(x.Inst), x.Index}
		a := v.access(ref)
		ends[i] = []touchAt{{v.ov.inst(ref.inst).fn.ID, a.Node, a.At, false}}
	}
	k := journey{obj, ends[0][0], ends[1][0]}
	out, known := v.journeys[k]
	if !known {
		if v.journeys == nil {
			v.journeys = make(map[journey]bool)
		}
		out = v.travels(obj, ends)
		v.journeys[k] = out
	}
	return out
}

// PutTwice reports whether the code shows that an object is put into two places.
func (v *View) PutTwice(o *model.Object) bool {
	obj, ok := v.describedBase(o)
	return ok && obj >= 0 && obj < v.ov.firstObj && v.res.base.s.mayTravel(obj) && v.travellerOf(obj).broken
}

const (
	maxTravelling = 5000 // values that one question looks at
	maxCarriers   = 3    // objects that keep each other
)

// A touchAt is an instruction that touches what a value of a function points to.
type touchAt struct {
	fn     FuncID
	node   Node
	at     ssair.Instr
	beside bool // what the object keeps is touched, by another pointer to that
}

// A journey names a question to Travels.
type journey struct {
	obj  int32
	a, b touchAt
}

func (v *View) travels(obj int32, ends [2][]touchAt) bool {
	if obj < 0 || obj >= v.ov.firstObj || !v.res.base.s.mayTravel(obj) {
		return false
	}
	if v.res.givenAway(obj) && v.travellerOf(obj).gives {
		return (&trip{v: v}).goes(obj, ends, 0)
	}
	j := &trip{v: v, strict: true}
	return v.res.handedOver(obj) && j.goes(obj, ends, 0) && j.handed
}

// A trip is an answer to Travels on the way.
type trip struct {
	v *View
	// strict is set if no channel or pool has the object: it is only known to be handed on by
	// what is given up when a goroutine is started with it.
	strict bool
	handed bool // it was seen to be
}

func (j *trip) goes(obj int32, ends [2][]touchAt, depth int) bool {
	v, s := j.v, j.v.res.base.s
	if obj < 0 || obj >= v.ov.firstObj || depth == maxCarriers || !s.mayTravel(obj) {
		return false
	}
	t := v.travellerOf(obj)
	if t.broken {
		return false
	}
	touched := make(map[*strand][]event)
	var from [2][]touchAt
	var cells [2]map[int32]bool
	for i := range ends {
		cells[i] = make(map[int32]bool)
		some := false
		for _, x := range ends[i] {
			for _, m := range t.touchedBy(x) {
				some = true
				if j.strict && m.e.does&doesStart != 0 {
					if m.e.does&doesShare != 0 {
						return false
					}
					j.handed = true
				}
				m.e.does |= doesFirst << i
				touched[m.w] = append(touched[m.w], m.e)
				if !j.strict {
					from[i] = append(from[i], m.w.found(cells[i])...)
					continue
				}
				from[i] = append(from[i], m.w.origins(cells[i], make(map[*strand]bool))...)
				from[i] = append(from[i], m.w.left(&m.e, cells[i])...)
			}
		}
		if !some {
			return false
		}
	}
	for w, events := range touched {
		if w.misused(append(events, w.events...), j.strict) {
			return false
		}
	}
	var owners []int32
	for x := range cells[0] {
		s.overlapping(x, func(y int32) {
			if cells[1][y] {
				owners = append(owners, s.ownerOf(x))
			}
		})
	}
	return !slices.ContainsFunc(sortedUnique(owners), func(o int32) bool { return !j.goes(o, from, depth+1) })
}

// A traveller is all that has pointers to what is made at one place.
type traveller struct {
	v       *View
	s       *solver
	names   *bitset.Set
	maker   InstID // that makes the object
	frames  map[InstID]*frameStrands
	order   []*frameStrands
	gives   bool // some thread gives it away
	broken  bool // the code shows that it is put into two places, or there is too much to look at
	touches map[touchAt][]touching

	placed *placement // once asked for
}

// A touching is an event by which a strand is touched.
type touching struct {
	w *strand
	e event
}

// travellerOf returns what has pointers to an object where the loop runs.
func (v *View) travellerOf(obj int32) *traveller {
	if t := v.travellers[obj]; t != nil {
		return t
	}
	if v.travellers == nil {
		v.travellers = make(map[int32]*traveller)
	}
	h := v.res.holdersOf(obj)
	t := &traveller{v: v, s: v.res.base.s, names: h.names, maker: v.res.base.s.object(obj).inst, frames: make(map[InstID]*frameStrands), touches: make(map[touchAt][]touching)}
	v.travellers[obj] = t
	n := 0
	for _, in := range h.in {
		if v.scope().in[in.id] {
			n += len(in.nodes)
			t.broken = t.broken || t.partSentAgain(in.id)
			t.frames[in.id] = newFrameStrands(t, in)
			t.order = append(t.order, t.frames[in.id])
		}
	}
	if t.broken = t.broken || n > maxTravelling; t.broken {
		return t
	}
	for _, f := range t.order {
		f.look()
	}
	for _, f := range t.order {
		for _, w := range f.strands {
			t.gives = t.gives || w.does&doesGive != 0
		}
	}
	for _, f := range t.order {
		for _, w := range f.strands {
			t.broken = t.broken || w.misused(w.events, false)
		}
	}
	return t
}

// partSentAgain reports whether an instance sends a struct that the object lies in, and puts that into another one, too.
func (t *traveller) partSentAgain(id InstID) bool {
	in := t.s.inst(id)
	if !slices.ContainsFunc(in.fn.Facts, func(f StoreFact) bool { return f.Part }) {
		return false
	}
	return slices.ContainsFunc(in.fn.Constraints, func(c Constraint) bool {
		return c.Op == OpStore && c.Arg >= 0 && in.fn.Facts[c.Arg].Part && t.s.pts(in.node(c.Src)).Intersects(t.names)
	})
}

// touchedBy lists by what strands an instruction touches the object, of the functions
// that pass it down, too.
func (t *traveller) touchedBy(x touchAt) []touching {
	if out, known := t.touches[x]; known {
		return out
	}
	var out []touching
	add := func(m touching) {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	for _, f := range t.order {
		if w := f.of[x.node]; w != nil && f.in.fn.ID == x.fn {
			add(touching{w, event{at: x.at, operand: -1, value: x.node, beside: x.beside}})
		}
	}
	for i := 0; i < len(out); i++ {
		m := out[i]
		for _, up := range m.w.above {
			up.e.does |= m.e.does & (doesStart | doesShare)
			add(up)
		}
		for _, up := range m.w.callers {
			if m.w.isReturned(&m.e) {
				up.e.does |= m.e.does & (doesStart | doesShare)
				add(up)
			}
		}
	}
	t.touches[x] = out
	return out
}

// holds reports whether a node may hold a pointer to the object.
func (t *traveller) holds(n int32) bool { return t.s.pts(n).Intersects(t.names) }

// mayTravel reports whether an object is one that the program makes, or that what it is
// given holds, and neither a variable nor a channel.
func (s *solver) mayTravel(oid int32) bool {
	o := s.object(oid)
	switch o.kind {
	case objAlloc:
		a := &s.inst(o.inst).fn.Allocs[o.alloc]
		return a.Kind != AllocChan && a.Kind != AllocClosure && a.Word != "var"
	case objSym:
		return o.parent >= 0 && o.lkind != LeafChan
	}
	return false
}

// medium reports whether a location is that of a pool or a channel's.
func (t *traveller) medium(l int32) bool {
	oid := t.s.ownerOf(l)
	return t.s.leafAt(l).Pool || t.s.isChan(oid)
}

// isChan reports whether an object is a channel.
func (s *solver) isChan(oid int32) bool {
	o := s.object(oid)
	return o.kind == objSym && o.lkind == LeafChan || o.kind == objAlloc && s.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocChan
}

// givenAway reports whether a pool or a channel of the base holds what is made where an object is:
// few objects lie in any, and to find all that have pointers to one is dear.
func (r *Result) givenAway(obj int32) bool {
	s := r.base.s
	r.onces.given.Do(func() {
		r.given = new(bitset.Set)
		for oid := range s.objects {
			o := &s.objects[oid]
			for i := range o.layout.Leaves {
				if l := o.loc + int32(i); o.layout.Leaves[i].Pool || s.isChan(int32(oid)) {
					r.given.Union(s.pts(l), nil)
				}
			}
		}
	})
	return r.anyOf(r.given, obj)
}

// handedOver reports whether a goroutine may be started with what is made where an object is, or with what
// leads there, and the function that starts it gives that up.
func (r *Result) handedOver(obj int32) bool {
	s := r.base.s
	r.onces.handed.Do(func() {
		r.handed = new(bitset.Set)
		var work []int32
		reach := func(set *bitset.Set) {
			for x := range set.All() {
				if r.handed.Add(x) {
					if b, ok := s.boxAt(x); ok {
						x = b.loc
					}
					work = append(work, s.ownerOf(x))
				}
			}
		}
		for id := range s.insts {
			in := s.inst(InstID(id))
			for k := range in.fn.Calls {
				for _, a := range in.fn.Calls[k].Args {
					if a.Gives && a.Node != None {
						for j := range Node(a.Len) {
							reach(s.pts(in.node(a.Node + j)))
						}
					}
				}
			}
			for k := range in.fn.Allocs {
				for i, gives := range in.fn.Allocs[k].Gives {
					if n := in.fn.Allocs[k].Binds[i]; gives && n != None {
						for x := range s.pts(in.node(n)).All() {
							reach(s.pts(x))
						}
					}
				}
			}
		}
		seen := make(map[int32]bool)
		for depth := 1; depth < maxCarriers; depth++ {
			level := work
			work = nil
			for _, oid := range level {
				if oid < 0 || seen[oid] {
					continue
				}
				seen[oid] = true
				o := s.object(oid)
				for i := range o.layout.Leaves {
					if o.layout.Leaves[i].Ptr {
						reach(s.pts(o.loc + int32(i)))
					}
				}
			}
		}
	})
	return r.anyOf(r.handed, obj)
}

// anyOf reports whether a set has a location of what is made where an object is, or a box of it.
func (r *Result) anyOf(set *bitset.Set, obj int32) bool {
	s := r.base.s
	for _, oid := range r.madeWith(obj) {
		o := s.object(oid)
		if set.HasRange(o.loc, o.loc+o.layout.Len()) || slices.ContainsFunc(r.boxesOf(s)[oid], func(b int32) bool { return set.Has(b) }) {
			return true
		}
	}
	return false
}

// madeWith lists the objects of the base that are made where one is.
func (r *Result) madeWith(obj int32) []int32 {
	s := r.base.s
	if o := s.object(obj); o.kind == objAlloc {
		f := s.inst(o.inst).fn
		return r.madeAt(madeAt{f.ID, f.Allocs[o.alloc].At})
	}
	return []int32{obj}
}

// The holders of what is made at one place.
type holders struct {
	names *bitset.Set
	in    []holder
}

// A holder is an instance of the base and its values that may be pointers to the object.
type holder struct {
	id    InstID
	nodes []Node
}

// holdersOf finds the holders of an object of the base, and of all others that are made
// at the same place. It is the same for all loops.
func (r *Result) holdersOf(obj int32) *holders {
	s := r.base.s
	all := r.madeWith(obj)
	return remembered(&r.mu, r.holders, all[0], func() *holders {
		h := &holders{names: new(bitset.Set)}
		for _, oid := range all {
			o := s.object(oid)
			for l := o.loc; l < o.loc+o.layout.Len(); l++ {
				h.names.Add(l)
			}
			for _, b := range r.boxesOf(s)[oid] {
				h.names.Add(b)
			}
		}
		for _, n := range r.holding().of(h.names) {
			id, value := s.valueOf(n)
			if k := len(h.in); k == 0 || h.in[k-1].id != id {
				h.in = append(h.in, holder{id: id})
			}
			in := &h.in[len(h.in)-1]
			in.nodes = append(in.nodes, value)
		}
		return h
	})
}

package pta

import (
	"slices"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
)

// This file asks who put an object into the elements that a load may read.
// Where one store did that, and did it once, only one element holds the object.

// A filling is what is known of the stores that put some objects into a
// collection.
type filling struct {
	v     *View
	objs  map[int32]bool
	count map[int32]int // stores, by object
	once  bool          // each runs once, or stores what was made for it each time
	runs  bool          // each must run once
	again bool          // some store a value that the code shows to be stored again
	seen  map[fill]bool
	lists map[filledBy]bool // whose elements were counted
	vias  int
}

// A filledBy is an instruction that puts what a list holds into another one; both copies of it, in a
// split loop, are one.
type filledBy struct {
	at  Site
	via int
}

// A fill is a store into the collection itself, via 0, or into one of which a
// copy put everything there. What grows by append has several memories, and a
// store has each of them as its target.
type fill struct {
	pred
	via int
}

// StoredOnce reports whether an object was put into the collection that a load
// reads by one store that runs once, or that stores what was made for it each
// time: then no two elements hold it.
func (v *View) StoredOnce(load Site, o *model.Object) bool {
	f, ok := v.filling(load, o)
	return ok && f.filledOnce()
}

// RowsOnce is StoredOnce for the slices of which the load that a chain ends with reads
// an element, and the load that gives it the slice.
func (v *View) RowsOnce(c Chain) bool {
	s := c.Sites[len(c.Sites)-1]
	from, ok := v.RowAt(c)
	if !ok || from.Round || from.Recv {
		return false
	}
	in := v.ov.inst(s.Inst)
	rows, once := make(map[int32]bool), true
	for k := range in.fn.Accesses {
		if x := &in.fn.Accesses[k]; x.At == s.At && x.Root.Row {
			v.ov.locations(in, x, func(loc int32) {
				obj := v.baseOf(loc)
				once = once && obj >= 0
				rows[obj] = true
			})
		}
	}
	load := from.Sites[len(from.Sites)-1]
	for obj := range rows {
		if !once {
			break
		}
		once = v.fillingOf(load, obj).filledOnce()
	}
	return once && len(rows) > 0
}

// StoredAgain reports whether the code shows that an object is put into the
// collection that a load reads more than once.
func (v *View) StoredAgain(load Site, o *model.Object) bool {
	f, ok := v.filling(load, o)
	return ok && f.again
}

// A Run is a dynamic call, and the instance by which it runs a function.
type Run struct {
	Call   Site
	Callee InstID
}

// HeldOnce is StoredOnce for the function that two dynamic calls run, each by an instance:
// whether it is one for both, and one element only holds it. (Closures that are
// made one after the other, or for two receivers, have one code. They are told apart if the
// instances are of different makers.) It is asked of each
// pair of accesses below such a call: a quarter of the samples of a web framework's tests.
func (v *View) HeldOnce(load Site, a, b Run) bool {
	k := heldKey{load, a, b}
	held, ok := v.held[k]
	if !ok {
		if v.held == nil {
			v.held = make(map[heldKey]bool)
		}
		held = v.heldOnce(k)
		v.held[k] = held
	}
	return held
}

type heldKey struct {
	load Site
	a, b Run
}

func (v *View) heldOnce(key heldKey) bool {
	x, one := v.runs(key.a)
	y, _ := v.runs(key.b)
	if !one || x != y {
		return false
	}
	f := v.newFilling()
	f.runs = true
	f.objs[x] = true
	f.fill(key.load)
	return f.filledOnce()
}

// runs returns the object of the base that is the one function which a call runs by an instance, if there is one only.
func (v *View) runs(r Run) (obj int32, ok bool) {
	obj = -1
	in, callee := v.ov.inst(r.Call.Inst), v.ov.inst(r.Callee)
	for k := range in.fn.Calls {
		c := &in.fn.Calls[k]
		if c.At != r.Call.At || c.Kind != CallDynamic {
			continue
		}
		for _, e := range in.callees[k] {
			// Who spawns is an instance of the base, which calls those that the iterations have there.
			x := v.ov.inst(e.callee)
			if x.fn != callee.fn || x.ctx.site != callee.ctx.site || x.ctx.fill != callee.ctx.fill {
				continue
			}
			if e.obj < 0 {
				return v.onlyFunc(in, c, callee.fn.ID)
			}
			oid := v.ov.ownerOf(v.canonical(v.ov.object(e.obj).loc))
			if oid < 0 || oid >= v.ov.firstObj || obj >= 0 && obj != oid {
				return -1, false
			}
			obj = oid
		}
	}
	return obj, obj >= 0
}

// onlyFunc returns the object of the base by which alone a call may run a function that captures nothing.
func (v *View) onlyFunc(in *instance, c *Call, fn FuncID) (obj int32, ok bool) {
	obj = -1
	for l := range v.ov.pts(in.node(c.Fn)).All() {
		if oid := v.ov.ownerOf(v.canonical(l)); oid >= 0 && v.ov.object(oid).fn == fn {
			if obj >= 0 && obj != oid {
				return -1, false
			}
			obj = oid
		}
	}
	return obj, obj >= 0
}

func (f *filling) filledOnce() bool {
	for _, n := range f.count {
		f.once = f.once && n == 1
	}
	return f.once && len(f.count) == len(f.objs)
}

func (v *View) newFilling() *filling {
	return &filling{v: v, objs: make(map[int32]bool), count: make(map[int32]int), seen: make(map[fill]bool), lists: make(map[filledBy]bool), once: true}
}

func (v *View) filling(load Site, o *model.Object) (*filling, bool) {
	obj, ok := v.describedBase(o)
	if !ok || obj < 0 {
		return nil, false
	}
	return v.fillingOf(load, obj), true
}

func (v *View) fillingOf(load Site, obj int32) *filling {
	f := v.newFilling()
	f.objs[obj] = true
	f.fill(load)
	return f
}

// fill looks at the stores into the elements that a load reads.
func (f *filling) fill(load Site) {
	v := f.v
	in := v.ov.inst(load.Inst)
	see := func(y int32) {
		f.given(y)
		f.stores(y, 0, maxCopied)
	}
	// A load in a split loop is there twice, once for each copy of the body.
	for k := range in.fn.Accesses {
		x := &in.fn.Accesses[k]
		if x.At != load.At {
			continue
		}
		v.ov.locations(in, x, func(loc int32) {
			if loc >= v.ov.first {
				f.once = false // made by an iteration: the base does not know who wrote
				if loc = v.canonical(loc); loc >= v.ov.first {
					return
				}
			} else if n, shadow := v.ov.shadows[loc]; shadow && f.among(v.ov.pts(n)) {
				f.once = false // an iteration stores there too
			}
			if x.Flags&FlagMap != 0 { // recorded on the map's header
				o := v.ov.object(v.ov.ownerOf(loc))
				for y := o.loc; y < o.loc+o.layout.Len(); y++ {
					see(y)
				}
				return
			}
			v.ov.overlapping(loc, see)
		})
	}
}

// given counts the objects of the unknown outside that a location of the base holds from the start: each of those
// for which they stand lies in one element (soundness: symbolic-distinct).
func (f *filling) given(y int32) {
	s := f.v.ov.base
	for obj := range f.objs {
		if o := s.object(obj); o.kind == objSym && !o.several() && f.count[obj] == 0 && s.isOutside(y, obj) {
			f.count[obj]++
		}
	}
}

// among reports whether a set has one of the objects.
func (f *filling) among(set *bitset.Set) bool {
	for obj := range f.objs {
		if set.Intersects(f.v.namesOf(obj)) {
			return true
		}
	}
	return false
}

// maxCopied bounds the collections that are copied into each other.
const maxCopied = 4

// stores counts what is stored at a location of the base. Of a collection that
// is copied, what counts is who filled it.
func (f *filling) stores(y int32, via, depth int) {
	base := f.v.ov.base
	for _, p := range base.storesTo(y) {
		if f.seen[fill{p, via}] {
			continue
		}
		f.seen[fill{p, via}] = true
		once := false
		if p.fact >= 0 {
			in := base.inst(p.inst)
			fact := &in.fn.Facts[p.fact]
			single := !fact.Plain && fact.Loop < 0 && f.v.ov.res.once(p.inst)
			if fact.Several && fact.From != None && depth > 0 {
				f.once = f.once && (single || !f.holds(p.src))
				f.copied(in.node(fact.From), depth-1)
				continue
			}
			if k := (filledBy{Site{p.inst, fact.At}, via}); fact.Several && fact.Fresh {
				if f.lists[k] {
					continue // the same store, to the elements' other names
				}
				f.lists[k] = true
			}
			if depth > 0 && f.holds(p.src) {
				if list, at, ok := f.v.ov.res.eachIn(p, f.holds); ok {
					if k := (filledBy{at, via}); !f.lists[k] {
						f.lists[k] = true
						f.copied(list, depth-1)
					}
					continue
				}
			}
			once = fact.Fresh && !f.runs || (single || f.runs && (f.literal(p, y) || f.passedOnce(p))) && !fact.Several
			if fact.Again && f.holds(p.src) {
				f.again = true
			}
		}
		for l := range base.pts(p.src).All() {
			if oid := f.v.ov.ownerOf(f.v.unboxed(l)); f.objs[oid] {
				f.count[oid]++
				f.once = f.once && once
			}
		}
	}
}

// passedOnce reports whether a store puts its function's parameter into the list, and one call, in what runs once, passes
// what is asked about there:
//
//	func newPump(l *lifecycle) *pump {
//		p := &pump{}
//		l.add(func() { p.on = true }) // of one pump
func (f *filling) passedOnce(p pred) bool {
	r := f.v.ov.res
	in := r.s.inst(p.inst)
	fact := &in.fn.Facts[p.fact]
	if fact.Plain || fact.Loop >= 0 || !fact.Only {
		return false
	}
	k := fact.Given - 1
	for depth := 0; depth < maxPassedOn; depth++ {
		from, by := r.s.passing(in, k, f.holds)
		if by == nil || by.Each != None {
			return false
		}
		if in = r.s.inst(from.Inst); !slices.Contains(in.fn.Params, by.Node) {
			return r.once(from.Inst)
		}
		k = int32(slices.Index(in.fn.Params, by.Node))
	}
	return false
}

// literal reports whether a store fills an element of a literal of its function: each run
// has a list of its own, with that element in one place.
func (f *filling) literal(p pred, y int32) bool {
	base := f.v.ov.base
	in := base.inst(p.inst)
	fact := &in.fn.Facts[p.fact]
	if fact.Plain || fact.Loop >= 0 {
		return false
	}
	o := base.object(base.ownerOf(y))
	if o.kind != objAlloc || o.inst != p.inst || in.fn.Allocs[o.alloc].Word != "literal" {
		return false
	}
	defs := f.v.res.defs(in.fn)
	made := func(n Node) bool {
		for len(defs[n]) == 1 {
			switch c := &in.fn.Constraints[defs[n][0]]; c.Op {
			case OpAddr:
				return true
			case OpOffset, OpElem:
				n = c.Src
			default:
				return false
			}
		}
		return false
	}
	return slices.ContainsFunc(in.fn.Constraints, func(s Constraint) bool {
		return s.Op == OpStore && s.Arg == p.fact && in.node(s.Src) == p.src && made(s.Dst)
	})
}

// holds reports whether a node of the base may be one of the objects.
func (f *filling) holds(n int32) bool {
	for l := range f.v.ov.base.pts(n).All() {
		if f.objs[f.v.ov.ownerOf(f.v.unboxed(l))] {
			return true
		}
	}
	return false
}

// copied counts what was stored in the collections that a node points to.
func (f *filling) copied(n int32, depth int) {
	f.vias++
	via := f.vias
	base := f.v.ov.base
	for l := range base.pts(n).All() {
		base.overlapping(l, func(y int32) { f.stores(y, via, depth) })
	}
}

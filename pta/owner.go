package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// This file tells objects of one allocation site apart by who owns them. The
// arrays of all buffers are made by one line of the buffer's method, so that
// one abstract object stands for them. But if whatever is stored in the field is
// new, or comes from that very field, no array is ever in the field of two
// buffers: to meet at the array is to meet at the buffer.

// maxOwners bounds the owners of owners that are compared.
const maxOwners = 4

// maxMeetings bounds the meetings of one race.
const maxMeetings = 64

// maxJoined bounds the ways on one side of a meeting.
const maxJoined = 400

// A Meeting is ways in which the two accesses of a race may get at one and the
// same object: each of A with each of B. A logger's buffer is written by forty
// calls on either side, which are one meeting and not 1600 pairs.
type Meeting struct{ A, B []Way }

// maxAsked bounds the pairs of pointers to owners that are looked at for one race:
// each of a few dozen has as many to its owner, four owners up.
const maxAsked = 500

// Meetings returns the ways in which the accesses of a race may get at one
// and the same object, each as far up as the owners of the object are known;
// none if they never do, or always in different fields of it. It reports false if there are
// too many, or if they cannot be followed.
func (v *View) Meetings(r *model.Race) (out []Meeting, ok bool) { return v.meetings(r, false) }

// MeetingsByStores is Meetings, where a frame has what it makes from the place that it puts it into, if that is the only one
// that ever has it:
//
//	o.tags = append(o.tags, "x")
//	o.tags = append(o.tags, "y") // into what the line before has made, or what was there
//
// Whoever asks sees to it that the access comes to it by such a place.
func (v *View) MeetingsByStores(r *model.Race) (out []Meeting, ok bool) { return v.meetings(r, true) }

func (v *View) meetings(r *model.Race, byStores bool) (out []Meeting, ok bool) {
	obj, ok := v.describedBase(r.Object)
	if !ok || r.A.Index < 0 || r.B.Index < 0 {
		return nil, false
	}
	a, b := v.accessOf(r.A), v.accessOf(r.B)
	if (a.Flags|b.Flags)&FlagDeep != 0 {
		return nil, false
	}
	k := ownerPair{obj, point{InstID(r.A.Inst), a.Node}, point{InstID(r.B.Inst), b.Node}}
	compared := &v.compared
	if byStores {
		compared = &v.byStores
	}
	out, known := (*compared)[k]
	if !known {
		c := &comparison{v: v, seen: make(map[ownerPair]bool), byStores: byStores}
		if ms, ok := c.meetings(obj, k.a, k.b, maxOwners); ok && c.asked <= maxAsked {
			out = append([]Meeting{}, ms...)
		}
		if *compared == nil {
			*compared = make(map[ownerPair][]Meeting)
		}
		(*compared)[k] = out
	}
	if out == nil {
		return nil, false
	}
	return v.byFields(obj, r, out), true
}

// SeveralOwners reports whether the object of a race is put into several objects,
// of each of which there is one. A store that may mean either of two owners, as
// one in a method of theirs, shows nothing of them.
func (v *View) SeveralOwners(r *model.Race) bool {
	obj, ok := v.describedBase(r.Object)
	if !ok || obj >= v.ov.firstObj || r.A.Index < 0 || r.B.Index < 0 {
		return false
	}
	base := v.ov.base
	type store struct {
		inst InstID
		fact int32
	}
	var owners []int32
	by := make(map[store][]int32) // the owners that a store may put the object into
	add := func(s store, owner int32) {
		if !slices.Contains(by[s], owner) {
			by[s] = append(by[s], owner)
		}
	}
	for _, x := range []*model.Access{r.A, r.B} {
		ways, ok := v.ways(point{InstID(x.Inst), v.accessOf(x).Node}, obj)
		if !ok {
			return false
		}
		for i := range ways {
			for _, c := range ways[i].cells {
				owner, c := v.baseOf(c), v.canonical(c)
				if c >= v.ov.first || v.ov.manyObject(owner) {
					continue
				}
				owners = append(owners, owner)
				if base.isOutside(c, obj) {
					add(store{-1, c}, owner) // whoever calls has put it there
				}
				v.storers(c, obj, func(p pred, _ int32) {
					if p.fact >= 0 {
						add(store{p.inst, p.fact}, owner)
					}
				})
			}
		}
	}
	alone := make(map[int32]bool)
	for _, of := range by {
		if len(of) == 1 {
			alone[of[0]] = true
		}
	}
	slices.Sort(owners)
	n := 0
	for _, o := range slices.Compact(owners) {
		if alone[o] && o != obj { // what leads to itself, as an empty ring does, has no owner more by that
			n++
		}
	}
	return n > 1
}

// Leads returns the calls that pass the address of an object down to an access of
// it, those of each way from the outermost in, and false if there are too many
// ways, or if they cannot be followed.
func (v *View) Leads(x *model.Access, o *model.Object) (calls [][]Site, ok bool) {
	obj, ok := v.describedBase(o)
	if !ok || x.Index < 0 {
		return nil, false
	}
	a := v.accessOf(x)
	if a.Flags&FlagDeep != 0 {
		return nil, false
	}
	ways, ok := v.ways(point{InstID(x.Inst), a.Node}, obj)
	for i := range ways {
		calls = append(calls, ways[i].Calls)
	}
	return calls, ok && len(calls) > 0
}

// A comparison looks for the owners that two pointers may have in common.
type comparison struct {
	v     *View
	seen  map[ownerPair]bool // under way
	asked int                // pairs of ways looked at
	// swap is set if fields that change places count as each having its own, and swaps tells what
	// does that: see swap.go.
	swap  bool
	swaps Swapping
	// byStores is set if what a frame makes counts as had from where it is put, see MeetingsByStores.
	byStores bool
}

type ownerPair struct {
	obj  int32
	a, b point
}

func (c *comparison) meetings(obj int32, a, b point, depth int) (out []Meeting, ok bool) {
	xs, ok := c.v.waysBy(a, obj, throughClosures)
	if !ok {
		return nil, false
	}
	ys, ok := c.v.waysBy(b, obj, throughClosures)
	if !ok {
		return nil, false
	}
	ownA, restA := c.split(obj, xs, depth)
	ownB, restB := c.split(obj, ys, depth)
	if len(restA) > 0 && len(ys) > 0 {
		out = append(out, Meeting{restA, slices.Concat(slices.Concat(ownB...), restB)})
	}
	if len(ownA) > 0 && len(restB) > 0 {
		out = append(out, Meeting{slices.Concat(ownA...), restB})
	}
	for _, x := range ownA {
		for _, y := range ownB {
			if out = append(out, c.refine(obj, x, y, depth)...); len(out) > maxMeetings {
				return nil, false
			}
		}
	}
	return out, true
}

// split parts the ways to an object that begin at an owner, which alone has it,
// from the rest, and notes in them what they lead to. Those that begin with one
// pointer to an owner are together.
func (c *comparison) split(obj int32, ways []Way, depth int) (own [][]Way, rest []Way) {
	for _, w := range ways {
		if c.byStores && len(w.cells) == 0 {
			w = c.v.fromStore(obj, w) // whether no other place has it is asked below
		}
		w.obj, w.Passed = obj, w.Calls[:min(1, len(w.Calls))]
		if depth == 0 || len(w.cells) == 0 || !c.v.sole(obj, w.cells) && !(c.swap && c.changePlaces(obj, &w)) {
			rest = append(rest, w)
			continue
		}
		k := slices.IndexFunc(own, func(o []Way) bool { return o[0].from == w.from && slices.Equal(o[0].cells, w.cells) })
		if k < 0 {
			k = len(own)
			own = append(own, nil)
		}
		own[k] = append(own[k], w)
	}
	return own, rest
}

// fromStore is a way that begins where its object is made as one from a place that it is put into there, if it is.
func (v *View) fromStore(obj int32, w Way) Way {
	o, ok := v.ov.allocated(obj)
	fn := v.ov.inst(w.from.inst).fn
	if !ok || v.ov.inst(o.inst).fn != fn {
		return w
	}
	k := slices.IndexFunc(fn.Constraints, func(c Constraint) bool {
		return c.Op == OpStore && (c.Src == w.from.node || v.res.isMade(fn, c.Src, o.alloc))
	})
	if k < 0 {
		return w
	}
	put := &fn.Constraints[k]
	t := &tracer{v: v, obj: obj, names: v.namesOf(obj)}
	from := t.outside(point{w.from.inst, put.Dst})
	if cells := t.cells(from, &Constraint{Op: OpLoad, Src: put.Dst, Off: put.Off}); len(cells) <= maxCells {
		w.cells, w.from, w.load, w.off = cells, from, from, put.Off
	}
	return w
}

// refine follows ways to an object, those of either side from one pointer, up to
// the owners that may be one; there are none if the ways never lead to one
// concrete object.
func (c *comparison) refine(obj int32, xs, ys []Way, depth int) (out []Meeting) {
	same := []Meeting{{xs, ys}}
	if c.asked++; c.asked > maxAsked {
		return same
	}
	x, y := &xs[0], &ys[0]
	for _, owner := range c.v.commonOwners(x, y) {
		k := ownerPair{owner, x.from, y.from}
		if c.seen[k] {
			return same // a list, for example
		}
		c.seen[k] = true
		above, ok := c.meetings(owner, x.from, y.from, depth-1)
		delete(c.seen, k)
		if !ok {
			return same
		}
		for _, m := range above {
			if max(len(m.A)*len(xs), len(m.B)*len(ys)) > maxJoined {
				return same
			}
			out = append(out, Meeting{down(m.A, xs), down(m.B, ys)})
		}
	}
	return out
}

// commonOwners lists the owners from which both ways may have their object, in order.
func (v *View) commonOwners(x, y *Way) []int32 {
	var owners []int32
	for _, p := range x.cells {
		for _, q := range y.cells {
			if v.meet(p, q) {
				owners = append(owners, v.baseOf(p))
			}
		}
	}
	return sortedUnique(owners)
}

// down joins each of the ways to an owner with each of those from there to what
// it owns.
func down(above, ways []Way) []Way {
	var out []Way
	for _, w := range above {
		w.Up++
		for i := range ways {
			x := &ways[i]
			d := w
			d.loose = w.loose || x.loose
			if w.Up == 1 {
				d.inner = x.obj
			}
			if x.open {
				d.Calls = slices.Concat(w.Calls, x.Calls)
			} else {
				d.Calls, d.open = x.Calls, false
			}
			out = append(out, d)
		}
	}
	return out
}

// meet reports whether two locations may be the same memory.
func (v *View) meet(p, q int32) bool {
	op, oq := v.ov.object(v.ov.ownerOf(p)), v.ov.object(v.ov.ownerOf(q))
	if op.kind == objView && oq.kind == objView && op.view == oq.view && op.side != oq.side {
		return false
	}
	met := false
	v.ov.overlapping(v.canonical(p), func(l int32) { met = met || l == v.canonical(q) })
	return met
}

type soleKey struct{ obj, cell int32 }

// sole reports whether each concrete object that obj stands for is in at most
// one of the concrete memory cells that some locations stand for: each store
// there puts a new object in, or what was in that very cell before.
func (v *View) sole(obj int32, cells []int32) bool {
	for _, y := range cells {
		y = v.canonical(y)
		if y >= v.ov.first || obj >= v.ov.firstObj {
			return false // the base does not know who stores there
		}
		if !remembered(&v.res.mu, v.res.soles, soleKey{obj, y}, func() bool { return v.storedAlone(obj, y) }) {
			return false
		}
	}
	return true
}

func (v *View) storedAlone(obj, cell int32) bool {
	return v.storedBy(obj, cell, func(p pred) bool {
		in := v.ov.base.inst(p.inst)
		f := &in.fn.Facts[p.fact]
		switch {
		case f.Sole:
			return true
		case f.Yields > 0:
			made, ok := v.madeByCallees(v.ov.base.inst, in, f.Call, f.Yields-1, v.namesOf(obj))
			return made && ok
		}
		return f.Only && v.givenAlone(in, f.Given-1, obj, maxPassedOn)
	})
}

// givenAlone reports whether all calls that pass an object as a parameter of an instance of the base pass what is new, and
// goes nowhere else (soundness: taken-whole).
func (v *View) givenAlone(in *instance, k int32, obj int32, depth int) bool {
	if in.root || depth == 0 {
		return false
	}
	base := v.ov.base
	names := v.namesOf(obj)
	passed := false // what the model says that a function is called with comes from elsewhere
	return base.eachPassed(in, k, func(at Site, i int, arg *Arg) bool {
		caller := base.inst(at.Inst)
		if !slices.ContainsFunc(caller.callees[i], func(e edge) bool { return base.inst(e.callee) == in }) || !v.anyMeets(caller, arg.Node, arg.Len, names) {
			return true
		}
		passed = true
		up := int32(slices.Index(caller.fn.Params, arg.Node))
		return arg.Alone && (up < 0 || v.givenAlone(caller, up, obj, depth-1))
	}) && passed
}

// storedBy reports whether all that puts an object in a cell is in view, and does it in a certain way.
func (v *View) storedBy(obj, cell int32, alike func(pred) bool) bool {
	base := v.ov.base
	if o := base.object(base.ownerOf(cell)); o.kind == objAlloc && base.inst(o.inst).fn.Allocs[o.alloc].Kind == AllocClosure {
		return false // filled when it is made
	}
	if base.isOutside(cell, obj) && base.object(obj).parent != cell {
		return false // all nodes of a tree may lead back to it
	}
	alone := true
	v.storers(cell, obj, func(p pred, _ int32) { alone = alone && p.fact >= 0 && alike(p) })
	return alone
}

// storers calls do for all who may store an object in a location of the base, or in one
// that overlaps it. Of what the base knows they are the same for all loops: where thousands
// store to a field, to find those of an object was 8 % of what a message broker's loops took.
func (v *View) storers(cell, obj int32, do func(p pred, at int32)) {
	if obj >= v.ov.firstObj {
		return // the base does not know it
	}
	base := v.ov.base
	base.overlapping(cell, func(y int32) {
		stores := base.storesTo(y)
		if len(stores) == 0 {
			return
		}
		of := remembered(&v.res.mu, v.res.stores, soleKey{obj, y}, func() (of []pred) {
			names := v.namesOf(obj)
			for _, p := range stores {
				if base.pts(p.src).Intersects(names) {
					of = append(of, p)
				}
			}
			return of
		})
		for _, p := range of {
			do(p, y)
		}
	})
}

package pta

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/iterace/iterace/model"
)

// This file asks whether an access gets at its object through an object of
// another kind alone: at an entry through the cache whose method looks it up,
// whatever tables, queues and closures lie between. Where a frame has a path from the
// one to the other, flow.Path says so; here pointers are followed back through memory.

// maxBehind bounds the pointers, each to one object, that are followed for one access.
const maxBehind = 400

// Behind reports whether each way by which an access gets at object o leads
// through one of the objects that have some locations, none of which is o, or begins
// where o is made; at lists instructions that load from these. Of other memory that the
// frame of the access has made, or one that passes it on, it counts what was stored there.
func (v *View) Behind(x *model.Access, o *model.Object, owners []Loc) (at []Site, ok bool) {
	obj, ok := v.describedBase(o)
	if !ok || x.Index < 0 {
		return nil, false
	}
	ids, key := v.ownersAt(owners)
	k := behindKey{accRef{InstID(x.Inst), x.Index}, obj, key}
	out, known := v.behind[k]
	if !known {
		out.at, out.ok = v.comesBehind(k.accRef, obj, v.behindOf(ids, key, false))
		if v.behind == nil {
			v.behind = make(map[behindKey]behindAnswer)
		}
		v.behind[k] = out
	}
	return out.at, out.ok
}

// ByOwnFunction returns the function by which an access gets at object o, which has captured it and lies in one of the
// objects that have some locations, -1 if there is none. Whoever has made o has made that function beside it, for an
// owner of its own: to meet at the object by it is to meet at the owner.
func (v *View) ByOwnFunction(x *model.Access, o *model.Object, owners []Loc) int32 {
	obj, ok := v.describedBase(o)
	if !ok || x.Index < 0 {
		return -1
	}
	ids, key := v.ownersAt(owners)
	return v.behindOf(ids, key, false).byClosure(InstID(x.Inst), obj)
}

// ownersAt returns the objects of the base that have some locations, sorted, and a name for them.
func (v *View) ownersAt(locs []Loc) (ids []int32, key string) {
	for _, l := range locs {
		ids = append(ids, v.baseOf(int32(l)))
	}
	ids = sortedUnique(ids)
	var buf []byte
	for _, id := range ids {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(id))
	}
	return ids, string(buf)
}

// A behindKey names a question to Behind, and a behindAnswer its answer.
type behindKey struct {
	accRef
	obj    int32
	owners string
}

type behindAnswer struct {
	at []Site
	ok bool
}

// MadeBeside returns the first locations of what the runs of a function make once each,
// where they make some locations so: none if one of these is made otherwise.
func (v *View) MadeBeside(locs []Loc) []Loc {
	var out []Loc
	for _, l := range locs {
		oid := v.baseOf(int32(l))
		if oid < 0 {
			return nil
		}
		o := v.ov.object(oid)
		if o.kind != objAlloc || o.inst < 0 || !v.ov.inst(o.inst).fn.Allocs[o.alloc].once() {
			return nil
		}
		in := v.ov.inst(o.inst)
		for k, oid := range in.objs {
			if oid >= 0 && in.fn.Allocs[k].once() {
				out = append(out, Loc(v.ov.object(oid).loc))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// once reports whether a run of the function makes it once at most.
func (a *Alloc) once() bool { return !a.InLoop && a.Side == 0 && a.Loop < 0 }

func (v *View) comesBehind(r accRef, obj int32, b *behind) (at []Site, ok bool) {
	if slices.Contains(b.owners, obj) {
		return nil, false
	}
	a := v.access(r)
	p := point{r.inst, a.Node}
	var found []point
	switch {
	case a.Flags&FlagFormat != 0:
		return nil, false // the operands are what an array holds
	case a.Flags&FlagDeep == 0:
		found, ok = b.follow(passage{p, obj, itself, -1})
	default: // what an object leads to is behind what that is behind
		var ps []passage
		for l := range v.ov.pts(v.ov.inst(p.inst).node(p.node)).All() {
			first := v.baseOf(v.unboxed(l))
			if first < 0 {
				return nil, false
			}
			what := int32(anything)
			if first == obj {
				what = itself
			}
			ps = append(ps, passage{p, first, what, -1})
		}
		found, ok = b.follow(ps...)
	}
	for _, p := range found {
		f := v.ov.inst(p.inst).fn
		for k := range f.Accesses {
			if y := &f.Accesses[k]; y.Node == p.node {
				at = append(at, Site{v.outer(p.inst), y.At})
				break
			}
		}
	}
	return at, ok
}

// A behind has the passages of all questions to Behind about some owners, as a graph:
// most of a loop's questions lead into the same few hundred passages. On a site generator
// 270 thousand were looked at; of 208 thousand, by questions that hit the bound,
// 7 thousand are different. With the graph 4.5 -> 1.2 of 29 s of its loops.
type behind struct {
	v      *View
	owners []int32
	key    string // of the owners
	plain  bool   // who stores what is on the way does not matter

	looked map[passage]*junction
	walks  int32
	owned  map[passage][]point // see ownersOf
	put    map[soleKey][]point // see stored
}

// behindOf returns what is known of some owners.
func (v *View) behindOf(owners []int32, key string, plain bool) *behind {
	k := behindsKey{key, plain}
	b := v.behinds[k]
	if b == nil {
		b = &behind{v: v, owners: owners, key: key, plain: plain, looked: make(map[passage]*junction)}
		if v.behinds == nil {
			v.behinds = make(map[behindsKey]*behind)
		}
		v.behinds[k] = b
	}
	return b
}

type behindsKey struct {
	owners string
	plain  bool
}

// What is asked about where it is not the content of a cell: an object itself, or
// anything that it leads to.
const (
	itself   = -1
	anything = -2
)

// A passage is a pointer to an object, and what is loaded by it: the content of one
// of the object's cells.
type passage struct {
	at            point
	obj           int32
	cell, content int32
}

// A junction is a passage that has been looked at.
type junction struct {
	onward []onward
	met    int32 // the last walk that came by
}

// An onward is where a passage leads.
type onward struct {
	kind kind
	to   passage   // where it leads; of an owner the pointer to it, from which something is loaded
	then *junction // of to, once it is looked at
}

type kind uint8

const (
	toPassage kind = iota
	toOwner
	elsewhere
)

// follow reports whether all ways of some passages come through an owner, and returns
// the pointers to owners that are met; if not, those that are met before that shows.
func (b *behind) follow(ps ...passage) (found []point, ok bool) {
	b.walks++
	count := 0
	var visit func(o *onward) bool
	visit = func(o *onward) bool {
		if o.then == nil {
			if o.then = b.looked[o.to]; o.then == nil {
				o.then = &junction{onward: b.leadsTo(o.to)}
				b.looked[o.to] = o.then
			}
		}
		if o.then.met == b.walks {
			return true // asked already, or under way: a list, for example
		}
		o.then.met = b.walks
		if count++; count > maxBehind {
			return false
		}
		for k := range o.then.onward {
			switch o := &o.then.onward[k]; o.kind {
			case toPassage:
				if !visit(o) {
					return false
				}
			case toOwner:
				found = append(found, o.to.at)
			case elsewhere:
				return false
			}
		}
		return true
	}
	for _, p := range ps {
		if !visit(&onward{to: p}) {
			return found, false
		}
	}
	return found, true
}

// byClosure returns the one closure that runs an instance and has captured an object, if it is loaded from an owner
// wherever it is called, or -1:
//
//	n := 0
//	return sync.OnceValue(func() int { n++; return n })
//
// It is made where the object is, for one owner.
func (b *behind) byClosure(inst InstID, obj int32) int32 {
	v, names := b.v, b.v.namesOf(obj)
	if obj >= v.ov.firstObj {
		return -1 // the base does not know it
	}
	of, found := v.ov.object(obj), int32(-1)
	ok := v.eachClosure(inst, func(_, _ Site, value point, closure int32) bool {
		if closure < 0 {
			return false
		}
		cl := v.baseOf(v.ov.object(closure).loc)
		if cl < 0 || cl >= v.ov.firstObj {
			return false
		}
		o := v.ov.object(cl)
		if o.kind != objAlloc || o.inst < 0 {
			return false
		}
		made := v.ov.inst(o.inst)
		if !slices.ContainsFunc(made.fn.Allocs[o.alloc].Binds, func(n Node) bool { return n != None && v.ov.pts(made.node(n)).Intersects(names) }) {
			return true // it has captured something else
		}
		if found >= 0 && found != cl || of.kind != objAlloc || of.inst != o.inst || !made.fn.Allocs[of.alloc].once() || !b.ownedByOne(cl) {
			return false
		}
		found = cl
		by, ok := b.follow(passage{value, cl, itself, -1})
		return ok && len(by) > 0
	})
	if !ok {
		return -1
	}
	return found
}

// ownedByOne reports whether an owner alone has an object, which its maker, or a function that is called once for that,
// has put there: each that is made has an owner of its own then.
func (b *behind) ownedByOne(obj int32) bool {
	res, base := b.v.res, b.v.ov.base
	x := base.object(obj)
	owner := int32(-1)
	for _, c := range res.cellsWith(x.loc) {
		switch o := base.ownerOf(c); {
		case slices.Contains(b.owners, o) && (owner < 0 || owner == o):
			owner = o
		case !res.localOnly(o): // a literal, from which the owner is copied, for instance
			return false
		}
	}
	if owner < 0 {
		return false
	}
	o := base.object(owner)
	if o.kind != objAlloc || o.inst < 0 || !base.inst(o.inst).fn.Allocs[o.alloc].once() {
		return false
	}
	for i, depth := o.inst, 0; i != x.inst; depth++ {
		var by []Site
		for _, s := range base.inst(i).callers {
			in := base.inst(s.Inst)
			for k := range in.fn.Calls {
				c := &in.fn.Calls[k]
				passes := func(a Arg) bool { return a.Node != None && base.pts(in.node(a.Node)).Has(x.loc) }
				if c.At != s.At || !slices.ContainsFunc(c.Args, passes) {
					continue
				}
				if c.InLoop || c.Loop >= 0 || c.spawns() {
					return false
				}
				by = append(by, s)
			}
		}
		if depth == maxMakers || len(by) != 1 {
			return false
		}
		i = by[0].Inst
	}
	return base.inst(x.inst).fn.Allocs[x.alloc].once()
}

// maxMakers bounds the calls between who makes a closure and the function that makes an owner for it.
const maxMakers = 4

// leadsTo lists where a passage leads.
func (b *behind) leadsTo(p passage) []onward {
	ways, ok := b.v.waysBy(p.at, p.obj, fromWhere)
	if !ok || len(ways) == 0 {
		return []onward{{kind: elsewhere}}
	}
	out := []onward{}
	n := 0
	for i := range ways {
		w, met := &ways[i], false
		if len(w.cells) == 0 && p.cell != itself {
			if p.cell == anything {
				return append(out, onward{kind: elsewhere})
			}
			for _, q := range b.stored(p.cell, p.content) {
				out = append(out, onward{to: passage{q, p.content, itself, -1}})
				n++
			}
		}
		for _, c := range w.cells {
			if n > maxBehind || !b.plain && b.handedOver(c, p.obj) {
				return append(out, onward{kind: elsewhere})
			}
			n++
			if owner := b.v.baseOf(c); slices.Contains(b.owners, owner) {
				if !met {
					met = true // one pointer leads to the cells of hundreds of owners
					out = append(out, onward{kind: toOwner, to: passage{at: w.from}})
				}
			} else {
				out = append(out, onward{to: passage{w.from, owner, c, p.obj}})
			}
		}
	}
	return out
}

// handedOver reports whether a function puts what it has found through one owner into
// a cell that it has got at through another: a copy that shares its entries with the
// original, each with a lock.
func (b *behind) handedOver(cell, obj int32) bool {
	v := b.v
	c := v.canonical(cell)
	if c >= v.ov.first {
		return false
	}
	if last := len(b.owners) - 1; obj < v.ov.firstObj && (last < 0 || b.owners[last] < v.ov.firstObj) {
		return v.res.handings.over(c, obj, b)
	}
	return b.findHandedOver(c, obj)
}

// handings has the answers to handedOver about what the base knows, for all loops: stores, and who calls whom where they are,
// are the base's. (That a loop's iterations have copies of such a frame changes nothing for the frame.) On the tests of a
// message server, 635 in one program, each loop had found them anew, which was 54 of 380 s of samples.
type handings struct {
	mu    sync.Mutex
	view  *View // of no loop
	known map[handing]bool
}

func (h *handings) over(cell, obj int32, b *behind) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := handing{cell, obj, b.key}
	out, known := h.known[k]
	if !known {
		if h.view == nil {
			h.view, h.known = b.v.res.Unlooped(), make(map[handing]bool)
		}
		out = h.view.behindOf(b.owners, b.key, false).findHandedOver(cell, obj)
		h.known[k] = out
	}
	return out
}

func (b *behind) findHandedOver(c, obj int32) (out bool) {
	v, base := b.v, b.v.ov.base
	v.storers(c, obj, func(p pred, y int32) {
		in := base.inst(p.inst)
		if out || p.fact < 0 || in.fn.Facts[p.fact].Sole {
			return
		}
		for i := range in.fn.Constraints {
			if s := &in.fn.Constraints[i]; !out && s.Op == OpStore && s.Arg == p.fact && in.node(s.Src) == p.src {
				to := b.ownersOf(point{p.inst, s.Dst}, base.ownerOf(y))
				if len(to) == 0 {
					continue
				}
				from := b.ownersOf(point{p.inst, s.Src}, obj)
				out = slices.ContainsFunc(from, func(x point) bool {
					return slices.ContainsFunc(to, func(y point) bool { return x != y })
				})
			}
		}
	})
	return out
}

// A handing names a question to handedOver.
type handing struct {
	cell, obj int32
	owners    string
}

// ownersOf lists the pointers to owners through which a frame gets at an object, of
// those that are its own. A store that fills many cells is asked about for each.
func (b *behind) ownersOf(p point, obj int32) []point {
	if slices.Contains(b.owners, obj) {
		return []point{b.variable(p)}
	}
	from := passage{p, obj, itself, -1}
	out, known := b.owned[from]
	if known {
		return out
	}
	found, _ := b.v.behindOf(b.owners, b.key, true).follow(from)
	seen := make(map[point]bool)
	for _, q := range found {
		if q.inst == p.inst && !seen[q] {
			seen[q] = true
			if x := b.variable(q); !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	if b.owned == nil {
		b.owned = make(map[passage][]point)
	}
	b.owned[from] = out
	return out
}

// variable is the variable that a pointer was loaded from, or the pointer; of the address of a field, as a pool is that
// an owner has, what it is a field of.
func (b *behind) variable(p point) point {
	f := b.v.ov.inst(p.inst).fn
	for range maxFieldsIn {
		defs := b.v.res.defs(f)[p.node]
		if len(defs) != 1 {
			break
		}
		c := &f.Constraints[defs[0]]
		if c.Op == OpLoad {
			return point{p.inst, c.Src}
		}
		if c.Op != OpOffset {
			break
		}
		p.node = c.Src
	}
	return p
}

// maxFieldsIn bounds the fields within fields of which an address is taken.
const maxFieldsIn = 4

// stored lists the pointers that store an object in a cell.
func (b *behind) stored(cell, obj int32) []point {
	k := soleKey{obj, cell}
	out, known := b.put[k]
	if !known {
		out = b.findStored(cell, obj)
		if b.put == nil {
			b.put = make(map[soleKey][]point)
		}
		b.put[k] = out
	}
	return out
}

func (b *behind) findStored(cell, obj int32) []point {
	v := b.v
	var out []point
	names := v.namesOf(obj)
	for _, p := range v.ownStores().at[cell] {
		if v.ov.pts(v.ov.inst(p.inst).node(p.node)).Intersects(names) {
			out = append(out, p)
		}
	}
	if c := v.canonical(cell); c < v.ov.first {
		v.storers(c, obj, func(p pred, _ int32) {
			out = append(out, point{p.inst, Node(p.src - v.ov.base.inst(p.inst).base)})
		})
	}
	return out
}

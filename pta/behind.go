package pta

import (
	"encoding/binary"
	"slices"

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
	ids := make([]int32, len(owners))
	for i, l := range owners {
		ids[i] = v.baseOf(int32(l))
	}
	ids = sortedUnique(ids)
	var buf []byte
	for _, id := range ids {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(id))
	}
	k := behindKey{accRef{InstID(x.Inst), x.Index}, obj, string(buf)}
	out, known := v.behind[k]
	if !known {
		out.at, out.ok = v.comesBehind(k.accRef, obj, ids, k.owners)
		if v.behind == nil {
			v.behind = make(map[behindKey]behindAnswer)
		}
		v.behind[k] = out
	}
	return out.at, out.ok
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

func (v *View) comesBehind(r accRef, obj int32, owners []int32, key string) (at []Site, ok bool) {
	if slices.Contains(owners, obj) {
		return nil, false
	}
	a := v.access(r)
	p := point{r.inst, a.Node}
	b := &behind{v: v, owners: owners, key: key, seen: make(map[passage]bool)}
	switch {
	case a.Flags&FlagFormat != 0:
		return nil, false // the operands are what an array holds
	case a.Flags&FlagDeep == 0:
		ok = b.all(passage{p, obj, itself, -1})
	default: // what an object leads to is behind what that is behind
		ok = true
		for l := range v.ov.pts(v.ov.inst(p.inst).node(p.node)).All() {
			first := v.baseOf(v.unboxed(l))
			what := int32(anything)
			if first == obj {
				what = itself
			}
			if ok = ok && first >= 0 && b.all(passage{p, first, what, -1}); !ok {
				break
			}
		}
	}
	for _, p := range b.found {
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

// A behind is one question to Behind.
type behind struct {
	v      *View
	owners []int32
	key    string           // of the owners
	seen   map[passage]bool // asked already, or under way: a list, for example
	found  []point          // pointers to owners from which something is loaded
	plain  bool             // who stores what is on the way does not matter
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

// all reports whether all ways of a passage come through an owner.
func (b *behind) all(p passage) bool {
	if b.seen[p] {
		return true
	}
	if b.seen[p] = true; len(b.seen) > maxBehind {
		return false
	}
	ways, ok := b.v.waysBy(p.at, p.obj, fromWhere)
	if !ok || len(ways) == 0 {
		return false
	}
	for i := range ways {
		w := &ways[i]
		if len(w.cells) == 0 && p.cell != itself && (p.cell == anything || !b.stored(p.cell, p.content)) {
			return false
		}
		for _, c := range w.cells {
			if !b.plain && b.handedOver(c, p.obj) {
				return false
			}
			if owner := b.v.baseOf(c); slices.Contains(b.owners, owner) {
				b.found = append(b.found, w.from)
			} else if !b.all(passage{w.from, owner, c, p.obj}) {
				return false
			}
		}
	}
	return true
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
	k := handing{c, obj, b.key}
	out, known := v.handed[k]
	if known {
		return out
	}
	base := v.ov.base
	v.storers(c, obj, func(p pred, y int32) {
		in := base.inst(p.inst)
		if out || p.fact < 0 || in.fn.Facts[p.fact].Sole {
			return
		}
		from := b.ownersOf(point{p.inst, Node(p.src - in.base)}, obj)
		for i := range in.fn.Constraints {
			if s := &in.fn.Constraints[i]; s.Op == OpStore && s.Arg == p.fact && in.node(s.Src) == p.src {
				to := b.ownersOf(point{p.inst, s.Dst}, base.ownerOf(y))
				out = out || slices.ContainsFunc(from, func(x point) bool {
					return slices.ContainsFunc(to, func(y point) bool { return x != y })
				})
			}
		}
	})
	if v.handed == nil {
		v.handed = make(map[handing]bool)
	}
	v.handed[k] = out
	return out
}

// A handing names a question to handedOver.
type handing struct {
	cell, obj int32
	owners    string
}

// ownersOf lists the pointers to owners through which a frame gets at an object, of
// those that are its own.
func (b *behind) ownersOf(p point, obj int32) []point {
	if slices.Contains(b.owners, obj) {
		return []point{b.variable(p)}
	}
	sub := &behind{v: b.v, owners: b.owners, seen: make(map[passage]bool), plain: true}
	sub.all(passage{p, obj, itself, -1})
	var out []point
	for _, q := range sub.found {
		if q.inst == p.inst {
			out = append(out, b.variable(q))
		}
	}
	return out
}

// variable is the variable that a pointer was loaded from, or the pointer.
func (b *behind) variable(p point) point {
	f := b.v.ov.inst(p.inst).fn
	if defs := b.v.res.defs(f)[p.node]; len(defs) == 1 {
		if c := &f.Constraints[defs[0]]; c.Op == OpLoad {
			return point{p.inst, c.Src}
		}
	}
	return p
}

// stored reports whether all who store an object in a cell have it through an owner.
func (b *behind) stored(cell, obj int32) bool {
	v := b.v
	names, ok := v.namesOf(obj), true
	store := func(p point) { ok = ok && b.all(passage{p, obj, itself, -1}) }
	for _, p := range v.ownStores().at[cell] {
		if v.ov.pts(v.ov.inst(p.inst).node(p.node)).Intersects(names) {
			store(p)
		}
	}
	if c := v.canonical(cell); c < v.ov.first {
		v.storers(c, obj, func(p pred, _ int32) {
			store(point{p.inst, Node(p.src - v.ov.base.inst(p.inst).base)})
		})
	}
	return ok
}

package index

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// This file follows values through the fields of new objects: what a struct
// holds when it is handed on, &part{pix[lo:hi], lo, hi}, it holds for ever if
// nothing else is ever stored there. The code here sees to the function that
// makes the object, the oracle to all others.

// born returns the cell of a struct that the function allocates and hands on,
// or nil. All its stores that matter come before that; its fields are not read
// through anything but the allocation itself before.
func (b *builder) born(p *ssa.Alloc) *cell {
	c := b.cells[p]
	if c == nil {
		b.cellOf(p)
		c = b.cells[p]
	}
	if c.ok || c.sought {
		if c.born {
			return c
		}
		return nil
	}
	c.sought = true
	if k := kindOf(deref(p.Type())); k != kStruct && !k.isInt() {
		return nil
	}
	c.stores, c.uses = nil, nil
	if !b.bornUses(c, p, "", 0) || !c.handedOn() || len(c.stores) > maxBorn {
		return nil
	}
	c.sortStores()
	for _, s := range c.stores {
		for _, e := range c.escapes {
			if related(e.path, s.path) && b.f.Reaches(e.in, s.in, c.def) {
				return nil
			}
		}
	}
	c.born = true
	return c
}

// handedOn reports whether the object as a whole leaves the function's sight.
func (c *cell) handedOn() bool {
	for _, e := range c.escapes {
		if e.path == "" {
			return true
		}
	}
	return false
}

// maxBorn bounds the stores that fill a new object.
const maxBorn = 24

// An escape is an instruction that may hand on an object, or the part of it at
// path.
type escape struct {
	in   ssa.Instruction
	path string
}

// bornUses collects the uses of an address in a new object; false if it has
// uses that are not understood.
func (b *builder) bornUses(c *cell, p ssa.Value, path string, depth int) bool {
	if depth > 4 || p.Referrers() == nil {
		return false
	}
	for _, u := range *p.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			c.uses = append(c.uses, u)
		case *ssa.Store:
			if u.Addr == p && u.Val != p {
				c.uses = append(c.uses, u)
				c.stores = append(c.stores, cellStore{u, path, int32(b.f.Num(u))})
				continue
			}
			if path == "" && b.named(u) {
				if !b.variableUses(c, u.Addr, depth) {
					return false
				}
				continue
			}
			c.escapes = append(c.escapes, escape{u, path})
		case *ssa.FieldAddr, *ssa.IndexAddr:
			_, i, ok := partOf(u.(ssa.Value))
			if !ok {
				c.escapes = append(c.escapes, escape{u, path})
			} else if !b.bornUses(c, u.(ssa.Value), path+fieldStep(i), depth+1) {
				return false
			}
		case *ssa.Phi:
			return false // what is stored through it is not seen
		default:
			c.escapes = append(c.escapes, escape{u, path})
		}
	}
	return true
}

// named reports whether a store gives a variable, that closures may capture,
// its one value: the variable is then another name of what is stored.
func (b *builder) named(st *ssa.Store) bool {
	v, ok := st.Addr.(*ssa.Alloc)
	if !ok {
		return false
	}
	c := b.cellOf(v)
	return c != nil && len(c.stores) == 1 && c.stores[0].in == st && c.stores[0].path == ""
}

// variableUses collects the uses of a new object through a variable. A closure
// that captures the variable may hand it on.
func (b *builder) variableUses(c *cell, v ssa.Value, depth int) bool {
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef, *ssa.Store:
		case *ssa.UnOp:
			if !b.bornUses(c, u, "", depth+1) {
				return false
			}
		default:
			c.escapes = append(c.escapes, escape{u, ""})
		}
	}
	return true
}

// madeBy returns the allocation that an address is, or that a variable holds.
func (b *builder) madeBy(p ssa.Value) *ssa.Alloc {
	if ld, ok := p.(*ssa.UnOp); ok && ld.Op == token.MUL {
		v, ok := ld.X.(*ssa.Alloc)
		if !ok {
			return nil
		}
		c := b.cellOf(v)
		if c == nil || len(c.stores) != 1 || c.stores[0].path != "" {
			return nil
		}
		p = c.stores[0].in.Val
	}
	a, _ := p.(*ssa.Alloc)
	return a
}

// early reports whether a load of a new object may come before it is handed
// on, and whether it certainly does.
func (b *builder) early(c *cell, in ssa.Instruction) (may, must bool) {
	may, must = true, true
	for _, e := range c.escapes {
		must = must && !b.f.Reaches(e.in, in, c.def)
		switch {
		case e.path != "":
		case e.in.Block() == in.Block():
			may = may && b.f.Num(e.in) > b.f.Num(in)
		default:
			may = may && !e.in.Block().Dominates(in.Block())
		}
	}
	return may, must
}

// mayBeEarly reports whether a load from p may read a new object before it is
// handed on, and which that is.
func (b *builder) mayBeEarly(p ssa.Value, in ssa.Instruction) (a *ssa.Alloc, c *cell, may bool) {
	if a = b.madeBy(p); a == nil {
		return nil, nil, false
	}
	if c = b.born(a); c == nil {
		return nil, nil, false
	}
	may, _ = b.early(c, in)
	return a, c, may
}

// atLoads notes what the loads that may come early read: all that the function stores comes before the object is handed on,
// and so before the load or not at all. That nobody else has stored anything by then is for the oracle to say.
//
//	for i := range b.parts {
//		b.parts[i] = new(part) // in the first round nobody else has b
//		b.launch(i)
//	}
func (b *builder) atLoads() {
	for _, x := range b.earlies {
		p, path := cellPath(x.X)
		a, c, _ := b.mayBeEarly(p, x)
		v := &b.c.vals[b.byInstr[b.f.Num(x)]]
		if a == nil || v.op != opLoad || v.n&loadEarly == 0 {
			continue
		}
		r := b.resolve(b.readAt(a, c, path, x.Block(), int32(b.f.Num(x))))
		v = &b.c.vals[b.byInstr[b.f.Num(x)]]
		v.a = b.list(v.a[0], r)
	}
}

// births fills in what the objects that the function has made hold when they
// are handed on.
func (b *builder) births() {
	for _, a := range b.allocs {
		c := b.born(a)
		r := b.byInstr[b.f.Num(a)]
		if c == nil || r == 0 || b.c.vals[r].op != opAlloc {
			continue
		}
		var bind []binding
		for _, s := range c.stores {
			x := binding{free: int32(b.f.Num(s.in)), path: s.path}
			first := true
			for _, e := range c.escapes {
				if e.path != "" {
					continue
				}
				v := b.resolve(b.readAt(a, c, s.path, e.in.Block(), int32(b.f.Num(e.in))))
				if !first && v != x.v {
					v = 0
				}
				first = false
				if x.v = v; v == 0 {
					break
				}
			}
			bind = append(bind, x)
		}
		b.c.vals[r].bind = bind
		b.c.vals[r].n = 1
	}
}

// initial returns what the field that a load reads was given when its object
// was made: known is false if that is not known or may have changed, and the
// thing is none if it is still zero.
func (f *frame) initial(v *val, x *ref) (t thing, known bool) {
	home := x.place.home
	if home.f == nil || f.e.q.Oracle == nil || v.at < 0 {
		return t, false
	}
	a := &home.f.c.vals[home.r]
	early := f.c == home.f.c && v.op == opLoad && v.n&loadEarly != 0
	if a.n <= 0 {
		return t, false
	}
	path := ""
	for _, s := range x.place.path {
		if s.kind != 'f' {
			return t, false
		}
		path += fieldStep(s.n)
	}
	var stores []ssair.Instr
	for _, b := range a.bind {
		switch {
		case strings.HasPrefix(path, b.path) && (t.f == nil || t.r == b.v && t.path == path[len(b.path):]):
			t = thing{home.f, b.v, path[len(b.path):]}
		case related(path, b.path):
			return t, false
		}
		if i, in := slices.BinarySearch(stores, ssair.Instr(b.free)); !in {
			stores = slices.Insert(stores, i, ssair.Instr(b.free))
		}
	}
	if early && t.f != nil {
		t = thing{f, v.a[1], ""}
	}
	if t.f != nil && t.r == 0 || !f.e.q.Oracle.Born(f.chainAt(v), v.at, Birth{home.f.c.name, a.at, stores}) {
		return t, false
	}
	return t, true
}

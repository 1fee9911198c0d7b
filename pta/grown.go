package pta

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// This file tells slices that only grow:
//
//	t.mu.Lock()
//	t.subs = append(t.subs, c)
//	t.mu.Unlock()
//
// If all that is ever stored in a place is nil, new memory, or what an append makes of the
// slice that is there, the slice there is the longest of its array, and an append to it
// writes where no slice reaches that anyone has from before. Who has loaded one may read it
// without the lock. Two who append to one slice without a lock are a race of their own.

// A Grow is an append whose result is stored where its first argument comes from, or
// a store of what is there but for its beginning, without Append.
type Grow struct{ Append, Store ssair.Instr }

// grow notes what a store puts back, if that ends where it did or behind that.
func (l *lowerer) grow(v ssa.Value, st ssa.Instruction, steps []ssa.Value) {
	if len(steps) != 1 || steps[0] != v {
		return
	}
	g := Grow{ssair.NoInstr, l.ir.Num(st)}
	var from ssa.Value
	switch x := v.(type) {
	case *ssa.Call:
		g.Append, from = l.ir.Num(x), x.Call.Args[0]
	case *ssa.Slice:
		if from = x.X; x.High != nil {
			return
		}
	}
	ld, ok := from.(ssa.Instruction)
	if ok && ld.Block() == st.Block() && !slices.Contains(l.f.Grows, g) {
		l.f.Grows = append(l.f.Grows, g)
	}
}

// sameKey reports whether what a map update puts back comes from the element of the same
// key.
func sameKey(up *ssa.MapUpdate) bool {
	var v ssa.Value
	switch x := up.Value.(type) {
	case *ssa.Call:
		v = x.Call.Args[0]
	case *ssa.Slice:
		v = x.X
	}
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	x, ok := v.(*ssa.Lookup)
	return ok && sameAddr(x.Index, up.Key)
}

// maxGrown bounds the accesses looked at to see that a slice only grows.
const maxGrown = 200

// Grown reports whether access a is the write of an append to an array of which b cannot
// have the elements that it writes.
func (v *View) Grown(a, b *model.Access, o *model.Object) bool {
	if a.Index < 0 || b.Index < 0 || a.Kind != model.Write {
		return false
	}
	x, y := v.accessOf(a), v.accessOf(b)
	if !fillsRoom(v.ov.inst(InstID(a.Inst)).fn, x) || y.Flags&FlagWrite != 0 && fillsRoom(v.ov.inst(InstID(b.Inst)).fn, y) {
		return false
	}
	obj, ok := v.describedBase(o)
	if !ok || obj >= v.ov.firstObj {
		return false
	}
	grows, asked := v.grows[obj]
	if !asked {
		grows = v.onlyGrows(obj)
		if v.grows == nil {
			v.grows = make(map[int32]bool)
		}
		v.grows[obj] = grows
	}
	return grows
}

// fillsRoom reports whether an access is the write of an append behind its first argument.
func fillsRoom(f *Func, x *Access) bool {
	return x.Flags&FlagWrite != 0 && x.Arg == 0 && appends(f, x.At)
}

// onlyGrows reports whether all appends to an array are to the slice of a place that holds
// the longest one.
func (v *View) onlyGrows(obj int32) bool {
	s, t := v.ov.base, v.res.baseTable()
	r := v.res
	r.onces.longer.Do(func() { r.longer = s.ownersOf(func(f *Func) []Node { return f.Longer }) })
	if r.longer[obj] {
		return false
	}
	o, n, ok := v.ov.object(obj), 0, true
	var places []int32
	for l := o.loc; l < o.loc+o.layout.Len(); l++ {
		t.at(l, false, nil, func(ref accRef, _ bool) {
			in := s.inst(ref.inst)
			x := &in.fn.Accesses[ref.idx]
			if n++; !ok || n > maxGrown || !fillsRoom(in.fn, x) {
				ok = ok && n <= maxGrown
				return
			}
			k := slices.IndexFunc(in.fn.Grows, func(g Grow) bool { return g.Append == x.At })
			if k < 0 {
				ok = false
				return
			}
			for j := range in.fn.Accesses {
				if y := &in.fn.Accesses[j]; y.At == in.fn.Grows[k].Store && y.Flags&FlagWrite != 0 {
					s.locations(in, y, func(z int32) { places = append(places, z) })
				}
			}
		})
	}
	if places = sortedUnique(places); len(places) > maxGrown {
		return false
	}
	for _, z := range places {
		t.at(z, false, nil, func(ref accRef, _ bool) {
			n++
			ok = ok && n <= maxGrown && s.inst(ref.inst).fn.keepsGrowing(&s.inst(ref.inst).fn.Accesses[ref.idx])
		})
	}
	return ok
}

// keepsGrowing reports whether what writes to a place that holds a slice is one of the
// stores after which that is the longest of its array.
func (f *Func) keepsGrowing(x *Access) bool {
	if x.Arg >= 0 {
		return false
	}
	if slices.ContainsFunc(f.Grows, func(g Grow) bool { return g.Store == x.At }) {
		return true
	}
	for i := range f.Facts {
		if s := &f.Facts[i]; s.At == x.At && (s.Back || !s.Fresh || s.Again) {
			return false
		}
	}
	return true // nil has none
}

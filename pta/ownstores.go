package pta

import "github.com/iterace/iterace/internal/bitset"

// This file lists what iterations store in memory of their own, and which of that
// memory others may come by.

// madeBy returns the side whose iterations, or the rounds that start them, have
// made the memory of a location; tagMain for any other.
func (ov *overlay) madeBy(y int32) tag {
	oid := ov.ownerOf(y)
	if oid < 0 {
		return tagMain
	}
	o := ov.object(oid)
	if o.kind != objAlloc {
		return tagMain
	}
	if o.inst >= ov.firstInst {
		if in := ov.inst(o.inst); in.spawner == nil {
			return in.ctx.tag
		}
		return tagMain
	}
	a := &ov.inst(o.inst).fn.Allocs[o.alloc]
	if split := ov.res.loops[ov.loop].split; ov.spawns[o.inst] && split >= 0 && a.Loop == split {
		return tag(a.Side)
	}
	return tagMain
}

// ownStores are the stores that the view's iterations make, and what runs again of
// their spawner.
type ownStores struct {
	at     map[int32][]point // the values stored in memory that they have made, by location
	leaked *bitset.Set       // objects that they have made and let others have
}

func (v *View) ownStores() *ownStores {
	if v.stores != nil {
		return v.stores
	}
	s := &ownStores{at: make(map[int32][]point), leaked: new(bitset.Set)}
	v.stores = s
	ov := v.ov
	var gone []*bitset.Set // what is stored elsewhere
	for i, in := range ov.insts {
		id := ov.firstInst + InstID(i)
		for k := range in.fn.Constraints {
			c := &in.fn.Constraints[k]
			if c.Op != OpStore || in.spawner != nil && !in.spawner.reruns(c.Loop) {
				continue
			}
			src := ov.pts(in.node(c.Src))
			if src.Empty() {
				continue
			}
			side, leaks := in.ctx.tag, false
			if in.spawner != nil {
				side = tag(c.Side)
			}
			for l := range ov.pts(in.node(c.Dst)).All() {
				x, ok := ov.shift(l, c.Off)
				if !ok {
					continue
				}
				if of := ov.madeBy(x); of != tagMain {
					s.at[x] = append(s.at[x], point{id, c.Src})
					leaks = leaks || of != side
				} else {
					leaks = true
				}
			}
			if leaks {
				gone = append(gone, src)
			}
		}
	}
	for len(gone) > 0 {
		set := gone[len(gone)-1]
		gone = gone[:len(gone)-1]
		for l := range set.All() {
			oid := ov.ownerOf(v.unboxed(l))
			if oid < ov.firstObj || s.leaked.Has(oid) {
				continue
			}
			s.leaked.Add(oid)
			o := ov.object(oid)
			for y := o.loc; y < o.loc+o.layout.Len(); y++ {
				gone = append(gone, ov.pts(y))
			}
		}
	}
	return s
}

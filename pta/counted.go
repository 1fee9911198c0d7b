package pta

import "slices"

// Changes is all that may write what an instruction writes.
type Changes struct {
	Ever  []Site // in the whole program
	While []Site // while the loop runs: the iterations, the spawner in its rounds, and what its thread runs beside them
}

// maxChanges bounds the places that change one variable.
const maxChanges = 24

// Changes returns what may change the numbers that an instruction, an atomic addition for one, changes. It is
// known only of memory that is zero when it is made, and which all have seen that the base has.
func (v *View) Changes(s Site) (c Changes, ok bool) {
	base, table := v.ov.base, v.res.baseTable()
	ok = !v.anyTouched(s, true, func(l int32) bool {
		if l >= v.ov.first || !v.bornZero(l) {
			return true
		}
		base.overlapping(l, func(l int32) {
			table.at(l, false, nil, func(ref accRef, _ bool) { c.Ever = v.addWriter(c.Ever, ref) })
		})
		c.While = v.addWriters(c.While, l)
		v.eachBeside(l, func(ref accRef) { c.While = v.addWriter(c.While, ref) })
		return len(c.Ever) > maxChanges || len(c.While) > maxWriters
	})
	return c, ok
}

// zeroWords are the words for memory that a program has made, and that nothing was copied to.
var zeroWords = []string{"new", "make", "literal", "var"}

// bornZero reports whether what a location of the base stands for is zero before anything is stored there.
func (v *View) bornZero(l int32) bool {
	owner := v.ov.ownerOf(l)
	if owner < 0 {
		return false
	}
	switch o := v.ov.object(owner); o.kind {
	case objGlobal:
		return true
	case objAlloc:
		return slices.Contains(zeroWords, v.ov.inst(o.inst).fn.Allocs[o.alloc].Word)
	}
	return false
}

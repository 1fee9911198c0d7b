package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// This file asks whether a pointer comes from an element of a list, as those of
//
//	for _, s := range c.sources {
//		s.start()
//	}
//
// do: start is then run once for each of them, if none lies there twice.

// ByElements reports whether an access has its object from elements alone, of which the code does
// not show that two hold it, by calls, and by variables that are set to nothing else.
func (v *View) ByElements(x *model.Access, o *model.Object) bool {
	obj, ok := v.describedBase(o)
	if !ok || obj < 0 || x.Index < 0 {
		return false
	}
	return v.byElements(obj, point{InstID(x.Inst), v.accessOf(x).Node}, maxOwners)
}

func (v *View) byElements(obj int32, p point, depth int) bool {
	ways, ok := v.waysBy(p, obj, throughClosures)
	return ok && depth > 0 && len(ways) > 0 && !slices.ContainsFunc(ways, func(w Way) bool {
		return len(w.cells) == 0 || slices.ContainsFunc(w.cells, func(c int32) bool {
			return !(v.element(c) && !v.storedAgain(c, obj) || v.variableOfElements(c, obj, depth))
		})
	})
}

// variableOfElements reports whether a location is a variable, and an object is put there from elements alone.
func (v *View) variableOfElements(c, obj int32, depth int) bool {
	base := v.ov.base
	if c = v.canonical(c); c >= v.ov.first {
		return false
	}
	if !v.isVariable(base.ownerOf(c)) {
		return false
	}
	names, some := v.namesOf(obj), false
	for _, s := range base.storesTo(c) {
		if !base.pts(s.src).Intersects(names) {
			continue
		}
		if some = true; !v.byElements(obj, point{s.inst, Node(s.src - base.inst(s.inst).base)}, depth-1) {
			return false
		}
	}
	return some
}

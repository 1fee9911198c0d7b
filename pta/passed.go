package pta

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// Passed reports whether an access may have got at an object along a call
// chain. A function that several calls share has the objects of all of them; a
// chain whose calls pass another object leads to the access, but not with this
// one.
func (v *View) Passed(c Chain, a *model.Access, o *model.Object) bool {
	obj, ok := v.describedBase(o)
	if !ok || a.Index < 0 {
		return true
	}
	ways, ok := v.ways(point{InstID(a.Inst), v.accessOf(a).Node}, obj)
	if !ok || len(ways) == 0 {
		return true
	}
	last := len(c.Sites) - 1
	return slices.ContainsFunc(ways, func(w Way) bool {
		n := min(last, len(w.Calls)) // a way may begin above the chain
		return slices.Equal(c.Sites[last-n:last], w.Calls[len(w.Calls)-n:])
	})
}

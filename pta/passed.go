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

// maxGivers bounds the ways to an access that Givers follows.
const maxGivers = 100

// Givers returns the frames that give an access an object, or what has it: by a chain of calls from one of them, or in it,
// whoever touches the object comes to the access. It reports false where they are not known.
func (v *View) Givers(a *model.Access, o *model.Object) (frames []InstID, ok bool) {
	obj, ok := v.describedBase(o)
	if !ok || a.Index < 0 || v.accessOf(a).Flags&FlagDeep != 0 {
		return nil, false
	}
	g := &givers{v: v}
	return g.frames, g.find(point{InstID(a.Inst), v.accessOf(a).Node}, obj, 0) && len(g.frames) > 0
}

// givers are frames that give an access something.
type givers struct {
	v      *View
	frames []InstID
	ways   int
}

// find adds the frames that give a value that is a pointer to an object, in a frame that has it from an object above so many
// others.
func (g *givers) find(p point, obj int32, owners int) bool {
	ways, ok := g.v.ways(p, obj)
	if !ok || len(ways) == 0 {
		return false
	}
	for i := range ways {
		w := &ways[i]
		if g.ways++; g.ways > maxGivers {
			return false
		}
		first := p.inst
		if len(w.Calls) > 0 {
			first = w.Calls[0].Inst
		}
		if len(w.cells) > 0 && owners < maxOwners && g.findOwners(w, owners) {
			continue
		}
		if !slices.Contains(g.frames, first) {
			g.frames = append(g.frames, first)
		}
	}
	return true
}

// findOwners is find for what a way is loaded from.
func (g *givers) findOwners(w *Way, owners int) bool {
	n := len(g.frames)
	var seen []int32
	for _, c := range w.cells {
		owner := g.v.baseOf(c)
		if slices.Contains(seen, owner) {
			continue
		}
		if seen = append(seen, owner); !g.find(w.load, owner, owners+1) {
			g.frames = g.frames[:n]
			return false
		}
	}
	return true
}

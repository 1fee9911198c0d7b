package order

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for what a function is given and what it makes:
//
//	func blur(img []byte) []byte {
//		out := make([]byte, len(img))
//		for … { go func() { out[i] = img[i-1] + img[i+1] }() }
//		wg.Wait()
//		return out
//	}
//
// Called with what an earlier call has returned, img and out have one name. But
// what one call makes was not there yet when it, or an earlier call, was given img;
// and if the call waits for its iterations before another one may begin, in any
// thread, then nobody writes it any more when a later call is given it.

// older reports whether x is to what the spawner makes and y, of another
// iteration, to what the spawner is given.
func (a *Analysis) older(r *model.Race, x, y access, my *model.Access) bool {
	if a.cut != nil || len(a.spawns) != 1 || r.B.Thread != model.Beta || !a.madeInside(x.own, a.spawns[0].Inst) {
		return false
	}
	top := a.spawns[0].Inst
	if _, _, given := a.climb(my, y, []pta.InstID{top}); !given {
		return false
	}
	for _, z := range []access{x, y} {
		c := a.classOf(z)
		if a.solve(c); c.outward.enters(top) {
			return false
		}
	}
	return true
}

// madeInside reports whether memory is made by instance i, or by what only it
// calls.
func (a *Analysis) madeInside(s pta.Site, i pta.InstID) bool {
	if s.Inst < 0 {
		return false
	}
	if s.Inst == a.copyOf(i) {
		return true
	}
	callers := a.in.Callers(s.Inst)
	for _, c := range callers {
		if a.copyOf(c.Inst) != a.copyOf(i) || a.in.IsSpawn(c) {
			return false
		}
	}
	return len(callers) > 0
}

// enters reports whether the walk came to the beginning of instance i.
func (w *walk) enters(i pta.InstID) bool {
	if w.exhausted {
		return true
	}
	f := w.a.w.Flow(i)
	return f == nil || w.at(i, f.Entry()) != 0
}

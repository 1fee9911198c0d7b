package order

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a method that is called again, with another object, while
// what an earlier call has started still runs:
//
//	d := newDecoder(f)
//	d.Start() // d.inputs = …; go func() { … d.inputs … }()
//	…
//	d = newDecoder(g)
//	d.Start()
//
// The goroutine of the first call has its object from there. What a later call does to
// its own is beside it, but not to the same one: if the call is not passed that
// object, or one that was made when the goroutine had been started.

// laterCall reports whether y comes, beside what x's goroutine does, only in calls that
// begin later and have another object than x.
func (a *Analysis) laterCall(r *model.Race, x, y access) bool {
	for _, t := range a.threadsOf(y.inst) {
		if !a.up[t] {
			return false // it may have been started first
		}
	}
	if a.cut != nil || a.touchesSeveral(x) || a.touchesSeveral(y) {
		return false
	}
	p := a.addr(y).Base()
	if _, given := parameter(p); !given {
		return false
	}
	x.birth = noSite
	c := a.classOf(x)
	a.solve(c)
	return a.givenOther(r, c.outward, y.inst, y, p, a.hasFromSpawn(x), 0)
}

// givenOther reports whether the frames of an instance in which a walk comes to an access
// or a call are entered by the walk, and given another object than that of a race at a
// path. Where that is new memory of an entered frame it is another one, if the object was
// there when the walk began.
func (a *Analysis) givenOther(r *model.Race, w *walk, i pta.InstID, at access, p flow.Path, before bool, depth int) bool {
	f := a.w.Flow(i)
	if f == nil || !p.Known() || p.Loads() || depth > maxClimb || w.comesInFrame(at) {
		return false
	}
	if made, ok := p.Made(); ok {
		return before && (f.MakesMemory(made) || a.w.Makes(pta.Site{Inst: i, At: made}))
	}
	k, ok := parameter(p)
	if !ok {
		return false
	}
	for _, c := range a.in.Callers(i) {
		if a.in.IsSpawn(c) {
			return false
		}
		if !w.reaches(c.Inst, c.At) || !a.w.MayPassObject(c, k, r.Object) {
			continue
		}
		j, up, ok := a.in.Up(i, c, p)
		if !ok || !a.givenOther(r, w, j, access{inst: c.Inst, at: c.At}, up, before, depth+1) {
			return false
		}
	}
	return true
}

// hasFromSpawn reports whether x gets at its object by what its goroutine is started
// with.
func (a *Analysis) hasFromSpawn(x access) bool {
	ts := a.threadsOf(x.inst)
	for _, t := range ts {
		if !a.atSpawns(x.inst, t, a.addr(x).Base(), 0, func(pta.Site) bool { return true }, func(pta.Site, pta.InstID, flow.Path) bool { return true }) {
			return false
		}
	}
	return len(ts) > 0
}

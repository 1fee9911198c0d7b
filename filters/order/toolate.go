package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for what is made when the iterations are over:
//
//	s.Close() // waits for the workers
//	if err := s.Submit(&job{}); err != errClosed {
//
// The queue has one name, and so the workers look as if they took the job from it. But an iteration that is over
// wherever an object is made has never had it.

// madeTooLate reports whether the object of a race, of which there is one, is made when x is over, of whichever iteration. Of
// several, one may be made before.
func (a *Analysis) madeTooLate(r *model.Race, x access) bool {
	if a.cut != nil || a.fuel < 0 || r.Object.Thread != model.Main || r.Object.Many {
		return false
	}
	s := a.w.Made(r.Object)
	if s.Inst < 0 || s.At < 0 || a.w.Flow(s.Inst) == nil {
		return false
	}
	s.Inst = a.copyOf(s.Inst)
	behind, known := a.afterAll[s]
	if !known {
		behind = a.isBehindSpawns(s)
		if a.afterAll == nil {
			a.afterAll = make(map[pta.Site]bool)
		}
		a.afterAll[s] = behind
	}
	x.birth, x.own = noSite, noSite
	return behind && !a.open(x, accessAt(s))
}

// isBehindSpawns reports whether control comes to a site from where the loop's goroutines are started, and not from there
// to where some are started.
func (a *Analysis) isBehindSpawns(s pta.Site) bool {
	if !a.spawnsLeadTo(accessAt(s), func(*walk) {}) {
		return false
	}
	w := a.newWalk().fromGaps(s).run()
	return !slices.ContainsFunc(a.spawns, func(spawn pta.Site) bool { return w.reaches(spawn.Inst, spawn.At) })
}

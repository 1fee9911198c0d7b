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
func (a *Analysis) madeTooLate(r *model.Race, x access) bool { return a.tooLate(r.Object, x) }

// throughLateOnly reports whether two iterations can have the object of a race from nothing but what each takes off a list, since all
// else that may have it is made too late for them:
//
//	wg.Wait()
//	p.exec("select 1") // with a connection of its own, where workers had theirs off p.idle
func (a *Analysis) throughLateOnly(r *model.Race) bool {
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	return len(r.Through) > 0 && !slices.ContainsFunc(r.Through, func(o *model.Object) bool { return !a.tooLate(o, x) || !a.tooLate(o, y) })
}

// tooLate is madeTooLate for an object.
func (a *Analysis) tooLate(o *model.Object, x access) bool {
	if a.cut != nil || a.fuel < 0 || o.Thread != model.Main || o.Many {
		return false
	}
	s := a.w.Made(o)
	if s.Inst < 0 || s.At < 0 || a.w.Flow(s.Inst) == nil {
		return false
	}
	for up := 0; !a.enters(s.Inst); up++ { // walks do not come there: it is made in the call
		callers := a.in.Callers(s.Inst)
		if len(callers) != 1 || a.in.IsSpawn(callers[0]) || up == maxClimb {
			return false
		}
		s = callers[0]
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

package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file tells apart who runs a function that several goroutines call, each with an object of its own:
//
//	if first {
//		go func() { add(t) }()
//	} else {
//		go func() { add(u) }()
//		go func() { add(t) }()
//	}
//
// The second goroutine runs add beside the third one, but has another object there. The first one has the object, and
// does not run beside the third one.

// givenToOthers reports whether the threads that run y beside x have another object there, and those that have the object of
// the race do not run beside x.
func (a *Analysis) givenToOthers(r *model.Race, x, y access) bool {
	ts := a.threadsOf(y.inst)
	if len(ts) < 2 || len(ts) > maxGiven || r.B.Thread != model.Main {
		return false
	}
	has, ok := a.given(r, ts)
	return ok && len(has) < len(ts) && !slices.ContainsFunc(has, func(t pta.InstID) bool { return a.mayMeet(x, y, t) })
}

// maxGiven bounds the threads that are told apart.
const maxGiven = 64

// given returns which of the threads that run the access of Main in a race may have the race's object there: those that run
// a frame by which it is given the object, and what these start.
func (a *Analysis) given(r *model.Race, ts []pta.InstID) (has []pta.InstID, ok bool) {
	frames, ok := a.w.Givers(r.B, r.Object)
	if !ok {
		return nil, false
	}
	for _, t := range ts {
		if slices.ContainsFunc(frames, func(i pta.InstID) bool {
			return slices.ContainsFunc(a.threadsOf(i), func(by pta.InstID) bool { return by == t || a.begunBy(by).Has(t) })
		}) {
			has = append(has, t)
		}
	}
	return has, len(has) > 0
}

// mayMeet reports whether x may run beside y of one of the threads that run it.
func (a *Analysis) mayMeet(x, y access, t pta.InstID) bool {
	if a.up[t] || a.severed(t) || len(a.spawnsOf(t)) == 0 {
		return true // not told apart from what it starts
	}
	c := a.classOf(x)
	if f := a.w.Flow(t); f == nil || a.solveWhile(c, func() bool { return c.outward.comesTo(t, f.Entry()) }) {
		return true
	}
	return a.startedFirst(x, y, t)
}

// comesTo reports whether a walk comes to a gap, or has given up.
func (w *walk) comesTo(i pta.InstID, g flow.Gap) bool { return w.exhausted || w.at(i, g) != 0 }

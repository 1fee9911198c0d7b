package locks

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file leaves out callers that pass another function:
//
//	for line := range strings.SplitSeq(s, "\n") { n++ }
//
//	mu.Lock()
//	for line := range strings.SplitSeq(s, "\n") { seen[line] = true }
//	mu.Unlock()
//
// What SplitSeq returns runs both bodies, and is called with the lock and without it.
// The second body it runs with the lock only.

const (
	maxClimb = 3  // frames between an access and the function that is handed down
	maxGiven = 16 // ways to an access that are told apart
)

// byFunctions decides about a race by the ways to its accesses, where a function on
// them is handed down to who calls it: each pair of ways must be protected.
func (a *Analysis) byFunctions(r *model.Race) verdict {
	xs, a1 := a.given(r.A)
	ys, a2 := a.given(r.B)
	if !a1 && !a2 {
		return unprotected
	}
	v, _ := a.eachPair(r, xs, ys)
	return v
}

// given returns an access once for each of some ways to it; told is false if they are
// all one.
func (a *Analysis) given(x *model.Access) (sides []side, told bool) {
	var ways [][]pta.Site
	var climb func(i pta.InstID, below []pta.Site, up int)
	climb = func(i pta.InstID, below []pta.Site, up int) {
		callers := a.in.Callers(i)
		if len(callers) == 0 || up == maxClimb || slices.ContainsFunc(callers, a.in.IsSpawn) {
			ways = append(ways, below)
			return
		}
		for _, c := range callers {
			if len(ways) > maxGiven {
				return
			}
			calls := append([]pta.Site{c}, below...)
			given, ok := a.w.HandedDown(c, i)
			if !ok {
				climb(c.Inst, calls, up+1)
				continue
			}
			for _, w := range given {
				told = told || len(w.Calls) > 0
				ways = append(ways, append(slices.Clip(w.Calls), calls...))
			}
		}
	}
	climb(pta.InstID(x.Inst), nil, 0)
	if !told || len(ways) > maxGiven {
		return []side{{Access: x, held: a.anyOf(x)}}, false
	}
	for _, calls := range ways {
		sides = append(sides, side{Access: x, held: a.via(x, calls), calls: calls})
	}
	return sides, true
}

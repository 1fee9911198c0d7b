package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for a function that the maker of an object calls before others have it,
// and that is called under a lock from then on:
//
//	func newReader() (r *reader, err error) {
//		defer func() {
//			if err != nil {
//				r.closeAll()
//			}
//		}()
//		…
//	}
//
//	func (r *reader) Close() {
//		r.mu.Lock()
//		defer r.mu.Unlock()
//		r.closeAll()
//	}
//
// What the function holds is what all its callers hold, which is nothing, and one of them comes
// after the spawn. On each of the ways to it a lock protects it, or it is over before the spawn.

// Bounds on the ways to an access, and their calls.
const (
	maxEachWay   = 16
	maxEachCalls = 3
)

// apartByWays reports whether on each way to y, of a thread that starts x's or belongs to its
// spawner, a lock protects the race, or x has not begun yet; and whether an owner's lock does.
func (a *Analysis) apartByWays(r *model.Race, x, y access) (apart, owner bool) {
	if r.B.Thread != model.Main || r.Confidence == model.Assumed || a.fuel < 0 {
		return false, false
	}
	if slices.ContainsFunc(a.threadsOf(y.inst), func(t pta.InstID) bool { return !a.up[t] && !a.severed(t) }) {
		return false, false // it may have been started before x's
	}
	n, locked := 0, false
	var all func(i pta.InstID, below []pta.Site) bool
	all = func(i pta.InstID, below []pta.Site) bool {
		callers := a.in.Callers(i)
		if n += len(callers); len(callers) == 0 || len(below) == maxEachCalls || n > maxEachWay || slices.ContainsFunc(callers, a.in.IsSpawn) {
			return false
		}
		for _, c := range callers {
			calls := append([]pta.Site{c}, below...)
			if protected, sure := a.locksets.ProtectedBy(r, calls); protected {
				locked, owner = true, owner || !sure
				continue
			}
			at := accessAt(c)
			if a.open(x, at) && !all(c.Inst, calls) {
				return false
			}
		}
		return true
	}
	apart = all(y.inst, nil) && locked
	return apart, apart && owner
}

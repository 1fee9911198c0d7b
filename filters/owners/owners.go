// Package owners removes races between accesses that never get at one and the
// same concrete object, though its allocation site is the same.
//
// All the arrays of a container are made by one line of its code: one abstract
// object stands for those of all containers. Where the containers are known
// apart, and each keeps its array to itself, the arrays are different ones. The
// points-to result decides, see pta.View.Meetings.
package owners

import (
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A World is what the package asks of the points-to result, as seen from one
// parallel loop.
type World interface {
	// Meetings returns the ways in which the accesses of a race may get at one
	// object, and false if they cannot be followed.
	Meetings(*model.Race) ([]pta.Meeting, bool)
}

// Filter returns the races of rs that may be about one object.
func Filter(w World, rs *model.RaceSet) *model.RaceSet {
	return rs.Filter(func(r *model.Race) bool {
		ms, ok := w.Meetings(r)
		return !ok || len(ms) > 0
	})
}

// Package owners removes races between accesses that never get at one and the
// same concrete object, though its allocation site is the same.
//
// All the arrays of a container are made by one line of its code: one abstract
// object stands for those of all containers. Where the containers are known
// apart, and each keeps its array to itself, the arrays are different ones. The
// points-to result decides, see pta.View.Meetings.
package owners

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A World is what the package asks of the points-to result, as seen from one
// parallel loop.
type World interface {
	// Meetings returns the ways in which the accesses of a race may get at one
	// object, and false if they cannot be followed.
	Meetings(*model.Race) ([]pta.Meeting, bool)
	// Early reports whether an access that gets at its object by a way of a meeting does so
	// before the other access can, by its way.
	Early(x *model.Access, w, other *pta.Way) bool
}

// Filter returns the races of rs that may be about one object.
func Filter(w World, rs *model.RaceSet) *model.RaceSet {
	return rs.Filter(func(r *model.Race) bool {
		ms, ok := w.Meetings(r)
		if ok && len(ms) > 0 && r.Confidence > model.Assumed && early(w, r, ms) {
			r.Confidence = model.Assumed
			r.Assumes = append(r.Assumes, "handed-on")
		}
		return !ok || len(ms) > 0
	})
}

// early reports whether, wherever the accesses of a race may meet, one of them comes before others have the
// object (soundness: handed-on).
func early(w World, r *model.Race, ms []pta.Meeting) bool {
	late := func(x *model.Access, ways, others []pta.Way) bool {
		for i := range ways {
			for k := range others {
				if !w.Early(x, &ways[i], &others[k]) {
					return true
				}
			}
		}
		return false
	}
	return !slices.ContainsFunc(ms, func(m pta.Meeting) bool { return late(r.A, m.A, m.B) && late(r.B, m.B, m.A) })
}

package analyzer

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/model"
)

// Bounds on what is kept of a race set (soundness: pairs-bounded).
const (
	maxPairs = 24 // of different places
	maxPaths = 2  // of the same two places, by different calls
)

// trim keeps the pairs of each race set that a reader can take in: the most
// certain ones first. One access of a library may stand for hundreds of calls
// of the application when races are moved to where those are.
func trim(set *model.RaceSet) *model.RaceSet {
	type places struct {
		set              setKey
		a, b             model.Pos
		kindA, kindB     model.AccessKind
		threadA, threadB model.Thread
	}
	order := slices.Clone(set.Races)
	slices.SortStableFunc(order, func(x, y *model.Race) int {
		return cmp.Or(-cmp.Compare(x.Confidence, y.Confidence), x.A.Pos.Compare(y.A.Pos), x.B.Pos.Compare(y.B.Pos))
	})
	kept := make(map[*model.Race]bool)
	perSet := make(map[setKey]int)
	perPlaces := make(map[places]int)
	for _, r := range order {
		k := setKeyOf(r)
		p := places{k, r.A.Pos, r.B.Pos, r.A.Kind, r.B.Kind, r.A.Thread, r.B.Thread}
		if perPlaces[p] >= maxPaths || perPlaces[p] == 0 && perSet[k] >= maxPairs {
			continue
		}
		if perPlaces[p] == 0 {
			perSet[k]++
		}
		perPlaces[p]++
		kept[r] = true
	}
	return set.Filter(func(r *model.Race) bool { return kept[r] })
}

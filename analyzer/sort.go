package analyzer

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/model"
)

// sortRaces brings races into an order that depends on the program only, not
// on the order in which the solver met things.
func sortRaces(rs *model.RaceSet) {
	slices.SortStableFunc(rs.Races, func(a, b *model.Race) int {
		return cmp.Or(
			compareAccess(a.A, b.A), compareAccess(a.B, b.B),
			a.Object.Pos.Compare(b.Object.Pos), cmp.Compare(a.Object.Kind, b.Object.Kind),
			cmp.Compare(a.Object.Name, b.Object.Name), cmp.Compare(a.Field, b.Field),
			cmp.Compare(a.Object.Type, b.Object.Type),
			cmp.Compare(a.Object.Thread, b.Object.Thread), -cmp.Compare(a.Confidence, b.Confidence),
			compareLoop(a.Other, b.Other),
		)
	})
}

// compareLoop orders what goroutine does the other side of a race: the
// spawner's own first. A function that calls itself may be on both.
func compareLoop(a, b *model.Loop) int {
	if a == nil || b == nil {
		switch {
		case a == b:
			return 0
		case a == nil:
			return -1
		}
		return 1
	}
	return cmp.Or(a.Pos.Compare(b.Pos), a.Spawn.Compare(b.Spawn))
}

func compareAccess(a, b *model.Access) int {
	return cmp.Or(
		a.Pos.Compare(b.Pos), -cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Func, b.Func),
		cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Index, b.Index),
	)
}

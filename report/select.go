package report

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/model"
)

// This file selects: which races of a report are shown, which accesses they
// leave on each side, and which pair stands for the whole set.

// Visible returns the reports with the races that are to be shown: the
// definite and likely ones, or all; the surest first, and else in order. Reports and their accesses are copied as
// far as they change; the accesses of a side are those of its pairs, by
// position. hidden counts the reports that are left out because of that;
// suppressed ones are not shown, and not counted.
func Visible(reports []*model.Report, all bool) (shown []*model.Report, hidden int) {
	for _, r := range reports {
		if r.Suppressed != nil {
			continue
		}
		v := *r
		v.Races = nil
		for _, race := range r.Races {
			if all || race.Confidence > model.Assumed {
				v.Races = append(v.Races, race)
			}
		}
		if len(v.Races) == 0 {
			hidden++
			continue
		}
		v.Alpha, v.Beta = sides(v.Races)
		shown = append(shown, &v)
	}
	// Who reads on from the top as long as what is said is true should not miss a true one.
	slices.SortStableFunc(shown, func(a, b *model.Report) int { return cmp.Compare(b.Confidence(), a.Confidence()) })
	return shown, hidden
}

// sides returns the distinct accesses of the two sides of races, by position.
func sides(races []*model.Race) (alpha, beta []*model.Access) {
	for _, race := range races {
		alpha = append(alpha, race.A)
		beta = append(beta, race.B)
	}
	return distinct(alpha), distinct(beta)
}

// distinct sorts accesses by position and keeps one for each place, kind and
// thread: the one with the shortest call path, since that is easiest to check.
func distinct(list []*model.Access) []*model.Access {
	slices.SortStableFunc(list, func(a, b *model.Access) int {
		return cmp.Or(compareAccess(a, b), cmp.Compare(len(a.Path), len(b.Path)))
	})
	return slices.CompactFunc(list, func(a, b *model.Access) bool { return compareAccess(a, b) == 0 })
}

// compareAccess orders accesses by position, writes first.
func compareAccess(a, b *model.Access) int {
	return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.Thread, b.Thread),
		cmp.Compare(a.Func, b.Func))
}

// An end is one side of a race: an access, and whose iteration makes it.
type end struct {
	*model.Access
	loop    *model.Loop
	foreign bool // loop is not the report's: another loop or goroutine
}

// ends returns the two sides of x.
func ends(x *model.Race) (a, b end) {
	if x.Other != nil {
		// The tests that meet at a variable are one race set, of which the first is no more than the others.
		return end{x.A, x.Loop, x.Loop.Form == model.FormTest}, end{x.B, x.Other, true}
	}
	return end{x.A, x.Loop, false}, end{x.B, x.Loop, false}
}

// headline returns the pair that stands for the whole of r, a write first: the
// most certain one, of two iterations if there is one, with the fewest calls to
// follow, and among those the first in the source.
func headline(r *model.Report) (write, other end) {
	best := slices.MinFunc(r.Races, func(x, y *model.Race) int {
		return cmp.Or(
			cmp.Compare(y.Confidence, x.Confidence),
			cmp.Compare(outside(x), outside(y)),
			cmp.Compare(len(x.A.Path)+len(x.B.Path), len(y.A.Path)+len(y.B.Path)),
			cmp.Compare(reads(x), reads(y)),
			x.A.Pos.Compare(y.A.Pos), x.B.Pos.Compare(y.B.Pos))
	})
	a, b := ends(best)
	if a.Kind == model.Write {
		return a, b
	}
	return b, a
}

// outside returns how many of x's accesses are not an iteration's.
func outside(x *model.Race) int {
	n := 0
	a, b := ends(x)
	for _, e := range []end{a, b} {
		if e.foreign || e.Thread == model.Main {
			n++
		}
	}
	return n
}

// reads returns how many of x's accesses are reads.
func reads(x *model.Race) int {
	n := 0
	for _, a := range []*model.Access{x.A, x.B} {
		if a.Kind == model.Read {
			n++
		}
	}
	return n
}

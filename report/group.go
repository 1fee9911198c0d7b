package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iterace/iterace/model"
)

// This file arranges the accesses of a race set for people: one group for each
// thread, one row for each place, and both sides in one group where they are
// the same.

// A side is the part an access plays in a race.
type side int

const (
	sideA side = iota // Race.A
	sideB             // Race.B
)

// A row is the accesses of one thread at one place that a reader would call
// one: the read and the write of n++.
type row struct {
	access      *model.Access // the first
	read, write bool
}

// kinds words what the row's accesses do.
func (r *row) kinds() string {
	switch {
	case r.access.Atomic && r.read && r.write:
		return "atomic r+w"
	case r.access.Atomic:
		return "atomic " + r.access.Kind.String()
	case r.read && r.write:
		return "r+w  " // as in n++
	}
	return fmt.Sprintf("%-5s", r.access.Kind)
}

// A group is the rows of one or both sides.
type group struct {
	thread model.Thread
	side   side
	rows   []*row
	both   bool // stands for one iteration and for any other
}

func (g *group) title(l *model.Loop, pos posFunc) string {
	if g.both {
		return "one iteration, and any other"
	}
	return who(l, g.thread, pos)
}

// A rowKey finds the row of an access.
type rowKey struct {
	side   side
	thread model.Thread
	pos    model.Pos
	fn     string
	atomic bool
}

func keyOf(a *model.Access, s side) rowKey {
	return rowKey{s, a.Thread, a.Pos, a.Func, a.Atomic}
}

// groupAccesses arranges the accesses of r.
func groupAccesses(r *model.Report) []*group {
	groups := append(groupSide(r.Alpha, sideA), groupSide(r.Beta, sideB)...)
	if len(groups) == 2 && !r.Loop.Single && groups[0].thread == model.Alpha && groups[1].thread == model.Beta &&
		slices.EqualFunc(groups[0].rows, groups[1].rows, sameRow) {
		groups[0].both = true
		return groups[:1]
	}
	return groups
}

// sameRow reports whether x and y, of two iterations, look the same to a reader.
func sameRow(x, y *row) bool {
	return x.read == y.read && x.write == y.write && x.access.Pos == y.access.Pos &&
		x.access.Func == y.access.Func && x.access.Atomic == y.access.Atomic &&
		slices.Equal(x.access.Path, y.access.Path) && slices.Equal(x.access.Locks, y.access.Locks)
}

// groupSide splits the accesses of one side, which are in order, by thread.
func groupSide(list []*model.Access, s side) []*group {
	var groups []*group
	rows := make(map[rowKey]*row)
	for _, a := range list {
		i := slices.IndexFunc(groups, func(g *group) bool { return g.thread == a.Thread })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{thread: a.Thread, side: s})
		}
		k := keyOf(a, s)
		if rows[k] == nil {
			rows[k] = &row{access: a}
			groups[i].rows = append(groups[i].rows, rows[k])
		}
		rows[k].read = rows[k].read || a.Kind == model.Read
		rows[k].write = rows[k].write || a.Kind == model.Write
	}
	// The loop's own accesses first, then those beside it.
	last := map[model.Thread]int{model.Main: 1}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(last[a.thread], last[b.thread]) })
	return groups
}

// rowsByAccess finds the printed row of an access of either side.
func rowsByAccess(groups []*group) map[rowKey]*row {
	rows := make(map[rowKey]*row)
	for _, g := range groups {
		for _, r := range g.rows {
			k := keyOf(r.access, g.side)
			rows[k] = r
			if g.both {
				k.side, k.thread = sideB, model.Beta
				rows[k] = r
			}
		}
	}
	return rows
}

// allPairs reports whether each access of one side races with each of the
// other that it conflicts with: then the two lists say it all. The sides of an
// iteration race are interchangeable, so that a pair stands for its mirror
// image too.
func allPairs(r *model.Report, groups []*group) bool {
	// A place is a row without its side, where the sides are interchangeable.
	place := func(a *model.Access) rowKey {
		k := keyOf(a, sideA)
		if !r.Loop.Single && k.thread == model.Beta {
			k.thread = model.Alpha
		}
		return k
	}
	type pair struct{ x, y rowKey }
	have := make(map[pair]bool)
	for _, race := range r.Races {
		x, y := place(race.A), place(race.B)
		have[pair{x, y}] = true
		have[pair{y, x}] = true
	}
	var alpha, beta []*row
	for _, g := range groups {
		if g.side == sideA || g.both {
			alpha = append(alpha, g.rows...)
		}
		if g.side == sideB || g.both {
			beta = append(beta, g.rows...)
		}
	}
	for _, x := range alpha {
		for _, y := range beta {
			if (x.write || y.write) && !(x.access.Atomic && y.access.Atomic) && !have[pair{place(x.access), place(y.access)}] {
				return false
			}
		}
	}
	return true
}

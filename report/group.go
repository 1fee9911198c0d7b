package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iterace/iterace/model"
)

// This file arranges the accesses of a race set for people: one group for each
// party, one row for each place. Which of two iterations is called alpha means
// nothing to a reader, so that the iterations of a loop are one party, and a
// pair of its places is one of any two iterations.

// A row is the accesses of one party at one place, which a reader would call
// one access: n++ reads and writes.
type row struct {
	access      *model.Access // the first
	read, write bool
	via         string // function and calls that lead to it; empty in the loop's own function
	number      int    // of the row in the report, from 1
}

// kinds words what the row's accesses do, in a fixed width.
func (r *row) kinds() string {
	kind := r.access.Kind.String()
	if r.read && r.write {
		kind = "r+w"
	}
	if r.access.Atomic {
		kind = "atomic " + kind
	}
	return fmt.Sprintf("%-5s", kind)
}

// A group is the rows of one party.
type group struct {
	thread model.Thread // Alpha for all iterations of a loop
	rows   []*row
}

// A place is what makes a row.
type place struct {
	thread model.Thread
	pos    model.Pos
	fn     string
	atomic bool
}

// A placePair is an unordered pair of rows, the smaller number first.
type placePair struct{ x, y *row }

func pairOf(x, y *row) placePair {
	if x.number > y.number {
		x, y = y, x
	}
	return placePair{x, y}
}

// A grouping is how the accesses of a report are printed.
type grouping struct {
	loop   *model.Loop
	groups []*group
	rows   map[place]*row
	pairs  map[placePair]bool
}

// groupAccesses arranges the accesses of r: the parties, in each party the
// functions, the loop's own first, and in each function the places.
func groupAccesses(r *model.Report, pos posFunc) *grouping {
	g := &grouping{loop: r.Loop, rows: make(map[place]*row), pairs: make(map[placePair]bool)}
	for _, a := range distinct(slices.Concat(r.Alpha, r.Beta)) {
		g.add(a, pos)
	}
	// The loop's own accesses first, then those beside it.
	order := map[model.Thread]int{model.Alpha: 0, model.Beta: 1, model.Main: 2}
	slices.SortStableFunc(g.groups, func(a, b *group) int {
		return cmp.Compare(order[a.thread], order[b.thread])
	})
	n := 0
	for _, group := range g.groups {
		first := make(map[string]int) // place of a function's first row
		for i, row := range group.rows {
			if _, ok := first[row.via]; !ok && row.via != "" {
				first[row.via] = i + 1
			}
		}
		slices.SortStableFunc(group.rows, func(a, b *row) int { return cmp.Compare(first[a.via], first[b.via]) })
		for _, row := range group.rows {
			n++
			row.number = n
		}
	}
	for _, race := range r.Races {
		g.pairs[pairOf(g.rows[g.placeOf(race.A)], g.rows[g.placeOf(race.B)])] = true
	}
	return g
}

// placeOf returns where a is printed.
func (g *grouping) placeOf(a *model.Access) place {
	t := a.Thread
	if t == model.Beta && !g.loop.Single {
		t = model.Alpha
	}
	return place{t, a.Pos, a.Func, a.Atomic}
}

// add puts a into its row.
func (g *grouping) add(a *model.Access, pos posFunc) {
	k := g.placeOf(a)
	r := g.rows[k]
	if r == nil {
		r = &row{access: a, via: callPath(g.loop, a, pos)}
		g.rows[k] = r
		i := slices.IndexFunc(g.groups, func(x *group) bool { return x.thread == k.thread })
		if i < 0 {
			i = len(g.groups)
			g.groups = append(g.groups, &group{thread: k.thread})
		}
		g.groups[i].rows = append(g.groups[i].rows, r)
	}
	r.read = r.read || a.Kind == model.Read
	r.write = r.write || a.Kind == model.Write
}

// title says who makes the accesses of group x.
func (g *grouping) title(x *group, pos posFunc) string {
	if x.thread != model.Alpha || g.loop.Single {
		return who(g.loop, x.thread, pos)
	}
	for p := range g.pairs { // in any order: one is enough
		if g.placeOf(p.x.access).thread == g.placeOf(p.y.access).thread {
			return "one iteration, and any other"
		}
	}
	return "an iteration"
}

// complete reports whether each place races with each other that it conflicts
// with: then the lists say it all, and the pairs need not be listed.
func (g *grouping) complete() bool {
	for i, x := range g.groups {
		for _, y := range g.groups[i:] {
			if x == y && (g.loop.Single || x.thread == model.Main) {
				continue // one thread does not race with itself
			}
			if !g.eachWithEach(x, y) {
				return false
			}
		}
	}
	return true
}

// eachWithEach reports whether all conflicting pairs of x and y are races, or,
// for two parties of which the pairs with a third are the point, none is.
func (g *grouping) eachWithEach(x, y *group) bool {
	have, want := 0, 0
	for _, r := range x.rows {
		for _, s := range y.rows {
			if x == y && s.number < r.number {
				continue
			}
			if (r.write || s.write) && !(r.access.Atomic && s.access.Atomic) {
				want++
				if g.pairs[pairOf(r, s)] {
					have++
				}
			}
		}
	}
	return have == want || have == 0 && x == y
}

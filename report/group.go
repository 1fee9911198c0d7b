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

// A party is who makes accesses: the iterations of the loop (Alpha stands for
// all), the code beside it, or the iterations of another loop.
type party struct {
	thread  model.Thread
	foreign *model.Loop
}

// A group is the rows of one party.
type group struct {
	party party
	rows  []*row
}

// A place is what makes a row.
type place struct {
	party  party
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
	loops  map[loopKey]*model.Loop // the first by each key: a reader does not tell others apart
}

// groupAccesses arranges the accesses of r: the parties, in each party the
// functions, the loop's own first, and in each function the places.
func groupAccesses(r *model.Report, pos posFunc) *grouping {
	g := &grouping{loop: r.Loop, rows: make(map[place]*row), pairs: make(map[placePair]bool), loops: make(map[loopKey]*model.Loop)}
	var list []end
	for _, race := range r.Races {
		a, b := ends(race)
		list = append(list, a, b)
	}
	slices.SortStableFunc(list, func(a, b end) int {
		return cmp.Or(compareAccess(a.Access, b.Access), cmp.Compare(len(a.Path), len(b.Path)))
	})
	for _, e := range list {
		g.add(e, pos)
	}
	slices.SortStableFunc(g.groups, func(a, b *group) int { return cmp.Compare(a.party.rank(), b.party.rank()) })
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
		a, b := ends(race)
		g.pairs[pairOf(g.rows[g.placeOf(a)], g.rows[g.placeOf(b)])] = true
	}
	return g
}

// rank orders the parties: the loop's own accesses first, then those beside it.
func (p party) rank() int {
	switch {
	case p.foreign != nil:
		return 3
	case p.thread == model.Main:
		return 2
	}
	return int(p.thread)
}

// placeOf returns where e is printed.
func (g *grouping) placeOf(e end) place {
	p := party{thread: e.Thread}
	switch {
	case e.foreign:
		k := loopKeyOf(e.loop)
		if g.loops[k] == nil {
			g.loops[k] = e.loop
		}
		p = party{model.Alpha, g.loops[k]}
	case p.thread == model.Beta && !g.loop.Single:
		p.thread = model.Alpha
	}
	return place{p, e.Pos, e.Func, e.Atomic}
}

// add puts e into its row.
func (g *grouping) add(e end, pos posFunc) {
	k := g.placeOf(e)
	r := g.rows[k]
	if r == nil {
		r = &row{access: e.Access, via: callPath(e, pos)}
		g.rows[k] = r
		i := slices.IndexFunc(g.groups, func(x *group) bool { return x.party == k.party })
		if i < 0 {
			i = len(g.groups)
			g.groups = append(g.groups, &group{party: k.party})
		}
		g.groups[i].rows = append(g.groups[i].rows, r)
	}
	r.read = r.read || e.Kind == model.Read
	r.write = r.write || e.Kind == model.Write
}

// title says who makes the accesses of group x.
func (g *grouping) title(x *group, pos posFunc) string {
	if x.party.foreign != nil {
		return who(end{loop: x.party.foreign, foreign: true}, pos)
	}
	if x.party.thread != model.Alpha || g.loop.Single {
		return who(end{Access: x.rows[0].access, loop: g.loop}, pos)
	}
	for _, r := range x.rows {
		for _, s := range x.rows {
			if g.pairs[pairOf(r, s)] {
				return "one " + runOf(g.loop) + ", and any other"
			}
		}
	}
	if g.loop.Form == model.FormClient {
		return "a goroutine"
	}
	return "an iteration"
}

// complete reports whether each place races with each other that it conflicts
// with: then the lists say it all, and the pairs need not be listed.
func (g *grouping) complete() bool {
	for i, x := range g.groups {
		for _, y := range g.groups[i:] {
			if !g.eachWithEach(x, y) {
				return false
			}
		}
	}
	return true
}

// eachWithEach reports whether all conflicting pairs of x and y are races; or
// none is, where a party does not race with itself or with a third.
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
	return have == want || have == 0 && (x == y || x.party.rank() >= 2 && y.party.rank() >= 2)
}

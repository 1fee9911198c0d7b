package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
)

// A loopKey is what a reader knows a loop by.
type loopKey struct {
	pos, spawn model.Pos
	kind, fn   string
	single     bool
}

func loopKeyOf(l *model.Loop) loopKey { return loopKey{l.Pos, l.Spawn, l.Kind, l.Func, l.Single} }

// An objectKey is what a reader knows an object by. The analysis has more
// objects than that: what alpha allocates and beta reaches, and the mirror
// image of it, or what one factory makes in two contexts.
type objectKey struct {
	kind, typ, name string
	pos             model.Pos
	iteration       bool // allocated by an iteration
}

func objectKeyOf(o *model.Object) objectKey {
	return objectKey{o.Kind, o.Type, o.Name, o.Pos, o.Thread != model.Main}
}

// Merge joins reports that tell a reader the same: first those of one loop on
// one field of objects that are allocated at the same place, then those of one
// loop and field in which the same accesses race. The accesses of the latter
// may touch any of several objects, which Objects lists. The reports stay in
// the order of their firsts; the argument is not changed.
func Merge(reports []*model.Report) []*model.Report {
	type site struct {
		loop   loopKey
		object objectKey
		field  string
	}
	reports = mergeBy(reports, func(r *model.Report) site {
		return site{loopKeyOf(r.Loop), objectKeyOf(r.Object), r.Field}
	})
	for _, r := range reports {
		r.Races = distinctRaces(r.Races)
	}
	type accesses struct {
		loop         loopKey
		field, pairs string
	}
	reports = mergeBy(reports, func(r *model.Report) accesses {
		return accesses{loopKeyOf(r.Loop), r.Field, pairList(r)}
	})
	for _, r := range reports {
		r.Alpha, r.Beta = sides(r.Races)
	}
	return reports
}

// mergeBy joins, in copies, the reports that have the same key.
func mergeBy[K comparable](reports []*model.Report, key func(*model.Report) K) []*model.Report {
	first := make(map[K]*model.Report)
	var out []*model.Report
	for _, r := range reports {
		k := key(r)
		if f := first[k]; f != nil {
			f.Races = slices.Concat(f.Races, r.Races)
			continue
		}
		c := *r
		first[k] = &c
		out = append(out, &c)
	}
	return out
}

// A sideKey is what a reader knows one side of a race by.
type sideKey struct {
	pos    model.Pos
	kind   model.AccessKind
	thread model.Thread
	fn     string
	loop   model.Pos
}

func sideKeyOf(e end) sideKey { return sideKey{e.Pos, e.Kind, e.Thread, e.Func, e.loop.Spawn} }

// distinctRaces keeps, of races between the same accesses, the first of the
// highest confidence.
func distinctRaces(races []*model.Race) []*model.Race {
	index := make(map[[2]sideKey]int)
	var out []*model.Race
	for _, x := range races {
		a, b := ends(x)
		k := [2]sideKey{sideKeyOf(a), sideKeyOf(b)}
		i, ok := index[k]
		switch {
		case !ok:
			index[k] = len(out)
			out = append(out, x)
		case x.Confidence > out[i].Confidence:
			out[i] = x
		}
	}
	return out
}

// pairList writes down which accesses of r race, in a canonical order: two
// iterations of a loop are interchangeable.
func pairList(r *model.Report) string {
	place := func(e end) string {
		t := e.Thread
		if t == model.Beta && !e.loop.Single {
			t = model.Alpha
		}
		return fmt.Sprint(e.Pos, e.Kind, t, e.loop.Spawn)
	}
	var list []string
	for _, x := range r.Races {
		a, b := ends(x)
		p, q := place(a), place(b)
		if cmp.Compare(p, q) > 0 {
			p, q = q, p
		}
		list = append(list, p+" "+q)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "\n")
}

// Objects lists the objects that the races of r are on, one for each place of
// allocation, r's own first.
func Objects(r *model.Report) []*model.Object {
	list := []*model.Object{r.Object}
	seen := map[objectKey]bool{objectKeyOf(r.Object): true}
	for _, x := range r.Races {
		if k := objectKeyOf(x.Object); !seen[k] {
			seen[k] = true
			list = append(list, x.Object)
		}
	}
	return list
}

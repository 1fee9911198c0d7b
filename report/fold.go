package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
)

// This file folds race sets for people. The two instructions that race are one mistake,
// however many loops and goroutines reach them: a method that does not lock is in as many race
// sets as there are loops that call it. So is one instruction that writes or copies a whole struct, which races
// on each of its fields; what the same two functions do to several fields of an object; and what the same two
// lines do, of which s.list = append(s.list, x) races on the list and on its elements. The text shows one of these
// in full and the others in a line each, with the places that the first does not have. Machines get them all.

// A fold is race sets that are one mistake to a reader.
type fold struct {
	number int // of the one that is shown in full, from 1
	report *model.Report
	others []folded
}

// A folded race set is not shown in full.
type folded struct {
	number int
	report *model.Report
	more   []*model.Access // places that the one shown in full does not have
}

// A codePair is two places in the code that race with each other, in order.
type codePair struct{ a, b model.Pos }

// A linePair is two lines that race with each other in a loop, in order.
type linePair struct {
	loop loopKey
	a, b model.Pos // without columns
}

// A fieldOwner is an object, as a reader knows it, of which several fields are raced on in a loop.
type fieldOwner struct {
	loop   loopKey
	object objectKey
}

// A wholeAccess is a place that races of a loop on an object, or its parts, have.
type wholeAccess struct {
	fieldOwner
	at model.Pos
}

// A funcPair is two functions that race with each other on an object, in order.
type funcPair struct {
	fieldOwner
	a, b string
}

// mistakes lists what race has in common with others that are the same mistake: they have an element in common.
func mistakes(r *model.Report, race *model.Race) []any {
	a, b := race.A, race.B
	if b.Pos.Compare(a.Pos) < 0 {
		a, b = b, a
	}
	loop := loopKeyOf(r.Loop)
	owner := fieldOwner{loop, objectKeyOf(r.Object)}
	line := func(p model.Pos) model.Pos { return model.Pos{File: p.File, Line: p.Line} }
	list := []any{codePair{a.Pos, b.Pos}, linePair{loop, line(a.Pos), line(b.Pos)}, wholeAccess{owner, a.Pos}, wholeAccess{owner, b.Pos}}
	if r.Object.Pos.IsValid() { // of what has no place in the source, one key may stand for many
		list = append(list, funcPair{owner, min(a.Func, b.Func), max(a.Func, b.Func)})
	}
	return list
}

// foldSets groups the race sets that are shown, the surest first: those of which each is the same mistake as
// another of the group. The first of them is shown in full, and the groups are in the order of their firsts.
func foldSets(shown []*model.Report) []*fold {
	group := make([]int, len(shown)) // the first race set of each one's group, or one that leads there
	root := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	seen := make(map[any]int)
	join := func(k any, i int) {
		j, ok := seen[k]
		if !ok {
			seen[k] = i
			return
		}
		x, y := root(i), root(j)
		group[max(x, y)] = min(x, y)
	}
	for i, r := range shown {
		group[i] = i
		for _, race := range r.Races {
			for _, k := range mistakes(r, race) {
				join(k, i)
			}
		}
	}
	byRoot := make(map[int]*fold)
	var out []*fold
	for i, r := range shown {
		f := byRoot[root(i)]
		if f == nil {
			f = &fold{number: i + 1, report: r}
			byRoot[root(i)] = f
			out = append(out, f)
			continue
		}
		f.others = append(f.others, folded{number: i + 1, report: r})
	}
	for _, f := range out {
		slices.SortFunc(f.others, func(x, y folded) int {
			if own := f.sameLoop(x); own != f.sameLoop(y) { // the loop's own first
				if own {
					return -1
				}
				return 1
			}
			return cmp.Compare(x.number, y.number)
		})
		f.findMore()
	}
	return out
}

// sameLoop reports whether a folded race set is of the loop of the one that is shown in full.
func (f *fold) sameLoop(o folded) bool { return loopKeyOf(o.report.Loop) == loopKeyOf(f.report.Loop) }

// findMore finds the places of each folded race set that were not shown before it.
func (f *fold) findMore() {
	type where struct {
		pos  model.Pos
		kind model.AccessKind
	}
	have := make(map[where]bool)
	visit := func(r *model.Report, do func(*model.Access)) {
		for _, race := range r.Races {
			for _, a := range []*model.Access{race.A, race.B} {
				if w := (where{a.Pos, a.Kind}); !have[w] {
					have[w] = true
					do(a)
				}
			}
		}
	}
	visit(f.report, func(*model.Access) {})
	for i := range f.others {
		o := &f.others[i]
		visit(o.report, func(a *model.Access) { o.more = append(o.more, a) })
		slices.SortFunc(o.more, func(a, b *model.Access) int {
			return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Kind, b.Kind))
		})
	}
}

const (
	maxFields = 12 // race sets of the same loop that a block lists after the one that it shows
	maxFolded = 5  // race sets that it lists, if those of the same loop are not more
	maxMore   = 3  // places that it names of each
)

// others prints the race sets that are folded into one: what else races in the same loop, then other loops.
func (p *printer) others(f *fold) {
	own := 0
	for own < len(f.others) && f.sameLoop(f.others[own]) {
		own++
	}
	list := f.others[:min(len(f.others), max(maxFolded, min(own, maxFields)))]
	for i, o := range list {
		label := ""
		if i <= own { // not among the lines of others
			label = "also"
		}
		p.field(label, "%s", p.also(f, o))
		if i < own {
			p.places(o)
		}
	}
	if n := len(f.others) - len(list); n > 0 {
		p.field("", "… and in %d more race %s (-json lists all)", n, plural(n, "set", "sets"))
	}
}

// also says in a line what a folded race set has that the one shown in full has not; of the same loop, where it
// is follows.
func (p *printer) also(f *fold, o folded) string {
	r := o.report
	on := ""
	if objectKeyOf(r.Object) != objectKeyOf(f.report.Object) || r.Field != f.report.Field {
		on = "on " + subject(r.Object, r.Field, p.d.pos)
	}
	where := describeLoop(r.Loop, p.d.pos)
	if f.sameLoop(o) {
		where, on = cmp.Or(on, "the same "+loopLabel(r.Loop)), ""
	}
	parts := []string{where + ": " + grade(r), "id " + r.ID, fmt.Sprintf("-why=%d", o.number)}
	if f.sameLoop(o) {
		return strings.Join(parts, "; ")
	}
	var more []string
	if on != "" {
		more = append(more, on)
	}
	for k, a := range o.more {
		if k == maxMore {
			more = append(more, fmt.Sprintf("%d more places", len(o.more)-maxMore))
			break
		}
		more = append(more, fmt.Sprintf("%s %s", a.Kind, p.d.pos(a.Pos)))
	}
	if len(more) > 0 {
		parts = append(parts, strings.Join(more, ", "))
	}
	return strings.Join(parts, "; ")
}

// places prints the accesses of a folded race set that were not shown before it, as rows.
func (p *printer) places(o folded) {
	var rows []*row
	width := 0
	for _, a := range o.more {
		if len(rows) == 0 || rows[len(rows)-1].access.Pos != a.Pos {
			rows = append(rows, &row{access: a})
		}
		last := rows[len(rows)-1]
		last.read = last.read || a.Kind == model.Read
		last.write = last.write || a.Kind == model.Write
		width = max(width, len(last.kinds())+1+len(p.d.pos(a.Pos)))
	}
	for i, r := range rows {
		if i == maxMore {
			p.printf("        … and %d more places\n", len(rows)-maxMore)
			break
		}
		p.row("", r, width)
	}
}

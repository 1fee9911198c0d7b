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
// on each of its fields. The text shows one of these in full and the others in
// a line each, with the places that the first does not have. Machines get them all.

// A fold is race sets with pairs of instructions in common, or with one that touches several fields of an object.
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

// A wholeAccess is a place that races of a loop on an object, or its parts, have.
type wholeAccess struct {
	loop      loopKey
	made, at  model.Pos
	name, typ string
}

// A codePair is two places in the code that race with each other, in order.
type codePair struct{ a, b model.Pos }

func codePairOf(r *model.Race) codePair {
	a, b := r.A.Pos, r.B.Pos
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	return codePair{a, b}
}

// foldSets groups the race sets that are shown, those of which each has a pair in common with
// another of the group, or a place where it is about the same object in the same loop. The one of the
// highest confidence, the first of these, is shown in full, and the groups are in the order of their firsts.
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
			join(codePairOf(race), i)
			for _, a := range []*model.Access{race.A, race.B} {
				join(wholeAccess{loopKeyOf(r.Loop), r.Object.Pos, a.Pos, r.Object.Name, r.Object.Type}, i)
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
		if o := &f.others[len(f.others)-1]; r.Confidence() > f.report.Confidence() {
			f.number, o.number = o.number, f.number
			f.report, o.report = o.report, f.report
		}
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
	maxFolded = 5 // race sets that a block lists after the one that it shows
	maxMore   = 3 // places that it names of each
)

// others prints the race sets that are folded into one.
func (p *printer) others(f *fold) {
	label := "also"
	for i, o := range f.others {
		if i == maxFolded {
			p.field("", "… and in %d more race sets (-json lists all)", len(f.others)-maxFolded)
			break
		}
		where := describeLoop(o.report.Loop, p.d.pos)
		if f.sameLoop(o) {
			where = "the same " + loopLabel(o.report.Loop)
		}
		line := fmt.Sprintf("%s: %s; id %s; -why=%d", where, grade(o.report), o.report.ID, o.number)
		var more []string
		if x, y := o.report.Object, f.report.Object; x.Pos != y.Pos || x.Name != y.Name || o.report.Field != f.report.Field {
			more = append(more, "on "+subject(x, o.report.Field, p.d.pos))
		}
		for k, a := range o.more {
			if k == maxMore {
				more = append(more, fmt.Sprintf("%d more places", len(o.more)-maxMore))
				break
			}
			more = append(more, fmt.Sprintf("%s %s", a.Kind, p.d.pos(a.Pos)))
		}
		if len(more) > 0 {
			line += "; " + strings.Join(more, ", ")
		}
		p.field(label, "%s", line)
		label = ""
	}
}

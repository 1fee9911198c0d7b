package order

import (
	"fmt"
	"slices"

	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// NewPlain is New with walks that find everything out for themselves: the oracle of
// those that ask first where something is awaited, and share tables.
func NewPlain(w World, l *locks.Analysis, rs *model.RaceSet) *Analysis {
	a := New(w, l, rs)
	a.plain = true
	return a
}

// Disagreements compares walks that share with those that go everywhere on their own:
// all that may follow an operation, and what threads come to before they wait for the
// classes that were asked for. It returns how many were compared, and those operations
// that one comes to and the other does not; and what is remembered of who runs what.
func (a *Analysis) Disagreements() (compared int, out []string) {
	compare := func(what string, shared, own *walk) {
		compared++
		for _, o := range a.allOps {
			if got, want := shared.reachesOp(o), own.reachesOp(o); got != want {
				out = append(out, fmt.Sprintf("%s: comes to %s: %v, want %v", what, a.line(o.inst, o.site), got, want))
			}
		}
	}
	alone := func(w *walk) *walk {
		a.plain = true
		defer func() { a.plain = false }()
		return w.run()
	}
	for _, o := range a.allOps {
		start := func() *walk {
			w := a.newWalk()
			w.spawns = true
			return w.startAfter(o)
		}
		compare("after "+a.line(o.inst, o.site), start().run(), alone(start()))
	}
	for _, key := range sortedKeys(a.byKey) {
		c := a.byKey[key]
		if c.state != yes {
			continue
		}
		for _, o := range a.allOps {
			for _, t := range a.threadsOf(o.inst) {
				if w := a.tabled(t, c); w != nil {
					compare("into "+a.line(o.inst, o.site), w, a.newWalk().until(c).fromEntry(t).run())
				}
			}
		}
	}
	// What only one instance runs, remembered and found anew.
	for _, c := range a.in.Instances() {
		for _, i := range a.in.Instances() {
			if got, want := a.onlyBelow(i, c), a.plainlyBelow(i, c, make(map[pta.InstID]bool)); got != want {
				out = append(out, fmt.Sprintf("instance %d is run by %d alone: %v, want %v", i, c, got, want))
			}
		}
	}
	return compared, out
}

// plainlyBelow is onlyBelow, by itself.
func (a *Analysis) plainlyBelow(i, c pta.InstID, seen map[pta.InstID]bool) bool {
	if i == c || seen[i] {
		return true
	}
	seen[i] = true
	callers := a.in.Callers(i)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(s pta.Site) bool { return a.in.IsSpawn(s) || !a.plainlyBelow(s.Inst, c, seen) })
}

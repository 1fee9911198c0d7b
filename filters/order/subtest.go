package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for parallel subtests: the call that starts one returns
// when the body says that it is parallel, and the body goes on when the function
// that has started it has returned. So all that this one does comes before, and
// so does what each body does until then.

// paused reports whether x of a parallel subtest and y are apart in time by
// that.
func (a *Analysis) paused(r *model.Race, x, y access) bool {
	if len(a.spawns) == 0 || !a.bySubtests(a.spawns) {
		return false
	}
	bodies := a.bodiesOf(x)
	if bodies == nil {
		return false
	}
	if r.B.Thread != model.Main || r.Other != nil {
		others := a.bodiesOf(y)
		return others != nil && (a.untilParallel(x, bodies) || a.untilParallel(y, others))
	}
	// The thread that starts the subtest, itself. What other entry points do, TestMain for instance, they do at other
	// times (soundness: roots-apart).
	starts := false
	for _, t := range a.threadsOf(y.inst) {
		if a.startsSubtests(t) {
			starts = true
		} else if len(a.spawnsOf(t)) > 0 || a.startsSome(t) {
			return false
		}
	}
	return starts
}

// bySubtests reports whether all of some spawns start subtests.
func (a *Analysis) bySubtests(spawns []pta.Site) bool {
	return !slices.ContainsFunc(spawns, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		return slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return f.Steps[k].Op != library.OpSubtest })
	})
}

// startsSubtests reports whether a thread is the one that starts the loop's subtests.
func (a *Analysis) startsSubtests(t pta.InstID) bool {
	return !slices.ContainsFunc(a.spawns, func(s pta.Site) bool { return !slices.Contains(a.threadsOf(s.Inst), t) })
}

// startsSome reports whether a thread may start some of the loop's subtests.
func (a *Analysis) startsSome(t pta.InstID) bool {
	return slices.ContainsFunc(a.spawns, func(s pta.Site) bool { return slices.Contains(a.threadsOf(s.Inst), t) })
}

// bodiesOf returns the threads that run x, if all are subtests of one test: of the loop's, or
// of what starts those. A goroutine that one of them has started goes on while that waits.
func (a *Analysis) bodiesOf(x access) []pta.InstID {
	threads := a.threadsOf(x.inst)
	for _, t := range threads {
		sites := a.spawnsOf(t)
		if len(sites) == 0 || !a.bySubtests(sites) {
			return nil
		}
		for _, s := range sites {
			up, ok := a.sole(s.Inst)
			if !ok || !a.startsSubtests(up) {
				return nil
			}
		}
	}
	return threads
}

// untilParallel reports whether x comes before each of the subtests that run it says that it is
// parallel, and not after.
func (a *Analysis) untilParallel(x access, bodies []pta.InstID) bool {
	return !slices.ContainsFunc(bodies, func(t pta.InstID) bool {
		w := a.kept(walkKey{kind: 'p', inst: t}, func() *walk { return a.fromParallel(t) })
		return w.reaches(x.inst, x.at)
	})
}

// fromParallel walks from where a subtest says that it is parallel, which other subtests may do by
// the same helper, and from what it has run when it is over. Where it does not say so in view,
// everything counts as reached.
func (a *Analysis) fromParallel(t pta.InstID) *walk {
	w := a.newWalk()
	w.exhausted = true
	for _, i := range a.in.Syncing() {
		f := a.w.Flow(i)
		if f == nil || !f.Sync || !slices.Contains(a.threadsOf(i), t) {
			continue
		}
		for k := range f.Steps {
			switch f.Steps[k].Op {
			case library.OpTestParallel:
				w.exhausted = false
				w.fromStep(i, int32(k))
			case library.OpTestCleanup:
				for _, c := range a.in.Callees(i, f, int32(k)) {
					w.fromEntry(c)
				}
			}
		}
	}
	if w.exhausted {
		return w
	}
	return w.run()
}

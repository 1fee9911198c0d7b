package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for parallel subtests: the call that starts one returns
// when the body says that it is parallel, and the body goes on when the function
// that has started it has returned. So all that this one does comes before, and
// so does what each body does until then.

// paused reports whether x of a parallel subtest and y are apart in time by
// that.
func (a *Analysis) paused(r *model.Race, x, y access) bool {
	for _, s := range a.spawns {
		f := a.w.Flow(s.Inst)
		for _, k := range f.StepsAt(s.At) {
			if f.Steps[k].Op != library.OpSubtest {
				return false
			}
		}
	}
	if len(a.spawns) == 0 || !a.inBody(x) {
		return false
	}
	if r.B.Thread != model.Main {
		return a.inBody(y) && (a.untilParallel(x) || a.untilParallel(y))
	}
	// The thread that starts the subtest, itself.
	for _, t := range a.threadsOf(y.inst) {
		for _, s := range a.spawns {
			if !slices.Contains(a.threadsOf(s.Inst), t) {
				return false
			}
		}
	}
	return true
}

// inBody reports whether only the goroutine of the iteration itself runs x.
func (a *Analysis) inBody(x access) bool {
	t, ok := a.sole(x.inst)
	return ok && slices.Contains(a.w.Bodies(a.w.Thread(x.inst)), t)
}

// untilParallel reports whether x comes before the subtest says that it is
// parallel, and not after.
func (a *Analysis) untilParallel(x access) bool {
	t, _ := a.sole(x.inst)
	w := a.kept(walkKey{kind: 'p', inst: t}, func() *walk {
		w := a.newWalk()
		for _, i := range a.in.Syncing() {
			f := a.w.Flow(i)
			if f == nil || !f.Sync || !slices.Equal(a.threadsOf(i), []pta.InstID{t}) {
				continue
			}
			for k := range f.Steps {
				if st := &f.Steps[k]; st.Kind == flow.Sync && st.Op == library.OpTestParallel {
					w.fromStep(i, int32(k))
				}
			}
		}
		return w.run()
	})
	return !w.reaches(x.inst, x.at)
}

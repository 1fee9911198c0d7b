package order

import (
	"fmt"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// againstMain decides for x of an iteration and y of another thread.
func (a *Analysis) againstMain(x, y access) verdict {
	if a.open(x, y) && a.unguarded(x, y) {
		return verdict{true, fmt.Sprintf("no join between the spawn at %s and %s", a.spawnLine(), a.line(y.inst, y.at))}
	}
	// y's thread may have been started first, if it is not one that the
	// spawner belongs to or is spawned from: what those did before is over.
	for _, t := range a.threadsOf(y.inst) {
		if a.up[t] {
			continue
		}
		w := a.kept(walkKey{kind: 't', inst: t, x: a.target(y)}, func() *walk {
			w := a.newWalk()
			w.avoid, w.spawns, w.birth = a.avoiding(y), true, y.birth
			return w.besideThread(t).run()
		})
		if w.reaches(x.inst, x.at) && a.inward(t, x).reaches(y.inst, y.at) {
			return verdict{true, fmt.Sprintf("nothing orders the goroutines that contain %s and %s", a.line(x.inst, x.at), a.line(y.inst, y.at))}
		}
	}
	return verdict{}
}

// open reports whether a path from x's spawn comes to y without passing what
// awaits x.
func (a *Analysis) open(x, y access) bool {
	return a.outward(x).reaches(y.inst, y.at)
}

// unguarded reports whether the iteration comes to x without waiting for y.
func (a *Analysis) unguarded(x, y access) bool {
	side := a.w.Thread(x.inst)
	return a.kept(walkKey{kind: 'u', op: int32(side), x: a.target(y)}, func() *walk {
		w := a.newWalk()
		w.avoid, w.spawns = a.avoiding(y), true
		for _, b := range a.w.Bodies(side) {
			w.fromEntry(b)
		}
		return w.run()
	}).reaches(x.inst, x.at)
}

// againstOther decides for x of one iteration and y of another.
func (a *Analysis) againstOther(x, y access) verdict {
	if a.rounds2(x, y) || a.rounds2(y, x) {
		return verdict{true, "nothing orders one iteration after another"}
	}
	return verdict{}
}

// rounds2 reports whether y of a later round may run beside x of an earlier one.
func (a *Analysis) rounds2(x, y access) bool {
	side := a.w.Thread(y.inst)
	w := a.kept(walkKey{kind: 'r', op: int32(side), x: a.target(x)}, func() *walk {
		w := a.newWalk()
		w.avoid, w.spawns, w.birth = a.avoiding(x), true, x.birth
		w.beside(x.inst)
		for _, s := range a.spawns {
			if a.together(s) {
				for _, b := range a.w.Bodies(side) {
					w.fromEntry(b)
				}
			}
		}
		return w.run()
	})
	return w.reaches(y.inst, y.at) && a.unguarded(x, y)
}

// together reports whether one happening of the spawn starts many iterations.
func (a *Analysis) together(s pta.Site) bool {
	f := a.w.Flow(s.Inst)
	for _, k := range f.StepsAt(s.At) {
		st := &f.Steps[k]
		if st.Kind == flow.Parallel || st.Repeat {
			return true
		}
	}
	return false
}

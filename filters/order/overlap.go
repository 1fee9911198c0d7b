package order

import (
	"fmt"
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// overlap decides for x of an iteration and y. Where several goroutines of the
// iteration run x, each of them is another question, which is asked if there is
// no one answer for all.
func (a *Analysis) overlap(r *model.Race, x, y access) verdict {
	ts := a.threadsOf(x.inst)
	v := a.against(r, x, y, ts)
	if !v.overlap || len(ts) < 2 || len(ts) > maxThreads {
		return v
	}
	for _, t := range slices.SortedFunc(slices.Values(ts), a.w.Compare) { // the first that may overlap has the reason
		x, y := x, y
		if x.by = t + 1; x.birth == noSite {
			a.findBirth(r, &x, &y)
		}
		if a.madeApart(x.own, y.own) {
			continue
		}
		if v := a.against(r, x, y, ts); v.overlap {
			return v
		}
	}
	return verdict{}
}

// madeApart reports whether the objects of two accesses are made by two instances outside the
// iterations: not in one run of a function.
func (a *Analysis) madeApart(x, y pta.Site) bool {
	return x != noSite && y != noSite && x.Inst != y.Inst && a.w.Thread(x.Inst) == model.Main && a.w.Thread(y.Inst) == model.Main
}

// against decides for x, of one of some threads, and y.
func (a *Analysis) against(r *model.Race, x, y access, ts []pta.InstID) verdict {
	other := r.B.Thread != model.Main
	switch {
	case a.plain:
	case other && (a.freelyRounds(x, y) || a.freelyRounds(y, x)):
		return noneOrdersRounds
	case !other && a.freelyOpen(x, y) && a.freelyUnguarded(x):
		return a.noJoin(x, y)
	}
	for _, t := range ts {
		a.findNested(t)
	}
	if other {
		return a.againstOther(x, y)
	}
	return a.againstMain(x, y)
}

// maxThreads is how many goroutines that run one access are told apart.
const maxThreads = 8

// againstMain decides for x of an iteration and y of another thread.
func (a *Analysis) againstMain(x, y access) verdict {
	if a.open(x, y) && a.unguarded(x, y) {
		return a.noJoin(x, y)
	}
	// y's thread may have been started first, if it is not one that the
	// spawner belongs to or is spawned from: what those did before is over.
	for _, t := range a.threadsOf(y.inst) {
		if a.up[t] || a.severed(t) {
			continue
		}
		if a.startedFirst(x, y, t) {
			return verdict{overlap: true, why: fmt.Sprintf("nothing orders the goroutines that contain %s and %s", a.line(x.inst, x.at), a.line(y.inst, y.at))}
		}
	}
	return verdict{}
}

// startedFirst reports whether thread t may come to y, and x's begin, when neither has waited for the other.
func (a *Analysis) startedFirst(x, y access, t pta.InstID) bool {
	y.by = t + 1 // what the other threads do with it is another question
	w := a.walkOf(a.classOf(y), 't', t, 0, func(w *walk) {
		w.spawns, w.birth = true, y.birth
		w.besideThread(t)
	})
	return w.reaches(x.inst, x.at) && a.inward(t, x).reaches(y.inst, y.at)
}

// open reports whether a path from x's spawn comes to y without passing what
// awaits x.
func (a *Analysis) open(x, y access) bool {
	if len(a.threadsOfAccess(x)) > 0 && x.by == 0 && !a.alongside(x.inst).reaches(y.inst, y.at) {
		return false // whatever is awaited
	}
	c := a.classOf(x)
	return a.solveWhile(c, func() bool { return c.outward.reaches(y.inst, y.at) })
}

// inward is all that thread t may come to before it waits for x.
func (a *Analysis) inward(t pta.InstID, x access) *walk {
	c := a.classOf(x)
	a.solve(c)
	return a.inwardOf(t, c)
}

// unguarded reports whether the iteration comes to x without waiting for y.
func (a *Analysis) unguarded(x, y access) bool {
	if !a.plain && a.freelyUnguarded(x) {
		return true
	}
	side := a.w.Thread(x.inst)
	return a.walkOf(a.classOf(y), 'u', pta.InstID(side), 0, func(w *walk) {
		w.spawns = true
		for _, b := range a.w.Bodies(side) {
			w.fromEntry(b)
		}
	}).reaches(x.inst, x.at)
}

// againstOther decides for x of one iteration and y of another.
func (a *Analysis) againstOther(x, y access) verdict {
	if a.rounds2(x, y) || a.rounds2(y, x) {
		return noneOrdersRounds
	}
	return verdict{}
}

var noneOrdersRounds = verdict{overlap: true, why: "nothing orders one iteration after another"}

// noJoin is the verdict on what the spawner comes to without waiting.
func (a *Analysis) noJoin(x, y access) verdict {
	why := fmt.Sprintf("no join between the spawn at %s and %s", a.spawnLine(), a.line(y.inst, y.at))
	if n := a.lateWait(a.classOf(x)); n != nil {
		why += fmt.Sprintf(": the Wait at %s need not wait for goroutines that call Add themselves", a.line(n.inst, n.site))
	}
	return verdict{overlap: true, why: why}
}

// rounds2 reports whether y of a later round may run beside x of an earlier one.
func (a *Analysis) rounds2(x, y access) bool {
	side := a.w.Thread(y.inst)
	c := a.classOf(x)
	later := func() bool {
		return a.walkOf(c, 'r', pta.InstID(side), 0, func(w *walk) {
			w.spawns, w.birth = true, x.birth
			a.laterRounds(w, x, side)
		}).reaches(y.inst, y.at)
	}
	return a.solveWhile(c, later) && a.unguarded(x, y)
}

// laterRounds starts a walk where rounds begin of a side that may run beside x's.
func (a *Analysis) laterRounds(w *walk, x access, side model.Thread) {
	w.beside(x.inst)
	for _, s := range a.spawns {
		if a.together(s) {
			for _, b := range a.w.Bodies(side) {
				w.fromEntry(b)
			}
		}
	}
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

package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file looks at the ways to an access of an iteration that are likely to come about.
// What a function holds is what all its callers hold, and of those far below the body not
// all will be such: a registry of modules calls the method of any module, as far as the
// points-to result can tell, and one of them is asked for where no lock is held. A lock
// that is held on all near ways and missing on a far one is missing by assumption
// (soundness: far-way).

// maxNear is how many calls below the body a caller may lie, whatever it calls. Further
// down a way must be the shortest, or the call must run one function only.
const maxNear = 4

// nearWays are the calls between the start of an iteration and the instances that it runs.
type nearWays struct {
	dist  map[pta.InstID]int    // the fewest calls to an instance
	entry map[pta.InstID]*state // what it finds held on near ways
}

// byNear reports whether a common lock protects the accesses of a race on all near ways to
// those of them that iterations of the loop make.
func (a *Analysis) byNear(r *model.Race) bool {
	x, y := a.anyOf(r.A), a.anyOf(r.B)
	g, h := a.nearAt(r.A), y
	if r.B.Thread == model.Beta && r.Other == nil {
		h = a.nearAt(r.B)
	}
	if len(g) <= len(x) && len(h) <= len(y) || len(g) == 0 || len(h) == 0 {
		return false
	}
	return a.ofOneDatum(r, a.protected(r, side{r.A, g, nil}, side{r.B, h, nil}), g, h) > unprotected
}

// nearAt returns the locks that must be held at an access on near ways.
func (a *Analysis) nearAt(x *model.Access) []Held {
	if a.near == nil {
		a.findNear()
	}
	i := pta.InstID(x.Inst)
	f, entry := a.w.Flow(i), a.near.entry[i]
	if f == nil || entry == nil {
		return nil
	}
	gap := a.gaps(i, f, entry)
	var s *state
	for _, g := range f.Gaps(ssair.Instr(x.Instr)) {
		s = a.meet(s, gap(int(g)))
	}
	if s == nil {
		return nil
	}
	return s.held
}

// findNear counts the calls to the instances that iterations run, and computes what these
// find held on near ways, from the body down: the sets only shrink, so this ends.
func (a *Analysis) findNear() {
	a.near = &nearWays{dist: make(map[pta.InstID]int), entry: make(map[pta.InstID]*state)}
	dist, entry := a.near.dist, a.near.entry
	bodies := slices.Concat(a.w.Bodies(model.Alpha), a.w.Bodies(model.Beta))
	a.Prepare(bodies)
	for _, i := range bodies {
		dist[i], entry[i] = 0, a.entry[i]
	}
	calls := func(i pta.InstID, do func(f *flow.Func, k int32, callees []pta.InstID)) {
		f := a.w.Flow(i)
		if f == nil {
			return
		}
		for k := range f.Steps {
			if f.Steps[k].Kind == flow.Call {
				do(f, int32(k), a.in.Callees(i, f, int32(k)))
			}
		}
	}
	for work := slices.Clone(bodies); len(work) > 0; work = work[1:] {
		calls(work[0], func(_ *flow.Func, _ int32, callees []pta.InstID) {
			for _, c := range callees {
				if _, ok := dist[c]; !ok {
					dist[c] = dist[work[0]] + 1
					work = append(work, c)
				}
			}
		})
	}
	for work := slices.Clone(bodies); len(work) > 0; work = work[1:] {
		i := work[0]
		if entry[i] == nil {
			continue
		}
		calls(i, func(f *flow.Func, k int32, callees []pta.InstID) {
			before := a.gaps(i, f, entry[i])(int(f.BeforeStep(k)))
			if before == nil {
				return
			}
			var in *state
			for _, c := range callees {
				if dist[i] >= maxNear && len(callees) > 1 && dist[c] <= dist[i] {
					continue
				}
				if in == nil {
					in = a.entered(i, f, &f.Steps[k], before)
				}
				if m := a.meet(entry[c], in); entry[c] == nil || !a.equal(entry[c], m) {
					entry[c] = m
					work = append(work, c)
				}
			}
		})
	}
}

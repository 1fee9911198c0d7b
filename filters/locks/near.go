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
	return a.ofOneDatum(r, a.protected(r, side{Access: r.A, held: g}, side{Access: r.B, held: h}), g, h) > unprotected
}

// nearAt returns the locks that must be held at an access on near ways.
func (a *Analysis) nearAt(x *model.Access) []Held {
	if a.near == nil {
		a.findNear()
	}
	i := pta.InstID(x.Inst)
	f, entry := a.w.Flow(i), a.near[i]
	if f == nil || entry == nil {
		return nil
	}
	return a.heldIn(f, ssair.Instr(x.Instr), a.gaps(i, f, entry))
}

// findNear computes what the instances that iterations run find held on near ways, from the
// body down: the sets only shrink, so this ends. A way is near if all its calls lie at most
// so many calls below the body as accesses are compared in earnest (pta.MaxNear), or are on
// a shortest way, or run one function only.
func (a *Analysis) findNear() {
	a.near = make(map[pta.InstID]*state)
	dist := make(map[pta.InstID]int) // the fewest calls to an instance
	bodies := slices.Concat(a.w.Bodies(model.Alpha), a.w.Bodies(model.Beta))
	a.Prepare(bodies)
	for _, i := range bodies {
		dist[i], a.near[i] = 0, a.entries.Get(i).held
	}
	for work := slices.Clone(bodies); len(work) > 0; work = work[1:] {
		i := work[0]
		a.eachCall(i, func(_ *flow.Func, _ int32, callees []pta.InstID) {
			for _, c := range callees {
				if _, ok := dist[c]; !ok {
					dist[c] = dist[i] + 1
					work = append(work, c)
				}
			}
		})
	}
	for work := slices.Clone(bodies); len(work) > 0; work = work[1:] {
		i := work[0]
		entry := a.near[i]
		if entry == nil {
			continue
		}
		a.eachCall(i, func(f *flow.Func, k int32, callees []pta.InstID) {
			before := a.gaps(i, f, entry)(int(f.BeforeStep(k)))
			if before == nil || len(callees) == 0 {
				return
			}
			st := &f.Steps[k]
			found := a.entered(i, f, st, a.before(f, k, before))
			for _, c := range callees {
				if dist[i] >= pta.MaxNear && len(callees) > 1 && dist[c] <= dist[i] {
					continue
				}
				in := found
				if st.Kind != flow.Call {
					in = a.handedOver(pta.Site{Inst: i, At: st.Site}, c, found)
				}
				if m := a.meet(a.near[c], in); a.near[c] == nil || !a.equal(a.near[c], m) {
					a.near[c] = m
					work = append(work, c)
				}
			}
		})
	}
}

// eachCall visits the calls of an instance and where it starts goroutines, by step, with what they may run.
func (a *Analysis) eachCall(i pta.InstID, visit func(f *flow.Func, k int32, callees []pta.InstID)) {
	f := a.w.Flow(i)
	if f == nil {
		return
	}
	for k := range f.Steps {
		switch f.Steps[k].Kind {
		case flow.Call, flow.Spawn, flow.Parallel:
			visit(f, int32(k), a.in.Callees(i, f, int32(k)))
		}
	}
}

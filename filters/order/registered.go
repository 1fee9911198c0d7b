package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what is registered with something that serves, and runs only once
// that is started:
//
//	mux.Handle("/", s)
//	s.limit = 10
//	http.ListenAndServe(addr, mux)
//
// What threads that nobody has started do before anything is served comes before whatever handlers
// do. What serves is known from the model; that nothing else does is taken for granted
// (soundness: registered). Where nothing is served in view, who serves is not known.

// unserved reports whether an iteration of a race is the run of what was registered, and Main's
// access comes before all that is served.
func (a *Analysis) unserved(r *model.Race) bool {
	if r.Other != nil || r.B.Thread != model.Main {
		return false
	}
	service, ok := a.registered()
	if !ok {
		return false
	}
	i, at := pta.InstID(r.B.Inst), ssair.Instr(r.B.Instr)
	ts := a.threadsOf(i)
	if len(ts) == 0 || slices.ContainsFunc(ts, func(t pta.InstID) bool { return len(a.spawnsOf(t)) > 0 }) {
		return false
	}
	if a.served == nil {
		w := a.newWalk()
		w.spawns = true
		a.served = &served{after: w, some: a.fromServing(w, service)}
		w.run()
	}
	return a.served.some && !a.served.after.reaches(i, at)
}

// served is what comes after something is served, if anything is.
type served struct {
	after *walk
	some  bool
}

// fromServing lets a walk start where something is served by a server of that name, in this
// thread or another, and reports whether there is such a place.
func (a *Analysis) fromServing(w *walk, service string) (some bool) {
	for _, i := range a.in.Syncing() {
		f := a.w.Flow(i)
		if f == nil || !a.in.Runs(i) {
			continue
		}
		for k := range f.Steps {
			if st := &f.Steps[k]; st.Kind == flow.Spawn && st.Op == library.OpNone && st.Repeat && !st.Later && st.Service == service {
				w.fromStep(i, int32(k)).beside(i)
				some = true
			}
		}
	}
	return some
}

// registered reports whether the loop's iterations are runs of what is registered, and with
// which service.
func (a *Analysis) registered() (service string, ok bool) {
	for n, s := range a.spawns {
		f := a.w.Flow(s.Inst)
		if f == nil {
			return "", false
		}
		steps := f.StepsAt(s.At)
		k := slices.IndexFunc(steps, func(k int32) bool { return f.Steps[k].Later })
		if k < 0 || n > 0 && f.Steps[steps[k]].Service != service {
			return "", false
		}
		service = f.Steps[steps[k]].Service
	}
	return service, len(a.spawns) > 0
}

package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for handlers that a program runs itself:
//
//	mux := http.NewServeMux()
//	mux.HandleFunc("/", s.list)
//	mux.ServeHTTP(httptest.NewRecorder(), req)
//
// Where it is registered, a handler is taken to run beside everything. If nothing serves in view, and the
// program asks for it, it runs in those calls (pta/dispatch.go), and with whom it races there is another
// loop's business (soundness: own-dispatch). Of a mux that others may have, as that of a library's
// constructor, this is no proof, but what is told of it is not definite.

// dispatch says who runs what is registered at a site.
type dispatch struct {
	asked bool // nothing serves, and the program itself runs it
	only  bool // and nobody else has what it is registered with
}

// runsUnserved reports whether an access of a race is one of a handler that only the program itself runs, by
// a call, and not beside everything; and whether nothing shows that others do.
func (a *Analysis) runsUnserved(r *model.Race) (only, asked bool) {
	if d := a.dispatched(a.spawns); d.asked {
		return d.only, true
	}
	if r.B.Thread != model.Main {
		return false, false
	}
	only, asked = true, true
	ts := a.threadsOf(pta.InstID(r.B.Inst))
	for _, t := range ts {
		d := a.dispatched(a.spawnsOf(t))
		only, asked = only && d.only, asked && d.asked
	}
	return only && len(ts) > 0, asked && len(ts) > 0
}

// dispatched tells of all of some sites.
func (a *Analysis) dispatched(sites []pta.Site) dispatch {
	all := dispatch{len(sites) > 0, len(sites) > 0}
	for _, s := range sites {
		f := a.w.Flow(s.Inst)
		if f == nil || !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return f.Steps[k].Later && f.Steps[k].Service == "" }) {
			return dispatch{}
		}
		d, ok := a.dispatches[s]
		if !ok {
			if a.dispatches == nil {
				a.dispatches = make(map[pta.Site]dispatch)
			}
			d = a.dispatchedAt(s)
			a.dispatches[s] = d
		}
		all.asked, all.only = all.asked && d.asked, all.only && d.only
	}
	return all
}

func (a *Analysis) dispatchedAt(s pta.Site) (d dispatch) {
	if a.servesInView() {
		return d
	}
	with := a.operand(s.Inst, s.At, 0)
	among := func(l pta.Loc) bool { return slices.Contains(with, l) }
	handlers := append(slices.Clone(a.operand(s.Inst, s.At, 1)), a.operand(s.Inst, s.At, 2)...)
	handler := func(l pta.Loc) bool { return slices.Contains(handlers, l) }
	var bodies []*flow.Func
	for _, i := range a.in.CalleesAt(s.Inst, s.At) {
		bodies = append(bodies, a.w.Flow(i))
	}
	given := false
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil || !a.in.Runs(i) {
			continue
		}
		for k := range f.Steps {
			st := &f.Steps[k]
			if st.Kind != flow.Call {
				continue
			}
			callees := a.in.Callees(i, f, int32(k))
			switch {
			case st.Dispatch:
				d.asked = d.asked || slices.ContainsFunc(a.operand(i, st.Site, 0), among)
			case !st.Methods && len(callees) == 0:
				for n := range st.Args {
					given = given || slices.ContainsFunc(a.operand(i, st.Site, n), among)
				}
			case !d.asked:
				// The method of a type of the library, as that of http.HandlerFunc, is called on many handlers.
				d.asked = a.w.App(i) && slices.ContainsFunc(callees, func(j pta.InstID) bool {
					return slices.Contains(bodies, a.w.Flow(j)) && (a.w.App(j) || slices.ContainsFunc(a.operand(i, st.Site, 0), handler))
				})
			}
		}
	}
	d.only = d.asked && !given && a.w.Dispatched(s)
	return d
}

// servesInView reports whether something is served that may be what a handler is registered with.
func (a *Analysis) servesInView() (yes bool) {
	a.eachSyncing(func(_ pta.InstID, _ int32, st *flow.Step) { yes = yes || serves(st, "") })
	return yes
}

package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
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
// (soundness: registered). Where nothing is served in view, who serves is not known; but a
// function that makes a mux, has handlers registered with it and goes on to fill in what these
// look at does so before its callers can have the mux served; and so does one that has another
// make both, and goes on with what that returns. A test is a program of which all is in view: where
// it has nothing served, what it registers does not run.

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
	if a.served.some && !a.served.after.reaches(i, at) || !a.served.some && a.w.ScopeTests() {
		return true
	}
	return a.madeUnserved(i, at, a.addr(access{inst: i, at: at}).Base(), maxUnserved)
}

// maxUnserved bounds the calls between a function that has what it works on made with a mux, and
// the access.
const maxUnserved = 3

// madeUnserved reports whether a frame has made all that the loop's iterations are registered
// with, itself or by a call that returns what p leads from, and starts nothing before it comes to an
// instruction; or those that pass it p have.
func (a *Analysis) madeUnserved(i pta.InstID, at ssair.Instr, p flow.Path, depth int) bool {
	if a.registersWithOwn(i) {
		return !a.reachedBy(i, at, a.mayStart)
	}
	f := a.w.Flow(i)
	if f == nil || depth == 0 || !p.Known() || p.Loads() {
		return false
	}
	if made, ok := p.Made(); ok {
		call, _ := f.ResultOf(made)
		makers := a.in.CalleesAt(i, call)
		return len(makers) > 0 && !slices.ContainsFunc(makers, func(m pta.InstID) bool { return !a.registersWithOwn(m) }) && !a.reachedBy(i, at, a.mayServe)
	}
	callers := a.in.Callers(i)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(c pta.Site) bool {
		j, up, ok := a.in.Up(i, c, p)
		return !ok || a.in.IsSpawn(c) || !a.madeUnserved(j, c.At, up, depth-1)
	})
}

// registersWithOwn reports whether an instance has made all that the loop's iterations are
// registered with.
func (a *Analysis) registersWithOwn(i pta.InstID) bool {
	for _, s := range a.spawns {
		f := a.w.Flow(s.Inst)
		if slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
			run := f.Steps[k].Body
			if f.Steps[k].Methods {
				run = f.Steps[k].Of
			}
			return run <= 0
		}) {
			return false // by a function of a package that has a registry
		}
		with := a.operand(s.Inst, s.At, 0)
		if len(with) == 0 || slices.ContainsFunc(with, func(l pta.Loc) bool {
			at := a.w.Object(l).Alloc
			return at.Inst != i || at.At < 0 // what it is given it has not made
		}) {
			return false
		}
	}
	return true
}

// reachedBy reports whether control may come to an instruction of an instance after a step of which
// something is true.
func (a *Analysis) reachedBy(i pta.InstID, at ssair.Instr, is func(pta.InstID, *flow.Func, int32) bool) bool {
	f := a.w.Flow(i)
	for k := range int32(len(f.Steps)) {
		if is(i, f, k) && slices.ContainsFunc(f.Gaps(at), func(g flow.Gap) bool { return f.Reaches(f.AfterStep(k), g, -1, -1) }) {
			return true
		}
	}
	return false
}

// mayServe reports whether a step starts something, or runs a function that is not in view, which
// may serve what it is passed.
func (a *Analysis) mayServe(i pta.InstID, f *flow.Func, k int32) bool {
	return a.mayStart(i, f, k) || f.Steps[k].Kind == flow.Call && len(a.in.Callees(i, f, k)) == 0
}

// mayStart reports whether a step starts something, itself or in what it calls: a goroutine that has
// all that there is, or what serves.
func (a *Analysis) mayStart(i pta.InstID, f *flow.Func, k int32) bool {
	if isStart(&f.Steps[k]) {
		return true
	}
	if a.forking == nil {
		a.forking = new(idset.Set[pta.InstID])
		var work []pta.InstID
		for _, j := range a.in.Syncing() {
			if g := a.w.Flow(j); g != nil && slices.ContainsFunc(g.Steps, func(st flow.Step) bool { return isStart(&st) }) {
				work = append(work, j)
			}
		}
		a.callersBy(a.forking, work, func(s pta.Site) bool { return !a.in.IsSpawn(s) })
	}
	return slices.ContainsFunc(a.in.Callees(i, f, k), a.forking.Has)
}

// isStart reports whether a step starts goroutines at once.
func isStart(st *flow.Step) bool {
	return (st.Kind == flow.Spawn || st.Kind == flow.Parallel) && !st.Later
}

// served is what comes after something is served, if anything is.
type served struct {
	after *walk
	some  bool
}

// fromServing lets a walk start where something is served by a server of that name, or of
// any if it has none, in this thread or another, and reports whether there is such a place.
func (a *Analysis) fromServing(w *walk, service string) (some bool) {
	a.eachSyncing(func(i pta.InstID, k int32, st *flow.Step) {
		if serves(st, service) {
			w.fromStep(i, k).beside(i)
			some = true
		}
	})
	return some
}

// eachSyncing calls f for each step of the instances that run and hold an operation or a start.
func (a *Analysis) eachSyncing(f func(i pta.InstID, k int32, st *flow.Step)) {
	for _, i := range a.in.Syncing() {
		fl := a.w.Flow(i)
		if fl == nil || !a.in.Runs(i) {
			continue
		}
		for k := range fl.Steps {
			f(i, int32(k), &fl.Steps[k])
		}
	}
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

package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for who has had a server shut down:
//
//	go srv.Serve(l)
//	...
//	srv.Shutdown(ctx)
//	fmt.Println(s.requests)
//
// It returns when the handlers that run are over, and no others run after that. It also returns
// when its context is over, which is what one does about a handler that hangs (soundness: registered).

// shutDown reports whether an iteration of a race is the run of what a server serves, and Main's
// access comes after that server was shut down, wherever it comes after the server.
func (a *Analysis) shutDown(r *model.Race) bool {
	if r.Other != nil || r.B.Thread != model.Main {
		return false
	}
	service, ok := a.registered()
	if !ok && !a.servedDirectly() {
		return false
	}
	i := pta.InstID(r.B.Inst)
	if ts := a.threadsOf(i); len(ts) == 0 || slices.ContainsFunc(ts, func(t pta.InstID) bool { return len(a.spawnsOf(t)) > 0 }) {
		return false
	}
	if a.shut == nil {
		a.shut = &served{}
		if shuts := a.shutsOne(service); len(shuts) > 0 {
			w := a.newWalk()
			w.spawns = true
			w.withoutSteps(shuts)
			*a.shut = served{after: w, some: a.fromServing(w, service)}
			w.run()
		}
	}
	return a.shut.some && !a.shut.after.reaches(i, ssair.Instr(r.B.Instr))
}

// shutsDown reports whether a step shuts a server down, and waits for what that serves.
func shutsDown(st *flow.Step) bool { return st.Exchange == library.ExchangeOver }

// servedDirectly reports whether the loop's iterations are what servers run themselves, as the
// handler in a field.
func (a *Analysis) servedDirectly() bool {
	return len(a.spawns) > 0 && !slices.ContainsFunc(a.spawns, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		return f == nil || !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return serves(&f.Steps[k], "") })
	})
}

// shutsOne lists the steps that shut a server down, if that is the one object by which all is
// served that is served by servers of that name, or by any if it has none.
func (a *Analysis) shutsOne(service string) []stepOf {
	var servers []pta.Loc
	made := noSite // the call that both makes the server and starts it
	var shuts []stepOf
	known := true
	a.eachSyncing(func(i pta.InstID, k int32, st *flow.Step) {
		switch {
		case shutsDown(st):
			shuts = append(shuts, stepOf{i, k})
		case serves(st, service) && returnsServer(st):
			known = known && made == noSite && len(servers) == 0
			made = pta.Site{Inst: i, At: st.Site}
		case serves(st, service):
			of := a.operand(i, st.Site, 0)
			known = known && made == noSite && len(of) == 1 && (len(servers) == 0 || servers[0] == of[0])
			servers = of
		}
	})
	if !known || made == noSite && (len(servers) == 0 || a.w.Object(servers[0]).Many) {
		return nil
	}
	return slices.DeleteFunc(shuts, func(s stepOf) bool {
		of := a.operand(s.inst, a.w.Flow(s.inst).Steps[s.step].Site, 0)
		if len(of) != 1 {
			return true
		}
		if o := a.w.Object(of[0]); made != noSite {
			return o.Alloc != made || o.Many
		}
		return of[0] != servers[0] // one of another test
	})
}

// returnsServer reports whether a step makes a server of what it is passed, starts it and returns it, as
// httptest.NewServer does: a method of the server does not take the handler.
func returnsServer(st *flow.Step) bool {
	return st.Exchange == library.ExchangeServer && st.Service == ""
}

// mayBeShutDown reports whether an iteration of a race is run by a server, or by what is registered with one, and Main comes
// from there to its access only when it has shut one down.
func (a *Analysis) mayBeShutDown(r *model.Race) bool {
	if r.Other != nil || r.B.Thread != model.Main {
		return false
	}
	if _, ok := a.registered(); !ok && !a.servedDirectly() && !a.servedInTests() {
		return false
	}
	var shuts []stepOf
	a.eachSyncing(func(i pta.InstID, k int32, st *flow.Step) {
		if shutsDown(st) {
			shuts = append(shuts, stepOf{i, k})
		}
	})
	return len(shuts) > 0 && !a.spawnsLeadTo(a.accessOf(r.B), func(w *walk) { w.withoutSteps(shuts) })
}

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
			w.avoid = func(at place, _ bool) bool { return at.step >= 0 && shutsDown(&at.f.Steps[at.step]) }
			for _, j := range shuts {
				w.through = append(w.through, a.leadingTo(j))
			}
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

// shutsOne lists the instances that shut a server down, if that is the one object by which all is
// served that is served by servers of that name, or by any if it has none.
func (a *Analysis) shutsOne(service string) (shuts []pta.InstID) {
	var server []pta.Loc
	for _, i := range a.in.Syncing() {
		f := a.w.Flow(i)
		if f == nil || !a.in.Runs(i) {
			continue
		}
		for k := range f.Steps {
			st := &f.Steps[k]
			if !shutsDown(st) && !serves(st, service) {
				continue
			}
			of := a.operand(i, st.Site, 0)
			if len(of) != 1 || len(server) > 0 && server[0] != of[0] || a.w.Object(of[0]).Many {
				return nil
			}
			server = of
			if shutsDown(st) {
				shuts = append(shuts, i)
			}
		}
	}
	return shuts
}

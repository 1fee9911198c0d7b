package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a test that starts a server, sends it one request after the other
// and looks at what the handlers have noted:
//
//	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { seen++ }))
//	http.Get(srv.URL)
//	fmt.Println(seen)
//
// Who has sent a request waits for the answer while the handler runs, so neither two handlers
// nor a handler and who asks run at the same time (soundness: one-asker).

// An exchange is what is known of the requests for which the iterations of a loop run.
type exchange struct {
	known  bool
	served bool // they run for requests of the program itself
	asked  bool // some are in view
	one    bool // and sent by one goroutine, or by who serves one
	early  bool // an iteration may answer before it is done
}

// askedByOne reports whether an iteration of a race runs while Main waits for its answer, and no
// other runs meanwhile.
func (a *Analysis) askedByOne(r *model.Race) bool {
	x := a.exchange()
	if !x.served || !x.asked || !x.one || x.early || r.Other != nil {
		return false
	}
	return r.B.Thread == model.Beta || r.B.Thread == model.Main && !slices.ContainsFunc(a.threadsOf(pta.InstID(r.B.Inst)), a.isStarted)
}

// asksUnseen reports whether the loop's iterations run for requests of the program itself of
// which none is in view.
func (a *Analysis) asksUnseen() bool {
	x := a.exchange()
	return x.served && !x.asked
}

func (a *Analysis) exchange() *exchange {
	x := &a.exchanged
	if x.known {
		return x
	}
	*x = exchange{known: true, served: a.servesOwn(), one: true}
	if !x.served {
		return x
	}
	bodies := slices.Concat(a.w.Bodies(model.Alpha), a.w.Bodies(model.Beta))
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil {
			continue
		}
		for k := range f.Steps {
			switch f.Steps[k].Exchange {
			case library.ExchangeClient:
				x.asked = true
				x.one = x.one && !slices.ContainsFunc(a.threadsOf(i), a.isStarted)
			case library.ExchangeEarly:
				x.early = x.early || a.anyRuns(bodies, i)
			}
		}
	}
	return x
}

// isStarted reports whether a thread may be started by something else than a request.
func (a *Analysis) isStarted(t pta.InstID) bool {
	return slices.ContainsFunc(a.spawnsOf(t), func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		return f == nil || slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool {
			return f.Steps[k].Exchange != library.ExchangeServer && !f.Steps[k].Later
		})
	})
}

// servesOwn reports whether the loop's iterations run for requests of the program itself: a
// test's server runs them, or they are registered, and all servers in view are of that kind.
func (a *Analysis) servesOwn() bool {
	if service, ok := a.registered(); ok && service == "" {
		some, other := false, false
		for _, i := range a.in.Syncing() {
			f := a.w.Flow(i)
			if f == nil || !a.in.Runs(i) {
				continue
			}
			for k := range f.Steps {
				if st := &f.Steps[k]; serves(st, "") {
					some, other = true, other || st.Exchange != library.ExchangeServer
				}
			}
		}
		return some && !other
	}
	return len(a.spawns) > 0 && !slices.ContainsFunc(a.spawns, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		return f == nil || !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return f.Steps[k].Exchange == library.ExchangeServer })
	})
}

// serves reports whether a step is a server of that name, or of any if it has none.
func serves(st *flow.Step, service string) bool {
	return st.Kind == flow.Spawn && st.Op == library.OpNone && st.Repeat && !st.Later && (service == "" || st.Service == service)
}

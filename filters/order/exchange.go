package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
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
	served bool         // they run for requests of the program itself
	tested bool         // they run for requests, and only tests lead to them
	early  []pta.Site   // where an iteration may answer before it is done
	askers []pta.InstID // the threads that send requests
}

// askedByOne reports whether an iteration of a race runs while Main waits for its answer, and no
// other runs meanwhile.
func (a *Analysis) askedByOne(r *model.Race) bool {
	x := a.exchange()
	if !x.served || len(x.early) > 0 || r.Other != nil {
		return false
	}
	askers := a.askersFor(r)
	if len(askers) == 0 || slices.ContainsFunc(askers, a.isStarted) || a.outlives(a.accessOf(r.A)) {
		return false
	}
	if r.B.Thread == model.Beta {
		return !a.outlives(a.accessOf(r.B))
	}
	return r.B.Thread == model.Main && !slices.ContainsFunc(a.meeting(r, a.threadsOf(pta.InstID(r.B.Inst))), a.isStarted)
}

// asksUnseen reports whether the loop's iterations run for requests of which none is in view that the program itself
// sends, or, where a race is with what a test has for itself, for requests that are not seen to be sent at the
// same time. Each may be answered then before the next is sent, and before the other access:
//
//	go func() { errs <- client.Stats(srv.URL) }()
//	<-errs
//	fmt.Println(seen)
func (a *Analysis) asksUnseen(r *model.Race) bool {
	x := a.exchange()
	own := inTest(r.Object.Pos) || inTest(r.A.Pos) || inTest(r.B.Pos)
	if !x.served && !(x.tested && own) {
		return false
	}
	askers := a.askersFor(r)
	if len(askers) == 0 || !own || a.askAtOnce(askers) {
		return len(askers) == 0
	}
	// What a handler starts and does not wait for goes on after the answer, unless it gives that itself, as a proxy's tunnel does.
	late := func(y *model.Access) bool { return len(x.early) == 0 && a.outlives(a.accessOf(y)) }
	if r.B.Thread == model.Beta {
		return !late(r.A) && !late(r.B)
	}
	return !late(r.A) && !a.isAnswered(x.early, a.accessOf(r.A))
}

// outlives reports whether x is in a goroutine that who serves a request starts, and need not wait for:
//
//	func(w http.ResponseWriter, r *http.Request) { go func() { seen++ }() }
func (a *Analysis) outlives(x access) bool {
	goes := func(s pta.Site) bool {
		return !a.startsAt(s, func(st *flow.Step) bool { return isServer(st) || st.Later })
	}
	return slices.ContainsFunc(a.threadsOf(x.inst), func(t pta.InstID) bool {
		return slices.ContainsFunc(a.spawnsOf(t), func(s pta.Site) bool {
			if !goes(s) {
				return false
			}
			c := a.classOf(x)
			a.solve(c)
			w := a.newWalk().until(c).fromSpawn(s).sharing(c).run()
			return slices.ContainsFunc(a.threadsOf(s.Inst), func(u pta.InstID) bool {
				return w.reachesExit(u) || slices.ContainsFunc(a.spawnsOf(u), goes)
			})
		})
	})
}

// startsAt reports whether all that a site starts is started by steps of a kind.
func (a *Analysis) startsAt(s pta.Site, by func(*flow.Step) bool) bool {
	f := a.w.Flow(s.Inst)
	return f != nil && !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return !by(&f.Steps[k]) })
}

// isServer reports whether a step has handlers run for requests, of the program itself or of the world.
func isServer(st *flow.Step) bool {
	return st.Exchange == library.ExchangeServer || st.Exchange == library.ExchangeWorld
}

// isAnswered reports whether x may come, in its thread, after one of the early answers. What a handler starts, a proxy's tunnel say,
// answers another request, and has not done so there.
func (a *Analysis) isAnswered(early []pta.Site, x access) bool {
	return slices.ContainsFunc(early, func(s pta.Site) bool {
		return a.since(access{inst: s.Inst, at: s.At}).reaches(x.inst, x.at)
	})
}

// askAtOnce reports whether some of the threads that send requests may do so at the same time. Those that libraries
// start do not count, nor does a goroutine that a handler starts, as a proxy's does for each connection: it asks for who
// has asked the handler.
func (a *Analysis) askAtOnce(askers []pta.InstID) bool {
	started, others := 0, 0
	for _, t := range askers {
		switch ofApp := func(s pta.Site) bool { return a.w.App(s.Inst) }; {
		case !a.isStarted(t), a.forRequest(t, nil):
			others = 1
		case !slices.ContainsFunc(a.spawnsOf(t), ofApp): // a library refreshes its tokens
		case a.startedOften(t):
			return true
		default:
			started++
		}
	}
	return started+others > 1
}

// forRequest reports whether a thread is started by handlers alone, by none of them in a loop.
func (a *Analysis) forRequest(t pta.InstID, seen []pta.InstID) bool {
	if slices.Contains(seen, t) {
		return false // it starts itself
	}
	seen = append(seen, t)
	sites := a.spawnsOf(t)
	return len(sites) > 0 && !slices.ContainsFunc(sites, func(s pta.Site) bool {
		return a.repeats(s) || slices.ContainsFunc(a.threadsOf(s.Inst), func(u pta.InstID) bool {
			return len(a.spawnsOf(u)) == 0 || a.isStarted(u) && !a.forRequest(u, seen)
		})
	})
}

// repeats reports whether a function comes to a site again.
func (a *Analysis) repeats(s pta.Site) bool {
	f := a.w.Flow(s.Inst)
	return f == nil || slices.ContainsFunc(f.StepsAt(s.At), f.Repeats)
}

// startedOften reports whether a loop starts a thread, or calls what does.
func (a *Analysis) startedOften(t pta.InstID) bool {
	var seen idset.Set[pta.InstID]
	for work := []pta.InstID{t}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range a.in.Callers(i) {
			if a.repeats(s) {
				return true
			}
			if seen.Add(s.Inst) {
				work = append(work, s.Inst)
			}
		}
	}
	return false
}

// askersFor returns the threads that send requests in the runs of those entry points that lead to where a race's
// object is made: in other runs that is not there (soundness: roots-apart).
func (a *Analysis) askersFor(r *model.Race) []pta.InstID { return a.meeting(r, a.exchange().askers) }

// meeting returns those of some threads that may run in such a run.
func (a *Analysis) meeting(r *model.Race, ts []pta.InstID) []pta.InstID {
	made := a.w.Made(r.Object)
	if made.Inst < 0 || a.w.Flow(made.Inst) == nil {
		return ts
	}
	roots := a.entriesOf(a.copyOf(made.Inst))
	var leading []pta.InstID // to where the iterations are started
	for _, s := range a.spawns {
		leading = append(leading, a.entriesOf(s.Inst)...)
	}
	if !slices.ContainsFunc(roots, func(i pta.InstID) bool { return slices.Contains(leading, i) }) {
		roots = leading // an initialiser makes it
	}
	return slices.DeleteFunc(slices.Clone(ts), func(t pta.InstID) bool {
		return !slices.ContainsFunc(a.rootsOf(t), func(i pta.InstID) bool { return slices.Contains(roots, i) })
	})
}

func (a *Analysis) exchange() *exchange {
	x := &a.exchanged
	if x.known {
		return x
	}
	*x = exchange{known: true, served: a.servesOwn()}
	x.tested = a.servedInTests()
	if service, _ := a.registered(); !x.served && (!x.tested || service != "") {
		return x // or who calls a service is not known
	}
	bodies := slices.Concat(a.w.Bodies(model.Alpha), a.w.Bodies(model.Beta))
	var askers idset.Set[pta.InstID]
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil {
			continue
		}
		for k := range f.Steps {
			switch f.Steps[k].Exchange {
			case library.ExchangeClient:
				for _, t := range a.threadsOf(i) {
					if askers.Add(t) {
						x.askers = append(x.askers, t)
					}
				}
			case library.ExchangeEarly:
				if a.anyRuns(bodies, i) {
					x.early = append(x.early, pta.Site{Inst: i, At: f.Steps[k].Site})
				}
			}
		}
	}
	return x
}

// servedInTests reports whether the loop's iterations run for requests to a server, and all that leads to it are tests:
// who sends requests is the test then.
func (a *Analysis) servedInTests() bool {
	return len(a.spawns) > 0 && a.startedInTests() && !slices.ContainsFunc(a.spawns, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		return f == nil || !slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return isServer(&f.Steps[k]) })
	})
}

// isStarted reports whether a thread may be started by something else than a request.
func (a *Analysis) isStarted(t pta.InstID) bool {
	return slices.ContainsFunc(a.spawnsOf(t), func(s pta.Site) bool {
		return !a.startsAt(s, func(st *flow.Step) bool { return st.Exchange == library.ExchangeServer || st.Later })
	})
}

// servesOwn reports whether the loop's iterations run for requests of the program itself: a
// test's server runs them, or they are registered, and all servers in view are of that kind.
func (a *Analysis) servesOwn() bool {
	if service, ok := a.registered(); ok && service == "" {
		some, other := false, false
		a.eachSyncing(func(_ pta.InstID, _ int32, st *flow.Step) {
			if serves(st, "") {
				some, other = true, other || st.Exchange != library.ExchangeServer
			}
		})
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

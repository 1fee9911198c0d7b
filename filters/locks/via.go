package locks

import (
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file leaves out callers that pass another object. What a function holds
// when it is entered is what all its callers hold; of a method that is called
// with one object under a lock, and with another without, that is nothing, while
// each object has its lock.

// byWays decides about a race by the ways in which its accesses get at the
// object: each pair that may meet must be protected.
func (a *Analysis) byWays(r *model.Race) verdict {
	if len(a.lockish) == 0 || !a.several(pta.InstID(r.A.Inst)) && !a.several(pta.InstID(r.B.Inst)) {
		return unprotected
	}
	ms, ok := a.w.Meetings(r)
	if !ok || len(ms) == 0 {
		return unprotected // or not about one object, which is another stage's answer
	}
	v, some := proven, false
	for _, m := range ms {
		of, before := a.eachPair(r, a.sides(r.A, m.A), a.sides(r.B, m.B))
		if some = some || before; of < v {
			v = of
		}
		if v == unprotected {
			break
		}
	}
	if v == proven && some {
		return early
	}
	return v
}

// eachPair decides about a race by the ways to either access, of which any two may meet. Where
// one of two comes before others have the object, no lock is asked for: before is set if there is
// such a pair that no lock protects.
func (a *Analysis) eachPair(r *model.Race, xs, ys []side) (v verdict, before bool) {
	v = proven
	for i := range xs {
		for k := range ys {
			x, y := &xs[i], &ys[k]
			of := a.protected(r, *x, *y)
			if of == unprotected && (a.early(x, y) || a.early(y, x)) {
				before = true
				continue
			}
			if v = min(v, of); v == unprotected {
				return unprotected, before
			}
		}
	}
	return v, before
}

// ProtectedBy reports whether a common lock protects the accesses of a race where some calls, the
// outermost first, lead to the second one; and whether that is sure.
func (a *Analysis) ProtectedBy(r *model.Race, calls []pta.Site) (protected, sure bool) {
	a.taken = true // what may be no lock is none
	defer func() { a.taken = false }()
	x, y := side{Access: r.A, held: a.anyOf(r.A)}, side{Access: r.B, held: a.via(r.B, calls), calls: calls}
	v := a.ofOneDatum(r, a.protected(r, x, y), x.held, y.held)
	return v >= assumed, v == proven
}

// early reports whether an access comes before another one has its object.
func (a *Analysis) early(x, y *side) bool {
	return x.way != nil && y.way != nil && a.w.Early(x.Access, x.way, y.way)
}

// sides returns an access once for each of some ways to it.
func (a *Analysis) sides(x *model.Access, ways []pta.Way) []side {
	out := make([]side, len(ways))
	for i, w := range ways {
		out[i] = side{x, a.via(x, w.Calls), w.Calls, &ways[i]}
	}
	return out
}

// several reports whether an instance, or one near above it, has more than one
// caller.
func (a *Analysis) several(i pta.InstID) bool {
	for range 6 {
		cs := a.in.Callers(i)
		if len(cs) != 1 {
			return len(cs) > 1
		}
		i = cs[0].Inst
	}
	return false
}

// via returns the locks that must be held at an access to which some calls lead,
// the outermost first.
func (a *Analysis) via(x *model.Access, calls []pta.Site) []Held {
	if len(calls) == 0 {
		return a.anyOf(x)
	}
	a.Prepare([]pta.InstID{calls[0].Inst})
	var entry *state // of the frame at hand, nil for that of all its callers
	for k, c := range calls {
		callee := pta.InstID(x.Inst)
		if k+1 < len(calls) {
			callee = calls[k+1].Inst
		}
		in := a.pass(c, callee, entry)
		if in == nil {
			return nil
		}
		entry = in
	}
	f := a.w.Flow(pta.InstID(x.Inst))
	if f == nil {
		return nil
	}
	return withoutParams(a.toldBy(calls[len(calls)-1:], a.allIn(f, ssair.Instr(x.Instr), a.gaps(pta.InstID(x.Inst), f, entry))))
}

// A viaKey is a call, what it runs, and what the caller is entered with. Ways have
// their outer calls in common: on a site generator nothing else took as long.
type viaKey struct {
	call   pta.Site
	callee pta.InstID
	entry  *state
}

// pass returns what callee finds held if the call at c runs it, in a frame that is
// entered with some state; nil if the call is not reached.
func (a *Analysis) pass(c pta.Site, callee pta.InstID, entry *state) *state {
	key := viaKey{c, callee, entry}
	in, ok := a.passed[key]
	if !ok {
		in = a.findPassed(c, callee, entry)
		a.passed[key] = in
	}
	return in
}

func (a *Analysis) findPassed(c pta.Site, callee pta.InstID, entry *state) *state {
	f := a.w.Flow(c.Inst)
	if f == nil {
		return nil
	}
	gap := a.gaps(c.Inst, f, entry)
	var in *state
	for _, s := range f.StepsAt(c.At) {
		st := &f.Steps[s]
		before := gap(int(f.BeforeStep(s)))
		if before == nil {
			continue
		}
		e := a.entered(c.Inst, f, st, a.before(f, s, before))
		if st.Kind == flow.Spawn || st.Kind == flow.Parallel {
			e = a.handedOver(c, callee, e)
		}
		in = a.meet(in, e)
	}
	return in
}

// HeldAlways reports whether all locks that callee finds held if the call at c runs it, it
// finds held whoever calls it.
func (a *Analysis) HeldAlways(c pta.Site, callee pta.InstID) bool {
	if len(a.lockish) == 0 {
		return true
	}
	a.Prepare([]pta.InstID{callee})
	in, all := a.pass(c, callee, nil), a.entries.Get(callee).held
	return in == nil || all == nil || len(locksOf(in.held)) <= len(locksOf(all.held))
}

// gaps returns the states in an instance that is entered with what is given, or
// with what all its callers hold.
func (a *Analysis) gaps(i pta.InstID, f *flow.Func, entry *state) func(g int) *state {
	switch {
	case entry == nil:
		return func(g int) *state { return a.gap(i, g) }
	case !a.lockish.Get(i):
		return func(int) *state { return entry }
	}
	key := runKey{i, entry}
	states, ok := a.runs[key]
	if !ok {
		states = a.statesFrom(i, f, entry)
		a.runs[key] = states
	}
	return func(g int) *state { return states[g] }
}

// A runKey is an instance and what it is entered with.
type runKey struct {
	inst  pta.InstID
	entry *state
}

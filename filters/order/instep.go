package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about loops that all iterations go through in step, since they wait for each other at a barrier in each round:
//
//	a, b := cur, next
//	for range steps {
//		step(b, a, lo, hi)
//		barrier.wait()
//		a, b = b, a
//	}
//
// Each round has the same number of waits, and so has what comes before the loop. So two iterations that have come to as many
// waits, and do something that has as many behind it in its round, do that in the same round; and whoever has come to another
// number is apart from them anyway. What the loop carries is then compared as of one round (index, instep.go).

// apartInStep reports whether x and y go to different elements if both iterations are in one round of a loop, as they are
// whenever x and y may meet.
func (a *Analysis) apartInStep(r *model.Race, x, y access) (assumed []string, ok bool) {
	if a.compare.InOneRound == nil || r.B.Thread != model.Beta || r.Other != nil {
		return nil, false
	}
	f := a.bodyInStep()
	if f == nil {
		return nil, false
	}
	for _, p := range a.parties() {
		for k := range f.Loops {
			if l := &f.Loops[k]; l.Parent < 0 && a.inOneRound(p, f, l, x, y) {
				if assumed, ok = a.compare.InOneRound(r, l.Header); ok {
					return assumed, true
				}
			}
		}
	}
	return nil, false
}

// bodyInStep returns the function that all iterations begin in, if it runs for that alone.
func (a *Analysis) bodyInStep() (f *flow.Func) {
	for _, side := range []model.Thread{model.Alpha, model.Beta} {
		bodies := a.w.Bodies(side)
		if len(bodies) != 1 {
			return nil
		}
		g := a.w.Flow(bodies[0])
		if g == nil || f != nil && f != g || slices.ContainsFunc(a.in.Callers(bodies[0]), func(c pta.Site) bool { return !a.in.IsSpawn(c) }) {
			return nil
		}
		f = g
	}
	return f
}

// inOneRound reports whether two iterations are in one round of a loop of the function that they begin in whenever x and y, which
// are in the loop, may meet.
func (a *Analysis) inOneRound(p *party, f *flow.Func, l *flow.Loop, x, y access) bool {
	m, ok := a.waitsInRound(p, f, l, x)
	if !ok {
		return false
	}
	n, ok := a.waitsInRound(p, f, l, y)
	return ok && m == n
}

// waitsInRound returns how many waits an iteration that comes to an access has behind it in the round of a loop, and before the loop.
func (a *Analysis) waitsInRound(p *party, f *flow.Func, l *flow.Loop, x access) (n int64, ok bool) {
	threads := a.threadsOfAccess(x)
	if len(threads) != 1 || !a.ofIterations(threads) || p.leads.Has(x.inst) && x.inst != threads[0] {
		return 0, false
	}
	t := threads[0]
	counts := a.waitsBefore(p, t, f, l)
	if counts == nil {
		return 0, false
	}
	var at []flow.Gap
	if x.inst == t {
		at = f.Gaps(x.at)
	} else {
		way := new(idset.Set[pta.InstID])
		a.in.LeadTo(way, []pta.InstID{x.inst})
		for k := range f.Steps {
			if slices.ContainsFunc(a.in.Callees(t, f, int32(k)), func(c pta.InstID) bool { return c == x.inst || way.Has(c) }) {
				at = append(at, f.BeforeStep(int32(k)))
			}
		}
	}
	for i, g := range at {
		m, known := counts[g]
		if !known || m == severalWaits || i > 0 && m != n || !l.Has(f.BlockOf(g)) {
			return 0, false
		}
		n = m
	}
	return n, len(at) > 0
}

// severalWaits is the number where it is not always the same.
const severalWaits = -1

// waitsBefore returns how many waits lie behind each gap of the function that an iteration begins in, up to the end of the first
// round of a loop; nil if not every round has the same number, or none.
func (a *Analysis) waitsBefore(p *party, t pta.InstID, f *flow.Func, l *flow.Loop) map[flow.Gap]int64 {
	counts := make(map[flow.Gap]int64)
	rounds := int64(severalWaits) // at the end of a round
	work := []flow.Gap{f.Entry()}
	counts[f.Entry()] = 0
	come := func(g flow.Gap, n int64) {
		if old, ok := counts[g]; ok {
			if old == n || old == severalWaits {
				return
			}
			n = severalWaits
		}
		counts[g] = n
		work = append(work, g)
	}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		n := counts[g]
		s := f.StepAfter(g)
		if s < 0 {
			b := f.BlockOf(g)
			for k := range f.Blocks[b].Succs {
				switch e := &f.Blocks[b].Succs[k]; {
				case e.Dead:
				case e.To != l.Header || !l.Has(b):
					come(f.First(e.To), n)
				case n == severalWaits || rounds != severalWaits && rounds != n:
					return nil
				default:
					rounds = n
				}
			}
			continue
		}
		m, ok := a.waitsAtStep(p, t, f, s)
		if !ok || n == severalWaits {
			m, n = 0, severalWaits
		}
		come(g+1, n+m)
	}
	if n, ok := counts[f.First(l.Header)]; !ok || n == severalWaits || rounds <= n {
		return nil
	}
	return counts
}

// waitsAtStep returns how often an iteration waits at a step of the function that it begins in.
func (a *Analysis) waitsAtStep(p *party, t pta.InstID, f *flow.Func, s int32) (n int64, ok bool) {
	callees, st := a.in.Callees(t, f, s), &f.Steps[s]
	if st.Kind != flow.Call || !slices.ContainsFunc(callees, func(c pta.InstID) bool { return p.leads.Has(c) || p.keeps.Has(c) }) {
		return 0, true
	}
	other := func(c pta.InstID) bool { return !p.keeps.Has(c) }
	return 1, !st.Optional && st.Body < 0 && !slices.ContainsFunc(callees, other)
}

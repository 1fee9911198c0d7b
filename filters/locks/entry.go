package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// An entry is what is known of an instance from its callers.
type entry struct {
	held   *state   // what it finds held; nil as long as nothing is known to call it
	states []*state // by gap, once asked for
	known  bool     // it has been asked for
	root   bool     // it starts without locks
	fresh  bool     // it is worked out for the first time, see flow
	queued bool     // and has its turn yet to come
}

// solve computes the entry locksets of the functions that hold an access of
// rs, and of all that call them.
func (a *Analysis) solve(rs *model.RaceSet) {
	var insts []pta.InstID
	for _, r := range rs.Races {
		insts = append(insts, pta.InstID(r.A.Inst), pta.InstID(r.B.Inst))
	}
	a.Prepare(insts)
}

// Prepare computes the entry locksets of instances. What is known already stays:
// an instance's entry depends on its callers only, and those of what is known
// are known too.
func (a *Analysis) Prepare(insts []pta.InstID) {
	if a.passed == nil {
		a.passed = make(map[viaKey]*state)
		a.runs = make(map[runKey][]*state)
	}
	fresh := a.add(insts)
	if !a.inherit && slices.ContainsFunc(fresh, func(i pta.InstID) bool { return a.bodies[i] }) {
		// What a goroutine knows to be over when it is started matters only
		// where something is done by a Once. From now on it does.
		a.inherit = true
		all := a.asked
		a.entries, a.asked = nil, nil
		clear(a.passed)
		fresh = a.add(all)
	}
	if len(fresh) > 0 {
		a.flow(fresh)
	}
}

// add notes that the entries of instances and of all that call them are wanted,
// and returns those that were not before.
func (a *Analysis) add(insts []pta.InstID) (fresh []pta.InstID) {
	var work []pta.InstID
	add := func(i pta.InstID) {
		if e := a.entries.At(i); !e.known {
			e.known = true
			work = append(work, i)
			fresh = append(fresh, i)
		}
	}
	for _, i := range insts {
		add(i)
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if a.startsEmpty(i) {
			e := a.entries.At(i)
			e.root, e.held = true, nothingHeld
		}
		for _, s := range a.in.Callers(i) {
			if !a.in.IsSpawn(s) || a.inherit || a.inherits(i) {
				add(s.Inst)
			}
		}
	}
	slices.Sort(fresh)
	a.asked = append(a.asked, fresh...)
	return fresh
}

// startsEmpty reports whether an instance starts without locks whoever calls it:
// nobody does, or it is a goroutine that inherits nothing.
func (a *Analysis) startsEmpty(i pta.InstID) bool {
	callers := a.in.Callers(i)
	if len(callers) == 0 {
		return true
	}
	if a.inherit {
		return false
	}
	return slices.ContainsFunc(callers, a.in.IsSpawn) && !a.inherits(i)
}

// flow computes entries from the roots down; the sets only shrink, so this ends.
func (a *Analysis) flow(fresh []pta.InstID) {
	for _, i := range fresh {
		a.entries.At(i).fresh = true
	}
	var work []pta.InstID
	push := func(i pta.InstID) {
		if e := a.entries.At(i); !e.queued {
			e.queued = true
			work = append(work, i)
		}
	}
	var first []pta.InstID
	for _, i := range fresh {
		if a.entries.At(i).root {
			first = append(first, i)
		}
		for _, s := range a.in.Callers(i) {
			if e := a.entries.At(s.Inst); e.known && !e.fresh {
				first = append(first, s.Inst) // hands on what it has
			}
		}
	}
	slices.Sort(first)
	for _, i := range first {
		push(i)
	}
	for len(work) > 0 {
		i := work[0]
		work = work[1:]
		at := a.entries.At(i)
		at.queued = false
		f := a.w.Flow(i)
		if f == nil {
			continue
		}
		if at.fresh {
			at.states = nil
		}
		for k := range f.Steps {
			st := &f.Steps[k]
			var found *state // what is held there, once it is asked for
			for _, c := range a.in.Callees(i, f, int32(k)) {
				to := a.entries.At(c)
				if !to.fresh || to.root {
					continue
				}
				if found == nil {
					s := a.gap(i, int(f.BeforeStep(int32(k))))
					if s == nil {
						break
					}
					found = a.entered(i, f, st, a.before(f, int32(k), s))
				}
				in := found
				if st.Kind == flow.Spawn || st.Kind == flow.Parallel {
					in = a.handedOver(pta.Site{Inst: i, At: st.Site}, c, in)
				}
				m := a.meet(to.held, in)
				if to.held == nil || !a.equal(to.held, m) {
					to.held = m
					push(c)
				}
			}
		}
	}
	for _, i := range fresh {
		a.entries.At(i).fresh = false
	}
}

// gap returns the state at gap g of instance i, or nil if it is not reached.
func (a *Analysis) gap(i pta.InstID, g int) *state {
	e := a.entries.At(i)
	if e.held == nil || !a.lockish.Get(i) {
		return e.held
	}
	if e.states == nil {
		e.states = a.statesFrom(i, a.w.Flow(i), e.held)
	}
	return e.states[g]
}

func (a *Analysis) at(i pta.InstID, at ssair.Instr) []Held { return surely(a.anyAt(i, at)) }

// anyAt is at, with what is held under a test only.
func (a *Analysis) anyAt(i pta.InstID, at ssair.Instr) []Held {
	a.Prepare([]pta.InstID{i})
	f := a.w.Flow(i)
	if f == nil {
		return nil
	}
	hs := a.allIn(f, at, func(g int) *state { return a.gap(i, g) })
	if slices.ContainsFunc(hs, func(h Held) bool { return h.byParam() }) {
		hs = a.toldBy(a.in.Callers(i), hs)
	}
	return withoutParams(hs)
}

// heldIn returns the locks that must be held at an instruction of a function, given the
// states in it by gap.
func (a *Analysis) heldIn(f *flow.Func, at ssair.Instr, gap func(g int) *state) []Held {
	return withoutParams(a.allIn(f, at, gap))
}

// allIn is heldIn with what is held only where a parameter of the frame says so.
func (a *Analysis) allIn(f *flow.Func, at ssair.Instr, gap func(g int) *state) []Held {
	var s *state
	for _, g := range f.Gaps(at) {
		s = a.meet(s, gap(int(g)))
	}
	if s == nil {
		return nil
	}
	return s.held
}

// inherits reports whether instance i unlocks what it has not locked: if it is
// spawned, the lock must have been handed over to it.
func (a *Analysis) inherits(i pta.InstID) bool {
	return a.lockish.Get(i) && slices.ContainsFunc(a.summarize(i).kills, func(h *Held) bool { return !h.Flag })
}

// handedOver returns what a spawned instance holds of what its spawner does:
// the locks that it is to unlock, which the spawner is then without, and each
// Once whose body is over; and what is lent, if that is asked for.
func (a *Analysis) handedOver(from pta.Site, c pta.InstID, s *state) *state {
	out := &state{never: s.never}
	for _, h := range s.held {
		if h.Once {
			if h.Write && a.lender != nil && !h.Flag && len(h.lent) < maxLent {
				h.lent = append(slices.Clip(h.lent), from) // as in lentOnce
				out.held = append(out.held, h)
			} else if !h.Write {
				out.held = append(out.held, h)
			}
			continue
		}
		if h.Claim && h.Write && a.lender != nil && len(h.lent) < maxLent {
			h.lent = append(slices.Clip(h.lent), from)
			out.held = append(out.held, h)
			continue
		}
		toUnlock := func(k *Held) bool { return h.Write == k.Write && a.same(&h, k) }
		if slices.ContainsFunc(a.summarize(c).kills, toUnlock) {
			out.held = append(out.held, h)
		} else if a.lender != nil && lendable(&h) && a.lender.MayWait(from) {
			h.lent = append(slices.Clip(h.lent), from)
			out.held = append(out.held, h)
		}
	}
	return out
}

package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// solve computes the entry locksets of the functions that hold an access of
// rs, and of all that call them.
func (a *Analysis) solve(rs *model.RaceSet) {
	var insts []pta.InstID
	for _, r := range rs.Races {
		insts = append(insts, pta.InstID(r.A.Inst), pta.InstID(r.B.Inst))
	}
	a.Prepare(insts)
}

// Prepare computes the entry locksets of instances.
func (a *Analysis) Prepare(insts []pta.InstID) {
	need := make(map[pta.InstID]bool)
	var work, all []pta.InstID
	add := func(i pta.InstID) {
		if !need[i] {
			need[i] = true
			work = append(work, i)
			all = append(all, i)
		}
	}
	if a.entry != nil {
		fresh := false
		for _, i := range insts {
			fresh = fresh || !a.known[i]
		}
		if !fresh {
			return
		}
		for i := range a.known {
			insts = append(insts, i)
		}
		slices.Sort(insts)
	}
	for _, i := range insts {
		add(i)
	}
	a.known = need
	a.entry = make(map[pta.InstID]*state)
	a.states = make(map[pta.InstID][]*state)
	roots := make(map[pta.InstID]bool)
	// What a goroutine knows to be over when it is started matters only where
	// something is done by a Once.
	inherit := false
	up := func() {
		for len(work) > 0 {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			plain := 0
			for _, s := range a.in.Callers(i) {
				if a.spawned(s) {
					if !inherit && !a.inherits(i) {
						roots[i] = true
						continue
					}
				}
				plain++
				add(s.Inst)
			}
			if plain == 0 {
				roots[i] = true
			}
		}
	}
	up()
	if slices.ContainsFunc(all, func(i pta.InstID) bool { return a.bodies[i] }) {
		inherit = true
		work = append(work, all...)
		clear(roots)
		up()
	}
	slices.Sort(all)
	// From the roots down; the sets only shrink, so this ends.
	queued := make(map[pta.InstID]bool)
	push := func(i pta.InstID) {
		if !queued[i] {
			queued[i] = true
			work = append(work, i)
		}
	}
	for _, i := range all {
		if roots[i] {
			a.entry[i] = &state{}
			push(i)
		}
	}
	for len(work) > 0 {
		i := work[0]
		work = work[1:]
		queued[i] = false
		f := a.w.Flow(i)
		if f == nil {
			continue
		}
		delete(a.states, i)
		for k := range f.Steps {
			st := &f.Steps[k]
			for _, c := range a.in.Callees(i, f, int32(k)) {
				if !need[c] || roots[c] {
					continue
				}
				s := a.gap(i, int(f.BeforeStep(int32(k))))
				if s == nil {
					continue
				}
				in := a.entered(i, f, st, s)
				if st.Kind == flow.Spawn || st.Kind == flow.Parallel {
					in = a.handedOver(c, in)
				}
				m := a.meet(a.entry[c], in)
				if a.entry[c] == nil || !a.equal(a.entry[c], m) {
					a.entry[c] = m
					push(c)
				}
			}
		}
	}
}

// gap returns the state at gap g of instance i, or nil if it is not reached.
func (a *Analysis) gap(i pta.InstID, g int) *state {
	e := a.entry[i]
	if e == nil {
		return nil
	}
	if !a.lockish[i] {
		return e
	}
	ss := a.states[i]
	if ss == nil {
		ss = a.run(i, a.w.Flow(i), e)
		a.states[i] = ss
	}
	return ss[g]
}

func (a *Analysis) at(i pta.InstID, at ssair.Instr) []Held {
	a.Prepare([]pta.InstID{i})
	f := a.w.Flow(i)
	if f == nil {
		return nil
	}
	var s *state
	for _, g := range f.Gaps(at) {
		s = a.meet(s, a.gap(i, int(g)))
	}
	if s == nil {
		return nil
	}
	return s.held
}

// inherits reports whether instance i unlocks what it has not locked: if it is
// spawned, the lock must have been handed over to it.
func (a *Analysis) inherits(i pta.InstID) bool {
	return a.lockish[i] && len(a.summarize(i).kills) > 0
}

// handedOver returns what a spawned instance holds of what its spawner does:
// the locks that it is to unlock, which the spawner is then without, and each
// Once whose body is over.
func (a *Analysis) handedOver(c pta.InstID, s *state) *state {
	out := &state{}
	for _, h := range s.held {
		if h.Once {
			if !h.Write {
				out.held = append(out.held, h)
			}
			continue
		}
		for _, k := range a.summarize(c).kills {
			if a.same(&h, &k) && h.Write == k.Write {
				out.held = append(out.held, h)
				break
			}
		}
	}
	return out
}

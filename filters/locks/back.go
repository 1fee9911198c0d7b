package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file looks at locks that lose their name on the way down to what they guard, and are found
// again by a pointer back:
//
//	func (d *db) flush() {
//		d.mu.Lock()
//		for _, s := range d.snapshots {
//			s.closeLocked()
//		}
//		d.mu.Unlock()
//	}
//
//	func (s *snapshot) closeLocked() { s.db.compact() } // requires s.db.mu
//
// That s.db is the db whose list s is in is nothing that the code shows where there are many. A lock that
// may be the right one, is held on every chain of calls to both accesses and has lost its name in that way is taken for
// it (soundness: back-pointer). A function that is given such an owner itself, and not by who holds the lock under
// a name that it knows it by, is called for another owner:
//
//	from.mu.Lock()
//	to.add(n) // requires to.mu

// byBack reports whether a lock that may protect both accesses of a race is held on every chain of calls to them.
func (a *Analysis) byBack(r *model.Race) bool {
	for _, h := range a.candidates(r) {
		if x := a.onEveryWay(r.A, &h); x != onNone {
			if y := a.onEveryWay(r.B, &h); y != onNone && (x == fromAbove || y == fromAbove) {
				return true
			}
		}
	}
	return false
}

// An everyWay is an answer of onEveryWay.
type everyWay uint8

const (
	onNone    everyWay = iota // no such lock is held on some chain of calls
	here                      // the function of the access has it: there it has a name, if it has any
	fromAbove                 // on each chain some caller has it
)

// An everyWayKey is a question about a lock: where it lies, who acquires it, and for which place it is asked.
type everyWayKey struct {
	at, acq pta.Site
	locs    locList
	write   bool
}

// onEveryWay reports how what may be h is held on every chain of calls to an access.
func (a *Analysis) onEveryWay(x *model.Access, h *Held) everyWay {
	at := pta.Site{Inst: pta.InstID(x.Inst), At: ssair.Instr(x.Instr)}
	k := everyWayKey{at, h.Acq, listOf(h.Locs), x.Kind == model.Write}
	out, known := a.onWays[k]
	if !known {
		switch {
		case a.mustHold(at.Inst, at.At, h, k.write):
			out = here
		case a.handedToAll(at, h, k.write):
			out = fromAbove
		}
		if a.onWays == nil {
			a.onWays = make(map[everyWayKey]everyWay)
		}
		a.onWays[k] = out
	}
	return out
}

// handedToAll reports whether what may be h is handed down on every chain of calls to a place.
func (a *Analysis) handedToAll(at pta.Site, h *Held, write bool) bool {
	seen := map[pta.Site]bool{at: true}
	for work := []pta.Site{at}; len(work) > 0; work = work[1:] {
		p := work[0]
		calls := a.in.Callers(p.Inst)
		if len(calls) == 0 || len(seen) > maxAbove || a.mayHaveReleased(p, h) {
			return false
		}
		for _, c := range calls {
			if a.in.IsSpawn(c) {
				return false
			}
			switch a.handsDown(c, p.Inst, h, write) {
			case another:
				return false
			case unnamed:
				if !seen[c] {
					seen[c] = true
					work = append(work, c)
				}
			}
		}
	}
	return true
}

// What a caller has for a callee.
type handing uint8

const (
	another handing = iota // not such a lock, or that of another owner
	unnamed                // a lock of which it does not know itself whose it is, or none
	handed                 // such a lock
)

// handsDown returns what a call hands down of a lock that may be h.
func (a *Analysis) handsDown(call pta.Site, callee pta.InstID, h *Held, write bool) handing {
	f := a.w.Flow(call.Inst)
	if f == nil {
		return another
	}
	is, out := h.isLike(write), handed
	for _, k := range f.StepsAt(call.At) {
		st := &f.Steps[k]
		s := a.gap(call.Inst, int(f.BeforeStep(k)))
		if s == nil {
			continue
		}
		s = a.before(f, k, s)
		if slices.ContainsFunc(a.entered(call.Inst, f, st, s).held, func(g Held) bool { return is(g) && g.Path.Root != "" }) {
			continue
		}
		i := slices.IndexFunc(s.held, is)
		switch {
		case i < 0 || s.held[i].Path.Root == "" && s.held[i].Acq.Inst != call.Inst:
			out = unnamed
		case !a.leadsFrom(f, st, s.held[i].Path) || a.w.GivenOwner(callee, h.Locs):
			return another
		}
	}
	return out
}

// leadsFrom reports whether what a call passes may come from the owner of a lock: it has that from there, or
// the owner is what the function itself works for.
func (a *Analysis) leadsFrom(f *flow.Func, st *flow.Step, lock flow.Path) bool {
	if _, param := lock.Param(); param {
		return true
	}
	return lock.Root != "" && slices.ContainsFunc(a.bindings(f, st), func(b flow.Binding) bool { return b.Caller.Root == lock.Root })
}

// mayHaveReleased reports whether an instance may have released h, if its caller has it, on a way to a place, and not
// acquired it again.
func (a *Analysis) mayHaveReleased(p pta.Site, h *Held) bool {
	f := a.w.Flow(p.Inst)
	if f == nil || !a.lockish.Get(p.Inst) {
		return f == nil
	}
	k := everyWayKey{pta.Site{Inst: p.Inst}, h.Acq, listOf(h.Locs), true}
	states, known := a.handed[k]
	if !known {
		g := *h
		g.Path, g.owner = flow.Path{}, owner{}
		states = a.run(p.Inst, f, &state{held: []Held{g}})
		if a.handed == nil {
			a.handed = make(map[everyWayKey][]*state)
		}
		a.handed[k] = states
	}
	return slices.ContainsFunc(f.Gaps(p.At), func(g flow.Gap) bool {
		return states[g] != nil && !slices.ContainsFunc(states[g].held, h.isLike(true))
	})
}

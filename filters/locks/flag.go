package locks

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what is done once by hand:
//
//	if !x.done.Load() {
//		x.mu.Lock()
//		if !x.done.Load() {
//			x.n = compute()
//			x.done.Store(true)
//		}
//		x.mu.Unlock()
//	}
//	return x.n
//
// The flag only goes from zero to another value, always under one and the same
// lock or in the body of one Once. Where that is held and the flag is known to
// be zero still, it can only be set afterwards; where the flag is known to be
// set, by a test or because this thread set it, all such places are past. Both
// are kept like a Once (Held): its body, and what comes after it. A plain store
// that takes the flag back is not looked for (soundness: once-reset).

// A change is an atomic operation that writes: a store that may set a flag, if
// sets, or another.
type change struct {
	inst pta.InstID
	site ssair.Instr
	path flow.Path
	locs []pta.Loc
	sets bool
}

// A flagCheck is what was found about the stores to a flag, for one guard.
type flagCheck struct {
	locs  []pta.Loc
	guard Held
	path  flow.Path
	is    int64
	ok    bool
}

// findFlags lists the atomic operations that write, and where flags are tested.
// Functions that set or test a flag are marked.
func (a *Analysis) findFlags(mark func(pta.InstID)) {
	cells := make(map[pta.Loc]bool)
	a.eachSync(func(i pta.InstID, f *flow.Func) {
		for s := range f.Steps {
			if st := &f.Steps[s]; setsFlag(st) {
				c := change{i, st.Site, f.Path(st.Args[0]), a.operands(i, st.Site), true}
				a.changes = append(a.changes, c)
				for _, l := range c.locs {
					cells[l] = true
				}
			}
		}
	})
	if len(cells) == 0 {
		return
	}
	loaded := make(map[pta.Loc]bool)
	a.eachSync(func(i pta.InstID, f *flow.Func) {
		for s := range f.Steps {
			if st := &f.Steps[s]; changesAtomic(st.Op) && !setsFlag(st) {
				a.changes = append(a.changes, change{inst: i, site: st.Site, locs: a.operands(i, st.Site)})
			}
		}
		for b := range f.Blocks {
			for _, e := range f.Blocks[b].Succs {
				for k := range e.Events {
					if at := e.Events[k].Site; a.testsFlag(i, &e.Events[k], cells) {
						mark(i)
						for _, l := range a.flags[pta.Site{Inst: i, At: at}] {
							loaded[l] = true
						}
					}
				}
			}
		}
	})
	for k := range a.changes {
		c := &a.changes[k]
		if c.sets && slices.ContainsFunc(c.locs, func(l pta.Loc) bool { return loaded[l] }) {
			a.setters = append(a.setters, *c)
			mark(c.inst)
			a.above(c)
		}
	}
}

// eachSync calls visit for the instances whose functions synchronise.
func (a *Analysis) eachSync(visit func(pta.InstID, *flow.Func)) {
	for _, i := range a.in.Syncing() {
		if f := a.w.Flow(i); f != nil && f.Sync {
			visit(i, f)
		}
	}
}

// testsFlag reports whether an event is the test of a flag among cells by an
// atomic load, and notes which.
func (a *Analysis) testsFlag(i pta.InstID, ev *flow.Event, cells map[pta.Loc]bool) bool {
	if ev.Kind != flow.FlagTest || ev.Op != library.OpAtomicLoad {
		return false
	}
	locs := a.operands(i, ev.Site)
	if !slices.ContainsFunc(locs, func(l pta.Loc) bool { return cells[l] }) {
		return false
	}
	a.flags[pta.Site{Inst: i, At: ev.Site}] = locs
	return true
}

// above notes which bodies of a Once set a flag: when they start it is not set.
func (a *Analysis) above(w *change) {
	if one := (Held{Locs: w.locs}); len(a.bodies) == 0 || !a.oneCell(&one, &one) {
		return
	}
	seen := map[pta.InstID]bool{w.inst: true}
	work := []pta.InstID{w.inst}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if a.bodies[i] {
			a.bodyFlags[i] = append(a.bodyFlags[i], *w)
		}
		for _, s := range a.in.Callers(i) {
			if !seen[s.Inst] && !a.in.IsSpawn(s) {
				seen[s.Inst] = true
				work = append(work, s.Inst)
			}
		}
	}
}

// tested is s on an edge that proves something about a flag, which was looked at then.
func (a *Analysis) tested(i pta.InstID, f *flow.Func, ev *flow.Event, then look, s *state) *state {
	locs, ok := a.flagAt(i, f, ev)
	if !ok {
		return s
	}
	h := a.flag(i, f, ev.Site, ev.Path, locs)
	switch {
	case !ev.Allows(0):
		return a.acquire(s, h) // it is set
	case ev.Allows(1):
		return s // nothing is proved
	}
	for k := range s.held {
		g := &s.held[k]
		if g.Flag || g.Claim || !g.Write || g.conditional() || !heldSince(g, then) {
			continue
		}
		if _, _, near := besides(g.Path, h.Path); near || a.oneCell(g, g) {
			h.Write, h.Guard = true, g
			return a.acquire(s, h)
		}
	}
	return s
}

// A look is when a flag was looked at that is tested: the state at that time, or nil if others may have had a lock meanwhile
// that is held at both times.
type look func() *state

// lookedAt is that of the load, or other instruction, at which a test at the end of a block looks.
func (a *Analysis) lookedAt(i pta.InstID, f *flow.Func, b int32, load ssair.Instr, states []*state) look {
	var at *state
	asked := false
	return func() *state {
		if !asked {
			asked = true
			g := f.GapOf(load)
			if !slices.ContainsFunc(f.StepsBetween(g, b), func(w int32) bool { return a.opens(i, f, w) }) {
				at = states[g]
			}
		}
		return at
	}
}

// opens reports whether others may have a lock in the course of step k that is held before and after it:
//
//	for len(q.items) == 0 {
//		q.cond.Wait()
//	}
func (a *Analysis) opens(i pta.InstID, f *flow.Func, k int32) bool {
	switch st := &f.Steps[k]; {
	case st.Op == library.OpCondWait:
		return true
	case st.Kind == flow.Call:
		return slices.ContainsFunc(a.in.Callees(i, f, k), func(c pta.InstID) bool {
			return a.lockish.Get(c) && a.w.Library(c) == nil && slices.ContainsFunc(a.summarize(c).kills, func(h *Held) bool { return h.open })
		})
	}
	return false
}

// opened says, in what a function may release, that others may have had a lock meanwhile, though the caller has it back: whichever
// there is if nothing is known of it.
func opened(at pta.Site, locs []pta.Loc) Held {
	return Held{Flag: true, open: true, Acq: at, Locs: locs}
}

// heldSince reports whether a lock has been held since a flag was looked at: else others may have set it meanwhile.
//
//	x.mu.Lock()
//	done := x.done
//	x.mu.Unlock()
//	x.mu.Lock()
//	if !done {
func heldSince(g *Held, then look) bool {
	at := then()
	return at != nil && slices.ContainsFunc(at.held, func(h Held) bool {
		return h.Acq == g.Acq && h.Path == g.Path && h.Write == g.Write && h.Once == g.Once && h.Flag == g.Flag && h.Claim == g.Claim
	})
}

// flagAt returns the flag that an event is about. A plain load of it counts in a
// function that works on the flag by atomic operations, too.
func (a *Analysis) flagAt(i pta.InstID, f *flow.Func, ev *flow.Event) ([]pta.Loc, bool) {
	switch ev.Kind {
	case flow.FlagTest:
		locs, ok := a.flags[pta.Site{Inst: i, At: ev.Site}]
		return locs, ok
	case flow.PlainTest:
		p := f.Path(ev.Path)
		if !p.Known() {
			return nil, false
		}
		for k := range a.setters { // each of a flag that an atomic load tests: a plain write elsewhere is a race with that
			if w := &a.setters[k]; w.inst == i && w.path == p {
				return w.locs, true
			}
		}
	}
	return nil, false
}

// flag names a flag in the frame of an instance, as something that is set.
func (a *Analysis) flag(i pta.InstID, f *flow.Func, site ssair.Instr, path flow.PathID, locs []pta.Loc) Held {
	h := named(i, f, site, path)
	h.Once, h.Flag, h.Locs = true, true, locs
	return h
}

// set is s after a store that sets a flag.
func (a *Analysis) set(i pta.InstID, f *flow.Func, st *flow.Step, s *state) *state {
	if !setsFlag(st) {
		return s
	}
	h := a.flagOf(i, f, st)
	out := a.acquire(maySet(s, h), h)
	if st.Optional && !a.dueIn(s, &h) {
		return a.meet(s, out)
	}
	return out
}

// flagOf is the flag that step st sets.
func (a *Analysis) flagOf(i pta.InstID, f *flow.Func, st *flow.Step) Held {
	return a.flag(i, f, st.Site, st.Args[0], a.operands(i, st.Site))
}

// maySet is s after what may set flag h. A summary notes it.
func maySet(s *state, h Held) *state {
	out := mayUnset(s, h).clone()
	out.miss(h)
	return out
}

// mayUnset forgets that what may be flag h is not set. That of a plain one is about who has
// the guard, and may set it.
func mayUnset(s *state, h Held) *state {
	unset := func(g Held) bool { return g.Flag && g.Write && g.plain == "" && mayAlias(g.Locs, h.Locs) }
	if !slices.ContainsFunc(s.held, unset) {
		return s
	}
	out := s.clone()
	out.held = slices.DeleteFunc(out.held, unset)
	return out
}

// notUnset forgets which flags are not set, once a lock is released. Who finds out about a
// plain one has its guard.
func notUnset(s *state, released Held) *state {
	unset := func(h Held) bool {
		return h.Flag && h.Write && (h.plain == "" || mayAlias(h.Guard.Locs, released.Locs))
	}
	if !slices.ContainsFunc(s.held, unset) {
		return s
	}
	out := s.clone()
	out.held = slices.DeleteFunc(out.held, unset)
	return out
}

// lateSetters lists the steps of f that set a flag by a call which some ways have
// deferred and others have not:
//
//	if !x.done.Load() {
//		defer x.done.Store(true)
//		x.n = compute()
//	}
func lateSetters(f *flow.Func) (late []*flow.Step) {
	for k := range f.Steps {
		if st := &f.Steps[k]; st.Optional && st.At != st.Site && setsFlag(st) {
			late = append(late, st)
		}
	}
	return late
}

// deferred is s at the end of block b, with the flags that calls deferred there will set.
func (a *Analysis) deferred(i pta.InstID, f *flow.Func, b int32, late []*flow.Step, s *state) *state {
	for _, st := range late {
		if f.Block(st.Site) != b {
			continue
		}
		if h := a.flagOf(i, f, st); !a.dueIn(s, &h) {
			s = s.clone()
			s.due = append(slices.Clip(s.due), h)
		}
	}
	return s
}

// dueIn reports whether flag h is set in s, or will be by a deferred call.
func (a *Analysis) dueIn(s *state, h *Held) bool {
	is := func(g Held) bool { return g.Flag && !g.Write && a.same(&g, h) }
	return slices.ContainsFunc(s.held, is) || slices.ContainsFunc(s.due, is)
}

// dueInBoth lists the flags that are set in each of two states, or will be, if not in both
// of them they are set already.
func (a *Analysis) dueInBoth(x, y *state) (due []Held) {
	for _, h := range x.due {
		if a.dueIn(y, &h) {
			due = append(due, h)
		}
	}
	for _, h := range y.due {
		if a.dueIn(x, &h) && !slices.ContainsFunc(due, func(g Held) bool { return a.same(&g, &h) }) {
			due = append(due, h)
		}
	}
	return due
}

func (a *Analysis) equalDue(x, y *state) bool {
	return slices.EqualFunc(x.due, y.due, func(g, h Held) bool { return g.Acq == h.Acq && g.Path == h.Path })
}

// besides returns what is selected from the longest common base of a lock and a
// flag, if no pointer lies behind that.
func besides(lock, flag flow.Path) (l, f string, ok bool) {
	if !lock.Known() || !flag.Known() {
		return "", "", false
	}
	l, f, ok = apart(lock, flag)
	return l, f, ok && !through(l) && !through(f) && !indexed(flow.Path{Sels: l})
}

// guarded reports whether all that may be the flag of h, which is not set, is
// set under its guard only, and to another value than zero.
func (a *Analysis) guarded(h *Held) bool {
	for k := range a.checks {
		if c := &a.checks[k]; slices.Equal(c.locs, h.Locs) && c.path == h.Orig && c.is == h.is && c.guard.Acq == h.Guard.Acq && c.guard.Path == h.Guard.Path {
			return c.ok
		}
	}
	k := len(a.checks)
	a.checks = append(a.checks, flagCheck{h.Locs, *h.Guard, h.Orig, h.is, false}) // not, as long as it is asked for
	ok := a.setUnder(h)
	a.checks[k].ok = ok
	return ok
}

func (a *Analysis) setUnder(h *Held) bool {
	if h.plain != "" {
		return a.plainlySet(h)
	}
	some := false
	for k := range a.changes {
		c := &a.changes[k]
		if !mayAlias(c.locs, h.Locs) {
			continue
		}
		if !c.sets || !a.heldAt(pta.Site{Inst: c.inst, At: c.site}, c.path, h) {
			return false // it may be reset, or is something else than a flag; or anyone sets it
		}
		some = true
	}
	return some
}

// heldAt reports whether the guard of flag h is held where a flag is set.
func (a *Analysis) heldAt(s pta.Site, flag flow.Path, h *Held) bool {
	want1, want2, near := besides(h.Guard.Path, h.Orig)
	for _, g := range a.AtSite(s) {
		if g.Flag || g.Claim || !g.Write || g.Once != h.Guard.Once {
			continue
		}
		if a.oneCell(&g, h.Guard) {
			return true
		}
		if l, f, ok := besides(g.Path, flag); ok && near && l == want1 && f == want2 {
			return true
		}
	}
	return false
}

// setsFlag reports whether a step stores a constant other than zero atomically.
func setsFlag(st *flow.Step) bool {
	return st.Op == library.OpAtomicStore && len(st.Args) > 0 && st.HasConst && st.Const != 0
}

func changesAtomic(op library.Op) bool {
	switch op {
	case library.OpAtomicStore, library.OpAtomicSwap, library.OpAtomicCAS, library.OpAtomicAdd, library.OpAtomicAnd, library.OpAtomicOr:
		return true
	}
	return false
}

package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for barriers at which all iterations of a loop wait for each other, and nobody else:
//
//	b := newBarrier(workers)
//	for w := range workers {
//		wg.Go(func() {
//			for range steps {
//				x(w)
//				b.wait(y) // runs y, and lets all go, when as many as there are have come
//				z(w)
//				b.wait(nil)
//			}
//		})
//	}
//
// What flow.Barrier tells of wait is what it does under one lock; that it waits for a condition, or for a channel that nobody else
// closes. If the goroutines are not more than wait asks for, nobody passes it
// before all have come as often as he has: so x and z, which have another number of waits behind them, are apart. And y is
// done while all others are in wait. How many waits there are in a round is found, and nothing is said of what may
// have one more or one less in that behind it.

// A party is a barrier of which the iterations are the parties.
type party struct {
	bar    *flow.Barrier
	keeps  *idset.Set[pta.InstID] // instances of the function that keeps them
	period int64                  // of the numbers of waits; 0 where there are no rounds
	waits  map[phase]int64        // the number of waits that lie behind a position
	within *idset.Set[pta.InstID] // the instances whose positions these are
	// last is what the function calls when all have come, and other what it calls besides.
	last, other *idset.Set[pta.InstID]
	leads       *idset.Set[pta.InstID] // the instances that wait, themselves or in what they call
	calls       []place                // the calls by which they do
	from        []pta.InstID           // where these are
	walks       *Analysis              // whose walks come there
	// told is what the function returns to who has found the number full, and to nobody else; alone has what toldLast says.
	told  flow.Outcome
	alone map[touch]bool
}

// A phase is a position in an instance.
type phase struct {
	inst pta.InstID
	gap  flow.Gap
}

// inOtherPhase reports whether a barrier parts what two iterations do, or one of them and who starts them.
func (a *Analysis) inOtherPhase(r *model.Race, x, y access) bool {
	if r.Other != nil {
		return false
	}
	if r.B.Thread != model.Beta {
		return r.B.Thread == model.Main && a.beforeAllHaveCome(x, y)
	}
	return slices.ContainsFunc(a.parties(), func(p *party) bool {
		m, lastX, ok := a.waitsBehind(p, x)
		if !ok {
			return false
		}
		n, lastY, ok := a.waitsBehind(p, y)
		if !ok {
			return false
		}
		d := m - n
		if p.period > 0 {
			d %= p.period
		}
		return lastX || lastY || d != 0 || a.toldLast(p, x) && a.toldLast(p, y)
	})
}

// toldLast reports whether an iteration that comes to x was the last one to come when it waited last, as the function tells it:
//
//	if b.wait() { // returns true to who has found the number full
//		total += sum(part)
//	}
//	b.wait()
//
// Of those that leave one wait there is one, and who is told so by another wait is told when this one has come there, too.
func (a *Analysis) toldLast(p *party, x access) bool {
	if p.told == flow.AnyOutcome {
		return false
	}
	if v, ok := p.alone[x.touch()]; ok {
		return v
	}
	b := p.walks
	b.fuel, b.floor = a.fuel, a.floor
	first := b.newWalk()
	first.avoid = func(at place, _ bool) bool { return a.keeps(p, at) }
	first.toward(p.from...)
	for _, t := range a.threadsOfAccess(x) {
		first.fromEntry(t)
	}
	v := !first.run().reaches(x.inst, x.at)
	for _, c := range p.calls {
		w := b.newWalk()
		w.avoid = func(at place, _ bool) bool {
			return a.keeps(p, at) || at.step < 0 && at.inst == c.inst && slices.ContainsFunc(at.f.Blocks[at.block].Succs[at.edge].Events, func(ev flow.Event) bool {
				return ev.Kind == flow.Returned && ev.Site == at.f.Steps[c.step].Site && flow.Outcome(ev.Const) == p.told
			})
		}
		w.toward(p.from...)
		v = v && !w.fromStep(c.inst, c.step).run().reaches(x.inst, x.at)
	}
	a.fuel = b.fuel
	if p.alone == nil {
		p.alone = make(map[touch]bool)
	}
	p.alone[x.touch()] = v
	return v
}

// keeps reports whether a step runs the function of a barrier.
func (a *Analysis) keeps(p *party, at place) bool {
	return at.step >= 0 && slices.ContainsFunc(a.in.CalleesAt(at.inst, at.f.Steps[at.step].Site), p.keeps.Has)
}

// beforeAllHaveCome reports whether x is done by the last one to come, and y by who starts the iterations, before one of them:
//
//	for w := range workers {
//		lo, hi := part(x.cur, w)
//		wg.Go(func() { x.step(lo, hi); b.wait(func() { x.cur = next(x.cur) }) })
//	}
//
// The barrier waits for all of them. So what has been done before the last one was started is over, too.
func (a *Analysis) beforeAllHaveCome(x, y access) bool {
	return slices.ContainsFunc(a.parties(), func(p *party) bool {
		_, last, ok := a.waitsBehind(p, x)
		return ok && last && a.beforeOneMore(y)
	})
}

// beforeOneMore reports whether who starts the iterations in a loop starts one more before it leaves that when it has done y in it.
func (a *Analysis) beforeOneMore(y access) bool {
	s := a.spawns[0]
	f, g, ok := a.gap(y.inst, y.at)
	i := y.inst
	for up := 0; ok && i != s.Inst; up++ {
		callers := a.in.Callers(i)
		if len(callers) != 1 || a.in.IsSpawn(callers[0]) || up == maxClimb {
			return false
		}
		i = callers[0].Inst
		f, g, ok = a.gap(i, callers[0].At)
	}
	if !ok {
		return false
	}
	l := f.Innermost(f.Block(s.At))
	return l >= 0 && !f.LeavesLoop(g, l, s.At)
}

// waitsBehind returns how often an iteration that comes to an access has waited, up to the period; last is set if it
// does so while all others wait.
func (a *Analysis) waitsBehind(p *party, x access) (n int64, last, ok bool) {
	f, g, ok := a.gap(x.inst, x.at)
	if !ok || !a.ofIterations(a.threadsOfAccess(x)) || p.other.Has(x.inst) {
		return 0, false, false
	}
	if p.keeps.Has(x.inst) {
		return 0, true, f.InLast(p.bar, x.at)
	}
	if p.last.Has(x.inst) {
		return 0, true, !p.within.Has(x.inst)
	}
	n, ok = p.waits[phase{x.inst, g}]
	return n, false, ok
}

// ofIterations reports whether some threads are the iterations themselves.
func (a *Analysis) ofIterations(ts []pta.InstID) bool {
	return len(ts) > 0 && !slices.ContainsFunc(ts, func(t pta.InstID) bool {
		return !slices.Contains(a.w.Bodies(model.Alpha), t) && !slices.Contains(a.w.Bodies(model.Beta), t)
	})
}

// parties returns the barriers of which the iterations are the parties.
func (a *Analysis) parties() []*party {
	if a.partied != nil {
		return a.partied
	}
	a.partied = []*party{}
	if len(a.spawns) != 1 {
		return a.partied
	}
	type group struct {
		f     *flow.Func
		bar   *flow.Barrier
		insts []pta.InstID
		not   bool
	}
	groups := make(map[pta.Loc]*group)
	var counts []pta.Loc
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		if !a.in.Runs(i) {
			return
		}
		for k := range f.Barriers {
			bar := &f.Barriers[k]
			locs := a.w.Stored(pta.Site{Inst: i, At: bar.Count})
			for _, l := range locs {
				g := groups[l]
				if g == nil {
					g = &group{f: f, bar: bar}
					groups[l] = g
					counts = append(counts, l)
				}
				g.insts = append(g.insts, i)
				g.not = g.not || len(locs) != 1 || g.f.Name != f.Name || g.bar.Count != bar.Count || !a.ofIterations(a.threadsOf(i))
			}
		}
	})
	for _, l := range counts {
		g := groups[l]
		if g.not || !a.countsParties(l, g.f, g.bar, g.insts) {
			continue
		}
		p := &party{bar: g.bar, told: g.f.TellsLast(g.bar), walks: a.comingTo(g.insts), keeps: new(idset.Set[pta.InstID]), within: new(idset.Set[pta.InstID])}
		for _, i := range g.insts {
			p.keeps.Add(i)
		}
		if a.countWaits(p, g.insts) {
			a.partied = append(a.partied, p)
		}
	}
	return a.partied
}

// countsParties reports whether a barrier has its count at l, and asks for no fewer than there are iterations.
func (a *Analysis) countsParties(l pta.Loc, f *flow.Func, bar *flow.Barrier, insts []pta.InstID) bool {
	o := a.w.Object(l)
	if !oneCell(o) || a.external(l) || o.Alloc.Inst < 0 || o.Alloc.At < 0 {
		return false
	}
	all, started, ok := a.startedSince(o.Alloc)
	if !ok {
		return false
	}
	// Nobody else counts himself, and only who has found the number full changes the mark.
	by := func(s pta.Site, at ssair.Instr) bool {
		g := a.w.Flow(s.Inst)
		return g != nil && g.Name == f.Name && s.At == at
	}
	sets, ok := a.w.StoresTo(l)
	if !ok || slices.ContainsFunc(sets, func(s pta.Site) bool {
		g := a.w.Flow(s.Inst)
		zero := g != nil && slices.ContainsFunc(g.Stores, func(st flow.Store) bool { return st.At == s.At && st.Const == 0 })
		return !zero && !by(s, bar.Count)
	}) {
		return false
	}
	var mark []pta.Loc
	for _, i := range insts {
		locs := a.w.Stored(pta.Site{Inst: i, At: bar.Bump})
		if len(locs) != 1 || mark != nil && mark[0] != locs[0] {
			return false
		}
		mark = locs
	}
	bumps, ok := a.w.StoresTo(mark[0])
	if !ok || slices.ContainsFunc(bumps, func(s pta.Site) bool { return !by(s, bar.Bump) && !started.after(s) }) {
		return false
	}
	for _, i := range insts {
		need, ok := a.askedFor(i, f, bar, o)
		if !ok || !all.within(need) || !a.underItsLock(i, insts, bar) || !a.openedBy(i, bar, by) {
			return false
		}
	}
	return true
}

// openedBy reports whether the channels that instance i of a barrier's function waits for, if it waits so, have nothing sent and are
// closed by who finds the number full alone.
func (a *Analysis) openedBy(i pta.InstID, bar *flow.Barrier, by func(pta.Site, ssair.Instr) bool) bool {
	return !slices.ContainsFunc(bar.Waits, func(at ssair.Instr) bool {
		gates := a.operand(i, at, 0)
		return !a.nobody(i, at, 0, 1<<opSend) || slices.ContainsFunc(a.allOps, func(o *op) bool {
			return o.kind == opClose && !by(pta.Site{Inst: o.inst, At: o.site}, bar.Opens) && a.inCommon(o.locs, gates)
		})
	})
}

// underItsLock reports whether what one iteration does to the count and the mark of a barrier is excluded by a lock from what
// any does.
func (a *Analysis) underItsLock(i pta.InstID, insts []pta.InstID, bar *flow.Barrier) bool {
	a.locksets.Prepare(insts)
	ats := append(slices.Clone(bar.Sees), bar.Count, bar.Bump)
	for _, at := range ats {
		held := a.locksets.AtSite(pta.Site{Inst: i, At: at})
		for _, j := range insts {
			for _, other := range ats {
				if !a.locksets.Exclude(held, a.locksets.AtSite(pta.Site{Inst: j, At: other})) {
					return false
				}
			}
		}
	}
	return true
}

// askedFor returns the number of runs that a barrier waits for, as instance i of its function finds it.
func (a *Analysis) askedFor(i pta.InstID, f *flow.Func, bar *flow.Barrier, o pta.ObjectInfo) (amount, bool) {
	is := func(i pta.InstID, f *flow.Func, p flow.PathID) (amount, bool) {
		b := a.boundOf(i, f, flow.Trip{Kind: flow.TripBound, Bound: p})
		return amount{bound: map[tripBound]int64{b: 1}}, f.Path(p).Known()
	}
	if bar.Load < 0 {
		return is(i, f, bar.Size)
	}
	// It is in a field, and set where the barrier is made, once. Until then it is zero, and nobody finds it full.
	j, g, size, cell, ok := a.fieldSize(pta.Site{Inst: i, At: bar.Load})
	if !ok || a.w.Object(cell).ID != o.ID {
		return amount{}, false
	}
	return is(j, g, size.Value)
}

// fieldSize returns the number that is stored to the field that a load reads, or the length or capacity of what is, if that is one cell and is
// set once, by who makes the object that it is a field of, for each time that he makes one.
func (a *Analysis) fieldSize(load pta.Site) (made pta.InstID, f *flow.Func, size flow.FieldSize, cell pta.Loc, ok bool) {
	cells := a.w.Cells(load)
	if len(cells) != 1 {
		return
	}
	o := a.w.Object(cells[0])
	sets, known := a.w.StoresTo(cells[0])
	if !known || len(sets) != 1 || o.Alloc.At < 0 || sets[0].Inst != o.Alloc.Inst {
		return
	}
	f = a.w.Flow(o.Alloc.Inst)
	if f == nil || f.Innermost(f.Block(sets[0].At)) != f.Innermost(f.Block(o.Alloc.At)) {
		return
	}
	k := slices.IndexFunc(f.Sizes, func(s flow.FieldSize) bool { return s.At == sets[0].At })
	if k < 0 {
		return
	}
	return o.Alloc.Inst, f, f.Sizes[k], cells[0], true
}

// lengthSet returns a trip that has the same number of rounds, or more, as one that goes on for a number in a field of something
// that there is one of, or for the length of a slice there, where that is set once, to what has a name.
//
//	w := &world{parts: make([]int, workers), meet: newBarrier(workers)}
//	for i := range len(w.parts) {
func (a *Analysis) lengthSet(i pta.InstID, f *flow.Func, t flow.Trip) (pta.InstID, *flow.Func, flow.Trip) {
	if j, g, size, _, ok := a.boundSet(i, f, t); ok {
		t.Bound = size.Value
		return j, g, t
	}
	return i, f, t
}

// boundSet is fieldSize for the field that the bound of a trip is loaded from, if there is one of what that belongs to.
func (a *Analysis) boundSet(i pta.InstID, f *flow.Func, t flow.Trip) (made pta.InstID, g *flow.Func, size flow.FieldSize, cell pta.Loc, ok bool) {
	loads := f.LoadsOf(t.Bound)
	if t.Kind != flow.TripBound || len(loads) == 0 {
		return
	}
	made, g, size, cell, ok = a.fieldSize(pta.Site{Inst: i, At: loads[0]})
	return made, g, size, cell, ok && f.IsSizeOf(t.Bound, size) && !a.external(cell) && oneCell(a.w.Object(cell))
}

// A starting is where iterations are started, as seen from the frame that has something made for them before.
type starting struct {
	made pta.InstID // that makes it
	inst pta.InstID // the frame
	f    *flow.Func
	step int32
}

// after reports whether the iterations are started after a store by who makes the thing for them.
func (s *starting) after(store pta.Site) bool {
	return store.Inst == s.made && (s.made != s.inst || !s.f.Reaches(s.f.AfterStep(s.step), s.f.GapOf(store.At), -1, -1))
}

// startedSince returns how many iterations are started for each time that an object is made. It is made in the same run of
// a function, before, whichever way that takes.
func (a *Analysis) startedSince(made pta.Site) (amount, *starting, bool) {
	s := a.spawns[0]
	sf := a.w.Flow(s.Inst)
	for _, side := range []model.Thread{model.Alpha, model.Beta} {
		for _, t := range a.w.Bodies(side) {
			if from := a.spawnsOf(t); len(from) != 1 || from[0] != s {
				return amount{}, nil, false
			}
		}
	}
	steps := sf.StepsAt(s.At)
	if len(steps) != 1 || sf.Steps[steps[0]].Kind != flow.Spawn || sf.Steps[steps[0]].Repeat {
		return amount{}, nil, false
	}
	at := made
	for range maxClimb {
		f := a.w.Flow(at.Inst)
		if f == nil {
			break
		}
		g := f.GapOf(at.At)
		c := &counting{a: a, inst: at.Inst, f: f}
		if p, ok := c.project(&op{inst: s.Inst, f: sf, step: steps[0], site: s.At}); ok {
			before := f.BeforeStep(p.step)
			if g != f.Entry() && f.Reaches(f.Entry(), before, -1, g) {
				break
			}
			m, l := p.times, f.Innermost(p.block)
			if l < 0 && f.Reaches(f.AfterStep(p.step), before, -1, -1) {
				break
			}
			for ; l >= 0 && !f.Loops[l].Has(f.Block(at.At)); l = f.Loops[l].Parent {
				if m, ok = a.timesAtMost(m, at.Inst, f, f.Loops[l].Trip); !ok {
					return amount{}, nil, false
				}
			}
			return m, &starting{made.Inst, at.Inst, f, p.step}, true
		}
		callers := a.in.Callers(at.Inst)
		if len(callers) != 1 || a.in.IsSpawn(callers[0]) || g != f.Entry() && f.ReturnsPast(f.Entry(), g) {
			break
		}
		at = callers[0]
	}
	return amount{}, nil, false
}

// maxPhases bounds the positions of which it is found out how many waits lie behind them.
const maxPhases = 20_000

// countWaits finds how many waits lie behind each position that an iteration comes to. Ways that meet
// with different numbers tell of the period: what differs by a multiple of that is not told apart.
func (a *Analysis) countWaits(p *party, insts []pta.InstID) bool {
	leads := a.relevant.Copy()
	a.in.LeadTo(leads, insts)
	p.waits = make(map[phase]int64)
	var work []phase
	come := func(at phase, n int64) {
		if old, ok := p.waits[at]; ok {
			p.period = gcd(p.period, n-old)
			return
		}
		p.waits[at] = n
		work = append(work, at)
	}
	returnTo := make(map[pta.InstID][]phase)
	exits := make(map[pta.InstID][]int64)
	enter := func(at phase, to phase, n int64) {
		p.within.Add(at.inst)
		returnTo[at.inst] = append(returnTo[at.inst], to)
		come(at, n)
		for _, e := range exits[at.inst] {
			come(to, e)
		}
	}
	for _, side := range []model.Thread{model.Alpha, model.Beta} {
		for _, t := range a.w.Bodies(side) {
			f := a.w.Flow(t)
			if f == nil {
				return false
			}
			p.within.Add(t)
			come(phase{t, f.Entry()}, 0)
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		f, n := a.w.Flow(at.inst), p.waits[at]
		if p.keeps.Has(at.inst) || len(p.waits) > maxPhases {
			return false
		}
		s := f.StepAfter(at.gap)
		if s < 0 {
			blk := &f.Blocks[f.BlockOf(at.gap)]
			for k := range blk.Succs {
				if e := &blk.Succs[k]; !e.Dead {
					come(phase{at.inst, f.First(e.To)}, n)
				}
			}
			if blk.Exit {
				exits[at.inst] = append(exits[at.inst], n)
				for _, to := range returnTo[at.inst] {
					come(to, n)
				}
			}
			continue
		}
		next := phase{at.inst, at.gap + 1}
		st := &f.Steps[s]
		callees := a.in.CalleesAt(at.inst, st.Site)
		if st.Kind != flow.Call || len(callees) == 0 {
			come(next, n)
			continue
		}
		waits, passes := 0, st.Optional || st.Body >= 0
		for _, c := range callees {
			g := a.w.Flow(c)
			switch {
			case p.keeps.Has(c):
				waits++
			case g == nil || !leads.Has(c):
				passes = true
			default:
				enter(phase{c, g.Entry()}, next, n)
			}
		}
		if waits > 0 {
			if waits != len(callees) || st.Body >= 0 {
				return false
			}
			p.calls, p.from = append(p.calls, place{inst: at.inst, f: f, step: s}), append(p.from, at.inst)
			come(next, n+1)
		}
		if passes {
			come(next, n)
		}
	}
	p.leads = new(idset.Set[pta.InstID])
	a.in.LeadTo(p.leads, insts)
	p.last, p.other = new(idset.Set[pta.InstID]), new(idset.Set[pta.InstID])
	for _, i := range insts {
		f := a.w.Flow(i)
		for s := range f.Steps {
			below := p.other
			if f.InLast(p.bar, f.Steps[s].At) {
				below = p.last
			}
			for _, c := range a.in.CalleesAt(i, f.Steps[s].Site) {
				a.addBelow(below, c)
			}
		}
	}
	return !slices.ContainsFunc(insts, func(i pta.InstID) bool { return p.last.Has(i) || p.other.Has(i) })
}

// addBelow adds to a set an instance, and what it calls.
func (a *Analysis) addBelow(set *idset.Set[pta.InstID], i pta.InstID) {
	for work := []pta.InstID{i}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if !set.Add(i) {
			continue
		}
		for _, cs := range a.in.StepCallees(i) {
			work = append(work, cs...)
		}
	}
}

func gcd(m, n int64) int64 {
	for n != 0 {
		m, n = n, m%n
	}
	return max(m, -m)
}

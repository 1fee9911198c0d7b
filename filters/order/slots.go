package order

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for slots (L): a channel's places, or the tickets that it is
// filled with, are handed to goroutines, and who takes them all has waited for those.
// The spawner takes one before each spawn, the goroutine gives it back when it is done,
// and nobody gives back what he does not have; a loop that then takes as many as there are
// comes to its end when each goroutine that was started has given back its own.

// A slotChan is what is known of a channel as a store of slots.
type slotChan struct {
	acquire opKind // opSend if its places are the slots, opRecv if what lies in it is
	fill    *op    // that puts tickets in, where there are any
	// handed are the threads that are started with a slot, and give it back.
	handed []pta.InstID
	given  []pta.Site // where they are started
}

// slotsAwait decides for the edge on which a counting loop is done.
func (a *Analysis) slotsAwait(p place, loop int32, x *class, crossed bool) bool {
	if len(x.threads) != 1 {
		return false
	}
	for _, n := range a.opsIn(p.inst) {
		if n.kind != opSend && n.kind != opRecv || n.step < 0 || !p.f.Loops[loop].Has(a.blockOf(n)) || p.f.Innermost(a.blockOf(n)) != loop {
			continue
		}
		locs, own, ok := a.chanOf(n, x, crossed)
		if !ok || len(locs) != 1 || !a.oneChannel(n, locs[0], own, crossed) {
			continue
		}
		if !a.startsWithSlot(x, locs[0], n.kind) {
			continue
		}
		s := a.slotsOf(locs[0], n.kind)
		if s == nil || !slices.Contains(s.handed, x.threads[0]) || !a.givesBackAfter(x, s, locs[0]) || !a.takesEachRound(n, loop, s, locs[0]) {
			continue
		}
		switch a.takesAllSlots(n, loop, s, locs[0]) {
		case yes:
			return true
		case unasked:
			// Not known to be fewer (soundness: all-slots).
			if a.slotsAsked = true; a.bold {
				return true
			}
		}
	}
	return false
}

// onlySlotTaken reports whether n takes the only place of a channel of one, with which x's goroutine was started, and which that gives
// back when x is over:
//
//	pending <- struct{}{}
//	go func() { write(); <-pending }()
//	…
//	pending <- struct{}{} // it has written
func (a *Analysis) onlySlotTaken(n *op, x *class, locs []pta.Loc, own, crossed bool) bool {
	if len(x.threads) != 1 || len(locs) != 1 || !a.oneChannel(n, locs[0], own, crossed) || !a.startsWithSlot(x, locs[0], opSend) {
		return false
	}
	s := a.slotsOf(locs[0], opSend)
	return s != nil && slices.Contains(s.handed, x.threads[0]) && a.givesBackAfter(x, s, locs[0])
}

// oneChannel reports whether one channel is at l for all that is done with it: one that
// there is one of, or that of x's round, or of a run, if all have it by one name.
func (a *Analysis) oneChannel(n *op, l pta.Loc, own, crossed bool) bool {
	obj := a.w.Object(l)
	if a.external(l) || a.isTimer(l) || obj.Part != 0 || indexed(obj.Field) || obj.Alloc.Inst < 0 || obj.Alloc.At < 0 {
		return false
	}
	ofRun := obj.Many && !own
	if ofRun && (crossed || a.w.Thread(obj.Alloc.Inst) != model.Main) {
		return false
	}
	return !slices.ContainsFunc(a.ops[l], func(o *op) bool {
		return ofRun && !a.samePath(n, o) || !ofRun && !own && len(o.locs) != 1
	})
}

// slotsOf returns what is known of a channel whose slots are taken by operations of a
// kind, or nil.
func (a *Analysis) slotsOf(l pta.Loc, acquire opKind) *slotChan {
	k := lockKey{l, acquire}
	s, ok := a.slots[k]
	if !ok {
		if a.slots == nil {
			a.slots = make(map[lockKey]*slotChan)
		}
		s = a.findSlots(l, acquire)
		a.slots[k] = s
	}
	return s
}

func (a *Analysis) findSlots(l pta.Loc, acquire opKind) *slotChan {
	fill, releases := a.slotReleases(l, acquire)
	if len(releases) == 0 {
		return nil
	}
	s := &slotChan{acquire: acquire, fill: fill}
	// Who gives back what it has not taken must have been given it.
	threads := make(map[pta.InstID]bool)
	for _, r := range releases {
		for _, t := range a.threadsOf(r.inst) {
			threads[t] = true
		}
	}
	// One that nobody starts settles it.
	order := sortedKeys(threads)
	slices.SortStableFunc(order, func(t, u pta.InstID) int {
		return cmp.Compare(min(len(a.spawnsOf(t)), 1), min(len(a.spawnsOf(u)), 1))
	})
	for _, t := range order {
		if !a.isHanded(t, l, acquire, releases) {
			continue
		}
		if len(a.spawnsOf(t)) == 0 {
			return nil
		}
		s.handed = append(s.handed, t)
	}
	if len(s.handed) == 0 {
		return nil
	}
	w := a.withoutSlot(l, acquire)
	for _, r := range releases {
		w.startAfter(r)
	}
	for _, t := range s.handed {
		for _, at := range a.spawnsOf(t) {
			if slices.Contains(s.given, at) {
				continue
			}
			s.given = append(s.given, at)
			w.fromSite(at)
			for _, u := range a.threadsOf(at.Inst) {
				threads[u] = true
			}
		}
	}
	for _, t := range sortedKeys(threads) {
		if !slices.Contains(s.handed, t) {
			w.fromEntry(t)
		}
	}
	w.run()
	if slices.ContainsFunc(releases, w.reachesOp) {
		return nil
	}
	for _, at := range s.given {
		f := a.w.Flow(at.Inst)
		for _, k := range f.StepsAt(at.At) {
			if f.Steps[k].Kind != flow.Spawn || f.Steps[k].Repeat || w.reachesStep(at.Inst, k) {
				return nil
			}
		}
	}
	return s
}

// slotReleases returns by what a channel is filled with tickets, where these are its slots, and
// what gives slots back: nothing if it is no store of slots.
func (a *Analysis) slotReleases(l pta.Loc, acquire opKind) (fill *op, releases []*op) {
	for _, o := range a.ops[l] {
		switch {
		case o.kind == acquire || o.kind == opClose || o.kind == opOther:
		case o.kind != opSend && o.kind != opRecv:
			return nil, nil
		case acquire == opRecv && fill == nil && a.fills(o, l):
			fill = o
		default:
			releases = append(releases, o)
		}
	}
	if acquire == opRecv && fill == nil {
		return nil, nil
	}
	return fill, releases
}

// startsWithSlot reports whether the thread of a class may be one that is started with a
// slot of a channel. Most channels in a counting loop have nothing to do with slots, and
// this is asked before anything of other threads.
func (a *Analysis) startsWithSlot(x *class, l pta.Loc, acquire opKind) bool {
	if len(a.spawnsOf(x.threads[0])) == 0 {
		return false
	}
	_, releases := a.slotReleases(l, acquire)
	return slices.ContainsFunc(releases, func(r *op) bool { return a.ownOp(x, r) }) && a.isHanded(x.threads[0], l, acquire, releases)
}

// isHanded reports whether a thread may give back a slot without having taken one: by one of
// the given operations.
func (a *Analysis) isHanded(t pta.InstID, l pta.Loc, acquire opKind, releases []*op) bool {
	k := handedKey{lockKey{l, acquire}, t}
	v := a.handed[k]
	if v == unasked {
		v = answerOf(slices.ContainsFunc(releases, a.withoutSlot(l, acquire).fromEntry(t).run().reachesOp))
		if a.handed == nil {
			a.handed = make(map[handedKey]answer)
		}
		a.handed[k] = v
	}
	return v == yes
}

type handedKey struct {
	lockKey
	thread pta.InstID
}

// withoutSlot is a walk that ends where a slot is taken.
func (a *Analysis) withoutSlot(l pta.Loc, acquire opKind) *walk {
	w := a.newWalk()
	w.forbids(func(p place, _ bool) bool { return a.takesSlot(p, l, acquire) }, a.ops[l])
	return w
}

// takesSlot reports whether who comes by a place has taken a slot. A receive that may
// find the channel closed has if it got something.
func (a *Analysis) takesSlot(p place, l pta.Loc, acquire opKind) bool {
	if p.step >= 0 {
		st := &p.f.Steps[p.step]
		return (acquire == opRecv && st.Kind == flow.Recv && !(st.CommaOk && a.closes(l)) || acquire == opSend && st.Kind == flow.Send) &&
			!st.Optional && slices.Contains(a.operand(p.inst, st.Site, 0), l)
	}
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		takes := ev.Kind == flow.CaseTaken && ev.Send == (acquire == opSend) || ev.Kind == flow.RecvSent && acquire == opRecv
		return takes && slices.Contains(a.operand(p.inst, ev.Site, ev.Operand), l)
	})
}

func (a *Analysis) closes(l pta.Loc) bool {
	return slices.ContainsFunc(a.ops[l], func(o *op) bool { return o.kind == opClose })
}

// fills reports whether o is done in a counting loop of the function that makes the
// channel, which is not come to again, or once.
func (a *Analysis) fills(o *op, l pta.Loc) bool {
	if o.step < 0 || a.w.Object(l).Alloc.Inst != o.inst {
		return false
	}
	k := o.f.Innermost(a.blockOf(o))
	if k < 0 {
		return len(o.locs) == 1 && a.happensOnce(o)
	}
	return o.f.Loops[k].Parent < 0 && o.f.Loops[k].Trip.Kind != flow.TripUnknown && !a.inLoop(o, k, func(r *op) bool {
		return r != o && slices.Contains(r.locs, l)
	})
}

// inLoop reports whether the function of o does another operation in a loop.
func (a *Analysis) inLoop(o *op, loop int32, is func(*op) bool) bool {
	return slices.ContainsFunc(a.opsIn(o.inst), func(r *op) bool { return is(r) && o.f.Loops[loop].Has(a.blockOf(r)) })
}

// givesBackAfter reports whether x is over whenever its thread gives back a slot.
func (a *Analysis) givesBackAfter(x *class, s *slotChan, l pta.Loc) bool {
	some := false
	for _, r := range a.ops[l] {
		if r.kind != opSend && r.kind != opRecv || r.kind == s.acquire || r == s.fill || !a.ownOp(x, r) {
			continue
		}
		if some = true; !a.over(x, r) {
			return false
		}
	}
	return some
}

// takesEachRound reports whether each round of a loop takes a slot by n and gives back
// none, and n takes none of a channel that was closed.
func (a *Analysis) takesEachRound(n *op, loop int32, s *slotChan, l pta.Loc) bool {
	f := n.f
	if f.Steps[n.step].Optional || f.Steps[n.step].CommaOk && a.closes(l) {
		return false
	}
	round := a.newWalk()
	round.within = n.inst
	round.stopAt = pta.Site{Inst: n.inst, At: n.site}
	round.from(n.inst, f.First(f.Loops[loop].Header)).run()
	for _, b := range f.Loops[loop].Blocks {
		for k := range f.Blocks[b].Succs {
			if f.Blocks[b].Succs[k].To == f.Loops[loop].Header && round.at(n.inst, f.Last(b)) != 0 {
				return false
			}
		}
	}
	all := a.newWalk()
	all.within = n.inst
	all.from(n.inst, f.First(f.Loops[loop].Header)).run()
	// A loop that starts goroutines with what it takes has given it away again.
	body := a.newWalk()
	body.within = n.inst
	body.avoid = func(p place, _ bool) bool {
		return p.inst == n.inst && p.step < 0 && !f.Loops[loop].Has(f.Blocks[p.block].Succs[p.edge].To)
	}
	body.from(n.inst, f.First(f.Loops[loop].Header)).run()
	for _, at := range s.given {
		for _, k := range a.w.Flow(at.Inst).StepsAt(at.At) {
			if body.reachesStep(at.Inst, k) {
				return false
			}
		}
	}
	for _, o := range a.ops[l] {
		if o.kind == opClose && s.acquire == opRecv && a.mayPrecede(o, n) {
			return false
		}
		if o.kind != s.acquire && o.kind != opClose && o.kind != opOther && all.reachesOp(o) {
			return false
		}
	}
	return true
}

// takesAllSlots reports whether a loop that takes a slot by n in each round takes as many as
// there are: yes, no, or unasked if that is not known.
func (a *Analysis) takesAllSlots(n *op, loop int32, s *slotChan, l pta.Loc) answer {
	trip := n.f.Loops[loop].Trip
	alloc := a.w.Object(l).Alloc
	f := a.w.Flow(alloc.Inst)
	if f == nil {
		return no
	}
	mk := f.MakeAt(alloc.At)
	if mk == nil {
		return no
	}
	if trip.Kind == flow.TripBound && trip.N == 0 && n.f.IsCap(trip.Bound, n.path) {
		return yes
	}
	as := func(t flow.Trip) answer {
		taken, known := a.numberOf(n.inst, n.f, trip)
		there, ok := a.numberOf(alloc.Inst, f, t)
		switch {
		case known && ok:
			return answerOf(taken >= there)
		case trip.Kind == flow.TripBound && t.Kind == flow.TripBound && trip.N >= t.N && a.boundOf(n.inst, n.f, flow.Trip{Bound: trip.Bound}) == a.boundOf(alloc.Inst, f, flow.Trip{Bound: t.Bound}):
			return yes
		case trip.Kind == flow.TripBound && trip.N < min(t.N, 0):
			return no // if it goes up to as many as there are, then not all the way
		}
		return unasked
	}
	places := flow.Trip{Kind: flow.TripBound, Bound: mk.Size}
	if mk.Cap >= 0 {
		places = flow.Trip{Kind: flow.TripConst, N: mk.Cap}
	}
	v := as(places)
	if s.fill != nil && v != yes {
		v = as(a.tripOf(s.fill))
	}
	return v
}

// tripOf is how often what fills a channel does so.
func (a *Analysis) tripOf(fill *op) flow.Trip {
	if k := fill.f.Innermost(a.blockOf(fill)); k >= 0 {
		return fill.f.Loops[k].Trip
	}
	return flow.Trip{Kind: flow.TripConst, N: 1}
}

// numberOf returns how often a loop goes round, if that is a constant here or for all
// callers.
func (a *Analysis) numberOf(i pta.InstID, f *flow.Func, t flow.Trip) (int64, bool) {
	switch t.Kind {
	case flow.TripConst:
		return t.N, true
	case flow.TripBound:
		n, ok := a.constant(i, f.Path(t.Bound), maxFrames)
		return n + t.N, ok
	}
	return 0, false
}

// constant returns the value of a path, if it is a constant here or for all callers.
func (a *Analysis) constant(i pta.InstID, p flow.Path, depth int) (n int64, ok bool) {
	if !p.Known() || p.Sels != "" || depth == 0 {
		return 0, false
	}
	if digits, ok := strings.CutPrefix(p.Root, "c:"); ok {
		n, err := strconv.ParseInt(digits, 10, 64)
		return n, err == nil
	}
	param, isParam := p.Param()
	if !isParam {
		return 0, false
	}
	for k, c := range a.in.Callers(i) { // nobody in view calls a root: what it is passed is not known
		f := a.w.Flow(c.Inst)
		if f == nil {
			return 0, false
		}
		steps := f.StepsAt(c.At)
		if len(steps) == 0 || f.Steps[steps[0]].Body >= 0 || param >= len(f.Steps[steps[0]].Args) {
			return 0, false
		}
		m, known := a.constant(c.Inst, f.Path(f.Steps[steps[0]].Args[param]), depth-1)
		if !known || k > 0 && m != n {
			return 0, false
		}
		n, ok = m, true
	}
	return n, ok
}

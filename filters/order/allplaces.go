package order

import (
	"slices"

	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a channel that is a lock for readers and writers: who has one of its places excludes who has all.
//
//	func (d *dir) read(f func()) {           func (d *dir) write(f func()) {
//		d.sem <- struct{}{}                      for range cap(d.sem) {
//		defer func() { <-d.sem }()                   d.sem <- struct{}{}
//		f()                                      }
//	}                                            f()
//	                                             for range cap(d.sem) {
//	                                                 <-d.sem
//	                                             }
//	                                         }
//
// Each thread gives back no more places than it has taken, so there are at least as many values in the channel as all threads
// together have places; and one more than all cannot be.

// An allPlaces is what is known of the places of a channel.
type allPlaces struct {
	loc    pta.Loc
	fills  []*op // that take one in each round of a loop, which ends when all are taken
	drains []*op // that give one back in each round of a loop, of as many rounds
}

// besideAllPlaces reports whether x or y happens only where its thread has all places of a channel, and the other one where its
// thread has a place.
func (a *Analysis) besideAllPlaces(x, y access) bool {
	for _, l := range a.oneChannels() {
		if o := a.w.Object(l); o.Many && !a.doubtful {
			continue
		}
		p := a.placesOf(l)
		if p == nil {
			continue
		}
		for _, z := range [][2]access{{x, y}, {y, x}} {
			if a.mayHold(z[1].inst, l, opSend) && a.hasAll(p, z[0]) && a.hasPlace(p, z[1]) {
				return true
			}
		}
	}
	return false
}

// placesOf returns what is known of the places of a channel, nil if nobody takes all, or it is not known that who gives one back has one.
func (a *Analysis) placesOf(l pta.Loc) *allPlaces {
	p, known := a.allOf[l]
	if !known {
		if p = a.findPlaces(l); p != nil && !a.givesOwnBack(p) {
			p = nil
		}
		if a.allOf == nil {
			a.allOf = make(map[pta.Loc]*allPlaces)
		}
		a.allOf[l] = p
	}
	return p
}

func (a *Analysis) findPlaces(l pta.Loc) *allPlaces {
	p := &allPlaces{loc: l}
	for _, o := range a.ops[l] {
		if o.kind != opSend && o.kind != opRecv || len(o.locs) != 1 && !a.doubtful {
			return nil
		}
		if a.loopOfPlaces(o) < 0 {
			continue
		}
		if o.kind == opSend {
			p.fills = append(p.fills, o)
		} else {
			p.drains = append(p.drains, o)
		}
	}
	if len(p.fills) == 0 || a.capacity(l) == 0 {
		return nil
	}
	return p
}

// givesOwnBack reports whether who gives a place back has one, and who gives all back has all. In doubt that is so.
func (a *Analysis) givesOwnBack(p *allPlaces) bool {
	return a.doubtful || !slices.ContainsFunc(a.ops[p.loc], func(o *op) bool {
		switch {
		case o.kind != opRecv:
			return false
		case !a.mayHold(o.inst, p.loc, opSend):
			return true
		case slices.Contains(p.drains, o):
			return a.drainsWithout(p, o)
		}
		return a.withoutPlace(p, o.inst).reachesOp(o)
	})
}

// loopOfPlaces returns the loop that an operation on a channel is done in, once in each round, if that has as many rounds as the channel has
// places and does nothing else with it; -1 if there is none. In doubt any loop may be one.
func (a *Analysis) loopOfPlaces(o *op) int32 {
	if o.step < 0 {
		return -1
	}
	k := o.f.Innermost(a.blockOf(o))
	if k < 0 || a.doubtful {
		return k
	}
	l := o.locs[0]
	if !a.asManyAsPlaces(o, k, l) || o.f.Steps[o.step].Optional {
		return -1
	}
	loop := &o.f.Loops[k]
	first := o.f.First(loop.Header)
	round := func(past bool) *walk {
		w := a.newWalk()
		w.within, w.edges = o.inst, true
		w.avoid = func(p place, _ bool) bool {
			if p.inst != o.inst {
				return false
			}
			return !past && p.step == o.step || p.step < 0 && loop.Has(p.block) && !loop.Has(p.f.Blocks[p.block].Succs[p.edge].To)
		}
		return w.from(o.inst, first).run()
	}
	all := round(true)
	if slices.ContainsFunc(a.ops[l], func(other *op) bool { return other != o && all.reachesOp(other) }) {
		return -1
	}
	if o.kind == opRecv {
		return k // no more than one in each round
	}
	w := round(false)
	for _, b := range loop.Blocks {
		for i := range o.f.Blocks[b].Succs {
			if o.f.Blocks[b].Succs[i].To == loop.Header && w.at(o.inst, o.f.Last(b)) != 0 {
				return -1 // a round that does not take one
			}
		}
	}
	return k
}

// asManyAsPlaces reports whether a loop has as many rounds as a channel has places, or where o takes one, or more.
func (a *Analysis) asManyAsPlaces(o *op, loop int32, l pta.Loc) bool {
	trip := o.f.Loops[loop].Trip
	if trip.Kind == flow.TripBound && o.f.IsCap(trip.Bound, o.path) {
		return trip.N == 0
	}
	rounds, known := a.numberOf(o.inst, o.f, trip)
	if n := a.capacity(l); known && n > 0 {
		return rounds == n || o.kind == opSend && rounds > n
	}
	alloc := a.w.Object(l).Alloc
	if trip.Kind != flow.TripBound || trip.N != 0 || alloc.Inst < 0 || alloc.At < 0 {
		return false
	}
	f := a.w.Flow(alloc.Inst)
	if f == nil {
		return false
	}
	mk := f.MakeAt(alloc.At)
	return mk != nil && mk.Cap < 0 && a.boundOf(o.inst, o.f, flow.Trip{Bound: trip.Bound}) == a.boundOf(alloc.Inst, f, flow.Trip{Bound: mk.Size})
}

// drainsWithout reports whether the loop in which o gives places back may begin where its thread has not all.
func (a *Analysis) drainsWithout(p *allPlaces, o *op) bool {
	loop := &o.f.Loops[o.f.Innermost(a.blockOf(o))]
	w := a.withoutAll(p, o.inst)
	for b := range int32(len(o.f.Blocks)) {
		if !loop.Has(b) && slices.ContainsFunc(o.f.Blocks[b].Succs, func(e flow.Edge) bool { return e.To == loop.Header }) && w.at(o.inst, o.f.Last(b)) != 0 {
			return true
		}
	}
	return false
}

func (a *Analysis) hasAll(p *allPlaces, x access) bool {
	return !a.withoutAll(p, x.inst).reaches(x.inst, x.at)
}

func (a *Analysis) hasPlace(p *allPlaces, x access) bool {
	return !a.withoutPlace(p, x.inst).reaches(x.inst, x.at)
}

// withoutAll is a walk over what the threads that run an instance come to where they may not have all places.
func (a *Analysis) withoutAll(p *allPlaces, i pta.InstID) *walk {
	return a.kept(walkKey{kind: 'A', inst: i, op: int32(p.loc)}, func() *walk {
		return a.lacking(p, i, func(at place, _ bool) bool { return a.takesAllPlaces(p, at) })
	})
}

// withoutPlace is a walk over what they come to where they may have none. All of none is none.
func (a *Analysis) withoutPlace(p *allPlaces, i pta.InstID) *walk {
	some := a.doubtful || a.capacity(p.loc) > 0
	return a.kept(walkKey{kind: 'P', inst: i, op: int32(p.loc)}, func() *walk {
		return a.lacking(p, i, func(at place, _ bool) bool {
			return some && a.takesAllPlaces(p, at) || acquiredBy(at, a.ops[p.loc], opSend)
		})
	})
}

// lacking walks from where threads begin, and from where they give a place back.
func (a *Analysis) lacking(p *allPlaces, i pta.InstID, takes func(place, bool) bool) *walk {
	w := a.newWalk()
	w.edges = a.doubtful
	w.forbids(takes, a.ops[p.loc])
	ts := a.threadsOf(i)
	for _, t := range ts {
		w.fromEntry(t)
	}
	for _, o := range a.ops[p.loc] {
		if o.kind == opRecv && !a.ofAnother(o) && a.anyRuns(ts, o.inst) {
			w.startAfter(o)
		}
	}
	return w.run()
}

// takesAllPlaces reports whether an edge ends a loop that has taken all places.
func (a *Analysis) takesAllPlaces(p *allPlaces, at place) bool {
	if at.step >= 0 || a.doubtful {
		return at.step < 0 && a.passesLoopOf(at, p.fills)
	}
	return slices.ContainsFunc(p.fills, func(o *op) bool {
		return o.inst == at.inst && at.f.Blocks[at.block].Succs[at.edge].Counts == o.f.Innermost(a.blockOf(o))+1
	})
}

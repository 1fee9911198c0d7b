package order

import (
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about leases, of which a race is likely at most:
//
//	func (r *registry) acquire(l *lease) bool {
//		old := r.cur.Load()
//		return old.holder == 0 && r.cur.CompareAndSwap(old, l)
//	}
//
//	if r.acquire(l) {
//		n++
//		r.cur.Store(&lease{term: l.term})
//	}
//
// Who has put his own mark in a place, and puts back another one later, has what the place stands for meanwhile, if
// nobody exchanges a mark that is somebody's. Which marks are, what was found there tells, and that is not followed.

// mayBeLeased reports whether each of two accesses is done by who has such a lease of what may be one place.
func (a *Analysis) mayBeLeased(x, y access) bool {
	held := a.leases(x)
	return len(held) > 0 && slices.ContainsFunc(a.leases(y), func(l pta.Loc) bool { return slices.Contains(held, l) })
}

// maxLeases bounds the places in the code that are looked at for one access.
const maxLeases = 8

// leases returns the places in which the threads of an access have put a mark whenever they come to it, to put another
// one there later.
func (a *Analysis) leases(x access) (held []pta.Loc) {
	ts := a.threadsOf(x.inst)
	if len(ts) == 0 || len(ts) > maxThreads {
		return nil
	}
	var seen []*op
	for _, o := range a.allOps {
		if o.lib != library.OpAtomicCAS || len(o.locs) == 0 || !a.anyRuns(ts, o.inst) || slices.ContainsFunc(seen, o.isLike) {
			continue
		}
		if seen = append(seen, o); len(seen) > maxLeases {
			break
		}
		if a.leasedBy(o, ts, x) {
			held = append(held, o.locs...)
		}
	}
	return held
}

// isLike reports whether two operations are one of the code.
func (o *op) isLike(p *op) bool { return o.f == p.f && o.site == p.site && o.k == p.k }

// leasedBy reports whether the threads of x come to it only when o has succeeded, and may then come to another write of the
// same place, after which they come to x no more until o has succeeded again.
func (a *Analysis) leasedBy(o *op, ts []pta.InstID, x access) bool {
	var same, others []*op
	for _, p := range a.allOps {
		switch {
		case !a.anyRuns(ts, p.inst):
		case p.isLike(o):
			same = append(same, p)
		case marks(p) && slices.ContainsFunc(p.locs, func(l pta.Loc) bool { return slices.Contains(o.locs, l) }):
			others = append(others, p)
		}
	}
	without := func(from func(*walk)) *walk {
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return p.step < 0 && p.f == o.f && succeeds(p, o) }, same)
		from(w)
		return w.run()
	}
	before := without(func(w *walk) {
		for _, t := range ts {
			w.fromEntry(t)
		}
	})
	if slices.ContainsFunc(others, before.reachesOp) {
		return false // nor is x reached then: others are, from there
	}
	since := without(func(w *walk) { w.fromGaps(pta.Site{Inst: x.inst, At: x.at}) })
	others = slices.DeleteFunc(others, func(p *op) bool { return p.step < 0 || !since.reachesOp(p) })
	return len(others) > 0 && !without(func(w *walk) {
		for _, p := range others {
			w.fromStep(p.inst, p.step)
		}
	}).reaches(x.inst, x.at)
}

// marks reports whether an operation puts something in a place.
func marks(o *op) bool {
	return o.lib == library.OpAtomicStore || o.lib == library.OpAtomicSwap || o.lib == library.OpAtomicCAS
}

// succeeds reports whether the edge at p is taken by who has put his mark in a place by an operation.
func succeeds(p place, o *op) bool {
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool { return ev.Kind == flow.Swapped && ev.Site == o.site })
}

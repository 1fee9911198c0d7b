package order

import (
	"go/token"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// semaphores reports whether a channel used as a lock excludes x from y: one
// of capacity 1 to which every user sends before it receives, or one that is
// filled once and from which every user receives before it sends. Who has acquired it may
// start a goroutine that releases it. Where what runs the loop makes one, once in each of its
// runs, iterations of one run have one; those of two have not, unless a run is over before another
// one begins. If the object is one of many, owned says that each run has one of its own
// (soundness: owner-lock).
func (a *Analysis) semaphores(r *model.Race, x, y access) (held, owned bool) {
	for _, l := range a.oneChannels() {
		v := a.w.Object(l)
		if v.Many && r.B.Thread == model.Main && !a.doubtful {
			continue
		}
		for _, acquire := range []opKind{opSend, opRecv} {
			if !a.mayBeLock(l, acquire) || !a.mayHold(x.inst, l, acquire) || !a.mayHold(y.inst, l, acquire) ||
				!a.isLock(l, acquire) || !a.holds(x, l, acquire) || !a.holds(y, l, acquire) {
				continue
			}
			if !v.Many || a.doubtful || a.runsApart(v.Alloc, x) && a.runsApart(v.Alloc, y) {
				return true, false
			}
			home, known := a.w.Home(r)
			owned = owned || r.Object.Many && (!known || a.w.OneIn(home, l)) || r.Either || r.Place != 0 // of several that each run may have
		}
	}
	return false, owned
}

// oneChannels lists the channels of which there is one each, or one in each run of the loop, and
// which somebody sends to.
func (a *Analysis) oneChannels() []pta.Loc {
	if a.channels == nil {
		a.channels = []pta.Loc{}
		seen := make(map[pta.Loc]bool)
		for _, o := range a.allOps {
			if o.kind != opSend || len(o.locs) != 1 && !a.doubtful {
				continue
			}
			for _, l := range o.locs {
				if seen[l] {
					continue
				}
				seen[l] = true
				if v := a.w.Object(l); (!v.Many || v.OneRun || a.doubtful) && v.Part == 0 && !indexed(v.Field) && (!a.external(l) || a.doubtful) && !a.isTimer(l) {
					a.channels = append(a.channels, l)
				}
			}
		}
	}
	return a.channels
}

type lockKey struct {
	loc     pta.Loc
	acquire opKind
}

// isLock reports whether at most one thread at a time can be between an
// operation of the acquiring kind on channel l and one of the other kind.
func (a *Analysis) isLock(l pta.Loc, acquire opKind) bool {
	k := lockKey{l, acquire}
	if v, ok := a.locks[k]; ok {
		return v == yes
	}
	v := a.isLockNow(l, acquire)
	a.locks[k] = answerOf(v)
	return v
}

// mayBeLock is isLock as far as no walk is needed.
func (a *Analysis) mayBeLock(l pta.Loc, acquire opKind) bool {
	acquired := false
	if v := a.w.Object(l); a.doubtful && acquire != opSend && (v.Many && !v.OneRun || a.external(l)) {
		return false
	}
	for _, o := range a.ops[l] {
		if len(o.locs) != 1 && (!a.doubtful || acquire != opSend) || o.kind == opClose && acquire == opSend {
			return false
		}
		acquired = acquired || o.kind == acquire
	}
	return acquired && (acquire != opSend || a.capacity(l) == 1 || a.doubtful && a.capacity(l) < 0)
}

// mayHold reports whether each thread that runs an instance acquires the lock somewhere, or is
// started and may have it from who starts it.
func (a *Analysis) mayHold(i pta.InstID, l pta.Loc, acquire opKind) bool {
	for _, t := range a.threadsOf(i) {
		if a.mayBeGiven(t) {
			continue
		}
		started := len(a.spawnsOf(t)) > 0
		if !slices.ContainsFunc(a.ops[l], func(o *op) bool {
			return (o.kind == acquire || started) && slices.Contains(a.threadsOf(o.inst), t)
		}) {
			return false
		}
	}
	return true
}

func (a *Analysis) isLockNow(l pta.Loc, acquire opKind) bool {
	if !a.mayBeLock(l, acquire) {
		return false
	}
	fills := 0
	for _, o := range a.ops[l] {
		if o.kind == acquire || o.kind == opClose || a.ofAnother(o) {
			continue
		}
		// Who releases must hold.
		if a.mayHold(o.inst, l, acquire) && a.holdsAt(o, l, acquire) {
			continue
		}
		if acquire == opSend {
			return false
		}
		fills++
		if !a.happensOnce(o) {
			return false
		}
	}
	return acquire == opSend || fills == 1
}

// ofAnother reports whether an operation may be on another channel than the one in question, as where each of several locks is
// given back by one method. In doubt it is.
func (a *Analysis) ofAnother(o *op) bool { return a.doubtful && len(o.locs) > 1 }

// mayBeGiven reports whether a thread begins in a function that is not exported, so that something calls it, of which it is not
// seen what. In doubt that holds what the function needs.
func (a *Analysis) mayBeGiven(t pta.InstID) bool {
	if !a.doubtful || len(a.spawnsOf(t)) > 0 {
		return false
	}
	name := a.w.Flow(t).Name
	name = name[strings.LastIndexByte(name, '.')+1:]
	return !token.IsExported(name) && name != "main" && name != "init" && !strings.Contains(name, "$")
}

// happensOnce reports whether o happens at most once for each channel.
func (a *Analysis) happensOnce(o *op) bool {
	if a.w.Thread(o.inst) != model.Main {
		return false
	}
	birth := a.w.Object(o.locs[0]).Alloc
	w := a.newWalk()
	if birth.At >= 0 {
		w.birth = birth
	}
	if w.startAfter(o).run().reachesOp(o) {
		return false
	}
	for _, t := range a.threadsOf(o.inst) {
		if a.multi(t, w.birth) || len(a.threadsOf(o.inst)) > 1 {
			return false
		}
	}
	return true
}

// unheld returns a walk over all points of the threads that run instance i at
// which channel l is not held. A goroutine may hold it from its start, and who starts it
// no more then:
//
//	pending <- struct{}{}
//	go func() { write(); <-pending }()
func (a *Analysis) unheld(i pta.InstID, l pta.Loc, acquire opKind) *walk {
	ts := a.threadsOf(i)
	k := walkKey{kind: 'h', inst: i, op: int32(l)<<1 | int32(acquire&1)}
	if len(ts) == 1 {
		k.inst = ts[0]
	}
	var handed []pta.InstID
	if s := a.slotsOf(l, acquire); s != nil {
		handed = s.handed
	}
	return a.kept(k, func() *walk {
		w := a.newWalk()
		w.forbids(func(p place, _ bool) bool { return a.acquires(p, l, acquire) }, a.ops[l])
		for _, t := range ts {
			if !slices.Contains(handed, t) && !a.mayBeGiven(t) {
				w.fromEntry(t)
			}
		}
		ours := func(i pta.InstID) bool { return a.anyRuns(ts, i) }
		for _, o := range a.ops[l] {
			if o.kind != acquire && o.kind != opClose && !a.ofAnother(o) && ours(o.inst) {
				w.startAfter(o)
			}
		}
		for _, t := range handed {
			for _, s := range a.spawnsOf(t) {
				if ours(s.Inst) {
					w.fromSpawn(s)
				}
			}
		}
		return w.run()
	})
}

// acquires reports whether the step or edge is an acquiring operation on l. Where the channel may be closed, a receive is
// one if it is known to have got something.
func (a *Analysis) acquires(p place, l pta.Loc, acquire opKind) bool {
	if acquire != opRecv || !a.closes(l) {
		return acquiredBy(p, a.ops[l], acquire)
	}
	return p.step < 0 && slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		got := ev.Kind == flow.RecvSent || ev.Kind == flow.CaseTaken && !ev.Send && ev.Sent
		return got && slices.ContainsFunc(a.ops[l], func(o *op) bool {
			return o.kind == opRecv && o.inst == p.inst && o.site == ev.Site && o.k == ev.Operand
		})
	})
}

// acquiredBy reports whether the step or edge is an operation of the acquiring kind among some.
func acquiredBy(p place, ops []*op, acquire opKind) bool {
	return slices.ContainsFunc(ops, func(o *op) bool { return o.kind == acquire && o.isAt(p) })
}

// isAt reports whether the step or edge is the operation.
func (o *op) isAt(p place) bool {
	if o.inst != p.inst || p.step >= 0 || o.step >= 0 {
		return o.inst == p.inst && o.step == p.step
	}
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool { return ev.Site == o.site && ev.Operand == o.k })
}

func (a *Analysis) holds(x access, l pta.Loc, acquire opKind) bool {
	return !a.unheld(x.inst, l, acquire).reaches(x.inst, x.at)
}

func (a *Analysis) holdsAt(o *op, l pta.Loc, acquire opKind) bool {
	return !a.unheld(o.inst, l, acquire).reachesOp(o)
}

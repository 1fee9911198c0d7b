package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

type answer uint8

const (
	unasked answer = iota
	asked          // being computed: counts as no
	no
	yes
)

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

type awaitKey struct {
	inst    pta.InstID
	step    int32
	block   int32
	edge    int32
	crossed bool
	via     pta.Site
}

func (a *Analysis) decide(p place, x *class, crossed bool) bool {
	if x.hopeless {
		return false
	}
	if p.step < 0 {
		e := &p.f.Blocks[p.block].Succs[p.edge]
		for k := range e.Events {
			if a.edgeAwaits(p, k, x, crossed) {
				return true
			}
		}
		if e.Counts == 0 {
			return false
		}
		l := e.Counts - 1
		return p.f.Loops[l].Trip.Kind != flow.TripUnknown && (a.countAwaits(p, l, x, crossed) || a.slotsAwait(p, l, x, crossed)) || a.eachAwaits(p, l, x)
	}
	st := &p.f.Steps[p.step]
	n := a.opAt(p, 0)
	switch st.Kind {
	case flow.Recv:
		return a.received(n, nil, x, crossed, true, true) || x.restless() && a.chainEnds(n, x)
	case flow.Send:
		return a.sent(n, nil, x, crossed)
	case flow.Parallel:
		return a.bodiesOver(n, x)
	case flow.Call:
		switch st.Op {
		case library.OpOnce:
			return a.onceAwaits(n, x)
		case library.OpBubble:
			return p.edge == returning && x.restless() && a.burst(n, x)
		}
		for _, c := range a.in.CalleesAt(p.inst, st.Site) {
			if lib := a.w.Library(c); lib != nil && (lib.Op == library.OpWGWait || lib.Op == library.OpJoin) {
				return a.waitAwaits(n, x, crossed) || a.forwardedAll(n, x, crossed)
			}
		}
		return a.mayBeOneOfSeveral(p.inst, st) && a.oneWaits(p.inst, st, x)
	case flow.Sync:
		switch st.Op {
		case library.OpWGWait, library.OpJoin:
			return a.waitAwaits(n, x, crossed) || a.forwardedAll(n, x, crossed)
		case library.OpSemAcquire:
			return a.succeeds(p.inst, st) && a.wholeAwaits(n, x, crossed)
		case library.OpTimerStop:
			return x.restless() && a.stopAwaits(n, x)
		case library.OpBubbleWait:
			return x.restless() && a.settled(n, x)
		}
	}
	return false
}

func (a *Analysis) edgeAwaits(p place, k int, x *class, crossed bool) bool {
	ev := &p.f.Blocks[p.block].Succs[p.edge].Events[k]
	n := a.opAt(p, k)
	switch ev.Kind {
	case flow.CaseTaken:
		if ev.Send {
			return a.sent(n, &p, x, crossed)
		}
		return a.received(n, &p, x, crossed, true, true)
	case flow.RecvSent:
		return a.received(n, &p, x, crossed, true, false)
	case flow.RecvClosed:
		return a.received(n, &p, x, crossed, false, true) || crossed && a.closedBehindAll(n, x)
	case flow.Since:
		return a.sinceAwaits(p.inst, ev, x, crossed)
	case flow.Tallied:
		return a.tallied(p, ev, x, crossed)
	case flow.FlagTest:
		return a.flagAwaits(n, ev, x, crossed)
	case flow.Returned:
		return ev.Op == library.OpSemAcquire && flow.Outcome(ev.Const) == flow.Zero && a.acquiredAll(n, x, crossed)
	case flow.PlainTest:
		return a.plainFlagAwaits(ev, p.inst, x)
	case flow.CountTest:
		return a.countedUp(n, ev, x, crossed)
	case flow.Prevented:
		return a.prevented(p.inst, ev, x)
	}
	return false
}

// sinceAwaits decides for an edge on which it is known that a case of a select was taken, at some time in the run of
// the function: what is sent by one goroutine when x is over says so whenever it was received.
func (a *Analysis) sinceAwaits(i pta.InstID, ev *flow.Event, x *class, crossed bool) bool {
	if len(x.threads) != 1 || a.multi(x.threads[0], noSite) {
		return false
	}
	for _, o := range a.opsIn(i) {
		if o.kind == opRecv && o.step < 0 && o.site == ev.Site && o.k == ev.Operand {
			return a.received(o, nil, x, crossed, true, true)
		}
	}
	return false
}

// chanOf returns the locations that the operand of n denotes for x's round:
// where the loop's body makes an object for each round, n's operand is both
// copies, of which x's own is meant as long as the walk has not passed the
// allocation. ok is false if another round's object may be meant.
func (a *Analysis) chanOf(n *op, x *class, crossed bool) (locs []pta.Loc, own bool, ok bool) {
	m := a.meaningOf(n)
	locs, own = m.locs, m.own
	switch {
	case !m.useful:
		return nil, false, false
	case !own || a.doubtful:
		return locs, false, true
	}
	if crossed && slices.ContainsFunc(locs, func(l pta.Loc) bool { return a.madeBeside(a.w.Object(l).Alloc, x) }) {
		return nil, false, false
	}
	k := a.key(locs[0])
	side := x.side
	var mine []pta.Loc
	for _, l := range locs {
		if a.key(l) != k {
			return locs, false, true // several objects: all their operations count
		}
		if len(locs) == 1 || a.usedBy(l, side) && !a.usedBy(l, other(side)) {
			mine = append(mine, l)
		}
	}
	if len(mine) == 1 {
		return mine, true, true
	}
	return locs, false, true
}

// madeBeside reports whether an object may be made once x's threads are started.
// If not, a walk that has passed the making of objects has passed that of others:
// this one is still that of x's round.
func (a *Analysis) madeBeside(birth pta.Site, x *class) bool {
	w := a.besideAll(x.threads)
	if birth.Inst < 0 || w.exhausted {
		return true
	}
	seen := make(map[pta.Site]bool)
	var comes func(s pta.Site) bool
	comes = func(s pta.Site) bool {
		if a.enters(s.Inst) {
			return w.reaches(s.Inst, s.At)
		}
		seen[s] = true // walks pass over its calls
		return slices.ContainsFunc(a.in.Callers(s.Inst), func(c pta.Site) bool { return !seen[c] && comes(c) })
	}
	return slices.ContainsFunc(a.copiesOf(birth.Inst), func(i pta.InstID) bool { return comes(pta.Site{Inst: i, At: birth.At}) })
}

func other(t model.Thread) model.Thread {
	switch t {
	case model.Alpha:
		return model.Beta
	case model.Beta:
		return model.Alpha
	}
	return t
}

func (a *Analysis) usedBy(l pta.Loc, t model.Thread) bool {
	for _, o := range a.ops[l] {
		if a.w.Thread(o.inst) == t {
			return true
		}
	}
	return false
}

// perRound reports whether each round of the loop has its own object at l:
// it is made by the spawner, and no path from a spawn to the next one goes
// without making another.
func (a *Analysis) perRound(l pta.Loc) bool {
	o := a.w.Object(l)
	if o.Alloc.Inst < 0 || o.Alloc.At < 0 || a.w.Thread(o.Alloc.Inst) != model.Main {
		return false
	}
	if !a.again {
		return o.Many
	}
	if v, ok := a.rounds[l]; ok {
		return v
	}
	uses := func(b pta.InstID) bool { return a.uses(b, l) }
	v := true
	for _, top := range a.spawns {
		for _, s := range a.starts(top) {
			// A call that starts the loop's iterations may start other goroutines too.
			v = v && (!slices.ContainsFunc(a.in.CalleesAt(s.Inst, s.At), uses) || !a.comesRound(s, o.Alloc))
		}
	}
	a.rounds[l] = v
	return v
}

// uses reports whether a thread, or one that is started by it, directly or not, does
// something with what is at l.
func (a *Analysis) uses(t pta.InstID, l pta.Loc) bool {
	by := func(i pta.InstID) bool {
		// Thousands of operations are run by a few lists of threads.
		k := usesKey{t, a.in.ThreadsID(i)}
		v := a.runBy[k]
		if v == unasked {
			below := a.begunBy(t)
			v = answerOf(slices.ContainsFunc(a.in.ThreadList(k.by), func(y pta.InstID) bool { return y == t || below.Has(y) }))
			a.runBy[k] = v
		}
		return v == yes
	}
	for _, o := range a.ops[l] {
		if by(o.inst) {
			return true
		}
		// wg.Go tells wg of the goroutine's end
		if a.in.IsSpawn(pta.Site{Inst: o.inst, At: o.site}) && slices.ContainsFunc(a.in.CalleesAt(o.inst, o.site), by) {
			return true
		}
	}
	return false
}

// usesKey names a question of uses: of a thread, and of instances that the same
// threads run.
type usesKey struct {
	thread pta.InstID
	by     int32
}

// comesRound reports whether control may come from spawn s to s again without
// passing an allocation.
func (a *Analysis) comesRound(s, birth pta.Site) bool {
	hits := func(w *walk) bool {
		for _, i := range a.copiesOf(s.Inst) {
			for _, k := range a.w.Flow(i).StepsAt(s.At) {
				if w.reachesStep(i, k) {
					return true
				}
			}
		}
		return false
	}
	// One walk without the allocation settles it for most of them.
	all := a.kept(walkKey{kind: 'n', inst: s.Inst, site: s.At}, func() *walk { return a.newWalk().fromSite(s).run() })
	passes := func(i pta.InstID) bool { return all.reaches(i, birth.At) }
	if yes := hits(all); !yes || !slices.ContainsFunc(a.copiesOf(birth.Inst), passes) {
		return yes
	}
	w := a.newWalk()
	if w.birth = birth; len(a.copiesOf(s.Inst)) == 1 {
		w.goal = s
	}
	return hits(w.fromSite(s).run())
}

// received reports whether a receive that got a value (sends), or saw the
// channel closed (closes), awaits x. It pairs with one of the releases that
// may precede it, we do not know which, so x must be over after each (C1, C2).
func (a *Analysis) received(n *op, at *place, x *class, crossed bool, sends, closes bool) bool {
	locs, own, ok := a.chanOf(n, x, crossed)
	if !ok {
		return false
	}
	if !a.doubtful && slices.ContainsFunc(locs, a.external) {
		return false
	}
	side := x.side
	rs := a.partners(n, locs, own, func(o *op) bool {
		if own && side != model.Main && a.w.Thread(o.inst) == other(side) {
			return false // another round's channel
		}
		return sends && o.kind == opSend || closes && o.kind == opClose
	})
	if a.doubtful {
		return a.mayAwaitOne(n, x, rs, locs, own)
	}
	all, one := a.allOver(n, x, rs, locs, own)
	if !one {
		return false
	}
	return all || a.counted(n, at, x, locs, own, crossed)
}

// allOver reports whether x is over after all of the releases that may precede
// n, and whether it is after any. (What may precede is asked last: it costs a
// walk.)
func (a *Analysis) allOver(n *op, x *class, rs []*op, locs []pta.Loc, own bool) (all, one bool) {
	if !a.overAny(x, rs) {
		return false, false
	}
	var rest []*op
	for _, r := range rs {
		if !x.has(r) && a.ownOp(x, r) && a.mayPrecede(r, n) {
			// The first doubt settles it; the counting rule still wants to
			// know of x's own releases.
			return false, slices.ContainsFunc(rs, func(r *op) bool { return x.has(r) })
		}
	}
	for _, r := range rs {
		if a.over(x, r) {
			if one = true; !a.overAll(x, r, locs, own) {
				rest = append(rest, r)
			}
		} else if !a.mayPrecede(r, n) {
			rest = append(rest, r)
		} else if !a.wonWith(x, r) { // else another one has won, and nobody comes to x
			return false, one || slices.ContainsFunc(rs, func(r *op) bool { return x.has(r) })
		}
	}
	if !one {
		return false, false
	}
	for _, r := range rest {
		if a.mayPrecede(r, n) {
			return false, true
		}
	}
	if len(rest) == 0 {
		return true, true
	}
	// What is over must itself be able to come before.
	return slices.ContainsFunc(rs, func(r *op) bool { return !slices.Contains(rest, r) && a.mayPrecede(r, n) }), true
}

// sent reports whether a send awaits x: on an unbuffered channel it completes
// after the receive that it pairs with has begun (C3); on a buffered one the
// counting rule may know.
func (a *Analysis) sent(n *op, at *place, x *class, crossed bool) bool {
	locs, own, ok := a.chanOf(n, x, crossed)
	if !ok {
		return false
	}
	capacity := int64(0)
	for _, l := range locs {
		if a.external(l) && !a.doubtful {
			return false
		}
		c := a.capacity(l)
		if c < 0 && !a.doubtful {
			return false
		}
		capacity = max(capacity, c)
	}
	side := x.side
	rs := a.partners(n, locs, own, func(o *op) bool {
		if own && side != model.Main && a.w.Thread(o.inst) == other(side) {
			return false
		}
		return o.kind == opRecv
	})
	if a.doubtful && capacity == 0 {
		return a.mayAwaitOne(n, x, rs, locs, own)
	}
	all, one := a.allOver(n, x, rs, locs, own)
	if !one {
		return false
	}
	if all && capacity == 0 {
		return true
	}
	return capacity == 1 && (a.semaphoreSent(n, x, locs, own) || a.onlySlotTaken(n, x, locs, own, crossed)) || a.counted(n, at, x, locs, own, crossed)
}

// capacity returns the capacity of the channel at l, or -1.
func (a *Analysis) capacity(l pta.Loc) int64 {
	o := a.w.Object(l)
	if o.Alloc.Inst < 0 || o.Alloc.At < 0 {
		return -1
	}
	f := a.w.Flow(o.Alloc.Inst)
	if f == nil {
		return -1
	}
	return f.CapOf(o.Alloc.At)
}

// overAny reports whether x is over after any of the releases. That is asked
// first: it is what most questions fail on, and what may precede costs a walk.
func (a *Analysis) overAny(x *class, rs []*op) bool {
	any := false
	for _, r := range rs {
		any = a.over(x, r) || any // each of them may be found out to be so
	}
	return any
}

// overAll reports whether x is over after any happening of r, whichever
// instance of r's thread makes it.
func (a *Analysis) overAll(x *class, r *op, locs []pta.Loc, own bool) bool {
	if !a.over(x, r) {
		return false
	}
	t, ok := a.sole(r.inst)
	if !ok || len(x.threads) != 1 || t != x.threads[0] || a.onceOnly(r) || a.wonWith(x, r) {
		return true // over has looked at every thread that may make r
	}
	birth := noSite
	if len(locs) == 1 {
		birth = a.w.Object(locs[0]).Alloc
		if birth.At < 0 {
			birth = noSite
		}
	}
	return !a.multi(t, birth) || t == r.inst && birth != noSite && a.byOneChild(r, birth)
}

// A walkKey names a walk whose result is kept.
type walkKey struct {
	kind byte
	inst pta.InstID
	op   int32
	site ssair.Instr
	own  pta.Site
}

// kept returns the walk named k, or does it.
func (a *Analysis) kept(k walkKey, do func() *walk) *walk {
	if w := a.walks[k]; w != nil {
		return w
	}
	w := do()
	a.walks[k] = w
	return w
}

// forward is all that may happen after o in its threads, and in what they start then.
func (a *Analysis) forward(o *op) *walk {
	return a.kept(walkKey{kind: 'f', inst: o.inst, op: o.step<<8 | int32(o.k), site: o.site}, func() *walk {
		w := a.newWalk()
		w.spawns = true
		return w.startAfter(o).run()
	})
}

// mayPrecede reports whether r may happen before n, or beside it.
func (a *Analysis) mayPrecede(r, n *op) bool {
	if r.inst == n.inst && r.step == n.step && r.site == n.site {
		return true
	}
	return a.forward(r).reachesOp(n) || a.alongside(r.inst).reachesOp(n) || a.alongside(n.inst).reachesOp(r)
}

// besides is all that may run beside some threads.
type besides struct {
	threads []pta.InstID
	walk    *walk
}

// alongside is all that may run beside instance i once its threads are
// started.
func (a *Analysis) alongside(i pta.InstID) *walk { return a.besideAll(a.threadsOf(i)) }

// besideAll is alongside for some threads.
func (a *Analysis) besideAll(ts []pta.InstID) *walk {
	first := pta.InstID(-1)
	if len(ts) > 0 {
		first = ts[0]
	}
	// Few sets of threads are different.
	for _, k := range a.besides[first] {
		if slices.Equal(k.threads, ts) {
			return k.walk
		}
	}
	w := a.newWalk()
	w.spawns = true
	w.besideThread(ts...).run()
	a.besides[first] = append(a.besides[first], besides{ts, w})
	return w
}

// mayPrecedeThread reports whether one of the threads may start after r, or
// beside it.
func (a *Analysis) mayPrecedeThread(r *op, ts []pta.InstID) bool {
	if a.before(ts).has(a, r) {
		return true
	}
	w := a.alongside(r.inst)
	for _, t := range ts {
		for _, s := range a.spawnsOf(t) {
			f := a.w.Flow(s.Inst)
			for _, k := range f.StepsAt(s.At) {
				if w.reachesStep(s.Inst, k) {
					return true
				}
			}
			if a.alongside(s.Inst).reachesOp(r) {
				return true
			}
		}
	}
	return false
}

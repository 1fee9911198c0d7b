package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// waitAwaits is the rule for wait groups and groups (W): Wait awaits x if some
// Done, or the end of some body that the group started, comes only when x is
// over, and the group was told of it before.
func (a *Analysis) waitAwaits(n *op, x *class, crossed bool) bool {
	locs, own, ok := a.chanOf(n, x, crossed)
	if !ok {
		return false
	}
	if a.doubtful {
		return a.mayAwaitGroup(n, x, locs)
	}
	// Who waits for a receiver waits for the one that it started (soundness: own-receiver).
	for _, r := range a.partners(n, locs, own, func(o *op) bool { return a.mustSame(n, o, locs, own) || o.joins && o.lib == library.OpNone }) {
		switch {
		case r.joins:
			ts := a.in.CalleesAt(r.inst, r.site)
			over := a.bodiesOver(r, x) || a.bodiesWait(x, ts)
			if over && (a.toldBefore(r, n, x, crossed) || a.inOneRun(r, n, locs)) {
				return true
			}
		case ends(r):
			if (x.counts(r) || a.overByDone(x, r, ends)) && (a.added(n, x, locs, own, crossed, adds) || a.addedInRun(n, r, locs, own)) {
				return true
			}
		}
	}
	return false
}

// overByDone reports whether x is over when r, one of the operations ends, as Done is, has been counted. It is if it is over when r happens,
// unless the thread that makes r may come to its end by another Done alone, that does not wait for x:
//
//	if failed {
//		wg.Done() // x has not begun, and never does
//		return
//	}
//	wg.Done()
//	x()
//
// Or the thread of x comes to its end by a Done of its own, and starts nothing that makes r.
func (a *Analysis) overByDone(x *class, r *op, ends func(*op) bool) bool {
	if !a.over(x, r) || a.repeated(r, x) {
		return false
	}
	dones := a.matching(r.locs, ends)
	if len(dones) == 1 {
		return true
	}
	var late []*op
	for _, o := range dones {
		if a.over(x, o) {
			late = append(late, o)
		}
	}
	by := a.threadsOf(r.inst)
	if slices.ContainsFunc(by, func(t pta.InstID) bool {
		return slices.ContainsFunc(x.threads, func(u pta.InstID) bool { return a.startedBy(t, u) })
	}) {
		by = slices.Concat(by, x.threads) // who starts what makes r may end without it
	}
	for _, o := range dones {
		if slices.Contains(late, o) {
			continue
		}
		for _, t := range by {
			if slices.Contains(a.threadsOf(o.inst), t) && a.endsWithout(t, o, late) {
				return false
			}
		}
	}
	return true
}

// endsWithout reports whether thread t may come to its end after o, one of its operations, without others.
func (a *Analysis) endsWithout(t pta.InstID, o *op, others []*op) bool {
	w := a.newWalk()
	w.forbids(func(p place, _ bool) bool {
		return slices.ContainsFunc(others, func(o *op) bool { return o.inst == p.inst && o.step >= 0 && o.step == p.step })
	}, others)
	return w.startAfter(o).run().reachesExit(t)
}

// repeated reports whether r is an operation that one of the class's own threads
// may do again and again, where there are several such threads. Then the others
// may have done what is waited for before this one has begun.
func (a *Analysis) repeated(r *op, x *class) bool {
	t, ok := a.sole(r.inst)
	if !ok || !slices.Contains(x.threads, t) {
		return false
	}
	many := a.again && a.w.Thread(t) != model.Main && slices.Contains(a.w.Bodies(a.w.Thread(t)), t)
	if !many && !a.multi(t, noSite) {
		return false
	}
	return a.onward(r).reachesOp(r)
}

// onward is all that may happen after r in its threads.
func (a *Analysis) onward(r *op) *walk {
	return a.kept(walkKey{kind: 'd', inst: r.inst, op: r.id}, func() *walk { return a.newWalk().startAfter(r).run() })
}

// added reports whether some operation on the group that adds to it may come before n without being
// made by x's own thread.
func (a *Analysis) added(n *op, x *class, locs []pta.Loc, own, crossed bool, adds func(*op) bool) bool {
	tx := x.threads
	for _, o := range a.matching(locs, adds) {
		if !a.mustSame(n, o, locs, own) || a.forItself(o) {
			continue
		}
		mine := false
		for _, t := range a.threadsOf(o.inst) {
			mine = mine || slices.Contains(tx, t) && !a.tellsFirst(o, t)
		}
		if !mine && a.toldBefore(o, n, x, crossed) {
			return true
		}
	}
	return false
}

// forItself reports whether an Add is made by a function that takes back in each run what it adds, for itself therefore, and for no
// goroutine that it starts:
//
//	func (w *walker) visit(d *dir) {
//		w.wg.Add(1)
//		defer w.wg.Done()
//		for _, s := range d.subs {
//			go w.visit(s) // may come to its Add when the first visit has come to its Done
//		}
//	}
//
// Where the function adds elsewhere, too, a Done of its own need not be for the one or the other.
func (a *Analysis) forItself(o *op) bool {
	if !adds(o) || o.step < 0 || !o.has || o.delta != 1 || o.f.Repeats(o.step) {
		return false
	}
	back := false
	for _, d := range a.opsIn(o.inst) {
		switch {
		case d == o || !overlaps(d.locs, o.locs):
		case adds(d):
			return false
		case ends(d) && d.step >= 0 && a.mustSame(o, d, o.locs, false):
			back = back || !o.f.Returns(o.f.AfterStep(o.step), d.site)
		}
	}
	return back
}

// addsLate reports whether only goroutines of x add to a group, each when it runs already: who waits for
// the group need not wait for them, nor for any of them.
func (a *Analysis) addsLate(x *class, locs []pta.Loc) bool {
	told := a.matching(locs, adds)
	return len(told) > 0 && !slices.ContainsFunc(told, func(o *op) bool { return !a.addedBy(x.threads, o) })
}

// addedBy reports whether an Add is made by some threads, or such of other iterations, when they run already, and
// to a group that they have not made: others may have it.
func (a *Analysis) addedBy(threads []pta.InstID, o *op) bool {
	theirs := func(t pta.InstID) bool {
		return slices.ContainsFunc(threads, func(u pta.InstID) bool { return a.w.Flow(u) == a.w.Flow(t) })
	}
	return !slices.ContainsFunc(a.threadsOf(o.inst), func(t pta.InstID) bool { return !theirs(t) || a.tellsFirst(o, t) }) &&
		!slices.ContainsFunc(o.locs, func(l pta.Loc) bool {
			made := a.w.Object(l).Alloc.Inst
			return made >= 0 && slices.ContainsFunc(a.threadsOf(made), theirs)
		})
}

func adds(o *op) bool { return o.lib == library.OpWGAdd && (!o.has || o.delta > 0) }

func ends(o *op) bool {
	return o.lib == library.OpWGDone || o.lib == library.OpWGAdd && (!o.has || o.delta < 0)
}

// lateWait returns a Wait for a group that x gives up when it is over, and that nobody but x adds to; nil if there
// is none.
func (a *Analysis) lateWait(x *class) *op {
	if !x.lateAsked {
		x.lateAsked = true
		late := slices.IndexFunc(a.allOps, func(n *op) bool {
			if n.lib != library.OpWGWait {
				return false
			}
			locs, _, ok := a.chanOf(n, x, false)
			return ok && a.addsLate(x, locs) && slices.ContainsFunc(a.matching(locs, ends), x.has)
		})
		if late >= 0 {
			x.late = a.allOps[late]
		}
	}
	return x.late
}

// inOneRun reports whether operation o, on a group of n's, may be made before n by the very
// run of a thread that makes n: of groups that a thread makes for itself each run has others.
func (a *Analysis) inOneRun(o, n *op, locs []pta.Loc) bool {
	t, ok := a.sole(n.inst)
	if u, one := a.sole(o.inst); !ok || !one || t != u || !a.forward(o).reachesOp(n) {
		return false
	}
	return !a.multi(t, noSite) || !slices.ContainsFunc(locs, func(l pta.Loc) bool {
		at := a.w.Object(l).Alloc
		if at.Inst < 0 {
			return true
		}
		by, ok := a.sole(at.Inst)
		return !ok || by != t
	})
}

// addedInRun reports whether the run of a thread that waits at n starts the threads that
// make r, a Done on the group, and may have added to it before that. What another thread
// starts may not have been added yet.
func (a *Analysis) addedInRun(n, r *op, locs []pta.Loc, own bool) bool {
	t, ok := a.sole(n.inst)
	if !ok {
		return false
	}
	ts := a.threadsOf(r.inst)
	for _, u := range ts {
		sites := a.spawnsOf(u)
		if u == t || len(sites) == 0 || slices.ContainsFunc(sites, func(s pta.Site) bool {
			by, ok := a.sole(s.Inst)
			return !ok || by != t
		}) {
			return false
		}
	}
	return slices.ContainsFunc(a.matching(locs, adds), func(o *op) bool {
		return a.mustSame(n, o, locs, own) && a.inOneRun(o, n, locs) && !a.forItself(o) && a.mayPrecedeThread(o, ts)
	})
}

// toldBefore reports whether the Add or Go at o happens before n: o's thread
// is one that n's spawner belongs to, or is itself awaited by n.
func (a *Analysis) toldBefore(o, n *op, x *class, crossed bool) bool {
	if !a.mayPrecede(o, n) {
		return false
	}
	if a.byMain(o.inst) {
		return true
	}
	if o.inst == n.inst && o.step >= 0 && n.step >= 0 && (n.f.Leads(o.step, n.step) || a.tellsOf(o, x.threads)) {
		return true // by the very frame that waits
	}
	// Told by an iteration: that iteration must be awaited in its turn.
	if o.step < 0 {
		return false
	}
	x.restless()
	y := a.classOf(accessAt(pta.Site{Inst: o.inst, At: o.site}))
	if y == x || y.state == asked {
		return false
	}
	a.solve(y)
	return a.awaits(place{n.inst, n.f, n.step, 0, 0, n.via, nil}, y, crossed) || a.startedOnlyBy(x, y) && !y.outward.reachesOp(n)
}

// startedOnlyBy reports whether only the threads of y start those of x: whoever comes after such a start
// without coming to anything that happens beside y comes after all of y.
func (a *Analysis) startedOnlyBy(x, y *class) bool {
	return len(x.threads) > 0 && !slices.ContainsFunc(x.threads, func(t pta.InstID) bool {
		sites := a.spawnsOf(t)
		return len(sites) == 0 || slices.ContainsFunc(sites, func(s pta.Site) bool {
			by := a.threadsOf(s.Inst)
			return len(by) == 0 || slices.ContainsFunc(by, func(u pta.InstID) bool { return !slices.Contains(y.threads, u) })
		})
	})
}

// bodyOver reports whether x is over when thread t ends.
func (a *Analysis) bodyOver(x *class, t pta.InstID) bool {
	tx := x.threads
	if len(tx) == 1 && tx[0] == t {
		return true
	}
	if slices.Contains(tx, t) || a.w.Flow(t) == nil {
		return false
	}
	// x belongs to a thread that t starts, and waits for before it ends.
	below := false
	for _, y := range tx {
		below = below || a.startedBy(y, t)
	}
	if !below {
		return false
	}
	x.restless()
	exits := func(w *walk) bool { return w.reachesExit(t) }
	return !a.freelyEnds(t) && !exits(a.inwardOf(t, x)) || a.overSince(x, t, exits) || a.endsNested(x, t)
}

// bodiesWait reports whether the threads that one call may start have nothing else to do with x, and each waits for it
// on every way to its end, as those that take what x's thread sends do for the closing of the channel:
//
//	go func() { defer close(lines); x() }()
//	g.Go(func() { for l := range lines { use(l) } })
//	g.Wait()
//
// That the group starts one is taken for granted where it may (soundness: told-before).
func (a *Analysis) bodiesWait(x *class, ts []pta.InstID) bool {
	x.restless()
	if !a.plain && x.through == nil {
		x.bodies = true // asked when it is known what else awaits x, see askAll
		return false
	}
	return len(ts) > 0 && !slices.ContainsFunc(ts, func(t pta.InstID) bool {
		return !a.meetsAwaiting(t, x) || slices.Contains(x.threads, t) || a.w.Flow(t) == nil || slices.ContainsFunc(x.threads, func(u pta.InstID) bool { return a.startedBy(u, t) }) ||
			a.freelyEnds(t) || a.inwardOf(t, x).reachesExit(t)
	})
}

// startedBy reports whether thread y is started by t or by what t starts.
func (a *Analysis) startedBy(y, t pta.InstID) bool {
	up := a.starters[y]
	if up == nil {
		up = new(idset.Set[pta.InstID])
		var lists idset.Set[int32] // of threads, that were looked at
		work := []pta.InstID{y}
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if known := a.starters[x]; known != nil {
				up.Union(known)
				continue
			}
			for _, s := range a.spawnsOf(x) {
				if !lists.Add(a.in.ThreadsID(s.Inst)) {
					continue
				}
				for _, u := range a.threadsOf(s.Inst) {
					if up.Add(u) {
						work = append(work, u)
					}
				}
			}
		}
		a.starters[y] = up
	}
	return up.Has(t)
}

// isTell reports whether an operation tells who receives something: a send, or a close.
func isTell(o *op) bool { return o.kind == opSend || o.kind == opClose }

// isWait reports whether an operation waits for a channel, a group, or what a group has started.
func isWait(o *op) bool {
	return o.kind == opRecv || o.lib == library.OpWGWait || o.lib == library.OpJoin
}

// bodiesOver is the rule for operators that wait for what they start, and for what tells a group of that.
func (a *Analysis) bodiesOver(n *op, x *class) bool {
	for _, t := range a.in.CalleesAt(n.inst, n.site) {
		if a.bodyOver(x, t) {
			return true
		}
	}
	return false
}

// mustSame reports whether r operates on the very object that n does: one
// single object, this round's own, or the same path from the same base.
func (a *Analysis) mustSame(n, r *op, locs []pta.Loc, own bool) bool {
	if own && len(locs) == 1 {
		return slices.Contains(r.locs, locs[0])
	}
	if len(locs) == 1 && len(r.locs) == 1 {
		o := a.w.Object(locs[0])
		if oneCell(o) {
			return true
		}
	}
	return a.samePath(n, r) || a.ownChild(n, r) || a.handedBack(n, r)
}

// samePath reports whether both operands have one root, followed up through
// captures and arguments, and one path from it.
func (a *Analysis) samePath(n, r *op) bool {
	for _, p := range a.names(n.inst, n.path, n.via, 0) {
		for _, q := range a.names(r.inst, r.path, r.via, 0) {
			if p == q {
				return true
			}
		}
	}
	return false
}

type name struct {
	inst pta.InstID
	path flow.Path
}

// names returns the names of a path in its own frame and in those of its
// callers, as long as there is one caller, or it is known which of them has called.
func (a *Analysis) names(i pta.InstID, p flow.Path, via pta.Site, depth int) []name {
	if !p.Known() || p.Loads() {
		return nil
	}
	out := []name{{i, p}}
	if at, ok := p.Made(); ok {
		if j, q, ok := a.returnedBy(i, at, p.Sels, depth); ok {
			return append(out, name{j, q})
		}
	}
	if depth > 10 {
		return out
	}
	by := via
	if by == noSite {
		callers := a.givers(i, p)
		if len(callers) != 1 {
			return out
		}
		by = callers[0]
	}
	j, up, ok := a.in.Up(i, by, p)
	if !ok {
		return out
	}
	return append(out, a.names(j, up, noSite, depth+1)...)
}

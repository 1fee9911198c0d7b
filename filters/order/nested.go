package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for goroutines that start others and wait for them, to
// any depth, as fork and join by recursion does: when one of these releases
// something, all that it has started is over.

// overNested reports whether the class, of a goroutine below that of r, is over
// when r has happened.
func (a *Analysis) overNested(c *class, r *op) bool {
	top, ok := a.sole(r.inst)
	if !ok || !a.belowBody(c, top) {
		return false
	}
	u := c.threads[0]
	o := a.lastOf(u)
	return o != nil && a.over(c, o) && a.joinsSurely(u) && a.joinsSurely(top)
}

// endsNested is overNested for the end of a goroutine that a group waits for.
func (a *Analysis) endsNested(c *class, top pta.InstID) bool {
	return a.belowBody(c, top) && a.joinsSurely(c.threads[0]) && a.joinsSurely(top)
}

// joinsSurely is joinsAll where the answer is not being looked for: what rests on it cannot be a
// part of it. What a class has not been known to be awaited by for that reason is then asked again.
func (a *Analysis) joinsSurely(t pta.InstID) bool {
	if a.joining[t] == asked {
		a.premature = true
		return false
	}
	return a.joinsAll(t)
}

// belowBody reports whether a class is of one thread, which only what starts with thread top,
// the body of the iteration, starts.
func (a *Analysis) belowBody(c *class, top pta.InstID) bool {
	if len(c.threads) != 1 || c.threads[0] == top || c.side == model.Main {
		return false
	}
	if bodies := a.w.Bodies(c.side); len(bodies) != 1 || bodies[0] != top {
		return false
	}
	return !slices.ContainsFunc(a.spawnsOf(c.threads[0]), func(s pta.Site) bool { return a.mainSide(s.Inst) })
}

// startsOf lists where thread t starts the threads of a class, or those that
// lead to them, if nobody else starts any of these.
func (a *Analysis) startsOf(c *class, t pta.InstID) ([]pta.Site, bool) {
	var out []pta.Site
	seen := make(map[pta.InstID]bool)
	work := slices.Clone(c.threads)
	for len(work) > 0 {
		u := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[u] {
			continue
		}
		seen[u] = true
		sites := a.spawnsOf(u)
		if u == t || len(sites) == 0 {
			return nil, false
		}
		for _, s := range sites {
			p, ok := a.sole(s.Inst)
			if !ok {
				return nil, false
			}
			if p == t {
				out = append(out, s)
			} else {
				work = append(work, p)
			}
		}
	}
	return out, true
}

// overSince reports whether thread t, which starts the threads of a class, waits
// for them on every way on from there to what reached looks for. Whether it comes
// by there does not matter: who starts nothing has nothing to wait for.
func (a *Analysis) overSince(c *class, t pta.InstID, reached func(*walk) bool) bool {
	sites, ok := a.startsOf(c, t)
	if !ok {
		return false
	}
	k := otherKey{'y', t, 0}
	if w := c.other[k]; w != nil {
		return !reached(w) // asked of every operation of the thread
	}
	for {
		n := c.solved
		w := a.newWalk().until(c)
		for _, s := range sites {
			w.fromSite(s)
		}
		if w.sharing(c).run(); c.solved == n {
			if c.other != nil {
				c.other[k] = w
			}
			return !reached(w)
		}
	}
}

// overAfterStart reports whether the class is over when r has happened, an
// operation of the thread that starts the class's, which it does not do before.
func (a *Analysis) overAfterStart(c *class, r *op) bool {
	t, ok := a.sole(r.inst)
	if !ok || !a.overSince(c, t, func(w *walk) bool { return w.reachesOp(r) }) {
		return false
	}
	w := a.onward(r)
	sites, _ := a.startsOf(c, t)
	return !slices.ContainsFunc(sites, func(s pta.Site) bool {
		f := a.w.Flow(s.Inst)
		return slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return w.reachesStep(s.Inst, k) })
	})
}

// findNested answers joinsAll for a thread that the iteration's own threads
// start, before any question is asked that the answer rests on.
func (a *Analysis) findNested(t pta.InstID) {
	if slices.ContainsFunc(a.spawnsOf(t), func(s pta.Site) bool { return !a.mainSide(s.Inst) }) {
		a.joinsAll(t)
	}
}

// mainSide reports whether a thread of Main runs instance i.
func (a *Analysis) mainSide(i pta.InstID) bool {
	return slices.ContainsFunc(a.threadsOf(i), func(t pta.InstID) bool { return a.w.Thread(t) == model.Main })
}

// lastOf returns the only operation by which others can wait for thread t.
func (a *Analysis) lastOf(t pta.InstID) *op {
	var last *op
	for _, o := range a.opsOf(t) {
		if !a.releases(o) {
			continue
		}
		if last != nil || o.step < 0 {
			return nil
		}
		last = o
	}
	return last
}

// endOf returns what thread t has done when others have waited for it: its only operation by
// which they can, or anything, where they can wait for its end alone.
func (a *Analysis) endOf(t pta.InstID) (access, bool) {
	if o := a.lastOf(t); o != nil {
		return access{inst: o.inst, at: o.site, birth: noSite, own: noSite, by: t + 1}, true
	}
	f := a.w.Flow(t)
	if f == nil || slices.ContainsFunc(a.opsOf(t), a.releases) {
		return access{}, false
	}
	return access{inst: t, at: f.Blocks[0].First, birth: noSite, own: noSite, by: t + 1}, true
}

// releases reports whether somebody may wait for the operation: that it waits
// itself, or that one more is to be waited for, tells nobody anything, nor does a
// plain variable that is set under no lock.
func (a *Analysis) releases(o *op) bool {
	if o.kind == opFlag {
		a.locksets.Prepare([]pta.InstID{o.inst})
		return len(a.locksets.AtSite(pta.Site{Inst: o.inst, At: o.site})) > 0
	}
	if o.joins {
		return false // the end of what is started does
	}
	switch o.lib {
	case library.OpWGWait, library.OpJoin:
		return false
	case library.OpWGAdd:
		return !o.has || o.delta < 0
	}
	return true
}

// joinsAll reports whether a goroutine of an iteration that starts thread t
// waits for it before it ends, or releases anything, and is itself waited for so
// by what has started it. A thread that is met again on the way up needs no
// second look: each is waited for by one that is nearer to the start.
func (a *Analysis) joinsAll(t pta.InstID) bool {
	if v := a.joining[t]; v != unasked {
		return v != no
	}
	if a.joining == nil {
		a.joining = make(map[pta.InstID]answer)
	}
	a.joining[t] = asked
	outer := a.premature
	a.premature = false
	v := a.joinsNow(t)
	a.joining[t] = answerOf(v)
	if a.premature {
		clear(a.classes)
		clear(a.byKey)
	}
	a.premature = a.premature || outer
	return v
}

func (a *Analysis) joinsNow(t pta.InstID) bool {
	last, ok := a.endOf(t)
	if !ok {
		return false
	}
	end := a.classOf(last)
	for _, s := range a.spawnsOf(t) {
		if a.mainSide(s.Inst) {
			continue // the iteration itself
		}
		a.solve(end)
		w := a.newWalk().until(end)
		w.fromSite(s).sharing(end).run()
		for _, p := range a.threadsOf(s.Inst) {
			tells := func(o *op) bool { return a.releases(o) && w.reachesOp(o) }
			if w.reachesExit(p) || slices.ContainsFunc(a.opsOf(p), tells) || !a.joinsAll(p) {
				return false
			}
		}
	}
	return true
}

// maxDone bounds the calls between a goroutine's beginning and what it does.
const maxDone = 6

// ownChild reports whether r is done by goroutines that n's frame, among others,
// starts, on what it gives them as n's operand, and all those that others start
// are joined. The goroutine may do it in what only it calls: a deferred closure.
func (a *Analysis) ownChild(n, r *op) bool {
	t, at, ok := a.inThread(r)
	if !ok || !n.path.Known() {
		return false
	}
	mine, others := false, false
	for _, s := range a.in.Callers(t) {
		if s.Inst != n.inst {
			others = true
			continue
		}
		f := a.w.Flow(s.Inst)
		if len(f.StepsAt(s.At)) != 1 {
			return false
		}
		if p, ok := f.UpAt(s.At, at); !ok || p != n.path {
			return false
		}
		mine = true
	}
	return mine && others && a.joinsAll(t)
}

// inThread returns the one thread that does r, and the path of its operand in the frame that begins it: it may do r in what only
// it calls.
func (a *Analysis) inThread(r *op) (t pta.InstID, at flow.Path, ok bool) {
	if t, ok = a.sole(r.inst); !ok {
		return t, at, false
	}
	i, at := r.inst, r.path
	for range maxDone {
		if i == t {
			break
		}
		cs := a.in.Callers(i)
		if len(cs) != 1 {
			return t, at, false
		}
		if at, ok = a.w.Flow(cs[0].Inst).UpAt(cs[0].At, at); !ok {
			return t, at, false
		}
		i = cs[0].Inst
	}
	return t, at, i == t
}

// tellsFirst reports whether o comes before the spawn of thread t in the frame
// that starts it, though t too may come to that frame, in a call of its own. If none but
// t's like come there, somebody else must tell of the first of them.
func (a *Analysis) tellsFirst(o *op, t pta.InstID) bool {
	for _, s := range a.spawnsOf(t) {
		if s.Inst != o.inst || o.step < 0 {
			continue
		}
		f := a.w.Flow(s.Inst)
		for _, k := range f.StepsAt(s.At) {
			if f.Leads(o.step, k) {
				return a.toldByOther(o, t)
			}
		}
	}
	return false
}

// tellsOf reports whether o comes before the spawns of some threads, of which its frame is one that starts them,
// and other runs of its function are the others:
//
//	for _, c := range n.children {
//		wg.Add(1)
//		go visit(c)
//	}
//	wg.Wait() // there may be no children
func (a *Analysis) tellsOf(o *op, threads []pta.InstID) bool {
	some := false
	for _, t := range threads {
		for _, s := range a.spawnsOf(t) {
			if a.w.Flow(s.Inst) != o.f || slices.ContainsFunc(o.f.StepsAt(s.At), func(k int32) bool { return k != o.step && !o.f.Leads(o.step, k) }) {
				return false
			}
			some = some || s.Inst == o.inst
		}
	}
	return some
}

// toldByOther reports whether a thread that does not run t's function adds to the group of o, too, or the group
// is one that t's function has made.
func (a *Analysis) toldByOther(o *op, t pta.InstID) bool {
	like := func(u pta.InstID) bool { return a.w.Flow(u) == a.w.Flow(t) }
	return slices.ContainsFunc(o.locs, func(l pta.Loc) bool {
		made := a.w.Object(l).Alloc.Inst
		return made >= 0 && slices.ContainsFunc(a.threadsOf(made), like)
	}) || slices.ContainsFunc(a.matching(o.locs, adds), func(p *op) bool {
		return slices.ContainsFunc(a.threadsOf(p.inst), func(u pta.InstID) bool { return !like(u) })
	})
}

package order

import (
	"slices"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is tasks.go for functions that workers are sent, each of which tells that it is done itself:
//
//	for range steps {
//		var pending sync.WaitGroup
//		for b := range bands {
//			pending.Add(1)
//			tasks <- func() { defer pending.Done(); out[b] = work(b) }
//		}
//		pending.Wait()
//	}
//
// A function is sent when it is made, by one goroutine, the feeder; it has been counted before, or is on the way to each Wait
// (soundness: told-before); and when it is run it always counts itself down after its access. So it is over when the feeder
// comes out of the next Wait: neither what the feeder does from there on meets it, nor does what is made from there on, nor
// what was done before it was made. Two functions that were made without a Wait between them, by one run of what has made
// both, are of different rounds of some loop of that, and their indices are compared as such (disjoint, InOnePhase).

// A sentTask is an access in a function that a worker has received.
type sentTask struct {
	made pta.Site   // where the function is made
	body pta.InstID // what it runs
	// feeders make it, and all others of its kind: one of each entry point.
	feeders []pta.InstID
	// runners have received it, and run it.
	runners []pta.InstID
	busy    *walk // what the feeder comes to from there on before it has waited
}

// A sentKey names an access in a function that a worker has received.
type sentKey struct {
	made pta.Site
	body pta.InstID
	at   pta.Site
}

// sentApart reports whether x and y, of which one at least is in a function that a worker has received, meet only in what was
// made without a Wait between, and go to different elements then; and what else must be assumed.
func (a *Analysis) sentApart(r *model.Race, x, y access) (assumed []string, ok bool) {
	if a.compare.InOnePhase == nil || r.Other != nil {
		return nil, false
	}
	for _, s := range a.sentTasks(r.A, x, r.Object) {
		if r.B.Thread == model.Main {
			if a.byFeeders(s, y.inst) && !s.busy.reaches(y.inst, y.at) {
				return nil, true
			}
			continue
		}
		for _, t := range a.sentTasks(r.B, y, r.Object) {
			if !a.byFeeders(s, t.made.Inst) {
				continue
			}
			if !s.busy.reaches(t.made.Inst, t.made.At) && !t.busy.reaches(s.made.Inst, s.made.At) {
				return nil, true
			}
			if s.made != t.made {
				continue
			}
			l, ok := a.phaseOf(s, t)
			switch {
			case !ok:
			case l < 0:
				return nil, true // it is made once between two Waits
			default:
				if assumed, ok = a.compare.InOnePhase(r, l); ok {
					return assumed, true
				}
			}
		}
	}
	return nil, false
}

// byFeeders reports whether an instance is run by feeders of a task alone, or by what belongs to other entry points
// (soundness: roots-apart).
func (a *Analysis) byFeeders(s *sentTask, i pta.InstID) bool {
	roots := func(ts []pta.InstID) (out []pta.InstID) {
		for _, t := range ts {
			out = append(out, a.rootsOf(t)...)
		}
		return out
	}
	of := roots(s.feeders)
	return !slices.ContainsFunc(a.threadsOf(i), func(t pta.InstID) bool {
		return !slices.Contains(s.feeders, t) && slices.ContainsFunc(roots([]pta.InstID{t}), func(r pta.InstID) bool { return slices.Contains(of, r) })
	})
}

// phaseOf returns the outermost loop of which several rounds make functions of two tasks without a Wait between them, -1 if
// there is none, where one run of the function that has the loop makes them all; ok is false if it need not.
func (a *Analysis) phaseOf(tasks ...*sentTask) (loop int, ok bool) {
	made := tasks[0].made
	f := a.w.Flow(made.Inst)
	loop = -1
	for _, s := range tasks {
		if s.busy.reachesExit(made.Inst) || s.busy.at(made.Inst, f.Entry()) != 0 {
			return 0, false
		}
	}
	for l := f.Innermost(f.BlockOf(f.GapOf(made.At))); l >= 0; l = f.Loops[l].Parent {
		if slices.ContainsFunc(tasks, func(s *sentTask) bool { return s.busy.at(made.Inst, f.First(f.Loops[l].Header)) != 0 }) {
			loop = int(l)
		}
	}
	return loop, true
}

// sentTasks returns what an access is in, one for each group that counts it.
func (a *Analysis) sentTasks(m *model.Access, x access, o *model.Object) (out []*sentTask) {
	if m.Thread == model.Main {
		return nil
	}
	c, ok := a.w.FromMakers(m.Thread, pta.SiteOf(m), o)
	if !ok || len(c.Taken) > 0 || a.w.Flow(c.Sites[c.Spawn].Inst) == nil {
		return nil
	}
	made, body := c.Sites[c.Spawn], c.Sites[c.Spawn+1].Inst
	feeders, threads := a.threadsOf(made.Inst), a.threadsOfAccess(x)
	if len(feeders) == 0 || len(threads) == 0 || !a.byMain(made.Inst) || !a.oneByRoot(made.Inst, noSite) {
		return nil
	}
	key := sentKey{made, body, pta.Site{Inst: x.inst, At: x.at}}
	if out, known := a.inSent[key]; known {
		return out
	}
	var groups []*sentGroup
	for _, d := range a.allOps {
		if d.lib == library.OpWGDone && len(d.locs) == 1 && a.anyRuns(threads, d.inst) {
			canon := a.w.Object(d.locs[0]).Canon
			if !slices.ContainsFunc(groups, func(g *sentGroup) bool { return g.canon == canon }) {
				groups = append(groups, a.sentGroup(canon))
			}
		}
	}
	var runners []pta.InstID
	for _, c := range a.in.Callers(body) {
		runners = append(runners, c.Inst)
	}
	for _, g := range groups {
		s := &sentTask{made: made, body: body, feeders: feeders, runners: runners}
		waits := a.waitsForSent(s, g)
		if len(waits) == 0 || !a.tellsOfSent(s, x, g, threads) || !a.countsSent(s, g, waits) {
			continue
		}
		w := a.newWalk()
		w.without(waits)
		s.busy = w.fromGaps(made).run()
		out = append(out, s)
	}
	if a.inSent == nil {
		a.inSent = make(map[sentKey][]*sentTask)
	}
	a.inSent[key] = out
	return out
}

// A sentGroup is the operations on a group, or on those that one place makes, of which it is known that they are on no other.
type sentGroup struct {
	canon              pta.Loc
	one                bool // there is one
	adds, dones, waits []*op
}

func (a *Analysis) sentGroup(canon pta.Loc) *sentGroup {
	g := &sentGroup{canon: canon, one: true}
	for _, o := range a.allOps {
		if len(o.locs) != 1 || o.step < 0 || a.w.Object(o.locs[0]).Canon != canon {
			continue
		}
		if l := o.locs[0]; l != canon || !oneCell(a.w.Object(l)) || a.external(l) {
			g.one = false
		}
		switch {
		case o.lib == library.OpWGWait:
			g.waits = append(g.waits, o)
		case o.lib == library.OpWGDone:
			g.dones = append(g.dones, o)
		case o.lib == library.OpWGAdd && o.has && o.delta > 0:
			g.adds = append(g.adds, o)
		}
	}
	return g
}

// waitsForSent lists where the feeder waits for the group that a function counts down, if that is surely the one that the
// function has: there is but one, or each run of the maker makes one, which the function has captured.
func (a *Analysis) waitsForSent(s *sentTask, g *sentGroup) (waits []*op) {
	for _, o := range g.waits {
		if a.byFeeders(s, o.inst) {
			waits = append(waits, o)
		}
	}
	if o := a.w.Object(g.canon); g.one || o.Part != 0 || indexed(o.Field) || o.Alloc.Inst != s.made.Inst {
		if g.one {
			return waits
		}
		return nil
	}
	var group flow.Path
	for _, d := range g.dones {
		if d.f != a.w.Flow(s.body) {
			continue // of another function, which is counted, too
		}
		p, ok := a.w.Flow(s.made.Inst).UpCaptured(s.made.At, d.path)
		if !ok || !p.Known() || group.Known() && p != group {
			return nil
		}
		group = p
	}
	return slices.DeleteFunc(waits, func(w *op) bool { return w.inst != s.made.Inst || w.path != group })
}

// tellsOfSent reports whether a worker that has come to x counts down a group before it receives another function, or ends.
func (a *Analysis) tellsOfSent(s *sentTask, x access, g *sentGroup, threads []pta.InstID) bool {
	w := a.newWalk()
	w.without(g.dones)
	w.fromGaps(pta.Site{Inst: x.inst, At: x.at}).run()
	return !slices.ContainsFunc(threads, w.reachesExit) && !slices.ContainsFunc(a.allOps, func(o *op) bool {
		return o.kind == opRecv && slices.Contains(s.runners, o.inst) && w.reachesOp(o)
	})
}

// countsSent reports whether the feeder comes to no Wait for a function that it has not counted, before it made it or then.
func (a *Analysis) countsSent(s *sentTask, g *sentGroup, waits []*op) bool {
	before := a.newWalk()
	before.without(g.adds)
	before.fromEntry(s.made.Inst)
	for _, t := range s.feeders {
		before.fromEntry(t)
	}
	for _, o := range waits {
		before.startAfter(o)
	}
	if !before.run().reaches(s.made.Inst, s.made.At) {
		return true
	}
	after := a.newWalk()
	after.without(g.adds)
	return !slices.ContainsFunc(waits, after.fromGaps(s.made).run().reachesOp)
}

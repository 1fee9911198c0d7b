package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is about workers that never end but are waited for all the same:
//
//	for j := range jobs { work(j); wg.Done() }
//
// while one goroutine, the feeder, does wg.Add(1), jobs <- j for each job and
// then wg.Wait(), phase after phase. Every Done has a receive of its own before
// it, every receive a send, and every send an Add of its own. Where Wait comes
// back the Adds are as many as the Dones, so all four are: nothing is left in
// the channel, and no worker is between a receive and its Done. What workers do
// there is apart from what the feeder does between Wait and the next send.
// (Neither is an edge from one step to another: that a particular Done comes
// before Wait, and what the worker does after it does not, follows from the
// numbers only.)

// A tasking is a channel of jobs with the group that counts them.
type tasking struct {
	jobs, group pta.Loc
	feeder      pta.InstID
	sends       []*op
	dones       []*op
	closed      bool
	idle        map[pta.InstID]*walk // by worker: what it comes to without a job
	busy        *walk                // what the feeder comes to while there may be jobs
}

// betweenPhases reports whether x belongs to a job and y to the feeder, when no
// job is under way.
func (a *Analysis) betweenPhases(x, y access) bool {
	t, ok := a.sole(x.inst)
	p, ok2 := a.sole(y.inst)
	if !ok || !ok2 || t == p || a.multi(p, noSite) {
		return false
	}
	for _, k := range a.taskings(p) {
		if !a.idleOf(k, t).reaches(x.inst, x.at) && !a.busyOf(k).reaches(y.inst, y.at) {
			return true
		}
	}
	return false
}

// taskings returns those that a thread feeds.
func (a *Analysis) taskings(p pta.InstID) []*tasking {
	if out, ok := a.fed[p]; ok {
		return out
	}
	if a.fed == nil {
		a.fed = make(map[pta.InstID][]*tasking)
	}
	var out []*tasking
	for _, l := range a.solelyUsed(p, func(o *op) bool { return o.kind == opSend }) {
		for _, g := range a.solelyUsed(p, func(o *op) bool { return o.lib == library.OpWGWait }) {
			if k := a.taskingOf(p, l, g); k != nil {
				out = append(out, k)
			}
		}
	}
	a.fed[p] = out
	return out
}

// solelyUsed returns the objects of certain operations of a thread, those that
// are one object each and all in view.
func (a *Analysis) solelyUsed(p pta.InstID, is func(*op) bool) []pta.Loc {
	var out []pta.Loc
	for _, o := range a.allOps {
		if !is(o) || len(o.locs) != 1 || slices.Contains(out, o.locs[0]) {
			continue
		}
		if u, ok := a.sole(o.inst); !ok || u != p {
			continue
		}
		x := a.w.Object(o.locs[0])
		if oneCell(x) && !a.external(o.locs[0]) {
			out = append(out, o.locs[0])
		}
	}
	return out
}

// taskingOf returns the tasking of a channel and a group, or nil.
func (a *Analysis) taskingOf(p pta.InstID, jobs, group pta.Loc) *tasking {
	k := &tasking{jobs: jobs, group: group, feeder: p, idle: make(map[pta.InstID]*walk)}
	for _, o := range a.ops[jobs] {
		switch o.kind {
		case opSend:
			if u, ok := a.sole(o.inst); !ok || u != p || o.step < 0 || len(o.locs) != 1 {
				return nil
			}
			k.sends = append(k.sends, o)
		case opClose:
			k.closed = true
		}
	}
	for _, o := range a.ops[group] {
		switch {
		case o.lib == library.OpWGWait:
		case o.lib == library.OpWGAdd && o.has && o.delta > 0:
		case o.lib == library.OpWGDone:
			k.dones = append(k.dones, o)
		default:
			return nil // counts something else too
		}
	}
	if len(k.dones) == 0 || !a.oneAddEach(k) {
		return nil
	}
	for _, d := range k.dones {
		u, ok := a.sole(d.inst)
		if !ok || u == p || a.idleOf(k, u).reachesOp(d) {
			return nil
		}
	}
	return k
}

// oneAddEach reports whether the feeder comes to no send without an Add of its
// own before it.
func (a *Analysis) oneAddEach(k *tasking) bool {
	w := a.newWalk()
	w.avoid = func(at place, _ bool) bool { return a.isStep(at, k.group, library.OpWGAdd) }
	w.fromEntry(k.feeder)
	for _, s := range k.sends {
		w.startAfter(s)
	}
	w.run()
	return !slices.ContainsFunc(k.sends, w.reachesOp)
}

// isStep reports whether a place is an operation of that kind on that object
// alone.
func (a *Analysis) isStep(at place, l pta.Loc, lib library.Op) bool {
	if at.step < 0 {
		return false
	}
	st := &at.f.Steps[at.step]
	locs := a.operand(at.inst, st.Site, 0)
	return st.Kind == flow.Sync && st.Op == lib && len(locs) == 1 && locs[0] == l
}

// idleOf is all that a worker may come to before its first receive, and from a
// Done to the next one.
func (a *Analysis) idleOf(k *tasking, t pta.InstID) *walk {
	return a.idleBetween(k.idle, t, k.jobs, k.closed, k.dones)
}

// idleBetween is all that a worker may come to before it has received a job, and from what ends
// one to the next.
func (a *Analysis) idleBetween(known map[pta.InstID]*walk, t pta.InstID, jobs pta.Loc, closed bool, ends []*op) *walk {
	if w := known[t]; w != nil {
		return w
	}
	w := a.newWalk()
	w.avoid = func(at place, _ bool) bool { return a.gotJob(at, jobs, closed) }
	w.fromEntry(t)
	for _, o := range ends {
		if u, _ := a.sole(o.inst); u == t {
			w.startAfter(o)
		}
	}
	known[t] = w.run()
	return w
}

// gotJob reports whether a place is where a worker has received from a channel of jobs.
func (a *Analysis) gotJob(at place, jobs pta.Loc, closed bool) bool {
	ofJobs := func(site ssair.Instr, k int) bool {
		locs := a.operand(at.inst, site, k)
		return len(locs) == 1 && locs[0] == jobs
	}
	if at.step >= 0 {
		st := &at.f.Steps[at.step]
		return !closed && st.Kind == flow.Recv && ofJobs(st.Site, 0)
	}
	return slices.ContainsFunc(at.f.Blocks[at.block].Succs[at.edge].Events, func(ev flow.Event) bool {
		got := ev.Kind == flow.RecvSent || !closed && ev.Kind == flow.CaseTaken && !ev.Send
		return got && ofJobs(ev.Site, ev.Operand)
	})
}

// busyOf is what the feeder may do from a send to the next Wait.
func (a *Analysis) busyOf(k *tasking) *walk {
	if k.busy == nil {
		w := a.newWalk()
		w.avoid = func(at place, _ bool) bool { return a.isStep(at, k.group, library.OpWGWait) }
		for _, s := range k.sends {
			w.startAfter(s)
		}
		k.busy = w.run()
	}
	return k.busy
}

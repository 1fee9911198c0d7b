package order

import (
	"maps"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file recognises what is looked for under a lock until somebody has set it:
//
//	go func() {
//		s.n = 1 // x
//		s.mu.Lock()
//		s.ready = true
//		s.mu.Unlock()
//	}()
//	for !s.isReady() { // which locks s.mu
//		time.Sleep(time.Millisecond)
//	}
//	print(s.n) // y
//
// It is asked in doubt: that the test tells what was set from what was there before is not shown, nor that nobody else
// sets it.

// A poll is an edge that is taken on what has been read: a way out of a loop, or the edge of another test on which
// that is not zero; or a call that returns when what it calls says so.
type poll struct {
	inst        pta.InstID
	step        int32 // of a call; -1 for an edge
	block, edge int32
}

// A pollRead is a read of a place on which a poll depends.
type pollRead struct {
	poll
	read   pta.Site
	counts bool // the poll may be for 2 or more
}

// polls is what is known of the polls of a view.
type polls struct {
	a      *Analysis // whose walks come to all of them
	insts  []pta.InstID
	reads  map[pta.Loc][]pollRead
	locs   []pta.Loc              // the places, sorted
	stored map[pta.Site][]pta.Loc // by store: where it may store to
	looks  int                    // how much may still be looked at
}

// allPolls finds the polls of the view that depend on reads of functions that lock something.
func (a *Analysis) allPolls() *polls {
	if a.polls != nil {
		return a.polls
	}
	ps := &polls{reads: make(map[pta.Loc][]pollRead), stored: make(map[pta.Site][]pta.Loc), looks: maxPollLooks}
	a.polls = ps
	for _, i := range a.in.Instances() {
		f := a.w.Flow(i)
		if f == nil {
			continue
		}
		add := func(at poll, counts bool, of ...ssair.Instr) {
			for _, site := range of {
				for _, s := range a.readsAt(i, f, site) {
					for _, l := range a.w.Cells(s) {
						ps.reads[l] = append(ps.reads[l], pollRead{at, s, counts})
					}
					ps.insts = append(ps.insts, i)
				}
			}
		}
		for _, p := range f.Polls {
			if p.Block >= 0 {
				add(poll{i, -1, p.Block, p.Edge}, p.Counts, p.Of...)
				continue
			}
			for _, k := range f.StepsAt(p.Of[0]) {
				add(poll{i, k, -1, -1}, p.Counts, p.Of[0])
			}
			ps.insts = append(ps.insts, a.in.CalleesAt(i, p.Of[0])...) // walks pass over what they do not come to
		}
		for b := range f.Blocks {
			for k, e := range f.Blocks[b].Succs {
				for _, ev := range e.Events {
					if ev.Kind == flow.PlainTest && !ev.Allows(0) || ev.Kind == flow.Returned && flow.Outcome(ev.Const) == flow.NonZero {
						add(poll{i, -1, int32(b), int32(k)}, false, ev.Site)
					}
				}
			}
		}
	}
	ps.locs = slices.Sorted(maps.Keys(ps.reads))
	ps.a = a.comingTo(ps.insts)
	ps.a.fuel = min(a.fuel, maxPollFuel) // of its own: other doubts must not go without an answer
	return ps
}

// maxPollFuel bounds the nodes of walks for all such questions of a loop.
const maxPollFuel = 200_000

// maxPollReads bounds the reads of a function that returns what it finds.
const maxPollReads = 8

// readsAt lists the reads of an instance at a load, or those of what it calls there, if who reads locks something.
func (a *Analysis) readsAt(i pta.InstID, f *flow.Func, at ssair.Instr) (reads []pta.Site) {
	if len(f.StepsAt(at)) == 0 {
		if locksSomething(f) {
			reads = append(reads, pta.Site{Inst: i, At: at})
		}
		return reads
	}
	for _, c := range a.in.CalleesAt(i, at) {
		if g := a.w.Flow(c); g == nil || !locksSomething(g) {
			continue
		}
		if rs := a.w.Reads(c); len(rs) <= maxPollReads {
			for _, r := range rs {
				reads = append(reads, pta.Site{Inst: c, At: r})
			}
		}
	}
	return reads
}

func locksSomething(f *flow.Func) bool {
	return f.Sync && slices.ContainsFunc(f.Steps, func(s flow.Step) bool { return s.Op == library.OpLock || s.Op == library.OpRLock })
}

// polledFor reports whether one of the accesses comes only where a test under a lock has been passed that may
// have found what the thread of the other one sets under the lock, after which that access does not come.
func (a *Analysis) polledFor(r *model.Race) bool {
	if r.B.Thread != model.Main || r.Other != nil {
		return false
	}
	ps := a.allPolls()
	x, y := a.accessOf(r.A), a.accessOf(r.B)
	ts := a.threadsOf(x.inst)
	if len(ps.locs) == 0 {
		return false
	}
	several := !r.Loop.Single || slices.ContainsFunc(ts, func(t pta.InstID) bool { return a.multi(t, noSite) })
	return ps.standBefore(y, x, several, func(w *walk) {
		for _, t := range ts {
			for _, s := range a.spawnsOf(t) {
				w.fromSpawn(s)
			}
		}
	}) || !several && ps.standBefore(x, y, false, func(w *walk) {
		for _, t := range ts {
			w.fromEntry(t)
		}
	})
}

// standBefore reports whether a walk from some places comes to y only by polls for what is set after x. Of several goroutines
// that come to x, one must not say it for all: each has to add to what is there, as to a count or a list, and the test
// to be for more than one.
func (ps *polls) standBefore(y, x access, several bool, from func(*walk)) bool {
	found := make(map[poll]bool)
	w := ps.a.newWalk()
	for _, l := range ps.locs {
		for _, s := range ps.setBy(x, l) {
			over := unasked
			for _, p := range ps.reads[l] {
				if found[p.poll] || !ps.a.shareLock(s, p.read) || several && !(p.counts && ps.adds(s, l)) {
					continue
				}
				if over == unasked {
					over = answerOf(ps.a.overOnceUnlocked(x, s))
				}
				if over == yes {
					found[p.poll] = true
					w.toward(p.inst)
				}
			}
		}
	}
	if len(found) == 0 {
		return false
	}
	w.edges = true
	w.avoid = func(p place, _ bool) bool {
		if p.step >= 0 {
			return found[poll{p.inst, p.step, -1, -1}]
		}
		return found[poll{p.inst, -1, p.block, p.edge}]
	}
	from(w)
	return !w.run().reaches(y.inst, y.at)
}

// adds reports whether the function of a store reads the place, too.
func (ps *polls) adds(store pta.Site, l pta.Loc) bool {
	return slices.ContainsFunc(ps.a.w.Reads(store.Inst), func(r ssair.Instr) bool {
		ps.looks--
		return ps.looks >= 0 && slices.Contains(ps.a.w.Cells(pta.Site{Inst: store.Inst, At: r}), l)
	})
}

// setBy lists the stores to a place by the threads of an access; none once too much has been looked at.
func (ps *polls) setBy(x access, l pta.Loc) (by []pta.Site) {
	a := ps.a
	if ps.looks--; ps.looks < 0 {
		return nil
	}
	ts := a.threadsOf(x.inst)
	stores, _ := a.w.StoresTo(l)
	for _, s := range stores {
		f := a.w.Flow(s.Inst)
		if f == nil {
			continue
		}
		for _, i := range a.w.Named(f.Name) {
			if ps.looks--; ps.looks < 0 {
				return nil
			}
			s := pta.Site{Inst: i, At: s.At}
			if !a.in.Runs(i) || !a.anyRuns(ts, i) || slices.Contains(by, s) {
				continue
			}
			at, known := ps.stored[s]
			if !known {
				ps.looks -= storedLooks
				at = a.w.Stored(s)
				ps.stored[s] = at
			}
			if slices.Contains(at, l) {
				by = append(by, s)
			}
		}
	}
	return by
}

// Bounds on what is looked at to find who sets a place, for all such questions of a loop: without one, a
// scraper's tests had taken six times as long when they were stopped.
const (
	maxPollLooks = 5_000
	storedLooks  = 10 // what a store may store to costs as much as this
)

// overOnceUnlocked reports whether x does not come once a function has unlocked something after a store.
func (a *Analysis) overOnceUnlocked(x access, store pta.Site) bool {
	f := a.w.Flow(store.Inst)
	w := a.newWalk()
	for _, g := range f.Gaps(store.At) {
		w.from(store.Inst, g)
	}
	w.run()
	some := false
	for k := range f.Steps {
		if f.Steps[k].Op != library.OpUnlock || !w.reachesStep(store.Inst, int32(k)) {
			continue
		}
		some = true
		after := a.newWalk()
		after.birth = a.ownBirth(x)
		if after.fromStep(store.Inst, int32(k)).run().reaches(x.inst, x.at) {
			return false
		}
	}
	return some
}

// shareLock reports whether two places may hold the same lock, and one of them to write.
func (a *Analysis) shareLock(x, y pta.Site) bool {
	a.locksets.Prepare([]pta.InstID{x.Inst, y.Inst})
	for _, h := range a.locksets.AtSite(x) {
		for _, g := range a.locksets.AtSite(y) {
			if mutex(&h) && mutex(&g) && (h.Write || g.Write) && overlaps(h.Locs, g.Locs) {
				return true
			}
		}
	}
	return false
}

package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file looks at what there is one of in each run of a function by itself:
//
//	func work() {
//		c, left := newCounter(), new(atomic.Int32)
//		left.Store(4)
//		parallel(4, func(int) {
//			if left.Add(-1) == 0 {
//				c.n++
//			}
//		})
//	}
//
// However often work is called, who meets at a counter meets in one run, and has the flag, the channel or
// the group of that. Elsewhere these are many, and the race may be with who has another one.

// A runWorld is a view in which what there is one of in each run of a function is one.
type runWorld struct {
	World
	home pta.InstID
}

func (w *runWorld) Object(l pta.Loc) pta.ObjectInfo {
	o := w.World.Object(l)
	o.Many = o.Many && !w.OneIn(w.home, l)
	return o
}

// apartInRun reports whether the accesses of a race on what there is one of in each run of a function do not
// overlap in a run.
func (a *Analysis) apartInRun(r *model.Race) bool {
	home, ok := a.w.Home(r)
	if !ok || a.fuel < 0 {
		return false
	}
	b := a.homes[home]
	if b == nil {
		b = newAnalysis(&runWorld{a.w, home}, a.locksets, a.set, a.tenured)
		b.fuel = min(maxDoubtFuel, a.fuel)
		if a.homes == nil {
			a.homes = make(map[pta.InstID]*Analysis)
		}
		a.homes[home] = b
	}
	return b.fuel >= 0 && !b.judge(r).overlap && b.fuel >= 0
}

// keptInRun reports whether y comes to the object of a race only in the thread of a run that has made
// it, and there not between the start of x's goroutine and its end:
//
//	func (s *server) handle(req *request) {
//		t := s.fetch(req) // t := new(task); wg.Go(func() { t.n = 1 }); wg.Wait(); return t
//		t.n++
//	}
//
// However many requests are handled at a time, nobody has the task of another one, since
// no run of handle leaves its own to anybody. If nearBy, only what the goroutine itself does is asked for
// at what may wait for it, which takes a look at the run, and not at the program.
func (a *Analysis) keptInRun(r *model.Race, x, y access, nearBy bool) bool {
	if a.cut != nil || a.inRuns > maxRunWalks {
		return false
	}
	keeper, ok := a.w.KeptBy(r)
	if !ok || a.w.Flow(keeper) == nil {
		return false
	}
	started := slices.DeleteFunc(a.whoPasses(r, y), func(i pta.InstID) bool { return !a.startedByRun(keeper, i) })
	if len(started) > 0 {
		return !nearBy && a.apartInKeeper(keeper, x, y, started)
	}
	x.birth, x.own = noSite, noSite
	some := false
	for _, t := range a.threadsOf(x.inst) {
		var spawns []pta.Site
		for _, s := range a.spawnsOf(t) {
			if a.startedByRun(keeper, s.Inst) {
				return false // y's thread may go on beside it
			}
			if a.upCalls(s.Inst).Has(keeper) { // who is started elsewhere has no such object
				spawns = append(spawns, s)
			}
		}
		if len(spawns) == 0 {
			continue
		}
		some = true
		x.by = t + 1
		c := a.classOf(x)
		comes := func() bool { return a.untilOverIn(keeper, c, spawns, false).reaches(y.inst, y.at) }
		if nearBy && a.unsolved(c, comes) || !nearBy && comes() {
			return false
		}
	}
	return some
}

// whoPasses lists the instances that pass an access's function the object of a race by a parameter, through which the
// access comes to it; that of the access itself if it has it otherwise. Others run the function for another object.
func (a *Analysis) whoPasses(r *model.Race, y access) []pta.InstID {
	k, given := parameter(a.addr(y).Base())
	if !given {
		return []pta.InstID{y.inst}
	}
	var out []pta.InstID
	for _, c := range a.in.Callers(y.inst) {
		if a.in.IsSpawn(c) {
			return []pta.InstID{y.inst}
		}
		if a.w.MayPassObject(c, k, r.Object) {
			out = append(out, c.Inst)
		}
	}
	if len(out) == 0 {
		return []pta.InstID{y.inst}
	}
	return out
}

// startedByRun reports whether some thread that runs an instance may be started by a run of another, directly or not.
func (a *Analysis) startedByRun(run, i pta.InstID) bool {
	seen := new(idset.Set[pta.InstID])
	work := slices.Clone(a.threadsOf(i))
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen.Add(t) {
			continue
		}
		for _, s := range a.spawnsOf(t) {
			if a.upCalls(s.Inst).Has(run) {
				return true
			}
			work = append(work, a.threadsOf(s.Inst)...)
		}
	}
	return false
}

// upCalls returns the instances by whose calls, in one thread, another may run, and that itself.
func (a *Analysis) upCalls(i pta.InstID) *idset.Set[pta.InstID] {
	up := a.ups[i]
	if up == nil {
		up = new(idset.Set[pta.InstID])
		a.callersBy(up, []pta.InstID{i}, func(s pta.Site) bool { return !a.in.IsSpawn(s) })
		if a.ups == nil {
			a.ups = make(map[pta.InstID]*idset.Set[pta.InstID])
		}
		a.ups[i] = up
	}
	return up
}

// Bounds on the walks in runs, in nodes: of one, and of all for a loop. They leave enough for other rules.
const (
	maxRunWalk  = 20_000
	maxRunWalks = 200_000
)

// untilOverIn is what a run of an instance does from spawns of a class's thread on until it waits for that; with what
// it starts meanwhile, if that is asked for.
func (a *Analysis) untilOverIn(in pta.InstID, c *class, spawns []pta.Site, started bool) *walk {
	a.solve(c)
	fuel := a.fuel
	kind := byte('k')
	if started {
		kind = 'K'
	}
	w := a.walkOf(c, kind, in, 0, func(w *walk) {
		awaits := w.avoid
		w.avoid = func(p place, crossed bool) bool {
			return awaits != nil && awaits(p, crossed) || p.step >= 0 && slices.ContainsFunc(spawns, func(s pta.Site) bool { return p.inst == s.Inst && a.waitsFor(p, c, s) })
		}
		w.within, w.budget, w.spawns = in, maxRunWalk, started
		for _, s := range spawns {
			w.fromSpawn(s)
		}
	})
	a.inRuns += fuel - a.fuel
	return w
}

// apartInKeeper is keptInRun where goroutines of the run come to y, too: in no run of the keeper one is started that
// comes to the one access while another may come to the other one.
//
//	func (s *server) serve(c *conn, stream bool) {
//		out := newWriter(c)
//		if stream {
//			go func() { out.n++ }()
//		} else {
//			go func() { out.n-- }()
//		}
//	}
//
// That takes both the spawns by which the run, or a goroutine of it, starts what comes to x, and those for y.
func (a *Analysis) apartInKeeper(keeper pta.InstID, x, y access, passers []pta.InstID) bool {
	var threads []pta.InstID
	for _, i := range passers {
		threads = append(threads, a.threadsOf(i)...)
	}
	x.birth, x.own, y.birth, y.own = noSite, noSite, noSite, noSite
	some := false
	for _, t := range a.threadsOf(x.inst) {
		mine, ok := a.startedInRun(keeper, t)
		if !ok {
			return false
		}
		if len(mine) == 0 {
			continue
		}
		some, x.by = true, t+1
		for _, u := range threads {
			theirs, ok := a.startedInRun(keeper, u)
			if y.by = u + 1; !ok || a.untilOverIn(keeper, a.classOf(x), mine, true).reaches(y.inst, y.at) ||
				len(theirs) > 0 && a.untilOverIn(keeper, a.classOf(y), theirs, true).reaches(x.inst, x.at) {
				return false
			}
		}
	}
	return some
}

// startedInRun lists the spawns by which a run of an instance, and what it has started, start a thread; ok is
// false if one of them may start several at once.
func (a *Analysis) startedInRun(run, thread pta.InstID) (spawns []pta.Site, ok bool) {
	seen := new(idset.Set[pta.InstID])
	for work := []pta.InstID{thread}; len(work) > 0; {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen.Add(t) {
			continue
		}
		for _, s := range a.spawnsOf(t) {
			nested := a.startedByRun(run, s.Inst)
			if !nested && !a.upCalls(s.Inst).Has(run) {
				continue // who is started elsewhere has no such object
			}
			if a.together(s) {
				return nil, false
			}
			spawns = append(spawns, s)
			if nested {
				work = append(work, a.threadsOf(s.Inst)...)
			}
		}
	}
	return spawns, true
}

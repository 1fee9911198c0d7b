package order

import (
	"slices"

	"github.com/iterace/iterace/filters/internal/inview"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// onceAwaits is the rule for sync.Once (O): when Do returns, what the one body
// did is over.
func (a *Analysis) onceAwaits(n *op, x *class) bool {
	return slices.ContainsFunc(a.bodiesOfOnce(n), func(c pta.InstID) bool { return slices.Contains(x.onces, c) })
}

// bodiesOfOnce returns what the calls of Do on n's Once run.
func (a *Analysis) bodiesOfOnce(n *op) []pta.InstID {
	locs := a.operand(n.inst, n.site, 0)
	var out []pta.InstID
	for _, o := range a.matching(locs, func(o *op) bool { return o.lib == library.OpOnce }) {
		if o.inst == n.inst && o.site == n.site || a.mustSame(n, o, locs, false) {
			out = append(out, a.in.CalleesAt(o.inst, o.site)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A onceRun is the one run of what a Once is given, where there is one Once. Of several
// bodies it runs one.
type onceRun struct {
	once   pta.Loc
	bodies []pta.InstID
	ops    []*op // below them
	below  *below
}

// onceRuns lists the Onces of which there is one each, and what each runs that nothing
// else does.
func (a *Analysis) onceRuns() []*onceRun {
	if a.onceBodies != nil {
		return a.onceBodies
	}
	a.onceBodies = []*onceRun{}
	byOnce := make(map[pta.Loc]*onceRun)
	for _, o := range a.allOps {
		if o.lib != library.OpOnce || len(o.locs) != 1 {
			continue
		}
		l := o.locs[0]
		if v := a.w.Object(l); !oneCell(v) {
			continue
		}
		run := byOnce[l]
		if run == nil {
			run = &onceRun{once: l}
			byOnce[l] = run
			a.onceBodies = append(a.onceBodies, run)
		}
		for _, c := range a.in.CalleesAt(o.inst, o.site) {
			if !slices.Contains(run.bodies, c) && !slices.ContainsFunc(a.in.Callers(c), func(s pta.Site) bool { return !a.doneOn(s, l) }) {
				run.bodies = append(run.bodies, c)
			}
		}
	}
	for _, run := range a.onceBodies {
		run.below = a.newBelow(run.bodies...)
		mayRun := a.runByAny(run.bodies)
		for _, o := range a.allOps {
			if a.isUseful(o) && mayRun(o.inst) && run.below.only(o.inst) {
				run.ops = append(run.ops, o)
			}
		}
	}
	return a.onceBodies
}

// runByAny returns a function that reports whether none but threads that run one of some instances run an instance, as is
// so of what is only run by these.
func (a *Analysis) runByAny(insts []pta.InstID) func(pta.InstID) bool {
	var threads idset.Set[pta.InstID]
	for _, i := range insts {
		for _, t := range a.threadsOf(i) {
			threads.Add(t)
		}
	}
	lists := make(map[int32]bool) // those asked about
	return func(i pta.InstID) bool {
		n := a.in.ThreadsID(i)
		yes, known := lists[n]
		if !known {
			yes = !slices.ContainsFunc(a.in.ThreadList(n), func(t pta.InstID) bool { return !threads.Has(t) })
			lists[n] = yes
		}
		return yes
	}
}

// doneOn reports whether what is called at a site is what the Once at l is given.
func (a *Analysis) doneOn(s pta.Site, l pta.Loc) bool {
	return slices.ContainsFunc(a.opsIn(s.Inst), func(o *op) bool {
		return o.site == s.At && o.lib == library.OpOnce && len(o.locs) == 1 && o.locs[0] == l
	})
}

// restOf is what may happen after r, which a Once runs, in the run of r: the walk ends
// where the Once would begin again.
func (a *Analysis) restOf(run *onceRun, r *op) *walk {
	return a.kept(walkKey{kind: 'o', inst: pta.InstID(run.once), op: r.id}, func() *walk {
		w := a.newWalk()
		w.avoid = func(p place, _ bool) bool {
			return p.step >= 0 && p.f.Steps[p.step].Op == library.OpOnce && a.doneOn(pta.Site{Inst: p.inst, At: p.f.Steps[p.step].Site}, run.once)
		}
		return w.startAfter(r).run()
	})
}

// onlyBelow reports whether instance i is run by nothing but a call of c.
func (a *Analysis) onlyBelow(i, c pta.InstID) bool {
	b := a.belows[c]
	if b == nil {
		if b = a.newBelow(c); a.belows == nil {
			a.belows = make(map[pta.InstID]*below)
		}
		a.belows[c] = b
	}
	return b.only(i)
}

// A below tells what is run by nothing but a call of one of some instances. Of each
// Once it is asked for all operations, most of which have the same few callers.
type below struct {
	in   *inview.Set
	cs   []pta.InstID
	none idset.Set[pta.InstID] // something else runs them
	all  idset.Set[pta.InstID] // nothing else does
	seen idset.Set[pta.InstID] // by the search at hand
}

func (a *Analysis) newBelow(cs ...pta.InstID) *below { return &below{in: a.in, cs: cs} }

// only reports whether nothing but a call of one of b's instances runs i.
func (b *below) only(i pta.InstID) bool {
	if b.none.Has(i) || b.all.Has(i) {
		return b.all.Has(i)
	}
	type caller struct {
		pta.InstID
		of int // whose caller it is
	}
	met := []caller{{i, -1}}
	b.seen.Add(i)
	defer func() {
		for _, c := range met {
			b.seen.Remove(c.InstID)
		}
	}()
	known := func(s pta.Site) bool { return b.none.Has(s.Inst) || b.in.IsSpawn(s) }
	for next := []int{0}; len(next) > 0; {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		j := met[n].InstID
		if slices.Contains(b.cs, j) || b.all.Has(j) {
			continue
		}
		callers := b.in.Callers(j)
		if len(callers) == 0 || slices.ContainsFunc(callers, known) {
			for ; n >= 0; n = met[n].of {
				b.none.Add(met[n].InstID)
			}
			return false
		}
		for _, s := range callers {
			if b.seen.Add(s.Inst) {
				next = append(next, len(met))
				met = append(met, caller{s.Inst, n})
			}
		}
	}
	for _, c := range met {
		b.all.Add(c.InstID)
	}
	return true
}

// onceOnly reports whether r happens at most once, in the body of a Once.
func (a *Analysis) onceOnly(r *op) bool {
	for _, o := range a.allOps {
		if o.lib != library.OpOnce {
			continue
		}
		for _, c := range a.in.CalleesAt(o.inst, o.site) {
			if a.onlyBelow(r.inst, c) {
				return true
			}
		}
	}
	return false
}

// besideOnce reports whether y is run by the body of a Once, of which there is one, and x by
// goroutines that the body starts when y is over: another run of it there is not.
func (a *Analysis) besideOnce(x, y access) bool {
	for _, o := range a.allOps {
		if o.lib != library.OpOnce || len(o.locs) != 1 || a.w.Object(o.locs[0]).Many || a.w.Object(o.locs[0]).Made != model.Main {
			continue
		}
		for _, body := range a.in.CalleesAt(o.inst, o.site) {
			if a.onlyBelow(y.inst, body) && a.startedByOnce(x, y, body, o) {
				return true
			}
		}
	}
	return false
}

// startedByOnce reports whether all that runs x is started by the body of a Once, which
// only o's Once runs, and the body does not come to y after that.
func (a *Analysis) startedByOnce(x, y access, body pta.InstID, o *op) bool {
	runs := func(s pta.Site) bool {
		return slices.ContainsFunc(a.opsIn(s.Inst), func(d *op) bool {
			return d.site == s.At && d.lib == library.OpOnce && slices.Equal(d.locs, o.locs)
		})
	}
	if slices.ContainsFunc(a.in.Callers(body), func(s pta.Site) bool { return !runs(s) }) {
		return false
	}
	w := a.newWalk()
	w.spawns = true
	w.avoid = func(p place, _ bool) bool {
		return p.step >= 0 && p.f.Steps[p.step].Op == library.OpOnce && runs(pta.Site{Inst: p.inst, At: p.f.Steps[p.step].Site})
	}
	ts := a.threadsOfAccess(x)
	for _, t := range ts {
		spawns := a.spawnsOf(t)
		for _, s := range spawns {
			if !a.onlyBelow(s.Inst, body) {
				return false
			}
			w.fromSite(s)
		}
		if len(spawns) == 0 {
			return false
		}
	}
	return len(ts) > 0 && !w.run().reaches(y.inst, y.at)
}

// laterThanOnce reports whether y is run by the body of a Once, of which there is one, and x
// is of someone who has what there was not before the body was over: the object itself, which
// he got by what somebody has loaded who knew that, as the one configuration that a function
// returns after it has called Do; or an argument that was made after a Do.
func (a *Analysis) laterThanOnce(r *model.Race, x *model.Access, y access) bool {
	for _, run := range a.onceRuns() {
		if len(run.bodies) == 0 || !run.below.only(y.inst) || run.below.only(pta.InstID(x.Inst)) {
			continue
		}
		over := func(s pta.Site) bool {
			return a.eachRun(s, func(s pta.Site) bool {
				return slices.ContainsFunc(a.locksets.AtSite(s), func(h locks.Held) bool {
					return h.Once && !h.Flag && !h.Write && len(h.Locs) == 1 && h.Locs[0] == run.once
				})
			})
		}
		if a.w.Fetched(x, r.Object, over) || a.hasLater(pta.InstID(x.Inst), over) {
			return true
		}
	}
	return false
}

// A onceGroup is calls of Do of Onces that may be one, or run one body, as those of a method that many
// objects have, and what they alone run.
type onceGroup struct {
	ops    []*op
	bodies []pta.InstID
	below  *below
}

// onceGroups lists them.
func (a *Analysis) onceGroups() []*onceGroup {
	if a.onces != nil {
		return a.onces
	}
	a.onces = []*onceGroup{}
	var ops []*op
	for _, o := range a.allOps {
		if o.lib == library.OpOnce && o.step >= 0 && len(o.locs) > 0 {
			ops = append(ops, o)
		}
	}
	bodies := func(o *op) []pta.InstID { return a.in.CalleesAt(o.inst, o.site) }
	grouped := make([]bool, len(ops))
	for first := range ops {
		if grouped[first] {
			continue
		}
		grouped[first] = true
		g := &onceGroup{ops: []*op{ops[first]}}
		for n := 0; n < len(g.ops); n++ {
			o := g.ops[n]
			for k, p := range ops {
				if !grouped[k] && (overlaps(o.locs, p.locs) || slices.ContainsFunc(bodies(o), func(c pta.InstID) bool { return slices.Contains(bodies(p), c) })) {
					grouped[k] = true
					g.ops = append(g.ops, p)
				}
			}
		}
		does := func(s pta.Site) bool {
			return slices.ContainsFunc(g.ops, func(o *op) bool { return o.inst == s.Inst && o.site == s.At })
		}
		for _, o := range g.ops {
			for _, c := range bodies(o) {
				if !slices.Contains(g.bodies, c) && !slices.ContainsFunc(a.in.Callers(c), func(s pta.Site) bool { return !does(s) }) {
					g.bodies = append(g.bodies, c)
				}
			}
		}
		if len(g.bodies) > 0 {
			g.below = a.newBelow(g.bodies...)
			a.onces = append(a.onces, g)
		}
	}
	return a.onces
}

// maybeAfterOnce reports whether one access of a race is done in the body of a Once, and the other one comes after
// a Do of it, or of one that may be it, on some ways, if not on all:
//
//	if s, ok := cfg.IDs.(*source); ok {
//		s.init() // s.once.Do(func() { s.rand = … })
//	}
//	cfg.IDs.Next() // reads rand if it is a *source
//
// What decides which way is taken may decide whether there is an access, too.
func (a *Analysis) maybeAfterOnce(r *model.Race) bool {
	for _, z := range [][2]access{{a.accessOf(r.A), a.accessOf(r.B)}, {a.accessOf(r.B), a.accessOf(r.A)}} {
		x, y := z[0], z[1]
		for _, g := range a.onceGroups() {
			if !g.below.only(y.inst) || g.below.only(x.inst) {
				continue
			}
			for _, o := range g.ops {
				if a.anyRuns(a.threadsOf(x.inst), o.inst) && a.onward(o).reaches(x.inst, x.at) {
					return true
				}
			}
		}
	}
	return false
}

// afterSuchOnce reports whether y sets up the object of r, in the body of a Once that is part
// of it, and all that runs x comes after a Do of such a Once, which may be that of the object,
// or was started by the body when that had done y. Whether it is that of the object is not
// asked for (soundness: owner-lock).
func (a *Analysis) afterSuchOnce(r *model.Race, x, y access) bool {
	py := a.addr(y)
	if !py.Known() {
		return false
	}
	dos := slices.DeleteFunc(a.bodyOf(y.inst, py, promiseDepth), func(d promiseOp) bool { return flow.Through(d.ch) })
	if len(dos) == 0 || len(a.bodyOf(x.inst, a.addr(x), promiseDepth)) > 0 {
		return false
	}
	over := func(s pta.Site) bool {
		if a.in.IsSpawn(s) && a.startsAfter(s, y) {
			return true
		}
		return a.eachRun(s, func(s pta.Site) bool {
			return slices.ContainsFunc(a.locksets.AtSite(s), func(h locks.Held) bool {
				return h.Once && !h.Flag && !h.Write && a.acquiredBy(&h, dos) && slices.ContainsFunc(h.Locs, func(l pta.Loc) bool {
					return a.w.Object(l).Pos == r.Object.Pos
				})
			})
		})
	}
	byBody := func(c pta.Site) bool { // started by a body before it was over
		return slices.ContainsFunc(dos, func(d promiseOp) bool { return a.w.Flow(c.Inst).Name == d.op.f.Name && c.At == d.op.site })
	}
	return over(pta.Site{Inst: x.inst, At: x.at}) || a.onAllWays(x.inst, byBody, over)
}

// acquiredBy reports whether a Once has been done by one of some operations, in whichever
// instance.
func (a *Analysis) acquiredBy(h *locks.Held, dos []promiseOp) bool {
	f := a.w.Flow(h.Acq.Inst)
	return f != nil && slices.ContainsFunc(dos, func(d promiseOp) bool { return f.Name == d.op.f.Name && h.Acq.At == d.op.site })
}

// startsAfter reports whether what a site starts comes after y in the frame of y, and y
// never after that.
func (a *Analysis) startsAfter(s pta.Site, y access) bool {
	f, here, ok := a.gap(y.inst, y.at)
	return ok && a.w.Flow(s.Inst).Name == f.Name && f.Reaches(here, f.GapOf(s.At), ssair.NoInstr, -1) &&
		!slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return f.Reaches(f.AfterStep(k), here, ssair.NoInstr, -1) }) &&
		!f.Reaches(f.Entry(), f.GapOf(s.At), ssair.NoInstr, here)
}

// Bounds on the calls that are looked at above an access, and on what an argument may be.
const (
	maxCallsUp   = 50
	maxMadeLater = 20
)

// hasLater reports whether whoever calls an instance passes something that was made at sites
// of which over holds, or calls at such a site, or has been called so himself.
func (a *Analysis) hasLater(i pta.InstID, over func(pta.Site) bool) bool {
	return a.onAllWays(i, func(pta.Site) bool { return false }, func(c pta.Site) bool { return a.passesLater(c, over) || over(c) })
}

// onAllWays reports whether all ways by which calls lead to an instance have a call of which over
// holds, and after that none of which never does.
func (a *Analysis) onAllWays(i pta.InstID, never, over func(pta.Site) bool) bool {
	seen := map[pta.InstID]bool{i: true}
	work := []pta.InstID{i}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		callers := a.in.Callers(i)
		if len(callers) == 0 {
			return false
		}
		for _, c := range callers {
			if never(c) {
				return false
			}
			if over(c) || seen[c.Inst] {
				continue
			}
			if len(seen) == maxCallsUp {
				return false
			}
			seen[c.Inst] = true
			work = append(work, c.Inst)
		}
	}
	return true
}

// passesLater reports whether a call passes as its receiver, or first argument, what was made
// at sites of which over holds.
func (a *Analysis) passesLater(c pta.Site, over func(pta.Site) bool) bool {
	locs := a.operand(c.Inst, c.At, 0)
	if len(locs) == 0 || len(locs) > maxMadeLater {
		return false
	}
	return !slices.ContainsFunc(locs, func(l pta.Loc) bool {
		s := a.w.Object(l).Alloc
		return s.Inst < 0 || !over(s)
	})
}

// eachRun reports whether yes holds for a site, or, if it is one of the base's for what the
// view has instances of its own for, for that of each which runs the function.
func (a *Analysis) eachRun(s pta.Site, yes func(pta.Site) bool) bool {
	if a.in.Runs(s.Inst) {
		return yes(s)
	}
	f := a.w.Flow(s.Inst)
	if f == nil {
		return false
	}
	found := false
	for _, i := range a.in.Instances() {
		if a.w.Flow(i) != f {
			continue
		}
		if found = true; !yes(pta.Site{Inst: i, At: s.At}) {
			return false
		}
	}
	return found
}

package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for what is made by the first who asks for it, without a lock:
//
//	func Log() *Logger {
//		if log == nil {
//			log = newLogger()
//		}
//		return log
//	}
//
// If Log is called on all ways to a go statement, the goroutine finds what was made, and so does
// whoever comes later: what stands behind the test runs before the goroutine is there, or not at
// all. The place must be one that is never set to zero again (pta/settled.go). Then it is a
// question of where the program may be while the place is still empty, which is followed from the
// entry points on: up to stores to the place, and past tests of it that find it empty only. What
// stands behind a test is done only if that may be come to then.

// A lazily is what is known of a place that keeps what is put there.
type lazily struct {
	a      *Analysis
	loc    pta.Loc // by its canonical name
	sure   bool
	stores []pta.Site // in the base's instances
	above  *idset.Set[pta.InstID]
	all    *empty                // in all threads, once asked for
	by     map[pta.InstID]*empty // in one thread, by that
	gates  map[pta.InstID][]gate // by instance
	live   map[liveKey]*idset.Set[int32]
}

// A gate is an edge that is taken only if the place is empty, or, if shut, only if it is not.
type gate struct {
	block, edge int32
	shut        bool
}

// liveKey names the blocks that a frame may come to in what was explored.
type liveKey struct {
	in   *empty
	inst pta.InstID
}

// lazilyAt returns what is known of a place, or nil if it may be set to zero again.
func (a *Analysis) lazilyAt(l pta.Loc) *lazily {
	l = a.w.Object(l).Canon
	z, known := a.lazy[l]
	if known {
		return z
	}
	if a.lazy == nil {
		a.lazy = make(map[pta.Loc]*lazily)
	}
	stores, sure, ok := a.w.Settled(l)
	if !ok && a.doubtful {
		stores, ok = a.w.MaySettle(l)
	}
	if ok {
		z = &lazily{
			a: a, loc: l, sure: sure, stores: stores, above: new(idset.Set[pta.InstID]),
			by: make(map[pta.InstID]*empty), gates: make(map[pta.InstID][]gate), live: make(map[liveKey]*idset.Set[int32]),
		}
	}
	a.lazy[l] = z
	return z
}

// zeroTests calls f for each edge on which a frame has found a place to be zero, or not to be: then
// it is shut where the place is empty.
func (a *Analysis) zeroTests(i pta.InstID, fn *flow.Func, f func(place pta.Loc, g gate)) {
	for b := range fn.Blocks {
		for k := range fn.Blocks[b].Succs {
			for _, ev := range fn.Blocks[b].Succs[k].Events {
				if ev.Kind != flow.PlainTest || ev.Const != 0 || ev.Cmp != "==" && ev.Cmp != "!=" {
					continue
				}
				if l, ok := a.onlyCell(pta.Site{Inst: i, At: ev.Site}); ok {
					f(l, gate{int32(b), int32(k), ev.Cmp == "!="})
				}
			}
		}
	}
}

// onlyCell returns the one place that a load reads.
func (a *Analysis) onlyCell(load pta.Site) (pta.Loc, bool) {
	l, known := a.loadOf[load]
	if !known {
		l = -1
		if a.loadOf == nil {
			a.loadOf = make(map[pta.Site]pta.Loc)
		}
		if cells := a.w.Cells(load); len(cells) == 1 {
			l = cells[0]
		}
		a.loadOf[load] = l
	}
	return l, l >= 0
}

// gatesOf lists the gates of a frame.
func (z *lazily) gatesOf(i pta.InstID, f *flow.Func) []gate {
	if g, known := z.gates[i]; known {
		return g
	}
	var out []gate
	z.a.zeroTests(i, f, func(place pta.Loc, g gate) {
		if place == z.loc {
			out = append(out, g)
		}
	})
	z.gates[i] = out
	return out
}

// explore finds where the program may be while the place is empty. It reports whether it came to
// an end.
func (z *lazily) explore() bool {
	if z.all != nil {
		return !z.all.exhausted
	}
	a := z.a
	fns := make(map[*flow.Func]bool)
	for _, s := range z.stores {
		fns[a.w.Flow(s.Inst)] = true
	}
	var work []pta.InstID
	for _, i := range a.in.Instances() {
		if fns[a.w.Flow(i)] {
			work = append(work, i)
		}
	}
	for _, r := range a.set.Races {
		work = append(work, pta.InstID(r.A.Inst), pta.InstID(r.B.Inst))
	}
	a.in.LeadTo(z.above, work)
	z.all = z.newEmpty(true)
	for _, i := range a.in.Instances() {
		if z.above.Has(i) && len(a.in.Callers(i)) == 0 && !z.setByInit(i) {
			z.all.enter(i)
		}
	}
	z.all.run()
	return !z.all.exhausted
}

// setByInit reports whether an initialiser that runs before an entry point has filled the
// place when it is over.
func (z *lazily) setByInit(root pta.InstID) bool {
	for _, i := range z.a.w.Before(root) {
		w := z.newEmpty(false)
		w.whole = true
		w.enter(i)
		if w.run(); !w.exhausted && len(w.exits[i]) == 0 {
			return true
		}
	}
	return false
}

// inThread returns where a thread may be while the place is empty.
func (z *lazily) inThread(t pta.InstID) *empty {
	w := z.by[t]
	if w == nil {
		w = z.newEmpty(false)
		if z.all.exhausted || z.all.entered.Has(t) {
			w.enter(t)
		}
		w.run()
		z.by[t] = w
	}
	return w
}

// An empty is an exploration of where a program, or a thread of it, may be while a place is empty.
// That it is empty is all that is to be known, so that a function that is entered then is looked at
// once for all calls.
type empty struct {
	z         *lazily
	spawns    bool // into what is spawned, too
	whole     bool // into all that is called
	entered   idset.Set[pta.InstID]
	seen      map[emptyNode]bool
	steps     map[emptyAt]bool // which it has come to, by number
	ends      map[emptyAt]bool // of blocks
	work      []emptyNode
	exits     map[pta.InstID][]flow.Outcome
	back      map[pta.InstID][]emptyNode // where to go on when an instance returns
	budget    int
	exhausted bool
}

// An emptyNode is a gap of an instance, or what follows a call that has told its outcome.
type emptyNode struct {
	inst pta.InstID
	gap  flow.Gap
	call ssair.Instr // NoInstr if no outcome is known
	told flow.Outcome
}

// An emptyAt is a step or a block of an instance.
type emptyAt struct {
	inst pta.InstID
	at   int32
}

// maxEmpty bounds the gaps that are come to in one exploration, maxLazyFuel in all of a loop.
const (
	maxEmpty    = 100_000
	maxLazyFuel = 500_000
)

func (z *lazily) newEmpty(spawns bool) *empty {
	return &empty{
		z: z, spawns: spawns, seen: make(map[emptyNode]bool), steps: make(map[emptyAt]bool), ends: make(map[emptyAt]bool), exits: make(map[pta.InstID][]flow.Outcome),
		back: make(map[pta.InstID][]emptyNode), budget: maxEmpty,
	}
}

func (w *empty) enter(i pta.InstID) {
	if f := w.z.a.w.Flow(i); f != nil && w.entered.Add(i) {
		w.push(emptyNode{i, f.Entry(), ssair.NoInstr, flow.AnyOutcome})
	}
}

func (w *empty) push(n emptyNode) {
	if !w.seen[n] {
		w.seen[n] = true
		w.work = append(w.work, n)
	}
}

func (w *empty) run() {
	for len(w.work) > 0 {
		w.budget--
		w.z.a.lazyFuel--
		if w.budget < 0 || w.z.a.lazyFuel < 0 {
			w.exhausted, w.work = true, nil
			return
		}
		n := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.visit(n)
	}
}

// visit goes on from a node to the step or the edges that come next, unless a store fills the
// place before.
func (w *empty) visit(n emptyNode) {
	f := w.z.a.w.Flow(n.inst)
	b := f.BlockOf(n.gap)
	blk := &f.Blocks[b]
	k := f.StepAfter(n.gap)
	from, to := blk.First, blk.End
	if n.gap > f.First(b) {
		from = f.Steps[int32(n.gap)-b-1].At
	}
	if k >= 0 {
		to = f.Steps[k].At
	}
	if w.z.fills(n.inst, f, from, to) {
		return
	}
	if k >= 0 {
		w.steps[emptyAt{n.inst, k}] = true
		w.step(n, f, k)
		return
	}
	w.ends[emptyAt{n.inst, b}] = true
	shut := func(k int) bool {
		return slices.ContainsFunc(w.z.gatesOf(n.inst, f), func(g gate) bool { return g.shut && g.block == b && g.edge == int32(k) })
	}
	contrary := func(e *flow.Edge) bool {
		return n.told != flow.AnyOutcome && slices.ContainsFunc(e.Events, func(ev flow.Event) bool {
			return ev.Kind == flow.Returned && ev.Site == n.call && flow.Outcome(ev.Const) != n.told
		})
	}
	for k := range blk.Succs {
		if e := &blk.Succs[k]; !e.Dead && !shut(k) && !contrary(e) && !initialises(f, e, "!=") {
			w.push(emptyNode{n.inst, f.First(e.To), ssair.NoInstr, flow.AnyOutcome})
		}
	}
	if blk.Exit && !slices.Contains(w.exits[n.inst], blk.Outcome) {
		w.exits[n.inst] = append(w.exits[n.inst], blk.Outcome)
		for _, m := range w.back[n.inst] {
			w.goOn(m, blk.Outcome)
		}
	}
}

// initialises reports whether an edge is that of a package's initialiser on which it has run before,
// "!=", or runs now, "==": where it has filled the place, it is not empty any more.
func initialises(f *flow.Func, e *flow.Edge, cmp string) bool {
	return slices.ContainsFunc(e.Events, func(ev flow.Event) bool {
		return ev.Kind == flow.PlainTest && ev.Cmp == cmp && strings.HasSuffix(f.Path(ev.Path).Root, ".init$guard")
	})
}

// step goes on from a node by step k.
func (w *empty) step(n emptyNode, f *flow.Func, k int32) {
	a := w.z.a
	st := &f.Steps[k]
	next := emptyNode{n.inst, n.gap + 1, ssair.NoInstr, flow.AnyOutcome}
	callees := a.in.Callees(n.inst, f, k)
	switch st.Kind {
	case flow.Call:
		if st.Optional || st.Op != library.OpNone || len(callees) == 0 {
			w.push(next)
		}
		for _, c := range callees {
			if a.w.Flow(c) == nil || !w.whole && !w.z.above.Has(c) {
				w.push(next)
				continue
			}
			w.enter(c)
			next.call = st.Site
			w.back[c] = append(w.back[c], next)
			for _, o := range w.exits[c] {
				w.goOn(next, o)
			}
			next.call = ssair.NoInstr
		}
	case flow.Spawn, flow.Parallel:
		for _, c := range callees {
			if w.spawns && (w.whole || w.z.above.Has(c)) {
				w.enter(c)
			}
		}
		w.push(next)
	default:
		w.push(next)
	}
}

// goOn goes on behind a call, which has returned an outcome.
func (w *empty) goOn(n emptyNode, o flow.Outcome) {
	if n.told = o; o == flow.AnyOutcome {
		n.call = ssair.NoInstr
	}
	w.push(n)
}

// fills reports whether a frame fills the place between two instructions.
func (z *lazily) fills(i pta.InstID, f *flow.Func, from, to ssair.Instr) bool {
	return slices.ContainsFunc(z.stores, func(s pta.Site) bool {
		if s.At < from || s.At >= to || z.a.w.Flow(s.Inst) != f {
			return false
		}
		cells := z.a.w.Stored(pta.Site{Inst: i, At: s.At})
		return len(cells) == 1 && cells[0] == z.loc
	})
}

// mayRun reports whether a frame comes to an instruction if only such gates open as may be come to
// while the place is empty, or none if w is nil.
func (z *lazily) mayRun(w *empty, i pta.InstID, at ssair.Instr) bool {
	f := z.a.w.Flow(i)
	if f == nil {
		return true
	}
	key := liveKey{w, i}
	live := z.live[key]
	if live == nil {
		live = new(idset.Set[int32])
		z.live[key] = live
		gates := z.gatesOf(i, f)
		for work := []int32{0}; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !live.Add(b) {
				continue
			}
			for k := range f.Blocks[b].Succs {
				closed := func(g gate) bool {
					return !g.shut && g.block == b && g.edge == int32(k) && (w == nil || !w.exhausted && !w.ends[emptyAt{i, b}])
				}
				if !slices.ContainsFunc(gates, closed) {
					work = append(work, f.Blocks[b].Succs[k].To)
				}
			}
		}
	}
	return slices.ContainsFunc(f.Gaps(at), func(g flow.Gap) bool { return live.Has(f.BlockOf(g)) })
}

// runsIn reports whether a thread may come to an access by such gates as may be come to in an exploration,
// or by none if that is nil, and lists the frames in which gates keep it from that.
func (z *lazily) runsIn(w *empty, t, i pta.InstID, at ssair.Instr) (by []pta.InstID, runs bool) {
	a := z.a
	seen := make(map[pta.InstID]bool)
	for work := []pta.Site{{Inst: i, At: at}}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if !z.mayRun(w, s.Inst, s.At) {
			by = append(by, s.Inst)
			continue
		}
		if s.Inst == t || len(seen) > maxCallsUp {
			return nil, true
		}
		if seen[s.Inst] {
			continue
		}
		seen[s.Inst] = true
		for _, c := range a.in.Callers(s.Inst) {
			if !a.in.IsSpawn(c) && slices.Contains(a.threadsOf(c.Inst), t) {
				work = append(work, c)
			}
		}
	}
	return by, false
}

// doneLazily reports whether an access of a race runs only where a place is found empty, and so never, or
// before the other one.
func (a *Analysis) doneLazily(r *model.Race) (done, sure bool) {
	for _, m := range [][2]*model.Access{{r.A, r.B}, {r.B, r.A}} {
		for _, l := range a.testedFor(pta.InstID(m[0].Inst)) {
			if z := a.lazilyAt(l); z != nil && z.over(m[0], m[1]) {
				if z.sure {
					return true, true
				}
				done = true
			}
		}
	}
	return done, false
}

// Bounds on the frames above an access in which tests are looked for, and the calls that they
// are away.
const (
	maxLazyFrames = 24
	maxLazyCalls  = 3
)

// testedFor lists the places that tests find empty in a frame, or in those above it.
func (a *Analysis) testedFor(i pta.InstID) []pta.Loc {
	if out, known := a.tested[i]; known {
		return out
	}
	var out []pta.Loc
	level, seen := []pta.InstID{i}, map[pta.InstID]bool{i: true}
	for range maxLazyCalls {
		var up []pta.InstID
		for _, j := range level {
			if f := a.w.Flow(j); f != nil {
				a.zeroTests(j, f, func(place pta.Loc, g gate) {
					if !g.shut && !slices.Contains(out, place) {
						out = append(out, place)
					}
				})
			}
			for _, c := range a.in.Callers(j) {
				if !seen[c.Inst] && len(seen) < maxLazyFrames {
					seen[c.Inst] = true
					up = append(up, c.Inst)
				}
			}
		}
		level = up
	}
	if a.tested == nil {
		a.tested = make(map[pta.InstID][]pta.Loc)
	}
	a.tested[i] = out
	return out
}

// over reports whether an access never runs, or before another one: in the thread of an entry point
// itself, behind gates, from which what starts the other one is not come to.
func (z *lazily) over(x, y *model.Access) bool {
	i, at := pta.InstID(x.Inst), ssair.Instr(x.Instr)
	// Most accesses run whether gates open or not, which takes no exploration to see.
	unguarded := func(t pta.InstID) bool { _, runs := z.runsIn(nil, t, i, at); return runs }
	if slices.ContainsFunc(z.a.threadsOf(i), unguarded) || !z.explore() {
		return false
	}
	for _, t := range z.a.threadsOf(i) {
		if _, runs := z.runsIn(z.inThread(t), t, i, at); !runs {
			continue
		}
		by, _ := z.runsIn(nil, t, i, at)
		if len(z.a.spawnsOf(t)) > 0 || !z.follows(pta.InstID(y.Inst), t, by) {
			return false
		}
	}
	return true
}

// follows reports whether all threads that run an instance are that of an entry point itself,
// or start when the place is no longer empty in it, and not behind gates of some frames, or are
// of other programs.
func (z *lazily) follows(i, root pta.InstID, gated []pta.InstID) bool {
	a := z.a
	seen := make(map[pta.InstID]bool)
	work := slices.Clone(a.threadsOf(i))
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if t == root || seen[t] {
			continue
		}
		seen[t] = true
		spawns := a.spawnsOf(t)
		if len(spawns) == 0 && !slices.Contains(a.w.Next(root), t) && !slices.Contains(a.w.Before(t), root) && !a.w.Apart(root, t) {
			return false
		}
		for _, s := range spawns {
			ts := a.threadsOf(s.Inst)
			if slices.Contains(ts, root) && (z.startsEmpty(root, s) || z.startsGated(gated, s)) {
				return false
			}
			work = append(work, ts...)
		}
	}
	return true
}

// startsEmpty reports whether an entry point comes to a spawn while the place is empty.
func (z *lazily) startsEmpty(root pta.InstID, s pta.Site) bool {
	f, w := z.a.w.Flow(s.Inst), z.inThread(root)
	if f == nil || w.exhausted {
		return true
	}
	return slices.ContainsFunc(f.StepsAt(s.At), func(k int32) bool { return w.steps[emptyAt{s.Inst, k}] })
}

// startsGated reports whether what stands behind gates of some frames leads to a spawn.
func (z *lazily) startsGated(frames []pta.InstID, s pta.Site) bool {
	a := z.a
	var called []pta.InstID
	for _, i := range frames {
		f := a.w.Flow(i)
		for k := range f.Steps {
			if z.mayRun(nil, i, f.Steps[k].At) {
				continue
			}
			if i == s.Inst && f.Steps[k].Site == s.At {
				return true
			}
			called = append(called, a.in.Callees(i, f, int32(k))...)
		}
	}
	seen := new(idset.Set[pta.InstID])
	for len(called) > 0 {
		i := called[len(called)-1]
		called = called[:len(called)-1]
		if i == s.Inst {
			return true
		}
		f := a.w.Flow(i)
		if f == nil || !z.above.Has(i) || !seen.Add(i) {
			continue
		}
		for k := range f.Steps {
			called = append(called, a.in.Callees(i, f, int32(k))...)
		}
	}
	return false
}

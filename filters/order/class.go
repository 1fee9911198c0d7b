package order

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A class is a set of accesses to which all questions have one answer: those
// of the same threads that are over after the same operations of their own
// thread. There are few, however many accesses there are.
type class struct {
	side    model.Thread
	threads []pta.InstID
	birth   pta.Site
	settles bool // its thread comes to it, but for where it is blocked before, see bubble.go
	blocked []blocking
	onces   []pta.InstID // bodies of Once values that alone lead to the accesses
	won     []pta.Loc    // where its thread has won, see wonBy
	over    map[int32]bool
	counted []pta.Loc // counters that its thread always counts down when it has come to it, see taskcount.go
	// hopeless is set if nothing ever awaits the class: its threads release
	// nothing after it, and nobody waits for their end.
	hopeless bool
	// The answers for operations of other threads are a least fixpoint:
	// pending lists those that were asked for and are not known to be so.
	pending map[int32]*op
	solved  int
	state   answer // asked while it is being solved
	awaits  *awaited
	inward  map[pta.InstID]*walk
	tables  map[tableKind]*walk // see table.go
	asking  int                 // places that are being decided
	rests   *rests              // what answers of no rest on, see again.go
	// silent is set if nothing awaits the class after all; otherwise through has
	// what leads to where something does. See askAll.
	silent  bool
	through *idset.Set[pta.InstID]
	bodies  bool // some goroutine may wait for it, see bodiesWait
	stops   *stops
	outward *walk
	other   map[otherKey]*walk
	routes  map[string]*walk // see goingOn
	late    *op              // see lateWait; nil until lateAsked, or if there is none

	lateAsked bool
}

// otherKey names a walk of a class: from the bodies of a side, a thread, or a
// spawn.
type otherKey struct {
	kind byte
	inst pta.InstID
	at   ssair.Instr
}

type target struct {
	inst       pta.InstID
	gap        flow.Gap
	at         ssair.Instr
	birth, own pta.Site
	by         pta.InstID
}

func (a *Analysis) target(x access) target {
	t := target{inst: x.inst, at: -1, birth: x.birth, own: x.own, by: x.by}
	f := a.w.Flow(x.inst)
	if gs := f.Gaps(x.at); len(gs) == 1 && x.birth.Inst != x.inst && x.own.Inst != x.inst {
		t.gap = gs[0]
	} else {
		t.at = x.at
	}
	return t
}

func (a *Analysis) threadsOfAccess(x access) []pta.InstID {
	if x.by > 0 {
		return []pta.InstID{x.by - 1}
	}
	return a.threadsOf(x.inst)
}

// classOf returns the class of x.
func (a *Analysis) classOf(x access) *class {
	k := a.target(x)
	if c := a.classes[k]; c != nil {
		return c
	}
	side, threads := a.w.Thread(x.inst), a.threadsOfAccess(x)
	var key strings.Builder
	fmt.Fprintln(&key, side, threads, x.birth)
	over := make(map[int32]bool)
	if a.doubtful {
		a.ownReleases(x, threads, over)
		fmt.Fprint(&key, sortedKeys(over))
	} else if len(threads) == 1 {
		for _, r := range a.opsOf(threads[0]) {
			if !a.comesAfter(r, x) {
				over[r.id] = true
				fmt.Fprint(&key, " ", r.id)
			}
		}
	}
	if len(threads) == 1 {
		a.overByChildren(x, threads[0], over)
		a.overByPair(x, threads[0], over)
		fmt.Fprint(&key, sortedKeys(over))
	}
	onces := a.oncesAround(x.inst)
	for _, run := range a.onceRuns() {
		if !run.below.only(x.inst) {
			continue
		}
		for _, r := range run.ops {
			if !over[r.id] && !a.restOf(run, r).reaches(x.inst, x.at) {
				over[r.id] = true
				fmt.Fprint(&key, " ", r.id)
			}
		}
	}
	settles, blocked := false, []blocking(nil)
	if a.bubbles && len(threads) == 1 {
		blocked, settles = a.blockedBefore(threads[0], x)
	}
	var counted []pta.Loc
	if len(threads) == 1 {
		counted = a.countedAfter(x, threads[0], over)
	}
	won := a.wonBy(x)
	fmt.Fprint(&key, onces, settles, blocked, won, counted)
	c := a.byKey[key.String()]
	if c == nil {
		c = &class{
			side: side, threads: threads, birth: x.birth, onces: onces, won: won, over: over, settles: settles, blocked: blocked, counted: counted,
			pending: make(map[int32]*op),
		}
		c.hopeless = !a.bold && !settles && !a.within(c) && len(over) == 0 && len(counted) == 0 && len(onces) == 0 && !a.joined(c)
		a.byKey[key.String()] = c
	}
	a.classes[k] = c
	return c
}

// comesAfter reports whether x may come after operation r of its own thread.
func (a *Analysis) comesAfter(r *op, x access) bool {
	after := func(own pta.Site) *walk {
		return a.kept(walkKey{kind: 's', op: r.id, own: own}, func() *walk {
			w := a.newWalk()
			w.birth = own
			if w.avoid = a.takenBack(r); w.avoid == nil {
				w.avoid = a.drained(r)
			}
			return w.startAfter(r).run()
		})
	}
	w := after(noSite)
	if !w.reaches(x.inst, x.at) || a.afterTasks(r, x) {
		return false
	}
	return x.own.Inst != r.inst || !w.reaches(x.own.Inst, x.own.At) || a.comesUnborn(r, x.own) || after(x.own).reaches(x.inst, x.at)
}

// comesUnborn reports whether a function may come to its operation r before it has made what it
// makes at birth. To wait for r says nothing of the first of these objects then:
//
//	for {
//		idle <- true // in the first round before o is made
//		o := new(order)
//		done <- o
//		o.note = "sent"
//	}
func (a *Analysis) comesUnborn(r *op, birth pta.Site) bool {
	return a.kept(walkKey{kind: 'b', inst: r.inst, own: birth}, func() *walk {
		w := a.newWalk()
		w.birth = birth
		return w.fromEntry(r.inst).run()
	}).reachesOp(r)
}

// opsOf returns the useful operations that only thread t does.
func (a *Analysis) opsOf(t pta.InstID) []*op {
	if a.threadOps == nil {
		a.threadOps = make(map[pta.InstID][]*op)
		for _, o := range a.allOps {
			if !a.isUseful(o) {
				continue
			}
			if u, ok := a.sole(o.inst); ok {
				a.threadOps[u] = append(a.threadOps[u], o)
			}
		}
	}
	return a.threadOps[t]
}

// oncesAround returns the bodies of Once values without which instance i does
// not run.
func (a *Analysis) oncesAround(i pta.InstID) []pta.InstID {
	if v, ok := a.around[i]; ok {
		return v
	}
	var out []pta.InstID
	for _, o := range a.allOps {
		if o.lib != library.OpOnce {
			continue
		}
		for _, c := range a.in.CalleesAt(o.inst, o.site) {
			if a.relevant.Has(c) && !slices.Contains(out, c) && a.onlyBelow(i, c) {
				out = append(out, c)
			}
		}
	}
	slices.Sort(out)
	a.around[i] = out
	return out
}

// solve finds the operations of other threads after which the class is over,
// as far as they are asked for: from none upwards, since each walk that stops
// at what awaits the class may show one more.
func (a *Analysis) solve(c *class) { a.solveWhile(c, func() bool { return true }) }

// solveWhile is solve as long as something holds of the walks at hand, and reports whether it does
// in the end. The more is known to await the class, the less these walks come to: where
// one does not come to what is in question, nothing need be known of operations of other threads.
func (a *Analysis) solveWhile(c *class, holds func() bool) bool {
	if c.state != unasked { // solved, or what leads back to itself answers no
		return holds()
	}
	c.state = asked
	again := c.outward != nil && !a.plain // solved before
	if !again {
		c.awaits, c.rests = new(awaited), nil
	}
	for {
		// If no answer has changed, walks stop where they did.
		if !again || a.askAgain(c) {
			if a.plain {
				c.awaits = new(awaited)
			}
			c.inward, c.tables = make(map[pta.InstID]*walk), nil
			c.other, c.routes = make(map[otherKey]*walk), nil
			c.silent, c.through, c.stops = false, nil, nil
			a.askAll(c)
			c.outward = a.outwardOf(c)
		}
		if !a.plain && a.fuel >= 0 && !holds() {
			c.state = unasked
			return false
		}
		if !a.growOver(c) {
			break
		}
		again = !a.plain
	}
	c.state = yes
	c.solved++
	return holds()
}

// dropWalks forgets the walks that stop at what awaits the class, of which more is known now, or less.
func (c *class) dropWalks() {
	c.inward, c.tables = make(map[pta.InstID]*walk), nil
	c.other, c.routes = make(map[otherKey]*walk), make(map[string]*walk)
}

// unsolved answers a question about what awaits a class by what its own threads do, and what else is
// known so far, which is less than what solve would find out: walks come to more.
func (a *Analysis) unsolved(c *class, question func() bool) bool {
	if c.state != unasked || a.plain {
		return question()
	}
	first := c.outward == nil
	if first {
		c.dropWalks()
	}
	c.state = asked
	answer := question()
	c.state = unasked
	if first {
		c.awaits, c.rests = nil, nil
		c.dropWalks()
		clear(c.pending)
	}
	return answer
}

// growOver finds out after which of the operations that were asked for the class
// is over, by the walks at hand, and reports whether there are new ones.
func (a *Analysis) growOver(c *class) bool {
	changed := false
	looked := make(map[int32]bool)
	for more := true; more; {
		more = false
		for _, id := range sortedKeys(c.pending) {
			if looked[id] {
				continue
			}
			looked[id], more = true, true
			if a.overElsewhere(c, c.pending[id]) {
				c.isOver(id)
				delete(c.pending, id)
				changed = true
			}
		}
	}
	return changed
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// overElsewhere reports whether the class is over when r, of another thread,
// has happened.
func (a *Analysis) overElsewhere(c *class, r *op) bool {
	// Every path on which r's thread comes to r passes what awaits it.
	entry := true
	for _, t := range a.threadsOf(r.inst) {
		entry = entry && a.meetsAwaiting(t, c) && !a.inwardOf(t, c).reachesOp(r)
	}
	if entry {
		return true
	}
	// Or every path from its spawn does, and r is not earlier than that. A root is
	// not spawned: all that it starts may come before.
	unspawned := func(t pta.InstID) bool { return len(a.spawnsOf(t)) == 0 }
	if len(c.threads) > 0 && !slices.ContainsFunc(c.threads, unspawned) && !c.outward.reachesOp(r) && !a.mayPrecedeThread(r, c.threads) {
		return true
	}
	return a.overAfterStart(c, r) || a.overNested(c, r)
}

// meetsAwaiting reports whether a thread may come to what is known to await the class.
func (a *Analysis) meetsAwaiting(t pta.InstID, c *class) bool {
	return a.plain || !c.silent && (c.through == nil || c.through.Has(t))
}

// over reports whether the class cannot happen any more once r has: for some
// instance of its thread, if r belongs to it.
func (a *Analysis) over(c *class, r *op) bool {
	if c.has(r) {
		return true
	}
	if a.ownOp(c, r) {
		return false // settled when the class was made
	}
	if c.pending[r.id] == nil {
		c.pending[r.id] = r
		if c.state == yes && a.overElsewhere(c, r) {
			// The answer to a new question may answer others.
			c.isOver(r.id)
			delete(c.pending, r.id)
			c.state = unasked
			a.solve(c)
			return true
		}
	}
	return false
}

// ownOp reports whether a thread of the class may do r.
func (a *Analysis) ownOp(c *class, r *op) bool { return a.anyRuns(c.threads, r.inst) }

// joined reports whether some operation waits for the end of a thread that the
// class belongs to, or is started by.
func (a *Analysis) joined(c *class) bool {
	for _, o := range a.allOps {
		if !o.joins && o.lib != library.OpParallel {
			continue
		}
		for _, t := range a.in.CalleesAt(o.inst, o.site) {
			for _, u := range c.threads {
				if u == t || a.startedBy(u, t) {
					return true
				}
			}
		}
	}
	return false
}

// outwardOf is all that may happen beside the class, from its spawn until it
// is awaited.
func (a *Analysis) outwardOf(c *class) *walk {
	w := a.newWalk()
	w.spawns, w.birth = true, c.birth
	return w.until(c).besideThread(c.threads...).sharing(c).run()
}

// inwardOf is all that thread t may come to before it waits for the class.
func (a *Analysis) inwardOf(t pta.InstID, c *class) *walk {
	if w := c.inward[t]; w != nil {
		return w
	}
	for {
		n := c.solved
		w := a.tabled(t, c)
		if w == nil {
			w = a.newWalk().until(c).fromEntry(t).sharing(c).run()
		}
		if c.solved == n {
			c.inward[t] = w
			return w
		}
	}
}

// awaits reports whether the step or edge at p completes only after c is over.
func (a *Analysis) awaits(p place, c *class, crossed bool) bool {
	if c.hopeless || !(p.step >= 0 && p.edge == returning) && a.idle(p) {
		return false
	}
	if c.awaits == nil {
		c.awaits = new(awaited)
	}
	m := c.awaits.at(a, p, crossed) // a new question makes new ones
	if *m == unasked {
		*m = asked
		c.asking++
		outer := 0
		if !a.plain {
			a.fuel-- // as much as a node of a walk
			outer = c.begin()
		}
		*m = answerOf(a.decide(p, c, crossed))
		if !a.plain {
			c.end(&question{p, crossed, m}, outer)
		}
		c.asking--
	}
	return *m == yes
}

// awaited has the answers of a class for steps and edges.
type awaited struct {
	frames  *frameTable                // whose numbers are meant, see withMedia
	plain   pages.Table[int32, answer] // by number, see frame.marks
	special map[awaitKey]*answer
}

// at returns the answer for a place, to be filled in.
func (m *awaited) at(a *Analysis, p place, crossed bool) *answer {
	if m.frames == nil {
		m.frames = a.frames
	}
	if m.frames == a.frames && p.via == noSite && !(p.step >= 0 && p.edge == returning) {
		fr := a.frameOf(p.inst)
		n := fr.marks + p.step
		if p.step < 0 {
			n = fr.marks + int32(len(fr.f.Steps)) + fr.edge[p.block] + p.edge
		}
		n *= 2
		if crossed {
			n++
		}
		return m.plain.At(n)
	}
	k := awaitKey{p.inst, p.step, p.block, p.edge, crossed, p.via}
	v := m.special[k]
	if v == nil {
		if m.special == nil {
			m.special = make(map[awaitKey]*answer)
		}
		v = new(answer)
		m.special[k] = v
	}
	return v
}

// walkOf keeps a walk that stops at what awaits the class.
func (a *Analysis) walkOf(c *class, kind byte, i pta.InstID, at ssair.Instr, start func(*walk)) *walk {
	a.solve(c)
	k := otherKey{kind, i, at}
	if w := c.other[k]; w != nil {
		return w
	}
	for {
		n := c.solved
		w := a.newWalk().until(c)
		start(w)
		w.sharing(c).run()
		if c.solved == n {
			c.other[k] = w
			return w
		}
	}
}

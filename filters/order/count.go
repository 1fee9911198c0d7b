package order

import (
	"fmt"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the counting rule (K): if on every path to n as many receives
// were done as there can have been sends, then all sends are over, and x with
// them as soon as it is over after its own. It is the same for sends: of those
// done, all but as many as the channel's capacity have been received.

// An amount is a number of happenings: a constant and multiples of loop
// bounds. Amounts only grow.
type amount struct {
	n     int64
	bound map[tripBound]int64
}

// A tripBound is what bounds a loop: equal names are equal numbers. It is known if it is a constant for all callers.
type tripBound struct {
	name  string
	n     int64
	known bool
}

func (m amount) add(o amount) amount {
	out := amount{n: m.n + o.n, bound: make(map[tripBound]int64)}
	for k, v := range m.bound {
		out.bound[k] += v
	}
	for k, v := range o.bound {
		out.bound[k] += v
	}
	return out
}

// least is a lower bound of both.
func (m amount) least(o amount) amount {
	out := amount{n: min(m.n, o.n), bound: make(map[tripBound]int64)}
	for k, v := range m.bound {
		if w := min(v, o.bound[k]); w > 0 {
			out.bound[k] = w
		}
	}
	return out
}

// atMost reports whether m ≤ o whatever the bounds are (they may be zero).
func (m amount) atMost(o amount) bool {
	if m.n > o.n {
		return false
	}
	for k, v := range m.bound {
		if v > o.bound[k] {
			return false
		}
	}
	return true
}

// within is atMost, where bounds that are known are their numbers.
func (m amount) within(o amount) bool { return m.atMost(o) || m.inNumbers().atMost(o.inNumbers()) }

func (m amount) inNumbers() amount {
	out := amount{n: m.n, bound: make(map[tripBound]int64)}
	for k, v := range m.bound {
		if k.known {
			out.n += v * k.n
		} else {
			out.bound[k] = v
		}
	}
	return out
}

// times multiplies an amount by the rounds of a loop; ok is false if the
// product is not linear or the rounds are not known.
func (a *Analysis) times(m amount, i pta.InstID, f *flow.Func, t flow.Trip) (amount, bool) {
	switch t.Kind {
	case flow.TripConst:
		out := amount{n: m.n * t.N, bound: make(map[tripBound]int64)}
		for k, v := range m.bound {
			out.bound[k] = v * t.N
		}
		return out, true
	case flow.TripBound:
		if len(m.bound) > 0 {
			return m, false
		}
		return amount{bound: map[tripBound]int64{a.boundOf(i, f, t): m.n}}, true
	}
	return m, false
}

// timesAtMost is times, where the rounds may also be fewer.
func (a *Analysis) timesAtMost(m amount, i pta.InstID, f *flow.Func, t flow.Trip) (amount, bool) {
	i, f, t = a.lengthSet(i, f, t)
	return a.times(m, i, f, t)
}

// inCounter multiplies an amount by the rounds of loop l that come by a block, as the loop counts
// them in a variable, if got tells of that.
func (a *Analysis) inCounter(m amount, i pta.InstID, f *flow.Func, l, block int32, got amount) (amount, bool) {
	for _, c := range f.Loops[l].Counters {
		rounds := flow.Trip{Kind: flow.TripBound, Bound: c.Var}
		if got.bound[a.boundOf(i, f, rounds)] > 0 && slices.Contains(c.Blocks, block) {
			return a.times(m, i, f, rounds)
		}
	}
	return m, false
}

// boundOf returns the bound of a loop.
func (a *Analysis) boundOf(i pta.InstID, f *flow.Func, t flow.Trip) tripBound {
	p := f.Path(t.Bound)
	if j, q, ok := a.origin(i, p, 0); ok {
		i, p = j, q
	} else {
		i, p = a.passedDown(i, p)
	}
	if g := a.w.Flow(i); g != nil {
		if cell, ok := a.keptNumber(i, g, g.PathOf(p)); ok {
			return tripBound{name: fmt.Sprintf("cell %d+%d", cell, t.N)}
		}
	}
	n, known := a.constant(i, p, maxFrames)
	return tripBound{fmt.Sprintf("%d:%s+%d", i, p, t.N), max(n+t.N, 0), known}
}

// keptNumber returns the field that a number is loaded from, if there is one of it and it is set once, by who makes what it is a field of,
// before anybody else has that: who loads it again finds the same, whatever is called between.
//
//	b := newBarrier(s.workers)
//	for k := range s.workers {
func (a *Analysis) keptNumber(i pta.InstID, f *flow.Func, p flow.PathID) (pta.Loc, bool) {
	at, ok := f.LoadOf(p)
	if !ok {
		return 0, false
	}
	load := pta.Site{Inst: i, At: at}
	cells := a.w.Cells(load)
	if len(cells) != 1 || a.external(cells[0]) {
		return 0, false
	}
	o := a.w.Object(cells[0])
	sets, ok := a.w.StoresTo(cells[0])
	if !ok || len(sets) != 1 || !oneCell(o) || o.Alloc.At < 0 || sets[0].Inst != o.Alloc.Inst || load.Inst == o.Alloc.Inst && load.At < sets[0].At {
		return 0, false
	}
	g := a.w.Flow(o.Alloc.Inst)
	if g == nil || g.Block(sets[0].At) != g.Block(o.Alloc.At) || slices.ContainsFunc(g.Steps, func(s flow.Step) bool { return o.Alloc.At < s.Site && s.Site < sets[0].At }) {
		return 0, false
	}
	return cells[0], true
}

// passedDown follows a value up to the frame that all callers pass it down from.
func (a *Analysis) passedDown(i pta.InstID, p flow.Path) (pta.InstID, flow.Path) {
	for range maxClimb {
		callers := a.in.Callers(i)
		if len(callers) != 1 || !p.Known() || p.Loads() {
			break
		}
		j, up, ok := a.in.Up(i, callers[0], p)
		if !ok {
			break
		}
		i, p = j, up
	}
	return i, p
}

// countAwaits decides at the end of a counting loop, for the channels that it
// receives from.
func (a *Analysis) countAwaits(p place, loop int32, x *class, crossed bool) bool {
	l := &p.f.Loops[loop]
	for _, n := range a.opsIn(p.inst) {
		if n.kind != opRecv && n.kind != opSend || !l.Has(a.blockOf(n)) {
			continue
		}
		locs, own, ok := a.chanOf(n, x, crossed)
		if ok && a.counted(n, &p, x, locs, own, crossed) {
			return true
		}
	}
	return a.doubtful && a.eachRoundAwaits(p, loop, x)
}

// eachRoundAwaits reports whether no round of a loop goes on to the next without a step that awaits x.
// Where that is another channel in each round, or another group,
//
//	for _, p := range parts {
//		<-p.done
//	}
//
// x may be over when all rounds are done: it is not known whether the loop has met x's own.
func (a *Analysis) eachRoundAwaits(p place, loop int32, x *class) bool {
	return a.eachRound(p, loop, func(q place, crossed bool) bool { return a.awaits(q, x, crossed) })
}

func (a *Analysis) blockOf(o *op) int32 {
	if o.step >= 0 {
		return o.f.BlockOf(o.f.BeforeStep(o.step))
	}
	return o.f.BlockOf(o.after[0])
}

// counted applies the rule to receive n of channel locs: right after n, or,
// with at set, on that edge.
func (a *Analysis) counted(n *op, at *place, x *class, locs []pta.Loc, own, crossed bool) bool {
	t, ok := a.releasesFor(n, x, locs, own, crossed)
	if !ok {
		return false
	}
	c := &counting{a: a, inst: n.inst, f: n.f, loc: locs[0], kind: n.kind}
	nb := a.blockOf(n)
	at0, ok := c.projections(t.ops)
	if !ok {
		return c.countedAbove(n, at, &t)
	}
	// The innermost loop that holds all of it is counted by the round.
	scope := n.f.Innermost(nb)
	if at != nil && at.f.Blocks[at.block].Succs[at.edge].Counts > 0 {
		scope = n.f.Loops[at.f.Blocks[at.block].Succs[at.edge].Counts-1].Parent
	}
	for scope >= 0 {
		all := true
		for _, pr := range at0 {
			all = all && n.f.Loops[scope].Has(pr.block)
		}
		if all {
			break
		}
		scope = n.f.Loops[scope].Parent
	}
	if t.slack > 0 && scope >= 0 {
		return false // what is under way at the end of a round is not known
	}
	c.run(scope)
	var got amount
	if at != nil {
		got, ok = c.onEdge(at.block, at.edge)
	} else {
		got, ok = c.after(n)
	}
	if !ok {
		return false
	}
	most, ok := c.atLeast(got, &t, at0, scope)
	if !ok {
		return false
	}
	if scope >= 0 {
		// A round that goes round n leaves sends behind for the next.
		r, ok := c.round(scope)
		if !ok || !most.within(r) {
			return false
		}
	}
	return true
}

// countedAbove applies the rule to the receives of a call, where what has called has had the channel made, and the senders
// started:
//
//	b := start(workers) // makes b.done, and starts so many that send there once
//	b.drain()           // receives as often
//
// All that is ever sent on the channel is sent for that one run of the frame, and the call alone has received as many.
func (c *counting) countedAbove(n *op, at *place, t *releases) bool {
	c.settled = true
	c.run(-1)
	var got amount
	ok := true
	if at != nil {
		got, ok = c.onEdge(at.block, at.edge)
	} else {
		got, ok = c.after(n)
	}
	made := c.a.w.Object(c.loc).Alloc
	if !ok || made.At < 0 || c.a.w.Flow(made.Inst) == nil {
		return false
	}
	up := c.inst
	for range maxClimb {
		callers := c.a.in.Callers(up)
		if len(callers) != 1 || c.a.w.Flow(callers[0].Inst) == nil {
			return false
		}
		up = callers[0].Inst
		above := &counting{a: c.a, inst: up, f: c.a.w.Flow(up), loc: c.loc, kind: c.kind}
		seen, ok := above.projections(t.ops)
		if !ok {
			continue
		}
		if _, ok := above.project(&op{inst: made.Inst, f: c.a.w.Flow(made.Inst), step: -1, after: c.a.w.Flow(made.Inst).Gaps(made.At)}); !ok {
			return false // one channel for several runs
		}
		_, ok = above.atLeast(got, t, seen, -1)
		return ok
	}
	return false
}

// rounds multiplies what a round of a loop of the frame has seen at least by their number.
func (c *counting) rounds(m amount, t flow.Trip) (amount, bool) {
	i, f := c.inst, c.f
	if c.settled {
		i, f, t = c.a.settledBound(i, f, t)
	}
	return c.a.times(m, i, f, t)
}

// settledBound returns a trip that has the same number of rounds as one that goes on for a number in a field, or the length of a
// slice or the capacity of a channel there, where there is one such field, which is set once, as what it belongs to is made.
func (a *Analysis) settledBound(i pta.InstID, f *flow.Func, t flow.Trip) (pta.InstID, *flow.Func, flow.Trip) {
	j, g, size, cell, ok := a.boundSet(i, f, t)
	if !ok || g.GapOf(a.w.Object(cell).Alloc.At) != g.GapOf(size.At) {
		return i, f, t // it may be counted before that is set
	}
	t.Bound = size.Value
	return j, g, t
}

// projections sees operations from the frame, each once.
func (c *counting) projections(ops []*op) (out []projection, ok bool) {
	type origin struct {
		f         *flow.Func
		step, via int32
	}
	seen := make(map[origin]bool)
	for _, o := range ops {
		pr, ok := c.project(o)
		if !ok {
			return nil, false
		}
		// Both sides of another loop's iterations stand for that loop's
		// rounds, which are counted where it spawns.
		if k := (origin{o.f, o.step, pr.step}); o.inst == c.inst || !seen[k] {
			seen[k] = true
			out = append(out, pr)
		}
	}
	return out, true
}

// atLeast reports whether got is as many as there can have been of some operations, and how many
// that are, in a round of loop scope of the frame or, for -1, in a run of it.
func (c *counting) atLeast(got amount, t *releases, seen []projection, scope int32) (most amount, ok bool) {
	most = amount{n: t.slack}
	for _, pr := range seen {
		m := pr.times
		for l := c.f.Innermost(pr.block); l >= 0 && l != scope; l = c.f.Loops[l].Parent {
			if k, ok := c.a.inCounter(m, c.inst, c.f, l, pr.block, got); ok {
				m = k
			} else if m, ok = c.a.times(m, c.inst, c.f, c.f.Loops[l].Trip); !ok {
				return most, false
			}
		}
		most = most.add(m)
	}
	if most.within(got) {
		return most, true
	}
	// Where a thread does some of them on one branch only, it is not known
	// which it has done; x must be over after each of its thread's.
	if !t.overWhichever() {
		return most, false
	}
	if most, ok = c.most(t.ops, scope); !ok {
		return most, false
	}
	most.n += t.slack
	return most, most.within(got)
}

// releases are the operations that rule K counts against some of the other kind.
type releases struct {
	ops          []*op    // those that may come before
	slack        int64    // as many of them need not have been seen
	mine, others branches // those of the class's own threads, and of others
}

// overWhichever reports whether the class is over whichever of them a thread of its own, or that of another
// thread, has done.
func (t *releases) overWhichever() bool { return t.mine.over() || !t.mine.some && t.others.over() }

// releasesFor returns what n, of channel locs, must have seen enough of.
// A channel of which each run of some function makes one is counted as long as
// the walk has not crossed the making of another, if all that is done with it has
// it by one name.
func (a *Analysis) releasesFor(n *op, x *class, locs []pta.Loc, own, crossed bool) (t releases, ok bool) {
	if len(locs) == 0 || a.external(locs[0]) || a.isTimer(locs[0]) {
		return t, false
	}
	// Of what is made in each round of an outer loop there is the iteration's own and another.
	if slices.ContainsFunc(locs, func(l pta.Loc) bool { return a.key(l) != a.key(locs[0]) }) {
		return t, false
	}
	obj := a.w.Object(locs[0])
	if obj.Part != 0 || indexed(obj.Field) {
		return t, false
	}
	ofRun := (obj.Many || len(locs) > 1) && !own
	if ofRun && (crossed || obj.Alloc.Inst < 0 || a.w.Thread(obj.Alloc.Inst) != model.Main) {
		return t, false
	}
	kind := opSend
	if n.kind == opSend {
		kind = opRecv
		if t.slack = a.capacity(locs[0]); t.slack < 0 {
			return t, false
		}
	}
	one := false
	ops := a.ops[locs[0]]
	if len(locs) > 1 {
		ops = a.matching(locs, func(*op) bool { return true })
	}
	releases := a.matching(locs, func(o *op) bool { return o.kind == kind })
	if !slices.ContainsFunc(ops, func(o *op) bool { return o.kind == kind }) {
		ops = append(slices.Clone(ops), releases...) // by another name
	}
	skip := model.Beta
	if x.side == model.Beta {
		skip = model.Alpha
	}
	// One side stands for all iterations; the spawn is counted.
	ops = slices.DeleteFunc(slices.Clone(ops), func(o *op) bool { return a.w.Thread(o.inst) == skip })
	if slices.ContainsFunc(ops, func(o *op) bool {
		return ofRun && !a.samePath(n, o) || !ofRun && !own && len(o.locs) != 1
	}) || !a.overAny(x, releases) {
		return t, false
	}
	for _, o := range ops {
		switch o.kind {
		case opClose:
			if kind == opSend && a.mayPrecede(o, n) {
				return t, false
			}
		case kind:
			if a.mayPrecede(o, n) {
				t.ops = append(t.ops, o)
				over := a.over(x, o)
				one = one || over
				if a.ownOp(x, o) {
					t.mine.see(over)
				} else {
					t.others.see(over)
				}
			}
		}
	}
	return t, one
}

// branches are operations of which it is not known which has been done.
type branches struct{ some, not bool }

func (b *branches) see(over bool) { b.some, b.not = true, b.not || !over }

// over reports whether the class is over whichever it was.
func (b *branches) over() bool { return b.some && !b.not }

// A projection is an operation as seen from one frame: the block of the call
// or spawn under which it happens, and how often it happens for each.
type projection struct {
	block int32
	times amount // at most
	step  int32  // of the frame: the call, spawn or operation; -1 for a case
}

// counting counts the receives, or the sends, of one channel in one frame.
type counting struct {
	a    *Analysis
	inst pta.InstID
	f    *flow.Func
	loc  pta.Loc
	kind opKind // opRecv or opSend
	// settled is set if numbers in fields count as what is stored there.
	settled bool
	in      map[int32]amount // by block, least on entry
	out     map[[2]int32]amount
}

// project follows o up to the frame. There must be one way.
func (c *counting) project(o *op) (projection, bool) {
	m := amount{n: 1}
	i, f, b, st := o.inst, o.f, c.a.blockOf(o), o.step
	for depth := 0; depth < 10; depth++ {
		if i == c.inst {
			return projection{b, m, st}, true
		}
		for l := f.Innermost(b); l >= 0; l = f.Loops[l].Parent {
			var ok bool
			if m, ok = c.a.timesAtMost(m, i, f, f.Loops[l].Trip); !ok {
				return projection{}, false
			}
		}
		callers := c.a.in.Callers(i)
		if len(callers) != 1 {
			return projection{}, false
		}
		s := callers[0]
		f = c.a.w.Flow(s.Inst)
		if f == nil {
			return projection{}, false
		}
		steps := f.StepsAt(s.At)
		if len(steps) != 1 || f.Steps[steps[0]].Kind == flow.Parallel || f.Steps[steps[0]].Repeat {
			return projection{}, false
		}
		i, b, st = s.Inst, f.BlockOf(f.BeforeStep(steps[0])), steps[0]
	}
	return projection{}, false
}

// received is what a block, and the edge taken out of it, receive.
func (c *counting) receives(b int32, upto int32) int64 {
	n := int64(0)
	blk := &c.f.Blocks[b]
	for s := blk.Lo; s < blk.Hi && s <= upto; s++ {
		st := &c.f.Steps[s]
		if (c.kind == opRecv && st.Kind == flow.Recv && !st.CommaOk || c.kind == opSend && st.Kind == flow.Send) && !st.Optional && c.onLoc(st.Site, 0) {
			n++
		}
	}
	return n
}

func (c *counting) onLoc(site ssair.Instr, k int) bool {
	locs := c.a.operand(c.inst, site, k)
	if len(locs) == 1 {
		return locs[0] == c.loc
	}
	// Copies of this round's object and another's: the round's own is meant.
	for _, l := range locs {
		if c.a.key(l) != c.a.key(c.loc) {
			return false
		}
	}
	return len(locs) > 0
}

func (c *counting) onEdgeOf(e *flow.Edge) int64 {
	n := int64(0)
	for _, ev := range e.Events {
		if ev.Kind == flow.CaseTaken && ev.Send == (c.kind == opSend) && c.onLoc(ev.Site, ev.Operand) {
			n++
		}
	}
	return n
}

// run computes the least number of receives from the start of the scope, a
// loop's head or the function's entry, to each block in it.
func (c *counting) run(scope int32) {
	c.in = make(map[int32]amount)
	c.out = make(map[[2]int32]amount)
	start := int32(0)
	if scope >= 0 {
		start = c.f.Loops[scope].Header
	}
	c.explore(scope, start, amount{})
}

// explore visits the blocks of a loop (or of the function) outside its inner
// loops in topological order.
func (c *counting) explore(scope, start int32, from amount) {
	inside := func(b int32) bool { return scope < 0 || c.f.Loops[scope].Has(b) }
	child := func(b int32) int32 { // the loop right below scope that holds b, or -1
		l, last := c.f.Innermost(b), int32(-1)
		for l >= 0 && l != scope {
			last, l = l, c.f.Loops[l].Parent
		}
		return last
	}
	order := topological(c.f, scope, start)
	c.in[start] = from
	for _, b := range order {
		in, ok := c.in[b]
		if !ok {
			continue
		}
		if l := child(b); l >= 0 && b == c.f.Loops[l].Header && b != start {
			c.explore(l, b, in)
			round, okr := c.round(l)
			for _, u := range c.f.Loops[l].Blocks {
				for k := range c.f.Blocks[u].Succs {
					e := &c.f.Blocks[u].Succs[k]
					if c.f.Loops[l].Has(e.To) || e.Dead {
						continue
					}
					v := in
					if okr && e.Counts == l+1 {
						once := amount{n: round.n - in.n, bound: diff(round.bound, in.bound)}
						if t, ok := c.rounds(once, c.f.Loops[l].Trip); ok {
							v = in.add(t)
						}
					}
					c.out[[2]int32{u, int32(k)}] = v
					if inside(e.To) && e.To != start {
						c.arrive(e.To, v)
					}
				}
			}
			continue
		} else if l >= 0 && b != start {
			continue
		}
		v := in.add(amount{n: c.receives(b, 1<<30)})
		for k := range c.f.Blocks[b].Succs {
			e := &c.f.Blocks[b].Succs[k]
			if e.Dead {
				continue
			}
			w := v.add(amount{n: c.onEdgeOf(e)})
			if l := e.Counts - 1; l >= 0 && !c.f.Loops[l].Has(b) {
				// Past a loop that has no rounds: what it does so many times is done.
				c.explore(l, c.f.Loops[l].Header, w)
				if round, ok := c.round(l); ok {
					once := amount{n: round.n - w.n, bound: diff(round.bound, w.bound)}
					if t, ok := c.rounds(once, c.f.Loops[l].Trip); ok {
						w = w.add(t)
					}
				}
			}
			c.out[[2]int32{b, int32(k)}] = w
			if inside(e.To) && e.To != start {
				c.arrive(e.To, w)
			}
		}
	}
}

func diff(x, y map[tripBound]int64) map[tripBound]int64 {
	out := make(map[tripBound]int64)
	for k, v := range x {
		if d := v - y[k]; d > 0 {
			out[k] = d
		}
	}
	return out
}

func (c *counting) arrive(b int32, v amount) {
	if old, ok := c.in[b]; ok {
		v = old.least(v)
	}
	c.in[b] = v
}

// topological orders the blocks of a scope; edges back to loop heads do not
// count.
func topological(f *flow.Func, scope, start int32) []int32 {
	seen := make(map[int32]bool)
	var post []int32
	var visit func(b int32)
	visit = func(b int32) {
		seen[b] = true
		for k := range f.Blocks[b].Succs {
			e := &f.Blocks[b].Succs[k]
			if !e.Dead && !seen[e.To] && (scope < 0 || f.Loops[scope].Has(e.To)) {
				visit(e.To)
			}
		}
		post = append(post, b)
	}
	visit(start)
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}

// round is the least number of receives when a round of loop l goes on to the
// next, counted as explore began.
func (c *counting) round(l int32) (amount, bool) {
	var least amount
	any := false
	for _, b := range c.f.Loops[l].Blocks {
		for k := range c.f.Blocks[b].Succs {
			if c.f.Blocks[b].Succs[k].To != c.f.Loops[l].Header {
				continue
			}
			if v, ok := c.out[[2]int32{b, int32(k)}]; ok {
				if any {
					v = least.least(v)
				}
				least, any = v, true
			}
		}
	}
	return least, any
}

func (c *counting) onEdge(b, k int32) (amount, bool) {
	v, ok := c.out[[2]int32{b, k}]
	return v, ok
}

func (c *counting) after(n *op) (amount, bool) {
	b := c.a.blockOf(n)
	v, ok := c.in[b]
	if !ok {
		return v, false
	}
	return v.add(amount{n: c.receives(b, n.step)}), true
}

// semaphoreSent is the rule for a channel of capacity 1 that the spawner sends
// to before each spawn and each iteration receives from once, after x: the
// send of one round completes only when all earlier iterations have received.
func (a *Analysis) semaphoreSent(n *op, x *class, locs []pta.Loc, own bool) bool {
	if len(locs) != 1 || own || a.w.Object(locs[0]).Many || n.step < 0 {
		return false
	}
	for _, s := range a.spawns {
		if s.Inst != n.inst {
			return false
		}
		steps := n.f.StepsAt(s.At)
		if len(steps) != 1 {
			return false
		}
		// Every round that spawns has sent before.
		l := n.f.Innermost(n.f.BlockOf(n.f.BeforeStep(steps[0])))
		if l < 0 || n.f.Innermost(a.blockOf(n)) != l {
			return false
		}
		w := a.newWalk()
		w.stopAt = pta.Site{Inst: n.inst, At: n.site}
		if w.from(n.inst, n.f.First(n.f.Loops[l].Header)).run().reachesStep(n.inst, steps[0]) {
			return false
		}
	}
	some := false
	for _, r := range a.ops[locs[0]] {
		if r.kind == opSend {
			continue
		}
		if r.kind != opRecv || a.w.Thread(r.inst) == model.Main {
			return false // someone else frees the place
		}
		if a.w.Thread(r.inst) != x.side {
			continue
		}
		if !a.over(x, r) || some {
			return false
		}
		pr := &counting{a: a, inst: n.inst, f: n.f, loc: locs[0]}
		p, ok := pr.project(r)
		if !ok || p.times.n != 1 || len(p.times.bound) > 0 {
			return false
		}
		some = true
	}
	return some
}

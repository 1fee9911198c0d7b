package pta

import (
	"slices"
	"sync"

	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta/flow"
)

// A region is where the spawner's thread may be while iterations of a loop
// run, as far as plain control flow tells: after the spawn. Joins are not
// looked at; that is for the order stage, which decides pair by pair.
//
// Its distances count the calls and returns between the spawner and an instance, but
// for the first returns if nothing is done before them: where one function
// after the other just returns what p.start(f) yields, nothing is arranged.
type region struct {
	whole pages.Table[InstID, int32] // by instance of the base: one more than the distance of all of it, or 0
	part  map[InstID]partly
	// near is the same region, with distances for which calls count that do not begin
	// what their function does.
	near func() *region
}

// A partly is an instance of which some instructions belong to a region, and how far away
// they are.
type partly struct {
	spans []span
	dist  int
}

// MaxNear is how far apart two accesses of a goroutine and of Main are compared
// in earnest: the calls from the goroutine's body and from the spawner, added
// up. Further away the analysis knows too little of what the code between has
// arranged: which object, whose turn (soundness: far-main). Where the code says of
// one of the two that the datum is shared, they may be further apart (guarded.go).
const MaxNear = 4

// far is the distance of what is not reached at all.
const far = 1 << 20

// distance returns the number of calls and returns between the spawner and an
// instance.
func (g *region) distance(id InstID) int {
	d := far
	if w := g.whole.Get(id); w > 0 {
		d = int(w) - 1
	}
	if p, ok := g.part[id]; ok {
		d = min(d, p.dist)
	}
	return d
}

// hops returns the number of those that count where calls that begin what a function does
// are left out. It is asked of few instances.
func (g *region) hops(id InstID) int { return g.near().distance(id) }

func (g *region) has(id InstID, at ssair.Instr) bool {
	return g.whole.Get(id) > 0 || within(g.part[id].spans, at)
}

// depths counts the calls between the start of an iteration and each instance
// that it runs. It is asked when the overlay is solved.
func (ov *overlay) depths() callDepths {
	if ov.called == nil {
		d := ov.depthsFrom(ov.starts, anyCall)
		ov.called = &d
	}
	return *ov.called
}

// hops counts, as depths does, the calls that do not begin what their function does.
func (ov *overlay) hops() callDepths {
	if ov.hopped == nil {
		d := ov.hopsFrom(ov.starts, anyCall)
		ov.hopped = &d
	}
	return *ov.hopped
}

// begins reports whether a function does nothing that might arrange anything before it
// comes to its call number k, and does come there: it does not branch, call or
// synchronise, as where p.Close() is p.conn.Close(), or where f is handed on to what
// runs it. So it tells what is run there as its own caller would.
func begins(f *Func, k int) bool {
	if f.Flow == nil || len(f.Flow.Blocks) == 0 {
		return false
	}
	b, at := &f.Flow.Blocks[0], f.Calls[k].At
	return b.First <= at && at < b.End && (b.Lo == b.Hi || at <= f.Flow.Steps[b.Lo].At)
}

// forAll reports whether the model calls a library function safe whose body is looked at, as a
// logger's methods: what it calls is called for any thread, and nothing has been arranged there.
func forAll(in *instance, _ int) bool { return in.fn.forAll() }

func (f *Func) forAll() bool { return !f.App && f.Lib != nil && f.Lib.ThreadSafe && f.Lib.Enters() }

// leads reports whether call number k of an instance begins what its function does, and is
// known to run one function.
func (in *instance) leads(k int) bool {
	return forAll(in, k) || begins(in.fn, k) && !severally(in.callees[k])
}

// severally reports whether a call may run one function or another.
func severally(callees []edge) bool {
	return slices.ContainsFunc(callees, func(e edge) bool { return e.callee != callees[0].callee })
}

// starts reports whether an iteration starts in an instance.
func (ov *overlay) starts(in *instance) bool {
	return in.ctx.tag != tagMain && slices.ContainsFunc(in.callers, func(c Site) bool { return ov.inst(c.Inst).ctx.tag == tagMain })
}

// A callUse says of a call, which lies depth calls below where the overlay begins, whether
// it counts with one of the instances that it may run.
type callUse func(callees []edge, depth int32, callee *instance) bool

func anyCall([]edge, int32, *instance) bool { return true }

// surely reports whether calls that are certain lead from the start of an iteration to an
// instance. Far down a call that may run one function or another will not run all of them:
// which module a registry yields, which handler an event has, is decided there by what
// points-to sets do not tell.
func (ov *overlay) surely(id InstID) bool {
	if id < ov.firstInst || ov.inst(id).ctx.tag == tagMain {
		return true
	}
	if ov.certain == nil {
		d := ov.depthsFrom(ov.starts, func(callees []edge, depth int32, _ *instance) bool {
			return depth < MaxNear || !severally(callees)
		})
		ov.certain = &d
	}
	return ov.certain.known(id)
}

// ofOneRound reports whether calls lead from the start of an iteration to an instance of which none
// runs what several rounds of a loop have made, now that of one and now that of another: which
// round's literal is called is not known then.
func (ov *overlay) ofOneRound(id InstID) bool {
	if id < ov.firstInst || ov.inst(id).ctx.tag == tagMain {
		return true
	}
	if ov.oneRound == nil {
		d := ov.depthsFrom(ov.starts, func(callees []edge, _ int32, callee *instance) bool {
			return !slices.ContainsFunc(callees, func(e edge) bool {
				x := ov.inst(e.callee)
				return x.fn == callee.fn && x.ctx.fill != callee.ctx.fill
			})
		})
		ov.oneRound = &d
	}
	return ov.oneRound.known(id)
}

// ran reports whether iterations, or what they start, come to an instance of the overlay.
// Others are there only because they have made, in the base, what the loop gets a pointer
// to: what they store in it belongs to the object (see namedObject), but of the loop's
// iterations none runs them, or none that the overlay has entered (soundness: deep-cone).
func (ov *overlay) ran(id InstID) bool {
	in := ov.inst(id)
	if id < ov.firstInst || in.spawner != nil || in.ctx.tag == tagMain {
		return true
	}
	return ov.depths().known(id)
}

// mainDepths counts the calls between the spawner and each instance of Main that
// the overlay runs again.
func (ov *overlay) mainDepths() callDepths { return ov.depthsFrom(spawning, mainCall) }

// mainHops counts those of them that do not begin what their function does.
func (ov *overlay) mainHops() callDepths { return ov.hopsFrom(spawning, mainCall) }

func spawning(in *instance) bool { return in.spawner != nil }

func mainCall(_ []edge, _ int32, in *instance) bool { return in.ctx.tag == tagMain }

// callDepths are numbers of calls by instance, of an overlay or of the base. They are asked for once for
// each access that is looked at, and looking them up in a map was 3 % of the samples of a
// scraper's tests under go vet.
type callDepths struct {
	first InstID
	calls []int32 // -1 for an instance to which none of those calls lead
}

// known reports whether calls that count lead to an instance.
func (d callDepths) known(id InstID) bool {
	k := int(id - d.first)
	return k >= 0 && k < len(d.calls) && d.calls[k] >= 0
}

// of returns the number of calls, and 0 for an instance that is not known.
func (d callDepths) of(id InstID) int {
	if !d.known(id) {
		return 0
	}
	return int(d.calls[id-d.first])
}

// depthsFrom counts the calls from the overlay's instances that begin, by those that
// count.
func (ov *overlay) depthsFrom(starts func(*instance) bool, counts callUse) callDepths {
	return ov.countFrom(starts, counts, forAll)
}

// hopsFrom leaves out the calls that begin what their function does.
func (ov *overlay) hopsFrom(starts func(*instance) bool, counts callUse) callDepths {
	return ov.countFrom(starts, counts, (*instance).leads)
}

func (ov *overlay) countFrom(starts func(*instance) bool, counts callUse, free func(*instance, int) bool) callDepths {
	out := callDepths{ov.firstInst, make([]int32, len(ov.insts))}
	var now, next []InstID // so many calls away, and one more
	for i, in := range ov.insts {
		out.calls[i] = -1
		if starts(in) {
			out.calls[i] = 0
			now = append(now, ov.firstInst+InstID(i))
		}
	}
	for depth := int32(0); len(now) > 0; depth++ {
		for len(now) > 0 {
			id := now[0]
			now = now[1:]
			if out.calls[id-out.first] < depth {
				continue // found nearer meanwhile
			}
			in := ov.inst(id)
			for k := range in.fn.Calls {
				d, list := depth+1, &next
				if free(in, k) {
					d, list = depth, &now
				}
				for _, e := range in.callees[k] {
					if e.callee >= out.first && (!out.known(e.callee) || d < out.calls[e.callee-out.first]) && counts(in.callees[k], depth, ov.inst(e.callee)) {
						out.calls[e.callee-out.first] = d
						*list = append(*list, e.callee)
					}
				}
			}
		}
		now, next = next, now[:0]
	}
	return out
}

// A span is a range of instructions.
type span struct{ from, to ssair.Instr }

// beside returns the region of the loop, over the base's call graph: what the
// spawner does after the spawn, all that this calls, and what its callers do
// after the call, up to the roots or to the spawn that runs the spawner.
func (v *View) beside() *region {
	if v.region == nil {
		r := v.res
		v.region = r.walkBeside(v.loop, false)
		v.region.near = sync.OnceValue(func() *region { return r.walkBeside(v.loop, true) })
	}
	return v.region
}

// threadCalls has what instances call in their own thread: by calls that lead, and by others.
type threadCalls struct {
	once          sync.Once
	leads, others callLists
}

func (r *baseResult) threadCalls() *threadCalls {
	t := &r.thread
	t.once.Do(func() {
		list := func(leads bool) callLists {
			return r.s.callLists(func(in *instance, k int) bool { return in.fn.Calls[k].Mode != ModeSpawn && in.leads(k) == leads })
		}
		t.leads, t.others = list(true), list(false)
	})
	return t
}

// walkBeside computes it; distances leave out calls for all, or, for near, calls that lead.
func (r *Result) walkBeside(loop int, near bool) *region {
	s := r.base.s
	g := &region{part: make(map[InstID]partly)}
	ran := r.base.initialized(r.base.loops[loop].spawners)
	calls := r.base.threadCalls()
	type point struct {
		inst InstID
		at   ssair.Instr
	}
	// What lies at the distance that the walk has come to, and one further away.
	type front struct {
		entered []InstID
		left    []point // a call, or the spawn, after which it goes on
	}
	var now, next front
	for _, id := range r.base.loops[loop].spawners {
		now.left = append(now.left, point{id, r.base.loops[loop].at})
	}
	seen := make(map[point]bool)
	for dist := 0; len(now.left)+len(now.entered) > 0; dist++ {
		for len(now.left) > 0 {
			p := now.left[0]
			now.left = now.left[1:]
			if seen[p] {
				continue
			}
			seen[p] = true
			in := s.inst(p.inst)
			spans, returns := after(in.fn, p.at)
			part, ok := g.part[p.inst]
			if !ok {
				part.dist = dist
			}
			part.spans = append(part.spans, spans...)
			g.part[p.inst] = part
			for k := range in.fn.Calls {
				c := &in.fn.Calls[k]
				if c.Mode == ModeSpawn || c.Mode != ModeDefer && !within(spans, c.At) {
					continue
				}
				for _, e := range in.callees[k] {
					next.entered = append(next.entered, e.callee)
				}
			}
			if !returns {
				continue
			}
			// Nothing lies between that arranges anything.
			now.entered = append(now.entered, r.nextInsts(loop, p.inst)...)
			up := &next.left
			if dist == 0 && idle(in.fn, spans) {
				up = &now.left
			}
			for _, c := range in.callers {
				if !spawnsAt(s.inst(c.Inst).fn, c.At) {
					*up = append(*up, point{c.Inst, c.At})
				}
			}
		}
		for len(now.entered) > 0 {
			id := now.entered[len(now.entered)-1]
			now.entered = now.entered[:len(now.entered)-1]
			if g.whole.Get(id) > 0 || ran[id] {
				continue
			}
			g.whole.Set(id, int32(dist)+1)
			enter := func(list []InstID, to *[]InstID) {
				for _, callee := range list {
					if g.whole.Get(callee) == 0 {
						*to = append(*to, callee)
					}
				}
			}
			if near || s.inst(id).fn.forAll() {
				enter(calls.leads.of(id), &now.entered)
			} else {
				enter(calls.leads.of(id), &next.entered)
			}
			enter(calls.others.of(id), &next.entered)
		}
		now, next = next, front{}
	}
	return g
}

// initialized returns the packages' initialisers that have run when a goroutine starts
// that initialisers start: those of the packages which all of these import, through others
// too, and their own where there is one. Another package that imports them calls them
// again, which does nothing.
func (r *baseResult) initialized(spawners []InstID) map[InstID]bool {
	initialiser := func(id InstID) bool { return r.s.inst(id).fn.initialises() }
	var starting []InstID
	seen := make(map[InstID]bool)
	for work := slices.Clone(spawners); len(work) > 0; {
		id := work[0]
		work = work[1:]
		if seen[id] {
			continue
		}
		seen[id] = true
		if initialiser(id) {
			starting = append(starting, id)
			continue
		}
		for _, c := range r.s.inst(id).callers {
			work = append(work, c.Inst)
		}
	}
	var ran map[InstID]bool
	for _, first := range starting {
		known := map[InstID]bool{first: true}
		for work := []InstID{first}; len(work) > 0; {
			in := r.s.inst(work[0])
			work = work[1:]
			for k := range in.fn.Calls {
				for _, e := range in.callees[k] {
					if initialiser(e.callee) && !known[e.callee] {
						known[e.callee] = true
						work = append(work, e.callee)
					}
				}
			}
		}
		if ran == nil {
			ran = known
			continue
		}
		for id := range ran {
			if !known[id] {
				delete(ran, id)
			}
		}
	}
	return ran
}

// idle reports whether a function neither calls nor synchronises in some of its
// instructions.
func idle(f *Func, spans []span) bool {
	return f.Flow != nil && !slices.ContainsFunc(f.Flow.Steps, func(s flow.Step) bool { return within(spans, s.At) })
}

func within(spans []span, at ssair.Instr) bool {
	for _, s := range spans {
		if s.from <= at && at < s.to {
			return true
		}
	}
	return false
}

func spawnsAt(f *Func, at ssair.Instr) bool {
	for i := range f.Spawns {
		if f.Spawns[i].At == at {
			return true
		}
	}
	return false
}

// after returns the instructions that control may reach after one, and
// whether the function may return then.
func after(f *Func, at ssair.Instr) (spans []span, returns bool) {
	if f.Flow == nil {
		return nil, true
	}
	blocks := f.Flow.Blocks
	reached := make([]bool, len(blocks))
	var work []int32
	push := func(b int32) {
		for _, e := range blocks[b].Succs {
			if !reached[e.To] {
				reached[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	for b := range blocks {
		if blk := &blocks[b]; blk.First <= at && at < blk.End {
			spans = append(spans, span{at + 1, blk.End})
			returns = blk.Exit
			push(int32(b))
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		spans = append(spans, span{blocks[b].First, blocks[b].End})
		returns = returns || blocks[b].Exit
		push(b)
	}
	return spans, returns
}

// reachedBefore reports whether control may reach an instruction after from, before
// it comes to stop.
func reachedBefore(f *Func, from, to, stop ssair.Instr) bool {
	if f.Flow == nil {
		return false
	}
	blocks := f.Flow.Blocks
	seen := make([]bool, len(blocks))
	var work []int32
	// in looks for to and stop in a block, from an instruction on.
	in := func(b int32, at ssair.Instr) bool {
		end := blocks[b].End
		stops := at <= stop && stop < end
		if at <= to && to < end && (!stops || to < stop) {
			return true
		}
		if !stops {
			for _, e := range blocks[b].Succs {
				if !seen[e.To] {
					seen[e.To] = true
					work = append(work, e.To)
				}
			}
		}
		return false
	}
	for b := range blocks {
		if blk := &blocks[b]; blk.First <= from && from < blk.End && in(int32(b), from+1) {
			return true
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if in(b, blocks[b].First) {
			return true
		}
	}
	return false
}

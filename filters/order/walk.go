package order

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A walk explores what may happen from some starting points on, along valid
// paths: it returns to every caller of the function that it starts in, and
// from a function that it enters only to where it came from.
type walk struct {
	a *Analysis
	// avoid tells which steps and edges are forbidden. crossed is set if the
	// walk has passed the birth of an object that the iterations synchronise
	// on: it then stands for the next round's object.
	avoid     func(at place, crossed bool) bool
	edges     bool                     // avoid is asked of all edges, not only of those on which something happens
	spawns    bool                     // enter what is spawned on the way
	birth     pta.Site                 // the walk ends at this allocation
	stopAt    pta.Site                 // the walk ends before the step at this site
	within    pta.InstID               // the walk does not leave this frame, if it started there; noThread for none
	leaves    map[pta.InstID]pta.Site  // the call to which alone it returns from a frame that it has not entered
	goal      pta.Site                 // the walk is done when it comes to this step
	near      []node                   // work in the goal's own function, which comes first
	through   []*idset.Set[pta.InstID] // see lookAt
	looks     bool
	stops     *stops                    // see calm
	calms     []int32                   // rows of calm instances to go on from
	segments  idset.Set[int32]          // of a walk that is free
	whole     idset.Set[frameID]        // all that the entry leads to is reached
	visited   pages.Table[int32, uint8] // by gap, whatever the context
	seen      map[node]bool             // nodes with a call site as context
	work      []node
	entries   pages.Table[int32, entry] // by frame and mode
	special   map[entryKey]*entry       // those with a call site as context
	waiting   []waiting
	starts    map[pta.InstID][]start // where it comes to frames that it has not entered
	omitted   map[pta.InstID][]omission
	turns     map[pta.InstID][]turn // which it has not taken, for what it has come by
	endings   map[ending]bool       // see endsAnew
	budget    int
	exhausted bool       // gave up: everything counts as reached
	tab       *table     // the walk notes which calls lead where
	sub       *walk      // a table, which tells what calls lead to
	rows      []int32    // of it: where the walk comes to, plus one
	part      *tablePart // what they lead to
}

// A place is a step of an instance, or an edge of it where step is -1.
type place struct {
	inst  pta.InstID
	f     *flow.Func
	step  int32
	block int32
	edge  int32
	via   pta.Site // the call that led into the function, if that matters
	ops   *placeOps
}

// node is a gap in a mode: how the walk came into the function, and whether it
// has crossed a birth.
type node struct {
	inst    pta.InstID
	gap     flow.Gap
	mode    uint8 // top: started here or returned to; else how it was entered
	crossed bool
	// via is the call by which the walk came in, for a function that
	// synchronises on its arguments and has several callers.
	via pta.Site
}

const (
	top     uint8 = iota // returns to all callers
	fresh                // entered before crossing a birth
	crossed              // entered after
)

type entryKey struct {
	inst pta.InstID
	mode uint8
	via  pta.Site
}

// An entry is what a walk knows of a function that it has entered in a mode.
type entry struct {
	exits uint8 // how it may return, as bits: see exitBit
	wait  int32 // where the walk goes on then: index into waiting, plus one
	row   int32 // of the walk's table, plus one
	calm  bool
}

// waiting is a place at which a walk goes on when a call returns, and the next
// one in the list.
type waiting struct {
	node
	next int32
}

// entry returns what the walk knows of the way in which n entered its function.
func (w *walk) entry(fr *frame, mode uint8, via pta.Site) *entry {
	if via == noSite {
		return w.entries.At(int32(fr.id)*2 + int32(mode-fresh))
	}
	k := entryKey{fr.inst, mode, via}
	e := w.special[k]
	if e == nil {
		if w.special == nil {
			w.special = make(map[entryKey]*entry)
		}
		e = new(entry)
		w.special[k] = e
	}
	return e
}

// maxWalk bounds the nodes of one walk; what exceeds it is taken to reach
// everything, so that no race is removed.
const maxWalk = 400_000

func (a *Analysis) newWalk() *walk {
	return &walk{
		a: a, birth: noSite, stopAt: noSite, goal: noSite, within: noThread,
		budget: maxWalk,
	}
}

// A start is where a walk comes to a frame that it has not entered by a call: a gap and, where a call of the frame has
// returned with an outcome that is looked at later, that.
type start struct {
	gap  flow.Gap
	call int32 // the call step, plus one
	told flow.Outcome
}

// excludes reports whether control that has come there does not take an edge of its frame's function out of a block.
func (s start) excludes(f *flow.Func, from, to int32) bool {
	return f.Excludes(s.gap, from, to) || s.call > 0 && f.Contradicts(s.call-1, s.told, from, to)
}

// from adds a starting point.
func (w *walk) from(i pta.InstID, g flow.Gap) *walk {
	w.come(node{i, g, top, false, noSite})
	return w
}

// An omission is where a walk would go if a deferred call were not registered.
type omission struct {
	step int32
	next node
}

// A turn is an edge that the walk would take if it had come to the frame elsewhere.
type turn struct {
	from, to int32
	next     node
}

// contrary reports whether a turn is not taken by who has come where the walk has
// come to the frame: a test on the way has told how it turns out.
func (w *walk) contrary(f *flow.Func, from, to int32, n, next node) bool {
	if n.mode != top || len(f.Contraries) == 0 && len(f.Late) == 0 && len(f.Tolds) == 0 || len(w.starts[n.inst]) == 0 {
		return false
	}
	for _, s := range w.starts[n.inst] {
		if !s.excludes(f, from, to) {
			return false
		}
	}
	if w.turns == nil {
		w.turns = make(map[pta.InstID][]turn)
	}
	w.turns[n.inst] = append(w.turns[n.inst], turn{from, to, next})
	return true
}

// come takes the walk to a frame that it has not entered by a call.
func (w *walk) come(n node) { w.comeBy(n, start{gap: n.gap}) }

// comeBy is come, where more may be known of how the walk does so than the gap.
func (w *walk) comeBy(n node, s start) {
	fr := w.a.frameOf(n.inst)
	if fr == nil || !fr.conditional || slices.Contains(w.starts[n.inst], s) {
		w.push(n)
		return
	}
	f := fr.f
	if w.starts == nil {
		w.starts = make(map[pta.InstID][]start)
	}
	w.starts[n.inst] = append(w.starts[n.inst], s)
	left := w.omitted[n.inst]
	for k := range left {
		if !f.Registered(left[k].step, n.gap) {
			w.push(left[k].next)
		}
	}
	turns := w.turns[n.inst]
	for k := range turns {
		if !s.excludes(f, turns[k].from, turns[k].to) {
			w.push(turns[k].next)
		}
	}
	w.push(n)
}

// registered reports whether a deferred call that is not made on all ways is
// made on the walk's: the walk began where its defer statement has been passed,
// or will be.
func (w *walk) registered(f *flow.Func, s int32, n, next node) bool {
	if n.mode != top || len(w.starts[n.inst]) == 0 {
		return false
	}
	for _, from := range w.starts[n.inst] {
		if !f.Registered(s, from.gap) {
			return false
		}
	}
	if w.omitted == nil {
		w.omitted = make(map[pta.InstID][]omission)
	}
	w.omitted[n.inst] = append(w.omitted[n.inst], omission{s, next})
	return true
}

// fromStep starts after step s of instance i.
func (w *walk) fromStep(i pta.InstID, s int32) *walk {
	return w.from(i, w.a.w.Flow(i).AfterStep(s))
}

// fromSite starts after every step with operands at the site.
func (w *walk) fromSite(s pta.Site) *walk {
	f := w.a.w.Flow(s.Inst)
	if f == nil {
		return w
	}
	for _, k := range f.StepsAt(s.At) {
		w.fromStep(s.Inst, k)
	}
	return w
}

// fromGaps starts where an instruction is, which need not be a step.
func (w *walk) fromGaps(s pta.Site) *walk {
	if f := w.a.w.Flow(s.Inst); f != nil {
		for _, g := range f.Gaps(s.At) {
			w.from(s.Inst, g)
		}
	}
	return w
}

// fromSpawn starts after what starts a thread, unless that itself waits for what the
// walk is to end at, as who runs many goroutines and returns when they are over.
func (w *walk) fromSpawn(s pta.Site) *walk {
	f := w.a.w.Flow(s.Inst)
	if f == nil {
		return w
	}
	for _, k := range f.StepsAt(s.At) {
		if f.Steps[k].Kind != flow.Parallel || w.avoid == nil || !w.avoid(place{s.Inst, f, k, 0, 0, noSite, nil}, false) {
			w.fromStep(s.Inst, k)
		}
	}
	return w
}

// fromEntry starts where instance i starts.
func (w *walk) fromEntry(i pta.InstID) *walk {
	if f := w.a.w.Flow(i); f != nil {
		w.from(i, f.Entry())
	}
	return w
}

// mark notes that the walk comes to n, and reports whether it is news.
func (w *walk) mark(fr *frame, n node) bool {
	v := w.visited.At(fr.gaps + int32(n.gap))
	bit := uint8(1) << (n.mode * 2)
	if n.crossed {
		bit <<= 1
	}
	if n.via != noSite {
		if w.seen[n] {
			return false
		}
		if w.seen == nil {
			w.seen = make(map[node]bool)
		}
		w.seen[n] = true
		if w.tab != nil {
			return true
		}
	} else if *v&bit != 0 {
		return false
	}
	*v |= bit
	return true
}

func (w *walk) push(n node) {
	if fr := w.a.frameOf(n.inst); fr != nil && w.mark(fr, n) {
		if n.inst == w.goal.Inst {
			w.near = append(w.near, n)
		} else {
			w.work = append(w.work, n)
		}
	}
}

// at returns how the walk came to gap g of instance i, 0 if it did not.
func (w *walk) at(i pta.InstID, g flow.Gap) uint8 {
	fr := w.a.frameOf(i)
	if fr == nil {
		return 0
	}
	v := w.visited.Get(fr.gaps + int32(g))
	if v == 0 && w.cameFreely(fr, g) {
		return 1 << (2 * top)
	}
	if v == 0 && w.whole.Has(fr.id) && w.a.interiorOf(i).gaps[g] {
		return 1 << (2 * fresh)
	}
	if v == 0 && w.part != nil {
		v = w.part.at(fr, g)
	}
	return v
}

// run explores all that can be reached. But for a table, that is done once.
func (w *walk) run() *walk {
	if w.a.fuel < w.a.floor {
		w.a.fuel = -1
	}
	if w.free() {
		w.roam()
	} else {
		w.explore()
	}
	if w.tab == nil {
		w.forget()
	}
	return w
}

// forget lets go of what a walk needs to go on only: thousands are kept until the loop is done.
func (w *walk) forget() {
	w.near, w.work, w.calms, w.rows = nil, nil, nil, nil
	w.entries, w.special, w.waiting = nil, nil, nil
	w.starts, w.omitted, w.turns, w.seen = nil, nil, nil, nil
}

func (w *walk) explore() {
	w.lookAt()
	for len(w.work)+len(w.near)+len(w.calms) > 0 {
		w.budget--
		w.a.fuel--
		if w.budget < 0 || w.a.fuel < 0 || w.exhausted {
			w.exhausted = true
			w.work, w.calms = nil, nil
			return
		}
		if n := len(w.calms) - 1; n >= 0 {
			row := w.calms[n]
			w.calms = w.calms[:n]
			w.goOn(row)
			continue
		}
		work := &w.work
		if len(w.near) > 0 {
			work = &w.near
		}
		n := (*work)[len(*work)-1]
		*work = (*work)[:len(*work)-1]
		w.visit(n)
	}
	if w.sub != nil && !w.exhausted {
		w.leadsTo(w.rows)
	}
}

func (w *walk) visit(n node) {
	fr := w.a.frameOf(n.inst)
	f := fr.f
	barrier := flow.Gap(-1)
	if w.bornIn(n.inst) {
		barrier = f.GapOf(w.birth.At)
	}
	// On to the next step of interest, or the end of the block.
	for {
		if n.gap == barrier {
			return
		}
		if w.crossesAt(fr, n.gap) {
			n.crossed = true
		}
		if n.gap == fr.next[n.gap] {
			break
		}
		n.gap++
		if !w.mark(fr, n) {
			return
		}
	}
	b := fr.block[n.gap]
	blk := &f.Blocks[b]
	if s := int32(n.gap) - b; s < blk.Hi {
		w.step(n, fr, s)
		return
	}
	for k := range blk.Succs {
		e := &blk.Succs[k]
		if e.Dead || len(e.Events) > 0 && w.a.neverTaken(n.inst, f, e) {
			continue
		}
		if (len(e.Events) > 0 || e.Counts > 0 || w.edges) && w.avoid != nil && w.avoid(place{n.inst, f, -1, b, int32(k), n.via, nil}, n.crossed) {
			continue
		}
		to := e.To
		if e.Last > 0 {
			to = e.Last - 1 // there is no second round
		}
		next := node{n.inst, f.First(to), n.mode, n.crossed, n.via}
		if w.contrary(f, b, e.To, n, next) {
			continue
		}
		if e.Ends != flow.AnyOutcome && n.via == noSite && barrier != next.gap {
			w.end(next, fr, e.Ends)
			continue
		}
		w.push(next)
	}
	if blk.Exit {
		w.exit(n, fr, blk.Outcome)
	}
}

// end has the walk come to an exit without steps by an edge that tells the outcome. Others may
// still come there by another edge.
func (w *walk) end(n node, fr *frame, o flow.Outcome) {
	if w.crossesAt(fr, n.gap) {
		n.crossed = true
	}
	w.pass(fr, n.gap, n.mode)
	w.exit(n, fr, o)
}

// An ending is how a walk comes to the end of a function that returns what a call has returned.
type ending struct {
	node
	outcome flow.Outcome
}

// endsAnew notes that a walk comes to the end of a frame that it has not entered, and reports whether it had not: functions that return
// what they return to each other would go on for ever.
func (w *walk) endsAnew(e ending) bool {
	if w.endings[e] {
		return false
	}
	if w.endings == nil {
		w.endings = make(map[ending]bool)
	}
	w.endings[e] = true
	return true
}

// pass notes that the walk passes a gap on some way out of it only.
func (w *walk) pass(fr *frame, g flow.Gap, mode uint8) {
	if mode == top {
		*w.visited.At(fr.gaps + int32(g)) |= passed
	} else {
		*w.visited.At(fr.gaps + int32(g)) |= passedBelow
	}
}

// passed marks a gap that the walk has passed on some way out of it only, and passedBelow
// one of a frame that it has entered.
const (
	passed      = 1 << 6
	passedBelow = 1 << 7
)

// exitBit is how a function returns: with which outcome, and whether a birth was crossed.
func exitBit(o flow.Outcome, crossed bool) uint8 {
	bit := uint8(1) << (2 * o)
	if crossed {
		bit <<= 1
	}
	return bit
}

// resume goes on after a call that the walk has entered, in which next is, for each way
// in which it may return.
func (w *walk) resume(next node, exits uint8) {
	if exits == 0 {
		return
	}
	fr := w.a.frameOf(next.inst)
	s := int32(next.gap) - 1 - fr.block[next.gap]
	tells := fr.call[s].tells && next.via == noSite
	for o := flow.AnyOutcome; exits != 0; o, exits = o+1, exits>>2 {
		for over := uint8(0); over < 2; over++ {
			n := next
			n.crossed = n.crossed || over == 1
			switch {
			case exits&(1<<over) == 0:
			case o == flow.AnyOutcome || !tells:
				w.push(n)
			default:
				w.returnWith(n, fr.f, s, o, false)
			}
		}
	}
}

// returnWith goes on after call k, which has returned an outcome: past the branches
// that are taken on another one. Comes is set if the walk has not made the call.
func (w *walk) returnWith(n node, f *flow.Func, k int32, o flow.Outcome, comes bool) {
	goTo := w.push
	if comes {
		goTo = w.come
		if f.IsLate(k) {
			goTo = func(n node) { w.comeBy(n, start{n.gap, k + 1, o}) }
		}
	}
	g := f.AfterStep(k)
	b := f.BlockOf(g)
	blk := &f.Blocks[b]
	contrary := func(e *flow.Edge) bool {
		return slices.ContainsFunc(e.Events, func(ev flow.Event) bool {
			return ev.Kind == flow.Returned && ev.Site == f.Steps[k].Site && flow.Outcome(ev.Const) != o
		})
	}
	if d := f.Demanded(k); d != flow.AnyOutcome && d != o {
		return
	}
	fr := w.a.frameOf(n.inst)
	if fr != nil && f.PassesOn(k) && n.via == noSite && !(w.bornIn(n.inst) && f.GapOf(w.birth.At) == g) {
		if n.gap = g; n.mode != top || w.endsAnew(ending{n, o}) {
			w.end(n, fr, o)
		}
		return
	}
	if fr == nil || f.StepAfter(g) >= 0 || w.bornIn(n.inst) && f.GapOf(w.birth.At) == g ||
		!slices.ContainsFunc(blk.Succs, func(e flow.Edge) bool { return contrary(&e) }) {
		n.gap = g
		goTo(n)
		return
	}
	if w.crossesAt(fr, g) {
		n.crossed = true
	}
	w.pass(fr, g, n.mode)
	for i := range blk.Succs {
		e := &blk.Succs[i]
		if e.Dead || contrary(e) || w.avoid != nil && w.avoid(place{n.inst, f, -1, b, int32(i), n.via, nil}, n.crossed) {
			continue
		}
		to := e.To
		if e.Last > 0 {
			to = e.Last - 1
		}
		next := n
		if next.gap = f.First(to); comes || !w.contrary(f, b, e.To, n, next) {
			goTo(next)
		}
	}
}

func (w *walk) exit(n node, fr *frame, o flow.Outcome) {
	if n.mode == top && n.inst == w.within {
		return
	}
	if n.mode == top {
		for _, i := range w.a.w.Next(n.inst) {
			if f := w.a.w.Flow(i); f != nil {
				w.come(node{i, f.Entry(), top, n.crossed, noSite})
			}
		}
		only, one := w.leaves[n.inst]
		for i := range w.a.returnsTo(fr) {
			r := &fr.returns[i]
			if one && only != r.site || w.ends(r.site.Inst, r.f, r.step) {
				continue
			}
			next := node{r.site.Inst, r.gap, top, n.crossed, noSite}
			switch {
			case o == flow.AnyOutcome || !r.tells && !r.late:
				w.come(next)
			case r.tells:
				w.returnWith(next, r.f, r.step, o, true)
			default:
				w.comeBy(next, start{r.gap, r.step + 1, o})
			}
		}
		return
	}
	bit := exitBit(o, n.crossed)
	e := w.entry(fr, n.mode, n.via)
	if e.exits&bit != 0 {
		return
	}
	e.exits |= bit
	for k := e.wait; k > 0; k = w.waiting[k-1].next {
		w.resume(w.waiting[k-1].node, bit)
	}
}

func (w *walk) step(n node, fr *frame, s int32) {
	f := fr.f
	st := &f.Steps[s]
	next := node{n.inst, n.gap + 1, n.mode, n.crossed, n.via}
	if st.Optional && !w.registered(f, s, n, next) {
		w.push(next)
	}
	if w.stopAt.Inst == n.inst && w.stopAt.At == st.Site {
		return
	}
	if w.goal.Inst == n.inst && w.goal.At == st.Site {
		w.work, w.near = nil, nil
		return
	}
	if w.avoid != nil && w.avoid(place{n.inst, f, s, 0, 0, n.via, nil}, n.crossed) {
		return
	}
	if w.a.cut != nil && w.a.cut[pta.Site{Inst: n.inst, At: st.Site}] {
		w.push(next)
		return
	}
	switch st.Kind {
	case flow.Recv:
		if !w.a.blocked(n.inst, st.Site, 0, false) {
			w.push(next)
		}
	case flow.Spawn, flow.Parallel:
		if w.spawns {
			for _, c := range fr.call[s].enter {
				if !w.goesThrough(c) {
					if w.tab != nil {
						w.tab.absorbs(w.rowOf(fr, n.mode, n.via), c)
					}
					w.absorb(c)
					continue
				}
				in := w.entryOf(c, n, noSite)
				if w.sub != nil && n.mode == top {
					w.lookUp(in)
					continue
				}
				w.begin(in)
				if w.tab != nil {
					w.tab.calls(w.rowOf(fr, n.mode, n.via), w.rowOf(w.a.frameOf(c), in.mode, in.via))
				}
			}
		}
		w.push(next)
	case flow.Call:
		cs := &fr.call[s]
		if cs.passes {
			w.push(next)
		}
		for _, c := range cs.enter {
			if !w.goesThrough(c) {
				if w.tab != nil {
					w.tab.absorbs(w.rowOf(fr, n.mode, n.via), c)
				}
				if w.absorb(c) {
					w.push(next)
				}
				continue
			}
			in := w.entryOf(c, n, w.viaOf(n.inst, fr, callee{s, c}))
			if w.sub != nil && n.mode == top {
				exits := w.lookUp(in)
				if w.ends(n.inst, f, s) {
					continue
				}
				w.resume(next, exits)
				continue
			}
			w.begin(in)
			if w.tab != nil {
				w.tab.calls(w.rowOf(fr, n.mode, n.via), w.rowOf(w.a.frameOf(c), in.mode, in.via))
			}
			if w.ends(n.inst, f, s) {
				continue
			}
			e := w.entry(w.a.frameOf(c), in.mode, in.via)
			w.waiting = append(w.waiting, waiting{next, e.wait})
			e.wait = int32(len(w.waiting))
			w.resume(next, e.exits)
		}
	default:
		w.push(next)
	}
}

func entered(n node) uint8 {
	if n.crossed {
		return crossed
	}
	return fresh
}

// begin takes the walk to the entry of a function, see entryOf.
func (w *walk) begin(n node) {
	if w.calm(n.inst, n.mode) {
		w.stay(n)
	} else {
		w.push(n)
	}
}

// entryOf is where a walk comes to that enters callee c at n. By which call it does
// is no matter where the function is calm.
func (w *walk) entryOf(c pta.InstID, n node, via pta.Site) node {
	mode := entered(n)
	if w.calm(c, mode) || w.sub != nil && w.sub.calm(c, mode) {
		via = noSite
	}
	return node{c, w.a.frameOf(c).f.Entry(), mode, n.crossed, via}
}

// viaOf returns the call by which a step enters a callee if that matters there.
func (w *walk) viaOf(i pta.InstID, fr *frame, c callee) pta.Site {
	if st := &fr.f.Steps[c.step]; st.Kind == flow.Call && st.Op == library.OpNone && w.a.byArgument(c.inst) {
		return pta.Site{Inst: i, At: st.Site}
	}
	return noSite
}

// bornIn reports whether the walk ends at an allocation of instance i.
func (w *walk) bornIn(i pta.InstID) bool {
	return w.birth.Inst == i || w.birth.Inst >= 0 && w.a.copyOf(w.birth.Inst) == w.a.copyOf(i)
}

// reaches reports whether the walk came by the instruction; in what a model
// describes, whether it came by a call of that.
func (w *walk) reaches(i pta.InstID, at ssair.Instr) bool {
	if w.exhausted {
		return true
	}
	f := w.a.w.Flow(i)
	if f == nil {
		return slices.ContainsFunc(w.a.in.Callers(i), func(c pta.Site) bool {
			return w.a.w.Flow(c.Inst) == nil || w.reaches(c.Inst, c.At)
		})
	}
	for _, g := range f.Gaps(at) {
		if w.at(i, g) == 0 {
			continue
		}
		if w.bornIn(i) && f.GapOf(w.birth.At) == g && w.birth.At < at {
			continue
		}
		return true
	}
	return false
}

// comesInFrame reports whether the walk came to x in the frame that it started in, or
// that it has returned to, rather than in one that it has entered.
func (w *walk) comesInFrame(x access) bool {
	const own = 1<<(2*top) | 2<<(2*top) | passed
	f := w.a.w.Flow(x.inst)
	return w.exhausted || f == nil || slices.ContainsFunc(f.Gaps(x.at), func(g flow.Gap) bool { return w.at(x.inst, g)&own != 0 })
}

// reachesStep reports whether the walk came to step s.
func (w *walk) reachesStep(i pta.InstID, s int32) bool {
	if w.exhausted {
		return true
	}
	f := w.a.w.Flow(i)
	g := f.BeforeStep(s)
	return w.at(i, g) != 0 && !(w.bornIn(i) && f.GapOf(w.birth.At) == g)
}

// reachesExit reports whether the walk came to the end of instance i.
func (w *walk) reachesExit(i pta.InstID) bool {
	return w.returns(i, func(*flow.Block) bool { return true })
}

// gives reports whether the walk came to where instance i returns, as its n-th result, anything but nil.
func (w *walk) gives(i pta.InstID, n int) bool {
	return w.returns(i, func(b *flow.Block) bool { return b.Nil&(1<<n) == 0 })
}

// returns reports whether the walk came to one of some exits of instance i.
func (w *walk) returns(i pta.InstID, by func(*flow.Block) bool) bool {
	if w.exhausted {
		return true
	}
	f := w.a.w.Flow(i)
	if f == nil {
		return false
	}
	for b := range f.Blocks {
		if blk := &f.Blocks[b]; blk.Exit && by(blk) && w.at(i, f.Last(int32(b))) != 0 {
			return true
		}
	}
	return false
}

// byArgument reports whether instance c, with several callers, synchronises on
// what it is passed.
func (a *Analysis) byArgument(c pta.InstID) bool {
	if v := a.passed[c]; v != unasked {
		return v == yes
	}
	v := false
	if f := a.w.Flow(c); f != nil && f.Sync && len(a.in.Callers(c)) > 1 {
		for k := range f.Steps {
			st := &f.Steps[k]
			if st.Kind != flow.Call && len(st.Args) > 0 {
				_, ok := parameter(f.Path(st.Args[0]))
				v = v || ok
			}
		}
	}
	a.passed[c] = answerOf(v)
	return v
}

// parameter returns the number of the parameter that a path without loads is
// rooted in.
func parameter(p flow.Path) (int, bool) {
	k, ok := p.Param()
	return k, ok && !strings.ContainsAny(p.Sels, "*~[")
}

// operandOf returns what the operand of n may be, given the call that led to it: where
// that does not matter, one of those in view.
func (a *Analysis) operandOf(n *op) []pta.Loc {
	locs := a.operand(n.inst, n.site, n.k)
	k, ok := parameter(n.path)
	if !ok || len(locs) < 2 {
		return locs
	}
	calls := []pta.Site{n.via}
	if n.via == noSite {
		calls = nil
		for _, i := range a.copiesOf(n.inst) {
			calls = append(calls, a.in.Callers(i)...)
		}
	}
	passed := make(map[int]bool)
	for _, c := range calls {
		if !a.passesArguments(c) {
			return locs
		}
		for _, l := range a.operand(c.Inst, c.At, k) {
			passed[a.w.Object(l).ID] = true
		}
	}
	var out []pta.Loc
	for _, l := range locs {
		if passed[a.w.Object(l).ID] {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return locs
	}
	return out
}

// passesArguments reports whether a site calls or starts functions with its own arguments.
func (a *Analysis) passesArguments(c pta.Site) bool {
	f := a.w.Flow(c.Inst)
	return f != nil && !slices.ContainsFunc(f.StepsAt(c.At), func(k int32) bool {
		return f.Steps[k].Kind != flow.Call && f.Steps[k].Kind != flow.Spawn || f.Steps[k].Op != library.OpNone || f.Steps[k].Body >= 0
	})
}

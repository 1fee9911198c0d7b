package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// An op is a synchronisation operation of an instance.
type op struct {
	id   int32
	inst pta.InstID
	f    *flow.Func
	step int32 // -1 for a case of a select
	// after lists the gaps at which a select's case has happened.
	after []flow.Gap
	kind  opKind
	lib   library.Op
	site  ssair.Instr
	k     int
	locs  []pta.Loc // sorted
	path  flow.Path
	delta int64     // of a wait group's Add
	has   bool      // delta is known
	value flow.Path // what a send sends
	joins bool      // a spawn whose body the receiver's Wait waits for
	via   pta.Site  // the call that led to it, where that matters
	// timers lists where the timers are made that it operates on.
	timers []pta.Site
	means  *meaning // see meaningOf
}

type opKind uint8

const (
	opSend opKind = iota
	opRecv
	opClose
	opOther
	opFlag // a store to a plain flag
)

// synchronising calls do for the view's instances that synchronise themselves.
func (a *Analysis) synchronising(do func(pta.InstID, *flow.Func)) {
	for _, i := range a.in.Syncing() {
		if f := a.w.Flow(i); f != nil && f.Sync {
			do(i, f)
		}
	}
}

// findOps lists the operations of the view's instances.
func (a *Analysis) findOps() {
	ops := make(map[pta.Loc][]*op)
	a.notified = make(map[pta.Loc]bool)
	a.synchronising(func(i pta.InstID, f *flow.Func) {
		for s := range f.Steps {
			st := &f.Steps[s]
			o := op{inst: i, f: f, step: int32(s), site: st.Site, lib: st.Op, kind: opOther, via: noSite}
			switch st.Kind {
			case flow.Send:
				o.kind, o.value = opSend, f.Path(st.Value)
			case flow.Recv:
				o.kind = opRecv
			case flow.Close:
				o.kind = opClose
			case flow.Sync, flow.Spawn, flow.Parallel:
				if !orders(st.Op) && !st.Join {
					continue
				}
				o.delta, o.has = st.Const, st.HasConst
				a.bubbles = a.bubbles || st.Op == library.OpBubbleWait
				o.joins = st.Kind == flow.Spawn && st.Join
				if st.Op == library.OpNotify {
					o.kind = opSend
				}
			default:
				if st.Op == library.OpNone {
					a.dynamicOps(i, f, int32(s))
					continue
				}
			}
			if len(st.Args) > 0 {
				o.path = f.Path(st.Args[0])
			}
			found := o // most steps are none
			a.addOp(&found)
		}
		a.selectOps(i, f)
	})
	a.timerOps()
	a.rename()
	for _, o := range a.allOps {
		for _, l := range o.locs {
			if o.lib == library.OpNotify {
				a.notified[a.w.Object(l).Canon] = true
			}
			ops[l] = append(ops[l], o)
		}
	}
	a.ops = ops
	a.findFlags()
}

// dropBeta forgets what a second iteration would do, where there is none.
func (a *Analysis) dropBeta() {
	beta := func(o *op) bool { return a.w.Thread(o.inst) == model.Beta }
	a.allOps = slices.DeleteFunc(a.allOps, beta)
	for l, ops := range a.ops {
		a.ops[l] = slices.DeleteFunc(ops, beta)
	}
	clear(a.dead)
	a.doneTo, a.byCanon = nil, nil
	for _, fr := range a.frames.list {
		// What was blocked may be so no more, and the reverse.
		fr.inner, fr.below = nil, [2]*idset.Set[frameID]{}
		clear(fr.idleEdge)
	}
	a.tells, a.asks, a.opsByInst, a.takes, a.ofElements = nil, nil, nil, nil, nil
}

// orders reports whether an operation may be one that waits, or one that is
// waited for. Locks are another stage's.
func orders(op library.Op) bool {
	switch op {
	case library.OpNone, library.OpLock, library.OpUnlock, library.OpRLock, library.OpRUnlock, library.OpTryLock, library.OpTryRLock,
		library.OpCondWait, library.OpCondSignal, library.OpCondBroadcast, library.OpPoolGet, library.OpPoolPut,
		library.OpMapLoad, library.OpMapTake, library.OpMapStore, library.OpMapRange, library.OpSleep:
		return false
	}
	return true
}

// findUseful computes the objects by which an access of the races may be
// awaited: those that the iterations synchronise on, those of the other
// threads that hold an access, and those of every thread that works on one of
// these. What else synchronises need not be walked into.
func (a *Analysis) findUseful(insts []pta.InstID) {
	a.useful = make(map[pta.Loc]bool)
	byList := make(map[int32][]*op)             // by the threads that do them
	joined := make(map[pta.InstID][]*op)        // those that tell a group of the thread
	joins := func(o *op, do func(pta.InstID)) { // for each thread of whose end o tells a group
		if o.joins {
			for _, c := range a.in.CalleesAt(o.inst, o.site) {
				do(c)
			}
		}
	}
	for _, o := range a.allOps {
		n := a.in.ThreadsID(o.inst)
		byList[n] = append(byList[n], o)
		joins(o, func(c pta.InstID) { joined[c] = append(joined[c], o) })
	}
	listsOf := listsByThread(a, byList)
	var found []pta.Loc                // useful, and what is done with them is still to be looked at
	var noted, looked idset.Set[int32] // operations, each of which is on many locations
	add := func(o *op) {
		if !noted.Add(o.id) {
			return
		}
		for _, l := range o.locs {
			for _, m := range [2]pta.Loc{l, a.w.Object(l).Canon} { // as Main may wait for it
				if !a.useful[m] {
					a.useful[m] = true
					found = append(found, m)
				}
			}
		}
	}
	// Each list of threads is looked at once, and so is each thread: a hundred threads run
	// what others run too.
	var threads idset.Set[pta.InstID]
	var added, asked idset.Set[int32]
	use := func(t pta.InstID) {
		if a.up[t] || !a.begun.has.Has(t) && joined[t] == nil || !threads.Add(t) {
			return
		}
		for _, n := range listsOf[t] {
			if added.Add(n) {
				for _, o := range byList[n] {
					add(o)
				}
			}
		}
		for _, o := range joined[t] {
			add(o)
		}
	}
	for _, o := range a.allOps {
		body := false // of a group that is joined
		joins(o, func(c pta.InstID) { body = body || a.w.Thread(c) != model.Main || a.relevant.Has(c) })
		if body || a.w.Thread(o.inst) != model.Main {
			add(o)
		}
	}
	for _, t := range a.begun.list {
		if a.relevant.Has(t) {
			use(t)
		}
	}
	for _, t := range sortedKeys(joined) {
		if a.relevant.Has(t) {
			use(t)
		}
	}
	for len(found) > 0 {
		l := found[len(found)-1]
		found = found[:len(found)-1]
		for _, o := range a.ops[l] {
			if o.kind == opFlag || !looked.Add(o.id) {
				continue
			}
			add(o) // what else it may be on: who tells by that may be the one who is heard
			joins(o, use)
			if n := a.in.ThreadsID(o.inst); asked.Add(n) {
				for _, t := range a.in.ThreadList(n) {
					use(t)
				}
			}
		}
	}
	var sync []pta.InstID
	for _, o := range a.allOps {
		if a.isUseful(o) {
			sync = append(sync, o.inst)
		}
	}
	a.in.LeadTo(a.syncful, sync)
}

func (a *Analysis) isUseful(o *op) bool {
	return o.kind == opFlag || slices.ContainsFunc(o.locs, func(l pta.Loc) bool { return a.useful[l] })
}

// dynamicOps adds what a call through an interface does if it resolves to a
// modelled operation.
func (a *Analysis) dynamicOps(i pta.InstID, f *flow.Func, s int32) {
	st := &f.Steps[s]
	for _, c := range a.in.CalleesAt(i, st.Site) {
		if lib := a.w.Library(c); lib != nil && orders(lib.Op) {
			o := &op{inst: i, f: f, step: s, site: st.Site, lib: lib.Op, kind: opOther, via: noSite}
			if len(st.Args) > 0 {
				o.path = f.Path(st.Args[0])
			}
			a.addOp(o)
		}
	}
}

func (a *Analysis) selectOps(i pta.InstID, f *flow.Func) {
	add := func(ev *flow.Event, after flow.Gap) {
		o := &op{inst: i, f: f, step: -1, site: ev.Site, k: ev.Operand, kind: opRecv, after: []flow.Gap{after}, path: f.Path(ev.Path), via: noSite}
		if ev.Send {
			o.kind, o.value = opSend, f.Path(ev.Value)
		}
		a.addOp(o)
	}
	for b := range f.Blocks {
		for _, e := range f.Blocks[b].Succs {
			for k := range e.Events {
				if ev := &e.Events[k]; ev.Kind == flow.CaseTaken {
					add(ev, f.First(e.To))
				}
			}
		}
	}
	for k := range f.Untested {
		ev := &f.Untested[k]
		add(ev, f.GapOf(ev.Site)+1) // after its mark
	}
}

func (a *Analysis) addOp(o *op) {
	o.id = int32(len(a.allOps))
	o.locs = a.operand(o.inst, o.site, o.k)
	a.allOps = append(a.allOps, o)
}

// single reports whether there is one goroutine, started outside all loops of its function.
func (a *Analysis) single() bool {
	return len(a.set.Races) > 0 && a.set.Races[0].Loop != nil && a.set.Races[0].Loop.Single
}

// maxCopied bounds the calls between what has copies and the loop whose rounds it has them for.
const maxCopied = 20

// ofOwnRounds reports whether an instance of which there are copies is there for what rounds of the
// analysed loop call, rather than those of another one, which runs the loop.
func (a *Analysis) ofOwnRounds(i pta.InstID) bool {
	for depth := 0; len(a.copiesOf(i)) > 1; depth++ {
		callers := a.in.Callers(i)
		if len(callers) != 1 || depth == maxCopied {
			return true
		}
		i = callers[0].Inst
	}
	return slices.ContainsFunc(a.spawns, func(s pta.Site) bool { return s.Inst == i })
}

// operand returns what an operand may point to, sorted. The list must not be
// changed. Every class asks it of every place.
func (a *Analysis) operand(i pta.InstID, at ssair.Instr, k int) []pta.Loc {
	key := operandKey{i, at, k}
	if locs, ok := a.operands[key]; ok {
		return locs
	}
	var locs []pta.Loc
	copies := a.copiesOf(i) // of any round, as in the spawner's own code
	if len(copies) > 1 && (a.single() || !a.ofOwnRounds(i)) {
		copies = []pta.InstID{i} // the rounds are those of another loop, and each starts goroutines of its own
	}
	for _, j := range copies {
		locs = append(locs, a.w.Operand(j, at, k)...)
	}
	slices.Sort(locs)
	locs = a.asRenamed(slices.Compact(locs))
	if a.ops != nil { // what is renamed is known
		if a.operands == nil {
			a.operands = make(map[operandKey][]pta.Loc)
		}
		a.operands[key] = slices.Clip(locs)
	}
	return locs
}

type operandKey struct {
	inst pta.InstID
	at   ssair.Instr
	k    int
}

// startAfter adds to w the positions right after o.
func (w *walk) startAfter(o *op) *walk {
	if o.step >= 0 {
		return w.fromStep(o.inst, o.step)
	}
	for _, g := range o.after {
		w.from(o.inst, g)
	}
	return w
}

// reachesOp reports whether the walk came to o.
func (w *walk) reachesOp(o *op) bool {
	if o.step >= 0 {
		return w.reachesStep(o.inst, o.step)
	}
	return w.reaches(o.inst, o.site)
}

// matching returns the operations on any of the locations, each once, in order: if there
// are none, or in doubt, those on what other names they have.
func (a *Analysis) matching(locs []pta.Loc, keep func(*op) bool) []*op {
	var out []*op
	for _, l := range locs {
		for _, o := range a.ops[l] {
			if keep(o) {
				out = append(out, o)
			}
		}
	}
	if len(out) == 0 || a.doubtful {
		for _, l := range locs {
			for _, o := range a.otherNames()[a.w.Object(l).Canon] {
				if keep(o) {
					out = append(out, o)
				}
			}
		}
	}
	slices.SortFunc(out, func(x, y *op) int { return int(x.id - y.id) })
	return slices.Compact(out)
}

// otherNames has the operations on channels, and in doubt those on whatever else, by all names that these have.
func (a *Analysis) otherNames() map[pta.Loc][]*op {
	if a.byCanon == nil {
		a.byCanon = make(map[pta.Loc][]*op)
		for _, o := range a.allOps {
			if !a.doubtful && o.kind != opSend && o.kind != opRecv && o.kind != opClose {
				continue
			}
			for _, l := range o.locs {
				c := a.w.Object(l).Canon
				a.byCanon[c] = append(a.byCanon[c], o)
			}
		}
	}
	return a.byCanon
}

// key names an object in a way that does not tell apart the two copies that a
// split loop makes of its allocation: the object of this round and of others.
type key struct {
	alloc pta.Site
	field string
	loc   pta.Loc
}

func (a *Analysis) key(l pta.Loc) key {
	o := a.w.Object(l)
	if o.Alloc.Inst >= 0 && o.Alloc.At >= 0 {
		return key{a.birthOf(l), o.Field, 0}
	}
	return key{noSite, o.Field, l}
}

// findBirths collects the allocations, in the spawner's threads, of objects of
// which each round may have its own.
func (a *Analysis) findBirths() {
	a.births = make(map[pta.InstID][]ssair.Instr)
	for _, o := range a.allOps {
		for _, l := range o.locs {
			if !a.useful[l] {
				continue
			}
			x := a.w.Object(l)
			if x.Alloc.Inst < 0 || x.Alloc.At < 0 || a.w.Thread(x.Alloc.Inst) != model.Main || slices.Contains(a.births[x.Alloc.Inst], x.Alloc.At) {
				continue
			}
			a.births[x.Alloc.Inst] = append(a.births[x.Alloc.Inst], x.Alloc.At)
		}
	}
}

// dropBirths forgets the allocations that tell a walk nothing: of objects, other
// than channels and what is counted down, of which a round has not its own. A WaitGroup that the spawner makes
// for goroutines of other loops says nothing of the next round's channels.
func (a *Analysis) dropBirths() {
	told := make(map[pta.Site]bool)
	for _, o := range a.allOps {
		for _, l := range o.locs {
			if !a.useful[l] {
				continue
			}
			x := a.w.Object(l)
			s := a.birthOf(l)
			told[s] = told[s] || slices.Contains(a.births[x.Alloc.Inst], x.Alloc.At) && (o.kind != opOther || lowers(o) || a.perRound(l))
		}
	}
	for _, i := range sortedKeys(a.births) {
		left := slices.DeleteFunc(a.births[i], func(at ssair.Instr) bool { return !told[pta.Site{Inst: a.copyOf(i), At: at}] })
		if a.births[i] = left; len(left) == 0 {
			delete(a.births, i)
		}
		if fr := a.frames.at.Get(i); fr != nil {
			a.noteBirths(fr)
		}
	}
}

// external reports whether code that is not in view may operate on l.
func (a *Analysis) external(l pta.Loc) bool {
	o := a.w.Object(l)
	switch o.Kind {
	case "parameter", "unknown", "result", "func":
		return true
	}
	return o.ID < 0
}

// neverTaken reports whether an edge is that of a select's case whose channel
// is never ready (C5), that on which a channel is closed that nothing closes, that on which an acquisition has
// failed that cannot, or that on which a call has returned what it never does.
func (a *Analysis) neverTaken(i pta.InstID, f *flow.Func, e *flow.Edge) bool {
	for k := range e.Events {
		switch ev := &e.Events[k]; {
		case ev.Kind == flow.CaseTaken && a.blocked(i, ev.Site, ev.Operand, ev.Send),
			ev.Kind == flow.RecvClosed && a.neverClosed(i, ev.Site, ev.Operand),
			ev.Kind == flow.Returned && ev.Op == library.OpSemAcquire && flow.Outcome(ev.Const) == flow.NonZero &&
				slices.ContainsFunc(f.StepsAt(ev.Site), func(k int32) bool { return a.succeeds(i, &f.Steps[k]) }),
			ev.Kind == flow.Returned && a.neverReturns(i, f, ev),
			a.noneFails && ev.Kind == flow.Failed,
			a.doubtful && a.againstStart(i, f, ev):
			return true
		}
	}
	return false
}

// neverReturns reports whether nothing that a call may run returns with the outcome that an event tells of: the body of a
// range over an iterator that is never left early always asks for more (soundness: symbolic-opaque).
func (a *Analysis) neverReturns(i pta.InstID, f *flow.Func, ev *flow.Event) bool {
	key := untoldKey{i, ev.Site, ev.Const}
	if v := a.untold[key]; v != unasked {
		return v == yes
	}
	some, none := false, true
	for _, k := range f.StepsAt(ev.Site) {
		none = none && f.Steps[k].Kind == flow.Call && f.Steps[k].Body < 0
		for _, c := range a.in.Callees(i, f, k) {
			some = true
			none = none && a.alwaysTells(c, flow.Zero+flow.NonZero-flow.Outcome(ev.Const))
		}
	}
	if a.untold == nil {
		a.untold = make(map[untoldKey]answer)
	}
	a.untold[key] = answerOf(some && none)
	return some && none
}

// An untoldKey is a question to neverReturns.
type untoldKey struct {
	inst    pta.InstID
	at      ssair.Instr
	outcome int64
}

// alwaysTells reports whether a function returns with one outcome, whenever it does.
func (a *Analysis) alwaysTells(i pta.InstID, o flow.Outcome) bool {
	f := a.w.Flow(i)
	if f == nil {
		return false
	}
	returns := false
	for k := range f.Blocks {
		if b := &f.Blocks[k]; b.Exit {
			if returns = true; b.Outcome != o {
				return a.doubtful && a.tellsSinceStart(i, f, o)
			}
		}
	}
	return returns
}

// blocked reports whether an operation on a channel blocks for ever: a receive
// from one that nobody sends to or closes, a send to an unbuffered one that
// nobody receives from. Only channels whose every use is in view count.
func (a *Analysis) blocked(i pta.InstID, at ssair.Instr, k int, send bool) bool {
	kinds := uint(1<<opSend | 1<<opClose)
	if send {
		kinds = 1 << opRecv
	}
	return a.nobody(i, at, k, kinds)
}

// neverClosed reports whether nothing in view closes the channel that is received from at a site (soundness: roots-apart).
func (a *Analysis) neverClosed(i pta.InstID, at ssair.Instr, k int) bool {
	return a.nobody(i, at, k, 1<<opClose)
}

// nobody reports whether nothing in view does operations of some kinds, as bits, to a channel that is an operand at
// a site: where receives are asked for, to one without a buffer.
func (a *Analysis) nobody(i pta.InstID, at ssair.Instr, k int, kinds uint) bool {
	if a.ops == nil {
		return false // still being collected
	}
	key := nobodyKey{i, at, k, kinds}
	if v := a.dead[key]; v != unasked {
		return v == yes
	}
	locs := a.operand(i, at, k)
	v := len(locs) > 0 && !slices.ContainsFunc(locs, func(l pta.Loc) bool {
		known := a.capacity(l) >= 0 || a.madeHere(l)
		if kinds == 1<<opRecv {
			known = a.capacity(l) == 0
		}
		return a.external(l) || !known || a.doneToChan(l)&kinds != 0
	})
	a.dead[key] = answerOf(v)
	return v
}

// A nobodyKey is a question to nobody.
type nobodyKey struct {
	inst  pta.InstID
	at    ssair.Instr
	k     int
	kinds uint
}

// doneToChan returns the kinds of operations, as bits, that are done to a channel under
// any name: of what an iteration reaches through its own element it sees a view, and
// answers by that where Main waits for the channel itself.
func (a *Analysis) doneToChan(l pta.Loc) uint {
	if a.doneTo == nil {
		a.doneTo = make(map[pta.Loc]uint)
		for _, o := range a.allOps {
			for _, l := range o.locs {
				a.doneTo[a.w.Object(l).Canon] |= 1 << o.kind
			}
		}
	}
	return a.doneTo[a.w.Object(l).Canon]
}

// madeHere reports whether l is a channel that analysed code makes.
func (a *Analysis) madeHere(l pta.Loc) bool {
	o := a.w.Object(l)
	f := a.w.Flow(o.Alloc.Inst)
	if o.Alloc.Inst < 0 || f == nil {
		return false
	}
	for _, m := range f.Makes {
		if m.At == o.Alloc.At {
			return true
		}
	}
	return false
}

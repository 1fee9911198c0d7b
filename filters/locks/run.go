package locks

import (
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A summary is the effect of a call relative to the callee's entry, in the
// callee's frame.
type summary struct {
	gen   []Held   // must be held at every return, acquired since entry
	kills released // may have been released without having been acquired since, or again
	exits bool     // returns at all
	never bool     // returns as a state that is never says
	// by holds the effect of the returns with one outcome, where exits differ
	// in it: a function may say in its result whether it holds the lock.
	by map[flow.Outcome]*summary
}

// of returns the effect of the returns with outcome o. Who does not look at the
// outcome could not know which locks it still holds: it relies on the outcome
// that keeps them (soundness: ignored-outcome).
func (s *summary) of(o flow.Outcome, ignored bool) *summary {
	x, y := s.by[flow.Zero], s.by[flow.NonZero]
	if ignored && x != nil && x.exits && y.exits && !x.never && !y.never {
		return &summary{gen: s.gen, exits: true, kills: slices.DeleteFunc(slices.Clone(s.kills), func(h *Held) bool {
			return !h.Flag && (!x.kills.has(h) || !y.kills.has(h))
		})}
	}
	if t := s.by[o]; t != nil {
		return t
	}
	return s
}

// summarize returns the effect of instance i. A recursive call has the effect
// of the paths without recursion, which a well-formed function shares.
func (a *Analysis) summarize(i pta.InstID) *summary {
	if s := a.summary.Get(i); s != nil {
		if _, supposed := a.onTrial[i]; supposed {
			a.onTrial[i] = true
		}
		return s
	}
	s := &summary{exits: true}
	a.setSummary(i, s) // in progress: no effect
	if !a.lockish.Get(i) || a.w.Flow(i) == nil {
		return s
	}
	if l, k := a.shared(i); l.as != nil {
		s = l.as.summary[k]
		a.setSummary(i, s)
		return s
	}
	if own := a.summary.Get(i); own != s {
		return own // found meanwhile, see tryAlike
	}
	if a.asks != nil {
		outer := a.asking
		defer func() { a.asking = outer }()
		a.asking = new(questions)
		a.asks.Set(i, a.asking)
	}
	*s = *a.effect(i)
	return s
}

// effect finds what instance i does, which is not known.
func (a *Analysis) effect(i pta.InstID) *summary {
	f := a.w.Flow(i)
	states := a.run(i, f, &state{relative: true})
	exits := func(o flow.Outcome) *summary {
		var out *state
		for b := range f.Blocks {
			blk := &f.Blocks[b]
			if !blk.Exit || o != flow.AnyOutcome && blk.Outcome != flow.AnyOutcome && blk.Outcome != o {
				continue
			}
			end := states[int32(b)+blk.Hi]
			if end != nil && o != flow.AnyOutcome && blk.Tail != ssair.NoInstr {
				end = a.returned(i, f, int32(b), &flow.Event{Site: blk.Tail, Const: int64(o)}, states, end)
			}
			out = a.meet(out, end)
		}
		if out == nil {
			return &summary{}
		}
		return &summary{gen: out.held, kills: out.missing, exits: true, never: out.never}
	}
	s := exits(flow.AnyOutcome)
	for b := range f.Blocks {
		if blk := &f.Blocks[b]; blk.Exit && (blk.Outcome != flow.AnyOutcome || blk.Tail != ssair.NoInstr && a.tells(i, blk.Tail)) {
			s.by = map[flow.Outcome]*summary{flow.Zero: exits(flow.Zero), flow.NonZero: exits(flow.NonZero)}
			break
		}
	}
	return s
}

// run computes the locks held at each gap of f for the given entry.
func (a *Analysis) run(i pta.InstID, f *flow.Func, entry *state) []*state {
	if a.overdue != nil && a.overdue() {
		panic(ErrOverdue)
	}
	states := a.runWith(i, f, entry, nil)
	if after := a.lockedByLoops(i, f, states); len(after) > 0 {
		states = a.runWith(i, f, entry, after)
	}
	return states
}

// runWith is run where some loops are known to lock all of a list.
func (a *Analysis) runWith(i pta.InstID, f *flow.Func, entry *state, after []afterLoop) []*state {
	states := make([]*state, f.NGaps())
	states[0] = entry
	late := lateSetters(f)
	// Blocks in order, repeated until stable: the sets only shrink. What changes ahead
	// is come to in the same round.
	for changed := true; changed; {
		changed = false
		for b := range f.Blocks {
			blk := &f.Blocks[b]
			g := int32(b) + blk.Lo
			s := states[g]
			if s == nil {
				continue
			}
			from := blk.First
			for k := blk.Lo; k < blk.Hi; k++ {
				s = a.stored(f, from, f.Steps[k].At, s)
				from = f.Steps[k].At
				if st := &f.Steps[k]; s.relative && a.restores(i, f, st, states) {
					s, _ = a.release(s, a.lockOf(i, f, st))
				} else {
					s = a.step(i, f, k, s)
				}
				states[int32(b)+k+1] = s
				if s == nil {
					break // does not return
				}
			}
			if s = a.stored(f, from, blk.End, s); s == nil {
				continue
			}
			s = a.deferred(i, f, int32(b), late, s)
			for k := range blk.Succs {
				e := &blk.Succs[k]
				if e.Dead {
					continue
				}
				out := a.edge(i, f, int32(b), e, states, s)
				if out == nil {
					continue // no callee returns
				}
				out = a.atEnd(f, after, int32(b), e.To, a.staleInLoop(f, int32(b), e.To, out))
				to := f.First(e.To)
				m := a.meet(states[to], out)
				if !a.equal(states[to], m) {
					states[to] = m
					changed = changed || e.To <= int32(b)
				}
			}
		}
	}
	return states
}

// edge returns the state on an edge out of block b, which ends in state s.
func (a *Analysis) edge(i pta.InstID, f *flow.Func, b int32, e *flow.Edge, states []*state, s *state) *state {
	for k := range e.Events {
		switch ev := &e.Events[k]; ev.Kind {
		case flow.Acquired:
			s = a.acquire(s, a.lock(i, f, ev.Site, ev.Path, ev.Op))
		case flow.Returned:
			s = a.returned(i, f, b, ev, states, s)
		case flow.FlagTest, flow.PlainTest:
			at := a.lookedAt(i, f, b, ev.Site, states)
			s = a.tested(i, f, ev, at, a.told(i, f, ev, s))
			if out, ok := a.took(i, f, b, ev, states, s); ok {
				s = out
			} else {
				s = a.claimedBy(i, f, ev, at, s)
			}
		case flow.MapTest:
			s = a.claimedBy(i, f, ev, a.lookedAt(i, f, b, ev.Site, states), s)
		case flow.ParamTest:
			s = a.told(i, f, ev, s)
		}
	}
	return s
}

// returned is s if the call at ev.Site, which stands in the same block, had
// the outcome that the event tells. What comes between is done again.
func (a *Analysis) returned(i pta.InstID, f *flow.Func, b int32, ev *flow.Event, states []*state, s *state) *state {
	blk := &f.Blocks[b]
	for k := blk.Lo; k < blk.Hi; k++ {
		st := &f.Steps[k]
		if st.At != ev.Site || st.Kind != flow.Call || st.Optional {
			continue
		}
		if !a.tells(i, st.Site) {
			return s
		}
		if s = a.call(i, f, k, states[b+k], flow.Outcome(ev.Const)); s == nil {
			s = a.call(i, f, k, states[b+k], flow.AnyOutcome).ifAtAll() // no callee returns so
		}
		from := st.At
		for k++; k < blk.Hi && s != nil; k++ {
			s = a.step(i, f, k, a.stored(f, from, f.Steps[k].At, s))
			from = f.Steps[k].At
		}
		return a.stored(f, from, blk.End, s)
	}
	return s
}

// tells reports whether some callee at an instruction has effects on locks
// that depend on its outcome.
func (a *Analysis) tells(i pta.InstID, at ssair.Instr) bool {
	for _, c := range a.in.CalleesAt(i, at) {
		if a.lockish.Get(c) && a.w.Library(c) == nil && a.summarize(c).by != nil {
			return true
		}
	}
	return false
}

// staleInLoop drops, on a back edge, the names of locks that depend on a
// value of the round that ends: in the next one the name means another lock.
func (a *Analysis) staleInLoop(f *flow.Func, from, to int32, s *state) *state {
	if len(s.held)+len(s.tests) == 0 || from < to {
		return s
	}
	var l *flow.Loop
	for k := range f.Loops {
		if f.Loops[k].Header == to && f.Loops[k].Has(from) {
			l = &f.Loops[k]
		}
	}
	if l == nil {
		return s
	}
	out := s.clone()
	inLoop := func(at ssair.Instr) bool { return l.Has(f.Block(at)) }
	out.tests = slices.DeleteFunc(slices.Clone(out.tests), func(t test) bool { return slices.ContainsFunc(t.path.Defined(), inLoop) })
	for k := range out.held {
		out.held[k].when = out.held[k].when.stale(inLoop)
		out.held[k].writes = out.held[k].writes.stale(inLoop)
		if p := out.held[k].Path; slices.ContainsFunc(p.Defined(), inLoop) && !a.stays(&out.held[k]) {
			out.held[k].Path = flow.Path{}
		}
		for _, at := range out.held[k].key.Defined() {
			if l.Has(f.Block(at)) {
				out.held[k].key = flow.Path{}
			}
		}
	}
	return out
}

// step applies step k; nil means that it does not return.
func (a *Analysis) step(i pta.InstID, f *flow.Func, k int32, s *state) *state {
	st := &f.Steps[k]
	var out *state
	switch {
	case st.Kind == flow.Spawn:
		out = s
		for _, c := range a.in.Callees(i, f, k) {
			if !a.lockish.Get(c) {
				continue
			}
			for _, h := range a.summarize(c).kills {
				if h.Flag || h.Claim {
					continue // under its own guard, or by who has it
				}
				out, _ = a.release(out, up(*h, a.bindings(f, st))) // handed over
			}
		}
		return out
	case st.Kind == flow.Parallel:
		return s
	case st.Kind == flow.Call:
		out = a.call(i, f, k, s, flow.AnyOutcome)
		if st.Op == library.OpOnce && out != nil {
			// Whoever ran the body, it is over, and will not run again: as if
			// from here on the Once were held for reading (soundness: once-reset).
			h := a.lockOf(i, f, st)
			h.Write = false
			out = a.acquire(out, h)
		}
	case isLockOp(st.Op):
		h := a.lockOf(i, f, st)
		takes := a.takes(pta.Site{Inst: i, At: st.Site})
		if takes == never {
			return s
		}
		h.perhaps = takes == sometimes
		if out = a.operate(s, h, st.Op); st.Op == library.OpLock || st.Op == library.OpRLock {
			out = a.withEither(f, out)
		}
	default:
		if st.Op == library.OpCondWait {
			h := opened(pta.Site{Inst: i, At: st.Site}, nil)
			out = notClaimed(notUnset(s, h)).clone()
			out.miss(h)
			return out
		}
		if a.frees(st) {
			h := a.claim(i, f, st.Site, st.Args[0])
			h.free = st.Const
			s = a.unclaim(s, h)
		}
		if st.Op == library.OpAtomicStore {
			return a.set(i, f, st, s)
		}
		return s
	}
	if st.Optional {
		return a.meet(s, out)
	}
	return out
}

// lockOf is the lock that step st of instance i operates on.
func (a *Analysis) lockOf(i pta.InstID, f *flow.Func, st *flow.Step) Held {
	return a.lockBy(i, f, st, st.Op)
}

// lockBy is lockOf where the step is known to be another operation.
func (a *Analysis) lockBy(i pta.InstID, f *flow.Func, st *flow.Step, op library.Op) Held {
	var path flow.PathID
	if len(st.Args) > 0 {
		path = st.Args[0]
	}
	return a.lock(i, f, st.Site, path, op)
}

// restores reports whether step st is a deferred release of what was acquired since
// entry where it was deferred, on some ways only: as in
//
//	if alone {
//		mu.Lock()
//		defer mu.Unlock()
//	}
//
// On others it does not run, and so it releases nothing of a caller's.
func (a *Analysis) restores(i pta.InstID, f *flow.Func, st *flow.Step, states []*state) bool {
	if !st.Optional || st.Repeat || st.At == st.Site || st.Op != library.OpUnlock && st.Op != library.OpRUnlock {
		return false
	}
	then := states[f.GapOf(st.Site)]
	if then == nil {
		return false
	}
	h := a.lockOf(i, f, st)
	return slices.ContainsFunc(then.held, func(g Held) bool {
		return g.Acq.Inst == i && g.Path.Known() && g.Path == h.Path && g.Write == h.Write && !g.Once && !g.Claim
	})
}

func (a *Analysis) operate(s *state, h Held, op library.Op) *state {
	switch op {
	case library.OpLock, library.OpRLock:
		return a.acquire(s, h)
	case library.OpUnlock, library.OpRUnlock:
		out, hit := a.release(s, h)
		if !hit {
			out = out.clone()
			out.miss(h)
			out.miss(opened(h.Acq, h.Locs))
		}
		return out
	}
	return s // TryLock: on the edge where it succeeded
}

// call composes the effects of all callees of step k, as far as they return
// with outcome o.
func (a *Analysis) call(i pta.InstID, f *flow.Func, k int32, s *state, o flow.Outcome) *state {
	st := &f.Steps[k]
	callees := a.in.Callees(i, f, k)
	var out *state
	var bs []flow.Binding
	some := false
	for _, c := range callees {
		if !a.lockish.Get(c) {
			out = a.meet(out, s)
			some = true
			continue
		}
		if lib := a.w.Library(c); lib != nil && isLockOp(lib.Op) {
			out = a.meet(out, a.operate(s, a.lockBy(i, f, st, lib.Op), lib.Op))
			some = true
			continue
		}
		sum := a.summarize(c).of(o, st.Ignored)
		if !sum.exits {
			continue
		}
		some = true
		if bs == nil && len(sum.kills)+len(sum.gen) > 0 {
			bs = a.bindings(f, st)
		}
		r := a.kill(s, sum.kills, bs)
		if len(sum.gen) > 0 {
			names := slices.Concat(bs, a.results(f, st, c))
			for _, g := range sum.gen {
				if g.decided(f, st, names) {
					r = a.acquire(r, a.upAcquired(g, names))
				}
			}
		}
		if sum.never {
			r = r.ifAtAll()
		}
		out = a.meet(out, r)
	}
	if !some && len(callees) == 0 {
		if st.Locker == library.OpNone {
			return s
		}
		out = a.operate(s, a.lockBy(i, f, st, st.Locker), st.Locker)
		if st.Locker == library.OpLock || st.Locker == library.OpRLock {
			out = a.withEither(f, out)
		}
		return out
	}
	if !some {
		return nil
	}
	return out
}

// kill is s after a callee that may have released some locks, which bs names in
// the caller's frame.
func (a *Analysis) kill(s *state, kills released, bs []flow.Binding) *state {
	if len(s.held) == 0 && !s.relative {
		return s
	}
	if len(s.held) == 0 && !slices.ContainsFunc(kills, (*Held).named) {
		// As most calls are: nothing is hit, and nothing has another name here.
		if all := s.missing.and(kills); len(all) > len(s.missing) {
			s = s.clone()
			s.missing = all
		}
		return s
	}
	// What is missing is put together at the end: functions that lead to a whole
	// database may release dozens of locks, and each of them had the list copied.
	var missing []*Held
	miss := func(h *Held) {
		if s.relative {
			missing = append(missing, h)
		}
	}
	r := s
	for _, k := range kills {
		k = upKept(k, bs)
		hit := false
		switch {
		case len(r.held) == 0:
		case k.open:
			r = notClaimed(notUnset(r, *k))
		case k.Flag:
			r = mayUnset(r, *k)
		case k.Claim:
			if slices.ContainsFunc(r.held, func(g Held) bool { return mayBeClaim(&g, k) }) {
				r, hit = a.unclaim(r, *k), true
			}
		default:
			r, hit = a.release(r, *k)
		}
		if !hit {
			miss(k)
		}
	}
	if all := s.missing.and(releasing(missing)); len(all) > len(s.missing) {
		r = r.clone()
		r.missing = all
	}
	return r
}

// upKept is up of what is not changed by it in most cases: what a callee of callees
// releases has no name here.
func upKept(h *Held, bs []flow.Binding) *Held {
	if !h.named() {
		return h
	}
	g := up(*h, bs)
	return &g
}

// named reports whether something of a lock has a name in the frame that it is known in.
func (h *Held) named() bool {
	return h.Path.Known() || h.key.Known() || h.owner != (owner{}) || h.when != nil || h.writes != nil
}

// up gives h the name that it has in a caller's frame, or none.
func up(h Held, bs []flow.Binding) Held {
	p, ok := flow.Up(h.Path, bs)
	if !ok {
		p = flow.Path{}
	}
	h.Path, h.owner = p, owner{}
	rename := func(p flow.Path) (flow.Path, bool) { return flow.Up(p, bs) }
	h.when, h.writes = h.when.renamed(rename), h.writes.renamed(rename)
	if h.key, ok = flow.Up(h.key, bs); !ok {
		h.key = flow.Path{}
	}
	return h
}

// upAcquired is up of a lock that a callee has acquired. Where the callee sets the pointer to
// the lock first, if it is nil, the caller has a name for it but for the time of the load,
// which does not matter if the pointer stays as it is (soundness: set-once).
func (a *Analysis) upAcquired(h Held, bs []flow.Binding) Held {
	out := up(h, bs)
	if !out.Path.Known() && h.Path.Known() && h.Path == h.Orig && !strings.ContainsAny(h.Path.Sels, "[#^") && !a.reset(&h) {
		if p, ok := flow.Up(h.Path.Loose(), bs); ok {
			out.Path = p
		}
	}
	return out
}

// indexed reports whether a path leads to an element, or a part of one, without a
// pointer in between.
func indexed(p flow.Path) bool {
	if strings.IndexByte(p.Sels, '[') < 0 {
		return false
	}
	depth := 0
	for i := len(p.Sels) - 1; i >= 0; i-- {
		switch p.Sels[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return true
			}
		case '*', '~':
			if depth == 0 {
				return false
			}
		}
	}
	return false
}

// entered is what a callee finds held when step st of instance i calls it.
func (a *Analysis) entered(i pta.InstID, f *flow.Func, st *flow.Step, s *state) *state {
	if len(s.held) == 0 && st.Op != library.OpOnce && !s.never {
		return nothingHeld
	}
	if s.kept && st.Op != library.OpOnce && a.common != nil {
		return a.common.below(st, s, func() *state { return a.enteredBy(i, f, st, s) })
	}
	return a.enteredBy(i, f, st, s)
}

func (a *Analysis) enteredBy(i pta.InstID, f *flow.Func, st *flow.Step, s *state) *state {
	out := &state{never: s.never, held: make([]Held, 0, len(s.held))}
	bs := a.bindings(f, st)
	for _, h := range withoutParams(s.held) {
		h.above = h.above || h.Claim && len(h.lent) == 0 && st.Kind != flow.Spawn
		out.held = append(out.held, down(h, bs))
	}
	if st.Op == library.OpOnce {
		// At most one call runs the body, and the others wait for it.
		once := a.lockOf(i, f, st)
		out = a.acquire(out, down(once, bs))
		for _, c := range a.in.CalleesAt(i, st.Site) {
			for _, w := range a.bodyFlags[c] {
				out = a.acquire(out, Held{Write: true, Once: true, Flag: true, Guard: &once, Acq: pta.Site{Inst: w.inst, At: w.site}, Locs: w.locs})
			}
		}
	}
	return out
}

// nothingHeld is what most callees find.
var nothingHeld = &state{}

// bindings is f.Bindings, which is asked again for each way to an access.
func (a *Analysis) bindings(f *flow.Func, st *flow.Step) []flow.Binding {
	bs, ok := a.bound[st]
	if !ok {
		bs = f.Bindings(st)
		a.bound[st] = bs
	}
	return bs
}

// results relates what a call yields to the names that the callee has for it: a lock that
// it has acquired may be one of the object that it returns.
func (a *Analysis) results(f *flow.Func, st *flow.Step, c pta.InstID) []flow.Binding {
	callee := a.w.Flow(c)
	if callee == nil {
		return nil
	}
	var out []flow.Binding
	for k, id := range callee.Returned {
		p := callee.Path(id)
		if at, ok := f.ResultAt(st.Site, k, len(callee.Returned)); ok && p.Known() {
			out = append(out, flow.Binding{Caller: flow.ValueAt(at), Callee: p})
		}
	}
	return out
}

// AtSite returns the locks that must be held at an instruction.
func (a *Analysis) AtSite(s pta.Site) []Held { return a.at(s.Inst, s.At) }

// anyOf is At, with what is held under a test only.
func (a *Analysis) anyOf(x *model.Access) []Held {
	return a.anyAt(pta.InstID(x.Inst), ssair.Instr(x.Instr))
}

// At returns the locks that must be held at an access.
func (a *Analysis) At(x *model.Access) []Held { return a.at(pta.InstID(x.Inst), ssair.Instr(x.Instr)) }

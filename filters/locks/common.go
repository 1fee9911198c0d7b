package locks

import (
	"reflect"
	"slices"
	"sync"

	"github.com/iterace/iterace/internal/pages"
	"github.com/iterace/iterace/internal/scc"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file has what is the same for all loops: what an instance of the base does to
// locks, where nothing that it leads to is another in the view of a loop. That is most of
// a program, and each loop worked it out for itself.
//
// The view of a loop differs from the base in what its spawners run, in flags that only
// stand-ins set or test, and in the answers to a few questions: whether a lock's name
// means the same lock while the loop runs, whether two operands are one cell. Effects are
// found once, in the view of no loop, in which nobody writes anything beside what is
// looked at; with them what was asked, and the answers. Where a view gives another answer
// there is a version of what leads there, for that answer (versions.go), or the view works it
// out for itself.

// A Common has what instances of the base do to locks, for all loops of a solution.
// Several goroutines may use it.
type Common struct {
	size   int // of the base, in instances
	mu     sync.Mutex
	a      *Analysis // in the view of no loop
	finder scc.Finder[pta.InstID]
	comps  pages.Table[pta.InstID, *component]
	calls  map[pta.InstID][]pta.InstID // of instances whose component is not complete
	found  map[belowKey]*state         // see below
	others map[*component][]*component // the versions of a component, see version
	passes map[instrOf]bool            // see mayPass
	stated []*component                // those that have states
	kept   int                         // what these hold, in locks
	most   int                         // the bound of that
}

// An instrOf is an instruction of a function.
type instrOf struct {
	f  *flow.Func
	at ssair.Instr
}

// A component is a set of instances that call each other, or one alone. It does not
// change once it is found, but for states.
type component struct {
	insts   []pta.InstID   // in order
	leads   [][]*component // by instance: what it calls, but for the component itself
	asks    []*questions   // by instance: what its summary rests on
	summary []*summary
	again   []*summary                      // see Common.again
	states  map[pta.InstID][]*enteredStates // see entered

	// Of a version:
	answers answers                   // to some of what is asked
	lead    map[*component]*component // versions of what it leads to
}

// An enteredStates has the states at the gaps of an instance for what it finds held.
type enteredStates struct {
	entry  *state
	states []*state
	asks   *questions
}

// NewCommon prepares what loops have in common; w is the view of no loop. States with more locks than kept, if that is
// not 0, are not kept at the same time: it makes no difference to what is found.
func NewCommon(w World, kept int) *Common {
	if kept == 0 {
		kept = maxKept
	}
	c := &Common{
		size:   len(w.Instances()),
		most:   kept,
		a:      New(w),
		calls:  make(map[pta.InstID][]pta.InstID),
		found:  make(map[belowKey]*state),
		others: make(map[*component][]*component),
		passes: make(map[instrOf]bool),
	}
	c.a.asks = new(pages.Table[pta.InstID, *questions])
	c.finder.Next = func(i pta.InstID, visit func(pta.InstID)) {
		c.calls[i] = c.callees(i)
		for _, j := range c.calls[i] {
			visit(j)
		}
	}
	c.finder.Found = func(insts []pta.InstID, _ bool) { c.complete(slices.Clone(insts)) }
	return c
}

// effects returns the component of an instance of the base.
func (c *Common) effects(i pta.InstID) *component {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finder.Visit(i)
	return c.comps.Get(i)
}

// complete works out what a component does; what it leads to is known. Of functions that
// call each other the first by number is the one that is looked at first, whoever asks: a
// recursive call has the effect of the paths without recursion.
func (c *Common) complete(insts []pta.InstID) {
	slices.Sort(insts)
	x := &component{insts: insts}
	for _, i := range insts {
		c.comps.Set(i, x)
	}
	c.workOut(x)
	for _, i := range insts {
		var leads []*component
		for _, j := range c.calls[i] {
			if y := c.comps.Get(j); y != x && !slices.Contains(leads, y) {
				leads = append(leads, y)
			}
		}
		x.leads = append(x.leads, leads)
		delete(c.calls, i)
	}
}

// workOut notes what the instances of a component do, in order, and what that rests on.
func (c *Common) workOut(x *component) {
	for _, i := range x.insts {
		x.summary = append(x.summary, c.a.summarize(i))
		x.asks = append(x.asks, c.a.asks.Get(i))
	}
}

// again returns what the k-th instance of a component does if all of the component do what
// is known of them: what a recursive call was taken for when it was not known yet is forgotten.
func (c *Common) again(x *component, k int) *summary {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.again == nil {
		x.again = make([]*summary, len(x.insts))
	}
	if x.again[k] == nil {
		c.within(x, func() { x.again[k] = c.a.effect(x.insts[k]) })
	}
	return x.again[k]
}

// callees lists what an instance calls or starts, as far as that works on locks.
func (c *Common) callees(i pta.InstID) (out []pta.InstID) {
	f := c.a.w.Flow(i)
	if f == nil || !c.a.lockish.Get(i) {
		return nil
	}
	for k := range f.Steps {
		for _, j := range c.a.in.Callees(i, f, int32(k)) {
			if c.a.lockish.Get(j) {
				out = append(out, j)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// entered returns the states in an instance of a component that finds something held; nil
// where too many find something else there.
func (c *Common) entered(x *component, i pta.InstID, entry *state) *enteredStates {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range x.states[i] {
		if e.entry == entry {
			return e
		}
	}
	for _, e := range x.states[i] {
		if identical(e.entry, entry) {
			return e
		}
	}
	if len(x.states[i]) == maxEntered {
		return nil
	}
	e := &enteredStates{entry: entry}
	c.within(x, func() {
		e.asks = c.a.whileAsking(func() { e.states = c.a.run(i, c.a.w.Flow(i), entry) })
	})
	if c.kept > c.most {
		for _, y := range c.stated {
			y.states = nil
		}
		c.stated, c.kept = nil, 0
		clear(c.found)
	}
	if x.states == nil {
		x.states = make(map[pta.InstID][]*enteredStates)
		c.stated = append(c.stated, x)
	}
	x.states[i] = append(x.states[i], e)
	c.keep(entry)
	for _, s := range e.states {
		c.keep(s)
	}
	return e
}

// maxKept bounds the locks in states that loops have in common, each of which takes some 300 bytes.
// What is dropped is found again where it is asked for: of a message broker with versions (see
// versions.go), 80 of 737 loops had 10 GB of it.
const maxKept = 1 << 20

// keep notes that all loops know this very state, which nobody else has yet.
func (c *Common) keep(s *state) {
	if s != nil && s != nothingHeld && !s.kept {
		s.kept = true
		c.kept += 1 + len(s.held) + len(s.due)
	}
}

// A belowKey is a call at which a state is found.
type belowKey struct {
	st *flow.Step
	s  *state
}

// below is what a callee finds of a state that all loops know, as find says: all loops then
// have that in common, too, so that to compare is to compare pointers, and what they have
// found of one is there once. Nothing in it is of one view, unless the call is that of a Once.
func (c *Common) below(st *flow.Step, s *state, find func() *state) *state {
	k := belowKey{st, s}
	c.mu.Lock()
	out, ok := c.found[k]
	c.mu.Unlock()
	if ok {
		return out
	}
	out = find()
	c.mu.Lock()
	defer c.mu.Unlock()
	if first, ok := c.found[k]; ok {
		return first
	}
	c.keep(out)
	c.found[k] = out
	return out
}

// maxEntered bounds what an instance is entered with that all loops know the states of.
const maxEntered = 4

// identical reports whether two states, neither of which is relative, say the same.
func identical(s, t *state) bool {
	if s == t {
		return true
	}
	return s.never == t.never && identicalHeld(s.held, t.held) && slices.Equal(s.tests, t.tests) && identicalHeld(s.due, t.due)
}

// identicalHeld reports whether two lists say the same. Nearly all that do not differ in who
// has acquired what.
func identicalHeld(xs, ys []Held) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if xs[i].Acq != ys[i].Acq {
			return false
		}
	}
	for i := range xs {
		if !reflect.DeepEqual(&xs[i], &ys[i]) { // not by value, which would copy both
			return false
		}
	}
	return true
}

// known reports whether an entry is about nothing but what the base knows.
func (c *Common) known(entry *state) bool {
	return !entry.relative && len(entry.missing) == 0 && !slices.ContainsFunc(entry.held, func(h Held) bool { return !c.knows(&h) }) &&
		!slices.ContainsFunc(entry.due, func(h Held) bool { return !c.knows(&h) })
}

func (c *Common) knows(h *Held) bool {
	beyond := func(s pta.Site) bool { return int(s.Inst) >= c.size }
	return !beyond(h.Acq) && !slices.ContainsFunc(h.Locs, func(l pta.Loc) bool { return !c.a.w.OfBase(l) }) && !slices.ContainsFunc(h.Through, beyond) && !slices.ContainsFunc(h.lent, beyond) &&
		!slices.ContainsFunc(h.others, beyond) && (h.Guard == nil || c.knows(h.Guard)) &&
		(h.when == nil || !beyond(h.when.load)) && (h.writes == nil || !beyond(h.writes.load))
}

// shared returns the component of an instance that is the same in this view, the number of the
// instance there, and which come to it otherwise, if there is one.
func (a *Analysis) shared(i pta.InstID) (l likeness, k int) {
	if a.common == nil || int(i) >= a.common.size {
		return likeness{}, 0
	}
	x := a.common.effects(i)
	if l = a.alike(x); l.as != nil {
		k, _ = slices.BinarySearch(x.insts, i)
	}
	return l, k
}

// A likeness is what of a component is the same in a view.
type likeness struct {
	as     *component // the component, or a version of it, that does the same, seen from outside; or nil
	inside []int      // which of its instances come to it otherwise, in order
}

// alike compares a component with what it is in this view. An instance that runs something
// else, or of whose questions the answer is another one, may do the same all the same: a
// function that starts goroutines does not hold other locks for what these run. Of a message
// broker two thirds of the program call each other, and some of it is another in each view.
func (a *Analysis) alike(x *component) likeness {
	l, known := a.likeness[x]
	if known {
		return l
	}
	if a.differ == nil {
		a.differ = a.differing()
	}
	a.likeness[x] = likeness{} // not known: who asks meanwhile works it out
	as := x
	for n := 0; as != nil; n++ {
		if inside := a.otherwise(as); len(inside) == 0 || a.tryAlike(as, inside) {
			l = likeness{as, inside}
			break
		}
		if n == maxVersions {
			break
		}
		as = a.versionOf(x, as)
	}
	a.likeness[x] = l
	return l
}

// otherwise lists which instances of a component are not what they are there in this view.
func (a *Analysis) otherwise(x *component) (inside []int) {
	for k, i := range x.insts {
		if a.differ[i] || !a.answers(x.asks[k]) || slices.ContainsFunc(x.leads[k], func(y *component) bool { return a.alike(y).as != x.leadsTo(y) }) {
			inside = append(inside, k)
		}
	}
	return inside
}

// tryAlike reports whether some instances of a component do the same in this view if the others
// do. Then all of them do: nothing else is there that could make a difference.
func (a *Analysis) tryAlike(x *component, some []int) bool {
	if len(x.insts) > 1 && 2*len(some) > len(x.insts) {
		return false // to find out would cost what it costs to do without
	}
	before := a.trial
	var tried []triedSummary
	a.trial = &tried
	for k, i := range x.insts {
		a.setSummary(i, x.summary[k])
	}
	first, one := x.insts[0], len(x.insts) == 1
	if one {
		note(&a.onTrial, first, false)
	}
	var s *summary
	ok := true
	for _, k := range some {
		s = a.effect(x.insts[k])
		if ok = reflect.DeepEqual(s, a.common.again(x, k)); !ok {
			break
		}
	}
	a.trial = before
	// Where nobody has asked for what was supposed, all that was found on the way stands: thrown away, it was found anew for
	// each caller further up, which was 60 of 71 s that one loop of a message broker took for locks.
	stands := ok || one && !a.onTrial[first]
	delete(a.onTrial, first)
	if !stands {
		for _, t := range slices.Backward(tried) {
			a.summary.Set(t.inst, t.before)
		}
	} else if before != nil {
		*before = append(*before, tried...)
	}
	if !ok && one {
		a.setSummary(first, s) // as it is without the component
	}
	return ok
}

// A triedSummary is what was known of an instance before something was noted on trial.
type triedSummary struct {
	inst   pta.InstID
	before *summary
}

// setSummary notes what an instance does.
func (a *Analysis) setSummary(i pta.InstID, s *summary) {
	if a.trial != nil {
		*a.trial = append(*a.trial, triedSummary{i, a.summary.Get(i)})
	}
	a.summary.Set(i, s)
}

// differing lists the instances that run something else in this view than the base knows,
// or of which it has other flags; and who calls what works on locks in one of the two only.
func (a *Analysis) differing() map[pta.InstID]bool {
	c := a.common.a
	out := make(map[pta.InstID]bool)
	for _, s := range a.w.Spawns() {
		out[s.Inst] = true
	}
	for _, i := range a.in.Instances() {
		if int(i) >= a.common.size {
			continue
		}
		if a.chooses[i] != c.chooses[i] {
			out[i] = true
		}
		if a.lockish.Get(i) != c.lockish.Get(i) {
			out[i] = true
			for _, s := range a.in.Callers(i) {
				out[s.Inst] = true
			}
		}
	}
	differ := func(x, y *Analysis) {
		for s := range x.flags {
			if _, ok := y.flags[s]; !ok {
				out[s.Inst] = true
			}
		}
		for k := range x.setters {
			w := &x.setters[k]
			if !slices.ContainsFunc(y.setters, func(v change) bool { return v.inst == w.inst && v.site == w.site }) {
				out[w.inst] = true
			}
		}
	}
	differ(a, c)
	differ(c, a)
	return out
}

// questions are what effects rest on, with the answers in the view of no loop.
type questions struct {
	renewed, replaced map[pta.Site]bool
	oneCell           map[[2]locList]cellQuestion
	cells             map[pta.Site][]pta.Loc
	setOnce           map[string][]int64
	takes             map[pta.Site]taking
}

// A cellQuestion is a question of oneCell, of which it looks at no more.
type cellQuestion struct {
	x, y []pta.Loc
	yes  bool
}

// answers reports whether this view has the same answers.
func (a *Analysis) answers(q *questions) bool {
	if q == nil {
		return true
	}
	for s, cells := range q.cells {
		if !slices.Equal(a.w.Cells(s), cells) {
			return false
		}
	}
	for field, to := range q.setOnce {
		if !slices.Equal(a.setOnce[field], to) {
			return false
		}
	}
	for _, p := range q.oneCell {
		if a.areOneCell(p.x, p.y) != p.yes {
			return false
		}
	}
	return stillSo(q.renewed, a.w.Renewed) && stillSo(q.replaced, a.w.Replaced) && stillSo(q.takes, a.takenAt)
}

// stillSo reports whether questions have the answers that are kept of them.
func stillSo[K, A comparable](answers map[K]A, ask func(K) A) bool {
	for k, answer := range answers {
		if ask(k) != answer {
			return false
		}
	}
	return true
}

// whileAsking calls f and returns the questions that it asks.
func (a *Analysis) whileAsking(f func()) *questions {
	q := new(questions)
	a.asking = q
	f()
	a.asking = nil
	return q
}

// note keeps the answer to a question.
func note[K comparable, A any](answers *map[K]A, k K, answer A) {
	if *answers == nil {
		*answers = make(map[K]A)
	}
	(*answers)[k] = answer
}

// renewed is the world's Renewed.
func (a *Analysis) renewed(load pta.Site) bool {
	yes, given := a.supposed.renewed[load]
	if !given {
		yes = a.w.Renewed(load)
	}
	if q := a.asking; q != nil {
		note(&q.renewed, load, yes)
	}
	return yes
}

// replaced is the world's Replaced.
func (a *Analysis) replaced(load pta.Site) bool {
	yes, given := a.supposed.replaced[load]
	if !given {
		yes = a.w.Replaced(load)
	}
	if q := a.asking; q != nil {
		note(&q.replaced, load, yes)
	}
	return yes
}

// cells is the world's Cells.
func (a *Analysis) cells(load pta.Site) []pta.Loc {
	cells := a.w.Cells(load)
	if q := a.asking; q != nil {
		note(&q.cells, load, cells)
	}
	return cells
}

// settings lists what some functions set a field to where they find that it is not that: a constant, or 0 for whatever is not zero.
func (a *Analysis) settings(field string) []int64 {
	to := a.setOnce[field]
	if q := a.asking; q != nil {
		note(&q.setOnce, field, to)
	}
	return to
}

// statesFrom is run, from what other loops have found too where that is the same.
func (a *Analysis) statesFrom(i pta.InstID, f *flow.Func, entry *state) []*state {
	if l, k := a.shared(i); l.as != nil && !slices.Contains(l.inside, k) && a.common.known(entry) {
		if e := a.common.entered(l.as, i, entry); e != nil && a.answers(e.asks) {
			return e.states
		}
	}
	return a.run(i, f, entry)
}

// mayPass reports whether control may come to the end of a function without coming by an
// instruction, which is the same in all contexts and views.
func (a *Analysis) mayPass(f *flow.Func, at ssair.Instr) bool {
	if a.common == nil {
		return f.Returns(f.Entry(), at)
	}
	c, k := a.common, instrOf{f, at}
	c.mu.Lock()
	yes, known := c.passes[k]
	c.mu.Unlock()
	if !known {
		yes = f.Returns(f.Entry(), at)
		c.mu.Lock()
		c.passes[k] = yes
		c.mu.Unlock()
	}
	return yes
}

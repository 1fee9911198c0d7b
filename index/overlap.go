package index

import (
	"slices"
	"sort"
	"strings"
	"sync/atomic"
)

// A Prover answers queries; it may be used by several goroutines.
type Prover struct {
	memory *Memory
	spent  atomic.Int64
}

// NewProver returns a prover that remembers what others have found that were given the same memory; nil is for one of its own.
func NewProver(m *Memory) *Prover {
	if m == nil {
		m = new(Memory)
	}
	return &Prover{memory: m}
}

// Spent returns the work on all queries so far, in steps of the simplex method. What
// is remembered counts as if it were done again.
func (pr *Prover) Spent() int64 { return pr.spent.Load() }

// Overlap decides whether the accesses of the query can touch the same
// element.
func (pr *Prover) Overlap(q *Query) (v Verdict) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case giveUp:
			v = Verdict{Answer: GaveUp, Why: []string{x.why}, FormA: v.FormA, FormB: v.FormB}
		default:
			panic(x)
		}
	}()
	var could [attempts]bool
	for _, weak := range tries {
		if weak != plain0 && !could[weak] {
			continue
		}
		x, c := pr.attempt(q, weak, false)
		for i := range c {
			could[i] = could[i] || c[i]
		}
		// An element of one list may be the index into another one.
		for more := q.feeds; weak == filled5 && x.Answer != Disjoint && len(more) > 0; more = more[1:] {
			q.feed = more[0]
			x, _ = pr.attempt(q, weak, false)
		}
		if weak == injective2 && x.Answer == Disjoint && (q.A.accumulates() || q.B.accumulates()) {
			// Distinct elements are nothing to expect where values are summed
			// up: h[bin[i]]++.
			v.Missing = assumptions(&x)
			break
		}
		if weak == plain0 || x.Answer == Disjoint {
			v = x
		}
		if x.Answer == Disjoint {
			break
		}
	}
	if v.Answer != Disjoint && !q.Brief {
		missing := v.Missing
		v, _ = pr.attempt(q, plain0, true)
		if missing != "" {
			v.Missing = missing
		}
	}
	return v
}

// tries has the attempts in their order: first those that assume nothing.
var tries = [attempts]int{plain0, filled5, rising1, injective2, stride3, apart4}

// Alone reports whether no two iterations come to both accesses of a question, whatever they touch, since
// what they test on the way excludes it:
//
//	if rank == 0 {
//		report(total)
//	}
func (pr *Prover) Alone(q *Query) (alone bool) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case giveUp:
			alone = false
		default:
			panic(x)
		}
	}()
	if !q.A.tested() || !q.B.tested() {
		return false
	}
	c := *q
	c.control = true
	v, _ := pr.attempt(&c, plain0, false)
	return v.Answer == Disjoint && !slices.ContainsFunc(v.Assumed, Weak)
}

// exclude refutes that control comes to both accesses, by the branches on the way alone: what else is known of code
// that has run serves for indices, and need not fit where it has been done otherwise. What one side's branches
// refute by themselves is not for the prover to say.
func (e *env) exclude(c orderCase, as, bs []*frame) (whySet, bool) {
	var both []con
	var ors []disj
	for _, fs := range [][]*frame{as, bs} {
		cs, more := branches(fs)
		if _, dead := e.work.refute(e.assemble(cs, nil, more, nil), caseNodes); dead {
			return whySet{}, false
		}
		both, ors = append(both, cs...), append(ors, more...)
	}
	if c.early != 0 {
		l := e.nest.loops[c.equal]
		early, late := as[l.step], bs[l.step]
		if c.early == 2 {
			early, late = late, early
		}
		both = append(both, con{early.counter0(l.loop).below(late.counter0(l.loop)), e.fact("iterations are different rounds", ""), noAtom})
	}
	return e.work.refute(e.assemble(both, nil, append(ors, e.differ()...), nil), caseNodes)
}

// branches returns what the branches say by which control has come to where frames are, but for the tests of loops.
func branches(fs []*frame) (cs []con, ors []disj) {
	for _, f := range fs {
		if f.at < 0 {
			continue
		}
		f.c.branchesTo(f.c.blockOf(f.at), func(p, x int32) {
			f.onEdge(p, x, func(r vref, yes bool) {
				c, d := f.condition(r, yes)
				cs, ors = append(cs, c...), append(ors, d...)
			})
		})
	}
	return cs, ors
}

// tested reports whether control comes to an access only by the outcome of some comparison of integers, other
// than that which counts the rounds of a loop.
func (a *Access) tested() bool {
	return slices.ContainsFunc(a.Chain, func(s Step) bool {
		c := s.Fn.body()
		if c == nil || s.At < 0 {
			return false
		}
		some := false
		c.branchesTo(c.blockOf(s.At), func(p, x int32) {
			b := &c.blocks[p]
			some = some || b.cond != 0 && len(b.succs) == 2 && b.succs[0] != b.succs[1] && c.comparesInts(b.cond)
		})
		return some
	})
}

// branchesTo calls do for the blocks p and x of each edge that control takes to come to a block, if it can be a
// branch other than the test of a loop.
func (c *code) branchesTo(blk int32, do func(p, x int32)) {
	for x := blk; x >= 0; x = c.blocks[x].idom {
		if preds := c.blocks[x].preds; len(preds) == 1 && c.headerOf(preds[0]) < 0 {
			do(preds[0], x)
		}
	}
}

// comparesInts reports whether a truth value is the outcome of a comparison of integers.
func (c *code) comparesInts(r vref) bool {
	v := c.get(c.resolve(r))
	return v.op == opBoolNot && c.comparesInts(v.a[0]) ||
		v.op >= opLess && v.op <= opNotEqual && (c.get(v.a[0]).kind.isInt() || c.get(v.a[1]).kind.isInt())
}

// assumptions returns the facts that weak assumptions contributed.
func assumptions(v *Verdict) string {
	for _, w := range v.Why {
		if strings.Contains(w, "differs for different indices") || strings.Contains(w, "is injective") {
			return w
		}
	}
	return ""
}

// attempt tries all order cases with some weak assumptions allowed, and says
// which others could help. To explain is to look for a witness and for what is
// missing.
func (pr *Prover) attempt(q *Query, weak int, explain bool) (v Verdict, could [attempts]bool) {
	w := newWork(pr)
	defer func() { pr.spent.Add(int64(queryPivots - w.pivots)) }()
	nest, wrong := q.nest()
	spawn := nest
	if weak == filled5 && wrong == "" {
		if nest = q.feeding(nest); len(nest.loops) == 0 {
			wrong = "a send in no loop"
		}
	}
	if wrong != "" {
		return Verdict{Answer: GaveUp, Why: []string{wrong}}, could
	}
	v.Answer = Disjoint
	used := make(map[string]bool)
	assumed := make(map[string]bool)
	for _, c := range q.cases(nest) {
		d := &decision{q: q, nest: nest, spawn: &spawn, c: c, weak: weak, w: w, explain: explain, left: maxCases}
		r, leaves := d.settle(nil)
		for i := range could {
			could[i] = could[i] || d.could[i]
		}
		if v.FormA == "" {
			v.FormA, v.FormB = r.formA, r.formB
		}
		if !r.disjoint {
			v.Answer = May
			if r.unclear || w.out {
				v.Answer = GaveUp
			}
			v.Why = []string{r.why}
			v.Missing, v.Witness, v.Data, v.Whole = r.missing, r.witness, r.data, r.whole
			return v, could
		}
		for _, x := range leaves {
			x.r.used.facts(func(i int) {
				if f := x.e.facts[i]; f.text != "" && !used[f.text] {
					used[f.text] = true
					v.Why = append(v.Why, f.text)
				}
				if a := x.e.facts[i].assume; a != "" && !assumed[a] {
					assumed[a] = true
					v.Assumed = append(v.Assumed, a)
				}
			})
			if x.r.arithmetic && !assumed[AssumeNoWrap] {
				assumed[AssumeNoWrap] = true
				v.Assumed = append(v.Assumed, AssumeNoWrap)
			}
		}
	}
	sort.Strings(v.Assumed)
	return v, could
}

// frames returns the frames of a chain, outermost first.
func (e *env) frames(a *Access, side int8) []*frame {
	var out []*frame
	var up *frame
	for i, s := range a.Chain {
		c := s.Fn.body()
		if c == nil {
			up = nil // what comes from here is not known
			out = append(out, nil)
			continue
		}
		up = e.newFrame(c, s.At, i, side, up, a.Chain[:i+1:i+1])
		out = append(out, up)
	}
	return out
}

// A ruling is the outcome of one order case.
type ruling struct {
	disjoint     bool
	unclear      bool // the forms are not understood
	arithmetic   bool
	used         whySet
	why          string
	formA, formB string
	missing      string
	witness      string
	whole        bool // see Verdict.Whole
	data         bool // see Verdict.Data
}

// decide refutes that both places are equal in one order case.
func (e *env) decide(c orderCase, explain bool) (r ruling) {
	defer func() { r.used = r.used.or(e.given) }()
	fa, fb := e.frames(&e.q.A, 1), e.frames(&e.q.B, 2)
	a, b := fa[len(fa)-1], fb[len(fb)-1]
	if a == nil || b == nil {
		r.unclear, r.why = true, "an accessing function is not known"
		return r
	}
	if e.q.control {
		if slices.Contains(fa, nil) || slices.Contains(fb, nil) {
			r.unclear, r.why = true, "a function is not known"
			return r
		}
		r.used, r.disjoint = e.exclude(c, fa, fb)
		return r
	}
	pa, pb := a.accessed(&e.q.A), b.accessed(&e.q.B)
	r.formA, r.formB = a.accessText(&e.q.A), b.accessText(&e.q.B)
	if !pa.ok || !pb.ok {
		r.unclear, r.why = true, "an access that is not understood"
		return r
	}
	if pa.place.root == nilRoot || pb.place.root == nilRoot {
		r.disjoint = true // it would panic, or does not touch the slice
		return r
	}
	if e.q.TwoLoops && !(pa.place.madeIn(e.q.Spawn) && pb.place.madeIn(e.q.Spawn)) {
		r.unclear, r.why = true, "memory that another run of the spawner may have, too"
		return r
	}
	eqs, answer, why := e.match(pa.place, pb.place)
	if answer == Disjoint {
		if r.disjoint = true; e.below {
			r.used = e.fact("what changes places, or is made by different rounds, is made separately", AssumeSwapped)
		}
		return r
	}
	if answer == GaveUp {
		r.why, r.unclear = why, true
		r.data = pa.place.root != pb.place.root && (pa.place.got || pb.place.got) // what is received may be another part each time
		return r
	}
	if len(eqs) == 0 {
		r.why, r.whole = "no index", true
		return r
	}
	s := &scene{e: e, c: c, eqs: eqs}
	s.facts = append(s.facts, pa.facts...)
	s.facts = append(s.facts, pb.facts...)
	if e.weak == filled5 {
		x, y := e.receipts[0].frames, e.receipts[1].frames
		if len(x) == 0 || len(y) == 0 || e.receipts[0].of != e.receipts[1].of {
			r.unclear, r.why = true, "something else than what is received"
			return r
		}
		s.guards(append(append([]*frame(nil), fa...), fb...))
		fa, fb = append(x[:0:0], x...), append(y[:0:0], y...)
	}
	s.set(fa, fb)
	s.pickedFacts()
	if more := s.strides(); len(more) > 0 {
		e.could[stride3] = true
		if e.weak == stride3 {
			s.facts = append(s.facts, more...)
		}
	}
	w, ok := s.refute()
	if e.apart {
		w = w.or(e.fact("rows are one slice or share no element", AssumeRowsApart))
	}
	r.disjoint, r.used = ok, w
	r.arithmetic = true
	if !ok {
		r.data = slices.ContainsFunc(eqs, func(q equation) bool { return e.hasData(q.a) || e.hasData(q.b) })
		r.why = s.caseText()
		if explain {
			r.witness = s.witness()
			r.missing = s.abduce()
		}
	}
	return r
}

// hasData reports whether a form tells of a value that each iteration has read, or
// got from a call: that two iterations have equal ones is not known.
func (e *env) hasData(p poly) (found bool) {
	p.atoms(func(a atom) {
		i := &e.atoms[a]
		found = found || i.got || i.side != 0 && (i.data || i.app != nil && slices.ContainsFunc(i.app.args, e.hasData))
	})
	return found
}

// A scene is one order case, ready to be refuted.
type scene struct {
	e     *env
	c     orderCase
	eqs   []equation
	facts []con
	ors   []disj
	goal  []con
	also  []point // what the early iteration has executed
}

// set collects what is known of both iterations.
func (s *scene) set(as, bs []*frame) {
	s.guards(append(append([]*frame(nil), as...), bs...))
	s.order(as, bs)
	s.step(as, bs)
	s.ors = append(s.ors, s.e.differ()...)
}

// guards adds what is known where frames have got to.
func (s *scene) guards(fs []*frame) {
	for _, f := range fs {
		if f == nil || f.at < 0 {
			continue
		}
		cs, ors := f.guards(f.c.blockOf(f.at), false)
		s.facts = append(s.facts, cs...)
		s.ors = append(s.ors, ors...)
	}
}

// An equation says that the indices of both places are equal.
type equation struct{ a, b poly }

// order adds that one iteration comes first, and what loop-carried values of
// the parallel loop then satisfy.
func (s *scene) order(as, bs []*frame) {
	e := s.e
	if s.c.early == 0 {
		return
	}
	l := e.nest.loops[s.c.equal].loop
	a, b := as[e.nest.loops[s.c.equal].step], bs[e.nest.loops[s.c.equal].step]
	early, late := a, b
	if s.c.early == 2 {
		early, late = b, a
	}
	k, k2 := early.counter0(l), late.counter0(l)
	s.facts = append(s.facts, con{k.below(k2), e.fact("iterations are different rounds", ""), noAtom})
	// The early round has come to its end, so what holds there is true of it.
	for i := 0; i < len(e.carry); i++ {
		x := e.carry[i]
		if x.f != late || x.loop != l {
			continue
		}
		v := &x.f.c.vals[x.p.r]
		var latches []int32
		var at []int
		for i, p := range x.f.c.blocks[v.blk].preds {
			if x.f.c.inLoop(l, p) && x.f.c.leads(l, early.c.blockOf(early.at), p) {
				latches = append(latches, p)
				at = append(at, i)
			}
		}
		if len(latches) != 1 {
			continue
		}
		next := early.component(x.f.c.onWay(l, early.c.blockOf(early.at), v.a[at[0]]), x.p.what)
		cs, ors := early.guards(latches[0], true)
		s.also = append(s.also, point{early, latches[0]})
		s.facts = append(s.facts, cs...)
		s.ors = append(s.ors, ors...)
		p := next.atMost(variable(x.a))
		if !x.up {
			p = variable(x.a).atMost(next)
		}
		s.facts = append(s.facts, con{p, x.why, noAtom})
	}
}

// leads reports whether control may come from one block to another in one round of
// a loop.
func (c *code) leads(l, from, to int32) bool {
	if !c.inLoop(l, from) {
		return true
	}
	seen := map[int32]bool{to: true}
	for work := []int32{to}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == from {
			return true
		}
		if b == c.loops[l].header {
			continue
		}
		for _, p := range c.blocks[b].preds {
			if c.inLoop(l, p) && !seen[p] {
				seen[p] = true
				work = append(work, p)
			}
		}
	}
	return false
}

// onWay returns what a value that a round of a loop ends with is, if the round has
// passed a block: a counter goes up where an iteration is started, and does not
// where the round has gone on without.
func (c *code) onWay(l, from int32, r vref) vref {
	for range 4 {
		r = c.resolve(r)
		v := c.get(r)
		if v.op != opPhi || v.blk == c.loops[l].header || c.inner[v.blk] != l || c.inner[from] != l {
			return r
		}
		one := vref(0)
		for i, p := range c.blocks[v.blk].preds {
			if c.leads(l, from, p) {
				if one != 0 {
					return r
				}
				one = v.a[i]
			}
		}
		if one == 0 {
			return r
		}
		r = one
	}
	return r
}

// refute looks for a contradiction: first as a plain system, then with the equations taken apart digit by digit. Where the
// easy digits show it, the work of looking for others is spared, which may be more than there is.
func (s *scene) refute() (whySet, bool) {
	e := s.e
	s.goal = s.goal[:0]
	for _, q := range s.eqs {
		s.goal = append(s.goal, con{q.a.sub(q.b), whySet{}, isEq})
	}
	if w, ok := e.work.refute(e.assemble(s.goal, s.facts, s.ors, s.also), 8); ok {
		return w, ok
	}
	plain := len(s.goal)
	s.takeApart(false)
	if len(s.goal) > plain {
		if w, ok := e.work.refuteEasily(e.assemble(s.goal, s.facts, s.ors, s.also)); ok {
			return w, ok
		}
	}
	s.goal = s.goal[:plain]
	s.takeApart(true)
	return e.work.refute(e.assemble(s.goal, s.facts, s.ors, s.also), caseNodes)
}

// takeApart adds the digits of the equations to what is to be refuted.
func (s *scene) takeApart(effort bool) {
	for _, q := range s.eqs {
		s.goal = append(s.goal, s.digits(q.a, q.b, whySet{}, 0, effort)...)
	}
}

// caseText tells which order could not be refuted.
func (s *scene) caseText() string {
	var parts []string
	for _, q := range s.eqs {
		parts = append(parts, s.e.polyText(q.a)+" = "+s.e.polyText(q.b))
	}
	return strings.Join(parts, " and ") + " is possible for different iterations"
}

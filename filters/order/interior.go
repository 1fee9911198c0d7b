package order

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// Most of what a walk enters holds nothing that the walk looks at: no step that
// may await something, no birth, no goal. What is reached there is the same for
// every walk, so it is worked out once for each instance and not gap by gap
// again: a walk then notes that the instance is entered, and what that leads to
// by way of calls. On a fuzzy finder 16 of the 26 million gaps that walks went
// through were of walks that look at nothing at all, and order took 15 s of CPU
// where it now takes 3, with the same answers.

// An interior is what the entry of an instance leads to.
type interior struct {
	gaps    []bool // of the instance itself
	exits   bool   // it may return
	rank    int32  // of those that may, when that was found
	calls   []callee
	spawns  []callee
	waiting []node // behind calls of it, while it is not known to return

	way      []pta.InstID // see returnsBy
	wayKnown bool
}

// A callee is what a step calls or spawns.
type callee struct {
	step int32
	inst pta.InstID
}

// interiorOf returns the interior of an instance with a frame.
func (a *Analysis) interiorOf(i pta.InstID) *interior {
	if in := a.frameOf(i).inner; in != nil {
		return in
	}
	x := &exploration{a: a}
	x.begin(i)
	x.run()
	return a.frameOf(i).inner
}

// An exploration makes the interiors of an instance and of all that it calls.
type exploration struct {
	a    *Analysis
	work []node
}

func (x *exploration) begin(i pta.InstID) {
	fr := x.a.frameOf(i)
	fr.inner = &interior{gaps: make([]bool, len(fr.block))}
	x.push(i, fr, fr.f.Entry())
}

func (x *exploration) push(i pta.InstID, fr *frame, g flow.Gap) {
	if !fr.inner.gaps[g] {
		fr.inner.gaps[g] = true
		x.work = append(x.work, node{inst: i, gap: g})
	}
}

func (x *exploration) run() {
	for len(x.work) > 0 && x.a.fuel >= 0 {
		x.a.fuel--
		n := x.work[len(x.work)-1]
		x.work = x.work[:len(x.work)-1]
		x.visit(n)
	}
}

func (x *exploration) visit(n node) {
	fr := x.a.frameOf(n.inst)
	for n.gap != fr.next[n.gap] {
		n.gap++
		if fr.inner.gaps[n.gap] {
			return
		}
		fr.inner.gaps[n.gap] = true
	}
	b := fr.block[n.gap]
	blk := &fr.f.Blocks[b]
	if s := int32(n.gap) - b; s < blk.Hi {
		x.step(n, fr, s)
		return
	}
	for k := range blk.Succs {
		if to, ok := x.a.follows(n.inst, fr.f, &blk.Succs[k]); ok {
			x.push(n.inst, fr, fr.f.First(to))
		}
	}
	if blk.Exit && !fr.inner.exits {
		fr.inner.exits = true
		x.a.frames.exits++
		fr.inner.rank = x.a.frames.exits
		for _, w := range fr.inner.waiting {
			x.push(w.inst, x.a.frameOf(w.inst), w.gap)
		}
		fr.inner.waiting = nil
	}
}

// step is what walk.step does where nothing is forbidden.
func (x *exploration) step(n node, fr *frame, s int32) {
	passes, enter := x.a.freeStep(fr, s)
	passes = passes || fr.f.Steps[s].Optional
	for _, c := range enter {
		if fr.f.Steps[s].Kind != flow.Call {
			fr.inner.spawns = append(fr.inner.spawns, callee{s, c})
			continue
		}
		fr.inner.calls = append(fr.inner.calls, callee{s, c})
		below := x.a.frameOf(c)
		if below.inner == nil {
			x.begin(c)
		}
		if below.inner.exits {
			passes = true
		} else {
			below.inner.waiting = append(below.inner.waiting, node{inst: n.inst, gap: n.gap + 1})
		}
	}
	if passes {
		x.push(n.inst, fr, n.gap+1)
	}
}

// freeStep reports whether control passes a step, where nothing is forbidden, whatever
// becomes of what the step calls, and which functions it calls or spawns.
func (a *Analysis) freeStep(fr *frame, s int32) (passes bool, enter []pta.InstID) {
	st := &fr.f.Steps[s]
	switch {
	case a.cut != nil && a.cut[pta.Site{Inst: fr.inst, At: st.Site}]:
		return true, nil
	case st.Kind == flow.Recv:
		return !a.blocked(fr.inst, st.Site, 0, false), nil
	case st.Kind == flow.Call:
		return fr.call[s].passes, fr.call[s].enter
	}
	return true, fr.call[s].enter
}

// follows returns where an edge leads to, if it can be taken.
func (a *Analysis) follows(i pta.InstID, f *flow.Func, e *flow.Edge) (to int32, ok bool) {
	if e.Dead || len(e.Events) > 0 && a.neverTaken(i, f, e) {
		return 0, false
	}
	if e.Last > 0 {
		return e.Last - 1, true // there is no second round
	}
	return e.To, true
}

// absorb notes that the walk enters instance c, and reports whether it returns.
func (w *walk) absorb(c pta.InstID) (returns bool) {
	in, fr := w.a.interiorOf(c), w.a.frameOf(c)
	if w.tab == nil && !w.whole.Has(fr.id) {
		w.budget--
		w.a.fuel--
		w.whole.Union(w.a.belowOf(c, w.spawns))
	}
	return in.exits
}

// maxBelow bounds the memory for what is kept of belowOf, in words.
const maxBelow = 4 << 20

// belowOf returns the frames that the entry of an instance leads to by calls, and
// by spawns if asked for. Every walk that looks at nothing there has the same
// use for them.
func (a *Analysis) belowOf(c pta.InstID, spawns bool) *idset.Set[frameID] {
	memo := &a.frameOf(c).below[0]
	if spawns {
		memo = &a.frameOf(c).below[1]
	}
	if *memo != nil {
		return *memo
	}
	out := new(idset.Set[frameID])
	out.Add(a.frameOf(c).id)
	work := []pta.InstID{c}
	enter := func(list []callee) {
		for _, c := range list {
			if fr := a.frameOf(c.inst); out.Add(fr.id) {
				a.fuel--
				if b := fr.below[0]; b != nil && !spawns {
					out.Union(b)
				} else if b := fr.below[1]; b != nil && spawns {
					out.Union(b)
				} else {
					work = append(work, c.inst)
				}
			}
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		inner := a.interiorOf(i)
		enter(inner.calls)
		if spawns {
			enter(inner.spawns)
		}
	}
	if a.frames.below += out.Words(); a.frames.below <= maxBelow {
		*memo = out
	}
	return out
}

// lookAt tells a walk where it must go gap by gap: to what it looks at, and
// through all that leads there.
func (w *walk) lookAt() {
	if w.looks {
		return // a table is taken further
	}
	w.looks = true
	if w.avoid != nil && w.through == nil {
		w.through = append(w.through, w.a.telling())
	}
	for _, s := range []pta.Site{w.birth, w.stopAt, w.goal} {
		if s.Inst < 0 {
			continue
		}
		w.toward(w.a.copiesOf(s.Inst)...)
	}
}

// goesThrough reports whether the walk enters an instance gap by gap.
func (w *walk) goesThrough(i pta.InstID) bool {
	for _, set := range w.through {
		if set.Has(i) {
			return true
		}
	}
	return false
}

// forbids sets a condition that can hold only in the instances of some
// operations.
func (w *walk) forbids(avoid func(place, bool) bool, ops []*op) {
	w.avoid = avoid
	insts := make([]pta.InstID, len(ops))
	for k, o := range ops {
		insts[k] = o.inst
	}
	if w.toward(insts...); len(ops) == 0 {
		w.avoid = nil
	}
}

// without keeps a walk from passing some operations.
func (w *walk) without(ops []*op) {
	w.forbids(func(p place, _ bool) bool { return slices.ContainsFunc(ops, func(o *op) bool { return o.isAt(p) }) }, ops)
}

// A stepOf is a step of an instance.
type stepOf struct {
	inst pta.InstID
	step int32
}

// withoutSteps keeps it from passing some steps.
func (w *walk) withoutSteps(steps []stepOf) {
	w.avoid = func(p place, _ bool) bool { return p.step >= 0 && slices.Contains(steps, stepOf{p.inst, p.step}) }
	insts := make([]pta.InstID, len(steps))
	for k, s := range steps {
		insts[k] = s.inst
	}
	w.toward(insts...)
}

// maxToward is how many instances have a set each of what leads to them: where there are more it takes longer to ask
// all of the sets than to make one.
const maxToward = 8

// toward makes the walk go gap by gap through what leads to some instances.
func (w *walk) toward(insts ...pta.InstID) {
	if len(insts) > maxToward {
		set := new(idset.Set[pta.InstID])
		w.a.in.LeadTo(set, insts)
		w.through = append(w.through, set)
		return
	}
	for _, i := range insts {
		if set := w.a.in.LeadingTo(i); !slices.Contains(w.through, set) {
			w.through = append(w.through, set)
		}
	}
}

// telling returns the instances that hold a step or an edge that may await
// something, or make an object of each round's own, and those that lead to one.
func (a *Analysis) telling() *idset.Set[pta.InstID] {
	if a.tells == nil {
		a.tells = new(idset.Set[pta.InstID])
		a.in.LeadTo(a.tells, slices.Concat(a.places().insts, a.bornAny()))
	}
	return a.tells
}

func compareSites(x, y pta.Site) int {
	return cmp.Or(cmp.Compare(x.Inst, y.Inst), cmp.Compare(x.At, y.At))
}

// birthOf returns where what is at l is made, of copies in the first.
func (a *Analysis) birthOf(l pta.Loc) pta.Site {
	s := a.w.Object(l).Alloc
	return pta.Site{Inst: a.copyOf(s.Inst), At: s.At}
}

// born lists the instances that make an object of each round's own at one of some births, which are sorted.
func (a *Analysis) born(births []pta.Site) []pta.InstID {
	return slices.DeleteFunc(a.bornAny(), func(i pta.InstID) bool { return len(a.bornAt(i, births)) == 0 })
}

// bornAt lists where an instance makes objects at one of some births, which are sorted.
func (a *Analysis) bornAt(i pta.InstID, births []pta.Site) (ats []ssair.Instr) {
	for _, at := range a.births[i] {
		if _, ok := slices.BinarySearchFunc(births, pta.Site{Inst: a.copyOf(i), At: at}, compareSites); ok {
			ats = append(ats, at)
		}
	}
	return ats
}

// bornAny lists the instances that make an object of each round's own.
func (a *Analysis) bornAny() []pta.InstID {
	var out []pta.InstID
	for i := range a.births {
		if a.enters(i) {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

package order

import (
	"github.com/iterace/iterace/internal/ssair"
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
	spawns    bool     // enter what is spawned on the way
	birth     pta.Site // the walk ends at this allocation
	stopAt    pta.Site // the walk ends before the step at this site
	visited   map[pta.InstID][]uint8
	work      []node
	waiting   map[entryKey][]node
	exits     map[entryKey]uint8 // 1: may return uncrossed, 2: crossed
	budget    int
	exhausted bool // gave up: everything counts as reached
}

// A place is a step of an instance, or an edge of it where step is -1.
type place struct {
	inst  pta.InstID
	f     *flow.Func
	step  int32
	block int32
	edge  int32
}

// node is a gap in a mode: how the walk came into the function, and whether it
// has crossed a birth.
type node struct {
	inst    pta.InstID
	gap     flow.Gap
	mode    uint8 // top: started here or returned to; else how it was entered
	crossed bool
}

const (
	top     uint8 = iota // returns to all callers
	fresh                // entered before crossing a birth
	crossed              // entered after
)

type entryKey struct {
	inst pta.InstID
	mode uint8
}

// maxWalk bounds the nodes of one walk; what exceeds it is taken to reach
// everything, so that no race is removed.
const maxWalk = 400_000

func (a *Analysis) newWalk() *walk {
	return &walk{
		a: a, birth: noSite, stopAt: noSite,
		visited: make(map[pta.InstID][]uint8),
		waiting: make(map[entryKey][]node),
		exits:   make(map[entryKey]uint8),
		budget:  maxWalk,
	}
}

// from adds a starting point.
func (w *walk) from(i pta.InstID, g flow.Gap) *walk {
	w.push(node{i, g, top, false})
	return w
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

// fromEntry starts where instance i starts.
func (w *walk) fromEntry(i pta.InstID) *walk {
	if f := w.a.w.Flow(i); f != nil {
		w.from(i, f.Entry())
	}
	return w
}

func (w *walk) push(n node) {
	v := w.visited[n.inst]
	if v == nil {
		f := w.a.w.Flow(n.inst)
		if f == nil {
			return
		}
		v = make([]uint8, f.NGaps())
		w.visited[n.inst] = v
	}
	bit := uint8(1) << (n.mode * 2)
	if n.crossed {
		bit <<= 1
	}
	if v[n.gap]&bit != 0 {
		return
	}
	v[n.gap] |= bit
	w.work = append(w.work, n)
}

// run explores all that can be reached.
func (w *walk) run() *walk {
	for len(w.work) > 0 {
		if w.budget--; w.budget < 0 {
			w.exhausted = true
			w.work = nil
			return w
		}
		n := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.visit(n)
	}
	return w
}

func (w *walk) visit(n node) {
	f := w.a.w.Flow(n.inst)
	if w.birth.Inst == n.inst && f.GapOf(w.birth.At) == n.gap {
		return
	}
	for _, at := range w.a.births[n.inst] {
		if f.GapOf(at) == n.gap {
			n.crossed = true
		}
	}
	if s := f.StepAfter(n.gap); s >= 0 {
		w.step(n, f, s)
		return
	}
	b := f.BlockOf(n.gap)
	blk := &f.Blocks[b]
	for k := range blk.Succs {
		e := &blk.Succs[k]
		if e.Dead {
			continue
		}
		if (len(e.Events) > 0 || e.Counts > 0) && w.avoid != nil && w.avoid(place{n.inst, f, -1, b, int32(k)}, n.crossed) {
			continue
		}
		w.push(node{n.inst, f.First(e.To), n.mode, n.crossed})
	}
	if blk.Exit {
		w.exit(n)
	}
}

func (w *walk) exit(n node) {
	if n.mode == top {
		for _, c := range w.a.in.Callers(n.inst) {
			f := w.a.w.Flow(c.Inst)
			if f == nil {
				continue
			}
			for _, k := range f.StepsAt(c.At) {
				if st := &f.Steps[k]; st.Kind != flow.Spawn && st.Kind != flow.Parallel {
					w.push(node{c.Inst, f.AfterStep(k), top, n.crossed})
				}
			}
		}
		return
	}
	bit := uint8(1)
	if n.crossed {
		bit = 2
	}
	k := entryKey{n.inst, n.mode}
	if w.exits[k]&bit != 0 {
		return
	}
	w.exits[k] |= bit
	for _, r := range w.waiting[k] {
		r.crossed = r.crossed || n.crossed
		w.push(r)
	}
}

func (w *walk) step(n node, f *flow.Func, s int32) {
	st := &f.Steps[s]
	next := node{n.inst, n.gap + 1, n.mode, n.crossed}
	if st.Optional {
		w.push(next)
	}
	if w.stopAt.Inst == n.inst && w.stopAt.At == st.Site {
		return
	}
	if w.avoid != nil && w.avoid(place{n.inst, f, s, 0, 0}, n.crossed) {
		return
	}
	switch st.Kind {
	case flow.Spawn, flow.Parallel:
		if w.spawns {
			for _, c := range w.a.w.Callees(n.inst, st.Site) {
				w.enter(c, n)
			}
		}
		w.push(next)
	case flow.Call:
		callees := w.a.w.Callees(n.inst, st.Site)
		if len(callees) == 0 {
			w.push(next)
		}
		for _, c := range callees {
			if !w.enter(c, n) {
				w.push(next)
				continue
			}
			k := entryKey{c, entered(n)}
			w.waiting[k] = append(w.waiting[k], next)
			if e := w.exits[k]; e != 0 {
				if e&1 != 0 {
					w.push(next)
				}
				if e&2 != 0 {
					next := next
					next.crossed = true
					w.push(next)
				}
			}
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

// enter walks into callee c, unless nothing of interest lies there; it then
// returns false.
func (w *walk) enter(c pta.InstID, n node) bool {
	f := w.a.w.Flow(c)
	if f == nil || !w.a.syncful[c] && !w.a.relevant[c] {
		return false
	}
	w.push(node{c, f.Entry(), entered(n), n.crossed})
	return true
}

// reaches reports whether the walk came by the instruction.
func (w *walk) reaches(i pta.InstID, at ssair.Instr) bool {
	if w.exhausted {
		return true
	}
	v := w.visited[i]
	if v == nil {
		return false
	}
	f := w.a.w.Flow(i)
	for _, g := range f.Gaps(at) {
		if v[g] == 0 {
			continue
		}
		if w.birth.Inst == i && f.GapOf(w.birth.At) == g && w.birth.At < at {
			continue
		}
		return true
	}
	return false
}

// reachesStep reports whether the walk came to step s.
func (w *walk) reachesStep(i pta.InstID, s int32) bool {
	if w.exhausted {
		return true
	}
	v := w.visited[i]
	if v == nil {
		return false
	}
	f := w.a.w.Flow(i)
	g := f.BeforeStep(s)
	return v[g] != 0 && !(w.birth.Inst == i && f.GapOf(w.birth.At) == g)
}

// reachesExit reports whether the walk came to the end of instance i.
func (w *walk) reachesExit(i pta.InstID) bool {
	if w.exhausted {
		return true
	}
	v := w.visited[i]
	f := w.a.w.Flow(i)
	if v == nil || f == nil {
		return false
	}
	for b := range f.Blocks {
		if f.Blocks[b].Exit && v[int32(b)+f.Blocks[b].Hi] != 0 {
			return true
		}
	}
	return false
}

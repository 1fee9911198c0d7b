package order

import (
	"slices"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// Whether an operation may come before some threads start is asked of every operation
// that was asked for, and most come nowhere near. So it is answered without a
// walk from each of them: by the frames that lead to where the threads are
// started, and all that these call before.

// earlier is what the frames that lead to the start of some threads may do first.
type earlier struct {
	threads []pta.InstID
	below   *idset.Set[pta.InstID]  // called before
	frames  map[pta.InstID][][]bool // by block of a frame that leads there: whether it comes before, for each way
	steps   map[pta.InstID][]int32  // where it leads on, for each way
}

// before returns what may come before some threads start.
func (a *Analysis) before(ts []pta.InstID) *earlier {
	for _, e := range a.earlier {
		if slices.Equal(e.threads, ts) {
			return e
		}
	}
	e := &earlier{ts, new(idset.Set[pta.InstID]), make(map[pta.InstID][][]bool), make(map[pta.InstID][]int32)}
	a.earlier = append(a.earlier, e)
	var work []pta.Site
	for _, t := range ts {
		work = append(work, a.spawnsOf(t)...)
	}
	seen := make(map[pta.Site]bool)
	var calls []pta.InstID
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		f := a.w.Flow(s.Inst)
		if seen[s] || f == nil {
			continue
		}
		seen[s] = true
		for _, m := range f.StepsAt(s.At) {
			block := f.BlockOf(f.BeforeStep(m))
			leads := leadTo(f, block)
			e.frames[s.Inst] = append(e.frames[s.Inst], leads)
			e.steps[s.Inst] = append(e.steps[s.Inst], m)
			for b := range f.Blocks {
				end := f.Blocks[b].Hi
				if !leads[b] {
					if int32(b) != block {
						continue
					}
					end = m
				}
				for k := f.Blocks[b].Lo; k < end; k++ {
					calls = append(calls, a.in.Callees(s.Inst, f, k)...)
				}
			}
		}
		work = append(work, a.in.Callers(s.Inst)...)
	}
	for len(calls) > 0 {
		i := calls[len(calls)-1]
		calls = calls[:len(calls)-1]
		f := a.w.Flow(i)
		if !e.below.Add(i) || f == nil {
			continue
		}
		for _, list := range a.in.StepCallees(i) {
			for _, c := range list {
				if !e.below.Has(c) {
					calls = append(calls, c)
				}
			}
		}
	}
	return e
}

// leadTo tells which blocks lead to one by some edge.
func leadTo(f *flow.Func, to int32) []bool {
	out := make([]bool, len(f.Blocks))
	for changed := true; changed; {
		changed = false
		for b := len(f.Blocks) - 1; b >= 0; b-- { // where control goes comes later, mostly
			if out[b] {
				continue
			}
			for k := range f.Blocks[b].Succs {
				if next := f.Blocks[b].Succs[k].To; next == to || out[next] {
					out[b], changed = true, true
					break
				}
			}
		}
	}
	return out
}

// comesBefore reports whether step k of block b, or a case in it where k is -1,
// may come before a frame goes on to where it leads.
func (e *earlier) comesBefore(i pta.InstID, f *flow.Func, b, k int32) bool {
	for way, m := range e.steps[i] {
		if e.frames[i][way][b] || b == f.BlockOf(f.BeforeStep(m)) && k < m {
			return true
		}
	}
	return false
}

// has reports whether an operation may come first.
func (e *earlier) has(a *Analysis, r *op) bool {
	return e.below.Has(r.inst) || e.comesBefore(r.inst, r.f, a.blockOf(r), r.step)
}

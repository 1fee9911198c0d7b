package pta

import (
	"go/types"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file lowers sub-slices. A loop that cuts a slice into windows, one per
// round, hands each round its own part of the elements: the window is then a
// pointer to the side's part of the whole array, whatever the index inside it.

// slice lowers dst = x[lo:hi:max].
func (l *lowerer) slice(in *ssa.Slice) {
	d, s := l.dst(in), l.val(in.X)
	if s == None {
		return
	}
	if _, isSlice := ssair.Under(in.X.Type()).(*types.Slice); isSlice && l.window(in) {
		lay := l.p.types.layout(l.elem(in.X.Type()))
		if splits(lay) {
			l.emit(Constraint{Op: OpElem, Dst: d, Src: s, Part: l.side, Off: lay.Len()})
			return
		}
	}
	l.copyLeaves(d, s, 1)
}

// window reports whether two rounds of the split loop cut out different
// elements; the answer is the index prover's (soundness: no-wrap,
// loop-terminates).
func (l *lowerer) window(in *ssa.Slice) bool {
	if l.loop == nil || in.Low == nil && in.High == nil || l.f.Index == nil {
		return false
	}
	if l.ir.Innermost(in.Block()) != l.loop.loop || !l.p.types.layout(l.elem(in.X.Type())).Ptr {
		return false
	}
	if yes, asked := l.windows[in]; asked {
		return yes
	}
	acc := index.Access{Chain: []index.Step{{Fn: l.f.Index, At: l.at}}}
	v := index.NewProver().Overlap(&index.Query{
		A: acc, B: acc, Loop: l.loop.loop.Index, RowsMayAlias: true,
	})
	yes := v.Answer == index.Disjoint && !v.Weak()
	l.windows[in] = yes
	return yes
}

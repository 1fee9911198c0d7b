package flow

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds calls that never return: those of which the model says so, and
// those of functions that end in such a call on all ways (soundness: never-returns).

// noteStops finds the blocks to whose end control does not come, because they make a call
// that never returns. The skeleton ends there, as it does in a panic (soundness: panic-paths).
func (b *builder) noteStops(blocks []*ssa.BasicBlock) {
	b.stopped = make([]bool, len(blocks))
	for i, blk := range blocks {
		b.stopped[i] = stops(blk, b.lib, NeverDepth)
	}
}

// stops reports whether a block makes a call that never returns.
func stops(blk *ssa.BasicBlock, lib Library, depth int) bool {
	return slices.ContainsFunc(blk.Instrs, func(in ssa.Instruction) bool {
		c, ok := in.(*ssa.Call)
		return ok && neverReturns(c, lib, depth)
	})
}

// Come says, for each block of a function, how many of its instructions control comes to: none where constants
// keep it from the block, or calls that never return, and in a block that makes such a call nothing behind it.
//
//	t.Skip("flaky")
//	go serve() // is never started
func Come(fn *ssair.Func, lib Library) []int {
	blocks := fn.SSA.Blocks
	out := make([]int, len(blocks))
	work := []*ssa.BasicBlock{blocks[0]}
	if r := fn.SSA.Recover; r != nil {
		work = append(work, r)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if out[b.Index] > 0 || !fn.Live(b) {
			continue
		}
		stop := slices.IndexFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(*ssa.Call)
			return ok && neverReturns(c, lib, NeverDepth)
		})
		if stop >= 0 {
			out[b.Index] = stop + 1
			continue
		}
		out[b.Index] = len(b.Instrs)
		work = append(work, b.Succs...)
	}
	return out
}

func neverReturns(in *ssa.Call, lib Library, depth int) bool {
	c := &in.Call
	if f := lib.Called(c); f != nil {
		return f.NeverReturns
	}
	fn := c.StaticCallee()
	if fn == nil {
		return false
	}
	if from := in.Parent().Pkg; from != fn.Pkg && from != nil && fn.Pkg != nil {
		depth = NeverDepth // as where that package's code is not in view
	}
	if depth == 0 || fn.Signature.Results().Len() > 0 {
		return false
	}
	if o, ok := lib.(Outside); ok {
		return o.NeverReturns(fn, depth)
	}
	return NeverReturns(fn, lib, depth)
}

// NeverDepth is how deep functions are looked into that may not return, and neverBlocks
// how large they are.
const (
	NeverDepth  = 3
	neverBlocks = 12
)

// NeverReturns reports whether no call of a function without results returns, by the calls
// that it makes, and those that they make, to a depth.
func NeverReturns(fn *ssa.Function, lib Library, depth int) bool {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > neverBlocks || fn.Signature.Results().Len() > 0 {
		return false
	}
	seen := make([]bool, len(fn.Blocks))
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[blk.Index] {
			continue
		}
		seen[blk.Index] = true
		if slices.ContainsFunc(blk.Instrs, func(in ssa.Instruction) bool { _, defers := in.(*ssa.Defer); return defers }) {
			return false // it may recover
		}
		if stops(blk, lib, depth-1) {
			continue
		}
		if _, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.Return); ok {
			return false
		}
		work = append(work, blk.Succs...)
	}
	return true
}

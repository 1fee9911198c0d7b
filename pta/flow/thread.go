package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file leads edges past branches that are decided by where control comes from:
//
//	came := false
//	select {
//	case <-done:
//		came = true
//	case <-timeout:
//	}
//	if !came {
//		return
//	}
//
// Who has received goes on, and who has not returns; without that both would do both.

// pastBranches returns where control goes on that comes from one block to another, past
// blocks that do nothing but branch on what it brings along. It stays in the loop that it is in,
// and does not begin another round.
func (b *builder) pastBranches(from, to *ssa.BasicBlock) *ssa.BasicBlock {
	loop := b.ir.Innermost(from)
	for range maxBranches {
		k := b.decided(from, to)
		if k < 0 {
			break
		}
		next := to.Succs[k]
		for _, blk := range []*ssa.BasicBlock{to, next} {
			if l := b.ir.Innermost(blk); l != loop || l != nil && l.Header == blk {
				return to
			}
		}
		from, to = to, next
	}
	return to
}

// maxBranches bounds the branches that one edge is led past.
const maxBranches = 4

// decided returns the successor of a block that is taken by all who come from another, if it
// does nothing else than to branch; else -1.
func (b *builder) decided(from, to *ssa.BasicBlock) int {
	n := len(to.Instrs) - 1
	branch, ok := to.Instrs[n].(*ssa.If)
	if !ok || to.Succs[0] == to.Succs[1] {
		return -1
	}
	// What is brought along by two edges from one block may differ.
	k := slices.Index(to.Preds, from)
	if k < 0 || slices.Contains(to.Preds[k+1:], from) {
		return -1
	}
	for _, in := range to.Instrs[:n] {
		switch in := in.(type) {
		case *ssa.Phi, *ssa.DebugRef, *ssa.BinOp:
		case *ssa.UnOp:
			if in.Op != token.NOT {
				return -1
			}
		default:
			return -1
		}
	}
	yes, ok := b.decides(branch.Cond, to, k)
	switch {
	case !ok:
		return -1
	case yes:
		return 0
	}
	return 1
}

// decides returns what a condition is for those who come to a block by edge k, if it is made
// there of a constant that they bring along, or of an error that is not nil (soundness: ignored-outcome):
//
//	select {
//	case <-done:
//		err = r.err
//	case <-ctx.Done():
//		err = ctx.Err()
//	}
//	if err != nil {
//		return
//	}
func (b *builder) decides(v ssa.Value, blk *ssa.BasicBlock, k int) (yes, ok bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT && v.Block() == blk {
			yes, ok = b.decides(v.X, blk, k)
			return !yes, ok
		}
	case *ssa.Phi:
		if v.Block() == blk {
			n, ok := scalarConst(v.Edges[k])
			return n != 0, ok
		}
	case *ssa.BinOp:
		x, ok := v.X.(*ssa.Phi)
		if !ok || x.Block() != blk || v.Block() != blk || v.Op != token.EQL && v.Op != token.NEQ {
			return false, false
		}
		if nilConst(v.Y) && isError(x.Type()) {
			e := x.Edges[k]
			return nilConst(e) == (v.Op == token.EQL), nilConst(e) || madeError(e, b.lib, errorDepth) || b.failsOnceDone(e)
		}
		n, known := scalarConst(x.Edges[k])
		m, constant := scalarConst(v.Y)
		return (n == m) == (v.Op == token.EQL), known && constant
	}
	return false, false
}

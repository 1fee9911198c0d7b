package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file is about exits to which several ways lead that bring different outcomes along:
//
//	select {
//	case f.err = <-f.done:
//	case <-f.closed:
//		f.err = errClosed
//	}
//	return f.err
//
// Who has nil from there has come by the first case.

// endings notes on the edges to a block that returns, and does nothing else but to load what it
// returns, what the function returns if it comes by them.
func (b *builder) endings(blk *ssa.BasicBlock) {
	ret, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.Return)
	fb := &b.Blocks[blk.Index]
	if !ok || !fb.Exit || fb.Outcome != AnyOutcome || fb.Lo != fb.Hi || len(blk.Preds) < 2 {
		return
	}
	n := telling(ret.Parent().Signature.Results())
	if n < 0 || !changesNothing(blk.Instrs) {
		return
	}
	for k, from := range blk.Preds {
		if slices.Contains(blk.Preds[k+1:], from) || slices.Contains(blk.Preds[:k], from) {
			continue // by two edges, which may bring different ones
		}
		v := brought(ret.Results[n], blk, k)
		if v == nil {
			continue
		}
		for s, to := range from.Succs {
			if to == blk && s < len(b.Blocks[from.Index].Succs) && b.Blocks[from.Index].Succs[s].To == int32(blk.Index) {
				b.Blocks[from.Index].Succs[s].Ends = b.valueOutcome(v, from)
			}
		}
	}
}

// brought returns what v, which a block returns, is if control comes there from its predecessor k; nil
// if that is not known.
func brought(v ssa.Value, blk *ssa.BasicBlock, k int) ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		if v.Block() == blk {
			return v.Edges[k]
		}
	case *ssa.UnOp:
		if v.Op == token.MUL && v.Block() == blk {
			return leftIn(v.X, blk.Preds[k].Instrs)
		}
	}
	return nil
}

// leftIn returns what the last of some instructions leave at an address; nil if others than they may have
// stored there since (soundness: stable-base).
func leftIn(addr ssa.Value, instrs []ssa.Instruction) ssa.Value {
	for i := len(instrs) - 1; i >= 0; i-- {
		if st, ok := instrs[i].(*ssa.Store); ok && samePlace(st.Addr, addr) {
			return st.Val
		}
		if !changesNothing(instrs[i : i+1]) {
			return nil
		}
	}
	return nil
}

// samePlace reports whether two addresses are the same, as values of one run of a function.
func samePlace(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	f, ok := x.(*ssa.FieldAddr)
	g, also := y.(*ssa.FieldAddr)
	return ok && also && f.Field == g.Field && samePlace(f.X, g.X)
}

// changesNothing reports whether some instructions neither store anything nor wait for anyone.
func changesNothing(instrs []ssa.Instruction) bool {
	return !slices.ContainsFunc(instrs, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.UnOp:
			return in.Op == token.ARROW
		case *ssa.Phi, *ssa.BinOp, *ssa.FieldAddr, *ssa.Extract, *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.DebugRef, *ssa.Jump, *ssa.If, *ssa.Return:
			return false
		}
		return true
	})
}

// loadedAgain reports whether v is loaded from where old was in the block before, and nothing has been
// stored in between (soundness: stable-base).
func loadedAgain(old, v ssa.Value) bool {
	x, ok := old.(*ssa.UnOp)
	y, also := v.(*ssa.UnOp)
	if !ok || !also || x.Op != token.MUL || y.Op != token.MUL || !samePlace(x.X, y.X) {
		return false
	}
	blk := y.Block()
	if len(blk.Preds) != 1 || blk.Preds[0] != x.Block() {
		return false
	}
	since := x.Block().Instrs[slices.Index(x.Block().Instrs, ssa.Instruction(x)):]
	return changesNothing(since) && changesNothing(blk.Instrs[:slices.Index(blk.Instrs, ssa.Instruction(y))])
}

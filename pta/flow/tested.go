package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// This file is about functions that return what a test yields, as `return ready.Load()`
// does: true proves to the caller what the branch on it proves where it stands.

// tested has a block that returns the outcome of a test lead to two exits, one for each
// outcome, of no instructions. Nothing is seen from then on where blocks of the code are.
func (b *builder) tested(blk *ssa.BasicBlock) {
	ret, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.Return)
	if !ok || !b.Blocks[blk.Index].Exit || b.Blocks[blk.Index].Outcome != AnyOutcome {
		return
	}
	n := telling(ret.Parent().Signature.Results())
	if n < 0 || !isBool(ret.Results[n].Type()) {
		return
	}
	var yes, no Edge
	b.condition(b.result(ret, n), &yes, &no, 0)
	events := slices.Concat(yes.Events, no.Events)
	if len(events) == 0 || slices.ContainsFunc(events, func(e Event) bool { return !b.stillTrue(e, blk) }) {
		return
	}
	for _, x := range []struct {
		e  Edge
		is Outcome
	}{{yes, NonZero}, {no, Zero}} {
		x.e.To = int32(len(b.Blocks))
		end := b.Blocks[x.e.To-1]
		b.Blocks = append(b.Blocks, Block{First: end.End, End: end.End, Lo: end.Hi, Hi: end.Hi, Exit: true, Outcome: x.is, Tail: ssair.NoInstr})
		b.Blocks[blk.Index].Succs = append(b.Blocks[blk.Index].Succs, x.e)
	}
	b.Blocks[blk.Index].Exit, b.Blocks[blk.Index].Tail = false, ssair.NoInstr
}

// stillTrue reports whether what an event says, and no caller sees, is so where a block
// returns. A lock that was taken may have been given back since.
func (b *builder) stillTrue(e Event, blk *ssa.BasicBlock) bool {
	switch e.Kind {
	case FlagTest, Returned, Swapped:
		return true
	case Acquired:
		fb := &b.Blocks[blk.Index]
		return fb.Hi > fb.Lo && b.Steps[fb.Hi-1].Site == e.Site
	}
	return false
}

package flow

import (
	"github.com/iterace/iterace/internal/ssair"
	"slices"

	"golang.org/x/tools/go/ssa"
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
	if !slices.ContainsFunc(slices.Concat(yes.Events, no.Events), tells) {
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

// tells reports whether an event says something that no caller sees.
func tells(e Event) bool { return e.Kind == FlagTest || e.Kind == Acquired || e.Kind == Returned }

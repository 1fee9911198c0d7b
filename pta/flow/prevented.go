package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// This file finds where a function learns that what it has arranged to be run will not run any more:
//
//	stop := context.AfterFunc(ctx, func() { …; close(over) })
//	defer func() {
//		if !stop() {
//			<-over
//		}
//	}()
//
// That holds for the goroutine of this run of the function. A walk that has left it, and comes to the
// test in a later run, would take the answer for its own. So each way out of the function must lead
// by the test, and on from there whatever the answer: where the walk is not stopped by the wait, it then comes
// to all that comes after a later test.
//
// Where it is arranged on some ways only, `if stop != nil && !stop()` is the test: who finds nil has arranged nothing.

// prevented returns what started, or would have started, the goroutine that a call says to be kept from
// running if it returns true, and how many functions further up that is.
func (b *builder) prevented(c *ssa.Call) (spawn ssair.Instr, up int, ok bool) {
	made := b.arranged(c)
	if made == nil {
		return 0, 0, false
	}
	blk := c.Block()
	br, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If)
	if !ok || b.ir.Innermost(blk) != nil {
		return 0, 0, false
	}
	yes, no := blk.Succs[0], blk.Succs[1]
	switch x := br.Cond.(type) {
	case *ssa.Call:
		ok = x == c
	case *ssa.UnOp:
		ok = x.Op == token.NOT && x.X == c
		yes, no = no, yes
	default:
		ok = false
	}
	if !ok || yes == no || !ssair.Reaches(no, yes) {
		return 0, 0, false
	}
	fn, by := b.ir.SSA, made.Parent()
	if by == fn {
		if test, none := whereMade(blk, stopped(c)); test != nil {
			if none != yes && !ssair.Reaches(no, none) {
				return 0, 0, false
			}
			blk = test
		}
		return b.ir.Num(made), 0, b.ir.Innermost(made.Block()) == nil && leadsBy(made.Block(), blk)
	}
	if by != fn.Parent() || !deferredAfter(made, fn) || !leadsBy(fn.Blocks[0], blk) {
		return 0, 0, false
	}
	in := ssair.New(by)
	return in.Num(made), 1, in.Innermost(made.Block()) == nil
}

// unarranged handles a test whether there is something to take back: where there is not, nothing was arranged.
func (b *builder) unarranged(v *ssa.BinOp, yes, no *Edge) {
	blk := v.Block()
	for i, s := range blk.Succs {
		for _, in := range s.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if test, _ := whereMade(s, stopped(c)); test != blk {
				continue
			}
			if at, up, ok := b.prevented(c); ok && up == 0 {
				none := []*Edge{no, yes}[i]
				none.Events = append(none.Events, Event{Kind: Prevented, Site: b.ir.Num(c), Const: int64(at)})
			}
			return
		}
	}
}

// whereMade returns the block before one that ends with a test whether a value is nil, which leads there where it is
// not, and where that leads if it is; nil if there is no such test.
func whereMade(blk *ssa.BasicBlock, v ssa.Value) (test, none *ssa.BasicBlock) {
	if len(blk.Preds) != 1 {
		return nil, nil
	}
	test = blk.Preds[0]
	br, ok := test.Instrs[len(test.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, nil
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Block() != test || cmp.X != v || !nilConst(cmp.Y) {
		return nil, nil
	}
	switch {
	case cmp.Op == token.NEQ && test.Succs[0] == blk:
		return test, test.Succs[1]
	case cmp.Op == token.EQL && test.Succs[1] == blk:
		return test, test.Succs[0]
	}
	return nil, nil
}

// stopped returns what a call stops: the function that it calls, or its first argument.
func stopped(c *ssa.Call) ssa.Value {
	if c.Call.StaticCallee() != nil && len(c.Call.Args) > 0 {
		return c.Call.Args[0]
	}
	return c.Call.Value
}

// arranged returns the call that has arranged for a function to be run, and that another call, which has no
// other argument, takes back; nil if it is not that.
func (b *builder) arranged(c *ssa.Call) *ssa.Call {
	v := c.Call.Value
	if f := b.lib.Called(&c.Call); f != nil {
		if f.Op != library.OpTimerStop || len(c.Call.Args) == 0 {
			return nil
		}
		v = c.Call.Args[0]
	} else if c.Call.IsInvoke() || c.Call.StaticCallee() != nil || len(c.Call.Args) > 0 {
		return nil
	}
	if ld, ok := v.(*ssa.UnOp); ok {
		if ld.Op != token.MUL {
			return nil
		}
		st, ok := ssair.AssignedOnce(ld.X)
		if !ok {
			return nil
		}
		if v = st.Val; st.Parent() == c.Parent() {
			if _, ok = ssair.AssignedBefore(ld); !ok {
				return nil
			}
		} else if made, ok := v.(*ssa.Call); !ok || made.Block() != st.Block() {
			return nil
		}
	}
	if phi, ok := v.(*ssa.Phi); ok { // the only one that is not nil
		rest := slices.DeleteFunc(slices.Clone(phi.Edges), nilConst)
		if len(rest) != 1 {
			return nil
		}
		v = rest[0]
	}
	made, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if f := b.lib.Called(&made.Call); f == nil || f.Op != library.OpTimerFunc {
		return nil
	}
	return made
}

// leadsBy reports whether all ways from a block to the end of its function lead by another one.
func leadsBy(from, by *ssa.BasicBlock) bool {
	seen := make([]bool, len(from.Parent().Blocks))
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == by || seen[x.Index] {
			continue
		}
		seen[x.Index] = true
		if len(x.Succs) == 0 {
			return false
		}
		work = append(work, x.Succs...)
	}
	return true
}

// deferredAfter reports whether a literal is deferred right after a call, and used for nothing else.
func deferredAfter(made *ssa.Call, literal *ssa.Function) bool {
	after := false
	for _, in := range made.Block().Instrs {
		switch in := in.(type) {
		case *ssa.Defer:
			if mc, ok := in.Call.Value.(*ssa.MakeClosure); ok && mc.Fn == literal {
				return after && len(*mc.Referrers()) == 1
			}
			return false
		case ssa.CallInstruction:
			after = in == ssa.CallInstruction(made)
		case *ssa.UnOp, *ssa.IndexAddr, *ssa.Slice, *ssa.TypeAssert, *ssa.Send, *ssa.Panic:
			if after {
				return false // it may panic, or wait, before
			}
		}
	}
	return false
}

package flow

import (
	"go/token"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// A Poll is a way out of a loop that calls something, on a condition that it computes anew in each round:
//
//	for {
//		mu.Lock()
//		a := addr
//		mu.Unlock()
//		if a != "" {
//			break
//		}
//	}
//
// or a call that returns when what it calls has returned true.
type Poll struct {
	Block, Edge int32         // -1 for such a call
	Of          []ssair.Instr // the loads and calls in the loop from which the condition is computed, or the call
	Counts      bool          // the condition may be that something is 2 or more
}

// polls finds the polls of the function that are ways out of loops.
func (b *builder) polls() {
	for _, l := range b.ir.Loops {
		fl := &b.Loops[l.Index]
		if fl.Trip.Kind != TripUnknown || !slices.ContainsFunc(fl.Blocks, func(k int32) bool { return b.Blocks[k].Hi > b.Blocks[k].Lo }) {
			continue
		}
		for _, k := range fl.Blocks {
			blk := b.ir.SSA.Blocks[k]
			cond, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If)
			if !ok || l.Contains(blk.Succs[0]) == l.Contains(blk.Succs[1]) {
				continue
			}
			out := int32(0)
			if l.Contains(blk.Succs[0]) {
				out = 1
			}
			if of := b.computedFrom(cond.Cond, l); len(of) > 0 {
				b.Polls = append(b.Polls, Poll{k, out, of, counts(cond.Cond)})
			}
		}
	}
}

// counts reports whether a condition compares with something that is not, or not known to be, below 2.
func counts(cond ssa.Value) bool {
	op, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	for _, v := range []ssa.Value{op.X, op.Y} {
		if c, ok := v.(*ssa.Const); ok {
			n, ok := intConst(c)
			return ok && n >= 2
		}
	}
	return true
}

// maxComputed bounds the values from which a condition is seen to be computed.
const maxComputed = 30

// computedFrom lists the loads and calls in a loop from which it computes a value.
func (b *builder) computedFrom(v ssa.Value, l *ssair.Loop) (of []ssair.Instr) {
	seen := map[ssa.Value]bool{v: true}
	for work := []ssa.Value{v}; len(work) > 0 && len(seen) <= maxComputed; {
		in, ok := work[0].(ssa.Instruction)
		work = work[1:]
		if !ok || in.Block() == nil || !l.Contains(in.Block()) {
			continue
		}
		switch x := in.(type) {
		case *ssa.UnOp:
			if x.Op == token.MUL {
				of = append(of, b.ir.Num(x))
				continue
			}
		case *ssa.Call:
			of = append(of, b.ir.Num(x))
		}
		for _, op := range in.Operands(nil) {
			if *op != nil && !seen[*op] {
				seen[*op] = true
				work = append(work, *op)
			}
		}
	}
	slices.Sort(of)
	return of
}

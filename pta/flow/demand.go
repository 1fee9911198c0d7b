package flow

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file is about functions that return on one outcome only of what they are given:
//
//	r, err := fetch(ctx)
//	must(err) // panics, or ends the test
//	use(r)
//
// What follows a panic, or a call that never returns, is not looked at (soundness: panic-paths, never-returns).

// A Demand is a call step behind which control goes on only if the call has returned an outcome: that is given at once to a function
// that returns on no other one.
type Demand struct {
	Step    int32
	Outcome Outcome
}

// demands fills Demands.
func (b *builder) demands() {
	for _, blk := range b.ir.SSA.Blocks {
		for i, in := range blk.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			o := b.demandedBehind(c, blk.Instrs[i+1:])
			if o == AnyOutcome {
				continue
			}
			if steps := b.StepsAt(b.ir.Num(c)); len(steps) == 1 && b.Steps[steps[0]].Kind == Call {
				b.Demands = append(b.Demands, Demand{steps[0], o})
			}
		}
	}
}

// demandedBehind returns the outcome of a call that is demanded by the next one, if nothing is done in between but to load what that is given.
func (b *builder) demandedBehind(c *ssa.Call, rest []ssa.Instruction) Outcome {
	for _, in := range rest {
		switch in := in.(type) {
		case *ssa.Extract, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Convert, *ssa.DebugRef, *ssa.Alloc, *ssa.IndexAddr, *ssa.Slice:
		case *ssa.Store:
			if x, ok := in.Addr.(*ssa.IndexAddr); !ok || !isLocal(x.X) { // what is variadic
				return AnyOutcome
			}
		case *ssa.UnOp:
			if in.Op != token.MUL || !isLocal(in.X) {
				return AnyOutcome
			}
		case *ssa.Call:
			for k, v := range Operands(&in.Call) {
				of, _ := v.(*ssa.Call)
				if x, ok := v.(*ssa.Extract); ok {
					of, _ = toldBy(x)
				}
				if of == c && (isError(v.Type()) || isBool(v.Type())) {
					return demandedOf(&in.Call, k, b.lib)
				}
			}
			return AnyOutcome
		default:
			return AnyOutcome
		}
	}
	return AnyOutcome
}

// isLocal reports whether an address is that of a variable of the function, or of one that encloses it.
func isLocal(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return true
	}
	return false
}

// demandedOf returns the outcome without which a call does not return that is given it as an operand.
func demandedOf(c *ssa.CallCommon, k int, lib Library) Outcome {
	v := Operands(c)[k]
	if f := lib.Called(c); f != nil {
		for _, d := range f.Demands {
			if d == k {
				return outcome(isBool(v.Type()))
			}
		}
		return AnyOutcome
	}
	fn := c.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || fn.Recover != nil || k >= len(fn.Params) || !types.Identical(fn.Params[k].Type(), v.Type()) {
		return AnyOutcome
	}
	zero, nonzero := returnsWith(fn, fn.Params[k], Zero, lib), returnsWith(fn, fn.Params[k], NonZero, lib)
	if zero == nonzero {
		return AnyOutcome
	}
	return outcome(nonzero)
}

// returnsWith reports whether a function may return where a parameter, a boolean or an error, has an outcome.
func returnsWith(fn *ssa.Function, v ssa.Value, o Outcome, lib Library) bool {
	seen := make([]bool, len(fn.Blocks))
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[blk.Index] || stops(blk, lib, NeverDepth) {
			continue
		}
		seen[blk.Index] = true
		switch end := blk.Instrs[len(blk.Instrs)-1].(type) {
		case *ssa.Return:
			return true
		case *ssa.If:
			// A boolean is compared with nothing: it is the condition itself.
			if x, isNil := compared(end.Cond); x == v {
				next := blk.Succs[0]
				if outcome(!isNil) != o {
					next = blk.Succs[1]
				}
				work = append(work, next)
				continue
			}
		}
		work = append(work, blk.Succs...)
	}
	return false
}

// Demanded returns the outcome of call step s without which control does not go on behind it.
func (f *Func) Demanded(s int32) Outcome {
	for _, d := range f.Demands {
		if d.Step == s {
			return d.Outcome
		}
	}
	return AnyOutcome
}

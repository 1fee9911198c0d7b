package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// This file notes what is to be known of functions that work on a part of a slice, which
// they are told by two integers: what they hand to themselves as such, and which elements
// they touch that are named by what they are told.

// A Given is an integer that a function hands on, as argument Arg of a call of itself, of the
// function around it or of one of its literals.
type Given struct {
	At  ssair.Instr
	Arg int
	Bound
}

// A Named is an access to the element at an index that is a constant, or begins as one, or is a
// parameter plus a constant.
type Named struct {
	At ssair.Instr
	Bound
}

// A ParamUse says for what a function uses a parameter, where it works on a part of a slice.
type ParamUse struct {
	Param int32
	Role  Role
}

// A Role is what a parameter shows itself to be.
type Role uint8

// The roles.
const (
	First Role = iota // something goes up from it, or it is taken from an end
	End               // something goes down from it, or a beginning is taken from it
	Last              // it is an index, or an index is compared with it as the last one
)

// ranges fills Givens, Named and Uses.
func (b *builder) ranges() {
	fn := b.ir.SSA
	ints := 0
	for f := fn; f != nil; f = f.Parent() {
		for _, p := range f.Params {
			if ssair.IsInteger(p.Type()) {
				ints++
			}
		}
	}
	if ints < 2 {
		return
	}
	var forks []*ssa.BasicBlock
	for _, blk := range fn.Blocks {
		if slices.ContainsFunc(blk.Instrs, b.forks) {
			forks = append(forks, blk)
		}
	}
	for i, blk := range fn.Blocks {
		for k, in := range blk.Instrs {
			b.inRange(in, b.ir.Start[i]+ssair.Instr(k), forks)
		}
	}
}

func (b *builder) inRange(in ssa.Instruction, at ssair.Instr, forks []*ssa.BasicBlock) {
	switch in := in.(type) {
	case ssa.CallInstruction:
		if b.ofItself(in.Common()) {
			b.givens(at, in.Common().Args)
		}
	case *ssa.UnOp:
		b.named(at, in.X)
	case *ssa.Store:
		b.named(at, in.Addr)
	case *ssa.Slice:
		if in.Low != nil {
			b.use(in.Low, First)
		}
		if in.High != nil {
			if b.use(in.High, End) > 0 {
				b.use(in.High, Last)
			}
		}
	case *ssa.Phi:
		b.counts(in)
	case *ssa.If:
		b.strictly(in, forks)
	case *ssa.BinOp:
		switch in.Op {
		case token.LEQ, token.GTR: // v <= hi
			b.use(in.Y, Last)
		case token.GEQ, token.LSS: // hi >= v
			b.use(in.X, Last)
		case token.SUB: // hi - lo
			if _, constant := in.Y.(*ssa.Const); !constant {
				b.use(in.X, End)
				b.use(in.Y, First)
			}
		}
	}
}

// counts notes from what a variable of a loop goes up or down.
func (b *builder) counts(phi *ssa.Phi) {
	if !ssair.IsInteger(phi.Type()) {
		return
	}
	for _, e := range phi.Edges {
		op, ok := e.(*ssa.BinOp)
		if !ok || op.X != phi || op.Op != token.ADD && op.Op != token.SUB {
			continue
		}
		if n, ok := intConst(op.Y); ok && n > 0 {
			for _, from := range phi.Edges {
				if op.Op == token.ADD {
					b.use(from, First)
				} else {
					b.use(from, End)
				}
			}
		}
	}
}

// strictly notes which of two parameters is the lower one where the function forks.
func (b *builder) strictly(branch *ssa.If, forks []*ssa.BasicBlock) {
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if !ok {
		return
	}
	lo, hi, then := cmp.X, cmp.Y, 0
	switch cmp.Op {
	case token.LSS:
	case token.GEQ:
		then = 1
	case token.GTR:
		lo, hi = hi, lo
	case token.LEQ:
		lo, hi, then = hi, lo, 1
	default:
		return
	}
	to := branch.Block().Succs[then]
	if len(to.Preds) == 1 && slices.ContainsFunc(forks, to.Dominates) {
		b.use(lo, First)
		b.use(hi, End)
	}
}

// forks reports whether an instruction makes a literal of the function, or calls the function.
func (b *builder) forks(in ssa.Instruction) bool {
	if c, ok := in.(ssa.CallInstruction); ok {
		return b.ofItself(c.Common())
	}
	_, ok := in.(*ssa.MakeClosure)
	return ok
}

// use notes the role of a value that is a parameter, perhaps with a constant added, which is
// returned.
func (b *builder) use(v ssa.Value, r Role) (add int64) {
	bd, ok := b.bound(v)
	if !ok || bd.Path <= 0 || b.paths[bd.Path].kind != pathParam {
		return 0
	}
	u := ParamUse{b.paths[bd.Path].n, r}
	if !slices.Contains(b.Uses, u) {
		b.Uses = append(b.Uses, u)
	}
	return bd.Add
}

// ofItself reports whether a call is one of the function, of one around it, or of a literal in it,
// as far as is known: a literal calls itself by a variable.
func (b *builder) ofItself(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	if callee == nil {
		_, builtin := call.Value.(*ssa.Builtin)
		return !call.IsInvoke() && !builtin && b.ir.SSA.Parent() != nil
	}
	for f := b.ir.SSA; f != nil; f = f.Parent() {
		if f == callee {
			return true
		}
	}
	return callee.Parent() == b.ir.SSA
}

func (b *builder) givens(at ssair.Instr, args []ssa.Value) {
	for k, v := range args {
		if ssair.IsInteger(v.Type()) {
			if bd, ok := b.bound(v); ok {
				b.Givens = append(b.Givens, Given{at, k, bd})
			}
		}
	}
}

// named notes the index of an access to an element. Of a slice of the function's own it says
// nothing.
func (b *builder) named(at ssair.Instr, addr ssa.Value) {
	x, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return
	}
	if _, part := x.X.(*ssa.Slice); part {
		return
	}
	bd, ok := b.bound(x.Index)
	if !ok {
		return
	}
	if bd.Path <= 0 || b.paths[bd.Path].kind == pathParam {
		b.Named = append(b.Named, Named{at, bd})
	}
	index := b.assigned(x.Index)
	if op, ok := index.(*ssa.BinOp); ok {
		index = op.X // of range: the round before's and one
	}
	edges := []ssa.Value{x.Index}
	if phi, ok := index.(*ssa.Phi); ok {
		edges = phi.Edges
	}
	for _, e := range edges {
		if bd, ok := b.bound(e); ok && bd.Path <= 0 && e != x.Index {
			b.Named = append(b.Named, Named{at, bd})
		} else if ok && bd.Add >= 0 {
			b.use(e, Last)
		}
	}
}

// GivenAt returns the integer that a call at an instruction hands on as its k-th argument.
func (f *Func) GivenAt(at ssair.Instr, k int) (Bound, bool) {
	for _, g := range f.Givens {
		if g.At == at && g.Arg == k {
			return g.Bound, true
		}
	}
	return Bound{}, false
}

// ShowsParam reports whether the function shows what one of its parameters is.
func (f *Func) ShowsParam(k int, r Role) bool {
	return slices.Contains(f.Uses, ParamUse{int32(k), r})
}

package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
)

// This file relates what a function returns to the branches that its callers
// take on it.

var errorType = types.Universe.Lookup("error").Type()

func isError(t types.Type) bool { return types.Identical(t, errorType) }

// outcomeOf returns the outcome of a return statement, if it is the same each
// time that the statement runs.
func (b *builder) outcomeOf(ret *ssa.Return) Outcome {
	n := telling(ret.Parent().Signature.Results())
	if n < 0 {
		return AnyOutcome
	}
	return b.valueOutcome(b.result(ret, n), ret.Block())
}

// valueOutcome returns the outcome of a function that returns v where control has come to a block,
// if it is the same each time.
func (b *builder) valueOutcome(v ssa.Value, at *ssa.BasicBlock) Outcome {
	switch {
	case isBool(v.Type()):
		if k, ok := scalarConst(v); ok {
			return outcome(k != 0)
		}
	case isError(v.Type()):
		if c, ok := v.(*ssa.Const); ok && c.Value == nil {
			return Zero
		}
		if madeError(v, b.lib, errorDepth) || b.failsOnceDone(v) {
			return NonZero
		}
		return branched(v, at)
	}
	return AnyOutcome
}

// result returns what a return statement gives as one of the results. Where the
// function defers calls, go/ssa keeps the results in variables meanwhile.
func (b *builder) result(ret *ssa.Return, n int) ssa.Value {
	v := ret.Results[n]
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return v
	}
	var stores []*ssa.Store
	if cell, ok := ld.X.(*ssa.Alloc); !ok || cell.Referrers() == nil || !ssair.OnlyRead(cell, &stores) {
		return v // a deferred call may change it
	}
	if last := ssair.LastStore(ld); last != nil {
		return last.Val
	}
	return v
}

// branched returns what the branches that lead to a block tell of an error.
func branched(v ssa.Value, blk *ssa.BasicBlock) Outcome {
	for ; blk != nil; blk = blk.Idom() {
		if len(blk.Preds) != 1 {
			continue
		}
		from := blk.Preds[0]
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] {
			continue
		}
		cmp, ok := cond.Cond.(*ssa.BinOp)
		if !ok || cmp.X != v && !loadedAgain(cmp.X, v) {
			continue
		}
		if c, isConst := cmp.Y.(*ssa.Const); !isConst || c.Value != nil {
			continue
		}
		switch yes := from.Succs[0] == blk; cmp.Op {
		case token.EQL:
			return outcome(!yes)
		case token.NEQ:
			return outcome(yes)
		}
	}
	return AnyOutcome
}

// failsOnceDone reports whether v is the error of something that is done, which was received
// from its Done before:
//
//	case <-ctx.Done():
//		return ctx.Err()
func (b *builder) failsOnceDone(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	f := b.lib.Called(&c.Call)
	if f == nil || !f.FailsOnceDone || len(Operands(&c.Call)) == 0 {
		return false
	}
	of := b.path(Operands(&c.Call)[0])
	if of <= 0 {
		return false
	}
	done := func(ch ssa.Value) bool {
		d, ok := ch.(*ssa.Call)
		return ok && tellsDone(&d.Call) && b.path(Operands(&d.Call)[0]) == of
	}
	before := int(b.ir.Num(c))
	for blk := c.Block(); blk != nil; blk = blk.Idom() {
		for _, in := range blk.Instrs {
			if u, ok := in.(*ssa.UnOp); ok && u.Op == token.ARROW && (blk != c.Block() || int(b.ir.Num(u)) < before) && done(u.X) {
				return true
			}
		}
		if sel, k := takenBefore(blk); sel != nil && sel.States[k].Dir == types.RecvOnly && done(sel.States[k].Chan) {
			return true
		}
	}
	return false
}

// madeError reports whether v is an error made here or by a function that only
// makes errors, such as errors.New.
func madeError(v ssa.Value, lib Library, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !madeError(e, lib, depth-1) {
				return false
			}
		}
		return true
	case *ssa.Call:
		if f := lib.Called(&v.Call); f != nil && f.MakesError {
			return true
		}
		fn := v.Call.StaticCallee()
		return fn != nil && makesError(fn, lib, depth-1)
	case *ssa.UnOp:
		// Nobody sets an exported one either, and what another package offers is an
		// error, whose code may not be there (soundness: ignored-outcome).
		g, ok := v.X.(*ssa.Global)
		o, out := lib.(Outside)
		return ok && out && v.Op == token.MUL && isError(v.Type()) && (g.Pkg != v.Parent().Pkg || o.HoldsError(g))
	}
	return false
}

// MakesErrorValue reports whether a value is an error, and never nil.
func MakesErrorValue(v ssa.Value, lib Library) bool { return madeError(v, lib, errorDepth) }

// errorDepth is how deep functions that make errors are looked into.
const errorDepth = 3

// MakesError reports whether all that a function returns is one error, and
// never nil.
func MakesError(fn *ssa.Function, lib Library) bool { return makesError(fn, lib, errorDepth) }

func makesError(fn *ssa.Function, lib Library, depth int) bool {
	if fn.Signature.Results().Len() != 1 || !isError(fn.Signature.Results().At(0).Type()) {
		return false
	}
	if len(fn.Blocks) == 0 {
		o, ok := lib.(Outside)
		return ok && o.MakesError(fn)
	}
	for _, blk := range fn.Blocks {
		ret, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.Return)
		if ok && !madeError(ret.Results[0], lib, depth) && branched(ret.Results[0], blk) != NonZero {
			return false
		}
	}
	return true
}

// tailOf returns the call whose outcome a return statement passes on, or
// NoInstr.
func (b *builder) tailOf(ret *ssa.Return) ssair.Instr {
	if n := telling(ret.Parent().Signature.Results()); n >= 0 {
		v := b.result(ret, n)
		if x, ok := v.(*ssa.Extract); ok {
			if c, ok := toldBy(x); ok {
				return b.ir.Num(c)
			}
		}
		if c, ok := v.(*ssa.Call); ok {
			return b.ir.Num(c)
		}
	}
	return ssair.NoInstr
}

// ignored reports whether a call has results, and nobody looks at them.
func ignored(c *ssa.Call) bool {
	return c.Call.Signature().Results().Len() > 0 && len(*c.Referrers()) == 0
}

func outcome(set bool) Outcome {
	if set {
		return NonZero
	}
	return Zero
}

// telling returns which of some results tells the outcome: the last one, by custom, if it
// is a boolean or an error; else the only boolean, as in `found, v := lookup(k)`; else -1.
func telling(results *types.Tuple) int {
	last := results.Len() - 1
	if last < 0 {
		return -1
	}
	if t := results.At(last).Type(); isBool(t) || isError(t) {
		return last
	}
	one := -1
	for i := range last {
		if isBool(results.At(i).Type()) {
			if one >= 0 {
				return -1
			}
			one = i
		}
	}
	return one
}

// toldBy returns the call of which v is the result that tells the outcome.
func toldBy(v *ssa.Extract) (*ssa.Call, bool) {
	c, ok := v.Tuple.(*ssa.Call)
	if !ok || v.Index != telling(c.Type().(*types.Tuple)) {
		return nil, false
	}
	return c, true
}

// returned notes that c returned is on the edge yes, and the opposite on no.
func (b *builder) returned(c *ssa.Call, is Outcome, yes, no *Edge) {
	e := Event{Kind: Returned, Site: b.ir.Num(c)}
	if f := b.lib.Called(&c.Call); f != nil {
		e.Op = f.Op
	}
	e.Const = int64(is)
	yes.Events = append(yes.Events, e)
	e.Const = int64(Zero + NonZero - is)
	no.Events = append(no.Events, e)
}

// errorTest handles a comparison of the error that c returns with nil.
func (b *builder) errorTest(c *ssa.Call, op token.Token, yes, no *Edge) {
	switch op {
	case token.EQL:
		b.returned(c, Zero, yes, no)
	case token.NEQ:
		b.returned(c, NonZero, yes, no)
	}
}

// late finds the calls whose outcome is looked at later, when other things have been done:
//
//	err := run(tasks)
//	log.Print("stopped")
//	if err != nil {
//
// A call that may be made again has another outcome then.
func (b *builder) late() {
	for i := range b.Blocks {
		for k := range b.Blocks[i].Succs {
			for _, ev := range b.Blocks[i].Succs[k].Events {
				if ev.Kind != Returned {
					continue
				}
				for _, s := range b.StepsAt(ev.Site) {
					g := b.AfterStep(s)
					if b.BlockOf(g) == int32(i) && b.StepAfter(g) < 0 || slices.Contains(b.Late, s) || b.Reaches(g, b.BeforeStep(s), ssair.NoInstr, -1) {
						continue
					}
					b.Late = append(b.Late, s)
				}
			}
		}
	}
	slices.Sort(b.Late)
}

// PassesOn reports whether the function returns the outcome of call step s right behind it.
func (f *Func) PassesOn(s int32) bool {
	g := f.AfterStep(s)
	b := &f.Blocks[f.BlockOf(g)]
	return b.Exit && b.Outcome == AnyOutcome && b.Tail != ssair.NoInstr && b.Tail == f.Steps[s].Site && f.StepAfter(g) < 0
}

// IsLate reports whether the outcome of call step s tells of a branch that does not follow at once.
func (f *Func) IsLate(s int32) bool {
	return slices.Contains(f.Late, s) || slices.ContainsFunc(f.Tolds, func(t Told) bool { return t.Step == s })
}

// Contradicts reports whether an edge from one block to another is not taken where call step s has
// returned an outcome.
func (f *Func) Contradicts(s int32, o Outcome, from, to int32) bool {
	if slices.ContainsFunc(f.Tolds, func(t Told) bool {
		return t.Step == s && t.Outcome == o && slices.Contains(t.Never, Turn{from, to})
	}) {
		return true
	}
	if !slices.Contains(f.Late, s) {
		return false
	}
	some := false
	for k := range f.Blocks[from].Succs {
		e := &f.Blocks[from].Succs[k]
		if e.To != to {
			continue
		}
		some = true
		if !slices.ContainsFunc(e.Events, func(ev Event) bool {
			return ev.Kind == Returned && ev.Site == f.Steps[s].Site && Outcome(ev.Const) != o
		}) {
			return false
		}
	}
	return some
}

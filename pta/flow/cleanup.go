package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// This file is about what a test has run when it is over, by T.Cleanup: that comes where the
// function returns that is the test, as its deferred calls do, and after these.

// CleansUp reports whether a call registers what is run when the function that makes it is over: the
// function is a test, or the body of a subtest, and the call is on the T that it is given.
func CleansUp(c *ssa.Call, e *library.Func) bool {
	fn := c.Parent()
	return e != nil && e.Op == library.OpTestCleanup && !c.Call.IsInvoke() && endsTest(fn) && len(c.Call.Args) > 0 && given(c.Call.Args[0]) == fn.Params[0]
}

// endsTest reports whether a function is a test, a benchmark or a fuzz test, or a literal that
// may be the body of one.
func endsTest(fn *ssa.Function) bool {
	return fn.Signature.Results().Len() == 0 && len(fn.Params) > 0 && (fn.Parent() != nil && takesTest(fn.Signature) || IsTest(fn))
}

// IsTest reports whether a function is a test, a benchmark or a fuzz test.
func IsTest(fn *ssa.Function) bool {
	return fn.Signature.Params().Len() == 1 && takesTest(fn.Signature) &&
		slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz"}, func(kind string) bool { return strings.HasPrefix(fn.Name(), kind) })
}

// takesTest reports whether functions of a type are given a T of package testing first, or a B or F.
func takesTest(sig *types.Signature) bool {
	if sig.Recv() != nil || sig.Params().Len() == 0 {
		return false
	}
	p, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// given follows a receiver back to the parameter that it is, or is a part of.
func given(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp: // of a parameter that a literal captures
			st, ok := ssair.AssignedBefore(x)
			if !ok {
				return v
			}
			v = st.Val
		default:
			return v
		}
	}
}

// runCleanups adds the functions that are registered before the return at hand, the last one first.
func (b *builder) runCleanups(ret *ssa.Return) {
	for i := len(b.cleanups) - 1; i >= 0; i-- {
		c := b.cleanups[i]
		b.later(&c.Call, c, ret)
	}
}

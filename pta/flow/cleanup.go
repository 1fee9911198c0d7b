package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model/library"
)

// This file is about what a test has run when it is over, by T.Cleanup: that comes where the
// function returns that is the test, as its deferred calls do, and after these.

// CleansUp reports whether a call registers what is run when the function that makes it is over: the
// function is a test, or the body of a subtest, and the call is on the T that it is given.
func CleansUp(c *ssa.Call, e *library.Func) bool {
	fn := c.Parent()
	return e != nil && e.Op == library.OpTestCleanup && !c.Call.IsInvoke() && isTest(fn) && len(c.Call.Args) > 0 && given(c.Call.Args[0]) == fn.Params[0]
}

// isTest reports whether a function is a test, a benchmark or a fuzz test, or a literal that
// may be the body of one.
func isTest(fn *ssa.Function) bool {
	if fn.Signature.Recv() != nil || len(fn.Params) == 0 || fn.Signature.Results().Len() > 0 {
		return false
	}
	p, ok := types.Unalias(fn.Params[0].Type()).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "testing" {
		return false
	}
	if fn.Parent() != nil {
		return true
	}
	for _, kind := range []string{"Test", "Benchmark", "Fuzz"} {
		if strings.HasPrefix(fn.Name(), kind) && len(fn.Params) == 1 {
			return true
		}
	}
	return false
}

// given follows a receiver back to the parameter that it is, or is a part of.
func given(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.UnOp: // of a parameter that a literal captures
			a, ok := x.X.(*ssa.Alloc)
			if !ok {
				return v
			}
			var only ssa.Value
			for _, r := range *a.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == a {
					if only != nil {
						return v
					}
					only = st.Val
				}
			}
			if only == nil {
				return v
			}
			v = only
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

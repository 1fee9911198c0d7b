package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model/library"
)

// subtestDepth is how many calls down a subtest's body may hide its call of
// Parallel: in a helper that takes the T.
const subtestDepth = 3

// Overlaps reports whether a call of a subtest operator lets its body run
// beside other code: the body makes itself parallel. A body that does not is
// run to its end by the call, and one that is not a function literal or a
// declared function is taken to be of that kind (soundness: unknown-subtest).
func Overlaps(c *ssa.CallCommon, e *library.Func, lib Library) bool {
	if e.Op != library.OpSubtest || e.Body < 0 || e.Body >= len(c.Args) {
		return false
	}
	v := c.Args[e.Body]
	if x, ok := v.(*ssa.ChangeType); ok {
		v = x.X
	}
	if x, ok := v.(*ssa.MakeClosure); ok {
		v = x.Fn
	}
	fn, _ := v.(*ssa.Function)
	return fn != nil && goesParallel(fn, lib, subtestDepth)
}

// GoesParallel reports whether fn makes the test parallel that is its first
// parameter.
func GoesParallel(fn *ssa.Function, lib Library) bool { return goesParallel(fn, lib, subtestDepth) }

// goesParallel reports whether fn, or what it passes its first parameter on
// to, makes the test of that parameter parallel.
func goesParallel(fn *ssa.Function, lib Library, depth int) bool {
	if len(fn.Params) == 0 || depth == 0 {
		return false
	}
	if o, ok := lib.(Outside); ok && fn.Blocks == nil {
		return o.GoesParallel(fn)
	}
	t := fn.Params[0].Type()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if e := lib.Called(&call.Call); e != nil {
				if e.Op == library.OpTestParallel {
					return true
				}
				continue
			}
			callee := call.Call.StaticCallee()
			if callee == nil || callee == fn {
				continue
			}
			for i, a := range call.Call.Args {
				if i == 0 && types.Identical(a.Type(), t) && goesParallel(callee, lib, depth-1) {
					return true
				}
			}
		}
	}
	return false
}

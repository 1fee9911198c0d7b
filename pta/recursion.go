package pta

import (
	"github.com/iterace/iterace/internal/scc"
	"golang.org/x/tools/go/ssa"
)

// callCycles finds functions that call themselves, through others perhaps. Only calls that
// name a function count, and closures where they are made: a cycle of these is all in view
// where one of its functions is, whatever else is.
type callCycles struct {
	finder scc.Finder[*ssa.Function]
	found  map[*ssa.Function]bool // of those that were looked at: whether they lie on a cycle
}

func newCallCycles() *callCycles {
	c := &callCycles{found: make(map[*ssa.Function]bool)}
	c.finder.Next = func(fn *ssa.Function, visit func(*ssa.Function)) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if g := named(in); g != nil {
					visit(g)
				}
			}
		}
	}
	c.finder.Found = func(fns []*ssa.Function, cyclic bool) {
		for _, fn := range fns {
			c.found[fn] = cyclic
		}
	}
	return c
}

// on reports whether a function calls itself.
func (c *callCycles) on(fn *ssa.Function) bool {
	c.finder.Visit(fn)
	return c.found[fn]
}

// named returns the function that an instruction calls by name, or of which it makes a
// closure.
func named(in ssa.Instruction) *ssa.Function {
	switch in := in.(type) {
	case ssa.CallInstruction:
		return in.Common().StaticCallee()
	case *ssa.MakeClosure:
		fn, _ := in.Fn.(*ssa.Function)
		return fn
	}
	return nil
}

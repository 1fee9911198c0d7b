package pta

import "golang.org/x/tools/go/ssa"

// callCycles finds functions that call themselves, through others perhaps (Tarjan's
// algorithm). Only calls that name a function count, and closures where they are made: a
// cycle of these is all in view where one of its functions is, whatever else is.
type callCycles struct {
	index map[*ssa.Function]int  // by function that was met, from 1
	low   map[*ssa.Function]int  // of those in open
	found map[*ssa.Function]bool // of all others: whether they lie on a cycle
	open  []*ssa.Function
}

func newCallCycles() *callCycles {
	return &callCycles{index: make(map[*ssa.Function]int), low: make(map[*ssa.Function]int), found: make(map[*ssa.Function]bool)}
}

// on reports whether a function calls itself.
func (c *callCycles) on(fn *ssa.Function) bool {
	if c.index[fn] == 0 {
		c.visit(fn)
	}
	return c.found[fn]
}

func (c *callCycles) visit(fn *ssa.Function) {
	at, first, itself := len(c.index)+1, len(c.open), false
	c.index[fn], c.low[fn] = at, at
	c.open = append(c.open, fn)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			g := named(in)
			if g == nil {
				continue
			}
			itself = itself || g == fn
			if c.index[g] == 0 {
				c.visit(g)
			}
			if low, open := c.low[g]; open {
				c.low[fn] = min(c.low[fn], low)
			}
		}
	}
	if c.low[fn] != at {
		return
	}
	for _, g := range c.open[first:] {
		c.found[g] = itself || len(c.open)-first > 1
		delete(c.low, g)
	}
	c.open = c.open[:first]
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

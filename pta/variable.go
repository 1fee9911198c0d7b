package pta

import (
	"go/token"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// This file follows new memory through the function's own variables: those that a deferred
// call or a function literal captures, and those that hold results. What is put there is not handed
// on by that, if the function only loads it from there, and so does each literal, which runs only where
// the function itself, or a library function that keeps nothing, calls it:
//
//	t := &table{}
//	sort.Slice(rows, func(i, j int) bool { return t.less(i, j) })

// heldIn reports whether more holds for all that a variable may hold that a value is loaded from.
func (p *Program) heldIn(load *ssa.UnOp, more func(ssa.Value) bool) bool {
	a, ok := load.X.(*ssa.Alloc)
	if !ok || load.Op != token.MUL {
		return false
	}
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Addr != a || !more(r.Val) {
				return false
			}
		case *ssa.MakeClosure:
			if setsCaptured(r, a) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// setsCaptured reports whether a function literal may store to a variable that it has captured.
func setsCaptured(c *ssa.MakeClosure, v ssa.Value) bool {
	fn, ok := c.Fn.(*ssa.Function)
	if !ok || fn.Blocks == nil {
		return true
	}
	for k, b := range c.Bindings {
		if b != v {
			continue
		}
		for _, r := range *fn.FreeVars[k].Referrers() {
			switch r.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			default:
				return true
			}
		}
	}
	return false
}

// inVariable adds to a web what is loaded from a variable that its memory is put into. It returns
// false where the variable, or a literal that has captured it, may hand it on.
func (p *Program) inVariable(a *ssa.Alloc, w *web, seen map[ssa.Value]bool, num func(ssa.Instruction) ssair.Instr, depth int) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Addr != a {
				return false
			}
		case *ssa.MakeClosure:
			if !p.closureKeeps(r, a, true) {
				return false
			}
		default:
			return false
		}
	}
	for _, r := range *a.Referrers() {
		if ld, ok := r.(*ssa.UnOp); ok && !seen[ld] {
			seen[ld] = true
			p.uses(ld, w, seen, num, depth)
		}
	}
	return len(seen) <= maxWeb
}

// closureKeeps reports whether a function literal hands on nothing of a value that it has captured, or of
// what it loads from there if that is a variable, and is run only while the function runs, on its goroutine.
func (p *Program) closureKeeps(c *ssa.MakeClosure, v ssa.Value, variable bool) bool {
	fn, ok := c.Fn.(*ssa.Function)
	if !ok || fn.Blocks == nil || !p.runsHere(c) {
		return false
	}
	key := captureKey{c, v, variable}
	keeps, known := p.captures[key]
	if known {
		return keeps
	}
	if p.captures == nil {
		p.captures = make(map[captureKey]bool)
	}
	p.captures[key] = false // while it is looked at
	w := &web{wide: true, after: true}
	seen := make(map[ssa.Value]bool)
	for k, b := range c.Bindings {
		if b != v {
			continue
		}
		free := fn.FreeVars[k]
		if !variable {
			p.uses(free, w, seen, returnOrNot, freshDepth)
			continue
		}
		for _, r := range *free.Referrers() {
			switch r := r.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				p.uses(r, w, seen, returnOrNot, freshDepth)
			case *ssa.Store:
				if r.Addr != free {
					return false
				}
			default:
				return false
			}
		}
	}
	w.settle(returnOrNot)
	p.captures[key] = len(w.escapes) == 0 && len(w.won) == 0 && len(seen) <= maxWeb
	return p.captures[key]
}

// A captureKey is a question to closureKeeps.
type captureKey struct {
	closure  *ssa.MakeClosure
	v        ssa.Value
	variable bool
}

// runsHere reports whether a function literal is only called, deferred, or passed to a library function that
// does no more than to call it before it returns.
func (p *Program) runsHere(c *ssa.MakeClosure) bool {
	for _, r := range *c.Referrers() {
		var call *ssa.CallCommon
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Call:
			call = &r.Call
		case *ssa.Defer:
			call = &r.Call
		default:
			return false
		}
		for k, a := range call.Args {
			if a == c && !p.onlyCalls(call.StaticCallee(), k) {
				return false
			}
		}
	}
	return true
}

// onlyCalls reports whether a function is a library function that calls its argument k, and does no more
// with it.
func (p *Program) onlyCalls(fn *ssa.Function, k int) bool {
	if fn == nil {
		return false
	}
	e := p.entry(fn)
	if e == nil || !p.blackHole(e) || e.Op != library.OpNone || len(e.Retains)+len(e.Concurrent)+len(e.ConcurrentMethods)+len(e.Returns)+len(e.Stores) > 0 {
		return false
	}
	return slices.Contains(e.Calls, k)
}

package pta

import (
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds functions that are called in rounds by who is given them:
//
//	filepath.WalkDir(root, func(path string, …) error { wg.Go(…) })
//
// What they start is many goroutines, as if the loop were around the go.

// A frequency says how often a function calls a parameter.
type frequency uint8

const (
	never frequency = iota
	once            // in a call, as far as is known
	inRounds
)

// calledInRounds reports whether the function at hand is one that its parent gives
// to a function which calls it in rounds.
func (l *lowerer) calledInRounds() bool {
	parent := l.fn.Parent()
	if parent == nil || l.fn.Blocks == nil {
		return false
	}
	for _, b := range parent.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			for k, a := range c.Call.Args {
				if literal(a) == l.fn && l.p.callsArgument(&c.Call, k, roundsDepth) == inRounds {
					return true
				}
			}
		}
	}
	return false
}

// literal returns the function that a value is made of, or nil.
func literal(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		fn, _ := v.Fn.(*ssa.Function)
		return fn
	case *ssa.ChangeType:
		return literal(v.X)
	}
	return nil
}

// roundsDepth bounds the functions that pass a function on to one another.
const roundsDepth = 4

// callsArgument returns how often a call calls its argument k.
func (p *Program) callsArgument(c *ssa.CallCommon, k, depth int) frequency {
	fn := c.StaticCallee()
	if fn == nil || depth == 0 {
		return never
	}
	if e := p.entry(fn); e != nil {
		switch {
		case e.InRounds(k):
			return inRounds
		case slices.Contains(e.Calls, k):
			return once
		}
		return never
	}
	return p.callsParam(fn, k, depth)
}

// callsParam returns how often a function calls its parameter k in one call.
func (p *Program) callsParam(fn *ssa.Function, k, depth int) frequency {
	if fn.Blocks == nil {
		s, _ := p.summary(fn)
		if k < len(s.Calls) {
			return s.Calls[k]
		}
		return never
	}
	if k >= len(fn.Params) {
		return never
	}
	key := resultKey{fn, k}
	if f, ok := p.frequencies[key]; ok {
		return f
	}
	if p.frequencies == nil {
		p.frequencies = make(map[resultKey]frequency)
	}
	p.frequencies[key] = never // while it is looked at
	f, again := p.callsValue(fn, fn.Params[k], depth)
	if again && f != never {
		f = inRounds // it passes it on to itself
	}
	p.frequencies[key] = f
	return f
}

// callsValue returns how often a function calls a value; again is set if it passes
// it to a call of itself.
func (p *Program) callsValue(fn *ssa.Function, v ssa.Value, depth int) (most frequency, again bool) {
	if v.Referrers() == nil {
		return never, false
	}
	switch v.Type().Underlying().(type) {
	case *types.Signature, *types.Interface:
	default:
		return never, false
	}
	called := func(f frequency, b *ssa.BasicBlock) {
		if f == once && comesBack(b) {
			f = inRounds
		}
		most = max(most, f)
	}
	below := func(g *ssa.Function, x ssa.Value, b *ssa.BasicBlock) {
		f, more := p.callsValue(g, x, depth)
		called(f, b)
		again = again || more
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if r.Call.Value == v {
				called(once, r.Block())
				continue
			}
			for k, a := range r.Call.Args {
				if a != v {
					continue
				}
				if r.Call.StaticCallee() == fn {
					again = true
				} else {
					called(p.callsArgument(&r.Call, k, depth-1), r.Block())
				}
			}
		case *ssa.ChangeType:
			below(fn, r, r.Block())
		case *ssa.Store:
			// A parameter that is captured lives in a variable.
			if a, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				most = max(most, p.callsVariable(fn, a, depth))
			}
		}
	}
	return most, again
}

// callsVariable is callsValue for what a variable holds that functions inside fn
// capture.
func (p *Program) callsVariable(fn *ssa.Function, addr ssa.Value, depth int) (most frequency) {
	if depth == 0 || addr.Referrers() == nil {
		return never
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			f, _ := p.callsValue(fn, r, depth-1)
			most = max(most, f)
		case *ssa.MakeClosure:
			inner, _ := r.Fn.(*ssa.Function)
			for i, bound := range r.Bindings {
				if bound != addr || inner == nil || i >= len(inner.FreeVars) {
					continue
				}
				f := p.callsVariable(inner, inner.FreeVars[i], depth-1)
				if f == once {
					// As often as the inner function is called.
					f, _ = p.callsValue(fn, r, depth-1)
				}
				most = max(most, f)
			}
		}
	}
	return most
}

// comesBack reports whether control may come from a block to itself.
func comesBack(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return ssair.Reaches(s, b) })
}

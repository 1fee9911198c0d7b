package pta

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds functions whose arguments must not be mixed up: with one
// analysis for all calls, connect(a, b) and connect(b, a) link a to a, and
// step(old, new) and step(new, old) read what they write, and what is done to a
// copy is done to what others share. What runs the function that an object keeps
// runs those of all objects.

const (
	linkInstr = 80  // instructions of a function that is told apart by call for what it links
	linkSites = 8   // and calls of it
	maxBack   = 200 // functions below it that are looked at
	loopSites = 4   // calls of a function that is told apart for its loop: each is solved on its own
	runsInstr = 30  // instructions of a function that is told apart by call for the kept functions that it runs
	moveInstr = 120 // or moves
	keptSites = 24  // and calls of it
	pollSites = 100 // calls of a short function that asks one that it is given again and again
)

// distinct says for which of two reasons calls of fn are told apart: it writes
// what its arguments lead to, above all links one to another, or runs or moves a
// function that is kept there; or it has a parallel loop and is given something other
// than its receiver, or calls in rounds what it is given, which may start goroutines.
func (l *lowerer) distinct() (linker, looper bool) {
	n := l.p.sitesOf(l.fn) - l.p.promoted[l.fn]
	if !l.f.App || n < 2 {
		return false, false
	}
	if n <= linkSites && l.tiesBack() && !l.callsBack() {
		return true, false
	}
	if l.f.Recurses {
		return false, false
	}
	if n <= keptSites && (l.keepers() || l.handsDown()) && !l.comesBack() {
		return true, false
	}
	if n <= pollSites && l.polls() && !l.comesBack() {
		return false, true
	}
	if n > linkSites {
		return false, false
	}
	given := 0
	for i, v := range l.fn.Params {
		if l.p.types.layoutOf(v.Type()).Ptr && (i > 0 || l.fn.Signature.Recv() == nil) {
			given++
		}
	}
	instrs, writer := 0, false
	for _, b := range l.fn.Blocks {
		for _, in := range b.Instrs {
			instrs++
			looper = looper || given > 0 && n <= loopSites && l.ir.Innermost(b) != nil && l.spawns(in)
			linker = linker || l.links(in)
			writer = writer || given > 0 && l.writes(in)
		}
	}
	linker = instrs <= linkInstr && (linker || writer && n <= loopSites)
	for k := range l.fn.Params {
		looper = looper || n <= loopSites && instrs <= linkInstr && l.p.callsParam(l.fn, k, roundsDepth) == inRounds
	}
	if (linker || looper) && l.comesBack() {
		return false, false
	}
	return linker, looper
}

// tiesBack reports whether a function puts a closure that has captured a parameter into what that parameter
// leads to, by itself or in something that it makes:
//
//	func (s *Shell) reset() { s.config = &Config{Subst: func(c *Cmd) { s.run(c) }} }
//
// Who finds the closure by one object would run those of all. That such closures lead back to where the
// function is called is what they are for.
func (l *lowerer) tiesBack() bool {
	for _, b := range l.fn.Blocks {
		for _, in := range b.Instrs {
			if st, ok := in.(*ssa.Store); ok {
				if to := l.leadingTo(st.Addr, make(map[ssa.Value]bool)); to != 0 && to&l.capturedBy(st.Val, maxTied) != 0 {
					return true
				}
			}
		}
	}
	return false
}

const maxTied = 3 // values between a closure and where it is put

// capturedBy returns, as a bit set, the parameters that lead to what is captured by a closure that a value is,
// or that lies in what it points to and the function has made.
func (l *lowerer) capturedBy(v ssa.Value, depth int) (out uint64) {
	if depth == 0 {
		return 0
	}
	switch v := v.(type) {
	case *ssa.MakeClosure:
		for _, x := range v.Bindings {
			out |= l.leadingTo(x, make(map[ssa.Value]bool))
		}
	case *ssa.ChangeType:
		return l.capturedBy(v.X, depth)
	case *ssa.MakeInterface:
		return l.capturedBy(v.X, depth)
	case *ssa.Alloc:
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == v {
					out |= l.capturedBy(r.Val, depth-1)
				}
			case *ssa.FieldAddr:
				for _, r := range *r.Referrers() {
					if st, ok := r.(*ssa.Store); ok {
						out |= l.capturedBy(st.Val, depth-1)
					}
				}
			}
		}
	}
	return out
}

// callsBack is comesBack for the calls that the function makes itself, rather than closures of it.
func (l *lowerer) callsBack() bool {
	made := func(in ssa.Instruction) bool { _, ok := in.(*ssa.MakeClosure); return ok }
	return l.leadsBack(made)
}

// keepers reports whether a short function runs a function that lies in what it is
// given, or puts it somewhere else there.
func (l *lowerer) keepers() bool {
	instrs, runs, moves := 0, false, false
	kept := func(v ssa.Value) bool {
		_, passed := v.(*ssa.Parameter)
		_, function := ssair.Under(v.Type()).(*types.Signature)
		return function && !passed && l.leadingTo(v, make(map[ssa.Value]bool)) != 0
	}
	for _, b := range l.fn.Blocks {
		instrs += len(b.Instrs)
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				runs = runs || !in.Call.IsInvoke() && kept(in.Call.Value)
			case *ssa.Store:
				moves = moves || kept(in.Val) && l.leadingTo(in.Addr, make(map[ssa.Value]bool)) != 0
			}
		}
	}
	return runs && instrs <= runsInstr || moves && instrs <= moveInstr
}

// handsDown reports whether a short function runs a function that it is given by a
// closure of its own:
//
//	func Safe(f func()) { try(func() error { f(); return nil }) }
func (l *lowerer) handsDown() bool {
	if !l.short() {
		return false
	}
	captured := func(a *ssa.Alloc) bool {
		return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool { _, ok := r.(*ssa.MakeClosure); return ok })
	}
	for _, b := range l.fn.Blocks {
		for _, in := range b.Instrs {
			if st, ok := in.(*ssa.Store); ok {
				a, variable := st.Addr.(*ssa.Alloc)
				if v, ok := st.Val.(*ssa.Parameter); ok && variable && captured(a) && l.runs(v) {
					return true
				}
			}
		}
	}
	return false
}

// polls reports whether a short function asks a function that it is given again and again, as
// tests do who wait for something: what it has waited for depends on the call.
func (l *lowerer) polls() bool {
	return l.short() && slices.ContainsFunc(l.fn.Params, func(v *ssa.Parameter) bool {
		sig, ok := ssair.Under(v.Type()).(*types.Signature)
		return ok && sig.Params().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) &&
			l.p.callsParam(l.fn, slices.Index(l.fn.Params, v), roundsDepth) == inRounds
	})
}

// runner reports whether a short function runs a function that it is given.
func (l *lowerer) runner() bool {
	return l.f.App && !l.f.Recurses && l.short() && slices.ContainsFunc(l.fn.Params, l.runs) && !l.comesBack()
}

// runs reports whether a parameter is a function that is run.
func (l *lowerer) runs(v *ssa.Parameter) bool {
	_, function := ssair.Under(v.Type()).(*types.Signature)
	return function && l.p.callsParam(l.fn, slices.Index(l.fn.Params, v), roundsDepth) != never
}

// short reports whether the function has no more than runsInstr instructions.
func (l *lowerer) short() bool {
	n := 0
	for _, b := range l.fn.Blocks {
		n += len(b.Instrs)
	}
	return n <= runsInstr
}

// comesBack reports whether the function may lead to a call of itself, as
// divide and conquer does: its calls are then levels of one recursion, and not
// told apart. Of many functions it is taken to do so.
func (l *lowerer) comesBack() bool { return l.leadsBack(func(ssa.Instruction) bool { return false }) }

// leadsBack is comesBack without some of the function's own instructions.
func (l *lowerer) leadsBack(without func(ssa.Instruction) bool) bool {
	seen := make(map[*ssa.Function]bool)
	work := []*ssa.Function{l.fn}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if fn == l.fn && without(in) {
					continue
				}
				for _, op := range in.Operands(nil) {
					to, ok := (*op).(*ssa.Function)
					switch {
					case !ok || seen[to] || !l.p.Application(pkgPath(to)):
					case to == l.fn || len(seen) == maxBack:
						return true
					default:
						seen[to] = true
						work = append(work, to)
					}
				}
			}
		}
	}
	return false
}

// writes reports whether an instruction writes what a parameter leads to, or
// makes a closure that may.
func (l *lowerer) writes(in ssa.Instruction) bool {
	seen := make(map[ssa.Value]bool)
	switch in := in.(type) {
	case *ssa.Store:
		_, param := in.Val.(*ssa.Parameter)
		return !param && l.leadingTo(in.Addr, seen) != 0
	case *ssa.MapUpdate:
		return l.leadingTo(in.Map, seen) != 0
	case *ssa.MakeClosure:
		for _, b := range in.Bindings {
			if l.leadingTo(b, seen) != 0 {
				return true
			}
		}
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "copy" || b.Name() == "append") {
			return l.leadingTo(in.Call.Args[0], seen) != 0
		}
	}
	return false
}

// links reports whether an instruction stores a pointer that one parameter
// leads to into memory that another leads to.
func (l *lowerer) links(in ssa.Instruction) bool {
	var into, what ssa.Value
	switch in := in.(type) {
	case *ssa.Store:
		into, what = in.Addr, in.Val
	case *ssa.MapUpdate:
		into, what = in.Map, in.Value
	default:
		return false
	}
	if !l.p.types.layoutOf(what.Type()).Ptr {
		return false
	}
	seen := make(map[ssa.Value]bool)
	to := l.leadingTo(into, seen)
	clear(seen)
	from := l.leadingTo(what, seen)
	return from != 0 && to&^from != 0 || to != 0 && from&^to != 0
}

// leadingTo returns, as a bit set, the parameters from which a value is reached
// by loads, fields and elements.
func (l *lowerer) leadingTo(v ssa.Value, seen map[ssa.Value]bool) uint64 {
	if seen[v] {
		return 0
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter:
		for k, p := range l.fn.Params {
			if p == v && k < 64 {
				return 1 << k
			}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL || v.Op == token.ARROW {
			return l.leadingTo(v.X, seen)
		}
	case *ssa.FieldAddr:
		return l.leadingTo(v.X, seen)
	case *ssa.Field:
		return l.leadingTo(v.X, seen)
	case *ssa.IndexAddr:
		return l.leadingTo(v.X, seen)
	case *ssa.Index:
		return l.leadingTo(v.X, seen)
	case *ssa.Lookup:
		return l.leadingTo(v.X, seen)
	case *ssa.Slice:
		return l.leadingTo(v.X, seen)
	case *ssa.Extract:
		return l.leadingTo(v.Tuple, seen)
	case *ssa.Next:
		return l.leadingTo(v.Iter, seen)
	case *ssa.Range:
		return l.leadingTo(v.X, seen)
	case *ssa.ChangeType:
		return l.leadingTo(v.X, seen)
	case *ssa.MakeInterface:
		return l.leadingTo(v.X, seen)
	case *ssa.TypeAssert:
		return l.leadingTo(v.X, seen)
	case *ssa.Alloc: // a variable that a closure captures
		out := uint64(0)
		for _, r := range *v.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == v {
				out |= l.leadingTo(st.Val, seen)
			}
		}
		return out
	case *ssa.Phi:
		out := uint64(0)
		for _, e := range v.Edges {
			out |= l.leadingTo(e, seen)
		}
		return out
	}
	return 0
}

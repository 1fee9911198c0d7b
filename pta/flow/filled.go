package flow

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds the variables of a function that hold what it and its literals
// fill, and that the function itself alone hands on:
//
//	var errs []error
//	for _, a := range addrs {
//		wg.Go(func() { …; mu.Lock(); errs = append(errs, err); mu.Unlock() })
//	}
//	wg.Wait()
//	return join(errs)
//
// What such a variable holds is memory made for it, in each run of the function anew,
// and nobody else has it before the function has loaded the variable to hand it on.

// A Filled is such a variable.
type Filled struct {
	Cell ssair.Instr   // the variable
	Uses []ssair.Instr // the function's own loads of it, and what it stores there
	Ons  []ssair.Instr // those of the loads that may hand on what it holds
}

// FilledAt returns what is known of the variable that an instruction makes, nil if it
// is none that is filled.
func (f *Func) FilledAt(cell ssair.Instr) *Filled {
	for i := range f.Filled {
		if f.Filled[i].Cell == cell {
			return &f.Filled[i]
		}
	}
	return nil
}

// filled fills in Filled.
func (b *builder) filled() {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			a, ok := in.(*ssa.Alloc)
			if !ok || !a.Heap || !holdsMemory(a.Type().Underlying().(*types.Pointer).Elem()) {
				continue
			}
			v := filledVar{b: b, Filled: Filled{Cell: b.ir.Num(a)}}
			if v.variable(a, 0) && v.captured {
				slices.Sort(v.Uses)
				slices.Sort(v.Ons)
				b.Filled = append(b.Filled, v.Filled)
			}
		}
	}
}

func holdsMemory(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
}

type filledVar struct {
	Filled
	b        *builder
	captured bool
}

// maxLiterals bounds how deep literals are looked at in literals.
const maxLiterals = 3

// variable looks at the uses of the variable, or of a literal's name for it; false if
// some are not understood, or hand on what the variable holds in a literal.
func (v *filledVar) variable(cell ssa.Value, depth int) bool {
	if depth > maxLiterals || cell.Referrers() == nil {
		return false
	}
	for _, u := range *cell.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if u.Addr != cell || !fresh(u, cell) {
				return false
			}
			if depth == 0 {
				v.Uses = append(v.Uses, v.b.ir.Num(u))
			}
		case *ssa.UnOp:
			kept := keeps(u, cell)
			if depth > 0 {
				if !kept {
					return false
				}
				continue
			}
			v.Uses = append(v.Uses, v.b.ir.Num(u))
			if !kept {
				v.Ons = append(v.Ons, v.b.ir.Num(u))
			}
		case *ssa.MakeClosure:
			v.captured = true
			fn := u.Fn.(*ssa.Function)
			for k, x := range u.Bindings {
				if x == cell && !v.variable(fn.FreeVars[k], depth+1) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// fresh reports whether a store puts nil into the variable, memory that is made for it,
// or what an append to what it holds makes of that.
func fresh(st *ssa.Store, cell ssa.Value) bool {
	switch x := st.Val.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeSlice, *ssa.MakeMap:
		return onlyFor(x.(ssa.Value), st)
	case *ssa.Alloc:
		return x.Heap && madeFor(x, st)
	case *ssa.Slice:
		// A literal, or make with a constant: []int{1, 2}.
		a, ok := x.X.(*ssa.Alloc)
		return ok && onlyFor(x, st) && madeFor(a, x)
	case *ssa.Call:
		return appends(x, cell) && onlyFor(x, st)
	}
	return false
}

// onlyFor reports whether a value has no use but one.
func onlyFor(v ssa.Value, only ssa.Instruction) bool {
	for _, u := range *v.Referrers() {
		if _, debug := u.(*ssa.DebugRef); u != only && !debug {
			return false
		}
	}
	return true
}

// madeFor reports whether new memory is filled, and goes nowhere but into one
// instruction.
func madeFor(a *ssa.Alloc, only ssa.Instruction) bool {
	for _, u := range *a.Referrers() {
		if u == only {
			continue
		}
		if !keepsIn(a, u, 0) {
			return false
		}
	}
	return true
}

// appends reports whether a call appends to what the variable holds.
func appends(c *ssa.Call, cell ssa.Value) bool {
	if !ssair.IsBuiltin(c, "append") {
		return false
	}
	ld, ok := c.Call.Args[0].(*ssa.UnOp)
	return ok && ld.Op == token.MUL && ld.X == cell
}

// keeps reports whether what a load of the variable yields is used in place: its
// elements and fields are read and written, and it goes nowhere but back.
func keeps(ld *ssa.UnOp, cell ssa.Value) bool {
	for _, u := range *ld.Referrers() {
		if c, ok := u.(*ssa.Call); ok && appends(c, cell) {
			for _, w := range *c.Referrers() {
				st, ok := w.(*ssa.Store)
				if _, debug := w.(*ssa.DebugRef); !debug && (!ok || st.Addr != cell || st.Val != c) {
					return false
				}
			}
			continue
		}
		if !keepsIn(ld, u, 0) {
			return false
		}
	}
	return true
}

// keepsIn reports whether an instruction uses memory in place, by way of a slice, a map or
// an address in it.
func keepsIn(x ssa.Value, u ssa.Instruction, depth int) bool {
	inside := func(y ssa.Value) bool {
		if depth > 3 {
			return false
		}
		for _, w := range *y.Referrers() {
			if !keepsIn(y, w, depth+1) {
				return false
			}
		}
		return true
	}
	switch u := u.(type) {
	case *ssa.DebugRef, *ssa.Lookup, *ssa.Range:
		return true
	case *ssa.UnOp:
		return true
	case *ssa.Store:
		return u.Val != x
	case *ssa.MapUpdate:
		return u.Key != x && u.Value != x
	case *ssa.FieldAddr:
		return inside(u)
	case *ssa.IndexAddr:
		return inside(u)
	case *ssa.BinOp:
		return true
	case *ssa.Call:
		bi, ok := u.Call.Value.(*ssa.Builtin)
		if !ok {
			return false
		}
		switch bi.Name() {
		case "len", "cap", "copy", "clear", "delete":
			return true
		case "append":
			return u.Call.Args[0] != x
		}
	}
	return false
}

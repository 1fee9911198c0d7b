package analyzer

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
)

// This file finds, without SSA, the functions of a package that may start goroutines
// for their callers. Those that surely do not need no template to say so.

// A starter says which functions of a package may start goroutines, by their full
// names, sorted.
type starter struct {
	// Starts lists those that may do so for their callers, see pta.Program.Starts: they
	// have a go statement or the like, or take a function and lead to one that has.
	Starts []string
	// Leads lists all from which calls lead to such a function.
	Leads []string
}

// may reports whether a function may start goroutines for its caller.
func (s *starter) may(name string) bool {
	_, found := slices.BinarySearch(s.Starts, name)
	return found
}

// leads reports whether calls lead from a function to one that has a go statement.
func (s *starter) leads(name string) bool {
	_, found := slices.BinarySearch(s.Leads, name)
	return found
}

// findStarters looks at the bodies of a package; leads is asked of functions of others.
func findStarters(pkg *types.Package, files []*ast.File, info *types.Info, lib *library.Model, leads func(*types.Func) bool) starter {
	var own []*types.Func // that lead to a go statement
	found := make(map[*types.Func]bool)
	direct := make(map[*types.Func]bool)
	callers := make(map[*types.Func][]*types.Func)
	lead := func(fn *types.Func) {
		if !found[fn] {
			found[fn] = true
			own = append(own, fn)
		}
	}
	known := make(map[*types.Func]bool) // what was asked of functions of other packages
	foreign := func(fn *types.Func) bool {
		yes, asked := known[fn]
		if !asked {
			yes = leads(fn)
			known[fn] = yes
		}
		return yes
	}
	modelled := make(map[*types.Func]bool)
	spawns := func(fn *types.Func) bool {
		yes, asked := modelled[fn]
		if !asked {
			e := lib.Func(fn.FullName())
			yes = e != nil && startsBodies(e)
			modelled[fn] = yes
		}
		return yes
	}
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			fn, ok := info.Defs[d.Name].(*types.Func)
			if !ok {
				continue
			}
			if d.Body == nil {
				if direct[fn] = takesFunc(fn); direct[fn] {
					lead(fn) // nothing is known of it
				}
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					direct[fn] = true
					lead(fn)
				case *ast.CallExpr:
					callee := calledFunc(info, n)
					switch {
					case callee == nil:
					case spawns(callee):
						direct[fn] = true
						lead(fn)
					case callee.Pkg() == pkg:
						callers[callee] = append(callers[callee], fn)
					case foreign(callee):
						lead(fn)
					}
				}
				return true
			})
		}
	}
	for i := 0; i < len(own); i++ {
		for _, by := range callers[own[i]] {
			lead(by)
		}
	}
	var s starter
	for _, fn := range own {
		name := fn.FullName()
		s.Leads = append(s.Leads, name)
		if direct[fn] || takesFunc(fn) {
			s.Starts = append(s.Starts, name)
		}
	}
	slices.Sort(s.Starts)
	slices.Sort(s.Leads)
	return s
}

// startsBodies reports whether calls of a modelled function start goroutines, or may.
func startsBodies(e *library.Func) bool {
	switch e.Op {
	case library.OpSpawn, library.OpTimerFunc, library.OpParallel, library.OpSubtest:
		return true
	}
	return len(e.Concurrent)+len(e.ConcurrentMethods) > 0
}

// takesFunc reports whether a function has a parameter that is one, or the receiver is.
func takesFunc(fn *types.Func) bool {
	sig := fn.Signature()
	if r := sig.Recv(); r != nil && pta.HasFunc(r.Type()) {
		return true
	}
	for v := range sig.Params().Variables() {
		if pta.HasFunc(v.Type()) {
			return true
		}
	}
	return false
}

// calledFunc returns the function that a call names, generic if it is an instance, or
// nil.
func calledFunc(info *types.Info, call *ast.CallExpr) *types.Func {
	x := ast.Unparen(call.Fun)
	switch y := x.(type) {
	case *ast.IndexExpr:
		x = ast.Unparen(y.X)
	case *ast.IndexListExpr:
		x = ast.Unparen(y.X)
	}
	var id *ast.Ident
	switch y := x.(type) {
	case *ast.Ident:
		id = y
	case *ast.SelectorExpr:
		id = y.Sel
	default:
		return nil
	}
	if fn, ok := info.Uses[id].(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

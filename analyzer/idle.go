package analyzer

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/iterace/iterace/model/library"
)

// This file finds, without SSA, that no goroutine starts in a unit, so that SSA need not be
// made of a package of which nobody wants facts: most tests under go vet.

// idle reports whether it is sure that no function of the unit starts goroutines, see
// program.starting. It asks of all functions that the unit mentions what that asks of those
// that are called. The code of generic functions calls what no name there stands for, so
// it is not sure of units that have any; wrappers are not looked at in either case.
func (u *Unit) idle(lib *library.Model) bool {
	if u.source == nil {
		return false
	}
	tests := 0
	for _, f := range u.Files {
		if startsOrGeneric(f, u.Info) {
			return false
		}
		tests += testsIn(f)
	}
	lost := len(u.source.lost)
	if u.mentionsStarter(lib, tests > 1) {
		u.source.forget(lost) // who asks again says what is missing
		return false
	}
	return true
}

// startsOrGeneric reports whether a file has go statements or type parameters, or
// functions without a body that take functions.
func startsOrGeneric(f *ast.File, info *types.Info) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.TypeSpec:
			found = found || n.TypeParams != nil
		case *ast.FuncDecl:
			found = found || n.Type.TypeParams != nil || genericReceiver(n)
			if fn, ok := info.Defs[n.Name].(*types.Func); ok && n.Body == nil {
				found = found || takesFunc(fn)
			}
		}
		return !found
	})
	return found
}

// genericReceiver reports whether a method's receiver has type parameters.
func genericReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return false
	}
	x := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := x.(*ast.StarExpr); ok {
		x = ast.Unparen(star.X)
	}
	_, ident := x.(*ast.Ident)
	return !ident
}

// testsIn counts the declarations of a file that have names of tests.
func testsIn(f *ast.File) (n int) {
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasPrefix(d.Name.Name, "Test") {
			n++
		}
	}
	return n
}

// mentionsStarter reports whether a function that the unit names may start goroutines for
// its caller, by the model or by what is stored of it, or make a test run beside others, of
// which there may be several.
func (u *Unit) mentionsStarter(lib *library.Model, several bool) bool {
	asked := make(map[*types.Func]bool)
	subtests, parallel := several, false // a subtest starts one if its body makes itself parallel
	for _, obj := range u.Info.Uses {
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		if fn = fn.Origin(); asked[fn] {
			continue
		}
		asked[fn] = true
		if e := lib.Func(fn.FullName()); e != nil {
			switch {
			case e.Op == library.OpSubtest:
				subtests = true
			case e.Op == library.OpTestParallel:
				parallel = true
			case startsBodies(e):
				return true
			}
			continue
		}
		recv := fn.Signature().Recv()
		if fn.Pkg() == nil || fn.Pkg() == u.Pkg || recv != nil && types.IsInterface(recv.Type()) {
			continue
		}
		starts, overlaps := u.source.may(fn)
		if starts {
			return true
		}
		parallel = parallel || overlaps
	}
	return subtests && parallel
}

// may reports whether a function of another package may start goroutines for its caller,
// and whether it may make its caller's test parallel. One of which nothing is known may
// start what it is given.
func (r *resolver) may(fn *types.Func) (starts, parallel bool) {
	path := fn.Pkg().Path()
	if rec := r.record(path); rec != nil && rec.source != nil {
		return rec.source.may(fn.FullName()), true // no template is made to know more
	}
	if b := r.Blob(path); b != nil {
		if starts, parallel, known := b.Starts(fn.FullName()); known {
			return starts, parallel
		}
	}
	sig := fn.Signature()
	return takesFunc(fn) || sig.TypeParams().Len()+sig.RecvTypeParams().Len() > 0, false
}

// forget undoes that packages were lost but for the first n, so that who asks for
// one of the others notes it again.
func (r *resolver) forget(n int) {
	for _, path := range r.lost[n:] {
		delete(r.records, path)
		delete(r.blobs, path)
	}
	r.lost = r.lost[:n]
}

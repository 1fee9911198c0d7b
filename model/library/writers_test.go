package library

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Methods that assign to a field of their receiver without a lock in sight and
// need not be modelled as writing it, with the reason.
var quietWriters = map[string]string{
	"encoding/gob.Decoder.Decode": "the documentation promises safety; the assignment is on the way to an error",
	"go/doc/comment.Parser.Parse": "a map that is a field of a local variable",
	"testing.F.Fuzz":              "a callback as well, which counts",
	"testing.common.ArtifactDir":  "under a sync.Once",
}

// A standard method that assigns to a field of its receiver without taking a
// lock is modelled as writing the receiver, or analysed.
func TestUnlockedWriters(t *testing.T) {
	m := mustLoad(t)
	seen := 0
	used := make(map[string]bool)
	for _, pkg := range loadStd(t) {
		dir := filepath.Join(runtime.GOROOT(), "src", pkg.PkgPath)
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			ok, err := build.Default.MatchFile(dir, filepath.Base(name))
			if err != nil {
				t.Fatal(err)
			}
			if !ok || strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || !writesReceiver(fd) {
					continue
				}
				seen++
				typ := fd.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
				full := pkg.PkgPath + "." + typ + "." + fd.Name.Name
				f := m.Func(full)
				if f == nil || f.Op != OpNone || slices.Contains(f.Writes, 0) || slices.Contains(f.DeepWrites, 0) ||
					slices.ContainsFunc(f.Sets, func(s FieldsOf) bool { return s.Arg == 0 }) {
					continue
				}
				// What is not exported is reached where its constructor is
				// analysed; then its type has an entry.
				if !ast.IsExported(typ) && f == m.packageFunc(pkg.PkgPath) {
					continue
				}
				if quietWriters[full] != "" {
					used[full] = true
					continue
				}
				t.Errorf("%s: %s does not say that %s writes its receiver", at(f.File, f.Line), f.Name, full)
			}
		}
	}
	for full := range quietWriters {
		if !used[full] {
			t.Errorf("%s needs no exception", full)
		}
	}
	if seen < 300 {
		t.Errorf("only %d methods that write", seen)
	}
}

// writesReceiver reports whether an exported method with a pointer receiver
// assigns to a field of it, and calls nothing with a name like Lock.
func writesReceiver(fd *ast.FuncDecl) bool {
	if fd.Recv == nil || fd.Body == nil || !fd.Name.IsExported() || len(fd.Recv.List[0].Names) == 0 {
		return false
	}
	star, ok := fd.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	if _, ok := star.X.(*ast.Ident); !ok {
		return false // generic
	}
	recv := fd.Recv.List[0].Names[0].Name
	writes, locks := false, false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				writes = writes || fieldOf(lhs, recv)
			}
		case *ast.IncDecStmt:
			writes = writes || fieldOf(n.X, recv)
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				locks = locks || strings.Contains(strings.ToLower(sel.Sel.Name), "lock")
			}
		}
		return true
	})
	return writes && !locks
}

// fieldOf reports whether the expression is a part of the variable, but not
// the variable itself.
func fieldOf(x ast.Expr, name string) bool {
	for part := false; ; part = true {
		switch y := x.(type) {
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.Ident:
			return part && y.Name == name
		default:
			return false
		}
	}
}

package library

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// loadStd loads the types of the standard library's public packages.
func loadStd(t *testing.T) []*packages.Package {
	t.Helper()
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range strings.Fields(string(out)) {
		if !slices.ContainsFunc(strings.Split(p, "/"), func(e string) bool { return e == "internal" || e == "vendor" }) {
			paths = append(paths, p)
		}
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedExportFile,
	}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 150 {
		t.Fatalf("only %d standard packages found", len(pkgs))
	}
	return pkgs
}

// exported returns the exported functions of a package and the exported
// methods declared on its exported types, interfaces apart.
func exported(pkg *types.Package) []*types.Func {
	var fns []*types.Func
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			if obj.Exported() {
				fns = append(fns, obj)
			}
		case *types.TypeName:
			named, ok := obj.Type().(*types.Named)
			if !ok || !obj.Exported() || obj.IsAlias() || types.IsInterface(named) {
				continue
			}
			// The method set has what is promoted from unexported types too,
			// (*testing.common).Errorf for one.
			for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
				m := sel.Obj().(*types.Func)
				recv := m.Signature().Recv().Type()
				if m.Exported() && m.Pkg() == pkg && !types.IsInterface(recv) && !slices.Contains(fns, m) {
					fns = append(fns, m)
				}
			}
		}
	}
	return fns
}

// Every exported function and method of the standard library has an entry, or
// the model says that its body is analysed.
func TestStdCovered(t *testing.T) {
	m := mustLoad(t)
	missing := make(map[string][]string)
	total := 0
	for _, pkg := range loadStd(t) {
		for _, fn := range exported(pkg.Types) {
			total++
			if m.Lookup(fn.FullName()) == nil {
				missing[pkg.PkgPath] = append(missing[pkg.PkgPath], Normalize(fn.FullName()))
			}
		}
	}
	for _, path := range slices.Sorted(mapKeys(missing)) {
		t.Errorf("%s: no entry, and not marked for analysis: %s", path, strings.Join(missing[path], " "))
	}
	t.Logf("%d exported functions and methods", total)
}

// Every shipped entry about the standard library names something that it has,
// and arguments that are there.
func TestStdEntriesExist(t *testing.T) {
	byPath := make(map[string]*types.Package)
	for _, pkg := range loadStd(t) {
		byPath[pkg.PkgPath] = pkg.Types
	}
	m := mustLoad(t)
	for _, p := range m.layers[0].check(func(path string) *types.Package { return byPath[path] }, true) {
		t.Error(p)
	}
}

// What has no Go body, because it is assembly or part of the runtime, cannot be
// analysed: it has an entry that says what it does.
func TestStdWithoutBody(t *testing.T) {
	m := mustLoad(t)
	out, err := exec.Command("go", "list", "-f", "{{$d := .Dir}}{{$p := .ImportPath}}{{range .GoFiles}}{{$p}} {{$d}}/{{.}}\n{{end}}", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	without := 0
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		if file == "" || slices.ContainsFunc(strings.Split(path, "/"), func(e string) bool { return e == "internal" || e == "vendor" }) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body != nil || !fn.Name.IsExported() || path == "unsafe" || path == "builtin" {
				continue
			}
			name := path + "." + fn.Name.Name
			if fn.Recv != nil {
				if name = receiverName(fn.Recv.List[0].Type); !ast.IsExported(name) {
					continue
				}
				name = path + "." + name + "." + fn.Name.Name
			}
			without++
			if m.Func(name) == nil {
				t.Errorf("%s: no Go body, and no entry that says what it does", name)
			}
		}
	}
	if without < 30 {
		t.Errorf("only %d exported functions without a body", without)
	}
	t.Logf("%d exported functions and methods without a Go body", without)
}

// receiverName returns the name of a receiver's type.
func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

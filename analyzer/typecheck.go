package analyzer

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"
)

// This file type-checks the packages of a graph from source. The package loader
// could do it, but only for the graph that the go command gives, and that has a
// copy of a package for each test binary that makes one of its dependencies
// grow: forty copies of the largest package of a site generator, 2300 in all.

// typeCheck parses and type-checks packages and all that they import. Errors are
// kept in the packages, which are then ill-typed, as are those that import them.
func typeCheck(pkgs []*packages.Package, cfg *Config, fset *token.FileSet) {
	var order []*packages.Package
	packages.Visit(pkgs, nil, func(pkg *packages.Package) { order = append(order, pkg) })
	afterImports(order, func(pkg *packages.Package) { checkPackage(pkg, cfg, fset) })
}

// afterImports calls f for each package after its imports, on all processors.
func afterImports(order []*packages.Package, f func(*packages.Package)) {
	waiting := make(map[*packages.Package]int) // imports that are not done
	importers := make(map[*packages.Package][]*packages.Package)
	for _, pkg := range order {
		seen := make(map[*packages.Package]bool)
		for _, imp := range pkg.Imports {
			if !seen[imp] {
				seen[imp] = true
				waiting[pkg]++
				importers[imp] = append(importers[imp], pkg)
			}
		}
	}
	ready := make(chan *packages.Package, len(order))
	for _, pkg := range order {
		if waiting[pkg] == 0 {
			ready <- pkg
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	left := len(order)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for pkg := range ready {
				f(pkg)
				mu.Lock()
				for _, by := range importers[pkg] {
					if waiting[by]--; waiting[by] == 0 {
						ready <- by
					}
				}
				if left--; left == 0 {
					close(ready)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// checkPackage parses and type-checks one package, whose imports are done.
//
//iterace:ignore each package is checked once, when the last of its imports is done
func checkPackage(pkg *packages.Package, cfg *Config, fset *token.FileSet) {
	pkg.Fset = fset
	if pkg.PkgPath == "unsafe" {
		pkg.Types, pkg.TypesInfo = types.Unsafe, new(types.Info)
		return
	}
	for _, name := range pkg.CompiledGoFiles {
		var src any
		if text, ok := cfg.Overlay[name]; ok {
			src = text
		}
		file, err := parser.ParseFile(fset, name, src, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			pkg.Errors = append(pkg.Errors, loadErrors(err)...)
		}
		if file != nil {
			pkg.Syntax = append(pkg.Syntax, file)
		}
	}
	checkTypes(pkg, fset, typeChecking{bodies: true})
}

// typeChecking is what there is of a package to type-check.
type typeChecking struct {
	// bodies are there; without, what is found out about expressions is not kept.
	bodies bool
	// some bodies are not there (see described), so that an import may be unused.
	some bool
	// cgo is set if the files are those that people have written, and one in which cgo
	// has declared what they name of C.
	cgo bool
}

// checkTypes type-checks a package that has been parsed.
//
//iterace:ignore each package is checked once, when the last of its imports is done
func checkTypes(pkg *packages.Package, fset *token.FileSet, how typeChecking) {
	if how.bodies {
		pkg.TypesInfo = &types.Info{
			Types:        make(map[ast.Expr]types.TypeAndValue),
			Defs:         make(map[*ast.Ident]types.Object),
			Uses:         make(map[*ast.Ident]types.Object),
			Implicits:    make(map[ast.Node]types.Object),
			Instances:    make(map[*ast.Ident]types.Instance),
			Scopes:       make(map[ast.Node]*types.Scope),
			Selections:   make(map[*ast.SelectorExpr]*types.Selection),
			FileVersions: make(map[*ast.File]string),
		}
	}
	conf := types.Config{
		Importer: importerOf(pkg),
		Sizes:    pkg.TypesSizes,

		IgnoreFuncBodies: !how.bodies,
		Error: func(err error) {
			var typeErr types.Error
			if how.some && errors.As(err, &typeErr) && typeErr.Soft {
				return
			}
			pkg.Errors = append(pkg.Errors, loadErrors(err)...)
		},
	}
	if how.cgo {
		useCgo(&conf)
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		conf.GoVersion = "go" + pkg.Module.GoVersion
	}
	pkg.Types = types.NewPackage(pkg.PkgPath, pkg.Name)
	// The error is the first of those that conf.Error was told.
	_ = types.NewChecker(&conf, fset, pkg.Types, pkg.TypesInfo).Files(pkg.Syntax)
	pkg.IllTyped = len(pkg.Errors) > 0
	for _, imp := range pkg.Imports {
		pkg.IllTyped = pkg.IllTyped || imp.IllTyped
	}
}

// useCgo makes the type checker look up C's names where cgo has declared them. The field
// is for cmd/cgo and tools: without it, files that import "C" have errors.
func useCgo(conf *types.Config) {
	if f := reflect.ValueOf(conf).Elem().FieldByName("go115UsesCgo"); f.IsValid() {
		*(*bool)(f.Addr().UnsafePointer()) = true
	}
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func importerOf(pkg *packages.Package) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if imp := pkg.Imports[path]; imp != nil && imp.Types != nil {
			return imp.Types, nil
		}
		return nil, fmt.Errorf("could not import %s: the go command does not know it", path)
	})
}

// loadErrors converts the errors of the parser and the type checker.
func loadErrors(err error) []packages.Error {
	var list scanner.ErrorList
	var typeErr types.Error
	var pathErr *os.PathError
	switch {
	case errors.As(err, &list):
		var out []packages.Error
		for _, e := range list {
			out = append(out, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
		return out
	case errors.As(err, &typeErr):
		return []packages.Error{{Pos: typeErr.Fset.Position(typeErr.Pos).String(), Msg: typeErr.Msg, Kind: packages.TypeError}}
	case errors.As(err, &pathErr):
		return []packages.Error{{Pos: filepath.ToSlash(pathErr.Path) + ":1", Msg: pathErr.Err.Error(), Kind: packages.ParseError}}
	}
	return []packages.Error{{Pos: "-", Msg: err.Error(), Kind: packages.UnknownError}}
}

// unify makes one package of all variants of a path: that with the package's
// own test files if there is one, which has all that the others have. The go
// command has each test binary linked of its own variants, "p [q.test]" for what
// depends on q; a whole program is one and needs one of each. Variants whose
// one package would import itself by way of test files are left as they are; of
// those the one with tests is to be analysed.
func unify(pkgs []*packages.Package) []*packages.Package {
	plain := make(map[string]*packages.Package)  // by path: without test files
	tested := make(map[string]*packages.Package) // by path: with its own
	var all []*packages.Package
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		all = append(all, pkg)
		switch pkg.ForTest {
		case "":
			plain[pkg.PkgPath] = pkg
		case pkg.PkgPath:
			tested[pkg.PkgPath] = pkg
		}
	})
	apart := make(map[string]bool) // paths whose variant with tests stays apart
	one := func(pkg *packages.Package) *packages.Package {
		if apart[pkg.ForTest] {
			return pkg
		}
		if t := tested[pkg.PkgPath]; t != nil && !apart[pkg.PkgPath] {
			return t
		}
		if p := plain[pkg.PkgPath]; p != nil {
			return p
		}
		return pkg
	}
	for {
		cyclic := cycles(all, one)
		if len(cyclic) == 0 {
			break
		}
		n := len(apart)
		for _, pkg := range cyclic {
			if pkg.ForTest == pkg.PkgPath {
				apart[pkg.PkgPath] = true
			}
		}
		if len(apart) == n {
			break // the go command reports such a cycle itself
		}
	}
	for _, pkg := range all {
		for path, imp := range pkg.Imports {
			pkg.Imports[path] = one(imp)
		}
	}
	var out []*packages.Package
	seen := make(map[*packages.Package]bool)
	for _, pkg := range pkgs {
		if p := one(pkg); !seen[p] && (p.ForTest != "" || tested[p.PkgPath] == nil) {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// cycles returns the packages on cycles of the graph that has one(p) in place
// of each package p, and those on the way from one cycle to another.
func cycles(all []*packages.Package, one func(*packages.Package) *packages.Package) []*packages.Package {
	imports := make(map[*packages.Package][]*packages.Package)
	importers := make(map[*packages.Package][]*packages.Package)
	var left []*packages.Package
	for _, pkg := range all {
		if one(pkg) != pkg {
			continue
		}
		left = append(left, pkg)
		for _, imp := range pkg.Imports {
			imports[pkg] = append(imports[pkg], one(imp))
			importers[one(imp)] = append(importers[one(imp)], pkg)
		}
	}
	// What imports nothing that is left is on no cycle, nor is what nothing left imports.
	return peel(peel(left, imports, importers), importers, imports)
}

// peel removes packages that have no next ones among those that are left, until
// each has one; before are the edges turned around.
func peel(left []*packages.Package, next, before map[*packages.Package][]*packages.Package) []*packages.Package {
	in := make(map[*packages.Package]bool)
	for _, pkg := range left {
		in[pkg] = true
	}
	waiting := make(map[*packages.Package]int)
	var ready []*packages.Package
	for _, pkg := range left {
		for _, n := range next[pkg] {
			if in[n] {
				waiting[pkg]++
			}
		}
		if waiting[pkg] == 0 {
			ready = append(ready, pkg)
		}
	}
	for len(ready) > 0 {
		pkg := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, b := range before[pkg] {
			if waiting[b]--; waiting[b] == 0 && in[b] {
				ready = append(ready, b)
			}
		}
	}
	return slices.DeleteFunc(left, func(pkg *packages.Package) bool { return waiting[pkg] == 0 })
}

package analyzer

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// A nogo runs the analyzers as rules_go's does: each package by itself, in a
// process without a home, with types from export data, with the facts of direct
// imports and no others, in files, without any for the standard library, and
// with no word of modules.
type nogo struct {
	flags  []string // names and values
	dir    string   // that file names are relative to, and of which nothing else is there
	export map[string]string
	facts  map[string][]byte // by package: a file
}

// run analyses the packages of a directory and what they import, and returns
// what is said of each, by path.
func (n *nogo) run(t *testing.T, dir string) map[string][]string {
	t.Helper()
	const mode = packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile | packages.NeedModule
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	n.dir, n.export, n.facts = dir, make(map[string]string), make(map[string][]byte)
	out := make(map[string][]string)
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		n.export[p.PkgPath] = p.ExportFile
		if p.Module != nil { // not of the standard library
			if said := n.check(t, p); len(said) > 0 {
				out[p.PkgPath] = said
			}
		}
	})
	return out
}

// check is one action: it analyses one package and leaves a file with its facts.
func (n *nogo) check(t *testing.T, p *packages.Package) (said []string) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		name, _ = filepath.Rel(n.dir, name)
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	imp := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(n.export[path]) })
	pkg, err := (&types.Config{Importer: imp}).Check(p.PkgPath, fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	held := make(map[string]*PackageFact) // by path: nothing but what the files say
	for _, dep := range pkg.Imports() {
		if data := n.facts[dep.Path()]; data != nil {
			held[dep.Path()] = new(PackageFact)
			if err := gob.NewDecoder(bytes.NewReader(data)).Decode(held[dep.Path()]); err != nil {
				t.Fatal(err)
			}
		}
	}
	facts, main := New(Driver{})
	for f := range slices.Chunk(n.flags, 2) {
		if err := main.Flags.Set(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	pass := &analysis.Pass{
		Fset: fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"),
		ResultOf: make(map[*analysis.Analyzer]any),
		Report: func(d analysis.Diagnostic) {
			x := fset.Position(d.Pos)
			said = append(said, fmt.Sprintf("%s:%d: %s", x.Filename, x.Line, d.Message))
		},
		ImportPackageFact: func(p *types.Package, f analysis.Fact) bool {
			if held[p.Path()] != nil {
				*f.(*PackageFact) = *held[p.Path()]
			}
			return held[p.Path()] != nil
		},
		ExportPackageFact: func(f analysis.Fact) {
			var file bytes.Buffer
			if err := gob.NewEncoder(&file).Encode(f); err != nil {
				t.Fatal(err)
			}
			n.facts[p.PkgPath] = file.Bytes()
		},
		AllPackageFacts: func() (all []analysis.PackageFact) {
			for _, dep := range pkg.Imports() {
				if f := held[dep.Path()]; f != nil {
					all = append(all, analysis.PackageFact{Package: dep, Fact: f})
				}
			}
			return all
		},
	}
	for _, a := range []*analysis.Analyzer{facts, main} {
		pass.Analyzer = a
		res, err := a.Run(pass)
		if err != nil {
			t.Fatalf("%s: %s: %v", p.PkgPath, a.Name, err)
		}
		pass.ResultOf[a] = res
	}
	return said
}

// elsewhere is a module in which the loop is in one package, the accesses are in
// another, and a third one brings them together.
const elsewhere = `
-- go.mod --
module example.com/m

go 1.26
-- low/low.go --
package low

type Counter struct{ N, M int }

func (c *Counter) Add() { c.N++ }

func (c *Counter) Sub() { c.M-- }
-- mid/mid.go --
package mid

import "example.com/m/low"

type Box struct{ c *low.Counter }

func New() *Box { return &Box{new(low.Counter)} }

func (b *Box) Touch() { b.c.Add() }

func (b *Box) Turn(int) { b.c.Sub() }
-- par/par.go --
package par

import "sync"

func Each(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func Map(f func(int)) { Each(3, f) }
-- par/own.go --
package par

// Own has a race of its own, whoever calls it.
func Own(done func()) {
	n := 0
	Each(2, func(int) { n++ })
	done()
	println(n)
}
-- top/top.go --
package top

import (
	"example.com/m/mid"
	"example.com/m/par"
)

func Closure() {
	b := mid.New()
	par.Each(10, func(int) { b.Touch() })
}

func Own() {
	n := 0
	par.Map(func(int) { n++ })
	println(n)
}

func Method() {
	par.Map(mid.New().Turn)
}

func Fine() {
	par.Each(10, func(int) { mid.New().Touch() })
	par.Own(func() {})
}
-- use/use.go --
package use

import "example.com/m/top"

func All() { top.Closure(); top.Own(); top.Method() }
`

// unpack writes the files of an archive.
func unpack(t *testing.T, archive string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNogo: what the packages below do comes from a directory or along with
// facts. Each race is told once, in the package that brings its parts together.
func TestNogo(t *testing.T) {
	dir := unpack(t, elsewhere)
	module := []string{"module", "example.com/m"}
	const lost = "what was kept of these packages is gone"
	without := (&nogo{flags: module}).run(t, dir)
	if got := strings.Join(without["example.com/m/top"], "\n"); !strings.Contains(got, lost) || strings.Contains(got, "top.go:10: ") {
		t.Errorf("with the facts of direct imports: %s", got)
	}
	want := map[string][]string{
		"example.com/m/par": {"par/own.go:6: race on n: two iterations of the loop at par/par.go:7:6 may"},
		"example.com/m/top": {
			"top/top.go:10: race on c.N:",
			"top/top.go:15: race on n: ",
			"top/top.go:20: race on c.M: ",
		},
	}
	for _, flags := range [][]string{{"cache", t.TempDir()}, {"carry", "true"}} {
		n := &nogo{flags: slices.Concat(module, flags)}
		got := n.run(t, dir)
		for path, said := range got {
			slices.Sort(said)
			for i, s := range said {
				if i >= len(want[path]) || !strings.HasPrefix(s, want[path][i]) {
					t.Errorf("%s: %s: %s", flags[0], path, s)
				}
			}
		}
		for path := range want {
			if len(got[path]) < len(want[path]) {
				t.Errorf("%s: %s: %q", flags[0], path, got[path])
			}
		}
		again := &nogo{flags: n.flags}
		again.run(t, dir)
		for path, file := range n.facts {
			if !bytes.Equal(file, again.facts[path]) {
				t.Errorf("%s: %s: the facts of two runs differ", flags[0], path)
			}
		}
	}
}

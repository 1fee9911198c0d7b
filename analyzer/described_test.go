package analyzer

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iterace/iterace/model/library"
)

// bodies lists the functions of files that have a body, by place and name.
func bodies(fset *token.FileSet, files []*ast.File) (with, without []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				at := fset.Position(fn.Name.Pos()).String() + " " + fn.Name.Name
				if fn.Body != nil {
					with = append(with, at)
				} else {
					without = append(without, at)
				}
			}
		}
	}
	return with, without
}

// The same bodies are left out of the text and of the syntax, the syntax that was there
// keeps them, and generic functions, initialisers and what the model has analysed have
// theirs.
func TestDescribed(t *testing.T) {
	t.Parallel()
	lib, err := library.Load(library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct{ out, in []string }{
		"fmt":         {out: []string{"Fprintf", "Errorf"}},
		"net/http":    {out: []string{"ListenAndServe"}, in: []string{"init"}},
		"runtime":     {out: []string{"gcStart", "Callers"}, in: []string{"init"}},
		"sort":        {out: []string{"Sort"}, in: []string{"Less"}},
		"sync/atomic": {in: []string{"CompareAndSwap"}}, // of Pointer[T]
	} {
		d := described{lib, true, path}
		files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", path, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		fset, fset2 := token.NewFileSet(), token.NewFileSet()
		var whole, cut []*ast.File
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(withoutBodies(src), src) {
				continue // nothing to leave out, or a directive forbids it
			}
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			g, err := parser.ParseFile(fset2, name, d.text(src), parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			whole, cut = append(whole, f), append(cut, g)
		}
		before, _ := bodies(fset, whole)
		info := &types.Info{FileVersions: map[*ast.File]string{whole[0]: "go1.21"}}
		fromSyntax, with, some := d.unit(whole, info)
		if !some {
			t.Errorf("%s: no body is left out", path)
		}
		if with.FileVersions[fromSyntax[0]] != "go1.21" || len(info.FileVersions) != 1 {
			t.Error("versions of files are lost, or what was there has changed")
		}
		if after, _ := bodies(fset, whole); !slices.Equal(before, after) {
			t.Error("bodies are gone from the syntax that was there")
		}
		in, out := bodies(fset2, cut)
		in2, out2 := bodies(fset, fromSyntax)
		if !slices.Equal(in, in2) || !slices.Equal(out, out2) {
			t.Errorf("%s: text and syntax have other bodies: %v, %v", path, cmp.Diff(in, in2), cmp.Diff(out, out2))
		}
		has := func(list []string, name string) bool {
			return slices.ContainsFunc(list, func(at string) bool { return strings.HasSuffix(at, " "+name) })
		}
		for _, name := range want.out {
			if !has(out, name) {
				t.Errorf("%s: the body of %s is read", path, name)
			}
		}
		for _, name := range want.in {
			if !has(in, name) {
				t.Errorf("%s: the body of %s is not read", path, name)
			}
		}
	}
}

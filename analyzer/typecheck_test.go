package analyzer

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"
)

// loadArchive loads a module that is written down as an archive, with tests.
func loadArchive(t *testing.T, archive string) *program {
	t.Helper()
	files := make(map[string]string)
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
	}
	dir := writeFiles(t, files)
	p, _, err := load(&Config{Dir: dir, Patterns: []string{"./..."}, Tests: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.errors {
		t.Errorf("%s: %s", e.Pos, e.Message)
	}
	return p
}

// variants returns the packages of each path that begins with the module's.
func variants(p *program) map[string][]string {
	out := make(map[string][]string)
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		if pkg.Module != nil {
			out[pkg.PkgPath] = append(out[pkg.PkgPath], pkg.ID)
		}
	})
	return out
}

// TestUnify has a test outside its package that uses the package through
// another one: the go command compiles that one, user, anew for the test.
func TestUnify(t *testing.T) {
	p := loadArchive(t, `
-- go.mod --
module example.com/m

go 1.26
-- low/low.go --
package low

type T struct{ N int }
-- low/export_test.go --
package low

func (t *T) Set(n int) { t.N = n }
-- low/low_test.go --
package low_test

import (
	"testing"

	"example.com/m/low"
	"example.com/m/user"
)

func TestUse(t *testing.T) {
	var x *low.T = user.New()
	x.Set(1)
}
-- user/user.go --
package user

import "example.com/m/low"

func New() *low.T { return new(low.T) }
`)
	got := variants(p)
	for path, want := range map[string]string{
		"example.com/m/low":      "example.com/m/low [example.com/m/low.test]",
		"example.com/m/user":     "example.com/m/user",
		"example.com/m/low_test": "example.com/m/low_test [example.com/m/low.test]",
	} {
		if !slices.Equal(got[path], []string{want}) {
			t.Errorf("%s: loaded as %q, want %q alone", path, got[path], want)
		}
	}
}

// TestUnifyCycle has two packages whose tests import each other, which is
// allowed since no package is compiled with both.
func TestUnifyCycle(t *testing.T) {
	p := loadArchive(t, `
-- go.mod --
module example.com/m

go 1.26
-- a/a.go --
package a

var A int
-- a/a_test.go --
package a

import "example.com/m/b"

var inTest = b.B
-- b/b.go --
package b

var B int
-- b/b_test.go --
package b

import "example.com/m/a"

var inTest = a.A
-- c/c.go --
package c

var C int
-- c/c_test.go --
package c

var inTest = 1
`)
	got := variants(p)
	for path, want := range map[string][]string{
		"example.com/m/a": {"example.com/m/a", "example.com/m/a [example.com/m/a.test]"},
		"example.com/m/b": {"example.com/m/b", "example.com/m/b [example.com/m/b.test]"},
		"example.com/m/c": {"example.com/m/c [example.com/m/c.test]"},
	} {
		slices.Sort(got[path])
		if !slices.Equal(got[path], want) {
			t.Errorf("%s: loaded as %q, want %q", path, got[path], want)
		}
	}
	var initial []string
	for _, pkg := range p.initial {
		if pkg.Name != "main" {
			initial = append(initial, pkg.ID)
		}
	}
	slices.Sort(initial)
	if want := []string{"example.com/m/a [example.com/m/a.test]", "example.com/m/b [example.com/m/b.test]", "example.com/m/c [example.com/m/c.test]"}; !slices.Equal(initial, want) {
		t.Errorf("initial packages are %q, want %q", initial, want)
	}
}

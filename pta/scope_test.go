package pta

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// build makes the SSA form of a program without imports.
func build(t *testing.T, src string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("p", "p"), []*ast.File{file}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// TestNearestRoots has a loop below more roots than are looked at: those that
// call the loop's function themselves come before those that call a caller.
func TestNearestRoots(t *testing.T) {
	var src strings.Builder
	src.WriteString("package p\nvar x int\nfunc loop() { for range 3 { go func() { x++ }() } }\nfunc between() { loop() }\n")
	const near, far = maxRoots - 4, 10
	for i := range far {
		fmt.Fprintf(&src, "func Far%d() { between() }\n", i)
	}
	for i := range near {
		fmt.Fprintf(&src, "func Near%d() { loop() }\n", i)
	}
	pkg := build(t, src.String())
	var roots []*ssa.Function
	for i := range far {
		roots = append(roots, pkg.Func(fmt.Sprintf("Far%d", i)))
	}
	for i := range near {
		roots = append(roots, pkg.Func(fmt.Sprintf("Near%d", i)))
	}
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: roots})
	if len(res.Loops) != 1 {
		t.Fatalf("got %d loops, want 1", len(res.Loops))
	}
	in := make(map[string]bool)
	res.Overlay(0)
	sc := res.scopeOf(0)
	for id, inst := range res.base.s.insts {
		if sc.in[id] {
			in[inst.fn.Name] = true
		}
	}
	for i := range near {
		if name := fmt.Sprintf("p.Near%d", i); !in[name] {
			t.Errorf("%s is not in scope", name)
		}
	}
	n := 0
	for i := range far {
		if in[fmt.Sprintf("p.Far%d", i)] {
			n++
		}
	}
	if n != maxRoots-near {
		t.Errorf("%d of the far roots are in scope, want %d", n, maxRoots-near)
	}
	if len(res.Notices) != 1 || res.Notices[0].Code != "S54" {
		t.Errorf("notices: %v, want one of S54", res.Notices)
	}
}

// TestUnlikeRoots has more roots that are equally near than are looked at: those that call
// something else as well, or call the loop's function in a loop, come before the rest.
func TestUnlikeRoots(t *testing.T) {
	var src strings.Builder
	src.WriteString("package p\nvar x int\nfunc loop() { for range 3 { go func() { x++ }() } }\nfunc other() {}\n")
	var roots []string
	for i := range maxRoots + 2 {
		roots = append(roots, fmt.Sprintf("Same%d", i))
		fmt.Fprintf(&src, "func Same%d() { loop() }\n", i)
	}
	src.WriteString("func Again() { for range 3 { loop() } }\nfunc More() { loop(); other() }\n")
	pkg := build(t, src.String())
	var fns []*ssa.Function
	for _, name := range append(roots, "Again", "More") {
		fns = append(fns, pkg.Func(name))
	}
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: fns})
	in := make(map[string]bool)
	for i := range res.Loops {
		sc := res.scopeOf(i)
		for id, inst := range res.base.s.insts {
			in[inst.fn.Name] = in[inst.fn.Name] || sc.in[id]
		}
	}
	for _, name := range []string{"p.Same0", "p.Again", "p.More"} {
		if !in[name] {
			t.Errorf("%s is not in scope", name)
		}
	}
	if last := fmt.Sprintf("p.Same%d", maxRoots+1); in[last] {
		t.Errorf("%s is in scope, and does what others do", last)
	}
}

// TestBaseBudget stops the base early: what is there is analysed, and a notice
// says that it is not all.
func TestBaseBudget(t *testing.T) {
	pkg := build(t, "package p\nvar x, y *int\nfunc Root() { x = new(int); y = x; for range 3 { go func() { *y++ }() } }\n")
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}, BaseBudget: 1})
	if len(res.Notices) != 1 || res.Notices[0].Code != "S19" {
		t.Errorf("notices: %v, want one of S19", res.Notices)
	}
}

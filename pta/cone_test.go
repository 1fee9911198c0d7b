package pta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ssa"
)

// deepChain is a chain of calls whose links each call a few leaves: a body that
// calls it reaches more functions than are looked at.
func deepChain() string {
	const leaves = 60
	var src strings.Builder
	for i := range deepLinks {
		fmt.Fprintf(&src, "func link%d() {", i)
		for k := range leaves {
			fmt.Fprintf(&src, " leaf%d_%d();", i, k)
		}
		if i < deepLinks-1 {
			fmt.Fprintf(&src, " link%d()", i+1)
		}
		src.WriteString(" }\n")
		for k := range leaves {
			fmt.Fprintf(&src, "func leaf%d_%d() { x++ }\n", i, k)
		}
	}
	return src.String()
}

const deepLinks = 100

// solveDeep solves the one loop of a program that calls deepChain.
func solveDeep(t *testing.T, src string) *Result {
	t.Helper()
	pkg := build(t, "package p\nvar x int\n"+src+deepChain())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	if len(res.Loops) != 1 {
		t.Fatalf("got %d loops, want 1", len(res.Loops))
	}
	res.Overlay(0)
	return res
}

// TestDeepCone has a body that reaches more functions than are looked at. The
// first levels are entered, the last is not, and a notice says so.
func TestDeepCone(t *testing.T) {
	res := solveDeep(t, "func Root() { for range 3 { go link0() } }\n")
	entered := make(map[string]bool)
	for _, in := range res.overlays[0].insts {
		entered[in.fn.Name] = true
	}
	last := fmt.Sprintf("p.link%d", deepLinks-1)
	if !entered["p.link3"] || entered[last] {
		t.Errorf("link 3 entered: %v, the last link entered: %v", entered["p.link3"], entered[last])
	}
	if n := len(res.overlays[0].insts); n > 2*maxCone+10 {
		t.Errorf("%d instances in the overlay", n)
	}
	if len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "levels") {
		t.Errorf("notices: %v, want one on what is not looked at", res.Notices)
	}
}

// TestBelowCone: what is not entered returns pointers and stores them in what
// iterations have made, and calls closures that touch what they have captured.
func TestBelowCone(t *testing.T) {
	var src strings.Builder
	src.WriteString(`
var got, filled, stored int
var head *int
type box struct{ p *int }
func Root() { spawner(); spawner() }
func spawner() {
	captured := 0
	for range 3 {
		go func() {
			link0()
			*get0()++
			var b box
			fill0(&b)
			*b.p++
			*make0()++
			set0()
			*head++
			call0(func() { captured++ })
		}()
	}
	captured++
}
`)
	const deep = 9
	for i := range deep {
		fmt.Fprintf(&src, "func get%d() *int { return get%d() }\nfunc fill%d(b *box) { fill%d(b) }\nfunc make%d() *int { return make%d() }\nfunc call%d(f func()) { call%d(f) }\nfunc set%d() { set%d() }\n", i, i+1, i, i+1, i, i+1, i, i+1, i, i+1)
	}
	fmt.Fprintf(&src, "func get%d() *int { return &got }\nfunc fill%d(b *box) { b.p = &filled }\nfunc make%d() *int { return new(int) }\nfunc call%d(f func()) { f() }\nfunc set%d() { head = &stored }\n", deep, deep, deep, deep, deep)
	res := solveDeep(t, src.String())
	want := map[string]bool{"got": true, "filled": true, "stored": true, "captured": true}
	for _, r := range res.Races(res.Loops[0], false).Races {
		if r.Confidence == model.Assumed {
			continue
		}
		if r.Object.Kind != "global" && r.Object.Name != "captured" {
			t.Errorf("a race on %s %q: every iteration has its own", r.Object.Kind, r.Object.Name)
		}
		delete(want, r.Object.Name)
	}
	for name := range want {
		t.Errorf("no race on %s", name)
	}
}

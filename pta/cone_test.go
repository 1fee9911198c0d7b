package pta

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestDeepCone has a body that reaches more functions than are looked at: a
// chain of calls whose links each call a few leaves. The first levels are
// entered, the last is not, and a notice says so.
func TestDeepCone(t *testing.T) {
	const links, leaves = 100, 60
	var src strings.Builder
	src.WriteString("package p\nvar x int\nfunc Root() { for range 3 { go link0() } }\n")
	for i := range links {
		fmt.Fprintf(&src, "func link%d() {", i)
		for k := range leaves {
			fmt.Fprintf(&src, " leaf%d_%d();", i, k)
		}
		if i < links-1 {
			fmt.Fprintf(&src, " link%d()", i+1)
		}
		src.WriteString(" }\n")
		for k := range leaves {
			fmt.Fprintf(&src, "func leaf%d_%d() { x++ }\n", i, k)
		}
	}
	pkg := build(t, src.String())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	if len(res.Loops) != 1 {
		t.Fatalf("got %d loops, want 1", len(res.Loops))
	}
	res.Overlay(0)
	entered := make(map[string]bool)
	for _, in := range res.overlays[0].insts {
		entered[in.fn.Name] = true
	}
	if !entered["p.link3"] || entered[fmt.Sprintf("p.link%d", links-1)] {
		t.Errorf("link 3 entered: %v, the last link entered: %v", entered["p.link3"], entered[fmt.Sprintf("p.link%d", links-1)])
	}
	if n := len(res.overlays[0].insts); n > 2*maxCone+2*leaves+10 {
		t.Errorf("%d instances in the overlay", n)
	}
	if len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "levels") {
		t.Errorf("notices: %v, want one on what is not looked at", res.Notices)
	}
}

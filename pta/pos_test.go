package pta

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestPosOfRoundsCopy: what a loop stores to the variable that its round has anew is where that is declared, and not where
// the function is.
func TestPosOfRoundsCopy(t *testing.T) {
	pkg := build(t, `package p
func Root(n int) {

	for i := 0; i < n; i++ {
		go func() { println(i) }()
	}
}
`)
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	stores := 0
	for _, in := range res.base.s.insts {
		if in.fn.Name != "p.Root" {
			continue
		}
		for k := range in.fn.Accesses {
			a := &in.fn.Accesses[k]
			if a.Flags&FlagWrite == 0 {
				continue
			}
			stores++
			if pos := in.fn.InstrPos(a.At); pos.Line != 4 {
				t.Errorf("a store to i at line %d, want 4", pos.Line)
			}
		}
	}
	if stores == 0 {
		t.Error("no store to i is seen")
	}
}

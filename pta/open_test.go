package pta

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestOpenNotice calls methods of interfaces that come in from outside: of the
// one that anybody may implement a notice says that nothing is known, once for
// all places; of the other the package has all types.
func TestOpenNotice(t *testing.T) {
	pkg := build(t, `package p
type Open interface{ M() }
type sealed interface{ m() }
type T struct{}
func (T) M() {}
func (T) m() {}
func Root(o Open, s sealed) {
	o.M()
	for range 3 {
		go func() { o.M(); s.m() }()
		go func() { o.M() }()
	}
}
`)
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	if len(res.Notices) != 1 || res.Notices[0].Code != "S5" || res.Notices[0].Pos.Line != 10 ||
		!strings.Contains(res.Notices[0].Message, "(p.Open).M is known at any of 2 calls") {
		t.Errorf("notices: %v, want one of S5 about Open.M", res.Notices)
	}
	runs := 0
	for _, in := range res.base.s.insts {
		if in.fn.Name == "(p.T).m" {
			runs++
		}
	}
	if runs == 0 {
		t.Error("the type that implements sealed is not called")
	}
}

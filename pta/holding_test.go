package pta

import (
	"slices"
	"testing"

	"github.com/iterace/iterace/internal/bitset"
	"golang.org/x/tools/go/ssa"
)

// TestHolding asks for each location which values may point to it, and compares that with
// what the values say themselves.
func TestHolding(t *testing.T) {
	pkg := build(t, `package p
type list struct { next *list; n int }
var all []*list
func push(l *list, n int) *list { m := &list{l, n}; all = append(all, m); return m }
func Root() {
	var l *list
	for i := range 3 { l = push(l, i) }
	m := push(nil, 4)
	var x any = m
	go func() { l.n++; x.(*list).n++ }()
}
`)
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	s := res.base.s
	held := 0
	for l := range int32(len(s.owners)) {
		var want []int32
		for id, in := range s.insts {
			for n := range Node(in.fn.NNodes) {
				if set := s.set(in.node(n)); set == nil || !set.Has(l) {
					continue
				}
				want = append(want, in.node(n))
				if i, value := s.valueOf(in.node(n)); i != InstID(id) || value != n {
					t.Fatalf("node %d is value %d of instance %d, got %d of %d", in.node(n), n, id, value, i)
				}
			}
		}
		got := res.holding().of(bitset.Of(l))
		if !slices.Equal(got, want) {
			t.Errorf("location %d is held by %v, got %v", l, want, got)
		}
		held += len(got)
	}
	if held == 0 {
		t.Error("nothing is held")
	}
}

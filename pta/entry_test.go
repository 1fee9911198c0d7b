package pta

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestEntries has small entries, one that is too large, and exported functions,
// which are one entry.
func TestEntries(t *testing.T) {
	var src strings.Builder
	src.WriteString(`package p
var x int
func TestA() { go func() { x++ }() }
func TestB() { go func() { x-- }(); shared() }
func TestLarge() { f0(); shared(); for range 3 { go func() { x = 0 }() } }
func shared() { go func() { x = 1 }() }
func C() { for range 3 { go func() { x = 2 }() } }
func D() { go func() { x = 3 }() }
`)
	const large = maxEntry + 1
	for i := range large {
		fmt.Fprintf(&src, "func f%d() { f%d() }\n", i, i+1)
	}
	fmt.Fprintf(&src, "func f%d() {}\n", large)
	pkg := build(t, src.String())
	funcs := func(names ...string) (out []*ssa.Function) {
		for _, name := range names {
			out = append(out, pkg.Func(name))
		}
		return out
	}
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: funcs("init", "TestA", "TestB", "TestLarge"), More: [][]*ssa.Function{funcs("C", "D")}})
	list, apart := res.Entries()
	var got []string
	for _, e := range list {
		sub := res.Of(e)
		got = append(got, fmt.Sprintf("%s: %d loops", e.Name, len(sub.Loops)))
	}
	for i, l := range res.Loops {
		if apart[res.Place(i)] {
			got = append(got, l.Func)
		}
	}
	want := "p.TestA: 1 loops, p.TestB: 2 loops, exported functions: 2 loops, p.TestA, p.TestB, p.C, p.D"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	one := Base(NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }}), &Config{Roots: funcs("init", "TestA")})
	if list, _ := one.Entries(); list != nil {
		t.Errorf("%d entries of a program that has one", len(list))
	}
}

package pta

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
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

// TestTell: what is told of one loop alone is what is told of it among all.
func TestTell(t *testing.T) {
	races := func(tell int) (out []string) {
		res := solveRoot(t, `package p
var x, y, z int
func Root() {
	for range 3 { go one() }
	for range 3 { go two() }
	for range 3 { go three() }
	x, y, z = 1, 1, 1
}
func one() { x++; z++ }
func two() { y++; z++ }
func three() { z++ }
`)
		mine := func(l *model.Loop) bool { return l == res.Loops[tell] }
		if tell >= 0 {
			res.Tell(mine)
		}
		for i := range res.Loops {
			res.Overlay(i)
		}
		for _, l := range res.Loops {
			for _, r := range res.Races(l, false).Races {
				other := -1
				if r.Other != nil {
					other = r.Other.ID
				}
				out = append(out, fmt.Sprintf("%d %d %s %s %s", r.Loop.ID, other, r.Object.Name, r.A.Pos, r.B.Pos))
			}
		}
		return out
	}
	all := races(-1)
	for tell := range 3 {
		var want []string
		for _, x := range all {
			var loop, other int
			fmt.Sscan(x, &loop, &other)
			if loop == tell || other == tell {
				want = append(want, x)
			}
		}
		if got := races(tell); !slices.Equal(got, want) || len(got) == 0 || len(got) == len(all) {
			t.Errorf("of loop %d: %v, want %v", tell, got, want)
		}
	}
}

// TestUnevident has few questions answered, so that much is passed over, and looks at
// that all the same: it must add nothing.
func TestUnevident(t *testing.T) {
	defer func(n int, f func(*pairing, func(a, b use)) func(a, b use)) { maxEvidence, passOver = n, f }(maxEvidence, passOver)
	maxEvidence = 4
	passed := 0
	passOver = func(p *pairing, add func(a, b use)) func(a, b use) {
		return func(a, b use) {
			passed++
			n := len(p.races)
			if add(a, b); len(p.races) > n {
				t.Errorf("%s: passed over: %s and %s", p.v.Loop().Pos, p.races[n].A.Pos, p.races[n].B.Pos)
			}
		}
	}
	for _, dir := range []string{"fp", "lock", "loop"} {
		res := baseOf(t, "/testdata/"+dir+"/", &Config{Sure: true})
		for i := range res.Loops {
			if !res.Overlay(i) {
				res.Skip(i)
			}
		}
		for _, l := range res.Loops {
			res.Races(l, false)
		}
	}
	if passed == 0 {
		t.Error("nothing is passed over")
	}
}

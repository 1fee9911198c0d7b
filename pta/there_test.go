package pta

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestLeftByTests has two entry points in one base, one of which leaves what the other one
// finds. If they are tests, it does not find it.
func TestLeftByTests(t *testing.T) {
	const src = `package p
//line FILE:3
var hook func()
var last *int
var on, any bool
func Sets() {
	x := new(int)
	hook = func() { *x = 1 }
	last = x
	y := 0
	put(&y)
	on = true
	each()
	go func() { x = nil }()
}
func each() { any = true }
func Uses(n int) {
	a, b := 0, 0
	each()
	for range 3 {
		go func() {
			if hook != nil {
				hook()
				hook = nil
			}
			*last = 1
			*kept = 1
			if on { a++ }
			if any { b++ }
		}()
	}
}
//line p.go:100
func put(p *int) { kept = p }
func Keeps() {
	z := 0
	put(&z)
	go func() { z = 1 }()
}
var kept *int
`
	for _, test := range []struct{ file, want string }{
		{"p.go", "hook x z y a b"},
		{"p_test.go", "z b"},
	} {
		pkg := build(t, strings.Replace(src, "FILE", test.file, 1))
		p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
		res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Sets"), pkg.Func("Uses"), pkg.Func("Keeps")}})
		var got []string
		for i := range res.Loops {
			res.Overlay(i)
		}
		for _, l := range res.Loops {
			for _, r := range res.Races(l, false).Races {
				if name := r.Object.Name + r.Field; !slices.Contains(got, name) {
					got = append(got, name)
				}
			}
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: races on %s, want %s", test.file, text, test.want)
		}
	}
}

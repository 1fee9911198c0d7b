package pta

import (
	"slices"
	"testing"
)

// What a function does before it has the goroutine started runs beside that if the function is come
// to again, and is as far from it as the rest of the function.
func TestRegion(t *testing.T) {
	for _, test := range []struct {
		again string
		has   []bool
	}{{"", []bool{false, true}}, {"one(n)", []bool{true, true}}} {
		r := solveRoot(t, `package p

var x int

func Root() { serve(3) }

func serve(n int)  { if n > 0 { x = 1; start(); x = 2; `+test.again+` } }
func start()       { see(); go func() { println(x) }(); see() }
func one(n int)    { see(); two(n - 1) }
func two(n int)    { see(); serve(n) }
func see()         {}
`)
		r.Overlay(0)
		g, s := r.View(r.Loops[0]).beside(), r.base.s
		var has []bool
		for id := range InstID(len(s.insts)) {
			in := s.inst(id)
			for k := range in.fn.Accesses {
				if a := &in.fn.Accesses[k]; a.Flags&FlagWrite != 0 {
					has = append(has, g.has(id, a.At))
					if d := g.distance(id); d != 1 {
						t.Errorf("again %q: a write is %d calls away, want 1", test.again, d)
					}
				}
			}
		}
		if !slices.Equal(has, test.has) {
			t.Errorf("again %q: the region has the writes: %v, want %v", test.again, has, test.has)
		}
	}
}

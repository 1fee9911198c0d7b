package pta

import "testing"

// What a function has done before it has the goroutine started is as far from the spawner as
// the call by which it comes to itself again, and what it does afterwards as near as that goroutine is.
func TestRegionDistances(t *testing.T) {
	r := solveRoot(t, `package p

var x int

func Root() { serve(3) }

func serve(n int) { if n > 0 { x = 1; start(); x = 2; one(n) } }
func start() { see(); go func() { println(x) }(); see() }
func one(n int)   { see(); two(n - 1) }
func two(n int)   { see(); serve(n) }
func see()   {}
`)
	s := r.base.s
	for _, most := range []int{far, 1} {
		g := r.regionOf(0, most)
		var got []int
		for id := range InstID(len(s.insts)) {
			in := s.inst(id)
			for k := range in.fn.Accesses {
				if in.fn.Accesses[k].Flags&FlagWrite != 0 {
					got = append(got, g.distanceAt(id, in.fn.Accesses[k].At))
				}
			}
		}
		want := []int{4, 1}
		if most == 1 {
			want[0] = far
		}
		if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("no further than %d: the writes are %v calls away, want %v", most, got, want)
		}
	}
}

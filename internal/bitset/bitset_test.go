package bitset

import (
	"maps"
	"math/rand"
	"slices"
	"testing"
)

// Every operation is compared with a map on random sets.
func TestAgainstMap(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	random := func() (*Set, map[int32]bool) {
		s, m := new(Set), map[int32]bool{}
		top, n := 1000, 60
		if r.Intn(2) == 0 {
			top, n = 30_000, 400
		}
		for range r.Intn(n) {
			x := int32(r.Intn(top))
			if got := s.Add(x); got == m[x] {
				t.Fatalf("Add(%d) = %v", x, got)
			}
			m[x] = true
		}
		return s, m
	}
	for range 2000 {
		a, ma := random()
		b, mb := random()
		f, mf := random()
		inter := false
		want := maps.Clone(ma)
		wantFresh := maps.Clone(mf)
		for x := range mb {
			inter = inter || ma[x]
			want[x] = true
			if !ma[x] {
				wantFresh[x] = true
			}
		}
		minus, and := map[int32]bool{}, map[int32]bool{}
		for x := range ma {
			if mb[x] {
				and[x] = true
			} else {
				minus[x] = true
			}
		}
		if got := a.And(b).Elems(); !slices.Equal(got, slices.Sorted(maps.Keys(and))) {
			t.Fatalf("And: %v", got)
		}
		if got := a.Minus(b).Elems(); !slices.Equal(got, slices.Sorted(maps.Keys(minus))) {
			t.Fatalf("Minus: %v", got)
		}
		if a.Contains(b) != (len(want) == len(ma)) {
			t.Fatal("Contains")
		}
		if a.Intersects(b) != inter {
			t.Fatal("Intersects")
		}
		old, f2 := a.Copy(), f.Copy()
		if got := a.With(b, f2).Elems(); !slices.Equal(got, slices.Sorted(maps.Keys(want))) || !slices.Equal(f2.Elems(), slices.Sorted(maps.Keys(wantFresh))) {
			t.Fatal("With")
		}
		if !a.Equal(old) {
			t.Fatal("With has changed its receiver")
		}
		if changed := a.Union(b, f); changed != (len(want) != len(ma)) {
			t.Fatal("Union's result")
		}
		for _, c := range []struct {
			s *Set
			m map[int32]bool
		}{{a, want}, {f, wantFresh}} {
			keys := slices.Sorted(maps.Keys(c.m))
			if !slices.Equal(c.s.Elems(), keys) || c.s.Len() != len(keys) {
				t.Fatalf("got %v, want %v", c.s.Elems(), keys)
			}
			if !c.s.Equal(c.s.Copy()) {
				t.Fatal("Equal")
			}
		}
		for x := int32(0); x < 1000; x++ {
			if a.Has(x) != want[x] {
				t.Fatal("Has")
			}
		}
	}
}

// TestHasRange compares with a look at each element.
func TestHasRange(t *testing.T) {
	s := Of(3, 63, 64, 200, 255, 256)
	for lo := int32(0); lo < 270; lo++ {
		for hi := lo; hi < 270; hi++ {
			want := false
			for x := lo; x < hi; x++ {
				want = want || s.Has(x)
			}
			if got := s.HasRange(lo, hi); got != want {
				t.Fatalf("HasRange(%d, %d) = %v", lo, hi, got)
			}
		}
	}
}

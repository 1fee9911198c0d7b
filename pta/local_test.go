package pta

import "testing"

// TestReachOf checks what a pointer to a field leads to: the widest field that begins
// there, and all of an array.
func TestReachOf(t *testing.T) {
	var leaves []Leaf
	for _, name := range []string{".n", ".part.a", ".part.b.x", ".part.b.y", ".partner", ".rows[*].x", ".rows[*].y", ".rows[*].x", ".end"} {
		leaves = append(leaves, Leaf{Name: name})
	}
	for _, test := range []struct{ i, lo, hi int32 }{
		{0, 0, 9}, // the object itself
		{1, 1, 4},
		{2, 2, 4},
		{3, 3, 4},
		{4, 4, 5},
		{5, 5, 8},
		{6, 5, 8},
		{7, 5, 8}, // another part of the array
		{8, 8, 9},
	} {
		if lo, hi := reachOf(leaves, test.i); lo != test.lo || hi != test.hi {
			t.Errorf("leaf %d leads to [%d, %d), want [%d, %d)", test.i, lo, hi, test.lo, test.hi)
		}
	}
}

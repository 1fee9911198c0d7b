package pta

import (
	"cmp"
	"slices"
	"testing"
)

// TestAccessTable sorts a part of a table, moves some of its locations behind the others, and
// finds the accesses of each.
func TestAccessTable(t *testing.T) {
	tab := newAccessTable()
	for _, loc := range []int32{7, 900, 5, 300, 6, 1} {
		tab.add(loc, accRef{InstID(loc), 0}, true)
		tab.add(loc, accRef{InstID(loc), 1}, false)
	}
	tab.seal()
	tab.sort(1, 5, func(a, b int32) int { return cmp.Compare(a, b) })
	if want := []int32{7, 5, 6, 300, 900, 1}; !slices.Equal(tab.locs, want) {
		t.Errorf("sorted from 1 to 5: got %v, want %v", tab.locs, want)
	}
	tab.putLast(func(loc int32) bool { return loc == 5 || loc == 300 })
	if want := []int32{7, 6, 900, 1, 5, 300}; !slices.Equal(tab.locs, want) {
		t.Errorf("5 and 300 behind the others: got %v, want %v", tab.locs, want)
	}
	for _, loc := range tab.locs {
		u := tab.of(loc)
		if u == nil || !slices.Equal(u.writes, []use{{loc, accRef{InstID(loc), 0}}}) || !slices.Equal(u.reads, []use{{loc, accRef{InstID(loc), 1}}}) {
			t.Errorf("accesses to %d: got %v", loc, u)
		}
	}
}

package pta

import (
	"fmt"
	"testing"

	"github.com/iterace/iterace/internal/bitset"
)

// TestDown: sets go down all calls, around those that lead back, and to no caller; what is kept
// of the calls serves other sets.
func TestDown(t *testing.T) {
	calls := callLists{first: []int32{0, 1, 2, 4, 4, 5}, to: []InstID{1, 2, 1, 3, 3}} // 0→1⇄2→3←4
	for _, test := range []struct {
		at   []InstID
		want string
	}{
		{[]InstID{0, 2, 4}, "[[0] [0 2] [0 2] [0 2 4] [4]]"},
		{[]InstID{1}, "[[] [1] [1] [1] []]"},
	} {
		sets := make([]bitset.Set, 5)
		for _, id := range test.at {
			sets[id].Add(int32(id))
		}
		calls.down(sets)
		var got [][]int32
		for i := range sets {
			got = append(got, sets[i].Elems())
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("from %d: %d, want %s", test.at, got, test.want)
		}
	}
}

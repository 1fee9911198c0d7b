package fp

import (
	"slices"
	"sync"
)

// Shrunk from services, libraries and tests that were written blind.

// Chunks of a slice are kept in a list first.
func FP_chunksInList(xs []int) {
	var parts [][]int
	for part := range slices.Chunk(xs, n) {
		parts = append(parts, part)
	}
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for i := range part {
				part[i]++ // race xs[*]; that a list is filled by an iterator's body is not seen
			}
		})
	}
	wg.Wait()
}

// Each case of a table has a map and a lock of its own.
func FP_mapOfEachCase() {
	cases := map[string]struct{ fails map[string]int }{
		"once":  {map[string]int{"a": 1}},
		"twice": {map[string]int{"a": 2}},
	}
	var wg sync.WaitGroup
	for _, c := range cases {
		b := &failing{fails: c.fails}
		for range 2 {
			wg.Go(func() { b.serve("a") })
		}
	}
	wg.Wait()
}

type failing struct {
	mu    sync.Mutex
	fails map[string]int
}

func (b *failing) serve(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fails[id]-- // race b.fails[*]; that two cases have two maps is not known of what has them
}

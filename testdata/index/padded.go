package index

import "sync"

// Structs that each iteration has one of, in a slice, are filled up against false sharing, or have
// small arrays in them.

type shard struct {
	n    int
	seen map[string]int
	hist [4]int
	_    [40]byte
}

// What hangs on an element is that iteration's.
func PD1_padded(words []string) {
	shards := make([]shard, 8)
	var wg sync.WaitGroup
	for i := range shards {
		s := &shards[i]
		s.seen = make(map[string]int) // norace
		wg.Go(func() {
			for k, w := range words {
				s.seen[w]++   // norace
				s.hist[k%4]++ // norace
			}
		})
	}
	wg.Wait()
}

// Two iterations have one shard.
func PD1b_shared(words []string) {
	shards := make([]shard, 4)
	for i := range shards {
		shards[i].seen = make(map[string]int)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		s := &shards[i/2]
		wg.Go(func() {
			for k, w := range words {
				s.seen[w]++   // race! s.seen[*]
				s.hist[k%4]++ // race! s.hist[*]
			}
		})
	}
	wg.Wait()
}

// The iteration's number is that of an element of the inner array, of one shard.
func PD2_inner() {
	shards := make([]shard, 8)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { shards[0].hist[i]++ }) // norace
	}
	wg.Wait()
}

func PD2b_innerShared() {
	shards := make([]shard, 8)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { shards[0].hist[i/2]++ }) // race! shards[*].hist[*]
	}
	wg.Wait()
}

// An array alone in the element, and arrays in arrays.
func PD3_single() {
	type one struct{ a [1]int }
	cells := make([]one, 8)
	var grid [4][8]int
	var wg sync.WaitGroup
	for i := range cells {
		wg.Go(func() {
			cells[i].a[0]++ // norace
			grid[0][i]++    // norace
		})
	}
	wg.Wait()
}

func PD3b_singleShared() {
	type one struct{ a [2]int }
	cells := make([]one, 8)
	var grid [4][8]int
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			cells[i/2].a[0]++ // race! cells[*].a[*]
			cells[1-i].a[i]++ // norace
			grid[0][i]++      // norace
			grid[1][3]++      // race! grid[*][*]
		})
	}
	wg.Wait()
}

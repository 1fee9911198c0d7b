package heap

import (
	"slices"
	"sync"
)

type entry struct{ key, val int }

// Each key has its own list, which is sorted and changed.
func X80_groups() {
	groups := make(map[int][]entry)
	for i := range 3 * n {
		groups[i%3] = append(groups[i%3], entry{i % 3, i})
	}
	var wg sync.WaitGroup
	for k, list := range groups {
		wg.Go(func() {
			slices.SortFunc(list, func(a, b entry) int { return b.val - a.val }) // norace
			for i := range list {
				list[i].val += k // norace
			}
		})
	}
	wg.Wait()
}

// Two keys have one list.
func X80b_groupTwice() {
	shared := make([]int, 3)
	groups := map[int][]int{}
	groups[1] = shared
	groups[2] = shared
	var wg sync.WaitGroup
	for _, list := range groups {
		wg.Go(func() {
			list[0]++ // race! _[*]
		})
	}
	wg.Wait()
}

// All keys have one list.
func X80c_oneForAll() {
	shared := make([]int, 3)
	groups := map[int][]int{}
	for i := range n {
		groups[i] = shared
	}
	var wg sync.WaitGroup
	for _, list := range groups {
		wg.Go(func() {
			list[0]++ // race! _[*]
		})
	}
	wg.Wait()
}

// One of the lists is touched by all.
func X80d_otherGroup() {
	groups := make(map[int][]int)
	for i := range 3 * n {
		groups[i%3] = append(groups[i%3], i)
	}
	first := groups[0]
	var wg sync.WaitGroup
	for _, list := range groups {
		wg.Go(func() {
			first[0]++ // race! _[*]
			list[0]++  // race! _[*]
		})
	}
	wg.Wait()
}

// The comparison function has state.
func X81_comparisonCounts() {
	groups := [][]int{{3, 2, 1}, {6, 5, 4}}
	calls := 0
	var wg sync.WaitGroup
	for _, list := range groups {
		wg.Go(func() {
			slices.SortFunc(list, func(a, b int) int {
				calls++ // race! calls
				return a - b
			})
		})
	}
	wg.Wait()
}

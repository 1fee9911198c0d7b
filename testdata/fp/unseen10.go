package fp

import (
	"maps"
	"slices"
	"sync"
)

// Shrunk from programs that were written blind an eighth time.

// A recursion is given a function, so that its first call is looked at apart from those that it makes.
func FP_sortedByFunction(xs []int) {
	sortedBy(xs, make([]int, len(xs)), 4, func(x, y int) bool { return x < y })
}

func sortedBy(xs, buf []int, depth int, less func(x, y int) bool) {
	if len(xs) < 2 {
		return
	}
	mid := len(xs) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			sortedBy(xs[:mid], buf[:mid], depth-1, less)
		}()
		sortedBy(xs[mid:], buf[mid:], depth-1, less)
		wg.Wait()
	} else {
		sortedBy(xs[:mid], buf[:mid], 0, less)
		sortedBy(xs[mid:], buf[mid:], 0, less)
	}
	i, j := 0, mid
	for k := range buf {
		if j == len(xs) || i < mid && less(xs[i], xs[j]) { // race _[*]; see above
			buf[k], i = xs[i], i+1 // race _[*]; see above
		} else {
			buf[k], j = xs[j], j+1 // race _[*]; see above
		}
	}
	copy(xs, buf) // race _[*]; see above
}

// Each list of a map that is cloned is cloned, too: that none is left is not seen.
func FP_eachListCloned() {
	common := map[string][]int{"a": {1}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := maps.Clone(common)
			for k, v := range own {
				own[k] = slices.Clone(v) // race _[*]; see above
			}
			own["a"][0] = i // race _[*]; see above
		})
	}
	wg.Wait()
}

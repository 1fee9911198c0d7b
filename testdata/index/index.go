// Package index holds programs whose iterations share an array and divide it by
// arithmetic on indices.
package index

import (
	"math"
	"sync"
)

const n = 24

// run calls body for each chunk [lo, hi) of 0 … total-1, in parallel.
func run(total, workers int, body func(lo, hi int)) {
	size := (total + workers - 1) / workers
	var wg sync.WaitGroup
	for lo := 0; lo < total; lo += size {
		hi := min(lo+size, total)
		wg.Go(func() { body(lo, hi) })
	}
	wg.Wait()
}

func sqrt(i int) int { return int(math.Sqrt(float64(i))) }

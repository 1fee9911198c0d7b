package main

import "github.com/iterace/iterace/internal/heap"

// collectLate sets the collector for a process that will be over soon, as go vet starts
// one for each package: most are over before anything is collected. To solve may take
// gigabytes, and so a heap beyond heap.Small may grow to twice what is live.
func collectLate() {
	heap.Grow(func(live uint64) uint64 { return max(heap.Small, 2*live) })
}

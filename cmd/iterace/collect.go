package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// This file says when garbage is collected while go vet has one package looked at.

const (
	// smallHeap is what the heap may grow to, however little of it is live: most processes
	// are over before, and nothing is collected. To solve may take gigabytes, and so a heap
	// beyond it may grow to twice what is live.
	smallHeap    = 256 << 20
	usualPercent = 100

	// firstPercent lets the heap grow to smallHeap before the first collection: the runtime
	// starts that one at 4 MB for each 100.
	firstPercent = smallHeap / (4 << 20) * usualPercent
)

// collectLate sets the collector for a process that will be over soon.
func collectLate() {
	debug.SetGCPercent(firstPercent)
	afterCollection(adjustCollector)
}

// adjustCollector sets it for what is live now, after each collection.
func adjustCollector() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(heapPercent(live[0].Value.Uint64()))
	afterCollection(adjustCollector)
}

// heapPercent returns what GOGC is to be where so much is live.
func heapPercent(live uint64) int {
	return int(max(smallHeap*100/max(live, 1<<20), 2*usualPercent)) - 100
}

// afterCollection has f called once when the next collection is over.
func afterCollection(f func()) {
	runtime.AddCleanup(new([64]byte), func(struct{}) { f() }, struct{}{})
}

package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// This file says when garbage is collected while go vet has one package looked at.

const (
	// A process that makes templates is over before much of its memory is garbage:
	// collecting it was a third of the time.
	shortPercent = 800
	// smallHeap is what the heap may grow to where loops are solved, however little of
	// it is live. To solve may take gigabytes, and so a heap beyond it may grow to twice
	// what is live. With that rule for all heaps go vet of x/tools takes 21.7 and 23.4 s,
	// and with five times what is live 21.0 and 21.5 s, on a shared machine.
	smallHeap    = 256 << 20
	usualPercent = 100
)

// startShort sets the collector for a process that will be over soon.
func startShort() { debug.SetGCPercent(shortPercent) }

// startSolving sets it for one that has something to solve, now and after each
// collection.
func startSolving() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	percent := shortPercent
	if v := live[0].Value; v.Kind() == metrics.KindUint64 && v.Uint64() > 0 {
		percent = int(min(max(smallHeap*100/v.Uint64(), 2*usualPercent), 100+shortPercent)) - 100
	}
	debug.SetGCPercent(percent)
	runtime.AddCleanup(new([64]byte), func(struct{}) { startSolving() }, struct{}{})
}

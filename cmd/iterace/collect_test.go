package main

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// TestCollectLate runs itself as a process of its own, which nothing else has set the
// collector of: up to smallHeap nothing is collected, and beyond it the heap is bounded.
func TestCollectLate(t *testing.T) {
	const variable = "ITERACE_TEST_COLLECT"
	if os.Getenv(variable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCollectLate$", "-test.count=1")
		cmd.Env = append(os.Environ(), variable+"=1", "GOGC=100")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	collectLate()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	garbage(smallHeap / 2)
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n > 0 {
		t.Errorf("%d collections of a small heap", n)
	}
	garbage(5 * smallHeap)
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n == 0 || n > 10 {
		t.Errorf("%d collections of five heaps", n)
	}
	// What is allocated while a collection is under way counts as live: in a loop that does nothing
	// else the heap comes to more than twice its size one time in twenty.
	if after.HeapSys > 4*smallHeap {
		t.Errorf("the heap has grown to %d MB, with nothing live", after.HeapSys>>20)
	}
}

var kept []byte

// garbage allocates that many bytes, a piece at a time.
func garbage(size int) {
	const piece = 64 << 10
	for range size / piece {
		kept = make([]byte, piece)
	}
}

func TestHeapPercent(t *testing.T) {
	for _, test := range []struct {
		live uint64
		want int // heap, in MB
	}{
		{0, 256}, {1 << 20, 256}, {100 << 20, 256}, {128 << 20, 256}, {500 << 20, 1000},
	} {
		heap := max(test.live, 1<<20) * uint64(100+heapPercent(test.live)) / 100 >> 20
		if int(heap) > test.want || int(heap) < test.want-test.want/50 {
			t.Errorf("%d MB live: the heap may grow to %d MB, want %d", test.live>>20, heap, test.want)
		}
	}
}

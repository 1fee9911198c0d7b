package main

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/iterace/iterace/internal/heap"
)

// TestCollectLate runs itself as a process of its own, which nothing else has set the
// collector of: up to heap.Small nothing is collected, and beyond it the heap is bounded.
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
	garbage(heap.Small / 2)
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n > 0 {
		t.Errorf("%d collections of a small heap", n)
	}
	garbage(5 * heap.Small)
	runtime.ReadMemStats(&after)
	if n := after.NumGC - before.NumGC; n == 0 || n > 10 {
		t.Errorf("%d collections of five heaps", n)
	}
	// What is allocated while a collection is under way counts as live.
	if after.HeapSys > 4*heap.Small {
		t.Errorf("the heap has grown to %d MB, with nothing live", after.HeapSys>>20)
	}
}

var kept []byte

// garbage allocates that many bytes, a piece at a time, with pauses in which a collection that is
// under way comes to its end: it may have to wait for a processor.
func garbage(size int) {
	const piece = 64 << 10
	for k := range size / piece {
		kept = make([]byte, piece)
		if k%128 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

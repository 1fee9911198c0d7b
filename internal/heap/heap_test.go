package heap

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// percent returns the GOGC that is set, and leaves it.
func percent() int {
	p := debug.SetGCPercent(usualPercent)
	debug.SetGCPercent(p)
	return p
}

// until waits until GOGC is what is wanted: it is set on a goroutine of its own after a
// collection.
func until(t *testing.T, what string, ok func(percent int) bool) {
	t.Helper()
	for range 200 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
		if ok(percent()) {
			return
		}
	}
	t.Errorf("%s: GOGC is %d", what, percent())
}

func TestGrow(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualPercent))
	kept := make([]byte, 8<<20)
	runtime.GC() // what is live is some 8 MB from here on, whenever else the runtime collects
	var least atomic.Uint64
	least.Store(32 << 20)
	g := Grow(func(live uint64) uint64 { return max(least.Load(), 3*live) })
	if got := percent(); got <= 200 || got > 300 {
		t.Errorf("GOGC is %d with 32 MB of heap to grow to and some 8 live", got)
	}
	least.Store(64 << 20)
	g.Ask()
	if got := percent(); got <= 400 || got > 700 {
		t.Errorf("GOGC is %d with 64 MB to grow to when asked again", got)
	}
	least.Store(48 << 20)
	until(t, "48 MB after a collection", func(p int) bool { return p > 300 && p <= 500 })
	more := make([]byte, 80<<20)
	until(t, "three times of 88 MB", func(p int) bool { return p >= 199 && p <= 200 })
	runtime.KeepAlive(more)
	runtime.KeepAlive(kept)
	g.Stop()
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	if got := percent(); got != usualPercent {
		t.Errorf("GOGC is %d after stop", got)
	}
}

// TestGrowBelow gives a goal that what is live has passed.
func TestGrowBelow(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualPercent))
	kept := make([]byte, 16<<20)
	g := Grow(func(uint64) uint64 { return 8 << 20 })
	until(t, "less than what is live", func(p int) bool { return p == usualPercent })
	runtime.KeepAlive(kept)
	g.Stop()
}

// TestGrowLeaves is that somebody has set GOGC.
func TestGrowLeaves(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	g := Grow(func(live uint64) uint64 {
		if live > 0 {
			t.Error("a goal is asked for after a collection")
		}
		return 64 << 20
	})
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	g.Stop()
	if got := percent(); got != 50 {
		t.Errorf("GOGC is %d, and was 50", got)
	}
}

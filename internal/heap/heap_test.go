package heap

import (
	"runtime"
	"runtime/debug"
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
	least, times := uint64(32<<20), uint64(3)
	g := Grow(func(live uint64) uint64 { return max(least, times*live) })
	if got := percent(); got > 800 {
		t.Errorf("GOGC is %d with 32 MB of heap to grow to", got)
	}
	least = 64 << 20
	g.Ask()
	if got := percent(); got <= 800 || got > 1600 {
		t.Errorf("GOGC is %d with 64 MB to grow to when asked again", got)
	}
	until(t, "64 MB with some 8 live", func(p int) bool { return p > 200 && p < 800 })
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

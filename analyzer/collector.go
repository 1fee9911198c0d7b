package analyzer

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A collector lets the heap grow to three quarters of what loading took. What stays of the
// code after the base is a tenth of it: on a site generator 0.5 of 5.3 GB, and
// marking it again and again took a fifth of the time of the loops.
type collector struct {
	mu   sync.Mutex
	peak uint64 // 0 if nothing is changed
	live []metrics.Sample
}

// newCollector starts that, in programs that are worth it. Whoever has set GOGC is
// left alone.
func newCollector() *collector {
	const worth = 200 << 20
	c := new(collector)
	old := debug.SetGCPercent(100)
	debug.SetGCPercent(old)
	if peak := peakMemory(); peak >= worth && old == 100 {
		runtime.GC()
		c.peak, c.live = peak, []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		c.adjust()
	}
	return c
}

// adjust is called again and again: loops in flight and the tables of others are
// live too.
func (c *collector) adjust() {
	if c.peak == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	metrics.Read(c.live)
	percent := 100
	if live := c.live[0].Value; live.Kind() == metrics.KindUint64 && live.Uint64() > 0 {
		percent = int(min(max(c.peak/4*3*100/live.Uint64(), 200), 500)) - 100
	}
	debug.SetGCPercent(percent)
}

// stop leaves the collector as it was.
func (c *collector) stop() {
	if c.peak > 0 {
		debug.SetGCPercent(100)
	}
}

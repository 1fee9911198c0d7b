package analyzer

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A collector trades memory for time while a whole program is analysed. While code is
// loaded the heap may be 2.4 times of what is live, and not twice: with code and SSA
// let go as soon as they are not needed that is less than all of them together take, and
// loading a site generator takes 23 and not 26 s. (Three times: 20 s, but more memory than
// load and SSA alone on small programs.)
//
// Then it lets the heap grow to three quarters of what loading took. What stays of the
// code after the base is a tenth of it: on a site generator 0.5 of 5.3 GB, and
// marking it again and again took a fifth of the time of the loops.
//
// The heap of a driver, which runs other analyzers too, is not ours: a nil collector
// does nothing.
type collector struct {
	mu   sync.Mutex
	peak uint64 // 0 as long as code is loaded
	live []metrics.Sample
}

const (
	usualPercent   = 100 // that of programs that say nothing of it
	loadingPercent = 140
)

// newCollector starts that. It is nil if somebody has set GOGC.
func newCollector() *collector {
	if old := debug.SetGCPercent(loadingPercent); old != usualPercent {
		debug.SetGCPercent(old)
		return nil
	}
	return &collector{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
}

// solved is called when the base is there, before the loops.
func (c *collector) solved() {
	if c != nil {
		runtime.GC()
		c.peak = peakMemory()
		c.adjust()
	}
}

// adjust is called again and again: loops in flight and the tables of others are
// live too.
func (c *collector) adjust() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	metrics.Read(c.live)
	percent := usualPercent
	if live := c.live[0].Value; live.Kind() == metrics.KindUint64 && live.Uint64() > 0 {
		percent = int(min(max(c.peak/4*3*100/live.Uint64(), 200), 500)) - 100
	}
	debug.SetGCPercent(percent)
}

// stop leaves the collector as it was.
func (c *collector) stop() {
	if c != nil {
		debug.SetGCPercent(usualPercent)
	}
}

package analyzer

import (
	"runtime"
	"sync/atomic"

	"github.com/iterace/iterace/internal/heap"
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
// A heap of heap.Small is not collected: where dependencies come out of the cache, loading
// takes a fraction of what it takes without, and would leave the loops little.
//
// The heap of a driver, which runs other analyzers too, is not ours: a nil collector
// does nothing.
type collector struct {
	peak atomic.Uint64 // 0 as long as code is loaded
	end  func()
}

// newCollector starts that, unless somebody has set GOGC.
func newCollector() *collector {
	c := &collector{}
	c.end = heap.Grow(c.goal)
	return c
}

// goal is how far the heap may grow with so much live. Loops in flight and the tables
// of others are live too.
func (c *collector) goal(live uint64) uint64 {
	goal := live / 5 * 12
	if peak := c.peak.Load(); peak > 0 {
		goal = min(max(peak/4*3, 2*live), 5*live)
	}
	return max(goal, heap.Small)
}

// solved is called when the base is there, before the loops.
func (c *collector) solved() {
	if c != nil {
		c.peak.Store(peakMemory())
		runtime.GC()
	}
}

// stop leaves the collector as it was.
func (c *collector) stop() {
	if c != nil {
		c.end()
	}
}

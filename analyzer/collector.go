package analyzer

import (
	"os"
	"runtime"
	"sync/atomic"

	"github.com/iterace/iterace/internal/heap"
	"golang.org/x/tools/go/packages"
)

// A collector trades memory for time while a whole program is analysed. While code is
// loaded the heap may be 2.4 times of what is live, and not twice: with code and SSA
// let go as soon as they are not needed that is less than all of them together take, and
// loading a site generator takes 23 and not 26 s.
//
// Then it lets the heap grow to three quarters of what loading took. What stays of the
// code after the base is a tenth of it: on a site generator 0.5 of 5.3 GB, and
// marking it again and again took a fifth of the time of the loops.
//
// A heap that is small for the program, as its source goes, is not collected at all.
//
// The heap of a driver, which runs other analyzers too, is not ours: a nil collector
// does nothing.
type collector struct {
	peak   atomic.Uint64 // 0 as long as code is loaded
	room   atomic.Uint64 // what is not collected
	growth *heap.Growth
}

const (
	// heapPerSource is how many bytes of heap are not collected for each byte of source. To
	// load it all with its SSA, and nothing else, takes 51 to 63 (eval perf-floor on five programs
	// from 9 to 46 MB of source), so that the process stays below that.
	heapPerSource = 40
	maxRoom       = 1 << 30 // not more, however large the program
)

// newCollector starts that, unless somebody has set GOGC.
func newCollector() *collector {
	c := &collector{}
	c.room.Store(heap.Small)
	c.growth = heap.Grow(c.goal)
	return c
}

// goal is how far the heap may grow with so much live. Loops in flight and the tables
// of others are live too.
func (c *collector) goal(live uint64) uint64 {
	goal := live / 5 * 12
	if peak := c.peak.Load(); peak > 0 {
		goal = min(max(peak/4*3, 2*live), 5*live)
	}
	return max(goal, c.room.Load())
}

// found is called with the packages that make up a program, before their code is read.
func (c *collector) found(pkgs []*packages.Package) {
	if c == nil {
		return
	}
	source := uint64(0)
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		for _, name := range pkg.CompiledGoFiles {
			if info, err := os.Stat(name); err == nil {
				source += uint64(info.Size())
			}
		}
	})
	c.room.Store(min(max(heapPerSource*source, heap.Small), maxRoom))
	c.growth.Ask()
}

// solved is called when the base is there, before the loops.
func (c *collector) solved() {
	if c == nil {
		return
	}
	c.peak.Store(peakMemory())
	if c.goal(heap.Live()) > c.room.Load() {
		runtime.GC() // the goal is one for the code, too, which is not needed any more
	} else {
		c.growth.Ask()
	}
}

// stop leaves the collector as it was.
func (c *collector) stop() {
	if c != nil {
		c.growth.Stop()
	}
}

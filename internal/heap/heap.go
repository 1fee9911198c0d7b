// Package heap says how far the heap of the process may grow before garbage is
// collected: memory for time, where it is known how much memory there is to give.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Small is a heap in bytes that is not worth a collection, however little of it is
// live. To load and build the smallest programs that are worth an analysis takes more.
const Small = 256 << 20

const (
	usualPercent = 100     // GOGC of programs that say nothing of it
	firstHeap    = 4 << 20 // where the runtime starts the first collection, for each usualPercent
)

// Grow has the heap grow to goal(live) bytes before it is collected; live is what is left
// after the last collection, 0 before the first, and goal is asked anew after each, and when
// Ask says so. A goal that is not above live counts as twice live.
//
// It does nothing if somebody has set GOGC: the collector is not changed then.
func Grow(goal func(live uint64) uint64) *Growth {
	g := &Growth{goal: goal}
	if old := debug.SetGCPercent(usualPercent); old != usualPercent {
		debug.SetGCPercent(old)
		g.stopped = true
		return g
	}
	g.Ask()
	afterCollection(g.collected)
	return g
}

// A Growth is what a call of Grow has started.
type Growth struct {
	goal func(live uint64) uint64

	mu      sync.Mutex
	stopped bool
}

// Ask has the goal asked at once, because it has changed.
func (g *Growth) Ask() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped {
		return
	}
	percent := usualPercent
	live := Live()
	goal := g.goal(live)
	// With less live the runtime would start at percent of firstHeap all the same.
	if live = max(live, firstHeap); goal > live {
		percent = int((goal - live) * 100 / live)
	}
	debug.SetGCPercent(percent)
}

// Live returns how many bytes the last collection left.
func Live() uint64 { return read("/gc/heap/live:bytes") }

// read returns a number of the runtime's, 0 if it does not know it.
func read(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if v := sample[0].Value; v.Kind() == metrics.KindUint64 {
		return v.Uint64()
	}
	return 0
}

// Stop leaves the collector as it was before Grow.
func (g *Growth) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.stopped {
		g.stopped = true
		debug.SetGCPercent(usualPercent)
	}
}

// collected sets the collector for what is live now, after each collection.
func (g *Growth) collected() {
	g.mu.Lock()
	stopped := g.stopped
	g.mu.Unlock()
	if !stopped {
		g.Ask()
		afterCollection(g.collected)
	}
}

// afterCollection has f called once when the next collection is over.
func afterCollection(f func()) {
	runtime.AddCleanup(new([64]byte), func(struct{}) { f() }, struct{}{})
}

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
// after the last collection, 0 before the first, and goal is asked anew after each. A
// goal that is not above live counts as twice live.
//
// What it returns leaves the collector as it was. It does nothing if somebody has set
// GOGC: Grow has not changed it then.
func Grow(goal func(live uint64) uint64) (stop func()) {
	first := int(goal(0) / firstHeap * usualPercent)
	if old := debug.SetGCPercent(first); old != usualPercent {
		debug.SetGCPercent(old)
		return func() {}
	}
	g := &growth{goal: goal}
	afterCollection(g.collected)
	return g.stop
}

// A growth is what a call of Grow has started.
type growth struct {
	goal func(live uint64) uint64

	mu      sync.Mutex
	stopped bool
}

// collected sets the collector for what is live now, after each collection.
func (g *growth) collected() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped {
		return
	}
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	percent := usualPercent
	if v := sample[0].Value; v.Kind() == metrics.KindUint64 {
		live := max(v.Uint64(), 1<<20)
		if goal := g.goal(live); goal > live {
			percent = int((goal - live) * 100 / live)
		}
	}
	debug.SetGCPercent(percent)
	afterCollection(g.collected)
}

func (g *growth) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = true
	debug.SetGCPercent(usualPercent)
}

// afterCollection has f called once when the next collection is over.
func afterCollection(f func()) {
	runtime.AddCleanup(new([64]byte), func(struct{}) { f() }, struct{}{})
}

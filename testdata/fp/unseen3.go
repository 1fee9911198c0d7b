package fp

import (
	"sync"
	"sync/atomic"
)

// False alarms of the third dozen of modules that were looked at for the first time.

// Who asks first loads, and the others wait; what is there from the beginning has no
// channel to wait for.
func FP_readyOrNil(keys []string) {
	t := &readyTable{entries: map[string]*readyEntry{"x": {val: 1}}}
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { println(t.ensure(k)) })
	}
	wg.Wait()
}

type readyEntry struct {
	ready chan bool
	val   int
}

type readyTable struct {
	mu      sync.Mutex
	entries map[string]*readyEntry
}

func (t *readyTable) ensure(k string) int {
	t.mu.Lock()
	e, ok := t.entries[k]
	if !ok {
		e = &readyEntry{ready: make(chan bool)}
		t.entries[k] = e
		t.mu.Unlock()
		e.val = len(k) // race _.val; who finds no channel has another entry, which is not seen
		close(e.ready)
	} else {
		t.mu.Unlock()
		if e.ready != nil {
			<-e.ready
		}
	}
	return e.val // race _.val; the same
}

// A table says which kinds run beside each other, and those that write are not among them.
func FP_kindsSayWhich(rules []pageRule) {
	alone := map[string]bool{"first": true}
	p := &rulePage{}
	var wg sync.WaitGroup
	for _, r := range rules {
		if alone[r.kind()] {
			continue
		}
		wg.Go(func() { r.run(p) })
	}
	wg.Wait()
	for _, r := range append(rules, firstRule{}, laterRule{}) {
		r.run(p)
	}
}

type rulePage struct{ seen int }

type pageRule interface {
	kind() string
	run(*rulePage)
}

type firstRule struct{}

func (firstRule) kind() string    { return "first" }
func (firstRule) run(p *rulePage) { p.seen++ } // race p.seen; which kinds a table has is not known

type laterRule struct{}

func (laterRule) kind() string    { return "later" }
func (laterRule) run(p *rulePage) {}

// A constructor in a loop fills what it makes before it starts a goroutine, which finds it
// through two fields. For that goroutine alone, whichever round has started it, the filling by
// the next round comes after the start.
func FP_startedByEachRound(names []string) []*parcelSink {
	var sinks []*parcelSink
	for _, name := range names {
		sinks = append(sinks, newParcelSink(name))
	}
	return sinks
}

type parcelSink struct {
	seeds []string
	stats sinkStats
}

type sinkStats struct {
	sink *parcelSink
	n    int
}

func newParcelSink(name string) *parcelSink {
	s := &parcelSink{}
	for range 2 {
		s.seeds = append(s.seeds, name)
	}
	s.stats.init(s)
	go s.push()
	return s
}

func (t *sinkStats) init(s *parcelSink) {
	t.sink = s
	t.n = 1 // race _.stats.n; rounds of the loop around are not told apart for a goroutine that a constructor with a loop starts
}

func (s *parcelSink) push() {
	for range 3 {
		s.stats.sink.stats.n++ // race _.stats.n; the same
	}
}

type onDemand struct {
	mu    sync.Mutex
	ready atomic.Bool
	words map[string]int
}

// The value itself tells under the lock whether it has been made.
func FP_valueTells() {
	d := new(onDemand)
	for range 4 {
		go func() { _ = d.get()["a"] }()
	}
}

func (d *onDemand) get() map[string]int {
	if d.ready.Load() {
		return d.words // race _.words; that words is not nil once ready is set is not known
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.words == nil {
		d.words = map[string]int{"a": 1} // race _.words; see there
		d.ready.Store(true)
	}
	return d.words
}

package lock

import "sync"

type guardedTally struct {
	mu    sync.Mutex
	n     int
	items []int
}

func (t *guardedTally) locked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

func (t *guardedTally) each(f func(int)) {
	for _, x := range t.items {
		f(x)
	}
}

func (t *guardedTally) addAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.each(func(x int) { t.n += x }) // norace
	t.each(t.add)
	t.add(1)
}

func (t *guardedTally) add(x int) { t.n += x } // norace

func manyOf[T any]() []*T {
	var ts []*T
	for range n {
		ts = append(ts, new(T))
	}
	return ts
}

// A function that is run under the lock of one object has captured that object.
func GV1_runUnderLock() {
	ts := manyOf[guardedTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := ts[i/2]
			t.locked(func() { t.n++ }) // norace
			t.addAll()
		})
	}
	wg.Wait()
}

// The one that has locked and the one that is captured are two.
func GV1b_capturesAnother() {
	ts := manyOf[openTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t, other := ts[i/2], ts[i/3]
			t.locked(func() { other.n++ }) // race! n
		})
	}
	wg.Wait()
}

type openTally struct {
	mu sync.Mutex
	n  int
}

func (t *openTally) locked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// The function is run when the lock is free again.
func GV1c_runAfterwards() {
	ts := manyOf[lateTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := ts[i/2]
			t.locked(func() { t.n++ }) // race! n
		})
	}
	wg.Wait()
}

type lateTally struct {
	mu   sync.Mutex
	n    int
	runs int
}

func (t *lateTally) locked(f func()) {
	t.mu.Lock()
	t.runs++ // norace
	t.mu.Unlock()
	f()
}

// A helper passes on the function that it was given, beside others of other callers.
func GV2_passedOn() {
	ts := manyOf[passingTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := ts[i/2]
			t.twice(func() { t.n++ })               // norace
			t.twice(func() { t.last = t.n })        // norace
			t.locked(func() { t.last, t.n = 0, 0 }) // norace
		})
	}
	wg.Wait()
}

type passingTally struct {
	mu      sync.Mutex
	n, last int
}

func (t *passingTally) twice(f func()) {
	t.locked(f)
	t.locked(f)
}

func (t *passingTally) locked(f func()) {
	t.mu.Lock()
	f()
	t.mu.Unlock()
}

// Lock and datum are given to a helper, by two callers.
func GV3_lockAndDatum() {
	ts := manyOf[pairTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t, u := ts[i/2], ts[i/3]
			countUnder(&t.mu, &t.n)
			countUnder(&u.mu, &u.n)
		})
	}
	wg.Wait()
}

type pairTally struct {
	mu sync.Mutex
	n  int
}

func countUnder(mu *sync.Mutex, n *int) {
	mu.Lock()
	*n++ // norace
	mu.Unlock()
}

// The lock of one and the datum of another.
func GV3b_ofTwo() {
	ts := manyOf[mixedTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { countMixed(&ts[i/2].mu, &ts[i/3].n) })
	}
	wg.Wait()
}

type mixedTally struct {
	mu sync.Mutex
	n  int
}

func countMixed(mu *sync.Mutex, n *int) {
	mu.Lock()
	*n++ // race! n
	mu.Unlock()
}

// A helper is given the datum of one, under the lock of another.
func GV3c_datumOfAnother() {
	ts := manyOf[thirdTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ts[i/2].mu.Lock()
			countPlain(&ts[i/3].n)
			ts[i/2].mu.Unlock()
		})
	}
	wg.Wait()
}

type thirdTally struct {
	mu sync.Mutex
	n  int
}

func countPlain(n *int) { *n++ } // race! n

// A function literal that calls itself, under the lock of who made it.
func GV5_callsItself() {
	gs := manyOf[linked]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			gs[i/2].link(i, i+1)
			gs[i/2].reaches(0, i)
		})
	}
	wg.Wait()
}

type linked struct {
	mu    sync.Mutex
	edges map[int]map[int]bool
}

func (g *linked) link(from, to int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.edges == nil {
		g.edges = make(map[int]map[int]bool) // norace
	}
	tos, ok := g.edges[from]
	if !ok {
		tos = make(map[int]bool)
		g.edges[from] = tos
	}
	tos[to] = true // norace
}

func (g *linked) reaches(from, to int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	seen := make(map[int]bool)
	var search func(int) bool
	search = func(at int) bool {
		if at == to {
			return true
		}
		seen[at] = true
		for next := range g.edges[at] { // norace
			if !seen[next] && search(next) {
				return true
			}
		}
		return false
	}
	return search(from)
}

// The same on another one than that whose lock is held.
func GV5b_callsItselfOnAnother() {
	gs := manyOf[otherLinked]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { gs[i/2].count(gs[i/3], i) })
	}
	wg.Wait()
}

type otherLinked struct {
	mu sync.Mutex
	n  int
}

func (g *otherLinked) count(other *otherLinked, depth int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var down func(int)
	down = func(d int) {
		if d > 0 {
			other.n++ // race! n
			down(d - 1)
		}
	}
	down(depth)
}

// One caller runs the method itself, another one passes it on to be run.
func GV4_twoWays() {
	ts := manyOf[evictingTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			ts[i/2].set()
			ts[i/2].clean()
		})
	}
	wg.Wait()
}

type evictingTally struct {
	mu      sync.Mutex
	entries struct{ head int }
}

func (t *evictingTally) set() {
	t.mu.Lock()
	t.removeOldest()
	t.mu.Unlock()
}

func (t *evictingTally) clean() {
	t.mu.Lock()
	t.evict(t.removeOldest)
	t.mu.Unlock()
}

func (t *evictingTally) evict(f func()) { f() }
func (t *evictingTally) removeOldest()  { t.entries.head++ } // norace

// A lock for each iteration, of an object that several have: the index is captured.
func GV6_lockOfIteration() {
	ts := manyOf[stripedTally]()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			t := ts[i/2]
			t.locks[i].Lock()
			t.n++ // race! n
			t.locks[i].Unlock()
		})
	}
	wg.Wait()
}

type stripedTally struct {
	locks [n]sync.Mutex
	n     int
}

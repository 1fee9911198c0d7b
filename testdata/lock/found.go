package lock

import (
	"net/http"
	"sync"
)

// office keeps a queue for each client, which it makes when there is none.
type office struct {
	mu     sync.Mutex
	queues map[string]*queueOf
}

type queueOf struct{ times []int }

func newOffice() *office { return &office{queues: make(map[string]*queueOf)} }

func (o *office) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := o.queues[r.URL.Path]
	if q == nil {
		q = new(queueOf)
		o.queues[r.URL.Path] = q
	}
	late := q.times[:0]
	for _, t := range q.times { // norace
		if t > 3 {
			late = append(late, t) // norace
		}
	}
	q.times = late // norace
}

// What is found in a map, or made and put there, is guarded like the map.
func FO1_foundOrMade() {
	mux := http.NewServeMux()
	o, p := newOffice(), newOffice()
	mux.Handle("/a", o)
	mux.Handle("/b", o)
	mux.Handle("/c", p)
}

// clerk hands out its queues.
type clerk struct {
	mu     sync.Mutex
	queues map[string]*queueOf
}

func newClerk() *clerk { return &clerk{queues: make(map[string]*queueOf)} }

func (o *clerk) queue(k string) *queueOf {
	o.mu.Lock()
	defer o.mu.Unlock()
	q := o.queues[k]
	if q == nil {
		q = new(queueOf)
		o.queues[k] = q
	}
	return q
}

// The lock is gone when the queue is used.
func FO1b_usedLater() {
	o, p := newClerk(), newClerk()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			o.queue("a").times = nil // race! _.times
			p.queue("a").times = nil // race! _.times
		})
	}
	wg.Wait()
}

// What is made is put elsewhere too.
func FO2_putTwice() {
	o, all := newClerk(), newClerk()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			o.mu.Lock()
			q := o.queues["a"]
			if q == nil {
				q = new(queueOf)
				o.queues["a"] = q
				all.mu.Lock()
				all.queues["a"] = q
				all.mu.Unlock()
			}
			q.times = append(q.times, 1) // race! q.times
			o.mu.Unlock()
			all.mu.Lock()
			if q := all.queues["a"]; q != nil {
				q.times = nil // race! q.times
			}
			all.mu.Unlock()
		})
	}
	wg.Wait()
}

// The maps in a map are guarded like it, too, wherever they are made.
func FO4_mapInMap() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { fillTargets([]int{1, 2, i}, map[int]map[int]bool{i: {i: true}}) })
	}
	wg.Wait()
}

func fillTargets(ids []int, targets map[int]map[int]bool) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for k := range 3 {
				m := k * ids[i]
				o, ok := targets[m] // norace
				if !ok {
					o = make(map[int]bool)
					targets[m] = o // norace
				}
				o[ids[i]] = true // norace
			}
		})
	}
	wg.Wait()
}

// What is put there is not what is written to.
func FO4b_otherMapInMap() {
	targets := map[int]map[int]bool{}
	spare := map[int]bool{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var mu sync.Mutex
			mu.Lock()
			defer mu.Unlock()
			o, ok := targets[i] // race! targets[*]
			if !ok {
				o = spare
				targets[i] = make(map[int]bool) // race! targets[*]
			}
			o[i] = true // race! spare[*]
		})
	}
	wg.Wait()
}

// A basket is found, or made and put there, and has a lock of its own.
type basket struct {
	mu sync.Mutex
	n  int
}

type baskets struct {
	mu sync.Mutex
	of map[string]*basket
}

func FO5_itsOwnLock(names []string) {
	all := &baskets{of: make(map[string]*basket)}
	for _, name := range names {
		go all.add(name)
	}
}

func (all *baskets) add(name string) {
	all.mu.Lock()
	b, ok := all.of[name]
	if !ok {
		b = &basket{}
		all.of[name] = b
	}
	all.mu.Unlock()
	b.mu.Lock()
	b.n++ // norace
	b.mu.Unlock()
}

// FO5b: the lock is another one's.
func FO5b_anothersLock(names []string) {
	all := &baskets{of: make(map[string]*basket)}
	for i, name := range names {
		go all.move(names[i/2], name)
	}
}

func (all *baskets) move(from, to string) {
	all.mu.Lock()
	b, ok := all.of[from]
	if !ok {
		b = &basket{}
		all.of[from] = b
	}
	c, ok := all.of[to]
	if !ok {
		c = &basket{}
		all.of[to] = c
	}
	all.mu.Unlock()
	b.mu.Lock()
	c.n++ // race! _.n
	b.mu.Unlock()
}

// FO5c: it is used before it is locked.
func FO5c_usedBefore(names []string) {
	all := &baskets{of: make(map[string]*basket)}
	for _, name := range names {
		go all.hurry(name)
	}
}

func (all *baskets) hurry(name string) {
	all.mu.Lock()
	b, ok := all.of[name]
	if !ok {
		b = &basket{}
		all.of[name] = b
	}
	all.mu.Unlock()
	b.n++ // race! _.n
	b.mu.Lock()
	b.n++ // race! _.n
	b.mu.Unlock()
}

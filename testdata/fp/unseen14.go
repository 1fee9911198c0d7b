package fp

import (
	"sync"
	"time"
)

type deadlined struct {
	mu   sync.Mutex
	at   time.Time
	name string
}

func (x *deadlined) run() {
	for range time.Tick(time.Second) {
		due := false
		x.mu.Lock()
		if !x.at.IsZero() && time.Now().After(x.at) {
			due = true
		}
		x.mu.Unlock()
		if due {
			println(x.name) // race x.name; there is a deadline only when the name is there
		}
	}
}

func (x *deadlined) set() {
	x.mu.Lock()
	x.at = time.Now()
	x.mu.Unlock()
}

// The goroutine looks at the name only when a deadline has come: a flag tells so, which a method of what was read under
// the lock decides.
func FP_noDeadlineYet() {
	x := &deadlined{}
	go x.run()
	x.name = "x" // race x.name; the other side
	x.set()
}

// A map of maps and its lock lie in a struct that is passed by value, and the maps in the map are made under the lock.
func FP_lockInValue(keys []string) {
	for {
		crawlAll(keys)
	}
}

type crawled struct {
	lk *sync.RWMutex
	m  map[string]map[string]int
}

func newCrawled() crawled { return crawled{new(sync.RWMutex), make(map[string]map[string]int)} }

func (t crawled) sum(k string) (n int) {
	t.lk.RLock()
	defer t.lk.RUnlock()
	for _, x := range t.m[k] { // race t.m[*][*]; the lock that lies beside the map in a value, in each run of crawlAll one
		n += x
	}
	return n
}

func (t crawled) add(k string) {
	t.lk.Lock()
	defer t.lk.Unlock()
	if _, ok := t.m[k]; !ok {
		t.m[k] = make(map[string]int)
	}
	t.m[k][k]++ // race t.m[*][*]; the other side
}

func crawlAll(keys []string) {
	jobs := make(chan string)
	t := newCrawled()
	for range 3 {
		go func() {
			for k := range jobs {
				println(t.sum(k))
			}
		}()
	}
	for _, k := range keys {
		t.add(k)
		jobs <- k
	}
	close(jobs)
}

package order

import (
	"sync"
	"time"
)

// Two accesses may be many calls apart where functions only hand on what they are given:
// what a function begins with, its callers might have called themselves, and nothing is
// arranged on the way.

// A queue's goroutine runs one of its methods now and then, by a helper which hands it on to
// others, and a heap calls what its data does. Who has made the queue looks at it without
// the lock.
func HN1_handedDown() {
	stop := make(chan struct{})
	q := newHNQueue(stop)
	q.heap.size()
	close(stop)
}

type hnList struct{ n int }

func (d *hnList) pop()     { d.n-- }      // race! d.n
func (d *hnList) len() int { return d.n } // race! d.n

// With the lock.
func HN2_handedDownLocked() {
	stop := make(chan struct{})
	q := newHNLocked(stop)
	q.mu.Lock()
	q.heap.size()
	q.mu.Unlock()
	close(stop)
}

type hnLockedList struct{ n int }

func (d *hnLockedList) pop()     { d.n-- }      // norace
func (d *hnLockedList) len() int { return d.n } // norace

// Once the goroutine is over.
func HN3_handedDownJoined() {
	q := &hnQueue{heap: &hnHeap{data: &hnJoined{}}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		hnUntil(q.flush, nil)
	}()
	wg.Wait()
	q.heap.size()
}

type hnJoined struct{ n int }

func (d *hnJoined) pop()     { d.n-- }      // norace
func (d *hnJoined) len() int { return d.n } // norace

type hnQueue struct {
	mu   sync.Mutex
	heap *hnHeap
}

type hnHeap struct{ data hnData }

type hnData interface {
	pop()
	len() int
}

func (h *hnHeap) pop()      { hnPop(h.data) }
func (h *hnHeap) size() int { return h.data.len() }
func hnPop(d hnData)        { d.pop() }

func (q *hnQueue) flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.heap.pop()
}

func newHNQueue(stop chan struct{}) *hnQueue {
	q := &hnQueue{heap: &hnHeap{data: &hnList{n: 2}}}
	go hnUntil(q.flush, stop)
	return q
}

func newHNLocked(stop chan struct{}) *hnQueue {
	q := &hnQueue{heap: &hnHeap{data: &hnLockedList{n: 2}}}
	go hnUntil(q.flush, stop)
	return q
}

func hnUntil(f func(), stop <-chan struct{})  { hnJitter(f, stop) }
func hnJitter(f func(), stop <-chan struct{}) { hnBackoff(f, stop) }

func hnBackoff(f func(), stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		func() { f() }()
		time.Sleep(time.Millisecond)
	}
}

// The calls of Main that hand on do not count either.
func HN4_mainHandsOn() {
	c := &hnHooks{on: true}
	go func() {
		if c.on {
			c.first()
		}
	}()
	c.reset()
}

type hnHooks struct {
	on bool
	n  int
}

func (c *hnHooks) first() {
	if c.on {
		c.second()
	}
}
func (c *hnHooks) second() { c.n++ } // race! c.n
func (c *hnHooks) reset()  { c.clear() }
func (c *hnHooks) clear()  { c.empty() }
func (c *hnHooks) empty()  { c.n = 0 } // race! c.n

// On each way down a function looks before it calls: whose turn it is, say.
func HN5_branches() {
	c := &hnBranch{turn: 2}
	go func() { c.one() }()
	c.four()
}

type hnBranch struct{ turn, n int }

func (c *hnBranch) one() {
	if c.turn > 0 {
		c.two()
	}
}
func (c *hnBranch) two() {
	if c.turn > 1 {
		c.three()
	}
}
func (c *hnBranch) three() { c.n++ } // assumed c.n; far apart (S31)
func (c *hnBranch) four() {
	if c.turn > 0 {
		c.five()
	}
}
func (c *hnBranch) five() {
	if c.turn > 1 {
		c.six()
	}
}
func (c *hnBranch) six() { c.n++ } // assumed c.n; far apart (S31)

// Each calls something else first, which may arrange it.
func HN6_callsBefore() {
	c := &hnBefore{}
	go func() { c.one() }()
	c.four()
}

type hnBefore struct{ n int }

func (c *hnBefore) see()   {}
func (c *hnBefore) one()   { c.see(); c.two() }
func (c *hnBefore) two()   { c.see(); c.three() }
func (c *hnBefore) three() { c.n++ } // assumed c.n; far apart (S31)
func (c *hnBefore) four()  { c.see(); c.five() }
func (c *hnBefore) five()  { c.see(); c.six() }
func (c *hnBefore) six()   { c.n++ } // assumed c.n; far apart (S31)

// Each synchronises first.
func HN7_syncsBefore() {
	c := &hnSyncs{tick: make(chan int)}
	go func() { c.one() }()
	c.four()
}

type hnSyncs struct {
	tick chan int
	n    int
}

func (c *hnSyncs) one()   { <-c.tick; c.two() }
func (c *hnSyncs) two()   { <-c.tick; c.three() }
func (c *hnSyncs) three() { c.n++ } // assumed c.n; far apart (S31)
func (c *hnSyncs) four()  { c.tick <- 1; c.five() }
func (c *hnSyncs) five()  { c.tick <- 1; c.six() }
func (c *hnSyncs) six()   { c.n++ } // assumed c.n; far apart (S31)

// What is called is one of two each time, and which one is not known.
func HN8_oneOfTwo(which bool) {
	x := &hnChoice{}
	d := &hnD{next: x}
	c := &hnC{next: d}
	b := &hnB{next: c}
	a := &hnA{next: b}
	if which {
		a.next, b.next, c.next, d.next = hnNone{}, hnNone{}, hnNone{}, hnNone{}
	}
	go func() { a.next.a() }()
	x.reset()
}

type hnChoice struct{ n int }

func (x *hnChoice) d()     { x.n++ }   // assumed x.n; far apart (S31)
func (x *hnChoice) reset() { x.n = 0 } // assumed x.n; far apart (S31)

type hnA struct{ next interface{ a() } }
type hnB struct{ next interface{ b() } }
type hnC struct{ next interface{ c() } }
type hnD struct{ next interface{ d() } }

func (s *hnB) a() { s.next.b() }
func (s *hnC) b() { s.next.c() }
func (s *hnD) c() { s.next.d() }

type hnNone struct{}

func (hnNone) a() {}
func (hnNone) b() {}
func (hnNone) c() {}
func (hnNone) d() {}

// Both have a lock, and what lies between tells whether it is the same.
func HN9_bothLocked() {
	c := &hnLocks{subs: map[string][]int{"": {1}}}
	go func() { c.one() }()
	c.four()
}

type hnLocks struct {
	mu, other sync.Mutex
	subs      map[string][]int
}

func (c *hnLocks) one() { c.two() }
func (c *hnLocks) two() { c.three() }
func (c *hnLocks) three() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subs[""][0]++ // assumed c.subs[*][*]; far apart (S31)
}
func (c *hnLocks) four() { c.five() }
func (c *hnLocks) five() { c.six() }
func (c *hnLocks) six() {
	c.other.Lock()
	defer c.other.Unlock()
	c.subs[""][0]++ // assumed c.subs[*][*]; far apart (S31)
}

// A round's object, one of many.
func HN10_ofMany(n int) {
	var all []*hnMany
	for range n {
		c := &hnMany{}
		go func() { c.one() }()
		all = append(all, c)
	}
	for _, c := range all {
		c.four()
	}
}

type hnMany struct{ n int }

func (c *hnMany) one()   { c.two() }
func (c *hnMany) two()   { c.three() }
func (c *hnMany) three() { c.n++ } // assumed c.n; far apart (S31), and of many
func (c *hnMany) four()  { c.five() }
func (c *hnMany) five()  { c.six() }
func (c *hnMany) six()   { c.n++ } // assumed c.n; far apart (S31), and of many

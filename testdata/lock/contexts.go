package lock

import "sync"

// A feed's submit is told apart by call, since it starts goroutines for its
// caller. What it calls under the lock is not, and calls itself.
type block struct {
	data []int
	w, r int
	next *block
}

func newBlock(n int) *block { return &block{data: make([]int, n)} }

func (b *block) write(v int) bool {
	if b.w >= cap(b.data) {
		return false
	}
	b.data[b.w] = v
	b.w++
	return true
}

type blocks struct {
	rb, wb *block
}

func newBlocks(n int) *blocks {
	b := newBlock(n)
	return &blocks{rb: b, wb: b}
}

func (l *blocks) put(v int) {
	if !l.wb.write(v) {
		if l.wb.next == nil {
			l.wb.next = newBlock(2 * cap(l.wb.data))
			l.wb = l.wb.next
		}
		l.put(v)
	}
}

type feed struct {
	mu     sync.Mutex
	parent *feed
	tasks  *blocks
	max, n int
}

func newFeed(parent *feed) *feed {
	return &feed{parent: parent, tasks: newBlocks(2), max: 3}
}

func (p *feed) submit(t int) error {
	p.mu.Lock()
	if p.n >= p.max {
		p.tasks.put(t)
		p.mu.Unlock()
		return nil
	}
	p.n++
	p.mu.Unlock()
	p.launch(t)
	return nil
}

func (p *feed) launch(t int) {
	if p.parent == nil {
		go p.worker(t)
	} else {
		p.parent.submit(t)
	}
}

func (p *feed) worker(t int) {
	p.submit(t)
}

func CX1_recursionAndContexts() {
	p := newFeed(nil)
	for i := range n {
		p.submit(i)
	}
}

// The same, but that one way to put is without the lock.
func CX2_oneWayWithout() {
	f := newSlack()
	for i := range n {
		f.submit(i)
	}
}

type slack struct {
	mu    sync.Mutex
	chain *chain2
	n     int
}

type chain2 struct{ room int }

func (c *chain2) put(v int) {
	if c.room == 0 { // race! room
		c.room = 4 // race! room
		c.put(v)
		return
	}
	c.room-- // race! room
}

func newSlack() *slack { return &slack{chain: &chain2{room: 2}} }

func (s *slack) submit(v int) {
	s.mu.Lock()
	s.chain.put(v)
	s.mu.Unlock()
	go s.work(v)
}

func (s *slack) work(v int) { s.chain.put(v) }

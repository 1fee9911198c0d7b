package owners

import (
	"container/list"
	"sync"
)

// Shards of a cache, each with a list, which has pointers to itself, and a lock of its own.

// LS1: each has its own.
func LS1_listOfShard() {
	var shards []*cacheShard
	for range 4 {
		shards = append(shards, &cacheShard{ll: list.New(), index: map[string]*list.Element{}})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { shards[i%4].get("a") })
	}
	wg.Wait()
}

type cacheShard struct {
	mu    sync.Mutex
	ll    *list.List
	index map[string]*list.Element
}

func (s *cacheShard) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.index[key]; ok {
		s.ll.MoveToFront(e)
		return e.Value.(int)
	}
	s.index[key] = s.ll.PushFront(len(key)) // assumed _
	s.trim()
	return len(key)
}

func (s *cacheShard) trim() {
	for s.ll.Len() > n {
		s.ll.Remove(s.ll.Back()) // assumed _
	}
}

// One ring is in all of them.
func LS1b_commonRing() {
	var shards []*commonShard
	common := newRing()
	for range 4 {
		shards = append(shards, &commonShard{ll: common})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { shards[i%4].put(i) })
	}
	wg.Wait()
}

// ring is a list that leads to itself when it is empty.
type ring struct {
	next  *ring
	value int
}

func newRing() *ring {
	r := &ring{}
	r.next = r
	return r
}

func (r *ring) push(x int) {
	e := &ring{value: x, next: r.next} // race! _.next
	r.next = e                         // race! _.next
}

type commonShard struct {
	mu sync.Mutex
	ll *ring
}

func (s *commonShard) put(x int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ll.push(x)
}

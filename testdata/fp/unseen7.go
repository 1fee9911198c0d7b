package fp

import (
	"iter"
	"slices"
	"sync"
)

// Shrunk from programs of a page that were written blind.

type page struct{ id, score int }

func keep[T any](seq iter.Seq[T], ok func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range seq {
			if ok(v) && !yield(v) {
				return
			}
		}
	}
}

// An iterator yields each element once, and another one some of these.
func FP_filteredElements() {
	pages := make([]*page, n)
	for i := range pages {
		pages[i] = &page{id: i}
	}
	var wg sync.WaitGroup
	for p := range keep(slices.Values(pages), func(p *page) bool { return p.id > 1 }) {
		wg.Go(func() {
			p.score = p.id // race _.score; what an iterator yields is not followed through another one
		})
	}
	wg.Wait()
}

type places struct {
	mu   sync.Mutex
	buf  [n]*page
	head int
	size int
}

func (q *places) put(p *page) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.buf[(q.head+q.size)%n] = p
	q.size++
}

// take empties the place that it takes from.
func (q *places) take() *page {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size == 0 {
		return nil
	}
	p := q.buf[q.head]
	q.buf[q.head] = nil
	q.head = (q.head + 1) % n
	q.size--
	return p
}

// A queue in a ring: each is taken by one.
func FP_takenFromRing() {
	q := &places{}
	for i := range n {
		q.put(&page{id: i})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if p := q.take(); p != nil {
				p.score = p.id // race _.score; a place that is set to nil is not taken for one that is emptied
			}
		})
	}
	wg.Wait()
}

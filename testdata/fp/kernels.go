package fp

import "sync"

// A goroutine looks for what it is given under a lock, and uses it without.
func FP_setOnceSeenLocked() {
	w := &watcher{}
	go func() {
		for range 3 {
			w.mu.Lock()
			if w.on == nil {
				w.mu.Unlock()
				continue
			}
			w.mu.Unlock()
			w.on.n++ // race w.on; that it is set once, and has been seen, is not known
		}
	}()
	w.mu.Lock()
	w.on = &tickCount{} // race w.on; as above
	w.mu.Unlock()
}

type watcher struct {
	mu sync.Mutex
	on *tickCount
}

type tickCount struct{ n int }

// An item lies in a map that the function has made before, when it is filled, and is then
// queued.
func FP_filledInMap() {
	q := &stateQueue{}
	go func() {
		if it := q.get(); it != nil {
			it.state.n++ // race _.n; what a map of the function holds is taken for handed on
		}
	}()
	items := make(map[string]*stateItem)
	s := &tickCount{}
	items["a"] = &stateItem{s}
	s.n = 1 // race _.n; as above
	for _, it := range items {
		q.add(it)
	}
}

type stateItem struct{ state *tickCount }

type stateQueue struct {
	mu    sync.Mutex
	items []*stateItem
}

func (q *stateQueue) add(it *stateItem) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, it)
}

func (q *stateQueue) get() *stateItem {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil
	}
	it := q.items[0]
	q.items = q.items[1:]
	return it
}

package heap

import (
	clist "container/list"
	"sync"
)

// What is removed from a container/list under the lock is with who has removed it.

type chit struct{ tries int }

type chits struct {
	mu   sync.Mutex
	list *clist.List
}

func newChits() *chits { return &chits{list: clist.New()} }

func (q *chits) put(e *chit) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list.PushBack(e)
}

// LE1: the first is removed and used when the lock is given back.
func LE1_removed() {
	q := newChits()
	for range n {
		q.put(&chit{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := q.first(); e != nil; e = q.first() {
				e.tries++ // norace
				if e.tries < 3 {
					q.put(e)
				}
			}
		})
	}
	wg.Wait()
}

func (q *chits) first() *chit {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.list.Len() == 0 {
		return nil
	}
	e := q.list.Front()
	q.list.Remove(e)
	return e.Value.(*chit)
}

// LE2: by what Remove returns.
func LE2_returned() {
	q := newChits()
	for range n {
		q.put(&chit{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := q.last(); e != nil; e = q.last() {
				e.tries++ // norace
			}
		})
	}
	wg.Wait()
}

func (q *chits) last() *chit {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.list.Back(); e != nil {
		return q.list.Remove(e).(*chit)
	}
	return nil
}

// LE3: it stays there, at the other end.
func LE3_moved() {
	q := newChits()
	left := 2 * n
	for range n {
		q.put(&chit{})
	}
	get := func() *chit {
		q.mu.Lock()
		defer q.mu.Unlock()
		if left--; left < 0 {
			return nil
		}
		e := q.list.Front()
		q.list.MoveToBack(e)
		return e.Value.(*chit)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := get(); e != nil; e = get() {
				e.tries++ // race! _.tries
			}
		})
	}
	wg.Wait()
}

// LE4: it is removed in another critical section.
func LE4_removedLater() {
	q := newChits()
	for range n {
		q.put(&chit{})
	}
	get := func() *chit {
		q.mu.Lock()
		e := q.list.Front()
		q.mu.Unlock()
		if e == nil {
			return nil
		}
		q.mu.Lock()
		q.list.Remove(e)
		q.mu.Unlock()
		return e.Value.(*chit)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := get(); e != nil; e = get() {
				e.tries++ // race! _.tries
			}
		})
	}
	wg.Wait()
}

// LE5: another one is removed.
func LE5_otherRemoved() {
	q := newChits()
	for range n {
		q.put(&chit{})
	}
	get := func() *chit {
		q.mu.Lock()
		defer q.mu.Unlock()
		e, last := q.list.Front(), q.list.Back()
		if e == nil {
			return nil
		}
		q.list.Remove(last)
		return e.Value.(*chit)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := get(); e != nil; e = get() {
				e.tries++ // race! _.tries
			}
		})
	}
	wg.Wait()
}

// LE6: it is removed sometimes.
func LE6_sometimes() {
	q := newChits()
	for range n {
		q.put(&chit{})
	}
	get := func() *chit {
		q.mu.Lock()
		defer q.mu.Unlock()
		e := q.list.Front()
		if e == nil {
			return nil
		}
		if x := e.Value.(*chit); q.list.Len() > 2 {
			q.list.MoveToBack(e)
			q.list.Remove(q.list.Back().Prev())
			return x
		}
		q.list.Remove(e)
		return e.Value.(*chit)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for e := get(); e != nil; e = get() {
				e.tries++ // race! _.tries
			}
		})
	}
	wg.Wait()
}

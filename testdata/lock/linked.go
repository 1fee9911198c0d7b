package lock

import "sync"

// BL1_listAndPool has things in a list, a map and a pool of what has the lock.
func BL1_listAndPool() {
	var is []*linked1s
	for range 3 {
		is = append(is, newlinked1s())
	}
	for k := range 12 {
		go func() {
			i := is[k%3]
			id := i.begin()
			_ = i.low()
			i.end(id)
		}()
	}
}

type linked1 struct {
	id         int
	prev, next *linked1
}

type linked1s struct {
	mu   sync.RWMutex
	pool sync.Pool
	open map[int]*linked1
	list *linked1
	last int
}

func newlinked1s() *linked1s {
	a := &linked1{}
	a.next, a.prev = a, a
	return &linked1s{list: a, open: map[int]*linked1{}, pool: sync.Pool{New: func() any { return &linked1{} }}}
}

func (i *linked1s) begin() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last++
	a := i.pool.Get().(*linked1)
	a.id = i.last // assumed _.id
	a.prev = i.list.prev
	a.next = i.list
	i.list.prev.next = a
	i.list.prev = a
	i.open[a.id] = a
	return a.id
}

func (i *linked1s) end(id int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if a := i.open[id]; a != nil {
		delete(i.open, id)
		a.prev.next = a.next
		a.next.prev = a.prev
		i.pool.Put(a)
	}
}

func (i *linked1s) low() int {
	i.mu.RLock()
	defer i.mu.RUnlock()
	return i.list.next.id // norace
}

// BL1b_poolOfAnother puts them into the pool of another one.
func BL1b_poolOfAnother() {
	var is []*linked2s
	for range 3 {
		is = append(is, newlinked2s())
	}
	for k := range 12 {
		go func() {
			i := is[k%3]
			id := i.begin()
			_ = i.low()
			i.give(is[(k+1)%3])
			i.end(id)
		}()
	}
}

type linked2 struct{ id int }

type linked2s struct {
	mu   sync.Mutex
	pool sync.Pool
	last *linked2
	n    int
}

func newlinked2s() *linked2s {
	return &linked2s{last: &linked2{}, pool: sync.Pool{New: func() any { return &linked2{} }}}
}

func (i *linked2s) begin() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	a := i.pool.Get().(*linked2)
	a.id = i.n // race! _.id
	i.last = a
	return a.id
}

func (i *linked2s) end(id int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pool.Put(i.last)
}

func (i *linked2s) low() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.last.id // race! _.id
}

func (i *linked2s) give(j *linked2s) {
	i.mu.Lock()
	a := i.last
	i.mu.Unlock()
	j.mu.Lock()
	j.pool.Put(a)
	j.mu.Unlock()
}

// BL1c_fieldOfAnother has another one keep them, too.
func BL1c_fieldOfAnother() {
	var is []*linked3s
	for range 3 {
		is = append(is, newlinked3s())
	}
	for k := range 12 {
		go func() {
			i := is[k%3]
			id := i.begin()
			_ = i.low()
			i.give(is[(k+1)%3])
			i.end(id)
		}()
	}
}

type linked3 struct{ id int }

type linked3s struct {
	mu   sync.Mutex
	pool sync.Pool
	last *linked3
	n    int
}

func newlinked3s() *linked3s {
	return &linked3s{last: &linked3{}, pool: sync.Pool{New: func() any { return &linked3{} }}}
}

func (i *linked3s) begin() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	a := i.pool.Get().(*linked3)
	a.id = i.n // race! _.id
	i.last = a
	return a.id
}

func (i *linked3s) end(id int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pool.Put(i.last)
}

func (i *linked3s) low() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.last.id // race! _.id
}

func (i *linked3s) give(j *linked3s) {
	i.mu.Lock()
	a := i.last
	i.mu.Unlock()
	j.mu.Lock()
	j.last = a
	j.mu.Unlock()
}

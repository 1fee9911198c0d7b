package heap

import (
	"sync"
	"time"
)

// The slice is handed out as it is, and read without the lock.
func SN1_shallowSnapshot() {
	l := &daybook{}
	for i := range n {
		l.set(i)
	}
	done := make(chan bool)
	go func() {
		for i := range 10 * n {
			l.set(i)
		}
		done <- true
	}()
	for range n {
		for _, v := range l.snapshot() { // race! rows[*]
			_ = v
		}
	}
	<-done
}

type daybook struct {
	mu   sync.Mutex
	rows []int
}

func (l *daybook) set(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rows) < n {
		l.rows = append(l.rows, i)
	}
	l.rows[0] = i // race! rows[*]
}

func (l *daybook) snapshot() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows
}

// SN2: a list of what a map holds is made under the lock, and gone through without it; who has put
// something into the map goes on with it.
func SN2_listOfMap() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			for _, c := range b.running() {
				println(c.due) // race! c.due
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for k := range n {
				c := b.start(i*n + k)
				b.extend(c)
			}
		})
	}
	wg.Wait()
	close(quit)
}

func closedNow(quit chan bool) bool {
	select {
	case <-quit:
		return true
	default:
		return false
	}
}

type chore struct{ id, due int }

type dayboard struct {
	mu   sync.Mutex
	jobs map[int]*chore
}

func (b *dayboard) start(id int) *chore {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := &chore{id: id}
	b.jobs[id] = c
	return c
}

func (b *dayboard) extend(c *chore) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.due++ // race! c.due
}

func (b *dayboard) running() []*chore {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]*chore, 0, len(b.jobs))
	for _, c := range b.jobs {
		out = append(out, c)
	}
	return out
}

// All of it is done under the lock.
func SN2b_underLock() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			b.mu.Lock()
			var list []*chore
			for _, c := range b.jobs {
				list = append(list, c)
			}
			for _, c := range list {
				println(c.due)
			}
			b.mu.Unlock()
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := &chore{id: i}
			b.mu.Lock()
			b.jobs[i] = c
			b.mu.Unlock()
			b.mu.Lock()
			c.due++
			b.mu.Unlock()
		})
	}
	wg.Wait()
	close(quit)
}

// What goes on has put it nowhere else.
func SN2c_ofItsOwn() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			for _, c := range b.running() {
				println(c.id)
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := []*chore{{id: i}, {id: i + 1}}
			for _, c := range own {
				c.id++ // norace
			}
			b.start(i)
		})
	}
	wg.Wait()
	close(quit)
}

// SN3: in the function itself; the list is a part of what the watcher keeps.
func SN3_keptList() {
	b := &dayboard{jobs: make(map[int]*chore)}
	quit := make(chan bool)
	go func() {
		w := &watcherOfDay{}
		for !closedNow(quit) {
			b.mu.Lock()
			w.list = w.list[:0]
			for _, c := range b.jobs {
				w.list = append(w.list, c)
			}
			b.mu.Unlock()
			for _, c := range w.list {
				println(c.due) // race! c.due
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for k := range n {
				c := &chore{id: k}
				b.mu.Lock()
				b.jobs[i*n+k] = c
				b.mu.Unlock()
				c.due++ // race! c.due
			}
		})
	}
	wg.Wait()
	close(quit)
}

type watcherOfDay struct{ list []*chore }

// SN4: the list has what was taken out of the map, since nobody has used it for long.
func SN4_takenOut() {
	f := &flock{birds: make(map[int]*bird)}
	quit := make(chan bool)
	go func() {
		for !closedNow(quit) {
			for _, b := range f.reap() {
				println(len(b.calls)) // norace
			}
		}
	}()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for k := range n {
				f.heard(k)
			}
		})
	}
	wg.Wait()
	close(quit)
}

type bird struct {
	seen  time.Time
	calls []int
}

type flock struct {
	mu    sync.Mutex
	birds map[int]*bird
}

func (f *flock) with(id int, use func(*bird)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.birds[id]
	if b == nil {
		b = &bird{}
		f.birds[id] = b
	}
	use(b)
}

func (f *flock) heard(id int) {
	f.with(id, func(b *bird) {
		b.seen = time.Now()
		b.calls = append(b.calls, id) // norace
	})
}

func (f *flock) reap() (out []*bird) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, b := range f.birds {
		if time.Since(b.seen) > time.Second {
			out = append(out, b)
			delete(f.birds, id)
		}
	}
	return out
}

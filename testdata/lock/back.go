package lock

import "sync"

// rack keeps its slices under its lock, and is one of several that the same methods
// are called with.
type rack struct {
	mu   sync.Mutex
	idle []*int
	by   map[string][]int
}

func newRack() *rack { return &rack{idle: make([]*int, 1, 8), by: make(map[string][]int)} }

func (r *rack) put(p *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, p) // norace
	r.by["a"] = append(r.by["a"], *p)
	r.by["a"][0]++ // norace
}

func (r *rack) take() *int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.idle) == 0 {
		return nil
	}
	p := r.idle[0] // norace
	copy(r.idle, r.idle[1:])
	r.idle = r.idle[:len(r.idle)-1]
	return p
}

// What is put back where it comes from is nobody else's: each array has one lock.
func BK1_eachItsOwn() {
	x, y := newRack(), newRack()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			x.put(&i)
			y.put(&i)
			x.take()
			y.take()
		})
	}
	wg.Wait()
}

// What the caller has given is not what the others have.
func BK1_givenAndMade(r *rack) {
	r.put(nil)
	rs := make([]*rack, 4)
	for i := range rs {
		rs[i] = newRack()
		rs[i].put(nil)
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for _, x := range rs {
				x.put(&i)
				x.take()
			}
		})
	}
	wg.Wait()
}

type cart struct {
	mu   sync.Mutex
	idle []int
}

// One array lies in two carts, each with a lock of its own.
func BK1b_oneArrayInTwo() {
	x, y := &cart{idle: make([]int, 0, 8)}, new(cart)
	y.idle = x.idle
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if i%2 == 0 {
				x.put(i)
			} else {
				y.put(i)
			}
		})
	}
	wg.Wait()
}

func (c *cart) put(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, k) // race! _[*]
}

type wagon struct {
	mu   sync.Mutex
	idle []int
}

// join puts the other wagon's array here: it does not come back.
func (w *wagon) join(o *wagon) {
	w.idle = append(o.idle, 1)
}

// What append gives back is the other's array.
func BK1c_appendedFromAnother() {
	x, y := &wagon{idle: make([]int, 1, 8)}, new(wagon)
	y.join(x)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			if i%2 == 0 {
				x.set(i)
			} else {
				y.set(i)
			}
		})
	}
	wg.Wait()
}

func (w *wagon) set(k int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle[0] = k // race! _[*]
}

type tray struct{ idle []int }

func (t *tray) grow() { t.idle = append(t.idle, 1) }

// The memory that append makes is seen through the field.
func BK1d_grown() {
	t := new(tray)
	t.grow()
	t.grow()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			t.idle[0] = i // race! _[*]
		})
	}
	wg.Wait()
}

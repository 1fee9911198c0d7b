package order

import "sync"

// Lists that change places, or are set, between two waits at a barrier: while all work they rest.

type restStop struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n, in int
	turn  int
}

func newRestStop(n int) *restStop {
	m := &restStop{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

func (m *restStop) wait(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.turn
	m.in++
	if m.in == m.n {
		if last != nil {
			last()
		}
		m.in = 0
		m.turn++
		m.cond.Broadcast()
		return
	}
	for t == m.turn {
		m.cond.Wait()
	}
}

type restGrid struct{ cur, next []int }

func newRestGrid(n int) *restGrid { return &restGrid{make([]int, n), make([]int, n)} }

func (g *restGrid) swap() { g.cur, g.next = g.next, g.cur }

func (g *restGrid) at(i int) int { return g.cur[(i+1)%len(g.cur)] } // norace

func (g *restGrid) step(lo, hi int) {
	for i := lo; i < hi; i++ {
		g.next[i] = g.at(i) + 1 // norace
	}
}

// AR1_last has the last one to come swap them.
func AR1_last() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.step(w*n/p, (w+1)*n/p)
				m.wait(func() { g.cur, g.next = g.next, g.cur })
			}
		})
	}
	wg.Wait()
	_ = g.cur[0]
}

// AR1b_before has loaded the one list before it waits, and writes it afterwards, when others read it.
func AR1b_before() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				next := g.next
				m.wait(func() { g.cur, g.next = g.next, g.cur })
				next[w] = g.cur[(w+1)%p] // race! _[*]
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

// AR1f_looked has looked at the list before it loads it, on a way that does not lead further.
func AR1f_looked(k int) {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				if w == k {
					_ = g.next[0]
					return
				}
				next := g.next
				m.wait(func() { g.cur, g.next = g.next, g.cur })
				next[w] = g.cur[(w+1)%p] // race! _[*]
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

// AR1c_fewer waits for two of four only.
func AR1c_fewer() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(2)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = g.cur[(w+1)%p]                       // race! _[*] _.cur _.next
				m.wait(func() { g.cur, g.next = g.next, g.cur }) // race! _.cur _.next
			}
		})
	}
	wg.Wait()
}

// AR1d_neighbours has each write an element that is another one's.
func AR1d_neighbours() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = g.cur[(w+1)%p] // race! _[*]
				g.next[w+1] = w            // race! _[*]
				m.wait(func() { g.cur, g.next = g.next, g.cur })
			}
		})
	}
	wg.Wait()
}

// AR1e_oneList has one list in both fields.
func AR1e_oneList() {
	const n, p = 100, 4
	one := make([]int, n)
	g := &restGrid{one, one}
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = g.cur[(w+1)%p] // race! _[*]
				m.wait(func() { g.cur, g.next = g.next, g.cur })
			}
		})
	}
	wg.Wait()
}

// AR2_oneOfThem has the first one swap them, when all have come, and all wait for that.
func AR2_oneOfThem() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					g.next[i] = g.cur[max(i-1, 0)] // norace
				}
				m.wait(nil)
				if w == 0 {
					g.swap()
				}
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

// AR2b_atOnce does not have them wait for it.
func AR2b_atOnce() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = g.cur[(w+1)%p] // race! _[*] _.cur _.next
				if w == 0 {
					g.cur, g.next = g.next, g.cur // race! _.cur _.next
				}
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

func fillRest(dst, src []int, lo, hi int) {
	for i := lo; i < hi; i++ {
		dst[i] = src[(i+1)%len(src)] // norace
	}
}

// AR3_passed passes them down.
func AR3_passed() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				fillRest(g.next, g.cur, w*n/p, (w+1)*n/p)
				m.wait(func() { g.cur, g.next = g.next, g.cur })
			}
		})
	}
	wg.Wait()
}

func (m *restStop) fillLate(dst, src []int, w int, last func()) {
	m.wait(last)
	dst[w] = src[w] // race! _[*]
}

// AR3b_passedBefore passes them down to who waits first.
func AR3b_passedBefore() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				m.fillLate(g.next, g.cur, w, func() { g.cur, g.next = g.next, g.cur })
				_ = g.cur[(w+1)%p] // race! _[*]
			}
		})
	}
	wg.Wait()
}

// AR4_madeAnew has the last one make another list.
func AR4_madeAnew() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = w // norace
				m.wait(func() { g.next = make([]int, n) })
			}
		})
	}
	wg.Wait()
}

func (g *restGrid) shift() { g.next = g.next[1:] } // race! _.next

// AR4b_byOne has one shift it, when it likes.
func AR4b_byOne() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = w // race! _[*] _.next
				if w == 0 {
					g.shift()
				}
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

// AR4c_beside has who has started them shift it meanwhile.
func AR4c_beside() {
	const n, p = 100, 4
	g := newRestGrid(n)
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g.next[w] = w                          // race! _[*] _.next
				m.wait(func() { g.next = g.next[:n] }) // race! _.next
			}
		})
	}
	g.shift()
	wg.Wait()
}

// AR4d_oneOfMany has several lists of lists, and which one it is it finds each time.
func AR4d_oneOfMany() {
	const n, p = 100, 4
	gs := []*restGrid{newRestGrid(n), newRestGrid(n)}
	gs[1].next = gs[0].next[1:]
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				g := gs[w%2]
				g.next[w] = w // race! _[*]
				m.wait(func() { g.next = g.next[:n-2] })
			}
		})
	}
	wg.Wait()
}

type restRows struct{ cur, next [][]int }

// AR5_rows has lists of rows, and has loaded the one list before it waits.
func AR5_rows() {
	const p = 4
	g := &restRows{make([][]int, p), make([][]int, p)}
	for w := range p {
		g.cur[w], g.next[w] = make([]int, 1), make([]int, 1)
	}
	m := newRestStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				rows := g.next
				m.wait(func() { g.cur, g.next = g.next, g.cur })
				rows[w][0] = g.cur[(w+1)%p][0] // race! _[*]
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

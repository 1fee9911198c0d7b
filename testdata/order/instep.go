package order

import "sync"

// Buffers that change places in variables of each iteration's own, where all wait for each other in each round.

type stepStop struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n, in int
	turn  int
}

func newStepStop(n int) *stepStop {
	m := &stepStop{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

func (m *stepStop) wait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.turn
	m.in++
	if m.in == m.n {
		m.in = 0
		m.turn++
		m.cond.Broadcast()
		return
	}
	for t == m.turn {
		m.cond.Wait()
	}
}

// IS1_swapped reads the one buffer all over, and writes its part of the other one.
func IS1_swapped() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // norace
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1b_someReversed begins with the other buffer in one iteration.
func IS1b_someReversed() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			if w == 0 {
				a, b = b, a
			}
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1c_notAlways lets the buffers change places on one way only.
func IS1c_notAlways() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for k := range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				if k == w {
					continue
				}
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1l_goesOn does so by going on with the next round.
func IS1l_goesOn() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for k := 0; k < 9; {
				k++
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				if k == w {
					continue
				}
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1d_waitsOnce waits in its first round only.
func IS1d_waitsOnce() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for k := range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				if k == 0 {
					m.wait()
				}
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1e_oneBuffer has one buffer by two names.
func IS1e_oneBuffer() {
	const n, p = 100, 4
	cur := make([]int, n)
	next := cur
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1f_parts has two parts of one array that are not apart.
func IS1f_parts() {
	const n, p = 100, 4
	all := make([]int, 2*n)
	cur, next := all[:n], all[n/2:]
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1m_oneInTwo finds one buffer in two fields.
func IS1m_oneInTwo() {
	const n, p = 100, 4
	one := make([]int, n)
	g := &stepGrid{one, one}
	cur, next := g.cur, g.next
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

type stepGrid struct{ cur, next []int }

// IS1n_asked has asked for one buffer twice.
func IS1n_asked() {
	const n, p = 100, 4
	g := &stepGrid{cur: make([]int, n), next: make([]int, n/2)}
	cur, next := g.longest(), g.longest()
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

func (g *stepGrid) longest() (best []int) {
	for _, b := range [][]int{g.cur, g.next} {
		if len(b) > len(best) {
			best = b
		}
	}
	return best
}

// IS1o_twice waits twice on one way of a round.
func IS1o_twice() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for k := 0; k < 9; {
				k++
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				if k == w+1 {
					m.wait()
					m.wait()
					a, b = b, a
					continue
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1p_before waits before the loop only.
func IS1p_before() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			m.wait()
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1q_pointers lets pointers to arrays change places.
func IS1q_pointers() {
	const n, p = 100, 4
	cur, next := new([n]int), new([n]int)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // norace
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1r_onePointer has one array by two names.
func IS1r_onePointer() {
	const n, p = 100, 4
	cur := new([n]int)
	next := cur
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1s_afterwards reads what the loop leaves when others are in its last round.
func IS1s_afterwards() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				m.wait()
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				a, b = b, a
			}
			_ = a[(w*n/p+n/p)%n] // race! make _[*]
		})
	}
	wg.Wait()
}

// IS1g_early has one iteration wait once before the loop, so that it is a round behind.
func IS1g_early() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			if w == 0 {
				m.wait()
			}
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
			if w != 0 {
				m.wait()
			}
		})
	}
	wg.Wait()
}

// IS1h_oneMore writes the first element of the next part, too.
func IS1h_oneMore() {
	const n, p = 100, 4
	cur, next := make([]int, n+1), make([]int, n+1)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := w * n / p; i <= (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS1i_skips waits in each round but one, and once more at last.
func IS1i_skips() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for k := range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // race! make _[*]
				}
				if k != w {
					m.wait()
				}
				a, b = b, a
			}
			m.wait()
		})
	}
	wg.Wait()
}

// IS1j_later reads what the variable holds before the wait, and writes what it holds afterwards.
func IS1j_later() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				_ = a[(w*n/p+n/p)%n] // race! make _[*]
				m.wait()
				a, b = b, a
				a[w*n/p] = 1 // race! make _[*]
			}
		})
	}
	wg.Wait()
}

// IS1k_apart has two waits in a round, before the one buffer is written and before the other one is.
func IS1k_apart() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepStop(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				m.wait()
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = a[(i+1)%n] // norace
				}
				m.wait()
				for i := w * n / p; i < (w+1)*n/p; i++ {
					a[i] = b[(i+1)%n] // norace
				}
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

package order

import "sync"

// Buffers that change places where all wait for each other, given to the function, handed on, in three, in rows, or picked by number.

type stepGate struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n, in int
	turn  int
}

func newStepGate(n int) *stepGate {
	m := &stepGate{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

func (m *stepGate) wait() {
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

// IS2_given has the buffers from its caller.
func IS2_given() { inSteps(make([]int, 100), make([]int, 100), 4) }

func inSteps(cur, next []int, p int) {
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		lo, hi := w*len(cur)/p, (w+1)*len(cur)/p
		wg.Add(1)
		go func() {
			defer wg.Done()
			a, b := cur, next
			for k := 0; k < 9; k++ {
				for i := lo; i < hi; i++ {
					b[i] = a[(i+1)%len(a)] // norace
				}
				m.wait()
				b, a = a, b
			}
		}()
	}
	wg.Wait()
}

// IS2b_givenOne has one buffer from its caller twice.
func IS2b_givenOne() {
	one := make([]int, 100)
	inStepsOfOne(one, one, 4)
}

func inStepsOfOne(cur, next []int, p int) {
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		lo, hi := w*len(cur)/p, (w+1)*len(cur)/p
		wg.Add(1)
		go func() {
			defer wg.Done()
			a, b := cur, next
			for k := 0; k < 9; k++ {
				for i := lo; i < hi; i++ {
					b[i] = a[(i+1)%len(a)] // race! make _[*]
				}
				m.wait()
				b, a = a, b
			}
		}()
	}
	wg.Wait()
}

// IS3_called hands the buffers to a method; the one is given, the other one new.
func IS3_called() { inStepsOfOwn(make([]int, 100), 4) }

func inStepsOfOwn(cur []int, p int) {
	next := make([]int, len(cur))
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		s := &stepper{m, w * len(cur) / p, (w + 1) * len(cur) / p}
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				s.step(b, a)
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

type stepper struct {
	m      *stepGate
	lo, hi int
}

func (s *stepper) step(dst, src []int) {
	for i := s.lo; i < s.hi; i++ {
		dst[i] = src[(i+1)%len(src)] // norace
	}
}

// IS3b_calledBeyond hands them to one that writes one element more.
func IS3b_calledBeyond() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		s := &stepper{m, w * n / p, (w + 1) * n / p}
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				s.stepBeyond(b, a)
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

func (s *stepper) stepBeyond(dst, src []int) {
	for i := s.lo; i <= s.hi; i++ {
		dst[i%len(dst)] = src[(i+1)%len(src)] // race! make _[*]
	}
}

// IS2c_entry has both buffers from who knows where.
func IS2c_entry(cur, next []int, p int) {
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		lo, hi := w*len(cur)/p, (w+1)*len(cur)/p
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := lo; i < hi; i++ {
					b[i] = a[(i+1)%len(a)] // norace
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS3c_entry has one buffer from who knows where.
func IS3c_entry(cur []int, p int) {
	next := make([]int, len(cur))
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		lo, hi := w*len(cur)/p, (w+1)*len(cur)/p
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for i := lo; i < hi; i++ {
					b[i] = a[(i+1)%len(a)] // norace
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS4_own begins with buffers that are not the same for all.
func IS4_own() {
	const n, p = 100, 4
	var bufs [p][]int
	for w := range bufs {
		bufs[w] = make([]int, n)
	}
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := bufs[w], bufs[(w+1)%p]
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

// IS4b_shifted begins with parts of one array, each of which is another iteration's, too.
func IS4b_shifted() {
	const n, p = 100, 4
	one, other := make([]int, 2*n), make([]int, 2*n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := one[(p-w)*n/p:], other[(p-w)*n/p:]
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					b[i] = i // race! make _[*]
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// IS4c_below lets them change places in a function that it calls, as often as each iteration likes.
func IS4c_below() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for range 9 {
				turnedBelow(cur, next, w, w*n/p, (w+1)*n/p)
				m.wait()
			}
		})
	}
	wg.Wait()
}

func turnedBelow(a, b []int, k, lo, hi int) {
	for range k {
		for i := lo; i < hi; i++ {
			b[i] = a[(i+1)%len(a)] // race! make _[*]
		}
		a, b = b, a
	}
}

// IS5_outer begins anew in each round of an outer loop, of which the iterations are not in the same round.
func IS5_outer() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for done := 0; done < 12; {
				a, b := cur, next
				for k := 0; k <= w && done < 12; k++ {
					for i := w * n / p; i < (w+1)*n/p; i++ {
						b[i] = a[(i+1)%n] // race! make _[*]
					}
					m.wait()
					done++
					a, b = b, a
				}
			}
		})
	}
	wg.Wait()
}

// IS6_three lets three buffers change places.
func IS6_three() {
	const n, p = 100, 4
	x, y, z := make([]int, n), make([]int, n), make([]int, n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b, c := x, y, z
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					c[i] = a[(i+1)%n] + b[(i+2)%n] // norace
				}
				m.wait()
				a, b, c = b, c, a
			}
		})
	}
	wg.Wait()
}

// IS6b_lost has two of three become one.
func IS6b_lost() {
	const n, p = 100, 4
	x, y, z := make([]int, n), make([]int, n), make([]int, n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b, c := x, y, z
			for range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					c[i] = a[(i+1)%n] + b[(i+2)%n] // race! make _[*]
				}
				m.wait()
				a, b, c = b, a, a
			}
		})
	}
	wg.Wait()
}

// IS7_fewer waits for two of four only.
func IS7_fewer() {
	const n, p = 100, 4
	cur, next := make([]int, n), make([]int, n)
	m := newStepGate(2)
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

// IS8_odd has both buffers in one array, and picks them by the number of the round.
func IS8_odd() {
	const n, p = 100, 4
	buf := make([]int, 2*n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for s := range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					buf[s%2*n+i] = buf[(s+1)%2*n+(i+1)%n] // norace
				}
				m.wait()
			}
		})
	}
	wg.Wait()
}

// IS8b_oddAhead has one iteration count otherwise.
func IS8b_oddAhead() {
	const n, p = 100, 4
	buf := make([]int, 2*n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			for s := range 9 {
				for i := w * n / p; i < (w+1)*n/p; i++ {
					buf[(s+w)%2*n+i] = buf[(s+w+1)%2*n+(i+1)%n] // race! buf[*]
				}
				m.wait()
			}
		})
	}
	wg.Wait()
}

// IS9_rows lets slices of rows change places.
func IS9_rows() {
	const n, p = 40, 4
	cur, next := rowsOf(n), rowsOf(n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for y := w * n / p; y < (w+1)*n/p; y++ {
					for x := range b[y] {
						b[y][x] = a[(y+1)%n][x] // norace
					}
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

// rowsOf makes n rows.
func rowsOf(n int) [][]int {
	rows := make([][]int, n)
	for y := range rows {
		rows[y] = make([]int, n)
	}
	return rows
}

// IS9b_rowsBeyond writes one row more.
func IS9b_rowsBeyond() {
	const n, p = 40, 4
	cur, next := rowsOf(n), rowsOf(n)
	m := newStepGate(p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Go(func() {
			a, b := cur, next
			for range 9 {
				for y := w * n / p; y <= (w+1)*n/p; y++ {
					for x := range b[y%n] {
						b[y%n][x] = a[(y+1)%n][x] // race! make _[*]
					}
				}
				m.wait()
				a, b = b, a
			}
		})
	}
	wg.Wait()
}

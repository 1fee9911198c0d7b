package order

import "sync"

// Barriers made by hand, at which all goroutines of a loop wait for each other.

type meeting struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n, in int
	turn  int
	calls int
}

func newMeeting(n int) *meeting {
	m := &meeting{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

// wait runs last, if that is given, when all have come.
func (m *meeting) wait(last func()) {
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

// PY1_last has the last one to come add up what all read before and after.
func PY1_last() int {
	total := 0
	var part [4]int
	m := newMeeting(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				part[w] = total + w // norace
				m.wait(func() {
					total += len(part) // norace
				})
			}
		})
	}
	wg.Wait()
	return total
}

// PY2_number has as many goroutines as it is told to.
func PY2_number(n int) int {
	total := 0
	part := make([]int, n)
	m := newMeeting(n)
	var wg sync.WaitGroup
	for w := 0; w < n; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 9 {
				part[w] = total            // norace
				m.wait(func() { total++ }) // norace
			}
		}()
	}
	wg.Wait()
	return total
}

// PY3_phases has two waits in a round: each writes its own before the first, and reads that of others after it.
func PY3_phases() {
	var found, seen [4]int
	m := newMeeting(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for r := range 9 {
				found[w] = r // norace
				m.wait(nil)
				seen[w] += found[(w+1)%4] // norace
				m.pass()
			}
		})
	}
	wg.Wait()
}

// pass is wait, two calls away.
func (m *meeting) pass() { m.wait(nil) }

// PY4_three has three waits in a round, of which nothing lies between two.
func PY4_three() {
	var found, seen [4]int
	sum := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // norace
				m.wait(nil)
				m.wait(func() { sum += found[1] }) // norace
				seen[w] += found[(w+1)%4] + sum    // norace
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

// PY5_oneMore has more goroutines than the barrier waits for.
func PY5_oneMore() {
	total := 0
	m := newMeeting(2)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

// PY6_unknown does not know whether they are as many.
func PY6_unknown(n, k int) {
	total := 0
	m := newMeeting(n)
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

// PY7_main waits, too.
func PY7_main() {
	total := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	m.wait(nil)
}

// PY8_twoLoops starts others that wait at the same barrier.
func PY8_twoLoops() {
	total := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	for range 4 {
		wg.Go(func() { m.wait(nil) })
	}
	wg.Wait()
}

// PY9_twice starts its goroutines twice.
func PY9_twice() {
	total := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for range 2 {
		for range 4 {
			wg.Go(func() {
				_ = total // race! total
				m.wait(func() {
					total++ // race! total
				})
			})
		}
	}
	wg.Wait()
}

// PY10_children has each goroutine start another one, which does the same.
func PY10_children() {
	total := 0
	m := newMeeting(4)
	look := func() {
		_ = total // race! total
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			look()
			go look()
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

// PY11_others has two barriers.
func PY11_others() {
	total := 0
	ms := [2]*meeting{newMeeting(2), newMeeting(2)}
	var wg sync.WaitGroup
	for w := range 2 {
		m := ms[w%2]
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

// PY12_shifted has one goroutine wait once more before.
func PY12_shifted() {
	total := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			if w == 0 {
				m.wait(nil)
			}
			total++ // race! total
			m.wait(nil)
			_ = total // race! total
			m.wait(nil)
			if w != 0 {
				m.wait(nil)
			}
		})
	}
	wg.Wait()
}

// PY13_inRounds has in one round what it has in the next.
func PY13_inRounds() {
	total := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				if w == 0 {
					total++ // race! total
				}
				m.wait(nil)
				m.wait(nil)
				_ = total // race! total
			}
		})
	}
	wg.Wait()
}

// PY14_both does the same in its round as the last one to come.
func PY14_both() {
	total := 0
	m := newMeeting(4)
	add := func() {
		total++ // race! total
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			add()
			m.wait(add)
		})
	}
	wg.Wait()
}

// PY15_size has the number changed.
func PY15_size() {
	total := 0
	m := newMeeting(4)
	m.resize(2)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

func (m *meeting) resize(n int) {
	m.mu.Lock()
	m.n = n
	m.mu.Unlock()
}

// PY16_letGo has the goroutines let go by who is none of them.
func PY16_letGo() {
	var found [4]int
	m := newMeeting(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.wait(nil)
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	m.mu.Lock()
	m.turn++
	m.cond.Broadcast()
	m.mu.Unlock()
}

// PY17_counted has someone counted who does not wait.
func PY17_counted() {
	total := 0
	m := newMeeting(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	m.mu.Lock()
	m.in++
	m.mu.Unlock()
}

// arrivals are barriers that are not: each test has its own.
type arrivals struct {
	mu       sync.Mutex
	cond     *sync.Cond
	n, in    int
	turn     int
	released bool
}

func newArrivals(n int) *arrivals {
	m := &arrivals{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

// PY18_once has who waits go on whenever it is woken.
func PY18_once() {
	total := 0
	m := newArrivals(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			m.once(func() {
				total++ // race! total
			})
		})
	}
	m.cond.Broadcast()
}

func (m *arrivals) once(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.in++
	if m.in == m.n {
		last()
		m.in = 0
		m.turn++
		m.cond.Broadcast()
		return
	}
	m.cond.Wait()
}

// PY19_cancelled has who waits go on when it is cancelled.
func PY19_cancelled() {
	var found [4]int
	m := newArrivals(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.orReleased()
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	m.mu.Lock()
	m.released = true
	m.cond.Broadcast()
	m.mu.Unlock()
}

func (m *arrivals) orReleased() {
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
	for t == m.turn && !m.released {
		m.cond.Wait()
	}
}

// PY20_late lets the others go before it does what is last.
func PY20_late() {
	total := 0
	m := newArrivals(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2 {
				_ = total // race! total
				m.late(func() {
					total++ // race! total
				})
			}
		})
	}
	wg.Wait()
}

func (m *arrivals) late(last func()) {
	m.mu.Lock()
	t := m.turn
	m.in++
	if m.in == m.n {
		m.in = 0
		m.turn++
		m.cond.Broadcast()
		m.mu.Unlock()
		last()
		return
	}
	for t == m.turn {
		m.cond.Wait()
	}
	m.mu.Unlock()
}

// PY21_idle does something while it waits for the others.
func PY21_idle() {
	var found [4]int
	m := newArrivals(4)
	look := func() {
		_ = found[1] // race! found[*]
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.idle(look)
			look()
		})
	}
	wg.Wait()
}

func (m *arrivals) idle(while func()) {
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
		while()
		m.cond.Wait()
	}
}

// PY22_double is counted twice in each wait.
func PY22_double() {
	var found [4]int
	m := newArrivals(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.double()
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	wg.Wait()
}

func (m *arrivals) double() {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.turn
	for range 2 {
		m.in++
		if m.in == m.n {
			m.in = 0
			m.turn++
			m.cond.Broadcast()
			break
		}
	}
	for t == m.turn {
		m.cond.Wait()
	}
}

// PY23_leaves is counted, and does not wait, if it is told so.
func PY23_leaves() {
	var found [4]int
	m := newArrivals(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.leave(w > 0)
			m.leave(false)
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	wg.Wait()
}

func (m *arrivals) leave(at bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.turn
	in := m.in + 1
	m.in = in
	if at {
		return
	}
	if in == m.n {
		m.in = 0
		m.turn++
		m.cond.Broadcast()
		return
	}
	for t == m.turn {
		m.cond.Wait()
	}
}

// PY24_loose looks at the mark without the lock.
func PY24_loose() {
	var found [4]int
	m := newArrivals(4)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.loose()
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	wg.Wait()
}

func (m *arrivals) loose() {
	m.mu.Lock()
	t := m.turn
	m.in++
	if m.in == m.n {
		m.in = 0
		m.turn++ // race! m.turn
		m.mu.Unlock()
		return
	}
	m.mu.Unlock()
	for t == m.turn { // race! m.turn
	}
}

// PY25_more finds the number full when more have come, too.
func PY25_more() {
	var found [2]int
	m := newArrivals(2)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for range 2 {
				found[w]++ // race! found[*]
				m.more()
				_ = found[(w+1)%2] // race! found[*]
				m.more()
			}
		})
	}
	wg.Wait()
}

func (m *arrivals) more() {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.turn
	m.in++
	if m.in >= m.n { // and is never empty again
		m.turn++
		m.cond.Broadcast()
		return
	}
	for t == m.turn {
		m.cond.Wait()
	}
}

// PY26_stale has the barrier ask for one less than there are: the number is that of the round before.
func PY26_stale(k int) {
	total := 0
	m := new(meeting)
	m.cond = sync.NewCond(&m.mu)
	n := 1
	for n < k {
		m.n = n
		n++
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = total // race! total
			m.wait(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

// PY27_groups has several groups, each with its own barrier.
func PY27_groups() {
	total := 0
	var wg sync.WaitGroup
	for range 3 {
		m := newMeeting(2)
		for range 2 {
			wg.Go(func() {
				_ = total // race! total
				m.wait(func() {
					total++ // race! total
				})
			})
		}
	}
	wg.Wait()
}

// PY28_maker has the goroutines let go by who has made the barrier.
func PY28_maker() {
	var found [4]int
	m := &meeting{n: 4, turn: 1}
	m.cond = sync.NewCond(&m.mu)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			m.wait(nil)
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	m.mu.Lock()
	m.turn = 7
	m.cond.Broadcast()
	m.mu.Unlock()
}

// PY29_first is what the others are not.
func PY29_first() {
	total := 0
	m := &meeting{n: 4, turn: 1}
	m.cond = sync.NewCond(&m.mu)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total                       // norace
			m.otherwise(func() { total++ }) // norace
		})
	}
	wg.Wait()
}

func (m *meeting) otherwise(last func()) {
	m.mu.Lock()
	if m.in++; m.n != m.in {
		for t := m.turn; m.turn == t; {
			m.cond.Wait()
		}
	} else {
		last()
		m.in, m.turn = 0, m.turn+1
		m.cond.Broadcast()
	}
	m.mu.Unlock()
}

// PY30_noted has each count before it waits.
func PY30_noted() {
	m := newMeeting(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(m.noted)
	}
	wg.Wait()
}

func (m *meeting) noted() {
	m.calls++ // race! m.calls
	m.mu.Lock()
	t := m.turn
	m.in++
	if m.in == m.n {
		m.in = 0
		m.turn++
		m.cond.Broadcast()
	}
	for t == m.turn {
		m.cond.Wait()
	}
	m.mu.Unlock()
}

type team struct {
	workers int
	meet    *meeting
	part    []int
	sum     int
	stop    bool
}

// step is what each of a team does; who comes last adds up.
func (t *team) step(w int) {
	for !t.stop { // norace
		t.part[w] = t.sum + w // norace
		t.meet.wait(t.add)
	}
}

func (t *team) add() {
	for _, v := range t.part { // norace
		t.sum += v // norace
	}
	t.stop = t.sum > 100 // norace
}

// PY31: as many are asked for as are started, which a field tells that is set once.
func PY31_field() int {
	t := &team{workers: 4}
	t.run()
	return t.sum
}

func (t *team) run() {
	t.part = make([]int, t.workers)
	t.meet = newMeeting(t.workers)
	var wg sync.WaitGroup
	for w := 0; w < t.workers; w++ {
		wg.Go(func() { t.step(w) })
	}
	wg.Wait()
}

// PY32: the field is set again meanwhile.
func PY32_setAgain() int {
	t := &team32{workers: 3}
	t.meet = newMeeting(t.workers)
	t.more()
	sum := 0
	var wg sync.WaitGroup
	for range t.workers {
		wg.Go(func() {
			for range 9 {
				_ = sum // race! sum
				t.meet.wait(func() {
					sum++ // race! sum
				})
			}
		})
	}
	wg.Wait()
	return sum
}

type team32 struct {
	workers int
	meet    *meeting
}

func (t *team32) more() { t.workers++ }

// PY33: it is the field of another one.
func PY33_another() {
	var last *team33
	for k := range 3 {
		t := &team33{workers: k + 3}
		if last != nil {
			last.run(t)
		}
		last = t
	}
}

type team33 struct{ workers int }

func (t *team33) run(o *team33) {
	m := newMeeting(t.workers)
	sum := 0
	var wg sync.WaitGroup
	for range o.workers {
		wg.Go(func() {
			for range 9 {
				_ = sum // race! sum
				m.wait(func() {
					sum++ // race! sum
				})
			}
		})
	}
	wg.Wait()
}

// PY34: it is set when it has been read for the barrier, which lets all pass that asks for none.
func PY34_setLater() int {
	t := &team34{}
	none := t.workers
	t.workers = 4
	t.meet = newOpenMeeting(none)
	sum := 0
	var wg sync.WaitGroup
	for range t.workers {
		wg.Go(func() {
			for range 9 {
				_ = sum // race! sum
				t.meet.waitAtLeast(func() {
					sum++ // race! sum
				})
			}
		})
	}
	wg.Wait()
	return sum
}

type team34 struct {
	workers int
	meet    *openMeeting
}

// PY35: it is set by its maker, who has given it to others before.
func PY35_setByMaker() int {
	t := &team35{}
	t.prepare()
	t.workers = 4
	sum := 0
	var wg sync.WaitGroup
	for range t.workers {
		wg.Go(func() {
			for range 9 {
				_ = sum // race! sum
				t.meet.waitAtLeast(func() {
					sum++ // race! sum
				})
			}
		})
	}
	wg.Wait()
	return sum
}

type team35 struct {
	workers int
	meet    *openMeeting
}

func (t *team35) prepare() { t.meet = newOpenMeeting(t.workers) }

// PY36: so it is by another function.
func PY36_setByOther() int {
	t := &team36{}
	t.prepare()
	t.fill()
	sum := 0
	var wg sync.WaitGroup
	for range t.workers {
		wg.Go(func() {
			for range 9 {
				_ = sum // race! sum
				t.meet.waitAtLeast(func() {
					sum++ // race! sum
				})
			}
		})
	}
	wg.Wait()
	return sum
}

type team36 struct {
	workers int
	meet    *openMeeting
}

func (t *team36) prepare() { t.meet = newOpenMeeting(t.workers) }

func (t *team36) fill() { t.workers = 4 }

type openMeeting struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n, in int
	turn  int
}

func newOpenMeeting(n int) *openMeeting {
	m := &openMeeting{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

func (m *openMeeting) waitAtLeast(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.turn
	m.in++
	if m.in >= m.n {
		m.in = 0
		last()
		m.turn++
		m.cond.Broadcast()
		return
	}
	for t == m.turn {
		m.cond.Wait()
	}
}

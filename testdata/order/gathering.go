package order

import "sync"

// How many come to a barrier may be the length of a list, and who starts them may touch what they do.

type gathering struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n, in int
	turn  int
}

func newGathering(n int) *gathering {
	m := &gathering{n: n}
	m.cond = sync.NewCond(&m.mu)
	return m
}

func (m *gathering) wait(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
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
	for t := m.turn; t == m.turn; {
		m.cond.Wait()
	}
}

type partyWork struct {
	m     *gathering
	parts []int
	total int
}

func newPartyWork(n int) *partyWork {
	return &partyWork{parts: make([]int, n), m: newGathering(n)}
}

// sum is what the last one to come does.
func (p *partyWork) sum() {
	for i, n := range p.parts { // norace
		p.total += n // norace
		p.parts[i] = 0
	}
}

func (p *partyWork) run() {
	workers := len(p.parts)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for p.total < 100 { // norace
				p.parts[w]++ // norace
				p.m.wait(p.sum)
			}
		})
	}
	wg.Wait()
}

// PY31_length has as many as a list is long that is made with the barrier.
func PY31_length() int {
	p := newPartyWork(4)
	p.run()
	return p.total
}

// PY32_otherLength has a list for one more than the barrier waits for.
func PY32_otherLength(n int) {
	total := 0
	p := &partyWork{parts: make([]int, n+1), m: newGathering(n)}
	var wg sync.WaitGroup
	for range len(p.parts) {
		wg.Go(func() {
			_ = total                       // race! total
			p.m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY33_setAgain has another list by then.
func PY33_setAgain(n, k int) {
	total := 0
	p := &partyWork{parts: make([]int, n), m: newGathering(n)}
	if k > n {
		p.grow(k)
	}
	var wg sync.WaitGroup
	for range len(p.parts) {
		wg.Go(func() {
			_ = total                       // race! total
			p.m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

func (p *partyWork) grow(n int) { p.parts = make([]int, n) }

// PY34_lastRound has the list that the last round of a loop has set, and waits for as many as the one before has said.
func PY34_lastRound(k int) {
	total := 0
	p := new(partyWork)
	n := 1
	for n < k {
		p.parts = make([]int, n)
		n++
	}
	p.m = newGathering(n - 2)
	var wg sync.WaitGroup
	for range len(p.parts) {
		wg.Go(func() {
			_ = total                       // race! total
			p.m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY35_ofTwo has the list of another one, which is longer.
func PY35_ofTwo(n, k int) {
	total := 0
	var ps [2]*partyWork
	for i, n := range [2]int{n, k} {
		ps[i] = &partyWork{parts: make([]int, n)}
		if i == 0 {
			ps[i].m = newGathering(n)
		}
	}
	m := ps[0].m
	var wg sync.WaitGroup
	for range len(ps[1].parts) {
		wg.Go(func() {
			_ = total                     // race! total
			m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY36_head has one more than the head of the list.
func PY36_head(n, k int) {
	total := 0
	p := &partyWork{parts: make([]int, n), m: newGathering(n)}
	p.parts = p.parts[:k]
	var wg sync.WaitGroup
	for range len(p.parts) {
		wg.Go(func() {
			_ = total                       // race! total
			p.m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY37_starter reads in each round what the last one to come changes, before it starts the next one.
func PY37_starter() {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	look := func() int { return total } // norace
	for range 4 {
		n := total // norace
		n += look()
		wg.Go(func() {
			for range n + 9 {
				m.wait(func() { total++ }) // norace
			}
		})
	}
	wg.Wait()
}

// PY38_behind reads it when it has started one.
func PY38_behind() {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			m.wait(func() { total++ }) // race! total
		})
		_ = total // race! total
	}
	wg.Wait()
}

// PY39_head reads it in the head of the loop, which comes behind the last round, too.
func PY39_head() {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	for w := 0; w < 4 && total >= 0; w++ { // race! total
		wg.Go(func() {
			m.wait(func() { total++ }) // race! total
		})
	}
	wg.Wait()
}

// PY40_forEach has a barrier for each two that it starts.
func PY40_forEach() {
	total := 0
	for {
		_ = total // race! total
		m := newGathering(2)
		for range 2 {
			go func() {
				m.wait(func() { total++ }) // race! total
			}()
		}
	}
}

// PY41_fewer waits for two of four.
func PY41_fewer() {
	total := 0
	m := newGathering(2)
	var wg sync.WaitGroup
	for range 4 {
		_ = total // race! total
		wg.Go(func() {
			m.wait(func() { total++ }) // race! total
		})
	}
	wg.Wait()
}

// PY42_byOthers has a function read it that runs at other times, too.
func PY42_byOthers() {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	look := func() int { return total } // race! total
	for range 4 {
		look()
		wg.Go(func() {
			m.wait(func() { total++ }) // race! total
		})
	}
	look()
	wg.Wait()
}

// PY43_wait has the barrier's own count read before all have come.
func PY43_wait() {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	for range 4 {
		_ = total // race! total
		wg.Go(func() {
			total++ // race! total
			m.wait(nil)
		})
	}
	wg.Wait()
}

// PY44_some starts one in some rounds only, and looks in all.
func PY44_some(skip []bool) {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	for w, n := 0, 0; n < 4; w++ {
		_ = total // race! total
		if skip[w] {
			continue
		}
		n++
		wg.Go(func() {
			m.wait(func() { total++ }) // race! total
		})
	}
	wg.Wait()
}

// PY45_manyLists has the list that the last round of a loop has made, and waits for one less.
func PY45_manyLists(n, k int) {
	total := 0
	var p *partyWork
	for n > k {
		p = &partyWork{parts: make([]int, n)}
		n--
	}
	m := newGathering(n)
	var wg sync.WaitGroup
	for range len(p.parts) {
		wg.Go(func() {
			_ = total                     // race! total
			m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY46_either has one of two lists.
func PY46_either(n, k int) {
	total := 0
	p, q := &partyWork{parts: make([]int, n)}, &partyWork{parts: make([]int, k)}
	m := newGathering(n)
	if k > n {
		p = q
	}
	var wg sync.WaitGroup
	for range len(p.parts) {
		wg.Go(func() {
			_ = total                     // race! total
			m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY47_toCapacity has more of the list than its length.
func PY47_toCapacity(n, k int) {
	total := 0
	p := &partyWork{parts: make([]int, n, k), m: newGathering(n)}
	var wg sync.WaitGroup
	for range len(p.parts[:k]) {
		wg.Go(func() {
			_ = total                       // race! total
			p.m.wait(func() { total += 1 }) // race! total
		})
	}
	wg.Wait()
}

// PY48_beside has a goroutine of the round read it.
func PY48_beside() {
	total := 0
	m := newGathering(4)
	var wg sync.WaitGroup
	for range 4 {
		go func() {
			_ = total // race! total
		}()
		wg.Go(func() {
			m.wait(func() { total++ }) // race! total
		})
	}
	wg.Wait()
}

// PY49_idle reads it when it has started one, and has nothing else to do afterwards.
func PY49_idle() {
	total := 0
	m := newGathering(4)
	for range 4 {
		go func() {
			m.wait(func() { total++ }) // race! total
		}()
		_ = total // race! total
	}
	for {
	}
}

// PY50_after reads it when it has started all.
func PY50_after() int {
	total := 0
	m := newGathering(4)
	for range 4 {
		go func() {
			m.wait(func() { total++ }) // race! total
		}()
	}
	return total // race! total
}

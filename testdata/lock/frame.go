package lock

import "sync"

// batch runs many times; each run has a lock and a list of its own.
func batch(jobs []int) ([]error, map[int]int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var errs []error
	seen := map[int]int{}
	for _, j := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v, err := put(j)
			if err != nil {
				mu.Lock()
				errs = append(errs, err) // norace
				mu.Unlock()
				return
			}
			mu.Lock()
			seen[v]++ // norace
			mu.Unlock()
		}()
	}
	wg.Wait()
	return errs, seen
}

// A closure sees the variables of one run: the lock and the list belong together.
func F1_lockAndDatumOfOneRun() {
	for i := range n {
		batch([]int{i, i + 1})
	}
	batch([]int{1})
}

// Each run of tally has a lock of its own for what all runs share.
func F1b_lockOfEachRun() {
	tally := func(sum *int, jobs []int) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, j := range jobs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				*sum += j // race! sum
				mu.Unlock()
			}()
		}
		wg.Wait()
	}
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			tally(&sum, []int{i, i + 1})
		}()
	}
	wg.Wait()
}

// The lock is declared in each round, the sum outside.
func F1c_lockOfEachRound() {
	for range n {
		sum := 0
		for i := range n {
			var mu sync.Mutex
			go func() {
				mu.Lock()
				sum += i // race! sum
				mu.Unlock()
			}()
		}
	}
}

// What a function collects for its caller, under a lock of its own, is found in a table of
// its own: each run has one of either, however many run at a time.
func F2_tableOfTheRun() {
	for range n {
		go func() { runTotals().add(collectRun("a")) }()
		go func() { runTotals().add(collectRun("b")) }()
	}
	for range n {
		go func() { runTotals().add(collectRun("c")) }()
		go func() { runTotals().add(collectRun("d")) }()
		go func() { runTotals().add(collectRun("e")) }()
		go func() { runTotals().add(collectRun("f")) }()
	}
}

type runTotal struct{ sum int }

func runTotals() *runTotal { return new(runTotal) }

func (t *runTotal) add(m map[string]*runTotal) { t.sum += len(m) }

func collectRun(key string) map[string]*runTotal {
	var mu sync.Mutex
	var wg sync.WaitGroup
	found := make(map[string]*runTotal)
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			t, ok := found[key]
			if !ok {
				t = new(runTotal)
				found[key] = t
			}
			t.count(i)
		}()
	}
	wg.Wait()
	return found
}

func (t *runTotal) count(i int) {
	t.sum += i // norace
}

// The table is the caller's, and all runs have it.
func F2b_tableOfAll() {
	all := make(map[string]*sharedTotal)
	for range n {
		go collectShared(all, "a")
		go collectShared(all, "b")
	}
	for range n {
		go collectShared(all, "c")
		go collectShared(all, "d")
		go collectShared(all, "e")
	}
}

type sharedTotal struct{ sum int }

func collectShared(found map[string]*sharedTotal, key string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			t, ok := found[key] // race! all[*]
			if !ok {
				t = new(sharedTotal)
				found[key] = t // race! all[*]
			}
			t.count(i)
		}()
	}
	wg.Wait()
}

func (t *sharedTotal) count(i int) {
	t.sum += i // race! t.sum
}

// The table is one of the run, and so is the lock, but the run has put what it found into
// another that is there for all.
func F2c_putElsewhere() {
	for range n {
		go collectKept("a")
		go collectKept("b")
	}
	for range n {
		go collectKept("c")
		go collectKept("d")
		go collectKept("e")
	}
}

var (
	keptMu sync.Mutex
	kept   = make(map[string]*keptTotal)
)

type keptTotal struct{ sum int }

func collectKept(key string) {
	var mu sync.Mutex
	found := make(map[string]*keptTotal)
	for i := range n {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			t, ok := found[key]
			if !ok {
				keptMu.Lock()
				t = kept[key]
				if t == nil {
					t = new(keptTotal)
					kept[key] = t
				}
				keptMu.Unlock()
				found[key] = t
			}
			t.count(i)
		}()
	}
}

func (t *keptTotal) count(i int) {
	t.sum += i // race! t.sum
}

// The lock is that of what the run is given, the count is the run's own.
func F3_lockOfParameter(cases []*bookcase) {
	for i, c := range cases {
		c.fill([]int{i, i + 1})
	}
	var wg sync.WaitGroup
	for i, c := range cases {
		wg.Go(func() { c.fill([]int{i}) })
	}
	wg.Wait()
}

type bookcase struct {
	mu    sync.Mutex
	books map[int]int
	next  *bookcase
}

func (c *bookcase) fill(keys []int) int {
	left := len(keys)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			left--       // norace
			c.books[k]++ // norace
		})
	}
	wg.Wait()
	return left
}

// The parameter is set anew while goroutines lock by it.
func F3b_parameterSetAnew(cases []*bookcase) {
	for i, c := range cases {
		c.fillAll([]int{i, i + 1})
	}
}

func (c *bookcase) fillAll(keys []int) int {
	left := len(keys)
	var wg sync.WaitGroup
	for range keys {
		wg.Go(func() {
			c.mu.Lock()   // race! c
			left--        // race! left
			c.mu.Unlock() // race! c
		})
		c = c.next // race! c
	}
	wg.Wait()
	return left
}

// The count is one for all runs, of which each has another lock.
func F3c_countOfAll(cases []*bookcase) {
	n := 0
	var wg sync.WaitGroup
	for i, c := range cases {
		wg.Go(func() { c.countInto(&n, []int{i}) })
	}
	wg.Wait()
}

func (c *bookcase) countInto(n *int, keys []int) {
	var wg sync.WaitGroup
	for range keys {
		wg.Go(func() {
			c.mu.Lock()
			*n++ // race! n
			c.mu.Unlock()
		})
	}
	wg.Wait()
}

// Each round's lock is that of another case, the count is the run's.
func F3d_lockOfRound(cases []*bookcase) int {
	n := 0
	var wg sync.WaitGroup
	for _, c := range cases {
		wg.Go(func() {
			c.mu.Lock()
			n++ // race! n
			c.mu.Unlock()
		})
	}
	wg.Wait()
	return n
}

// The run itself counts, under the lock of what it is given, while its goroutines do.
func F4_runItselfByParameter(cases []*barrow) {
	for _, s := range cases {
		go func() { s.stack([]int{1, 2}) }()
	}
	for i, s := range madeBarrows() {
		go func() { s.stack([]int{i}) }()
	}
}

type barrow struct {
	mu    sync.Mutex
	moved *sync.Cond
	next  *barrow
	locks []*sync.Mutex
}

func madeBarrows() (out []*barrow) {
	for i := range n {
		s := &barrow{next: &barrow{}, locks: []*sync.Mutex{new(sync.Mutex), new(sync.Mutex)}}
		if i%2 == 0 {
			s = &barrow{next: s, locks: s.locks}
		}
		s.moved = sync.NewCond(&s.mu)
		out = append(out, s)
	}
	return out
}

func (s *barrow) stack(keys []int) {
	left := 0
	for range keys {
		s.mu.Lock()
		left++ // norace
		s.mu.Unlock()
		go func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			left-- // norace
			s.moved.Broadcast()
		}()
	}
	s.mu.Lock()
	for left > 0 { // norace
		s.moved.Wait()
	}
	s.mu.Unlock()
}

// The goroutines lock that of another barrow.
func F4b_lockOfAnother() {
	for _, s := range madeBarrows() {
		go func() { s.stackByNext([]int{1, 2}) }()
	}
}

func (s *barrow) stackByNext(keys []int) {
	left := 0
	to := s.next
	for range keys {
		s.mu.Lock()
		left++ // race! left
		s.mu.Unlock()
		go func() {
			to.mu.Lock()
			left-- // race! left
			to.mu.Unlock()
		}()
	}
}

// Each round locks another barrow, and the count is the run's.
func F4c_lockOfRoundByRunItself() {
	for range n {
		go func() { stackRounds(madeBarrows()) }()
	}
}

func stackRounds(barrows []*barrow) {
	left := 0
	for _, s := range barrows {
		s.mu.Lock()
		left++ // race! left
		s.mu.Unlock()
		go func() {
			s.mu.Lock()
			left-- // race! left
			s.mu.Unlock()
		}()
	}
}

// The count is the round's, too; or only the count is, and the lock is the run's.
func F4d_countOfRound() {
	for range n {
		go func() {
			stackEach(madeBarrows())
			madeBarrows()[0].stackRound([]int{1, 2})
		}()
	}
}

func stackEach(barrows []*barrow) {
	for _, s := range barrows {
		left := 0
		for range n {
			go func() {
				s.mu.Lock()
				left-- // norace
				s.mu.Unlock()
			}()
			s.mu.Lock()
			left++ // norace
			s.mu.Unlock()
		}
	}
}

func (s *barrow) stackRound(keys []int) {
	for k := range keys {
		left := k
		go func() {
			s.mu.Lock()
			left-- // norace
			s.mu.Unlock()
		}()
		s.mu.Lock()
		left++ // norace
		s.mu.Unlock()
	}
}

// The lock is what a call returns, once in a run; or anew before the goroutine starts, so
// that the run holds the one and the goroutine the other.
func F4e_lockFromCall() {
	for i, s := range madeBarrows() {
		go func() {
			s.stackUnder(i)
			s.stackUnderTwo(i)
		}()
	}
}

func (s *barrow) lockFor(k int) *sync.Mutex { return s.locks[k%len(s.locks)] }

func (s *barrow) stackUnder(k int) {
	left := 0
	mu := s.lockFor(k)
	go func() {
		mu.Lock()
		left-- // norace
		mu.Unlock()
	}()
	mu.Lock()
	left++ // norace
	mu.Unlock()
}

func (s *barrow) stackUnderTwo(k int) {
	left := 0
	mu := s.lockFor(k)
	other := s.lockFor(k + 1)
	go func() {
		other.Lock()
		left-- // race! left
		other.Unlock()
	}()
	mu.Lock()
	left++ // race! left
	mu.Unlock()
}

// The variable by which all lock is assigned in each round.
func F4f_assignedInRounds() {
	for range n {
		go func() { stackByVariable(madeBarrows()) }()
	}
}

func stackByVariable(barrows []*barrow) {
	left := 0
	var s *barrow
	for _, b := range barrows {
		s = b // race! s
		s.mu.Lock()
		left++ // race! left
		s.mu.Unlock()
		go func() {
			s.mu.Lock()   // race! s
			left--        // race! left
			s.mu.Unlock() // race! s
		}()
	}
}

// A closure that runs once in each round locks by a variable that it assigns.
func F4g_assignedByClosure() {
	for range n {
		go func() { stackByClosure(madeBarrows()) }()
	}
}

func stackByClosure(barrows []*barrow) {
	left := 0
	for _, b := range barrows {
		func() {
			s := b
			s.mu.Lock()
			left++ // race! left
			s.mu.Unlock()
			go func() {
				s.mu.Lock()
				left-- // race! left
				s.mu.Unlock()
			}()
		}()
	}
}

// The variable by which the goroutines lock is assigned in each round.
func F4h_assignedInRoundsForGoroutines() {
	for range n {
		go func() { stackInGoroutines(madeBarrows()) }()
	}
}

func stackInGoroutines(barrows []*barrow) int {
	left := 0
	var s *barrow
	var wg sync.WaitGroup
	for _, b := range barrows {
		s = b // race! s
		wg.Go(func() {
			s.mu.Lock()         // race! s
			defer s.mu.Unlock() // race! s
			left--              // race! left
		})
	}
	wg.Wait()
	return left
}

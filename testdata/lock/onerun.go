package lock

import "sync"

// What a store has is there for all runs of what fills it; the lock is that of one run.
type filledOften struct {
	m map[int]int
	l []int
}

// Each run waits for its goroutines.
func OR1_lockOfTheRun() {
	s := &filledOften{m: map[int]int{}}
	for range n {
		s.fill([]int{1, 2})
		s.fillNew([]int{1, 2})
		s.fillBy([]int{1, 2})
	}
}

func (s *filledOften) fill(keys []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			s.m[k]++ // norace
		}()
	}
	wg.Wait()
}

func (s *filledOften) fillNew(keys []int) {
	mu := new(sync.Mutex)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			if k > 1 {
				mu.Lock()
				if _, ok := s.m[k]; !ok { // norace
					s.m[k] = k // norace
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func (s *filledOften) fillBy(keys []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Add(1)
		go s.fillOne(k, &mu, &wg)
	}
	wg.Wait()
}

func (s *filledOften) fillOne(k int, mu *sync.Mutex, wg *sync.WaitGroup) {
	defer wg.Done()
	mu.Lock()
	s.m[k]++ // norace
	mu.Unlock()
}

// Each round waits for its goroutines.
func OR1b_lockOfTheRound() {
	sum := 0
	for range n {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				mu.Lock()
				sum += i // norace
				mu.Unlock()
			})
		}
		wg.Wait()
	}
}

// Who starts them waits, but not what has the lock: the next run does not.
func OR2_waitsTooLate() {
	s := &filledOften{m: map[int]int{}}
	var wg sync.WaitGroup
	for range n {
		s.begin(&wg)
	}
	wg.Wait()
}

func (s *filledOften) begin(wg *sync.WaitGroup) {
	var mu sync.Mutex
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			s.l = append(s.l, i) // race! s.l
			mu.Unlock()
		})
	}
}

// One way out does not wait.
func OR2b_leavesEarly(stop func() bool) {
	s := &filledOften{m: map[int]int{}}
	for range n {
		s.some()
	}
}

func (s *filledOften) some() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			s.m[i] = i // race! s.m[*]
			mu.Unlock()
		})
	}
	if n > 5 {
		return
	}
	wg.Wait()
}

// Two runs at a time.
func OR3_runsTwice() {
	s := &filledOften{m: map[int]int{}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s.fillAgain() })
	}
	wg.Wait()
}

func (s *filledOften) fillAgain() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			s.m[i]++ // race! s.m[*]
			mu.Unlock()
		})
	}
	wg.Wait()
}

// A run begins another one before it waits.
func OR3b_recursion() {
	s := &filledOften{m: map[int]int{}}
	s.fillDown(n)
}

func (s *filledOften) fillDown(depth int) {
	if depth == 0 {
		return
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			s.l = append(s.l, i) // race! s.l
			mu.Unlock()
		})
	}
	s.fillDown(depth - 1)
	wg.Wait()
}

// Two locks of one frame.
func OR4_anotherLock() {
	s := &filledOften{m: map[int]int{}}
	for range n {
		s.fillTwo()
	}
}

func (s *filledOften) fillTwo() {
	var mu [2]sync.Mutex
	var locks struct{ a, b sync.Mutex }
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mu[i%2].Lock()
			s.m[i]++ // race! s.m[*]
			mu[i%2].Unlock()
		})
	}
	wg.Wait()
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				locks.a.Lock()
				s.l = append(s.l, i) // race! s.l s.l[*]
				locks.a.Unlock()
			} else {
				locks.b.Lock()
				s.l = append(s.l, i) // race! s.l s.l[*]
				locks.b.Unlock()
			}
		})
	}
	wg.Wait()
}

// Each iteration has made its own.
func OR4b_lockOfEachIteration() {
	s := &filledOften{m: map[int]int{}}
	for range n {
		s.fillOwn()
	}
}

func (s *filledOften) fillOwn() {
	var wg sync.WaitGroup
	for i := range n {
		mu := new(sync.Mutex)
		wg.Go(func() {
			mu.Lock()
			s.m[i]++ // race! s.m[*]
			mu.Unlock()
		})
	}
	wg.Wait()
}

// A constructor makes the lock of each iteration, or one that it calls, or a closure.
func OR5_lockOfEachConstructed() {
	var wg sync.WaitGroup
	a, b, c := 0, 0, 0
	next := lockMaker()
	for range n {
		l, m, k := newRunLock(), newRunLockOf(), next()
		wg.Go(func() {
			l.mu.Lock()
			a++ // race! a
			l.mu.Unlock()
			m.l.mu.Lock()
			b++ // race! b
			m.l.mu.Unlock()
			k.Lock()
			c++ // race! c
			k.Unlock()
		})
	}
	wg.Wait()
}

type runLock struct{ mu sync.Mutex }

func newRunLock() *runLock { return &runLock{} }

type runLockOf struct{ l *runLock }

func newRunLockOf() *runLockOf { return &runLockOf{newRunLock()} }

func lockMaker() func() *sync.Mutex { return func() *sync.Mutex { return new(sync.Mutex) } }

// Made once for all iterations of a run, which waits for them.
func OR5b_lockOfTheRunConstructed() {
	s := &filledOften{m: map[int]int{}}
	for range n {
		s.fillWith()
	}
}

func (s *filledOften) fillWith() {
	l := newRunLock()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			l.mu.Lock()
			s.m[i]++ // norace
			l.mu.Unlock()
		})
	}
	wg.Wait()
}

// Nothing waits before another run has the constructor make another lock.
func OR5c_constructedAgain() {
	s := &filledOften{m: map[int]int{}}
	var wg sync.WaitGroup
	for range n {
		s.beginWith(&wg)
	}
	wg.Wait()
}

func (s *filledOften) beginWith(wg *sync.WaitGroup) {
	l := newRunLock()
	for i := range n {
		wg.Go(func() {
			l.mu.Lock()
			s.m[i]++ // race! s.m[*]
			l.mu.Unlock()
		})
	}
}

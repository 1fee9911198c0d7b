package lock

import "sync"

// Who waits for its goroutines before it unlocks has locked for them.
func LN1_untilTheyAreOver(r *directory) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			r.ask([]*int{new(int), new(int)})
			r.forget()
		})
	}
	wg.Wait()
}

// A directory asks several sources at once while it has its lock: what they find is
// kept under it.
type directory struct {
	mu   sync.Mutex
	best *int
	n    int
}

func (r *directory) ask(ps []*int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var wg sync.WaitGroup
	var once sync.Once
	for _, p := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			once.Do(func() { r.keep(p) })
		}()
	}
	wg.Wait()
}

func (r *directory) keep(p *int) {
	r.best = p // norace
	r.n++      // norace
}

func (r *directory) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n > 0 { // norace
		r.best = nil // norace
	}
}

// What the owner does before it starts them and when they are over is ordered; what
// it does in another run has another turn of the lock.
func LN1a_beforeAndAfter(t *tally) {
	done := make(chan bool)
	go func() {
		t.run()
		close(done)
	}()
	t.run()
	<-done
}

type tally struct {
	mu sync.Mutex
	n  int
}

func (t *tally) run() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++ // norace
	var wg sync.WaitGroup
	wg.Go(func() {
		t.n++ // norace
	})
	wg.Wait()
	t.n++ // norace
}

// The lock is released before the goroutines are over.
func LN1b_unlockedTooSoon(h *hasty) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			h.ask()
			h.mu.Lock()
			defer h.mu.Unlock()
			h.n = 2 // race! h.n
		})
	}
	wg.Wait()
}

type hasty struct {
	mu sync.Mutex
	n  int
}

func (h *hasty) ask() {
	var wg sync.WaitGroup
	var once sync.Once
	h.mu.Lock()
	for range 2 {
		wg.Go(func() {
			once.Do(func() { h.n = 1 }) // race! h.n
		})
	}
	h.mu.Unlock()
	wg.Wait()
}

// A lock that is lent to several is none among them.
func LN2_amongThem(s *jointly) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(s.all)
	}
	wg.Wait()
}

type jointly struct {
	mu sync.Mutex
	n  int
}

func (s *jointly) all() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			s.n++ // race! s.n
		})
	}
	wg.Wait()
}

// Nor is it one against who lends it.
func LN2b_besideTheOwner(s *jointly) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := make(chan bool)
	go func() {
		s.n++ // race! s.n
		close(done)
	}()
	s.n++ // race! s.n
	<-done
	s.n++ // norace
}

// It is released and acquired again by what is called in between.
func LN3_pausedMeanwhile(s *pausing) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(s.all)
	}
	wg.Wait()
}

type pausing struct {
	mu sync.Mutex
	n  int
}

func (s *pausing) pause() {
	s.mu.Unlock()
	s.mu.Lock()
}

func (s *pausing) all() {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := make(chan bool)
	go func() {
		s.n++ // race! s.n
		close(done)
	}()
	s.pause()
	<-done
}

// A reader's lock that is lent keeps out who writes, and no other readers.
func LN4_readersLock(s *sheet) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s.add(i)
			s.total()
		})
	}
	wg.Wait()
}

type sheet struct {
	mu   sync.RWMutex
	rows []int
	sum  int
}

func (s *sheet) total() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sums := make([]int, 2)
	var wg sync.WaitGroup
	for i := range sums {
		wg.Go(func() {
			for _, r := range s.rows { // norace
				sums[i] += r
			}
			s.sum = sums[i] // race! s.sum
		})
	}
	wg.Wait()
	return sums[0] + sums[1]
}

func (s *sheet) add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(s.rows, n) // norace
}

// A return leaves some of them running.
func LN5_notOnAllWays(s *leaving) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { s.all(i > 1) })
	}
	wg.Wait()
}

type leaving struct {
	mu sync.Mutex
	n  int
}

func (s *leaving) all(wait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := make(chan bool)
	go func() {
		s.n++ // race! s.n
		close(done)
	}()
	if wait {
		<-done
	}
}

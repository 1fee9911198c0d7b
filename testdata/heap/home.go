package heap

import "sync"

// Programs about what there is one of in each run of a function, by whose calls alone a loop runs: as long as a run
// leaves nothing of it where the next one finds it, iterations have one, as they would if the function ran once.

func hmEach(n int, do func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			do(i)
		}()
	}
	wg.Wait()
}

type hmCounter struct{ n int }

// A field of what the function makes.
func RR1_field() {
	for range 3 {
		hmField()
	}
}

func hmField() {
	l := &hmLazy{}
	hmEach(4, func(i int) {
		if i%2 == 0 {
			l.open()
		}
		l.ready()
	})
}

type hmLazy struct {
	once sync.Once
	conn *hmCounter
}

func (l *hmLazy) open() *hmCounter {
	l.once.Do(func() {
		l.conn = &hmCounter{} // race! l.conn
	})
	return l.conn
}

func (l *hmLazy) ready() bool { return l.conn != nil } // race! l.conn

// The function is called by a table.
func RR2_table() {
	for _, f := range []func(){hmTable, hmOther} {
		f()
	}
}

func hmTable() {
	b := &hmBus{}
	c := &hmCounter{}
	b.on(c.add)
	hmEach(4, func(int) { b.emit() })
}

func (c *hmCounter) add() { c.n++ } // race! c.n

func hmOther() {}

type hmBus struct {
	mu       sync.Mutex
	handlers []func()
}

func (b *hmBus) on(h func()) {
	b.mu.Lock()
	b.handlers = append(b.handlers, h)
	b.mu.Unlock()
}

func (b *hmBus) emit() {
	b.mu.Lock()
	hs := b.handlers
	b.mu.Unlock()
	for _, h := range hs {
		h()
	}
}

// Each iteration finds it in a map that a method looks into.
func RR3_found() {
	hmFound()
	hmFound()
}

type hmStore struct {
	mu sync.Mutex
	m  map[string]*hmCounter
}

func (s *hmStore) get(id string) *hmCounter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[id]
}

func hmFound() {
	c := &hmCounter{}
	s := &hmStore{m: map[string]*hmCounter{"a": c}}
	hmBoth(func() {
		s.get("a").n++ // race! c.n
	}, func() {
		println(s.get("a").n) // race! c.n
	})
}

func hmBoth(fs ...func()) {
	for _, f := range fs {
		go f()
	}
}

// Left in a package variable: one iteration has this run's, the other one that of the run before.
func RR4_leftInVariable() {
	for range 3 {
		hmLeftInVariable()
	}
}

var hmLast *hmCounter

func hmAddAll(cs ...*hmCounter) {
	var wg sync.WaitGroup
	for _, c := range cs {
		wg.Go(func() {
			if c != nil {
				c.n++ // assumed hmLast.n; it is another run's
			}
		})
	}
	wg.Wait()
}

func hmLeftInVariable() {
	c, last := &hmCounter{}, hmLast
	hmLast = c
	hmAddAll(c, last) // last is that of another run
}

// Returned, and given back to the next run.
func RR4_returned() {
	var last *hmCounter
	for range 3 {
		last = hmReturned(last)
	}
}

func hmReturned(last *hmCounter) *hmCounter {
	c := &hmCounter{}
	hmAddAll(c, last) // last is that of another run
	return c
}

// Left in what the function is given.
func RR4_leftInArgument() {
	var h hmHolder
	for range 3 {
		hmLeftInArgument(&h)
	}
}

type hmHolder struct{ c *hmCounter }

func hmLeftInArgument(h *hmHolder) {
	c, last := &hmCounter{}, h.c
	h.c = c
	hmAddAll(c, last) // last is that of another run
}

// Left in what the function has captured.
func RR4_leftInCaptured() {
	var last *hmCounter
	run := func() {
		c, old := &hmCounter{}, last
		last = c
		hmAddAll(c, old) // old is that of another run
	}
	run()
	run()
}

// Made further down, by a function that a run calls twice.
func RR5_severalInRun() {
	hmSeveralInRun()
	hmSeveralInRun()
}

func hmSeveralInRun() {
	var cs [2]*hmCounter
	for i := range cs {
		cs[i] = hmFilled("a")["a"]
	}
	c, d := cs[0], cs[1]
	hmAddAll(c, d) // d is another one
}

func hmFilled(k string) map[string]*hmCounter { return map[string]*hmCounter{k: {}} }

// Rows that the function makes, of which an iteration reads its neighbour's.
func RR6_rows() {
	hmRows()
	hmRows()
}

func hmRows() {
	rows := make([][]byte, n)
	for y := range rows {
		rows[y] = make([]byte, n)
	}
	var wg sync.WaitGroup
	for y := 1; y < n; y++ {
		wg.Add(1)
		go func(y int) {
			defer wg.Done()
			for x := range rows[y] {
				rows[y][x] = rows[y-1][x] / 2 // race! rows[*][*]
			}
		}(y)
	}
	wg.Wait()
}

// The lock is a channel that a constructor makes beside what it guards.
func RR7_channel() {
	hmChannel()
	hmChannel()
}

type hmLimiter struct {
	lock   chan struct{}
	tokens int
	late   int
}

func hmNewLimiter() *hmLimiter { return &hmLimiter{lock: make(chan struct{}, 1), tokens: n} }

func (l *hmLimiter) allow() bool {
	l.lock <- struct{}{}
	defer func() {
		<-l.lock
		l.late++ // race! l.late
	}()
	if l.tokens == 0 { // norace
		return false
	}
	l.tokens-- // norace
	return true
}

func hmChannel() {
	l := hmNewLimiter()
	hmEach(4, func(int) { l.allow() })
}

// A semaphore of the run, used by what a helper runs.
func RR7_semaphore() {
	hmSemaphore()
	hmSemaphore()
}

func hmSemaphore() {
	sem := make(chan struct{}, 1)
	c, d := hmNew(), hmNew()
	hmEach(4, func(int) {
		sem <- struct{}{}
		c.n++ // norace
		<-sem
		d.n++ // race! d.n
	})
}

func hmNew() *hmCounter { return &hmCounter{} }

// The lock is that of a run of another function, of which a run of the first one has two.
func RR8_innerLock() {
	hmInnerLock()
	hmInnerLock()
}

func hmInnerLock() {
	l := &hmInner{}
	l.run()
	l.run()
	println("done")
}

type hmInner struct{ n, m int }

func (l *hmInner) run() {
	lock := make(chan struct{}, 1)
	for range 3 {
		go func() {
			lock <- struct{}{}
			l.n++ // race! l.n
			<-lock
		}()
	}
}

// Each iteration has its own.
func RR9_own() {
	hmOwn()
	hmOwn()
}

func hmOwn() {
	var list []*hmCounter
	for range n {
		list = append(list, &hmCounter{})
	}
	hmEach(n, func(i int) { list[i].n++ }) // norace
	hmEach(n, func(i int) {
		c := &hmCounter{}
		c.n++ // norace
	})
}

// Of the locks of one run's object each guards what has its index.
func RR10_stripes() {
	hmStripes()
	hmStripes()
}

type hmStripe struct {
	locks [8]sync.Mutex
	data  [8]int
}

func hmStripes() {
	s := &hmStripe{}
	hmEach(4, func(g int) {
		for k := range 10 {
			s.add(g * k)
		}
	})
}

func (s *hmStripe) add(k int) {
	i := k & 7
	s.locks[i].Lock()
	defer s.locks[i].Unlock()
	s.data[i]++ // norace
}

// Two that have the index may have taken different locks.
func RR10_otherStripes() {
	hmOtherStripes()
	hmOtherStripes()
}

type hmMixed struct {
	locks [8]sync.Mutex
	data  [8]int
}

func hmOtherStripes() {
	s := &hmMixed{}
	hmEach(4, func(g int) {
		for k := range 10 {
			s.add(g * k)
		}
	})
}

func (s *hmMixed) add(k int) {
	i := k & 7
	s.locks[k%3].Lock()
	defer s.locks[k%3].Unlock()
	s.data[i]++ // race! s.data[*]
}

// What runs beside the iterations in the run has the run's object, too: a constructor makes it, and starts them.
func RR11_readEarly() {
	hmReadEarly(2)
	hmReadEarly(3)
}

type hmService struct {
	mu   sync.Mutex
	n    int
	wg   sync.WaitGroup
	jobs chan int
}

func newHmService() *hmService {
	s := &hmService{jobs: make(chan int)}
	for range 3 {
		s.wg.Add(1)
		go s.work()
	}
	return s
}

func (s *hmService) work() {
	defer s.wg.Done()
	for k := range s.jobs {
		s.mu.Lock()
		s.n += k // race! s.n
		s.mu.Unlock()
	}
}

func (s *hmService) close() {
	close(s.jobs)
	s.wg.Wait()
}

func (s *hmService) total() int { return s.n } // race! s.n

func hmReadEarly(k int) {
	s := newHmService()
	s.jobs <- k
	println(s.total())
	s.close()
	println(s.total())
}

// It is closed first.
func RR12_readLate() {
	hmReadLate(2)
	hmReadLate(3)
}

type hmClosed struct {
	mu   sync.Mutex
	n    int
	wg   sync.WaitGroup
	jobs chan int
}

func newHmClosed(k int) *hmClosed {
	s := &hmClosed{jobs: make(chan int)}
	s.n = k // norace
	for range 3 {
		s.wg.Add(1)
		go s.work()
	}
	return s
}

func (s *hmClosed) work() {
	defer s.wg.Done()
	for k := range s.jobs {
		s.mu.Lock()
		s.n += k // norace
		s.mu.Unlock()
	}
}

func hmReadLate(k int) {
	s := newHmClosed(k)
	s.jobs <- k
	close(s.jobs)
	s.wg.Wait()
	println(s.n) // norace
}

// Nobody waits, and the next run has another one.
func RR13_nextRun() {
	for k := range 3 {
		hmNextRun(k)
	}
}

type hmLeft struct{ n int }

func newHmLeft(k int) *hmLeft { return &hmLeft{n: k} }

func (l *hmLeft) add(k int) { l.n += k } // norace

func hmNextRun(k int) {
	l := newHmLeft(k)
	l.add(1)
	hmStart(func() { l.add(k) })
}

func hmStart(f func()) { go f() }

// A run makes several, and uses one while another one is worked on.
func RR14_several() {
	for k := range 3 {
		hmSeveral(k)
	}
}

type hmPart struct{ n int }

func hmSeveral(k int) {
	made := func() *hmPart { return &hmPart{n: k} }
	a, b := hmFirst(made), hmFirst(made)
	var wg sync.WaitGroup
	wg.Add(1)
	hmStart(func() {
		defer wg.Done()
		a.n++ // assumed a.n; it is another one
	})
	b.n++ // assumed a.n; it is another one
	wg.Wait()
}

func hmFirst(f func() *hmPart) *hmPart { return f() }

// The run waits for all that its pool has been given.
func RR16_pool() {
	for k := range 2 {
		hmPooled(8 - k)
	}
}

type hmPool struct {
	tasks   chan func()
	pending sync.WaitGroup
	quit    chan struct{}
}

func newHmPool(k int) *hmPool {
	p := &hmPool{tasks: make(chan func(), 8), quit: make(chan struct{})}
	for range k {
		go func() {
			for {
				select {
				case f := <-p.tasks:
					f()
					p.pending.Done()
				case <-p.quit:
					return
				}
			}
		}()
	}
	return p
}

func (p *hmPool) submit(f func()) {
	p.pending.Add(1)
	p.tasks <- f
}

func hmPooled(n int) {
	out := make([]int, n)
	p := newHmPool(3)
	defer close(p.quit)
	for i := range n {
		p.submit(func() {
			out[i] = i // norace
		})
	}
	p.pending.Wait()
	println(out[0]) // norace
}

// It does not.
func RR17_poolUnawaited() {
	for k := range 2 {
		hmUnawaited(8 - k)
	}
}

func hmUnawaited(n int) {
	out := make([]int, n)
	p := newHmPool2(3)
	defer close(p.quit)
	for i := range n {
		p.submit(func() {
			out[i] = i // race! out[*]
		})
	}
	println(out[0]) // race! out[*]
	p.pending.Wait()
}

func newHmPool2(k int) *hmPool2 {
	p := &hmPool2{tasks: make(chan func(), 8), quit: make(chan struct{})}
	for range k {
		go func() {
			for {
				select {
				case f := <-p.tasks:
					f()
					p.pending.Done()
				case <-p.quit:
					return
				}
			}
		}()
	}
	return p
}

type hmPool2 struct {
	tasks   chan func()
	pending sync.WaitGroup
	quit    chan struct{}
}

func (p *hmPool2) submit(f func()) {
	p.pending.Add(1)
	p.tasks <- f
}

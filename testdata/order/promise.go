package order

import "sync"

type promise struct {
	done chan struct{}
	v    int
	err  error
}

func newPromise() *promise { return &promise{done: make(chan struct{})} }

func (p *promise) fill(v int) {
	defer close(p.done)
	p.v = v // norace
	if v > 3 {
		p.v++ // norace
		return
	}
	p.err = nil // norace
}

func (p *promise) wait() int {
	<-p.done
	if p.err != nil { // norace
		return 0
	}
	return p.v // norace
}

// P1: many promises, each filled by its goroutine and read behind its channel.
func P1_promises() int {
	ps := make([]*promise, n)
	for i := range n {
		ps[i] = newPromise()
		go ps[i].fill(i)
	}
	sum := 0
	for _, p := range ps {
		sum += p.wait()
	}
	return sum
}

// P2: whoever comes first fills the promise, the others wait for it.
func P2_firstFills() {
	var mu sync.Mutex
	known := map[int]*promise{}
	get := func(k int) int {
		mu.Lock()
		p, ok := known[k]
		if !ok {
			p = newPromise()
			known[k] = p
			mu.Unlock()
			p.v = k // norace
			close(p.done)
			return p.v
		}
		mu.Unlock()
		<-p.done
		return p.v // norace
	}
	for i := range n {
		go func() { get(i / 2) }()
	}
}

// P2b: it is filled once more after its channel was closed.
func P2b_filledAfterClose() {
	var mu sync.Mutex
	known := map[int]*promise{}
	get := func(k int) int {
		mu.Lock()
		p, ok := known[k]
		if !ok {
			p = newPromise()
			known[k] = p
			mu.Unlock()
			close(p.done)
			p.v = k // race! _.v
			return p.v
		}
		mu.Unlock()
		<-p.done
		return p.v // race! _.v
	}
	for i := range n {
		go func() { get(i / 2) }()
	}
}

// P2c: the reader does not wait on every path.
func P2c_readWithoutWaiting() {
	var mu sync.Mutex
	known := map[int]*promise{}
	get := func(k int) int {
		mu.Lock()
		p, ok := known[k]
		if !ok {
			p = newPromise()
			known[k] = p
			mu.Unlock()
			p.v = k // race! _.v
			close(p.done)
			return 0
		}
		mu.Unlock()
		if k > 2 {
			<-p.done
		}
		return p.v // race! _.v
	}
	for i := range n {
		go func() { get(i / 2) }()
	}
}

// P2d: another goroutine may close the channel first.
func P2d_cancelled() int {
	p := newPromise()
	var once sync.Once
	end := func() { once.Do(func() { close(p.done) }) }
	go func() {
		p.v = 1 // race! p.v
		end()
	}()
	go end()
	<-p.done
	return p.v // race! p.v
}

// P3: the wait is for another promise than the one that is read.
func P3_waitsForAnother() int {
	p, q := newPromise(), newPromise()
	for _, x := range []*promise{p, q} {
		go func() {
			defer close(x.done)
			x.v = 1 // race! _.v
		}()
	}
	<-p.done
	return q.v // race! _.v
}

// A memo keeps what has been computed.
type memo struct {
	mu    sync.Mutex
	known map[int]*promise
}

// P5: whoever comes first makes the promise and fills it, the others wait for
// it; all read it in one place.
func P5_readInOnePlace() {
	m := &memo{known: map[int]*promise{}}
	for i := range n {
		go func() { m.get(i / 2) }()
	}
}

func (m *memo) get(k int) int {
	m.mu.Lock()
	p := m.known[k]
	if p != nil {
		m.mu.Unlock()
		<-p.done
	} else {
		p = newPromise()
		m.known[k] = p
		m.mu.Unlock()
		p.v = k // norace
		if k > 2 {
			p.v++ // norace
		}
		close(p.done)
	}
	return p.v // norace
}

// P5b: not all wait.
func P5b_notAllWait() {
	m := &memo{known: map[int]*promise{}}
	get := func(k int) int {
		m.mu.Lock()
		p := m.known[k]
		switch {
		case p != nil && k > 1:
			m.mu.Unlock()
			<-p.done
		case p != nil:
			m.mu.Unlock()
		default:
			p = newPromise()
			m.known[k] = p
			m.mu.Unlock()
			p.v = k // race! _.v
			close(p.done)
		}
		return p.v // race! _.v
	}
	for i := range n {
		go func() { get(i / 2) }()
	}
}

// P5c: it is filled after its channel was closed.
func P5c_filledTooLate() {
	m := &memo{known: map[int]*promise{}}
	get := func(k int) int {
		m.mu.Lock()
		p := m.known[k]
		if p != nil {
			m.mu.Unlock()
			<-p.done
		} else {
			p = newPromise()
			m.known[k] = p
			m.mu.Unlock()
			close(p.done)
			p.v = k // race! _.v
		}
		return p.v // race! _.v
	}
	for i := range n {
		go func() { get(i / 2) }()
	}
}

// P5d: who does not find it takes a common one, which it has not made.
func P5d_commonOne() {
	m := &memo{known: map[int]*promise{}}
	common := newPromise()
	get := func(k int) int {
		m.mu.Lock()
		p := m.known[k]
		if p != nil {
			m.mu.Unlock()
			<-p.done
		} else {
			p = newPromise()
			m.known[k] = p
			m.mu.Unlock()
			if k%2 == 1 {
				p = common
			}
			p.v = k // race! _.v
			if k%2 == 0 {
				close(p.done)
			}
		}
		return p.v // race! _.v
	}
	for i := range n {
		go func() { get(i / 2) }()
	}
}

// A sharedRun is made by who comes first; the others join it, and the last to leave ends it.
type sharedRun struct {
	ready chan struct{}
	xs    []int
	end   func()
	users int
}

type sharedRuns struct {
	mu  sync.Mutex
	cur *sharedRun
}

// P8: what ends it is called by a function that is made when the channel is closed; who
// panics before closes the channel, too.
func P8_sharedRun() {
	c := new(sharedRuns)
	for range n {
		go func() {
			xs, leave := c.run()
			_ = len(xs)
			leave()
		}()
	}
}

func (c *sharedRuns) run() ([]int, func()) {
	c.mu.Lock()
	if r := c.cur; r != nil {
		r.users++
		c.mu.Unlock()
		<-r.ready
		return r.xs, c.leave(r) // norace
	}
	r := &sharedRun{ready: make(chan struct{}), end: func() {}, users: 1}
	c.cur = r
	c.mu.Unlock()
	failed := true
	defer func() {
		if failed {
			close(r.ready)
		}
	}()
	r.xs, r.end = compute() // norace
	failed = false
	close(r.ready)
	return r.xs, c.leave(r)
}

func compute() ([]int, func()) { return make([]int, 3), func() {} }

func (c *sharedRuns) leave(r *sharedRun) func() {
	return func() {
		c.mu.Lock()
		if r.users--; r.users > 0 {
			c.mu.Unlock()
			return
		}
		c.cur = nil
		c.mu.Unlock()
		r.end() // norace
	}
}

// P8b: the channel may be closed before.
func P8b_closedEarly() {
	c := new(sharedRuns)
	for range n {
		go func() { _ = len(c.hurried(n > 3)) }()
	}
}

func (c *sharedRuns) hurried(early bool) []int {
	c.mu.Lock()
	if r := c.cur; r != nil {
		c.mu.Unlock()
		<-r.ready
		return r.xs // race! r.xs
	}
	r := &sharedRun{ready: make(chan struct{})}
	c.cur = r
	c.mu.Unlock()
	if early {
		close(r.ready)
	}
	r.xs, _ = compute() // race! r.xs
	if !early {
		close(r.ready)
	}
	return nil
}

// P8c: the function is made before it is waited, or filled.
func P8c_leftEarly() {
	c := new(sharedRuns)
	for range n {
		go func() {
			leave := c.start()
			go leave()
		}()
	}
}

func (c *sharedRuns) start() func() {
	c.mu.Lock()
	if r := c.cur; r != nil {
		c.mu.Unlock()
		leave := c.leaveEarly(r)
		<-r.ready
		return leave
	}
	r := &sharedRun{ready: make(chan struct{})}
	c.cur = r
	c.mu.Unlock()
	go c.leaveEarly(r)()
	_, r.end = compute() // race! r.end
	close(r.ready)
	return c.leaveEarly(r)
}

func (c *sharedRuns) leaveEarly(r *sharedRun) func() {
	return func() { r.end() } // race! r.end
}

// P8d: the same, but it is the maker alone who hands the function on too early.
func P8d_makerLeavesEarly() {
	c := new(sharedRuns)
	for range n {
		go func() {
			leave := c.begin()
			go leave()
		}()
	}
}

func (c *sharedRuns) begin() func() {
	c.mu.Lock()
	if r := c.cur; r != nil {
		c.mu.Unlock()
		<-r.ready
		return c.leaveLate(r)
	}
	r := &sharedRun{ready: make(chan struct{})}
	c.cur = r
	c.mu.Unlock()
	go c.leaveLate(r)()
	_, r.end = compute() // race! r.end
	close(r.ready)
	return c.leaveLate(r)
}

func (c *sharedRuns) leaveLate(r *sharedRun) func() {
	return func() { r.end() } // race! r.end
}

// P8e: somebody else closes it, too, which panics if it comes first.
func P8e_closedByAnother() int {
	r := &sharedRun{ready: make(chan struct{})}
	go func() {
		r.xs, _ = compute() // race! r.xs
		close(r.ready)
	}()
	go close(r.ready)
	<-r.ready
	return len(r.xs) // race! r.xs
}

// P6: the first who comes fills it and closes the channel, both in the body of a Once.
func P6_firstFills() {
	f := &future{done: make(chan struct{})}
	for i := range n {
		go f.set(i)
	}
	<-f.done
	_ = f.v // norace
}

type future struct {
	once sync.Once
	done chan struct{}
	v    int
}

func (f *future) set(v int) {
	f.once.Do(func() {
		f.v = v // norace
		close(f.done)
	})
}

// P6b: all fill it, and the first closes the channel.
func P6b_allFill() {
	f := &filling{done: make(chan struct{})}
	for i := range n {
		go f.set(i)
	}
	<-f.done
	_ = f.v // race! f.v
}

type filling struct {
	once sync.Once
	done chan struct{}
	v    int
}

func (f *filling) set(v int) {
	f.v = v // race! f.v
	f.once.Do(func() { close(f.done) })
}

// P7: the receive is one case of several.
func P7_selected() {
	e := &runs{all: make(map[int]*running)}
	quit := make(chan struct{})
	for i := range n {
		go e.start(i%3, quit)
	}
	close(quit)
}

var errRun error

type running struct {
	done chan struct{}
	err  error
	late int
}

type runs struct {
	mu  sync.Mutex
	all map[int]*running
}

func (e *runs) start(k int, quit chan struct{}) error {
	e.mu.Lock()
	if other, ok := e.all[k]; ok {
		e.mu.Unlock()
		select {
		case <-other.done:
			return other.err // norace
		case <-quit:
			println(other.late) // race _.late; others have other runs
			return nil
		}
	}
	r := &running{done: make(chan struct{})}
	e.all[k] = r
	e.mu.Unlock()
	defer close(r.done)
	r.late = k // race _.late; others have other runs
	r.err = errRun
	return r.err
}

// P9: one method waits and another closes the channel, each called beside the datum.
func P9_methodWaits() {
	var ps []*job9
	for i := range n {
		p := &job9{done: make(chan struct{})}
		ps = append(ps, p)
		go p.fill(i)
	}
	for _, p := range ps {
		p.join()
		println(p.v) // norace
	}
}

type job9 struct {
	done chan struct{}
	v    int
}

func (p *job9) fill(v int) {
	p.v = v // norace
	p.finish()
}

func (p *job9) finish() { p.end() }
func (p *job9) end()    { close(p.done) }
func (p *job9) join()   { p.wait() }
func (p *job9) wait()   { <-p.done }

// P9b: the method waits at times.
func P9b_methodWaitsAtTimes() {
	var ps []*job9b
	for i := range n {
		p := &job9b{done: make(chan struct{})}
		ps = append(ps, p)
		go p.fill(i)
	}
	for _, p := range ps {
		p.wait(n > 3)
		println(p.v) // race! p.v
	}
}

type job9b struct {
	done chan struct{}
	v    int
}

func (p *job9b) fill(v int) {
	p.v = v // race! p.v
	p.finish()
}

func (p *job9b) finish() { close(p.done) }
func (p *job9b) wait(really bool) {
	if really {
		<-p.done
	}
}

// P9c: another goroutine may finish it, too.
func P9c_finishedByAnother() {
	var ps []*job9c
	for i := range n {
		p := &job9c{done: make(chan struct{})}
		ps = append(ps, p)
		go p.fill(i)
		go p.giveUp(i)
	}
	for _, p := range ps {
		p.wait()
		println(p.v) // race! p.v
	}
}

type job9c struct {
	done chan struct{}
	v    int
}

func (p *job9c) fill(v int) {
	if v > 3 {
		return
	}
	p.v = v // race! p.v
	p.finish()
}

func (p *job9c) giveUp(v int) {
	if v > 3 {
		p.finish()
	}
}

func (p *job9c) finish() { close(p.done) }
func (p *job9c) wait()   { <-p.done }

// P9d: it is filled when the channel has been closed.
func P9d_finishedFirst() {
	var ps []*job9d
	for i := range n {
		p := &job9d{done: make(chan struct{})}
		ps = append(ps, p)
		go p.fill(i)
	}
	for _, p := range ps {
		p.wait()
		println(p.v) // race! p.v
	}
}

type job9d struct {
	done chan struct{}
	v    int
}

func (p *job9d) fill(v int) {
	p.finish()
	p.v = v // race! p.v
}

func (p *job9d) finish() { close(p.done) }
func (p *job9d) wait()   { <-p.done }

// P9e: the method waits for another.
func P9e_waitsForAnother() {
	var ps []*job9e
	for i := range n {
		p := &job9e{done: make(chan struct{})}
		ps = append(ps, p)
		go p.fill(i)
	}
	last := ps[0]
	for _, p := range ps {
		last.wait()
		println(p.v) // race! p.v
		last = p
	}
}

type job9e struct {
	done chan struct{}
	v    int
}

func (p *job9e) fill(v int) {
	p.v = v // race! p.v
	p.finish()
}

func (p *job9e) finish() { close(p.done) }
func (p *job9e) wait()   { <-p.done }

// P10: a WaitGroup is told Done in a method, and waited for in another.
func P10_groupInMethods() {
	var ps []*job10
	for i := range n {
		ps = append(ps, start10(i))
	}
	for _, p := range ps {
		p.wait()
		println(p.v) // norace
	}
}

type job10 struct {
	wg sync.WaitGroup
	v  int
}

func start10(i int) *job10 {
	p := &job10{}
	p.wg.Add(1)
	go p.fill(i)
	return p
}

func (p *job10) fill(v int) {
	p.v = v // norace
	p.finish()
}

func (p *job10) finish() { p.wg.Done() }
func (p *job10) wait()   { p.wg.Wait() }

// P10b: Done may be told by one who has not filled it.
func P10b_groupGivenUp() {
	var ps []*job10b
	for i := range n {
		ps = append(ps, start10b(i))
	}
	for _, p := range ps {
		p.wait()
		println(p.v) // race! p.v
	}
}

type job10b struct {
	wg sync.WaitGroup
	v  int
}

func start10b(i int) *job10b {
	p := &job10b{}
	p.wg.Add(1)
	go p.giveUp(i)
	go p.fill(i)
	return p
}

func (p *job10b) fill(v int) {
	p.v = v // race! p.v
	if v > 3 {
		p.finish()
	}
}

func (p *job10b) giveUp(v int) {
	if v <= 3 {
		p.finish()
	}
}

func (p *job10b) finish() { p.wg.Done() }
func (p *job10b) wait()   { p.wg.Wait() }

// P9f: what is called closes the channel first, in another function.
func P9f_finishedBelow() {
	var ps []*job9f
	for i := range n {
		p := &job9f{done: make(chan struct{})}
		ps = append(ps, p)
		go p.run(i)
	}
	for _, p := range ps {
		p.wait()
		println(p.v) // race! p.v
	}
}

type job9f struct {
	done chan struct{}
	v    int
}

func (p *job9f) run(v int) { p.fill(v) }

func (p *job9f) fill(v int) {
	p.finish()
	p.v = v // race! p.v
}

func (p *job9f) finish() { close(p.done) }
func (p *job9f) wait()   { <-p.done }

// P11: two may fill it, of which one comes; each closes the channel when it has filled it.
func P11_eitherFills() {
	for k := range n {
		p := &batch11{done: make(chan struct{})}
		go p.late(k)
		go p.full(k)
		<-p.done
		println(p.v) // norace
	}
}

type batch11 struct {
	mu    sync.Mutex
	taken bool
	done  chan struct{}
	v     int
}

func (p *batch11) late(v int) {
	p.mu.Lock()
	if p.taken {
		p.mu.Unlock()
		return
	}
	p.taken = true
	p.mu.Unlock()
	p.v = v // norace
	close(p.done)
}

func (p *batch11) full(v int) {
	p.mu.Lock()
	if p.taken {
		p.mu.Unlock()
		return
	}
	p.taken = true
	p.mu.Unlock()
	if v > 3 {
		p.v = v // norace
	} else {
		p.v = -v // norace
	}
	p.v++ // norace
	close(p.done)
}

// P11b: one of them closes it and has not filled it at times.
func P11b_notAlwaysFilled() {
	for k := range n {
		p := &batch11b{done: make(chan struct{})}
		go p.fill(k)
		go p.giveUp(k)
		<-p.done
		println(p.v) // race p.v; one of the two comes
	}
}

type batch11b struct {
	done chan struct{}
	v    int
}

func (p *batch11b) fill(v int) {
	if v%2 == 1 {
		return
	}
	p.v = v // race p.v; one of the two comes
	close(p.done)
}

func (p *batch11b) giveUp(v int) {
	if v%2 == 0 {
		return
	}
	if v > n {
		p.v = -v // norace
	}
	close(p.done)
}

// P11c: one of them closes it before it fills it.
func P11c_closedFirst() {
	for k := range n {
		p := &batch11c{done: make(chan struct{})}
		if k%2 == 0 {
			go p.fill(k)
		} else {
			go p.hurry(k)
		}
		<-p.done
		println(p.v) // race! p.v
	}
}

type batch11c struct {
	done chan struct{}
	v    int
}

func (p *batch11c) fill(v int) {
	p.v = v // race p.v; the other has not filled it
	close(p.done)
}

func (p *batch11c) hurry(v int) {
	close(p.done)
	p.v = -v // race! p.v
}

// P11d: one of them fills another than that of which it closes the channel.
func P11d_anotherFilled() {
	for k := range n {
		p, q := &batch11d{done: make(chan struct{})}, &batch11d{done: make(chan struct{})}
		go p.fill(k)
		go p.mistake(q, k)
		<-p.done
		println(p.v) // race p.v; one of the two comes
	}
}

type batch11d struct {
	done chan struct{}
	v    int
}

func (p *batch11d) fill(v int) {
	if v%2 == 1 {
		return
	}
	p.v = v // race p.v; one of the two comes
	close(p.done)
}

func (p *batch11d) mistake(q *batch11d, v int) {
	if v%2 == 1 {
		q.v = v
		close(p.done)
	}
}

// P11e: one of them sends on the channel, and has filled it before.
func P11e_sent() {
	for k := range n {
		p := &batch11e{done: make(chan struct{}), sent: make(chan struct{})}
		go p.fill(k)
		go p.send(k)
		<-p.done
		println(p.v) // race! p.v
	}
}

type batch11e struct {
	done, sent chan struct{}
	v          int
}

func (p *batch11e) fill(v int) {
	<-p.sent
	p.v = v // race! p.v
	close(p.done)
}

func (p *batch11e) send(v int) {
	p.v = -v
	p.done <- struct{}{}
	close(p.sent)
}

type guarded12 struct {
	ready chan struct{}
	err   error
}

type guards12 struct {
	mu  sync.Mutex
	cur *guarded12
}

// P12: a deferred function sets the error and closes the channel if nothing else has.
func P12_failedSays() {
	c := new(guards12)
	for range n {
		go func() { _ = c.wait() }()
	}
}

func (c *guards12) wait() error {
	c.mu.Lock()
	if g := c.cur; g != nil {
		c.mu.Unlock()
		<-g.ready
		return g.err // norace
	}
	g := &guarded12{ready: make(chan struct{})}
	c.cur = g
	c.mu.Unlock()
	failed := true
	defer func() {
		if failed {
			g.err = errRun // norace
			close(g.ready)
		}
	}()
	g.err = attempt12()
	failed = false
	close(g.ready)
	return g.err
}

func attempt12() error { return nil }

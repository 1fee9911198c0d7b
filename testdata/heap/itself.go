package heap

import "sync"

// A method value of a new object that is stored in the object makes it known to
// nobody: what a method fills after that is not shared yet.
func SF1_methodInItself() {
	pool := &plugs{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := newPlug()
			pool.put(p)
			if q := pool.get(); q != nil {
				_ = q.current.run // norace
				q.use()
			}
		})
	}
	wg.Wait()
}

type steps struct{ run func() int }

type plug struct {
	n       int
	own     func() int
	initial steps
	current steps
}

func newPlug() *plug {
	p := plug{n: 1}
	p.own = p.count
	p.fill(steps{run: p.count})
	return &p
}

func (p *plug) count() int { return p.n }

func (p *plug) fill(s steps) {
	p.initial = s // norace
	p.chain()
}

func (p *plug) chain() { p.current.run = p.initial.run } // norace

func (p *plug) use() { p.current.run() }

type plugs struct {
	mu  sync.Mutex
	all []*plug
}

func (ps *plugs) put(p *plug) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.all = append(ps.all, p)
}

func (ps *plugs) get() *plug {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if len(ps.all) == 0 {
		return nil
	}
	return ps.all[0]
}

// The method value is given to others before the object is filled.
func SF2_methodGivenAway() {
	board := &relays{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			newGear(board)
			if f := board.last(); f != nil {
				f()
			}
		})
	}
	wg.Wait()
}

type gear struct {
	n    int
	self func() int
}

func newGear(b *relays) *gear {
	g := gear{}
	g.self = g.count
	b.keep(g.self)
	g.fill()
	return &g
}

func (g *gear) count() int { return g.n } // race! _.n

func (g *gear) fill() { g.n = 2 } // race! _.n

type relays struct {
	mu sync.Mutex
	f  func() int
}

func (b *relays) keep(f func() int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.f = f
}

func (b *relays) last() func() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.f
}

// The method value is put into a struct, and given to others out of that.
func SF3_givenOutOfStruct() {
	board := &relays{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			newWheel(board)
			if f := board.last(); f != nil {
				f()
			}
		})
	}
	wg.Wait()
}

type wheel struct {
	n       int
	initial steps
}

func newWheel(b *relays) *wheel {
	w := wheel{}
	s := steps{run: w.count}
	b.keep(s.run)
	w.initial = s
	w.fill()
	return &w
}

func (w *wheel) count() int { return w.n } // race! _.n

func (w *wheel) fill() { w.n = 2 } // race! _.n

package call

import "sync"

type mover interface{ move() }

func (p *P) move() { p.x++ }

// Elements of an interface type hold distinct particles.
func X5_interfacePerElement() {
	ms := make([]mover, n)
	for i := range ms {
		ms[i] = &P{}
	}
	var wg sync.WaitGroup
	for _, m := range ms {
		wg.Go(func() {
			m.move() // norace
		})
	}
	wg.Wait()
}

// All elements of an interface type hold one cart.
func X5b_interfaceOnShared() {
	c := &cart{}
	ps := make([]pusher, n)
	for i := range ps {
		ps[i] = c
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() {
			p.push() // race! c.load
		})
	}
	wg.Wait()
}

type pusher interface{ push() }

type cart struct{ load int }

func (c *cart) push() {
	c.load++ // race! c.load
}

type task struct{ run func() }

// Each element keeps a closure over its own particle.
func X6_closurePerElement() {
	ts := make([]*task, n)
	for i := range ts {
		p := &P{}
		ts[i] = &task{run: func() { p.y++ }}
	}
	var wg sync.WaitGroup
	for _, t := range ts {
		wg.Go(func() {
			t.run() // norace
		})
	}
	wg.Wait()
}

// Each element keeps a method value of one meter.
func X7_methodValueOfShared() {
	m := &meter{}
	ts := make([]*task, n)
	for i := range ts {
		ts[i] = &task{run: m.tick}
	}
	var wg sync.WaitGroup
	for _, t := range ts {
		wg.Go(func() {
			t.run() // race! m.ticks
		})
	}
	wg.Wait()
}

type meter struct{ ticks int }

func (m *meter) tick() {
	m.ticks++ // race! m.ticks
}

// parallel calls f for 0 … k-1, each on a goroutine of its own.
func parallel(k int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range k {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(i)
		}()
	}
	wg.Wait()
}

// A helper calls back: once with a body on own elements, once on a shared
// particle.
func X9_callbackOfHelper() {
	ps := make([]*P, n)
	shared := &P{}
	parallel(n, func(i int) {
		ps[i] = &P{} // norace
		ps[i].x = 1  // norace
	})
	parallel(n, func(i int) {
		shared.x = i // race! shared.x
	})
}

func newP() *P { return &P{} }

func newPair() *P {
	p := newP()
	p.origin = newP()
	return p
}

// A factory calls a factory: all objects it makes are per element.
func X10_nestedFactories() {
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = newPair()
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() {
			p.x = 1        // norace
			p.origin.x = 2 // norace
		})
	}
	wg.Wait()
}

// The index is an argument of the go statement; the elements are values.
func X11_indexAsArgument() {
	ps := make([]P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			ps[i].x = 1 // norace
			p := &ps[i]
			p.moveTo(1, 2) // norace
		}(i)
	}
	wg.Wait()
}

type shelf struct{ items []*P }

func (s *shelf) put(i int) {
	s.items[i] = newPair()
	s.items[i].move()
}

func (s *shelf) finish(i int) {
	s.items[i].x = 1
	s.items[i].origin.x = 2
}

// The index is handed down two calls, in two parallel loops; the first body is
// a method value.
func X23_indexHandedDown() {
	s := &shelf{items: make([]*P, n)}
	parallel(n, s.put)
	parallel(n, func(i int) { s.finish(i) })
}

type option func(*P)

func withOrigin(o *P) option { return func(p *P) { p.origin = o } }

func build(opts ...option) *P {
	p := &P{}
	for _, o := range opts {
		o(p)
	}
	return p
}

// Functional options: each element gets a shared origin, then one of its own.
func X28_functionalOptions() {
	shared := &P{}
	ps := make([]*P, n)
	for i := range ps {
		ps[i] = build(withOrigin(&P{}), withOrigin(shared))
	}
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() {
			p.x = 1        // norace
			p.origin.x = 2 // race! shared.x
		})
	}
	wg.Wait()
}

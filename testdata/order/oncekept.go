package order

import "sync"

// What a function returns that a Once makes, kept where others find it.

// OK1: some of the goroutines have asked for it and keep it in a variable, an interface, a
// field; who asks first fills it.
func OK1_keptByCallers() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			var c *curve
			if i > 3 {
				c = theCurve()
			}
			if c != nil {
				println(c.p) // norace
			}
		})
		wg.Go(func() { println(shapeOf(i).prime()) })
		wg.Go(func() {
			s := &curveSession{shape: shapeOf(i)}
			s.exchange()
		})
	}
	wg.Wait()
}

var (
	curveOnce sync.Once
	curve0    *curve
)

func makeCurve() {
	curve0 = new(curve) // norace
	curve0.p = 7        // norace
}

func theCurve() *curve {
	curveOnce.Do(makeCurve)
	return curve0 // norace
}

type curve struct{ p int }

func (c *curve) prime() int { return c.p } // norace

type shape interface{ prime() int }

type flat int

func (f flat) prime() int { return int(f) }

func shapeOf(i int) shape {
	if i%2 == 0 {
		return theCurve()
	}
	return flat(i)
}

type curveSession struct{ shape shape }

func (s *curveSession) exchange() {
	var wg sync.WaitGroup
	wg.Go(func() { println(s.shape.prime()) })
	wg.Wait()
}

// OK1b: one of them has taken it from the variable, where it may be before it is filled.
func OK1b_alsoFromVariable() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { println(shapeOrRaw(i).area()) })
	}
	wg.Wait()
}

var (
	squareOnce sync.Once
	square0    *square
)

func theSquare() *square {
	squareOnce.Do(func() {
		square0 = new(square) // race! square0
		square0.side = 7      // race! _.side
	})
	return square0
}

type square struct{ side int }

func (s *square) area() int { return s.side } // race! _.side

type area interface{ area() int }

func shapeOrRaw(i int) area {
	if i%2 == 0 {
		return theSquare()
	}
	if s := square0; s != nil { // race! square0
		return s
	}
	return nil
}

// OK1c: the body tells others of it before it has filled it.
func OK1c_toldEarly() {
	news := make(chan depth, 1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == 3 {
				println((<-news).depth())
				return
			}
			println(theCube(news).depth())
		})
	}
	wg.Wait()
}

var (
	cubeOnce sync.Once
	cube0    *cube
)

func theCube(news chan depth) depth {
	cubeOnce.Do(func() {
		cube0 = new(cube)
		news <- cube0
		cube0.d = 7 // race! _.d
	})
	return cube0
}

type cube struct{ d int }

func (c *cube) depth() int { return c.d } // race! _.d

type depth interface{ depth() int }

// OK1d: it is the Once of something else that is over.
func OK1d_otherOnce() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { println(ringOf(i).radius()) })
	}
	wg.Wait()
}

var (
	ringOnce, gemOnce sync.Once
	ring0             *ring
)

func makeRing() {
	ring0 = new(ring) // race! ring0
	ring0.r = 7       // race! _.r
}

func ringOf(i int) round {
	if i%2 == 0 {
		ringOnce.Do(makeRing)
		return ring0
	}
	gemOnce.Do(func() {})
	if ring0 == nil { // race! ring0
		return flatRound(i)
	}
	return ring0 // race! ring0
}

type ring struct{ r int }

func (r *ring) radius() int { return r.r } // race! _.r

type round interface{ radius() int }

type flatRound int

func (f flatRound) radius() int { return int(f) }

// OK1e: what others do to it later is beside them.
func OK1e_changedLater() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { println(heapOf(i).height()) })
	}
	wg.Wait()
}

var (
	pileOnce sync.Once
	pile0    *pile
)

func heapOf(i int) height {
	pileOnce.Do(func() {
		pile0 = new(pile)
		pile0.h = 7 // norace
	})
	if i > 3 {
		pile0.h++ // race! _.h
	}
	return pile0
}

type pile struct{ h int }

func (p *pile) height() int { return p.h } // race! _.h

type height interface{ height() int }

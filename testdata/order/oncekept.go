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

// OK2: the tables are there before there is a coder that uses them.
func OK2_tablesBeforeCoder() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := newCoder(i)
			println(c.code(i))
		})
	}
	wg.Wait()
}

var (
	tablesOnce sync.Once
	logTable   *[8]int
	expTable   [8]int
)

func newCoder(i int) coder {
	if i > 3 {
		return plainCoder{}
	}
	return newTableCoder()
}

func newTableCoder() *tableCoder {
	fillTables()
	return &tableCoder{base: 2}
}

func fillTables() {
	tablesOnce.Do(func() {
		logTable = new([8]int) // norace
		for i := range logTable {
			logTable[i] = i // norace
			expTable[i] = i // norace
		}
	})
}

type coder interface{ code(i int) int }

type plainCoder struct{}

func (plainCoder) code(i int) int { return i }

type tableCoder struct{ base int }

func (c *tableCoder) code(i int) int {
	return c.base * c.lookup(i)
}

func (c *tableCoder) lookup(i int) int {
	return logTable[i%8] + // norace
		expTable[i%8] // norace
}

// OK2b: a coder is made that does not wait for its tables.
func OK2b_coderBeforeTables() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := newZipper(i)
			println(c.zip(i))
		})
	}
	wg.Wait()
}

var (
	zipOnce  sync.Once
	zipTable [8]int
)

func newZipper(i int) *zipper {
	z := &zipper{base: 2}
	if i > 3 {
		zipOnce.Do(func() {
			for i := range zipTable {
				zipTable[i] = i // race! zipTable
			}
		})
	}
	return z
}

type zipper struct{ base int }

func (z *zipper) zip(i int) int {
	return z.base * zipTable[i%8] // race! zipTable
}

// OK2c: some come to the tables without a coder.
func OK2c_tablesWithoutCoder() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == 3 {
				println(readMask(nil, i))
				return
			}
			println(newMasker().mask(i))
		})
	}
	wg.Wait()
}

var (
	maskOnce  sync.Once
	maskTable [8]int
)

func newMasker() *masker {
	maskOnce.Do(func() {
		for i := range maskTable {
			maskTable[i] = i // race! maskTable
		}
	})
	return &masker{1}
}

type masker struct{ base int }

func (m *masker) mask(i int) int { return readMask(m, i) }

func readMask(m *masker, i int) int {
	if m != nil {
		i += m.base
	}
	return maskTable[i%8] // race! maskTable
}

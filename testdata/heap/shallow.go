package heap

import "sync"

type canvas struct{ pix []int }

type picture interface{ size() int }

func (c *canvas) size() int { return len(c.pix) }

func newCanvas(size int) *canvas { return &canvas{pix: make([]int, size)} }

func cloneOf(p picture) *canvas {
	c := newCanvas(p.size())
	if s, ok := p.(*canvas); ok {
		copy(c.pix, s.pix)
	}
	return c
}

// shallow returns its argument, if it has the right type, or a clone.
func shallow(p picture) *canvas {
	if c, ok := p.(*canvas); ok {
		return c
	}
	return cloneOf(p)
}

func mirrored(p picture) *canvas {
	from := shallow(p)
	to := newCanvas(p.size())
	var wg sync.WaitGroup
	for i := range to.pix {
		wg.Go(func() {
			to.pix[i] = from.pix[len(from.pix)-1-i] // norace
		})
	}
	wg.Wait()
	return to
}

func blurred(p picture) *canvas {
	from := shallow(p)
	to := newCanvas(p.size())
	var wg sync.WaitGroup
	for i := range to.pix {
		wg.Go(func() {
			to.pix[i] = from.pix[i/2] // norace
		})
	}
	wg.Wait()
	return to
}

// What is read is the argument or a clone, made by the function that makes what
// is written, two calls away.
func B20_argumentOrClone() {
	mirrored(blurred(newCanvas(n)))
}

// What is read is what is written.
func B20b_inPlace() {
	reversed(newCanvas(n))
}

func reversed(p picture) *canvas {
	from := shallow(p)
	var wg sync.WaitGroup
	for i := range from.pix {
		wg.Go(func() {
			from.pix[i] = from.pix[len(from.pix)-1-i] // race! pix[*]
		})
	}
	wg.Wait()
	return from
}

package index

import "sync"

// Grids as one slice, of which a step fills another from one.

type grid struct {
	w, h  int
	cells []int
}

func newGrid(w, h int) *grid { return &grid{w, h, make([]int, w*h)} }

func (g *grid) step(next *grid) {
	var wg sync.WaitGroup
	for y := 0; y < g.h; y++ {
		wg.Go(func() {
			for x := 0; x < g.w; x++ {
				next.cells[y*next.w+x] = g.cells[y*g.w+x] + 1 // assumed cells
			}
		})
	}
	wg.Wait()
}

func GR1_twoGrids(w, h int) {
	a, b := newGrid(w, h), newGrid(w, h)
	for range 10 {
		a.step(b)
		a, b = b, a
	}
}

func GR1b_columnsByHeight() {
	g := newGrid(4, 8)
	var wg sync.WaitGroup
	for y := 0; y < g.w; y++ {
		wg.Go(func() {
			for x := 0; x < g.h; x++ {
				g.cells[y*g.w+x]++ // race! cells
			}
		})
	}
	wg.Wait()
}

func GR1c_oneTooMany() {
	g, next := newGrid(4, 8), newGrid(4, 8)
	var wg sync.WaitGroup
	for y := 0; y < g.h-1; y++ {
		wg.Go(func() {
			for x := 0; x <= g.w; x++ {
				next.cells[y*next.w+x]++ // race! cells
			}
		})
	}
	wg.Wait()
}

package index

import (
	"image"
	"sync"
)

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

// The rows of an image begin anywhere, and are as wide as its bounds say.
func GR2_bounds() {
	gray(image.NewRGBA(image.Rect(2, 3, 20, 30)))
}

func gray(src image.Image) *image.Gray {
	b := src.Bounds()
	dst := image.NewGray(b)
	var wg sync.WaitGroup
	for y := b.Min.Y; y < b.Max.Y; y++ {
		wg.Go(func() {
			for x := b.Min.X; x < b.Max.X; x++ {
				dst.Set(x, y, src.At(x, y)) // norace
			}
		})
	}
	wg.Wait()
	return dst
}

type window struct {
	min, max struct{ x, y int }
}

func GR3_ownBounds(b window) {
	w := b.max.x - b.min.x
	cells := make([]int, w*(b.max.y-b.min.y))
	var wg sync.WaitGroup
	for y := b.min.y; y < b.max.y; y++ {
		wg.Go(func() {
			for x := b.min.x; x < b.max.x; x++ {
				cells[(y-b.min.y)*w+x-b.min.x] = y // norace
			}
		})
	}
	wg.Wait()
}

// The last of a row is the first of the next.
func GR3b_inclusive(b window) {
	w := b.max.x - b.min.x
	cells := make([]int, w*(b.max.y-b.min.y)+1)
	var wg sync.WaitGroup
	for y := b.min.y; y < b.max.y; y++ {
		wg.Go(func() {
			for x := b.min.x; x <= b.max.x; x++ {
				cells[(y-b.min.y)*w+x-b.min.x] = y // race! cells[*]
			}
		})
	}
	wg.Wait()
}

// A tile is known by one number, which is taken apart into its row and column of tiles.
func GR4_tileByNumber(rows, cols, across int) {
	const tile = 16
	cells := make([]int, rows*cols)
	var wg sync.WaitGroup
	for k := range across * 7 {
		wg.Go(func() {
			y, x := k/across*tile, k%across*tile
			for i := y; i < min(y+tile, rows); i++ {
				for j := x; j < min(x+tile, cols); j++ {
					cells[i*cols+j]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func GR4a_sixAcross(rows, cols int) {
	const tile, across = 16, 6
	cells := make([]int, rows*cols)
	var wg sync.WaitGroup
	for k := range across * 7 {
		wg.Go(func() {
			y, x := k/across*tile, k%across*tile
			for i := y; i < min(y+tile, rows); i++ {
				for j := x; j < min(x+tile, cols); j++ {
					cells[i*cols+j]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// The columns begin again before the row does.
func GR4b_otherRemainder(rows, cols int) {
	const tile, across = 16, 6
	cells := make([]int, rows*cols)
	var wg sync.WaitGroup
	for k := range across * 7 {
		wg.Go(func() {
			y, x := k/across*tile, k%(across-1)*tile
			for i := y; i < min(y+tile, rows); i++ {
				for j := x; j < min(x+tile, cols); j++ {
					cells[i*cols+j]++ // race! cells[*]
				}
			}
		})
	}
	wg.Wait()
}

// Tiles are wider than the step from one to the next.
func GR4c_overlapping(rows, cols, across int) {
	const tile = 16
	cells := make([]int, rows*cols)
	var wg sync.WaitGroup
	for k := range across * 7 {
		wg.Go(func() {
			y, x := k/across*tile, k%across*tile
			for i := y; i < min(y+tile, rows); i++ {
				for j := x; j <= min(x+tile, cols-1); j++ {
					cells[i*cols+j]++ // race! cells[*]
				}
			}
		})
	}
	wg.Wait()
}

// Rows may be longer than the grid is wide.
func GR4d_beyondTheRow(rows, cols, across int) {
	const tile = 16
	cells := make([]int, rows*cols)
	var wg sync.WaitGroup
	for k := range across * 7 {
		wg.Go(func() {
			y, x := k/across*tile, k%across*tile
			for i := y; i < min(y+tile, rows); i++ {
				for j := x; j < x+tile; j++ {
					cells[i*cols+j]++ // race! cells[*]
				}
			}
		})
	}
	wg.Wait()
}

package index

import (
	"math/rand"
	"sort"
	"sync"
)

// Chunks of equal size, the last one clamped.
func B10_clampedChunks() {
	a := make([]int, n)
	run(n, 5, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a[i] = i // norace
		}
	})
}

// Inclusive bounds: the last element of a chunk is the first of the next.
func S23_inclusiveEnd() {
	a := make([]int, n+1)
	run(n, 5, func(lo, hi int) {
		for i := lo; i <= hi; i++ {
			a[i] = i // race! a[*]
		}
	})
}

// A chunk also writes its right neighbour's first element.
func S23b_haloWrite() {
	a := make([]int, n+1)
	run(n, 5, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a[i+1] += a[i] // race! a[*]
		}
	})
}

// Reading the halo is fine where another array is written.
func S23c_haloReadOfSource() {
	src, dst := make([]int, n), make([]int, n)
	run(n, 5, func(lo, hi int) {
		for i := max(lo, 1); i < hi; i++ {
			dst[i] = src[i-1] + src[i] // norace
		}
	})
}

// Reading the halo of the array that is written is not.
func S23d_haloReadOfDestination() {
	a := make([]int, n)
	run(n, 5, func(lo, hi int) {
		for i := max(lo, 1); i < hi; i++ {
			a[i] = a[i-1] + 1 // race! a[*]
		}
	})
}

// The remainder is spread over the first chunks.
func S20_remainderSpread() {
	const workers = 5
	a := make([]int, n)
	div, mod := n/workers, n%workers
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo := w*div + min(w, mod)
			hi := (w+1)*div + min(w+1, mod)
			for i := lo; i < hi; i++ {
				a[i] = w // norace
			}
		})
	}
	wg.Wait()
}

// Chunks from the end, the last one clamped at zero.
func S21_descendingChunks() {
	const part = 7
	a := make([]int, n)
	var wg sync.WaitGroup
	for c := n; c > 0; {
		lo, hi := c-part, c
		if lo < 0 {
			lo = 0
		}
		c -= part
		wg.Go(func() {
			for i := lo; i < hi; i++ {
				a[i] = i // norace
			}
		})
	}
	wg.Wait()
}

// Bounds are scaled by a float: the end of a chunk is the same function of the
// same number as the begin of the next.
func S22_scaledBounds() {
	const scale = 1.5
	a := make([]int, 2*n)
	run(n, 5, func(s, e int) {
		lo, hi := int(float64(s)*scale), int(float64(e)*scale)
		for y := lo; y < hi; y++ {
			a[y] = s // norace
		}
	})
}

// The same, inclusive.
func S22b_scaledInclusive() {
	const scale = 1.5
	a := make([]int, 2*n)
	run(n, 5, func(s, e int) {
		lo, hi := int(float64(s)*scale), int(float64(e)*scale)
		for y := lo; y <= hi; y++ {
			a[y] = s // race! a[*]
		}
	})
}

// Rows are shifted by a radius and back.
func S24_shiftedRows() {
	const radius, width = 2, 6
	dst := make([]int, n*width)
	run(n, 5, func(lo, hi int) {
		for y := lo + radius; y < hi+radius; y++ {
			for x := range width {
				dst[(y-radius)*width+x] = y // norace
			}
		}
	})
}

// A butterfly: chunks divide the lower half, each pairs with the upper.
func S25_butterfly() {
	const m = n / 2
	a := make([]int, n)
	run(m, 3, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := a[i]         // norace
			a[i] = t + a[i+m] // norace
			a[i+m] = t - a[i] // norace
		}
	})
}

// The chunks divide all of the array: the halves meet.
func S25b_butterflyOverAll() {
	const m = n / 2
	a := make([]int, n+m)
	run(n, 3, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t := a[i]         // race! a[*]
			a[i] = t + a[i+m] // race! a[*]
			a[i+m] = t        // race! a[*]
		}
	})
}

// Columns are written in chunks, then rows are read in chunks: the first run
// has joined before.
func S26_columnsThenRows() {
	const c, m = 4, 6
	d := make([]int, c*m)
	run(m, 3, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k := range c {
				d[k*m+i] = i // norace
			}
		}
	})
	sums := make([]int, c)
	run(c, 2, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			for _, v := range d[k*m : (k+1)*m] {
				sums[k] += v // norace
			}
		}
	})
}

// The columns have the wrong width.
func S26b_columnsTooNarrow() {
	const c, m = 4, 6
	d := make([]int, c*m)
	run(m, 3, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k := range c {
				d[k*(m-1)+i] = i // race! d[*]
			}
		}
	})
}

// Blocks of a matrix: as intervals of the array they overlap, as elements not.
func S27_blocks() {
	const size, block = 8, 4
	c := make([]int, size*size)
	var wg sync.WaitGroup
	for i := 0; i < size; i += block {
		for j := 0; j < size; j += block {
			wg.Go(func() {
				part := c[i*size+j : (i+block-1)*size+j+block]
				for r := range block {
					for k := range block {
						part[r*size+k] = i + j // norace
					}
				}
			})
		}
	}
	wg.Wait()
}

// Rows from 1 on are computed from row 0, which nobody writes.
func S29_baseRow() {
	const rows, width = 5, 6
	res := make([]int, rows*width)
	var wg sync.WaitGroup
	for i := 1; i < rows; i++ {
		for j := range width {
			wg.Go(func() {
				res[i*width+j] = res[j] + i // norace
			})
		}
	}
	wg.Wait()
}

// Row 0 is written, too.
func S29b_baseRowWritten() {
	const rows, width = 5, 6
	res := make([]int, rows*width)
	var wg sync.WaitGroup
	for i := range rows {
		for j := range width {
			wg.Go(func() {
				res[i*width+j] = res[j] + i // race! res[*]
			})
		}
	}
	wg.Wait()
}

// The slice is cut into parts, each goroutine has one.
func B10_subSlices() {
	a := make([]int, n)
	const part = 6
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += part {
		own := a[lo : lo+part]
		wg.Go(func() {
			for i := range own {
				own[i] = i // norace
			}
		})
	}
	wg.Wait()
}

// Each part is one element too long.
func B10_subSlicesOverlap() {
	a := make([]int, n+1)
	const part = 6
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += part {
		own := a[lo : lo+part+1]
		wg.Go(func() {
			for i := range own {
				own[i] = i // race! a[*]
			}
		})
	}
	wg.Wait()
}

// Pixels in rows: y*width+x with x below the width.
func B10_pixels() {
	const width = 6
	pix := make([]byte, n*width)
	var wg sync.WaitGroup
	for y := range n {
		wg.Go(func() {
			for x := range width {
				pix[y*width+x] = byte(x) // norace
			}
		})
	}
	wg.Wait()
}

// x reaches the width: the first pixel of the next row.
func B10_pixelsTooWide() {
	const width = 6
	pix := make([]byte, n*width+1)
	var wg sync.WaitGroup
	for y := range n {
		wg.Go(func() {
			for x := 0; x <= width; x++ {
				pix[y*width+x] = byte(x) // race! pix[*]
			}
		})
	}
	wg.Wait()
}

// Each iteration copies into its own part.
func B10_copyIntoPart() {
	src := []int{1, 2, 3, 4}
	dst := make([]int, n*4)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			copy(dst[i*4:(i+1)*4], src) // norace
		})
	}
	wg.Wait()
}

// The destination is open to the right, and the source too long.
func B10_copyTooMuch() {
	src := []int{1, 2, 3, 4, 5}
	dst := make([]int, n*4+1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			copy(dst[i*4:], src) // race! dst[*]
		})
	}
	wg.Wait()
}

// Each sorts its own part, which the library knows as any, or by its methods.
func B10_sortedParts() {
	a := make([]int, n*4)
	var wg sync.WaitGroup
	for lo := 0; lo < len(a); lo += 4 {
		hi := min(lo+4, len(a))
		wg.Go(func() {
			part := a[lo:hi]
			sort.Slice(part, func(i, j int) bool { return part[i] < part[j] }) // norace
		})
	}
	wg.Wait()
	for lo := 0; lo < len(a); lo += 4 {
		wg.Go(func() { sort.Sort(sort.IntSlice(a[lo : lo+4])) }) // norace
	}
	wg.Wait()
}

func B10_sortedOverlap() {
	a := make([]int, n*4)
	var wg sync.WaitGroup
	for lo := 0; lo < len(a); lo += 4 {
		hi := min(lo+5, len(a))
		wg.Go(func() {
			part := a[lo:hi]
			sort.Slice(part, func(i, j int) bool { return part[i] < part[j] }) // race! a[*]
		})
	}
	wg.Wait()
}

func B10_sortedOverlapMethods() {
	a := make([]int, n*4)
	var wg sync.WaitGroup
	for lo := 0; lo < len(a); lo += 4 {
		wg.Go(func() { sort.Sort(sort.IntSlice(a[lo:min(lo+5, len(a))])) }) // race! a
	}
	wg.Wait()
}

// What the library gives a callback are indices of what it sorts, or below a count.
func B10_callbackIndices() {
	a := make([]int, n*4)
	var wg sync.WaitGroup
	for lo := 0; lo < len(a); lo += 4 {
		hi := min(lo+4, len(a))
		wg.Go(func() {
			sort.Slice(a[lo:hi], func(i, j int) bool { return a[lo+i] < a[lo+j] }) // norace
		})
	}
	wg.Wait()
	for lo := 0; lo < len(a); lo += 4 {
		hi := min(lo+4, len(a))
		wg.Go(func() {
			rand.Shuffle(hi-lo, func(i, j int) { a[lo+i], a[lo+j] = a[lo+j], a[lo+i] }) // norace
		})
	}
	wg.Wait()
}

func B10_callbackTooMany() {
	a := make([]int, n*4+1)
	var wg sync.WaitGroup
	for lo := 0; lo < len(a); lo += 4 {
		hi := min(lo+4, len(a))
		wg.Go(func() {
			rand.Shuffle(hi-lo+1, func(i, j int) { a[lo+i], a[lo+j] = a[lo+j], a[lo+i] }) // race! a[*]
		})
	}
	wg.Wait()
}

type sheets struct {
	names []string
	keys  []int
}

func (s sheets) Len() int           { return len(s.keys) }
func (s sheets) Less(i, j int) bool { return s.keys[i] < s.keys[j] } // norace
func (s sheets) Swap(i, j int) {
	s.keys[i], s.keys[j] = s.keys[j], s.keys[i]     // norace
	s.names[i], s.names[j] = s.names[j], s.names[i] // norace
}

// Two slices are sorted together, by the methods of a struct.
func B10_sortedTogether() {
	names, keys := make([]string, n*4), make([]int, n*4)
	var wg sync.WaitGroup
	for lo := 0; lo < len(keys); lo += 4 {
		wg.Go(func() { sort.Sort(sheets{names[lo : lo+4], keys[lo : lo+4]}) })
	}
	wg.Wait()
}

// A text that is as long as the part.
func B10_copyText() {
	buf := make([]byte, n*8+1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { copy(buf[i*8:], "abcdefgh") }) // norace
	}
	wg.Wait()
}

func B10_copyLongText() {
	buf := make([]byte, n*8+1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { copy(buf[i*8:], "abcdefghi") }) // race! buf[*]
	}
	wg.Wait()
}

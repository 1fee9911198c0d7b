package index

import "sync"

// The last chunk takes the rest.
func B10_lastChunkSpecial() {
	const workers, block = 5, n / 5
	a := make([]int, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := w*block, (w+1)*block
			if w == workers-1 {
				hi = n
			}
			for i := lo; i < hi; i++ {
				a[i] = w // norace
			}
		})
	}
	wg.Wait()
}

// The first chunk is made larger, but the others do not move.
func B10_firstChunkTooLarge() {
	const workers, block = 4, n / 4
	a := make([]int, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			lo, hi := w*block, (w+1)*block
			if w == 0 {
				hi = block + 1
			}
			for i := lo; i < hi; i++ {
				a[i] = w // race! a[*]
			}
		})
	}
	wg.Wait()
}

// Float bounds: lo and hi are one function of neighbouring numbers.
func B10_floatBounds() {
	const workers = 5
	size := float64(n) / workers
	a := make([]int, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := int(float64(w) * size); i < int(float64(w+1)*size); i++ {
				a[i] = w // norace
			}
		})
	}
	wg.Wait()
}

// The bounds stand in a table; that it does not decrease is taken for granted.
func B10_tableBounds() {
	bounds := []int{0, 3, 9, 10, n}
	a := make([]int, n)
	var wg sync.WaitGroup
	for w := range len(bounds) - 1 {
		wg.Go(func() {
			for i := bounds[w]; i < bounds[w+1]; i++ {
				a[i] = w // assumed a[*]
			}
		})
	}
	wg.Wait()
}

// Workers receive the numbers of chunks.
func B10_chunkFromChannel() {
	const size = 5
	chunks := make(chan int)
	a := make([]int, n)
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for c := range chunks {
				for i := c * size; i < min((c+1)*size, n); i++ {
					a[i] = w // norace
				}
			}
		})
	}
	for c := range (n + size - 1) / size {
		chunks <- c
	}
	close(chunks)
	wg.Wait()
}

// The cursor slice: each goroutine gets the front, the loop goes on with the
// rest.
func B10_cursorSlice() {
	const part = 7
	src := make([]int, n)
	var wg sync.WaitGroup
	for len(src) > 0 {
		own := src[:min(len(src), part)]
		src = src[len(own):]
		wg.Go(func() {
			for i := range own {
				own[i] = i // norace
			}
		})
	}
	wg.Wait()
}

// The last chunk is clamped by its size, which is also the step.
func B10_clampedStep() {
	a := make([]int, n)
	var wg sync.WaitGroup
	for do, start := 3, 0; start < n; start += do {
		if start+do > n {
			do = n - start
		}
		wg.Add(1)
		go func(from, to int) {
			defer wg.Done()
			for i := from; i < to; i++ {
				a[i] = i // norace
			}
		}(start, start+do)
	}
	wg.Wait()
}

// The clamp takes too much off, so that the step may lead back.
func B10_clampedStepBack() {
	const size = n + 1
	a := make([]int, size)
	var wg sync.WaitGroup
	for do, start := 3, 0; start >= 0 && start < size; start += do {
		if start+do > size {
			do = size - start - 3
		}
		wg.Add(1)
		go func(from int) {
			defer wg.Done()
			a[from] = from // race! a[*]
		}(start)
	}
	wg.Wait()
}

// The bounds move by one: the chunk begins where the last one ended, minus one.
func B10_cursorOverlap() {
	const part = 7
	a := make([]int, n)
	var wg sync.WaitGroup
	lo := 0
	for lo < n-1 {
		hi := min(lo+part, n)
		from := lo
		wg.Go(func() {
			for i := from; i < hi; i++ {
				a[i] = i // race! a[*]
			}
		})
		lo = hi - 1
	}
	wg.Wait()
}

// Element 0 is skipped by reassigning the parameter.
func B10_startReassigned() {
	a := make([]int, n)
	run(n, 4, func(lo, hi int) {
		if lo == 0 {
			lo = 1
		}
		for i := lo; i < hi; i++ {
			a[i] = a[0] // norace
		}
	})
}

// A triangle in rows: row i has i+1 elements.
func B10_triangle() {
	a := make([]int, n*(n+1)/2)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for j := 0; j <= i; j++ {
				a[i*(i+1)/2+j] = j // norace
			}
		})
	}
	wg.Wait()
}

// Rows of rows: the outer index is the iteration's.
func B10_rowsOfRows() {
	m := make([][]int, n)
	for i := range m {
		m[i] = make([]int, n)
	}
	var wg sync.WaitGroup
	for i := range m {
		wg.Go(func() {
			for j := range m[i] {
				m[i][j] = i + j // norace
			}
		})
	}
	wg.Wait()
}

// Columns of rows: the inner index is the iteration's.
func B10_columnsOfRows() {
	m := make([][]int, n)
	for i := range m {
		m[i] = make([]int, n)
	}
	var wg sync.WaitGroup
	for j := range n {
		wg.Go(func() {
			for i := range m {
				m[i][j] = i + j // norace
			}
		})
	}
	wg.Wait()
}

// Parts of all rows; each row lies in one place only.
func B10_partsOfRows() {
	m := [][]int{make([]int, n), make([]int, n)}
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		hi := min(lo+3, n)
		wg.Go(func() {
			for _, row := range m {
				for j := lo; j < hi; j++ {
					row[j]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// The parts have an element in common.
func B10_partsOfRowsTooLong() {
	m := [][]int{make([]int, n), make([]int, n)}
	var wg sync.WaitGroup
	for lo := 0; lo < n-1; lo += 3 {
		hi := min(lo+3, n-1)
		wg.Go(func() {
			for _, row := range m {
				for j := lo; j <= hi; j++ {
					row[j]++ // race! _[*]
				}
			}
		})
	}
	wg.Wait()
}

// The rows are parts of one slice; that they do not overlap is taken for
// granted.
func B10_rowsCutFromOne() {
	all := make([]int, n*n)
	m := make([][]int, n)
	for i := range m {
		m[i] = all[i*n : (i+1)*n]
	}
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 3 {
		hi := min(lo+3, n)
		wg.Go(func() {
			for _, row := range m {
				for j := lo; j < hi; j++ {
					row[j]++ // assumed _[*]
				}
			}
		})
	}
	wg.Wait()
}

type line struct{ cells [n]int }

// Columns of what pointers point to: two pointers to one line have the same cells.
func B10_columnsBehindPointers(lines []*line) {
	var wg sync.WaitGroup
	for j := range n {
		wg.Go(func() {
			for _, l := range lines {
				l.cells[j]++ // norace
			}
		})
	}
	wg.Wait()
}

// Each iteration has a column, but also writes the next one's.
func B10_nextColumnToo(lines []*line) {
	var wg sync.WaitGroup
	for j := range n - 1 {
		wg.Go(func() {
			for _, l := range lines {
				l.cells[j]++     // race! _.cells[*]
				l.cells[j+1] = 0 // race! _.cells[*]
			}
		})
	}
	wg.Wait()
}

// The inner index alone is not enough.
func B10_innerIndexOnly() {
	m := make([][]int, n)
	for i := range m {
		m[i] = make([]int, n)
	}
	var wg sync.WaitGroup
	for i := range m {
		wg.Go(func() {
			for j := range m[i] {
				m[0][j] = i // race! _[*]
			}
		})
	}
	wg.Wait()
}

// Colours: iterations write elements 3i, 3i+1, 3i+2, read all of another array.
func B10_interleaved() {
	src, dst := make([]byte, 3*n), make([]byte, 3*n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for c := range 3 {
				dst[3*i+c] = src[3*((i+1)%n)+c] // norace
			}
		})
	}
	wg.Wait()
}

// Channels per worker, filled in turn: each item goes to one worker.
func B10_roundRobin() {
	const workers = 3
	var chans [workers]chan int
	for w := range chans {
		chans[w] = make(chan int, n)
	}
	for i := range n {
		chans[i%workers] <- i
	}
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range chans {
		close(chans[w])
		wg.Go(func() {
			for i := range chans[w] {
				sums[w] += i // norace
			}
		})
	}
	wg.Wait()
}

// The loop writes the elements that it gives to nobody; those that it gave
// away come before.
func B10_rest() {
	a := make([]int, n)
	var wg sync.WaitGroup
	for i := range a {
		if i%3 == 0 {
			a[i] = -1 // norace
			continue
		}
		wg.Go(func() {
			a[i] = i // norace
		})
	}
	wg.Wait()
}

// The loop also writes those that it has given away.
func B10_restAndGiven() {
	a := make([]int, n)
	var wg sync.WaitGroup
	for i := range a {
		if i%3 != 0 {
			wg.Go(func() {
				a[i] = i // race! a[*]
			})
		}
		if i%2 == 0 {
			a[i] = -1 // race! a[*]
		}
	}
	wg.Wait()
}

type team struct {
	workers int
	xs      []int
}

func (t *team) lose() { t.workers-- }

// The stride is a field that is read before the loop and in it.
func B10_strideField() {
	t := &team{workers: 3, xs: make([]int, n)}
	var wg sync.WaitGroup
	for id := range t.workers {
		wg.Go(func() {
			for i := id; i < len(t.xs); i += t.workers {
				t.xs[i] = id // norace
			}
		})
	}
	wg.Wait()
}

// Between the two reads the field changes: there are three workers, whose
// stride is two.
func B10_strideFieldChanges() {
	t := &team{workers: 3, xs: make([]int, n)}
	workers := t.workers
	t.lose()
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() {
			for i := id; i < len(t.xs); i += t.workers {
				t.xs[i] = id // race! xs[*]
			}
		})
	}
	wg.Wait()
}

// The same, with the change in a goroutine that is waited for.
func B10_strideFieldChangedBeside() {
	t := &team{workers: 3, xs: make([]int, n)}
	workers := t.workers
	var wg sync.WaitGroup
	wg.Go(func() { t.workers = 2 })
	wg.Wait()
	for id := range workers {
		wg.Go(func() {
			for i := id; i < len(t.xs); i += t.workers {
				t.xs[i] = id // race! xs[*]
			}
		})
	}
	wg.Wait()
}

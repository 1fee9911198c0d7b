package index

import "sync"

// Rows but for the first and the last are dealt out to workers: how many there are may be less than none, and no
// worker has one then.

// IN1_interior knows neither how many rows there are nor how many workers.
func IN1_interior(grid []float64, h, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := 1+w*(h-2)/workers, 1+(w+1)*(h-2)/workers
		wg.Go(func() {
			for y := lo; y < hi; y++ {
				grid[y]++ // norace
			}
		})
	}
	wg.Wait()
}

// IN2_rows has whole rows, of which it leaves out the first and the last column, too.
func IN2_rows(grid []float64, width, h int) {
	var wg sync.WaitGroup
	for w := range 4 {
		lo, hi := 1+w*(h-2)/4, 1+(w+1)*(h-2)/4
		wg.Go(func() {
			for y := lo; y < hi; y++ {
				for x := 1; x < width-1; x++ {
					grid[y*width+x]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// IN3_before is of one row more, which is known to be no less than none.
func IN3_before(grid []float64, h, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*(h+1)/workers, (w+1)*(h+1)/workers
		wg.Go(func() {
			for y := lo; y < hi; y++ {
				grid[y]++ // norace
			}
		})
	}
	wg.Wait()
}

// IN3b_farBefore is of three more: there may be one or two where it is below zero.
func IN3b_farBefore(grid []float64, h, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*(h+3)/workers, (w+1)*(h+3)/workers
		wg.Go(func() {
			for y := lo; y < hi; y++ {
				grid[y]++ // norace
			}
		})
	}
	wg.Wait()
}

// IN4_oneMore has each worker take the first row of the next one.
func IN4_oneMore(grid []float64, h, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := 1+w*(h-2)/workers, 2+(w+1)*(h-2)/workers
		wg.Go(func() {
			for y := lo; y < hi; y++ {
				grid[y]++ // race! grid[*]
			}
		})
	}
	wg.Wait()
}

// IN5_otherTotal ends by another number of rows than it begins by.
func IN5_otherTotal(grid []float64, h, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := 1+w*(h-2)/workers, 1+(w+1)*(h-1)/workers
		wg.Go(func() {
			for y := lo; y < hi; y++ {
				grid[y]++ // race! grid[*]
			}
		})
	}
	wg.Wait()
}

// IN6_backwards has the rows from the end of one worker's to his beginning, where they are less than none.
func IN6_backwards(grid []float64, h, workers int) {
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*(h-2)/workers, (w+1)*(h-2)/workers
		wg.Go(func() {
			for y := min(lo, hi); y <= max(lo, hi); y++ {
				grid[y*y]++ // race! grid[*]
			}
		})
	}
	wg.Wait()
}

package heap

import "sync"

// Programs about slices of pointers of which each goroutine takes a part: what
// was made for one element is in that element only.

type cell struct{ n int }

func newCells(n int) []*cell {
	cells := make([]*cell, n)
	for i := range cells {
		cells[i] = &cell{}
	}
	return cells
}

func chunksOfPointers(workers int) {
	cells := newCells(100)
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*len(cells)/workers, (w+1)*len(cells)/workers
		wg.Go(func() {
			for _, c := range cells[lo:hi] {
				c.n++ // norace
			}
		})
	}
	wg.Wait()
}

func strideOfPointers(workers int) {
	cells := make([]*cell, 100)
	for i := range cells {
		c := new(cell)
		c.n = i
		cells[i] = c
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(cells); i += workers {
				cells[i].n++ // norace
			}
		})
	}
	wg.Wait()
}

// One cell is made for two elements.
func chunksOfPairs(workers int) {
	cells := make([]*cell, 100)
	for i := 0; i < len(cells)-1; i += 2 {
		c := new(cell)
		cells[i], cells[i+1] = c, c
	}
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*len(cells)/workers, (w+1)*len(cells)/workers
		wg.Go(func() {
			for i := lo; i < hi; i++ {
				cells[i].n++ // race! c.n
			}
		})
	}
	wg.Wait()
}

// The last element is moved to the front.
func chunksAfterMove(workers int) {
	cells := newCells(100)
	cells[0] = cells[99]
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := w*len(cells)/workers, (w+1)*len(cells)/workers
		wg.Go(func() {
			for _, c := range cells[lo:hi] {
				c.n++ // race! cell.n
			}
		})
	}
	wg.Wait()
}

package fp

import (
	"container/heap"
	"sync"
)

// Shrunk from programs that were written blind a ninth time.

// Blocks of a matrix are filled when the block above is ready, which is told by a channel for each.
func FP_blockedWavefront(rows, cols, block int) {
	b := &board{cols: cols + 1, data: make([]int, (rows+1)*(cols+1))}
	br, bc := (rows+block-1)/block, (cols+block-1)/block
	ready := make([][]chan struct{}, br)
	for i := range ready {
		ready[i] = make([]chan struct{}, bc)
		for j := range ready[i] {
			ready[i][j] = make(chan struct{})
		}
	}
	var wg sync.WaitGroup
	for bi := range br {
		wg.Go(func() {
			for bj := range bc {
				if bi > 0 {
					<-ready[bi-1][bj]
				}
				for i := bi*block + 1; i <= min((bi+1)*block, rows); i++ {
					for j := bj*block + 1; j <= min((bj+1)*block, cols); j++ {
						// The one above is of the block that was waited for; which channel of a table was closed is not told.
						*b.at(i, j) = *b.at(i-1, j) + *b.at(i, j-1) // race b.data[*]; see above
					}
				}
				close(ready[bi][bj])
			}
		})
	}
	wg.Wait()
}

type board struct {
	cols int
	data []int
}

func (b *board) at(i, j int) *int { return &b.data[i*b.cols+j] }

// Patches of one colour are never neighbours, and those of the next one are begun when all of one are done.
func FP_patchesByColour(cells [][]int, workers int) {
	const block = 8
	size := len(cells)
	var colours [4][]patch
	for by := 0; by*block < size; by++ {
		for bx := 0; bx*block < size; bx++ {
			c := by%2*2 + bx%2
			colours[c] = append(colours[c], patch{bx * block, by * block, min(size, (bx+1)*block), min(size, (by+1)*block)})
		}
	}
	for _, list := range colours {
		var wg sync.WaitGroup
		for _, p := range list {
			wg.Go(func() {
				for y := p.y0; y < p.y1; y++ {
					for x := p.x0; x < p.x1; x++ {
						cells[y][x] -= 4 // race cells[*][*]; which patches a list has is told by a remainder
						if x+1 < size {
							cells[y][x+1]++ // race cells[*][*]; the same
						}
					}
				}
			})
		}
		wg.Wait()
	}
}

type patch struct{ x0, y0, x1, y1 int }

// An errand is with one worker at a time, also when it is tried again, and goes to its own element.
func FP_errandsTriedAgain(workers int) {
	var mu sync.Mutex
	var queue errands
	results := make([]int, 120)
	for id := range results {
		heap.Push(&queue, &errand{prio: id % 4, run: func(try int) bool {
			results[id] += try // race results[*]; that an errand is out of the heap, and its element its own, is not put together
			return try > 2
		}})
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(queue) == 0 {
					mu.Unlock()
					return
				}
				e := heap.Pop(&queue).(*errand)
				mu.Unlock()
				if e.tries++; !e.run(e.tries) {
					mu.Lock()
					heap.Push(&queue, e)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

type errand struct {
	prio, tries int
	run         func(try int) bool
}

type errands []*errand

func (h errands) Len() int           { return len(h) }
func (h errands) Less(i, j int) bool { return h[i].prio < h[j].prio }
func (h errands) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *errands) Push(x any)        { *h = append(*h, x.(*errand)) }
func (h *errands) Pop() any {
	old := *h
	e := old[len(old)-1]
	*h = old[:len(old)-1]
	return e
}

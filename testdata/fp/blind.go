package fp

import "sync"

// False alarms of small programs that were written without knowing what is reported.

type stripedSums struct {
	locks [8]sync.Mutex
	sums  []int
}

// A lock of eight guards every eighth element: which one it is follows from the index of
// the element, by more than being it.
func FP_lockOfIndex() {
	s := &stripedSums{sums: make([]int, 100)}
	for w := range 4 {
		go func() {
			for k := range s.sums {
				l := &s.locks[(w+k)%100%len(s.locks)]
				l.Lock()
				s.sums[(w+k)%100]++ // race _[*]; see above
				l.Unlock()
			}
		}()
	}
}

type linkInChain struct {
	mu   sync.Mutex
	key  int
	next *linkInChain
}

// A list is gone through hand over hand: in each round of the loop the lock that is held has
// another name.
func FP_handOverHand() {
	var head linkInChain
	for k := range 10 {
		go func() {
			prev := &head
			prev.mu.Lock()
			for prev.next != nil && prev.next.key < k { // race _.next; see above
				cur := prev.next // race _.next; see above
				cur.mu.Lock()
				prev.mu.Unlock()
				prev = cur
			}
			prev.next = &linkInChain{key: k, next: prev.next} // race _.next; see above
			prev.mu.Unlock()
		}()
	}
}

// Buffers go round, and get a new number each time: only what is made for each message is known to have a
// number of its own.
func FP_numberedBuffers() {
	type buffer struct{ seq int }
	sums := make([]int, n)
	free, filled := make(chan *buffer, 2), make(chan *buffer)
	free <- &buffer{}
	free <- &buffer{}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for b := range filled {
				sums[b.seq]++ // race sums[*]; see above
				free <- b
			}
		})
	}
	for i := range sums {
		b := <-free
		b.seq = i
		filled <- b
	}
	close(filled)
	wg.Wait()
}

// The blocks of an anti-diagonal read only what the blocks before have written, and each other's rows nowhere: by
// (i-1)*cols+j and a column bound each. The elements are reached by pointers to them.
func FP_wavefrontByPointer(n, m, block int) {
	t := newPlane(n+1, m+1)
	nb, mb := (n+block-1)/block, (m+block-1)/block
	for d := 0; d < nb+mb-1; d++ {
		var wg sync.WaitGroup
		for x := max(0, d-mb+1); x <= min(d, nb-1); x++ {
			i0, j0 := 1+x*block, 1+(d-x)*block
			i1, j1 := min(i0+block, t.rows), min(j0+block, t.cols)
			wg.Go(func() { t.fill(i0, i1, j0, j1) })
		}
		wg.Wait()
	}
}

type plane struct {
	rows, cols int
	cells      []int
}

func newPlane(r, c int) *plane { return &plane{r, c, make([]int, r*c)} }

func (t *plane) at(i, j int) *int { return &t.cells[i*t.cols+j] }

func (t *plane) fill(i0, i1, j0, j1 int) {
	for i := i0; i < i1; i++ {
		for j := j0; j < j1; j++ {
			*t.at(i, j) = max(*t.at(i-1, j), *t.at(i, j-1)) + 1 // race cells; each index is the product of two that are bounded apart
		}
	}
}

package fn

import "sync"

// Two lists have one array, each under its own lock.
func FN_oneArrayTwoLocks() {
	a := &half{mu: new(sync.Mutex), xs: make([]int, 4)}
	b := &half{mu: new(sync.Mutex), xs: a.xs}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i%2 == 0 {
				a.bump()
			} else {
				b.bump()
			}
		})
	}
	wg.Wait()
}

type half struct {
	mu *sync.Mutex
	xs []int
}

func (h *half) bump() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.xs[0]++ // missed xs; hidden: who reaches an array through an owner is taken to reach it through no other (S27)
}

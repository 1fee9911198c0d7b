package fp

import (
	"sync"
	"sync/atomic"
)

// Programs like those of a blind draw, the seventh.

// Each round has a counter of its tasks, and workers.
func FP_tasksOfRounds(sizes []int) {
	for _, n := range sizes {
		sum := 0
		var mu sync.Mutex
		var left atomic.Int32
		left.Store(int32(n))
		work, done := make(chan int), make(chan bool)
		for range 3 {
			go func() {
				for t := range work {
					mu.Lock()
					sum += t // race sum; the counters of two rounds have two names
					mu.Unlock()
					if left.Add(-1) == 0 {
						close(done)
					}
				}
			}()
		}
		for i := range n {
			work <- i
		}
		<-done
		close(work)
		println(sum) // race sum; the same
	}
}

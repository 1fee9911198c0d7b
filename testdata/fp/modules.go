package fp

import (
	"runtime"
	"sync"
)

// False alarms that were met in modules of the evaluation (eval/labels), made
// small.

type snapshot struct{ parts []int }

// FP_countedThroughField receives from as many goroutines as it started, and calls
// a function after each.
func FP_countedThroughField(s *snapshot, each func(int)) int {
	results := make(chan int)
	sums := make([]int, len(s.parts))
	for i, p := range s.parts {
		go func() {
			sums[i] = p // race sums[*]; each might make s.parts shorter
			results <- p
		}()
	}
	for i := 0; i < len(s.parts); i++ {
		each(<-results)
	}
	return sums[0] // race sums[*]; see there
}

type iterator struct {
	from []int
	cur  int
}

var emptyIterator = &iterator{}

func iterate(xs []int) *iterator {
	if xs == nil {
		return emptyIterator
	}
	return &iterator{from: xs}
}

// FP_emptyObject shares an iterator that is never written.
func FP_emptyObject(lists [][]int) {
	var wg sync.WaitGroup
	for _, xs := range lists {
		wg.Go(func() {
			for it := iterate(xs); it.next(); {
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

func (it *iterator) next() bool {
	if len(it.from) == 0 { // race _.from; see there
		return false
	}
	it.cur = it.from[0]   // race _.cur _.from; that the empty iterator has nothing to go on with is not known
	it.from = it.from[1:] // race _.from; see there
	return true
}

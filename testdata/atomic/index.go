package atomics

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The result of Add is handed out once.
func S30_uniqueSlot() {
	out := make([]int, n+1)
	var next int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			out[atomic.AddInt32(&next, 1)] = i // norace
		})
	}
	wg.Wait()
}

// Add and then Load: two may load the same.
func S30b_addThenLoad() {
	out := make([]int, n+1)
	var next int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			atomic.AddInt32(&next, 1)
			runtime.Gosched()
			out[atomic.LoadInt32(&next)] = i // race! out[*]
		})
	}
	wg.Wait()
}

// The slot is given back when the limit is passed; below it, slots are handed
// out once only, because the counter never drops below the limit again.
func S31_slotWithRollback() {
	const limit = 4
	feasible := make([]int, limit)
	var count int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			k := atomic.AddInt32(&count, 1)
			if k > limit {
				atomic.AddInt32(&count, -1)
			} else {
				feasible[k-1] = i // norace
			}
		})
	}
	wg.Wait()
}

// Workers take the next index until there is none left.
func S32_workStealing() {
	out := make([]int, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(out) {
					return
				}
				out[i] = i * i // norace
			}
		})
	}
	wg.Wait()
}

// The next index is loaded and stored in two steps.
func S32b_loadThenStore() {
	out := make([]int, 100*n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				i := int(next.Load())
				if i >= len(out) {
					return
				}
				out[i] = i * i // race! out[*]
				runtime.Gosched()
				next.Store(int64(i + 1))
			}
		})
	}
	wg.Wait()
}

// The next index is taken before the loop and at the end of each round.
func Fetched_each() {
	out := make([]int, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := int(next.Add(1) - 1); i < len(out); i = int(next.Add(1) - 1) {
				out[i] = i * i // norace
			}
		})
	}
	wg.Wait()
}

// The first one is not off by one, the others are.
func Fetched_offByOne() {
	out := make([]int, 100*n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := int(next.Add(1)); i < len(out); i = int(next.Add(1) - 1) {
				out[i] = i * i // race! out[*]
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

// The first one is where another counter stands.
func Fetched_otherCounter() {
	out := make([]int, 100*n)
	var next, first atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := int(first.Add(1) - 1); i < len(out); i = int(next.Add(1) - 1) {
				out[i] = i * i // race! out[*]
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}

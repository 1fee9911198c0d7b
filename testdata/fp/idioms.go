package fp

import "sync"

// Ways to share that are often met, and are not understood.

type eventOfBatch struct{ n int }

// What is received is collected, and each batch goes to a goroutine of its own.
func FP_batchFromChannel() {
	in := make(chan *eventOfBatch)
	go func() {
		for i := range 100 {
			in <- &eventOfBatch{i}
		}
		close(in)
	}()
	var wg sync.WaitGroup
	var batch []*eventOfBatch
	flush := func() {
		b := batch
		batch = nil
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, e := range b {
				e.n++ // race _.n; that each is received once, and put into one batch, is not put together
			}
		}()
	}
	for e := range in {
		if batch = append(batch, e); len(batch) == 10 {
			flush()
		}
	}
	flush()
	wg.Wait()
}

// The rest goes to a goroutine of its own, too.
func FP_restToGoroutine() {
	in := make(chan int)
	go func() {
		for i := range 100 {
			in <- i
		}
		close(in)
	}()
	var wg sync.WaitGroup
	batch := make([]int, 0, 10)
	for x := range in {
		batch = append(batch, x) // race _[*]; that each round goes on with another array is not put together where the variable is captured
		if len(batch) == 10 {
			full := batch
			wg.Go(func() { _ = full[0] }) // race _[*]; as above
			batch = make([]int, 0, 10)
		}
	}
	wg.Go(func() { _ = batch[0] })
	wg.Wait()
}

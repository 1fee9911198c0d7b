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

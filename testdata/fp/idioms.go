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

type queueOfFuncs struct {
	mu   sync.Mutex
	list []func()
}

func (q *queueOfFuncs) push(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, f)
}

func (q *queueOfFuncs) pop() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	f := q.list[0]
	q.list = q.list[1:]
	return f
}

// Functions that have captured a number each are put into a list, and each is taken from there once.
func FP_queueOfFuncs() {
	q := &queueOfFuncs{}
	out := make([]int, 20)
	for i := range out {
		q.push(func() {
			out[i] = i // race out[*]; that each function is taken once is known of what a channel hands out only
		})
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for f := q.pop(); f != nil; f = q.pop() {
				f()
			}
		})
	}
	wg.Wait()
}

package fp

import "sync"

// Two ways to share that are often met, and are not understood.

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

type loadOfText struct {
	done chan struct{}
	text *textOfLoad
}

type textOfLoad struct{ tags []string }

type textLoader struct {
	mu    sync.Mutex
	loads map[int]*loadOfText
}

// Who loads a text fills it through what others wait for, and find it by.
func FP_filledThroughPromise() {
	l := &textLoader{loads: make(map[int]*loadOfText)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			print(len(l.text(i % 3).tags)) // race _.tags; the pointer was loaded after the close, which is not looked at behind a load
		})
	}
	wg.Wait()
}

func (l *textLoader) text(key int) *textOfLoad {
	l.mu.Lock()
	if c, ok := l.loads[key]; ok {
		l.mu.Unlock()
		<-c.done
		return c.text
	}
	c := &loadOfText{done: make(chan struct{})}
	l.loads[key] = c
	l.mu.Unlock()
	c.text = &textOfLoad{}
	c.text.tags = append(c.text.tags, "new") // race _.tags; so here
	close(c.done)
	return c.text
}

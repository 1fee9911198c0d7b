package call

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// perWorkerReduce gives each worker a state of its own: a body for its items,
// and a function that is called at its end, one worker at a time.
func perWorkerReduce(workers int, items []int, factory func() (body func(int), done func())) {
	var mu sync.Mutex
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			body, done := factory()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					break
				}
				body(items[i])
			}
			mu.Lock()
			defer mu.Unlock()
			done()
		})
	}
	wg.Wait()
}

// Workers sum for themselves; the helper serialises the final additions.
func B10_stateAndReduce() {
	total := 0
	perWorkerReduce(3, []int{1, 2, 3, 4}, func() (func(int), func()) {
		sum := 0
		return func(v int) {
				sum += v // norace
			}, func() {
				total += sum // norace
			}
	})
	_ = total
}

// fanOut starts workers that get the channel itself.
func fanOut(workers int, items []*P, body func(<-chan *P)) {
	ch := make(chan *P)
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			body(ch)
		}()
	}
	for _, it := range items {
		ch <- it
	}
	close(ch)
	wg.Wait()
}

// The body ranges over the channel that the helper gives it.
func B10_channelCallback() {
	items := []*P{{}, {}, {}, {}}
	done := 0
	fanOut(2, items, func(ch <-chan *P) {
		for p := range ch {
			p.x = 1 // norace
			done++  // race! done
		}
	})
}

// parallelizeUntil is like client-go's: workers share the pieces of work.
func parallelizeUntil(ctx context.Context, workers, pieces int, do func(piece int)) {
	toProcess := make(chan int, pieces)
	for i := range pieces {
		toProcess <- i
	}
	close(toProcess)
	var wg sync.WaitGroup
	wg.Add(workers)
	for range workers {
		go func() {
			defer wg.Done()
			for piece := range toProcess {
				select {
				case <-ctx.Done():
					return
				default:
					do(piece)
				}
			}
		}()
	}
	wg.Wait()
}

// Each piece has its own element, and errors go where they may collide.
func B10_parallelizeUntil() {
	results := make([]int, n)
	failed := 0
	parallelizeUntil(context.Background(), 3, n, func(piece int) {
		results[piece] = piece // norace
		if piece%2 == 0 {
			failed++ // race! failed
		}
		runtime.Gosched()
	})
}

// The worker is a local closure variable.
func B10_localClosureVariable() {
	work := make(chan *P)
	count := 0
	var wg sync.WaitGroup
	worker := func() {
		defer wg.Done()
		for p := range work {
			p.x++   // norace
			count++ // race! count
		}
	}
	for range 3 {
		wg.Add(1)
		go worker()
	}
	for range n {
		work <- &P{}
	}
	close(work)
	wg.Wait()
}

// The client is shared; its method only reads what is shared.
type client struct {
	base  string
	calls atomic.Int64
}

func (c *client) get(path string) string {
	c.calls.Add(1)
	return c.base + path // norace
}

// A shared client is used from all bodies of an errgroup.
func B10_sharedClient() error {
	c := &client{base: "http://"}
	g, ctx := errgroup.WithContext(context.Background())
	pages := make([]string, n)
	for i := range pages {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			pages[i] = c.get("x") // norace
			return nil
		})
	}
	return g.Wait()
}

type memo struct {
	once sync.Once
	val  *P
}

func (m *memo) load() *P {
	m.once.Do(func() {
		m.val = &P{x: 1} // norace
	})
	return m.val // norace
}

// A memo with Once is loaded by all.
func B10_onceMemo() {
	m := &memo{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = m.load().x // norace
		})
	}
	wg.Wait()
}

// A memo without Once is, too.
func B10_memoWithoutOnce() {
	m := &badMemo{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			_ = m.load().origin // race! m.val
		})
	}
	wg.Wait()
}

type badMemo struct{ val *P }

func (m *badMemo) load() *P {
	if m.val == nil { // race! m.val
		m.val = &P{x: 1} // race! m.val
	}
	return m.val // race! m.val
}

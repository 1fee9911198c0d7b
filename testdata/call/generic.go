package call

import (
	"runtime"
	"sync"
)

// A generic method writes a shared box.
func B10_genericMethodOnShared() {
	b := &box[int]{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.set(i) // race! b.v
		})
	}
	wg.Wait()
}

type box[T any] struct{ v T }

func (b *box[T]) set(v T) {
	b.v = v // race! b.v
}

type cell[T any] struct{ v T }

func (c *cell[T]) set(v T) { c.v = v }

// The same generic method, on a cell per element.
func B10_genericMethodOnOwn() {
	cs := make([]cell[string], n)
	var wg sync.WaitGroup
	for i := range cs {
		wg.Go(func() {
			cs[i].set("x") // norace
		})
	}
	wg.Wait()
}

// mapAll applies f to each element in parallel.
func mapAll[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	var wg sync.WaitGroup
	for i, v := range in {
		wg.Go(func() { out[i] = f(v) })
	}
	wg.Wait()
	return out
}

// A generic parallel map, used at two types; one callback counts its calls.
func B10_genericMap() {
	calls := 0
	_ = mapAll([]int{1, 2, 3}, func(v int) string { return "x" })
	_ = mapAll([]string{"a", "b"}, func(v string) int {
		calls++ // race! calls
		return len(v)
	})
}

// forEach hands each item to the callback by pointer.
func forEach[T any](items []T, f func(int, *T)) {
	var wg sync.WaitGroup
	for i := range items {
		wg.Go(func() { f(i, &items[i]) })
	}
	wg.Wait()
}

// A callback gets the address of its own element.
func B10_callbackWithOwnPointer() {
	ps := make([]P, n)
	forEach(ps, func(i int, p *P) {
		p.x = i        // norace
		p.moveTo(i, i) // norace
	})
}

// pooled starts workers that call a body with an item and their number.
func pooled(workers int, items []int, body func(item, worker int)) {
	work := make(chan int)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for it := range work {
				body(it, w)
			}
		})
	}
	for _, it := range items {
		work <- it
	}
	close(work)
	wg.Wait()
}

// A worker adds into its own slot, as told by the helper.
func B10_workerSlotFromHelper() {
	sums := make([]int, 4)
	pooled(4, []int{1, 2, 3, 4, 5}, func(item, worker int) {
		sums[worker] += item // norace
	})
}

// A worker adds into the slot of the item, which two workers may share.
func B10_itemSlotShared() {
	sums := make([]int, 4)
	pooled(4, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, func(item, worker int) {
		sums[item%4] += item // race! sums[*]
	})
}

// perWorker makes a state for each worker and gives it the items.
func perWorker(workers int, items []int, factory func() func(int)) {
	work := make(chan int, len(items))
	for _, it := range items {
		work <- it
	}
	close(work)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			body := factory()
			for it := range work {
				body(it)
			}
		})
	}
	wg.Wait()
}

// Each worker's closure sums into a variable of its own.
func B10_stateFactory() {
	perWorker(4, []int{1, 2, 3}, func() func(int) {
		sum := 0
		return func(it int) {
			sum += it // norace
		}
	})
}

// The closures of all workers sum into one variable.
func B10_stateOutsideFactory() {
	sum := 0
	perWorker(4, []int{1, 2, 3, 4, 5, 6, 7, 8}, func() func(int) {
		return func(it int) {
			sum += it // race! sum
			runtime.Gosched()
		}
	})
}

// An interface holds one of two handlers, one of which keeps state.
func B10_interfaceCallback() {
	h := &logHandler{}
	for _, hd := range []handler{h, quietHandler{}} {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				hd.handle(i) // race! h.last
			})
		}
		wg.Wait()
	}
}

type handler interface{ handle(int) }

type logHandler struct{ last int }

func (h *logHandler) handle(i int) {
	h.last = i // race! h.last
}

type quietHandler struct{}

func (quietHandler) handle(int) {}

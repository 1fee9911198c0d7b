package index

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A number, a chunk or an item that a thread takes under a lock nobody else gets.

func TK1_counter(out []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(out) {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK1b_leftBetween() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				mu.Unlock()
				if i >= len(out) {
					return
				}
				out[i]++ // race! out
				mu.Lock()
				next++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TK1c_nobodyElseLocks() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				var mu sync.Mutex
				mu.Lock()
				i := next // race! next
				next++    // race! next
				mu.Unlock()
				if i >= len(out) {
					return
				}
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK1d_sometimes() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for w := range 4 {
		wg.Go(func() {
			for range 16 {
				mu.Lock()
				i := next
				if w > 1 {
					next++
				}
				mu.Unlock()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK1e_ring() {
	out := make([]int, 4)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for range 16 {
				mu.Lock()
				i := next
				next++
				if next == len(out) {
					next = 0
				}
				mu.Unlock()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK1e2_roundRobin() {
	out := make([]int, 4)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for range 16 {
				mu.Lock()
				i := next
				next = (next + 1) % len(out)
				mu.Unlock()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK1f_checkedFirst(out []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				if i == len(out) {
					mu.Unlock()
					return
				}
				next = i + 1
				mu.Unlock()
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK1g_usedAfterCheck() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 64 {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				if i == len(out)-1 {
					mu.Unlock()
					out[i]++ // race! out
					return
				}
				next = i + 1
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TK1h_secondRound() {
	out := make([]int, 128)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 64 {
		wg.Go(func() {
			taken := false
			for {
				mu.Lock()
				i := next
				if taken {
					mu.Unlock()
					out[i]++ // race! out
					return
				}
				next++
				mu.Unlock()
				taken = true
			}
		})
	}
	wg.Wait()
}

type cursor struct {
	mu sync.Mutex
	n  int
}

func (c *cursor) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n - 1
}

func TK2_method(out []int) {
	var wg sync.WaitGroup
	var c cursor
	for range 4 {
		wg.Go(func() {
			for i := c.take(); i < len(out); i = c.take() {
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK2b_ownCursors() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var c cursor
			for i := c.take(); i < len(out); i = c.take() {
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK2c_twoCursors() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var cs [2]cursor
	for w := range 4 {
		wg.Go(func() {
			c := &cs[w%2]
			for i := c.take(); i < len(out); i = c.take() {
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

type lender struct {
	mu sync.Mutex
	n  int
}

func (l *lender) take() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return l.n - 1
}

func (l *lender) giveBack() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n--
}

func TK2d_givenBack() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var l lender
	for range 32 {
		wg.Go(func() {
			for range 8 {
				i := l.take()
				runtime.Gosched()
				out[i]++ // race! out
				l.giveBack()
			}
		})
	}
	wg.Wait()
}

func (c *cursor) takeBelow(n int) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n >= n {
		return 0, false
	}
	i := c.n
	c.n++
	return i, true
}

func TK3_told(out []int) {
	var wg sync.WaitGroup
	var c cursor
	for range 4 {
		wg.Go(func() {
			for {
				i, ok := c.takeBelow(len(out))
				if !ok {
					return
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK3b_notAsked() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var c cursor
	for range 4 {
		wg.Go(func() {
			for range 32 {
				i, _ := c.takeBelow(len(out))
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK3c_inForStatement(out []int) {
	var wg sync.WaitGroup
	var c cursor
	for range 4 {
		wg.Go(func() {
			for i, ok := c.takeBelow(len(out)); ok; i, ok = c.takeBelow(len(out)) {
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK3d_afterTheLoop() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var c cursor
	for range 64 {
		wg.Go(func() {
			i, ok := c.takeBelow(len(out))
			for ok {
				i, ok = c.takeBelow(len(out))
			}
			out[i]++ // race! out
		})
	}
	wg.Wait()
}

func (c *cursor) chunk(n, total int) (lo, hi int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lo = c.n
	hi = min(lo+n, total)
	c.n = hi
	return lo, hi
}

func TK4_chunks(out []int) {
	var wg sync.WaitGroup
	var c cursor
	for range 4 {
		wg.Go(func() {
			for {
				lo, hi := c.chunk(16, len(out))
				if lo == hi {
					return
				}
				for i := lo; i < hi; i++ {
					out[i]++ // assumed out
				}
			}
		})
	}
	wg.Wait()
}

func TK4b_oneMore() {
	out := make([]int, 65)
	var wg sync.WaitGroup
	var c cursor
	for range 4 {
		wg.Go(func() {
			for {
				lo, hi := c.chunk(4, 64)
				if lo == hi {
					return
				}
				for i := lo; i <= hi; i++ {
					out[i]++ // race! out
				}
			}
		})
	}
	wg.Wait()
}

func TK4c_fixedChunks(out []int) {
	const size = 8
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				lo := next
				next += size
				mu.Unlock()
				if lo >= len(out) {
					return
				}
				for i := lo; i < min(lo+size, len(out)); i++ {
					out[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

func TK5_closure(out []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := len(out)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next--
		return next
	}
	for range 4 {
		wg.Go(func() {
			for i := take(); i >= 0; i = take() {
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK5b_closureUnlocksEarly() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() int {
		mu.Lock()
		next++
		mu.Unlock()
		mu.Lock()
		defer mu.Unlock()
		return next - 1
	}
	for range 4 {
		wg.Go(func() {
			for range 16 {
				out[take()]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK5c_readLock() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var mu sync.RWMutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for range 16 {
				mu.RLock()
				i := next // race! next
				next++    // race! next
				mu.RUnlock()
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK6_table(idx []int, out []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				if next == len(idx) {
					mu.Unlock()
					return
				}
				i := idx[next]
				next++
				mu.Unlock()
				out[i] = i // assumed out
			}
		})
	}
	wg.Wait()
}

type task struct{ in, out int }

func TK7_queue(tasks []*task) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(tasks) == 0 {
					mu.Unlock()
					return
				}
				t := tasks[0]
				tasks = tasks[1:]
				mu.Unlock()
				t.out = t.in * 2 // norace
			}
		})
	}
	wg.Wait()
}

func TK7b_nextOne() {
	var tasks []*task
	for range 100 {
		tasks = append(tasks, &task{})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 64 {
		wg.Go(func() {
			mu.Lock()
			t := tasks[0]
			u := tasks[1]
			tasks = tasks[1:]
			mu.Unlock()
			t.out++ // race! t.out
			u.out++ // race! t.out
		})
	}
	wg.Wait()
}

func TK7c_stack(tasks []*task) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				n := len(tasks)
				if n == 0 {
					mu.Unlock()
					return
				}
				t := tasks[n-1]
				tasks = tasks[:n-1]
				mu.Unlock()
				t.out = t.in * 2 // norace
			}
		})
	}
	wg.Wait()
}

func TK7d_peeked() {
	var tasks []*task
	for range 100 {
		tasks = append(tasks, &task{})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 64 {
		wg.Go(func() {
			mu.Lock()
			t := tasks[0]
			mu.Unlock()
			t.out++ // race! t.out
			mu.Lock()
			tasks = tasks[1:]
			mu.Unlock()
		})
	}
	wg.Wait()
}

func TK7e_refilled() {
	all := []*task{{}, {}, {}, {}, {}, {}}
	tasks := all
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 4 {
		wg.Go(func() {
			for range 8 {
				mu.Lock()
				if len(tasks) == 0 {
					tasks = all
				}
				t := tasks[0]
				tasks = tasks[1:]
				mu.Unlock()
				t.out++ // race! t.out
			}
		})
	}
	wg.Wait()
}

type taskQueue struct {
	mu    sync.Mutex
	tasks []*task
}

func (q *taskQueue) push(t *task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, t)
}

func (q *taskQueue) pop() *task {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return nil
	}
	t := q.tasks[0]
	q.tasks = q.tasks[1:]
	return t
}

func TK8_queueMethods() {
	var q taskQueue
	for i := range 64 {
		q.push(&task{in: i})
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for t := q.pop(); t != nil; t = q.pop() {
				t.out = t.in * 2 // assumed t.out
			}
		})
	}
	wg.Wait()
}

func TK9_batches(tasks []task) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	rest := tasks
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				batch := rest[:min(8, len(rest))]
				rest = rest[len(batch):]
				mu.Unlock()
				if len(batch) == 0 {
					return
				}
				for i := range batch {
					batch[i].out = batch[i].in // norace
				}
			}
		})
	}
	wg.Wait()
}

func TK9b_batchesOverlap() {
	tasks := make([]task, 64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	rest := tasks
	for range 4 {
		wg.Go(func() {
			for range 4 {
				mu.Lock()
				batch := rest[:4]
				rest = rest[3:]
				mu.Unlock()
				for i := range batch {
					batch[i].out++ // race! batch[*].out
				}
			}
		})
	}
	wg.Wait()
}

func TK9c_grows() {
	out := make([]int, 64)
	rest := out[:32]
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 16 {
		wg.Go(func() {
			for range 50 {
				mu.Lock()
				last := rest[len(rest)-1:]
				rest = rest[:len(rest)-1]
				mu.Unlock()
				runtime.Gosched()
				last[0]++ // race! out
				mu.Lock()
				rest = rest[:len(rest)+1]
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TK10_ofSteps(out []int, step int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				lo := next
				next += step
				mu.Unlock()
				if lo >= len(out) {
					return
				}
				for i := lo; i < min(lo+step, len(out)); i++ {
					out[i] = i // assumed out
				}
			}
		})
	}
	wg.Wait()
}

type branch struct {
	out  int
	kids []*branch
}

func TK11_worksOff(roots []*branch) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	rest := append([]*branch(nil), roots...)
	for range 4 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(rest) == 0 {
					mu.Unlock()
					return
				}
				b := rest[len(rest)-1]
				rest = rest[:len(rest)-1]
				mu.Unlock()
				b.out++ // norace
				mu.Lock()
				rest = append(rest, b.kids...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TK11b_givenBackInUse() {
	rest := []*branch{{}, {}, {}, {}}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 64 {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				if len(rest) == 0 {
					mu.Unlock()
					continue
				}
				b := rest[0]
				rest = rest[1:]
				rest = append(rest, b)
				mu.Unlock()
				b.out++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK11c_looksAtTheNext() {
	rest := make([]*branch, 0, 100)
	for range 100 {
		rest = append(rest, &branch{})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 64 {
		wg.Go(func() {
			for range 1 {
				mu.Lock()
				b, next := rest[0], rest[1]
				rest = rest[1:]
				rest = append(rest, &branch{})
				mu.Unlock()
				runtime.Gosched()
				b.out++    // race! out
				next.out++ // race! out
			}
		})
	}
	wg.Wait()
}

func TK12_downAndClamped() {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 32
	for w := range 32 {
		wg.Go(func() {
			if w%2 == 0 {
				mu.Lock()
				i := next
				next--
				mu.Unlock()
				runtime.Gosched()
				out[i]++ // race! out
				return
			}
			mu.Lock()
			k := next
			next = min(next, 40)
			mu.Unlock()
			_ = out[k] // race! out
		})
	}
	wg.Wait()
}

func TK13_noLock() {
	var rest []*branch
	for range 100 {
		rest = append(rest, &branch{})
	}
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			b := rest[0]    // race! rest
			rest = rest[1:] // race! rest
			runtime.Gosched()
			b.out++ // race! out
		})
	}
	wg.Wait()
}

func TK13b_givenBackThenUsed() {
	var rest []*branch
	for range 4 {
		rest = append(rest, &branch{})
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 4 {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				b := rest[0]
				rest = rest[1:]
				mu.Unlock()
				mu.Lock()
				rest = append(rest, b)
				mu.Unlock()
				runtime.Gosched()
				b.out++ // race! out
			}
		})
	}
	wg.Wait()
}

const (
	shuffles = false
	checks   = true
)

// A constant says that no other element is taken.
func TK14_neverShuffled(order []int) {
	out := make([]int, 64)
	var wg sync.WaitGroup
	var count atomic.Uint32
	for range 4 {
		wg.Go(func() {
			for {
				i := int(count.Add(1)) - 1
				if i >= len(out) {
					return
				}
				if shuffles && len(order) > i {
					i = order[i]
				}
				out[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func TK14b_shuffled() {
	out := make([]int, 64)
	order := make([]int, 64)
	var wg sync.WaitGroup
	var count atomic.Uint32
	for range 4 {
		wg.Go(func() {
			for {
				i := int(count.Add(1)) - 1
				if i >= len(out) {
					return
				}
				if checks && len(order) > i {
					i = order[i]
				}
				out[i]++ // race! out
			}
		})
	}
	wg.Wait()
}

// What a constant keeps from being put there is not there.
func TK15_neverPut() {
	type cell struct{ n int }
	shared := &cell{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := &cell{}
			if !checks {
				c = shared
			}
			c.n++ // norace
		})
	}
	wg.Wait()
}

func TK15b_put() {
	type cell struct{ n int }
	shared := &cell{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := &cell{}
			if checks {
				c = shared
			}
			c.n++ // race! shared
		})
	}
	wg.Wait()
}

// A branch that a constant always takes leaves nothing of what was there before.
func TK16_alwaysOwn() {
	type cell struct{ n int }
	shared := &cell{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := shared
			if checks {
				c = &cell{}
			}
			c.n++ // norace
		})
	}
	wg.Wait()
}

func TK16b_neverOwn() {
	type cell struct{ n int }
	shared := &cell{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := shared
			if shuffles {
				c = &cell{}
			}
			c.n++ // race! shared
		})
	}
	wg.Wait()
}

// Nor is anything put into a field there.
func TK17_neverStored() {
	type cell struct{ n int }
	type box struct{ c *cell }
	shared := &cell{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b := &box{c: &cell{}}
			if shuffles {
				b.c = shared
			}
			b.c.n++ // norace
		})
	}
	wg.Wait()
}

func TK17b_stored() {
	type cell struct{ n int }
	type box struct{ c *cell }
	shared := &cell{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b := &box{c: &cell{}}
			if checks {
				b.c = shared
			}
			b.c.n++ // race! shared
		})
	}
	wg.Wait()
}

// A counter without sign that was added to is not zero, so that one less is no large number.
func TK10_unsigned(xs []float64) {
	const block = 8
	var next atomic.Uint32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				lo := int(next.Add(1)-1) * block
				if lo >= len(xs) {
					return
				}
				part := xs[lo:min(lo+block, len(xs))]
				for i := range part {
					part[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// The parts are longer than they are apart.
func TK10b_unsigned(xs []float64) {
	const block = 8
	var next atomic.Uint32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				lo := int(next.Add(1)-1) * block
				if lo >= len(xs) {
					return
				}
				part := xs[lo:min(lo+block+1, len(xs))]
				for i := range part {
					part[i]++ // race! xs[*]
				}
			}
		})
	}
	wg.Wait()
}

// What others add is not taken off again.
func TK10c_loaded(xs []float64) {
	var next atomic.Uint32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			next.Add(1)
			i := int(next.Load() - 1)
			if i < len(xs) {
				xs[i]++ // race! xs[*]
			}
		})
	}
	wg.Wait()
}

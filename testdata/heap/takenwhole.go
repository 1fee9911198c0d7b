package heap

import "sync"

// What is taken away as a whole, under the lock under which others put into it.

type takenBatch struct {
	mu    sync.Mutex
	items []int
	seen  map[int]bool
	first *batchItem
}

type batchItem struct{ uses int }

func (b *takenBatch) add(x int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, x) // norace
	if b.seen == nil {
		b.seen = map[int]bool{}
	}
	b.seen[x] = true // norace
	if b.first == nil {
		b.first = &batchItem{}
	}
	b.first.uses++ // norace
}

func (b *takenBatch) flush() (sum int) {
	b.mu.Lock()
	items, seen, first := b.items, b.seen, b.first
	b.items, b.seen = nil, make(map[int]bool)
	b.first = nil
	b.mu.Unlock()
	for i, x := range items {
		sum += x
		items[i] = 0 // norace
	}
	delete(seen, 0) // norace
	if first != nil {
		first.uses = 0 // norace
	}
	return sum
}

func TW1_flushed() {
	b := &takenBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.flush()
		})
	}
	wg.Wait()
}

// The goroutine that flushes is another one than those that add.
func TW2_flusher() {
	b := &queueBatch{}
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			for _, x := range b.take() {
				_ = x // norace
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	for i := range n {
		b.add(i)
	}
	close(stop)
	<-done
}

type queueBatch struct {
	mu    sync.Mutex
	items []int
}

func (b *queueBatch) add(x int) {
	b.mu.Lock()
	b.items = append(b.items, x) // norace
	b.mu.Unlock()
}

func (b *queueBatch) take() []int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.items) == 0 {
		return nil
	}
	items := b.items
	b.items = nil
	return items
}

// What waits is taken over, by leaving nil in its place.
func TW3_takenOver() {
	o := &taskOwner{tasks: make([]func(), 0, 8)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			o.mu.Lock()
			o.tasks = append(o.tasks, func() {}) // norace
			o.mu.Unlock()
		})
		wg.Go(func() {
			o.mu.Lock()
			mine := o.tasks
			o.tasks = nil
			o.mu.Unlock()
			for _, f := range mine { // norace
				f()
			}
		})
	}
	wg.Wait()
}

type taskOwner struct {
	mu    sync.Mutex
	tasks []func()
}

// There are several objects, whose maps are made in one place; each is taken away from its
// own, and found there.
func TW4_severalObjects() {
	b, c := newTwin(), newTwin()
	b.reset()
	c.reset()
	var wg sync.WaitGroup
	wg.Go(func() {
		b.mu.Lock()
		seen := b.seen
		b.seen = make(map[int]bool)
		b.mu.Unlock()
		delete(seen, 0) // norace
	})
	for _, x := range []*twin{b, c} {
		x.mu.Lock()
		x.seen[1] = true // norace
		x.mu.Unlock()
	}
	wg.Wait()
}

type twin struct {
	mu   sync.Mutex
	seen map[int]bool
}

func newTwin() *twin { return &twin{} }

func (t *twin) reset() { t.seen = make(map[int]bool) }

// One of several is found without its lock.
func TW4b_severalUnlocked() {
	b, c := newTwin(), newTwin()
	b.reset()
	c.reset()
	var wg sync.WaitGroup
	wg.Go(func() {
		b.mu.Lock()
		seen := b.seen
		b.seen = make(map[int]bool) // race! seen
		b.mu.Unlock()
		delete(seen, 0) // race! seen[*]
	})
	for _, x := range []*twin{b, c} {
		x.seen[1] = true // race! seen seen[*]
	}
	wg.Wait()
}

// What one has is put into an object that is made elsewhere, too, and found there under the
// lock of that one.
func TW4c_elsewhere() {
	b, o := newTwin(), &twinOther{}
	b.reset()
	o.seen = b.seen
	var wg sync.WaitGroup
	wg.Go(func() {
		b.mu.Lock()
		seen := b.seen
		b.seen = make(map[int]bool)
		b.mu.Unlock()
		delete(seen, 0) // race! seen[*]
	})
	o.mu.Lock()
	o.seen[1] = true // race! seen[*]
	o.mu.Unlock()
	wg.Wait()
}

type twinOther struct {
	mu   sync.Mutex
	seen map[int]bool
}

// It is looked at, and left where it is.
func TW1b_left() {
	b := &leftBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.look()
		})
	}
	wg.Wait()
}

type leftBatch struct {
	mu   sync.Mutex
	seen map[int]bool
}

func (b *leftBatch) add(x int) {
	b.mu.Lock()
	if b.seen == nil {
		b.seen = map[int]bool{}
	}
	b.seen[x] = true // race! seen[*]
	b.mu.Unlock()
}

func (b *leftBatch) look() int {
	b.mu.Lock()
	seen := b.seen
	b.mu.Unlock()
	return len(seen) // race! seen[*]
}

// Who adds has let go of the lock when it puts into what it has found.
func TW1c_keptLonger() {
	b := &longBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.flush()
		})
	}
	wg.Wait()
}

type longBatch struct {
	mu   sync.Mutex
	seen map[int]bool
}

func (b *longBatch) add(x int) {
	b.mu.Lock()
	if b.seen == nil {
		b.seen = map[int]bool{}
	}
	seen := b.seen
	b.mu.Unlock()
	seen[x] = true // race! seen[*]
}

func (b *longBatch) flush() int {
	b.mu.Lock()
	seen := b.seen
	b.seen = nil
	b.mu.Unlock()
	return len(seen) // race! seen[*]
}

// The lock is taken again before it is put into.
func TW1d_lockedAgain() {
	b := &againBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.flush()
		})
	}
	wg.Wait()
}

type againBatch struct {
	mu   sync.Mutex
	seen map[int]bool
}

func (b *againBatch) add(x int) {
	b.mu.Lock()
	if b.seen == nil {
		b.seen = map[int]bool{}
	}
	seen := b.seen
	b.mu.Unlock()
	b.mu.Lock()
	seen[x] = true // race! seen[*]
	b.mu.Unlock()
}

func (b *againBatch) flush() int {
	b.mu.Lock()
	seen := b.seen
	b.seen = nil
	b.mu.Unlock()
	return len(seen) // race! seen[*]
}

// It is taken away under another lock.
func TW1e_otherLock() {
	b := &twoLockBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.flush()
		})
	}
	wg.Wait()
}

type twoLockBatch struct {
	mu, out sync.Mutex
	seen    map[int]bool
}

func (b *twoLockBatch) add(x int) {
	b.mu.Lock()
	if b.seen == nil { // race! seen
		b.seen = map[int]bool{} // race! seen
	}
	seen := b.seen // race! seen
	seen[x] = true // race! seen[*]
	b.mu.Unlock()
}

func (b *twoLockBatch) flush() int {
	b.out.Lock()
	seen := b.seen // race! seen
	b.seen = nil   // race! seen
	b.out.Unlock()
	return len(seen) // race! seen[*]
}

// It is in another place, too.
func TW1f_elsewhere() {
	b := &doubleBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.flush()
		})
	}
	wg.Wait()
}

type doubleBatch struct {
	mu        sync.Mutex
	seen, all map[int]bool
}

func (b *doubleBatch) add(x int) {
	b.mu.Lock()
	if b.seen == nil {
		if b.all == nil {
			b.all = map[int]bool{}
		}
		b.seen = b.all
	}
	b.seen[x] = true // race! seen[*]
	b.mu.Unlock()
}

func (b *doubleBatch) flush() int {
	b.mu.Lock()
	seen := b.seen
	b.seen = nil
	b.mu.Unlock()
	return len(seen) // race! seen[*]
}

// What is taken away goes to another place, where others look for it under the lock.
func TW1g_putAside() {
	b := &asideBatch{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			b.add(i)
			b.flush()
			b.count()
		})
	}
	wg.Wait()
}

type asideBatch struct {
	mu        sync.Mutex
	seen, old map[int]bool
}

func (b *asideBatch) add(x int) {
	b.mu.Lock()
	if b.seen == nil {
		b.seen = map[int]bool{}
	}
	b.seen[x] = true // norace
	b.mu.Unlock()
}

func (b *asideBatch) flush() {
	b.mu.Lock()
	seen := b.seen
	b.seen = nil
	b.old = seen
	b.mu.Unlock()
	delete(seen, 0) // race! seen[*]
}

func (b *asideBatch) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.old) // race! seen[*]
}

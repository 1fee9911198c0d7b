package heap

import "sync"

// What is taken out of a ring by who moves its head on is his alone; see also taken.go.

// The head is moved on round the ring.
func RR1_taken() {
	q := &ring1{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // norace
			}
		})
	}
	wg.Wait()
}

type ring1 struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return t, false
	}
	t = q.slots[q.head]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

// It is looked at, and left there.
func RR1b_looked() {
	q := &ring1b{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
			if t := q.peek(); t != nil {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1b struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1b) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1b) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return t, false
	}
	t = q.slots[q.head]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

func (q *ring1b) peek() *tool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return nil
	}
	return q.slots[q.head]
}

// The head is set back, to what others have taken.
func RR1c_setBack() {
	q := &ring1c{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
			q.again()
		})
	}
	wg.Wait()
}

type ring1c struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1c) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1c) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return t, false
	}
	t = q.slots[q.head]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

func (q *ring1c) again() {
	q.mu.Lock()
	q.head, q.n = 0, 3
	q.mu.Unlock()
}

// Nobody asks whether there is one.
func RR1d_notAsked() {
	q := &ring1d{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1d struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1d) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1d) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	t = q.slots[q.head]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

// Another ring has the same slots.
func RR1e_ofOthers() {
	q := &ring1e{slots: make([]*tool, 4)}
	q.slots = shared1e
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1e struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1e) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1e) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return t, false
	}
	t = q.slots[q.head]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

var shared1e = make([]*tool, 4)

// The lock is given back before the head is moved on.
func RR1f_lockGivenBack() {
	q := &ring1f{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1f struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1f) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1f) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return t, false
	}
	t = q.slots[q.head]
	q.mu.Unlock()
	q.mu.Lock()
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

// Another number says where it is.
func RR1g_otherHead() {
	q := &ring1g{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1g struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
	from    int
}

func (q *ring1g) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1g) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n == 0 {
		return t, false
	}
	t = q.slots[q.from]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

// The head is that of another ring.
func RR1h_headOfOther() {
	q := &ring1h{slots: make([]*tool, 4)}
	q.of = &ring1h{}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1h struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
	of      *ring1h
}

func (q *ring1h) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1h) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.of.n < 0 {
		return t, false
	}
	t = q.slots[q.of.head]
	q.of.head = (q.of.head + 1) % len(q.slots)
	q.n--
	return t, true
}

// What is asked is where the head is.
func RR1i_comparesHead() {
	q := &ring1i{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // race! _.uses
			}
		})
	}
	wg.Wait()
}

type ring1i struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
}

func (q *ring1i) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[(q.head+q.n)%len(q.slots)] = t
	q.n++
}

func (q *ring1i) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.head == 5 {
		return t, false
	}
	t = q.slots[q.head]
	q.head = (q.head + 1) % len(q.slots)
	q.n--
	return t, true
}

// The head only grows, and what is put is counted by the tail.
func RR2_masked() {
	q := &ring2{slots: make([]*tool, 4)}
	for range 3 {
		q.push(&tool{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if t, ok := q.pop(); ok {
				t.uses++ // norace
			}
		})
	}
	wg.Wait()
}

type ring2 struct {
	mu      sync.Mutex
	slots   []*tool
	head, n int
	tail    int
}

func (q *ring2) push(t *tool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[q.tail&3] = t
	q.tail++
}

func (q *ring2) pop() (t *tool, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.head == q.tail {
		return nil, false
	}
	t = q.slots[q.head&3]
	q.head++
	q.n--
	return t, true
}

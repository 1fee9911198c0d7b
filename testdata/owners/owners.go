// Package owners has containers that keep to themselves what they make.
package owners

import "sync"

const n = 8

// A stack keeps the array that it has made to itself.
type stack struct{ items []int }

func (s *stack) push(x int) { s.items = append(s.items, x) }

func (s *stack) top() int { return s.items[len(s.items)-1] }

func (s *stack) drop() { s.items = s.items[:len(s.items)-1] }

// One stack is the iteration's own, the other has a lock: both are pushed to by
// one function.
func O1_ownBesideGuarded() {
	var mu sync.Mutex
	shared := &stack{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := &stack{}
			own.push(i) // norace
			own.drop()
			mu.Lock()
			shared.push(i) // norace
			shared.drop()
			mu.Unlock()
		})
	}
	wg.Wait()
}

// One stack is only read, the other filled under a lock.
func O1_readBesideGuarded() {
	var mu sync.Mutex
	input, output := &stack{}, &stack{}
	for i := range n {
		input.push(i)
		output.push(-i)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			x := input.top() // norace
			mu.Lock()
			output.push(x) // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The lock is held for the wrong one.
func O1b_wrongOneGuarded() {
	var mu sync.Mutex
	shared := &bag{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := &bag{}
			mu.Lock()
			own.put(i)
			mu.Unlock()
			shared.put(i)
		})
	}
	wg.Wait()
}

type bag struct{ items []int }

func (b *bag) put(x int) { b.items = append(b.items, x) } // race! shared.items b.items[*]

// Two stacks, each with its lock.
func O1c_eachItsLock() {
	var a, b sync.Mutex
	left, right := &stack{}, &stack{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Lock()
			left.push(i)
			left.drop()
			a.Unlock()
			b.Lock()
			right.push(i)
			_ = right.top() // norace
			b.Unlock()
		})
	}
	wg.Wait()
}

// The same, but one has got the other's array.
func O1d_arrayShared() {
	var a, b sync.Mutex
	left, right := &pile{items: make([]int, 1, 4*n)}, &pile{}
	right.items = left.items
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Lock()
			left.put(i)
			a.Unlock()
			b.Lock()
			right.put(i)
			b.Unlock()
		})
	}
	wg.Wait()
}

type pile struct{ items []int }

func (p *pile) put(x int) { p.items[0] = x } // race! items[*]

// The same, but the arrays are swapped on the way.
func O1e_arraysSwapped() {
	var a, b sync.Mutex
	left, right := newHeap(), newHeap()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Lock()
			left.put(i)
			a.Unlock()
			b.Lock()
			right.put(i)
			b.Unlock()
			if i == n/2 {
				a.Lock()
				b.Lock()
				left.items, right.items = right.items, left.items
				b.Unlock()
				a.Unlock()
			}
		})
	}
	wg.Wait()
}

type heapOf struct{ items []int }

func newHeap() *heapOf { return &heapOf{items: make([]int, 1)} }

func (h *heapOf) put(x int) { h.items[0] = x } // race items[*]; a swap under both locks hands the arrays on

// The constructor remembers what it makes.
func O1f_registered() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	holds := &holder{c: newCounter()}
	for i := range n {
		wg.Go(func() {
			a.Lock()
			holds.c.up()
			a.Unlock()
			b.Lock()
			lastCounter.up()
			b.Unlock()
			_ = i
		})
	}
	wg.Wait()
}

type counter struct{ k int }

type holder struct{ c *counter }

var lastCounter *counter

func newCounter() *counter {
	c := &counter{}
	lastCounter = c
	return c
}

func (c *counter) up() { c.k++ } // race! k

// The buffer is handed from one owner to the next.
func O1g_handedOn() {
	var a, b sync.Mutex
	left, right := &line{text: make([]byte, 1)}, &line{text: make([]byte, 1)}
	right.take(left)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Lock()
			left.write(byte(i))
			a.Unlock()
			b.Lock()
			right.write(byte(i))
			b.Unlock()
		})
	}
	wg.Wait()
}

type line struct{ text []byte }

func (l *line) take(m *line) { l.text = m.text }

func (l *line) write(c byte) { l.text[0] = c } // race! text[*]

// The place is another one when the buffer is put back.
func O1h_movedPlace() {
	var a, b sync.Mutex
	left, right := &row{text: make([]byte, 1)}, &row{text: make([]byte, 1)}
	d := &desk{cur: left}
	text := d.cur.text
	d.cur = right
	d.cur.text = text[:1]
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			a.Lock()
			left.write(byte(i))
			a.Unlock()
			b.Lock()
			right.write(byte(i))
			b.Unlock()
		})
	}
	wg.Wait()
}

type desk struct{ cur *row }

type row struct{ text []byte }

func (l *row) write(c byte) { l.text[0] = c } // race! text[*]

// What is worked on is one argument or, where that is a sentinel, the other. As
// the second the object comes without the lock.
func O1j_eitherArgument() {
	var mu sync.Mutex
	shared := &tally{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			addTo(shared, noTally)
			mu.Unlock()
			addTo(&tally{}, shared)
		})
	}
	wg.Wait()
}

type tally struct{ n int }

var noTally = &tally{}

func addTo(first, second *tally) {
	t := first
	if second != noTally {
		t = second
	}
	t.n++ // race! shared.n
}

package order

import "sync"

// The goroutines are started by a function that a helper is given; the group is the
// caller's own, and it may be called again.
func PH1_passedToHelper() {
	twiceDoubled()
	twiceDoubled()
	_ = negated([]int{3})
}

func twiceDoubled() { _ = doubled([]int{1, 2}) }

func forEach(items []int, f func(int)) {
	for _, x := range items {
		f(x)
	}
}

func doubled(items []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	forEach(items, func(x int) {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			out = append(out, 2*x) // norace
		})
	})
	wg.Wait()
	return append([]int{0}, out...) // norace
}

func negated(items []int) []int {
	var wg sync.WaitGroup
	out := make([]int, len(items))
	upTo(len(items), func(i int) {
		wg.Go(func() { out[i] = -items[i] }) // norace
	})
	wg.Wait()
	return append(out, 1) // norace
}

// The function goes through two helpers.
func PH2_throughTwo() {
	callTripled()
	callTripled()
}

func callTripled() { _ = tripled([]int{1, 2}) }

func tripled(items []int) int {
	var wg sync.WaitGroup
	out := make([]int, len(items))
	upTo(len(items), func(i int) {
		wg.Go(func() { out[i] = 3 * items[i] }) // norace
	})
	wg.Wait()
	sum := 0
	for _, x := range out {
		sum += x // norace
	}
	return sum
}

func upTo(n int, f func(int)) { span(0, n, f) }

func span(lo, hi int, f func(int)) {
	for i := lo; i < hi; i++ {
		f(i)
	}
}

// The group that is waited for is another one.
func PH3_otherGroup() {
	callHalved()
	callHalved()
}

func callHalved() { _ = halved([]int{1, 2}) }

func halved(items []int) int {
	var wg, other sync.WaitGroup
	var last int
	all(len(items), func(i int) {
		wg.Go(func() { last = items[i] / 2 }) // race! last
	})
	other.Wait()
	return last // race! last
}

func all(n int, f func(int)) {
	for i := range n {
		f(i)
	}
}

// The helper keeps the function, and runs what it was given the time before: after
// the wait.
func PH4_keptByHelper() {
	callSquared()
	callSquared()
}

func callSquared() { _ = squared([]int{1, 2}) }

func squared(items []int) int {
	var wg sync.WaitGroup
	var last int
	later(func(i int) {
		wg.Go(func() { last = items[i] * items[i] }) // race! last
	})
	wg.Wait()
	later(nil)
	return last // race! last
}

var kept func(int)

func later(f func(int)) {
	if kept != nil {
		kept(0)
	}
	kept = f
}

// One caller of the helper goes through another one, which does not end in the wait of
// the first.
func PH5_directAndThrough() {
	direct := plain([]int{1})
	through := listed([]int{1})
	_ = append(direct, through...) // norace
}

func plain(xs []int) []int {
	var wg sync.WaitGroup
	out := make([]int, len(xs))
	countUp(len(xs), func(i int) {
		wg.Go(func() { out[i] = xs[i] }) // norace
	})
	wg.Wait()
	return out
}

func listed(xs []int) []int {
	var wg sync.WaitGroup
	out := make([]int, len(xs))
	countUpTo(len(xs), func(i int) {
		wg.Go(func() { out[i] = xs[i] }) // norace
	})
	wg.Wait()
	return out
}

func countUpTo(n int, f func(int)) { countUp(n, f) }

func countUp(n int, f func(int)) {
	for i := 0; i < n; i++ {
		f(i)
	}
}

// Each call of the helper's function makes a client and the goroutine that counts for it, and
// waits until this one is done; all is run by two callers, which wait for none of them.
func PH6_waitedByEach() {
	drainedByEach()
	drainedByEach()
}

type drain struct {
	send chan int
	got  int
}

func (c *drain) pump() {
	for range c.send {
		c.got++ // norace
	}
}

func drainedByEach() {
	left := make(chan *drain)
	go func() {
		for c := range left {
			close(c.send)
		}
	}()
	atOnce(3, func() {
		c := &drain{send: make(chan int, 4)}
		idle := make(chan bool)
		go func() {
			defer close(idle)
			c.pump()
		}()
		left <- c
		<-idle
		println(c.got) // norace
	})
}

func atOnce(n int, f func()) {
	for range n {
		go f()
	}
}

// It looks before its own is done.
func PH6_notWaited() {
	drainedEarly()
	drainedEarly()
}

type hastyDrain struct {
	send chan int
	got  int
}

func (h *hastyDrain) pump() {
	for range h.send {
		h.got++ // race! h.got
	}
}

func drainedEarly() {
	left := make(chan *hastyDrain)
	go func() {
		for h := range left {
			close(h.send)
		}
	}()
	atOnce(3, func() {
		h := &hastyDrain{send: make(chan int, 4)}
		idle := make(chan bool)
		go func() {
			defer close(idle)
			h.pump()
		}()
		left <- h
		println(h.got) // race! h.got
		<-idle
	})
}

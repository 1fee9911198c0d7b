package order

import "sync"

// Functions that start goroutines and return by what to wait for them, called in several places for objects
// that are the caller's own.

// HB1: each caller waits for the group that it is handed back.
func HB1_group() {
	a := hbSquares(10)
	b := hbSquares(20)
	_, _ = a[0], b[0] // norace
}

func hbSquares(n int) []int {
	out := make([]int, n)
	p := hbStart(out)
	p.wg.Wait()
	return out
}

type hbPool struct {
	wg sync.WaitGroup
}

func hbStart(out []int) *hbPool {
	p := &hbPool{}
	p.wg.Add(4)
	for k := range 4 {
		go func() {
			defer p.wg.Done()
			out[k] = k // norace
		}()
	}
	return p
}

// HB2: one of the callers may return without having waited.
func HB2_earlyReturn() {
	a := hbUnlessFew(1)
	b := hbAlways(20)
	_, _ = a[0], b[0] // race! _[*]
}

func hbUnlessFew(n int) []int {
	out := make([]int, n+4)
	p := hbStartFew(out)
	if n < 4 {
		return out
	}
	p.wg.Wait()
	return out
}

func hbAlways(n int) []int {
	out := make([]int, n)
	p := hbStartFew(out)
	p.wg.Wait()
	return out
}

func hbStartFew(out []int) *hbPool {
	p := &hbPool{}
	p.wg.Add(4)
	for k := range 4 {
		go func() {
			defer p.wg.Done()
			out[k] = k // race! _[*]
		}()
	}
	return p
}

// HB3: one function has two, and looks at what the second one fills when it has waited for the first.
func HB3_two() {
	a, b := hbTwo(10)
	_, _ = a[0], b[0] // norace
}

func hbTwo(n int) (a, b []int) {
	a, b = make([]int, n), make([]int, n)
	p, q := hbStartTwo(a), hbStartTwo(b)
	p.wg.Wait()
	b[0]++ // race! _[*]
	q.wg.Wait()
	return a, b
}

func hbStartTwo(out []int) *hbPool {
	p := &hbPool{}
	p.wg.Add(4)
	for k := range 4 {
		go func() {
			defer p.wg.Done()
			out[k] = k // race! _[*]
		}()
	}
	return p
}

// HB4: in a round that skips the waiting the next one is started.
func HB4_skips() {
	a, b := hbSkips(10), hbSkips(20)
	_, _ = a[0], b[0] // race! _[*]
}

func hbSkips(n int) []int {
	out := make([]int, n)
	for k := 0; ; k++ {
		p := hbStartSkipped(out, k)
		if k < n-1 {
			continue
		}
		p.wg.Wait()
		return out
	}
}

func hbStartSkipped(out []int, k int) *hbPool {
	p := &hbPool{}
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		out[k] = k // race! _[*]
	}()
	return p
}

// HB5: a method waits.
func HB5_method() {
	a := hbByMethod(10)
	b := hbByMethod(20)
	_, _ = a[0], b[0] // norace
}

func hbByMethod(n int) []int {
	p := newHbWorkers()
	out := make([]int, n)
	for i := range out {
		p.submit(func() { out[i] = i }) // norace
	}
	p.close()
	return out
}

type hbWorkers struct {
	jobs chan func()
	wg   sync.WaitGroup
}

func newHbWorkers() *hbWorkers {
	p := &hbWorkers{jobs: make(chan func())}
	p.wg.Add(4)
	for range 4 {
		go p.work()
	}
	return p
}

func (p *hbWorkers) work() {
	defer p.wg.Done()
	for f := range p.jobs {
		f()
	}
}

func (p *hbWorkers) submit(f func()) { p.jobs <- f }

func (p *hbWorkers) close() {
	close(p.jobs)
	p.wg.Wait()
}

// HB6: the method does not always wait.
func HB6_methodReturns() {
	a := hbHurried(20)
	b := hbPatient(20)
	_, _ = a[0], b[0] // race! _[*]
}

func hbHurried(n int) []int {
	p := newHbHasty(n)
	out := make([]int, n)
	for i := range out {
		p.jobs <- func() { out[i] = i } // race! _[*]
	}
	p.close()
	return out
}

func hbPatient(n int) []int {
	p := newHbHasty(n)
	out := make([]int, n)
	for i := range out {
		p.jobs <- func() { out[i] = i }
	}
	close(p.jobs)
	p.wg.Wait()
	return out
}

type hbHasty struct {
	jobs  chan func()
	hurry bool
	wg    sync.WaitGroup
}

func newHbHasty(n int) *hbHasty {
	p := &hbHasty{jobs: make(chan func(), n), hurry: n > 10}
	p.wg.Add(4)
	for range 4 {
		go p.work()
	}
	return p
}

func (p *hbHasty) work() {
	defer p.wg.Done()
	for f := range p.jobs {
		f()
	}
}

func (p *hbHasty) close() {
	close(p.jobs)
	if p.hurry {
		return
	}
	p.wg.Wait()
}

// HB7: a channel tells.
func HB7_channel() {
	a := hbTold(10)
	b := hbTold(20)
	_, _ = a[0], b[0] // norace
}

func hbTold(n int) []int {
	out := make([]int, n)
	<-hbTelling(out)
	return out
}

func hbTelling(out []int) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		out[0]++ // norace
	}()
	return done
}

// HB8: what is waited for in the method is what another function has started, which the caller has in its place.
func HB8_other() {
	a := hbOther(10)
	b := hbOther(20)
	_, _ = a[0], b[0] // race! _[*]
}

func hbOther(n int) []int {
	p := hbStartOther(make([]int, 4))
	out := make([]int, n)
	p = hbKept(p, hbStartOther(out))
	p.wg.Wait()
	return out
}

func hbKept(p, _ *hbPool) *hbPool { return p }

func hbStartOther(out []int) *hbPool {
	p := &hbPool{}
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		out[0]++ // race! _[*]
	}()
	return p
}

// HB9: another one waits by the same method for a group that it has been given by somebody else.
func HB9_waitsForOther() {
	q := newHbRest()
	done := make(chan bool)
	out := make([]int, 4)
	go func() {
		q.rest()
		out[0]++ // race! _[*]
		close(done)
	}()
	hbRested(out)
	hbRested(make([]int, 4))
	<-done
}

func hbRested(out []int) {
	p := hbStartRest(out)
	p.rest()
}

type hbRest struct {
	wg sync.WaitGroup
}

func newHbRest() *hbRest { return &hbRest{} }

func hbStartRest(out []int) *hbRest {
	p := &hbRest{}
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		out[0]++ // race! _[*]
	}()
	return p
}

func (p *hbRest) rest() { p.wg.Wait() }

package order

import (
	"sync"
	"time"
)

// Goroutines that several entry points start by one method, which waits for them
// in another.

// Each run waits for its own reporter, whoever runs it.
func WT1_run() { newTally().run() }

func WT1_runAgain() {
	for range 2 {
		newTally().run()
	}
}

// One of those who run it is a goroutine itself.
func WT1_runBeside() {
	var wg sync.WaitGroup
	wg.Go(newTally().run)
	wg.Wait()
}

type tally struct {
	in  chan int
	sum *sum
}

type sum struct {
	done chan bool
	n    int
}

func newTally() *tally { return new(tally) }

func (t *tally) run() {
	t.in = make(chan int, n)
	t.sum = &sum{done: make(chan bool, 1)}
	go func() {
		t.sum.add(t.in)
	}()
	t.feed()
	t.finish()
}

// feed has goroutines and a WaitGroup of its own, made after the reporter's start.
func (t *tally) feed() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { t.in <- i })
	}
	wg.Wait()
}

func (t *tally) finish() {
	close(t.in)
	<-t.sum.done
	t.sum.n++ // norace
}

func (s *sum) add(in chan int) {
	for x := range in {
		s.n += x // norace
	}
	s.done <- true
}

// Another one waits for its own adder.
func WT2_oneMore() { newAdder(new(int)).run() }

// Two runs at the same time wait for their own adders and write one total.
func WT2_twoAtOnce() {
	var total int
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { newAdder(&total).run() })
	}
	wg.Wait()
}

type adder struct {
	total *int
	done  chan bool
}

func newAdder(total *int) *adder { return &adder{total, nil} }

func (a *adder) run() {
	a.done = make(chan bool, 1)
	go a.add()
	a.wait()
}

func (a *adder) add() {
	*a.total += 1 // race! total
	a.done <- true
}

func (a *adder) wait() {
	<-a.done
	*a.total += 2 // race! total
}

// The reporter tells before it has done with the sum.
func WT3_toldTooEarly() {
	for range 2 {
		new(early).run()
	}
	new(early).run()
}

type early struct {
	done chan bool
	n    int
}

func (e *early) run() {
	e.done = make(chan bool, 1)
	go e.report()
	e.finish()
}

func (e *early) report() {
	e.done <- true
	e.n++ // race! e.n
}

func (e *early) finish() {
	<-e.done
	e.n++ // race! e.n
}

// The second reporter tells of the first one's end, too, if it is quicker.
func WT4_sharedChannel() {
	for range 2 {
		new(halfDone).run()
	}
	new(halfDone).run()
}

type halfDone struct {
	done chan bool
	n, m int
}

func (p *halfDone) run() {
	p.done = make(chan bool, 2)
	go p.first()
	go p.second()
	p.finish()
}

func (p *halfDone) first() {
	p.n++ // race! p.n
	p.done <- true
}

func (p *halfDone) second() {
	p.m++ // race! p.m
	p.done <- true
}

func (p *halfDone) finish() {
	<-p.done
	p.n++ // race! p.n
	p.m++ // race! p.m
}

// Two copies of one function wait for their own goroutines, which say
// they are done in a closure, or a function, of their own.
func WT5_deferredClosure(rows [][]int) {
	for _, r := range rows {
		uses.Add(int64(len(marked(len(r)))))
	}
	for _, r := range rows {
		markLater(r)
	}
}

func markLater(r []int) { markAll(r) }

func markAll(r []int) []int { return marked(len(r)) }

func marked(n int) []int {
	var wg sync.WaitGroup
	own := make([]int, n)
	for i := range own {
		wg.Add(1)
		go func() {
			defer func() { wg.Done() }()
			own[i] = i // norace
		}()
	}
	wg.Wait()
	for i := range own {
		own[i]++ // norace
	}
	return own
}

// The closure is done before the last write.
func WT6_closureTooEarly(rows [][]int) {
	for _, r := range rows {
		uses.Add(int64(len(markedEarly(len(r)))))
	}
	for _, r := range rows {
		markEarlyLater(r)
	}
}

func markEarlyLater(r []int) { markEarlyAll(r) }

func markEarlyAll(r []int) []int { return markedEarly(len(r)) }

func markedEarly(n int) []int {
	var wg sync.WaitGroup
	own := make([]int, n)
	for i := range own {
		wg.Add(1)
		go func() {
			func() { wg.Done() }()
			own[i] = i // race! own[*]
		}()
	}
	wg.Wait()
	for i := range own {
		own[i]++ // race! own[*]
	}
	return own
}

// WT7: a group from a constructor, in what is called twice.
func WT7_constructed() {
	sums := sumsOf(n)
	println(sums[0]) // norace
	sumsOf(2 * n)
}

func sumsOf(n int) []int {
	out := make([]int, n)
	g := newPack()
	for i := range out {
		g.run(func() { out[i] = i }) // norace
	}
	g.wait()
	return out
}

type pack struct{ wg sync.WaitGroup }

func newPack() *pack { return &pack{} }

func (g *pack) run(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.done()
		f()
	}()
}

func (g *pack) done() { g.wg.Done() }

func (g *pack) wait() { g.wg.Wait() }

// Another group is waited for, which the same constructor has made.
func WT7b_otherGroup() {
	sums := sumsByTwo(n)
	println(sums[0]) // race! _[*]
	sumsByTwo(2 * n)
}

func sumsByTwo(n int) []int {
	out := make([]int, n)
	g, h := newPack(), newPack()
	for i := range out {
		g.run(func() { out[i] = i }) // race! _[*]
	}
	h.wait()
	return out
}

// The second call waits, the first need not.
func WT7c_onOneWay() {
	sums := hurriedSums(n, true)
	println(sums[0]) // race! _[*]
	hurriedSums(2*n, false)
	println(sums[1]) // race! _[*]
}

func hurriedSums(n int, hurry bool) []int {
	out := make([]int, n)
	g := newPack()
	for i := range out {
		g.run(func() { out[i] = i }) // race! _[*]
	}
	if hurry {
		return out
	}
	g.wait()
	return out
}

// WT8: the helper tells another group.
func WT8_tellsAnother() {
	sums := sumsTelling(n)
	println(sums[0]) // race! _[*]
	sumsTelling(2 * n)
}

func sumsTelling(n int) []int {
	out := make([]int, n)
	g, h := newPack(), newPack()
	for i := range out {
		h.wg.Add(1)
		g.wg.Add(1)
		go func() {
			g.done()
			out[i] = i // race! _[*]
			h.done()
		}()
	}
	g.wait()
	return out
}

// WT9: the work ends in the last of several timers, which says so to a group.
func WT9_endsInTimer() {
	q := &retrying{}
	for range n {
		q.wg.Add(1)
		go q.attempt(&attempt{})
	}
	q.wg.Wait()
	for _, t := range q.dead { // norace
		println(t.count) // norace
	}
}

type retrying struct {
	mu   sync.Mutex
	dead []*attempt
	wg   sync.WaitGroup
}

type attempt struct{ count int }

func (q *retrying) attempt(t *attempt) {
	t.count++ // norace
	if t.count > 1 && t.count < 3 {
		q.finish()
		return
	}
	if t.count > 3 {
		q.mu.Lock()
		q.dead = append(q.dead, t) // norace
		q.mu.Unlock()
		q.finish()
		return
	}
	time.AfterFunc(time.Microsecond, func() { q.attempt(t) })
}

func (q *retrying) finish() { q.wg.Done() }

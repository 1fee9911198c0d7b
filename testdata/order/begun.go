package order

import "sync"

const begunN = 10

// A method that starts a goroutine is called twice, one call after the other.
func BG1_twice() {
	b := &begun{}
	b.begin()
	b.begin()
	select {}
}

type begun struct {
	mu sync.Mutex
	n  int
	m  int
}

func (b *begun) begin() {
	go func() {
		b.n++ // race! n
		b.mu.Lock()
		b.m++ // norace
		b.mu.Unlock()
	}()
}

// Each call starts the goroutine of another object.
func BG2_ofTwo() {
	a, b := &begunApart{}, &begunApart{}
	a.begin()
	b.begin()
	select {}
}

type begunApart struct{ n int }

func (b *begunApart) begin() {
	go func() {
		b.n++ // norace
	}()
}

// The goroutine is waited for before it is started again.
func BG3_waited() {
	b := &begunAgain{}
	b.begin()
	b.wg.Wait()
	b.begin()
	b.wg.Wait()
}

type begunAgain struct {
	wg sync.WaitGroup
	n  int
}

func (b *begunAgain) begin() {
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		b.n++ // norace
	}()
}

// A constructor starts a goroutine, and two of what it makes share a table.
func BG4_constructed() {
	shared := &begunTable{last: map[string]int{}}
	newBegunReporter("a", shared)
	newBegunReporter("b", shared)
	select {}
}

type begunTable struct {
	mu   sync.Mutex
	last map[string]int
	sum  int
}

type begunReporter struct {
	name  string
	count int
	table *begunTable
}

func newBegunReporter(name string, t *begunTable) *begunReporter {
	r := &begunReporter{name: name, table: t}
	go r.report()
	return r
}

func (r *begunReporter) report() {
	r.count++              // norace
	r.table.last[r.name]++ // race! last[*]
	r.table.mu.Lock()
	r.table.sum++ // norace
	r.table.mu.Unlock()
}

// One of the two calls is another method's.
func BG5_restarted() {
	p := &begunPoller{}
	p.start()
	p.restart()
	select {}
}

type begunPoller struct{ n int }

func (p *begunPoller) start() {
	go func() {
		p.n++ // race! n
	}()
}

func (p *begunPoller) restart() { p.start() }

// There is one call.
func BG6_once() {
	b := &begunOnce{}
	b.begin()
	select {}
}

type begunOnce struct{ n int }

func (b *begunOnce) begin() {
	go func() {
		b.n++ // norace
	}()
}

// A literal calls another one, which starts a goroutine.
func BG7_literals() {
	sum := 0
	start := func(i int) {
		go func() {
			sum += i // race! sum
		}()
	}
	twice := func(i int) {
		start(i)
		start(i)
	}
	for i := range begunN {
		twice(i)
	}
}

// Two of itself are started by a function, and have no element in common.
func BG8_halvesApart() {
	a := make([]int, begunN)
	var wg sync.WaitGroup
	wg.Add(1)
	go begunHalfApart(a, &wg)
	wg.Wait()
}

func begunHalfApart(a []int, wg *sync.WaitGroup) {
	defer wg.Done()
	if len(a) < 2 {
		return
	}
	a[0]++ // norace
	wg.Add(2)
	go begunHalfApart(a[1:len(a)/2+1], wg)
	go begunHalfApart(a[len(a)/2+1:], wg)
}

// Each call starts a goroutine for an element of its own.
func BG9_eachElement() {
	var wg sync.WaitGroup
	begunFirst(make([]int, begunN), &wg)
	wg.Wait()
}

func begunFirst(a []int, wg *sync.WaitGroup) {
	if len(a) == 0 {
		return
	}
	wg.Go(func() {
		a[0]++ // norace
	})
	begunFirst(a[1:], wg)
}

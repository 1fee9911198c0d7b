package order

import "sync"

type wire struct {
	uses, fails int
}

type wires struct{ idle chan *wire }

func newWires() *wires {
	w := &wires{idle: make(chan *wire, 3)}
	for range 3 {
		c := &wire{}
		w.idle <- c
	}
	return w
}

func SP1_usedAfterPut() {
	w := newWires()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			w.early(func(c *wire) bool { c.uses++; return i%2 == 0 })
		})
	}
	wg.Wait()
}

// Put back, and then looked at once more, by the worker that had it.
func (w *wires) early(f func(*wire) bool) {
	c := <-w.idle
	ok := f(c)
	w.idle <- c
	if !ok {
		c.fails = 0 // race! _.fails
	}
}

func (w *wires) late(f func(*wire) bool) {
	c := <-w.idle
	defer func() { w.idle <- c }()
	if !f(c) {
		c.fails = 0 // norace
	}
}

func SP1b_putLast() {
	w := newWires()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			w.late(func(c *wire) bool { c.uses++; return i%2 == 0 })
		})
	}
	wg.Wait()
}

type parcel struct{ weight, stamp int }

type station struct {
	in, out chan *parcel
	add     int
}

// The stations are made in one loop, and each looks at what the next one has.
func SP2_lookedAtWhenSent() {
	var wg sync.WaitGroup
	src := make(chan *parcel)
	in := src
	for i := range 3 {
		s := &station{in: in, out: make(chan *parcel), add: i}
		in = s.out
		wg.Add(1)
		go s.forward(&wg)
	}
	go func() {
		for range 5 {
			src <- &parcel{}
		}
		close(src)
	}()
	for p := range in {
		_ = p.weight
	}
	wg.Wait()
}

func (s *station) forward(wg *sync.WaitGroup) {
	defer wg.Done()
	defer close(s.out)
	for p := range s.in {
		p.stamp += s.add // race! _.stamp
		s.out <- p
		if p.stamp == 0 { // race! _.stamp
			return
		}
	}
}

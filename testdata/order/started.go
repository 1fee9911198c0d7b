package order

import "sync"

// drainer is made by a constructor that starts its goroutine, and joined by a
// method.
type drainer struct {
	n  int
	ch chan int
	wg sync.WaitGroup
}

func newDrainer() *drainer {
	d := &drainer{ch: make(chan int)}
	d.wg.Add(1)
	go d.drain()
	return d
}

func (d *drainer) drain() {
	defer d.wg.Done()
	for v := range d.ch {
		d.n += v // norace
	}
}

func (d *drainer) close() int {
	close(d.ch)
	d.wg.Wait()
	n := d.n // norace
	d.n = 0  // norace
	return n
}

// Each round's goroutine is joined before the round is over.
func B24_joinedByMethod() {
	total := 0
	for i := range 4 {
		d := newDrainer()
		d.ch <- i
		total += d.close()
		d.n = total // norace
	}
}

// What the round touches before it joins is still the goroutine's.
func B24_touchedBeforeJoin() {
	for i := range 4 {
		d := newPump()
		d.n = i // race! _.n
		d.close()
	}
}

type pump struct {
	n  int
	wg sync.WaitGroup
}

func newPump() *pump {
	p := &pump{}
	p.wg.Add(1)
	go p.run()
	return p
}

func (p *pump) run() {
	defer p.wg.Done()
	p.n++ // race! _.n
}

func (p *pump) close() { p.wg.Wait() }

// The round joins the goroutine of the round before, and touches its own.
func B24_joinsTheOneBefore() {
	last := newTurbine()
	for i := range 4 {
		t := newTurbine()
		last.close()
		last.n = i // norace
		t.n = i    // race! _.n
		last = t
	}
	last.close()
}

type turbine struct {
	n  int
	wg sync.WaitGroup
}

func newTurbine() *turbine {
	t := &turbine{}
	t.wg.Add(1)
	go t.run()
	return t
}

func (t *turbine) run() {
	defer t.wg.Done()
	t.n++ // race! _.n
}

func (t *turbine) close() { t.wg.Wait() }

// Of two that a round has started it joins the second, and touches the
// first.
func B24_joinsTheOther() {
	for i := range 4 {
		a, b := newEngine(), newEngine()
		b.close()
		b.n = i // norace
		a.n = i // race! _.n
		a.close()
	}
}

type engine struct {
	n  int
	wg sync.WaitGroup
}

func newEngine() *engine {
	e := &engine{}
	e.wg.Add(1)
	go e.run()
	return e
}

func (e *engine) run() {
	defer e.wg.Done()
	e.n++ // race! _.n
}

func (e *engine) close() { e.wg.Wait() }

// The constructor may hand out the same object again.
func B24_constructedOnce() {
	for i := range 4 {
		b := newBoiler(i > 1)
		if i > 2 {
			b.close()
		}
		b.n = i // race! _.n
	}
}

type boiler struct {
	n  int
	wg sync.WaitGroup
}

var oneBoiler = &boiler{}

func newBoiler(shared bool) *boiler {
	b := &boiler{}
	if shared {
		b = oneBoiler
	}
	b.wg.Add(1)
	go b.run()
	return b
}

func (b *boiler) run() {
	defer b.wg.Done()
	b.n++ // race! _.n
}

func (b *boiler) close() { b.wg.Wait() }

// A round may end without the join, and the next one joins its own.
func B24_joinedSometimes() {
	var kept []*kettle
	for i := range 4 {
		k := newKettle()
		kept = append(kept, k)
		if i%2 == 0 {
			k.close()
		}
		kept[0].n = i           // race! _.n
		kept[len(kept)-1].n = i // race! _.n
	}
}

type kettle struct {
	n  int
	wg sync.WaitGroup
}

func newKettle() *kettle {
	k := &kettle{}
	k.wg.Add(1)
	go k.run()
	return k
}

func (k *kettle) run() {
	defer k.wg.Done()
	k.n++ // race! _.n
}

func (k *kettle) close() { k.wg.Wait() }

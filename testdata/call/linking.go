package call

import "sync"

type knot struct {
	value float64
	from  []*knot
}

func newKnots() []*knot {
	ks := make([]*knot, n)
	for i := range ks {
		ks[i] = &knot{}
	}
	return ks
}

// join makes each of ks depend on all of others.
func join(ks, others []*knot) {
	for _, k := range ks {
		k.from = make([]*knot, len(others))
		for i := range k.from {
			k.from[i] = others[i]
		}
	}
}

// Two fields depend on each other, through two calls of one helper, and are
// updated one after the other, by two calls of another.
func B19_twoFields() {
	e, m := newKnots(), newKnots()
	join(e, m)
	join(m, e)
	renewAll(e)
	renewAll(m)
}

func renewAll(ks []*knot) {
	var wg sync.WaitGroup
	for _, k := range ks {
		wg.Go(func() {
			for _, f := range k.from {
				k.value += f.value // norace
			}
		})
	}
	wg.Wait()
}

// Its near twin: one field depends on itself too.
func B19b_oneFieldOnItself() {
	e, m := newKnots(), newKnots()
	join(e, e)
	join(m, e)
	freshenAll(e)
	freshenAll(m)
}

func freshenAll(ks []*knot) {
	var wg sync.WaitGroup
	for _, k := range ks {
		wg.Go(func() {
			for _, f := range k.from {
				k.value += f.value // race! k.value
			}
		})
	}
	wg.Wait()
}

// Two buffers change places from step to step.
func B19c_swappedBuffers() {
	a, b := make([]int, n), make([]int, n)
	for range 10 {
		blur(a, b)
		blur(b, a)
	}
}

func blur(from, to []int) {
	var wg sync.WaitGroup
	for i := range to {
		wg.Go(func() {
			to[i] = from[i] + from[(i+1)%len(from)] // norace
		})
	}
	wg.Wait()
}

// One of the calls is given one buffer twice.
func B19d_sameBuffer() {
	a, b := make([]int, n), make([]int, n)
	smear(a, b)
	smear(b, b)
}

func smear(from, to []int) {
	var wg sync.WaitGroup
	for i := range to {
		wg.Go(func() {
			to[i] = from[i] + from[(i+1)%len(from)] // race! b[*]
		})
	}
	wg.Wait()
}

// The loops of two calls run at the same time.
func B19e_besideEachOther() {
	a, b := make([]int, n), make([]int, n)
	done := make(chan bool)
	go func() {
		spread(a, b)
		done <- true
	}()
	spread(b, a)
	<-done
}

func spread(from, to []int) {
	var wg sync.WaitGroup
	for i := range to {
		wg.Go(func() {
			to[i] = from[i] // race! a[*] b[*]
		})
	}
	wg.Wait()
}

// What an object keeps to be run is put in its place, and run, by methods of what it
// embeds: each object has its own.
func B19f_keptFunctions() {
	l, f := newLamp(), newFan()
	var wg sync.WaitGroup
	for range n {
		wg.Go(f.turn)
	}
	l.light()
	wg.Wait()
}

type hooked struct{ initial, current func() }

func (h *hooked) hook(f func()) {
	h.initial = f
	h.chain()
}

func (h *hooked) chain()  { h.current = h.initial }
func (h *hooked) rehook() { h.chain() }
func (h *hooked) do()     { h.current() }

type lamp struct {
	hooked
	lit int
}

func newLamp() *lamp {
	l := new(lamp)
	l.hook(l.on)
	return l
}

func (l *lamp) light() { l.do() }
func (l *lamp) on()    { l.lit++ } // norace

type fan struct{ hooked }

func newFan() *fan {
	f := new(fan)
	f.hook(f.on)
	f.rehook()
	return f
}

func (f *fan) turn() { f.do() }
func (f *fan) on()   {}

// Its near twin: what is kept in one is run by all.
func B19g_oneKeptFunction() {
	h := newHorn()
	var wg sync.WaitGroup
	for range n {
		wg.Go(h.sound)
	}
	wg.Wait()
}

type horn struct {
	hooked
	blown int
}

func newHorn() *horn {
	h := new(horn)
	h.hook(h.on)
	return h
}

func (h *horn) sound() { h.do() }
func (h *horn) on()    { h.blown++ } // race! h.blown

package heap

import "sync"

// What a literal that is copied into an object has of the object itself is that very
// object's, though one function fills many.
func Z1_filledByOne(a, b *cart) {
	fill(a)
	fill(b)
	var wg sync.WaitGroup
	wg.Go(func() {
		a.hub.of.turns++ // norace
	})
	b.hub.of.turns++ // norace
	wg.Wait()
}

type cart struct {
	hub   hub
	turns int
}

type hub struct {
	of   *cart
	name string
}

type filler interface{ fill(name string) }

func fill(f filler) { f.fill("") }

func (w *cart) fill(name string) {
	w.hub = hub{of: w, name: name}
}

// The literal has what it was given in the round before.
func Z2_filledLate(a, b *cart) {
	var wg sync.WaitGroup
	var h hub
	for _, w := range []*cart{a, b} {
		w.hub = h
		h.of = w
	}
	wg.Go(func() {
		b.hub.of.turns++ // race! a.turns
	})
	a.turns++ // race! a.turns
	wg.Wait()
}

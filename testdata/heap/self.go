package heap

import "sync"

// A tape keeps what is short in itself.
type tape struct {
	small [8]int
	data  []int
}

func newTape() *tape {
	t := new(tape)
	t.clear()
	return t
}

func (t *tape) clear() { t.data = t.small[:0] }

func (t *tape) put(x int) { t.data = append(t.data, x) }

func tapes() []*tape {
	var ts []*tape
	for range n {
		ts = append(ts, newTape())
	}
	return ts
}

// Each worker has a tape, each of which refers to itself.
func SR1_refersToItself() {
	ts := tapes()
	var wg sync.WaitGroup
	for i := range n {
		t := ts[i]
		wg.Go(func() {
			t.clear()
			t.put(i) // norace
		})
	}
	wg.Wait()
}

// Each refers to the small part of the first.
func SR2_refersToAnother() {
	var rs []*reel
	for range n {
		rs = append(rs, new(reel))
	}
	for _, r := range rs {
		r.use(rs[0])
	}
	var wg sync.WaitGroup
	for i := range n {
		r := rs[i]
		wg.Go(func() { r.put(i) })
	}
	wg.Wait()
}

type reel struct {
	small [8]int
	data  []int
}

func (r *reel) use(o *reel) { r.data = o.small[:0] }

func (r *reel) put(x int) { r.data = append(r.data, x) } // race! small

// A ring is a list that begins and ends at its root.
type ring struct {
	root bead
	len  int
}

type bead struct {
	next, prev *bead
	value      int
}

func newRing() *ring {
	r := new(ring)
	r.root.next = &r.root
	r.root.prev = &r.root
	return r
}

func (r *ring) add(v int) {
	e := &bead{value: v}
	at := r.root.prev
	e.prev, e.next = at, at.next
	at.next, e.next.prev = e, e
	r.len++
}

func SR3_rings() {
	var rs []*ring
	for range n {
		rs = append(rs, newRing())
	}
	var wg sync.WaitGroup
	for i := range n {
		r := rs[i]
		wg.Go(func() { r.add(i) }) // norace
	}
	wg.Wait()
}

// All are hung on one.
func SR4_hungOnOne() {
	var hs []*hoop
	for range n {
		h := new(hoop)
		h.close()
		hs = append(hs, h)
	}
	for _, h := range hs {
		h.root.next = hs[0].root.next
	}
	var wg sync.WaitGroup
	for i := range n {
		h := hs[i]
		wg.Go(h.add)
	}
	wg.Wait()
}

type hoop struct {
	root bow
}

type bow struct {
	next *bow
	n    int
}

func (h *hoop) close() { h.root.next = &h.root }

func (h *hoop) add() { h.root.next.n++ } // race! n

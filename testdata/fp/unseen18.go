package fp

import "sync"

// Shrunk from programs that were written blind an eighteenth time.

// Who is given a copy of what a list holds has the bounds that it was filled with, though something else in it was written.
func FP_boundsOfCopy(all []int) {
	var parts []stretchSum
	for lo := 0; lo < len(all); lo += 100 {
		parts = append(parts, stretchSum{lo: lo, hi: min(lo+100, len(all))})
	}
	for i := range parts {
		parts[i].sum = i
	}
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Go(func() {
			for k := p.lo; k < p.hi; k++ {
				all[k] += p.sum // race all[*]; the copy is one load of all fields, and one of them is written elsewhere
			}
		})
	}
	wg.Wait()
}

type stretchSum struct{ lo, hi, sum int }

// A batch that is full is taken out of where others find it, under the lock under which they add to it.
func FP_batchClosed() {
	g := new(gatherer)
	var wg sync.WaitGroup
	for k := range 9 {
		wg.Go(func() { g.load(k) })
	}
	wg.Wait()
}

type demand struct {
	keys   []int
	closed bool
	done   chan bool
}

type gatherer struct {
	mu  sync.Mutex
	cur *demand
}

func (g *gatherer) load(key int) {
	g.mu.Lock()
	if g.cur == nil {
		g.cur = &demand{done: make(chan bool)}
	}
	d := g.cur
	d.keys = append(d.keys, key) // race keys; that nobody has it any more whose batch is closed is not seen
	if len(d.keys) == 3 && !d.closed {
		d.closed = true
		g.cur = nil
		go d.run()
	}
	g.mu.Unlock()
	<-d.done
}

func (d *demand) run() {
	println(len(d.keys)) // race keys; the same
	close(d.done)
}

// A function that is put over another one is run twice, and the other one never.
func FP_putOver() {
	s := new(starters)
	a, b := 0, 0
	s.add(func() { a++ }) // race a; it is nowhere any more
	s.add(func() { b++ }) // race! b
	s.fs[0] = s.fs[1]
	s.start()
	println(a, b)
}

type starters struct{ fs []func() }

func (s *starters) add(f func()) { s.fs = append(s.fs, f) }

func (s *starters) start() {
	var wg sync.WaitGroup
	for _, f := range s.fs {
		wg.Go(f)
	}
	wg.Wait()
}

package lock

import "sync"

// The locks of all elements of a list are taken, and then the elements are used.

type strongroom struct {
	mu   sync.Mutex
	id   int
	gold int
}

func strongrooms() (out []*strongroom) {
	for i := range n {
		out = append(out, &strongroom{id: i})
	}
	return out
}

// besides lets goroutines do one thing to each strongroom, under its lock, and then another.
func besides(vs []*strongroom, one func(v *strongroom), other func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			v := vs[i]
			v.mu.Lock()
			one(v)
			v.mu.Unlock()
			other(i)
		})
	}
	wg.Wait()
}

// EV1: until the function returns.
func EV1_deferred() {
	vs := strongrooms()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			v := vs[i%2]
			v.mu.Lock()
			v.gold++
			v.mu.Unlock()
			println(audited(vs))
		})
	}
	wg.Wait()
}

func audited(vs []*strongroom) (sum int) {
	for _, v := range vs {
		v.mu.Lock()
		defer v.mu.Unlock()
	}
	for _, v := range vs {
		sum += v.gold
	}
	return sum
}

// EV2: until they are given back, the last first; the list is a field, and the lock lies in the element.
func EV2_givenBack() {
	b := &bankOfCells{cells: make([]cellOfBank, n)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := &b.cells[i%2]
			c.mu.Lock()
			c.gold++
			c.mu.Unlock()
			println(b.audit())
		})
	}
	wg.Wait()
}

type cellOfBank struct {
	mu   sync.Mutex
	gold int
}

type bankOfCells struct{ cells []cellOfBank }

func (b *bankOfCells) audit() (sum int) {
	for i := range b.cells {
		b.cells[i].mu.Lock()
	}
	for i := range b.cells {
		sum += b.cells[i].gold
	}
	for i := len(b.cells) - 1; i >= 0; i-- {
		b.cells[i].mu.Unlock()
	}
	return sum
}

// Some are left out.
func EV3_some() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		for _, v := range vs {
			if v.id > 0 {
				v.mu.Lock()
				defer v.mu.Unlock()
			}
		}
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
	})
}

// The loop is left early.
func EV4_leftEarly() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(i int) {
		for k, v := range vs {
			if k > i {
				break
			}
			v.mu.Lock()
			defer v.mu.Unlock()
		}
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
	})
}

// The first is none of them.
func EV5_part() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		for _, v := range vs[1:] {
			v.mu.Lock()
			defer v.mu.Unlock()
		}
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
	})
}

// Each is given back in its round.
func EV6_oneByOne() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		for _, v := range vs {
			v.mu.Lock()
			println(v.id)
			v.mu.Unlock()
		}
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
	})
}

// Each round gives back what the last one has taken.
func EV7_handOverHand() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		var last *strongroom
		for _, v := range vs {
			if last != nil {
				last.mu.Unlock()
			}
			v.mu.Lock()
			last = v
		}
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
		last.mu.Unlock()
	})
}

// Another list is locked.
func EV8_anotherList() {
	vs, others := strongrooms(), strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		for _, v := range others {
			v.mu.Lock()
			defer v.mu.Unlock()
		}
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
	})
}

// The list is another one when it is used.
func EV9_setBetween() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		list := []*strongroom{{}, {}}
		for _, v := range list {
			v.mu.Lock()
			defer v.mu.Unlock()
		}
		list[0] = vs[0]
		for _, v := range list {
			println(v.gold) // race! v.gold
		}
	})
}

// They have been given back.
func EV10_afterwards() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(int) {
		lockAll(vs)
		unlockAll(vs)
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
	})
}

func lockAll(vs []*strongroom) {
	for _, v := range vs {
		v.mu.Lock()
	}
}

func unlockAll(vs []*strongroom) {
	for _, v := range vs {
		v.mu.Unlock()
	}
}

// One of them has been given back.
func EV11_oneGivenBack() {
	vs := strongrooms()
	besides(vs, func(v *strongroom) {
		v.gold++ // race! v.gold
	}, func(i int) {
		for _, v := range vs {
			v.mu.Lock()
		}
		vs[i].mu.Unlock()
		for _, v := range vs {
			println(v.gold) // race! v.gold
		}
		vs[i].mu.Lock()
		unlockAll(vs)
	})
}

// EV12: for reading only, beside who writes under the one lock of his.
func EV12_forReading() {
	ps := []*leaflet{{}, {}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := ps[i%2]
			p.mu.RLock()
			p.hits++ // race! _.hits
			p.mu.RUnlock()
			for _, p := range ps {
				p.mu.RLock()
				defer p.mu.RUnlock()
			}
			for _, p := range ps {
				println(p.hits) // race! _.hits
			}
		})
	}
	wg.Wait()
}

type leaflet struct {
	mu   sync.RWMutex
	hits int
}

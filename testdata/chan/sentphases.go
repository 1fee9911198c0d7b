package channel

import "sync"

// Functions that workers are sent phase after phase, each of which tells that it is done itself, so that those of one
// phase are over when the next one begins. Two of one phase have elements of their own.

type phaseCrew struct {
	size  int
	tasks chan func()
}

func newPhaseCrew(size int) *phaseCrew {
	c := &phaseCrew{size: size, tasks: make(chan func())}
	for range size {
		go func() {
			for t := range c.tasks {
				t()
			}
		}()
	}
	return c
}

// each returns when all have run.
func (c *phaseCrew) each(fn func(band int)) {
	var pending sync.WaitGroup
	for b := range c.size {
		pending.Add(1)
		c.tasks <- func() {
			defer pending.Done()
			fn(b)
		}
	}
	pending.Wait()
}

func SP1_rounds() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for range 10 {
		clear(change)                                // norace
		c.each(func(band int) { change[band]++ })    // norace
		c.each(func(band int) { change[band] += 2 }) // norace
		println(change[0])                           // norace
	}
}

// Two kinds of tasks have what is the other one's in another phase.
func SP1a_twoKinds() {
	c := newPhaseCrew(4)
	xs, ys := make([]int, 4), make([]int, 4)
	for range 10 {
		c.each(func(band int) { xs[band]++ })             // norace
		c.each(func(band int) { ys[band] += xs[3-band] }) // norace
	}
}

// A method hands on what it is given.
type phasePlate struct {
	temp []float64
	n    int
}

func (p *phasePlate) half(c *phaseCrew, change []float64) {
	c.each(func(band int) {
		for i := band * p.n; i < (band+1)*p.n; i++ {
			change[band] += p.temp[i] // norace
		}
	})
}

func SP1b_method() {
	c := newPhaseCrew(4)
	p := &phasePlate{make([]float64, 40), 10}
	change := make([]float64, 4)
	for range 10 {
		clear(change) // norace
		p.half(c, change)
		p.half(c, change)
		println(change[0]) // norace
	}
}

// All tasks of a phase have one element.
func SP1c_oneElement() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for range 10 {
		c.each(func(band int) { change[0]++ }) // race! change[*]
		println(change[0])                     // norace
	}
}

func SP1d_neighbour() {
	c := newPhaseCrew(4)
	change := make([]float64, 5)
	for range 10 {
		c.each(func(band int) { change[band] += change[band+1] }) // race! change[*]
	}
}

// Nobody waits.
func SP2_noWait() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for range 10 {
		c.start(func(band int) { change[band]++ }) // race! change[*]
		println(change[0])                         // race! change[*]
	}
}

func (c *phaseCrew) start(fn func(band int)) {
	for b := range c.size {
		c.tasks <- func() { fn(b) }
	}
}

func SP2a_notAlways() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for k := range 10 {
		c.unless(k == 3, func(band int) { change[band]++ }) // race! change[*]
		println(change[0])                                  // race! change[*]
	}
}

func (c *phaseCrew) unless(stop bool, fn func(band int)) {
	var pending sync.WaitGroup
	for b := range c.size {
		pending.Add(1)
		c.tasks <- func() {
			defer pending.Done()
			fn(b)
		}
	}
	if stop {
		return
	}
	pending.Wait()
}

// A task tells before it has done its work.
func SP2b_toldEarly() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for range 10 {
		c.early(func(band int) { change[band]++ }) // race! change[*]
		println(change[0])                         // race! change[*]
	}
}

func (c *phaseCrew) early(fn func(band int)) {
	var pending sync.WaitGroup
	for b := range c.size {
		pending.Add(1)
		c.tasks <- func() {
			pending.Done()
			fn(b)
		}
	}
	pending.Wait()
}

// The group is not the one that the tasks count down.
func SP2c_otherGroup() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for range 10 {
		c.other(func(band int) { change[band]++ }) // race! change[*]
		println(change[0])                         // race! change[*]
	}
}

func (c *phaseCrew) other(fn func(band int)) {
	var pending, second sync.WaitGroup
	for b := range c.size {
		pending.Add(1)
		c.tasks <- func() {
			defer pending.Done()
			fn(b)
		}
	}
	second.Wait()
}

// It is that of the round before.
func SP2d_roundBefore() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	last := new(sync.WaitGroup)
	for range 10 {
		pending := new(sync.WaitGroup)
		for b := range 4 {
			pending.Add(1)
			c.tasks <- func() {
				defer pending.Done()
				change[b]++ // race! change[*]
			}
		}
		last.Wait()
		last = pending
	}
}

// Some tasks are not counted.
func SP2e_uncounted() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for range 10 {
		c.some(func(band int) { change[band]++ }) // race! change[*]
		println(change[0])                        // race! change[*]
	}
}

func (c *phaseCrew) some(fn func(band int)) {
	var pending sync.WaitGroup
	for b := range c.size {
		if b > 1 {
			pending.Add(1)
		}
		c.tasks <- func() {
			fn(b)
			if b > 1 {
				pending.Done()
			}
		}
	}
	pending.Wait()
}

// None is: the group is at zero always.
func SP2f_noneCounted() {
	c := newPhaseCrew(4)
	change := make([]float64, 4)
	for k := range 10 {
		c.none(k > 20, func(band int) { change[band]++ }) // race! change[*]
		println(change[0])                                // race! change[*]
	}
}

func (c *phaseCrew) none(count bool, fn func(band int)) {
	var pending sync.WaitGroup
	for b := range c.size {
		if count {
			pending.Add(1)
		}
		c.tasks <- func() {
			fn(b)
			pending.Done() // would panic
		}
	}
	pending.Wait()
}

// What runs between the sends and the Wait, runs beside the tasks.
func SP2g_readBefore() {
	tasks := make(chan func())
	for range 3 {
		go func() {
			for t := range tasks {
				t()
			}
		}()
	}
	change := make([]float64, 4)
	for range 10 {
		var pending sync.WaitGroup
		for b := range 4 {
			pending.Add(1)
			tasks <- func() {
				defer pending.Done()
				change[b]++ // race! change[*]
			}
		}
		println(change[0]) // race! change[*]
		pending.Wait()
	}
}

// Several goroutines have their tasks run at the same time.
func SP2h_severalFeeders() {
	tasks := make(chan func())
	for range 3 {
		go func() {
			for t := range tasks {
				t()
			}
		}()
	}
	change := make([]float64, 4)
	for range 3 {
		go feedPhase(tasks, change)
	}
}

func feedPhase(tasks chan func(), change []float64) {
	var pending sync.WaitGroup
	for b := range change {
		pending.Add(1)
		tasks <- func() {
			defer pending.Done()
			change[b]++ // race! change[*]
		}
	}
	pending.Wait()
}

// The group of the round before is the only one that is waited for, and made where the others are.
func SP2i_lastOnes() {
	tasks := make(chan func())
	for range 3 {
		go func() {
			for t := range tasks {
				t()
			}
		}()
	}
	change := make([]float64, 4)
	var last *sync.WaitGroup
	for range 10 {
		pending := new(sync.WaitGroup)
		for b := range 4 {
			pending.Add(1)
			tasks <- func() {
				defer pending.Done()
				change[b]++ // race! change[*]
			}
		}
		if last == nil {
			last = pending
			continue
		}
		last.Wait()
		last = pending
	}
}

// One more goroutine feeds the workers.
func SP2j_twoFeeders() {
	tasks := make(chan func())
	for range 3 {
		go func() {
			for t := range tasks {
				t()
			}
		}()
	}
	change := make([]float64, 4)
	go feedOther(tasks, change)
	feedOther(tasks, change)
}

func feedOther(tasks chan func(), change []float64) {
	var pending sync.WaitGroup
	for b := range change {
		pending.Add(1)
		tasks <- func() {
			defer pending.Done()
			change[b]++ // race! change[*]
		}
	}
	pending.Wait()
}

// A pool that has one group for all that it is given, which the workers count down. It is generic so that each program has one.
type phasePool[K any] struct {
	tasks chan func()
	wg    sync.WaitGroup
}

func newPhasePool[K any](n int) *phasePool[K] {
	p := &phasePool[K]{tasks: make(chan func(), 8)}
	for range n {
		go func() {
			for t := range p.tasks {
				t()
				p.wg.Done()
			}
		}()
	}
	return p
}

func (p *phasePool[K]) submit(f func()) {
	p.wg.Add(1)
	p.tasks <- f
}

func (p *phasePool[K]) wait() { p.wg.Wait() }

func SP3_submitted(n int) {
	p := newPhasePool[int](4)
	out := make([]int, n)
	for range 10 {
		for i := range out {
			p.submit(func() { out[i]++ }) // norace
		}
		p.wait()
		println(out[0]) // norace
	}
}

func SP3a_otherPhase(n int) {
	p := newPhasePool[int8](4)
	out, res := make([]int, n), make([]int, n)
	for i := range out {
		p.submit(func() { out[i]++ }) // norace
	}
	p.wait()
	for i := range out {
		p.submit(func() { res[i] = out[n-1-i] }) // norace
	}
	p.wait()
	println(res[0]) // norace
}

func SP3b_waitsAtTheEnd(n int) {
	p := newPhasePool[int16](4)
	out := make([]int, n)
	for range 10 {
		for i := range out {
			p.submit(func() { out[i]++ }) // race! out[*]
		}
	}
	p.wait()
	println(out[0]) // norace
}

func SP3c_waitsSometimes(n int) {
	p := newPhasePool[int32](4)
	out := make([]int, n)
	for k := range 10 {
		for i := range out {
			p.submit(func() { out[i]++ }) // race! out[*]
		}
		if k%2 == 0 {
			p.wait()
		}
	}
}

func SP3d_samePhase(n int) {
	p := newPhasePool[int64](4)
	out, res := make([]int, n), make([]int, n)
	for i := range out {
		p.submit(func() { out[i]++ }) // race! out[*]
	}
	for i := range out {
		p.submit(func() { res[i] = out[n-1-i] }) // race! out[*]
	}
	p.wait()
}

// The workers count down before they run what they have received.
func SP3e_workersTellEarly(n int) {
	tasks := make(chan func())
	var wg sync.WaitGroup
	for range 3 {
		go func() {
			for t := range tasks {
				wg.Done()
				t()
			}
		}()
	}
	out := make([]int, n)
	for range 10 {
		for i := range out {
			wg.Add(1)
			tasks <- func() { out[i]++ } // race! out[*]
		}
		wg.Wait()
		println(out[0]) // race! out[*]
	}
}

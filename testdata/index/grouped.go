package index

import "sync"

// Programs whose iterations are started by a helper of their own, which takes a
// function: what they share lies with the helper's caller, who has the loop.

type hands struct{ wg sync.WaitGroup }

func (c *hands) run(f func() error) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		f()
	}()
}

func (c *hands) wait() { c.wg.Wait() }

type grain struct {
	lo, hi, sum int
}

func grains(n, size int) []grain {
	var out []grain
	for lo := 0; lo < n; lo += size {
		out = append(out, grain{lo: lo, hi: min(lo+size, n)})
	}
	return out
}

// Each has one element of a list, and has it sum up its part.
func Grouped_list(all []int) {
	parts := grains(len(all), 100)
	var c hands
	for i := range parts {
		p := &parts[i]
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // norace
				p.sum += all[k]
			}
			return nil
		})
	}
	c.wait()
	before := 0
	for i := range parts {
		before, parts[i].sum = before+parts[i].sum, before
	}
	rest := parts[1:] // the first has nothing before it
	for i := range rest {
		p := &rest[i]
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k] += p.sum // norace
			}
			return nil
		})
	}
	c.wait()
}

type wideGrain struct{ lo, hi int }

// They overlap by one.
func Grouped_overlapping(all []int) {
	var parts []wideGrain
	for lo := 0; lo < len(all); lo += 100 {
		parts = append(parts, wideGrain{lo: lo, hi: min(lo+101, len(all))})
	}
	var c hands
	for _, p := range parts[1:] {
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // race! all[*]
			}
			return nil
		})
	}
	c.wait()
}

type nextGrain struct{ lo, hi int }

// Each works on its own part, and on the next one.
func Grouped_ownAndNext(all []int) {
	var parts []nextGrain
	for lo := 0; lo < len(all); lo += 100 {
		parts = append(parts, nextGrain{lo: lo, hi: min(lo+100, len(all))})
	}
	rest := parts[1:]
	var c hands
	for i := range rest {
		p, q := parts[i], rest[i]
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // race! all[*]
			}
			for k := q.lo; k < q.hi; k++ {
				all[k]-- // race! all[*]
			}
			return nil
		})
	}
	c.wait()
}

type restGrain struct{ lo, hi int }

// All but the first.
func Grouped_rest(all []int) {
	var parts []restGrain
	for lo := 0; lo < len(all); lo += 100 {
		parts = append(parts, restGrain{lo: lo, hi: min(lo+100, len(all))})
	}
	var c hands
	for _, p := range parts[1:] {
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // norace
			}
			return nil
		})
	}
	c.wait()
}

type shiftedGrain struct{ lo, hi int }

// What is cut off is another number of elements in each round: all have the last one.
func Grouped_cutInRound(all []int) {
	var parts []shiftedGrain
	for lo := 0; lo < len(all); lo += 100 {
		parts = append(parts, shiftedGrain{lo: lo, hi: min(lo+100, len(all))})
	}
	var c hands
	for i := range parts {
		p := parts[len(parts)-1-i:][i]
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // race! all[*]
			}
			return nil
		})
	}
	c.wait()
}

type shiftedTask struct{ lo, hi int }

// The same, where the rounds start goroutines themselves.
func Grouped_cutInOwnRound(all []int) {
	var parts []shiftedTask
	for lo := 0; lo < len(all); lo += 100 {
		parts = append(parts, shiftedTask{lo: lo, hi: min(lo+100, len(all))})
	}
	var wg sync.WaitGroup
	for i := range parts {
		p := parts[len(parts)-1-i:][i]
		wg.Go(func() {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

type roundGrain struct{ lo, hi int }

// The list is made in each round.
func Grouped_madeInRound(all []int) {
	var c hands
	for i := range 3 {
		var parts []roundGrain
		for lo := 0; lo < len(all); lo += 100 {
			parts = append(parts, roundGrain{lo: lo, hi: min(lo+100, len(all))})
		}
		p := parts[i%2]
		c.run(func() error {
			for k := p.lo; k < p.hi; k++ {
				all[k]++ // race! all[*]
			}
			return nil
		})
	}
	c.wait()
}

// A helper has the loop, too, and passes on what it finds in the list.
func Grouped_each(all []int) {
	eachGrain(grains(len(all), 10), func(p grain) {
		for k := p.lo; k < p.hi; k++ {
			all[k]++ // norace
		}
	})
}

func eachGrain(parts []grain, f func(grain)) {
	var c hands
	for _, p := range parts {
		c.run(func() error {
			f(p)
			return nil
		})
	}
	c.wait()
}

// Tasks by name.
func Grouped_tasks(in, out []int) {
	tasks := make(map[int]func())
	for i := range out {
		tasks[i] = func() { out[i] = in[i] } // norace
	}
	var c hands
	for _, t := range tasks {
		c.run(func() error {
			t()
			return nil
		})
	}
	c.wait()
}

// Two tasks for each element.
func Grouped_tasksTwice(in, out []int) {
	tasks := make(map[int]func())
	for i := range out {
		tasks[i] = func() { out[i/2] = in[i] } // race! out[*]
	}
	var c hands
	for _, t := range tasks {
		c.run(func() error {
			t()
			return nil
		})
	}
	c.wait()
}

// Workers have their parts from a channel.
func Grouped_channel(all []int) {
	parts := make(chan grain)
	var c hands
	for range 4 {
		c.run(func() error {
			for p := range parts {
				for k := p.lo; k < p.hi; k++ {
					all[k]++ // norace
				}
			}
			return nil
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		parts <- grain{lo: lo, hi: min(lo+10, len(all))}
	}
	close(parts)
	c.wait()
}

type sentGrain struct{ lo, hi int }

// The parts that are sent overlap.
func Grouped_channelOverlapping(all []int) {
	parts := make(chan sentGrain)
	var c hands
	for range 4 {
		c.run(func() error {
			for p := range parts {
				for k := p.lo; k < p.hi; k++ {
					all[k]++ // race! all[*]
				}
			}
			return nil
		})
	}
	for lo := 0; lo < len(all); lo += 10 {
		parts <- sentGrain{lo: lo, hi: min(lo+11, len(all))}
	}
	close(parts)
	c.wait()
}

type ownGrain struct{ lo, hi int }

// Each worker has a channel of its own, and all channels have all parts.
func Grouped_channelEach(all []int) {
	var c hands
	for range 4 {
		parts := make(chan ownGrain, len(all))
		for lo := 0; lo < len(all); lo += 10 {
			parts <- ownGrain{lo: lo, hi: min(lo+10, len(all))}
		}
		close(parts)
		c.run(func() error {
			for p := range parts {
				for k := p.lo; k < p.hi; k++ {
					all[k]++ // race! all[*]
				}
			}
			return nil
		})
	}
	c.wait()
}

type hooks struct {
	starts, stops []func()
	wg            sync.WaitGroup
}

func (h *hooks) add(start, stop func()) {
	h.starts, h.stops = append(h.starts, start), append(h.stops, stop)
}

func (h *hooks) start() {
	for _, f := range h.starts {
		h.wg.Go(f)
	}
}

func (h *hooks) stop() {
	for _, f := range h.stops {
		f()
	}
}

// Functions that start something are started, and those that stop it do not wait.
func Grouped_startAndStop() {
	h := new(hooks)
	lamp := new(litLamp)
	h.add(func() { lamp.lit = true }, func() { lamp.lit = false }) // race! lit
	h.add(func() { lamp.hot++ }, func() {})                        // norace
	h.start()
	h.stop()
	h.wg.Wait()
}

type litLamp struct {
	lit bool
	hot int
}

// One method value is added twice.
func Grouped_addedTwice() {
	h := new(hooks)
	t := new(addedTwice)
	h.add(t.inc, nil)
	h.add(t.inc, nil)
	h.start()
	h.wg.Wait()
}

type addedTwice struct{ n int }

func (t *addedTwice) inc() { t.n++ } // race! n

// Each of two pumps has a function of its own in the list, though one piece of code makes both.
func Grouped_twoPumps() {
	h := new(hooks)
	a, b := newPump(h), newPump(h)
	h.start()
	h.wg.Wait()
	println(a != b)
}

type pump struct{ on bool }

func newPump(h *hooks) *pump {
	p := &pump{}
	h.add(func() { p.on = true }, nil) // norace
	return p
}

// Both count with one meter.
func Grouped_oneMeter() {
	h := new(hooks)
	m := new(meter)
	a, b := newMetered(h, m), newMetered(h, m)
	h.start()
	h.wg.Wait()
	println(a != b)
}

type meter struct{ count int }

type metered struct{ on bool }

func newMetered(h *hooks, m *meter) *metered {
	p := &metered{}
	h.add(func() {
		p.on = true // norace
		m.count++   // race! count
	}, nil)
	return p
}

// The function of each is there twice.
func Grouped_pumpAddedTwice() {
	h := new(hooks)
	a, b := newDoubled(h), newDoubled(h)
	h.start()
	h.wg.Wait()
	println(a != b)
}

type doubled struct{ on int }

func newDoubled(h *hooks) *doubled {
	p := &doubled{}
	start := func() { p.on++ } // race! on
	h.add(start, nil)
	h.add(start, nil)
	return p
}

// A loop makes them.
func Grouped_meteredInLoop() {
	h := new(hooks)
	m := new(loopMeter)
	for range 3 {
		newLooped(h, m)
	}
	h.start()
	h.wg.Wait()
}

type loopMeter struct{ count int }

type looped struct{ m *loopMeter }

func newLooped(h *hooks, m *loopMeter) *looped {
	p := &looped{m}
	h.add(func() { m.count++ }, nil) // race! count
	return p
}

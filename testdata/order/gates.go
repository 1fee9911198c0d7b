package order

import "sync"

// Barriers made by hand that let all go by closing a channel, and put a new one in its place.

// gated has who comes last do something while the others wait for the gate.
type gated struct {
	mu      sync.Mutex
	n, in   int
	gate    chan struct{}
	last    func()
	stopped chan struct{}
}

func newGated(n int, last func()) *gated {
	return &gated{n: n, gate: make(chan struct{}), last: last}
}

func (g *gated) arrive() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.in < g.n {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	g.gate = make(chan struct{})
	g.last()
	g.mu.Unlock()
	close(gate)
}

// GB1_last has the last one to come add up what all read before and after.
func GB1_last() {
	total := 0
	var part [4]int
	g := newGated(4, func() {
		total += len(part) // norace
	})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for total < 100 { // norace
				part[w] = total + w // norace
				g.arrive()
			}
		})
	}
	wg.Wait()
}

// GB2_phases has two waits in a round, at one that closes the gate first and has no more to do.
func GB2_phases() {
	var found, seen [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for r := range 9 {
				found[w] = r // norace
				g.pass()
				seen[w] += found[(w+1)%4] // norace
				g.pass()
			}
		})
	}
	wg.Wait()
}

func (g *gated) pass() {
	g.mu.Lock()
	g.in++
	if g.in == g.n {
		g.in = 0
		close(g.gate)
		g.gate = make(chan struct{})
		g.mu.Unlock()
		return
	}
	gate := g.gate
	g.mu.Unlock()
	<-gate
}

// GB3_oneMore has more goroutines than the barrier waits for.
func GB3_oneMore() {
	total := 0
	g := newGated(2, func() {
		total++ // race! total
	})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_ = total // race! total
			g.arrive()
		})
	}
	wg.Wait()
}

// GB4_afterwards has the last one do something when it has let the others go.
func GB4_afterwards() {
	total := 0
	g := newGated(4, func() {
		total++ // race! total
	})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 9 {
				_ = total // race! total
				g.afterwards()
			}
		})
	}
	wg.Wait()
}

func (g *gated) afterwards() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.in < g.n {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	g.gate = make(chan struct{})
	g.mu.Unlock()
	close(gate)
	g.last()
}

// GB5_closedByOthers has the gate closed by who is none of the goroutines.
func GB5_closedByOthers() {
	var found [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			g.pass()
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	g.mu.Lock()
	close(g.gate)
	g.mu.Unlock()
	wg.Wait()
}

// GB6_sent has something sent on the gate.
func GB6_sent() {
	var found [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			g.pass()
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	g.mu.Lock()
	gate := g.gate
	g.mu.Unlock()
	gate <- struct{}{}
	wg.Wait()
}

// GB7_orStopped has a way out.
func GB7_orStopped() {
	var found [4]int
	g := newGated(4, nil)
	g.stopped = make(chan struct{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			found[w]++ // race! found[*]
			g.orStopped()
			_ = found[(w+1)%4] // race! found[*]
		})
	}
	close(g.stopped)
	wg.Wait()
}

func (g *gated) orStopped() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.in < g.n {
		g.mu.Unlock()
		select {
		case <-gate:
		case <-g.stopped:
		}
		return
	}
	g.in = 0
	g.gate = make(chan struct{})
	g.mu.Unlock()
	close(gate)
}

// GB8_stillFull does not begin to count anew, so that whoever comes finds that all have come.
func GB8_stillFull() {
	var found [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // race! found[*]
				g.onlyOnce()
				_ = found[(w+1)%4] // race! found[*]
				g.onlyOnce()
			}
		})
	}
	wg.Wait()
}

func (g *gated) onlyOnce() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.in < g.n {
		g.mu.Unlock()
		<-gate
		return
	}
	g.gate = make(chan struct{})
	g.mu.Unlock()
	close(gate)
}

// GB9_sameGate leaves the gate that it has closed.
func GB9_sameGate() {
	var found [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // race! found[*]
				g.openOnce()
				_ = found[(w+1)%4] // race! found[*]
				g.openOnce()
			}
		})
	}
	wg.Wait()
}

func (g *gated) openOnce() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.in != g.n {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	g.mu.Unlock()
	defer func() { _ = recover() }()
	close(gate)
}

// GB10_unlocked has the gate replaced when the lock is free again.
func GB10_unlocked() {
	var found [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // race! found[*]
				g.late()
				_ = found[(w+1)%4] // race! found[*]
				g.late()
			}
		})
	}
	wg.Wait()
}

func (g *gated) late() {
	g.mu.Lock()
	gate := g.gate // race! g.gate
	g.in++
	if g.in < g.n {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	close(g.gate) // race! g.gate
	g.mu.Unlock()
	g.gate = make(chan struct{}) // race! g.gate
}

// GB11_between gives the lock back before it puts a new gate in the place of the one that it has closed.
func GB11_between() {
	var found [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // race! found[*]
				g.inTwo()
				_ = found[(w+1)%4] // race! found[*]
				g.inTwo()
			}
		})
	}
	wg.Wait()
}

func (g *gated) inTwo() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.n > g.in {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	close(g.gate)
	g.mu.Unlock()
	g.mu.Lock()
	g.gate = make(chan struct{})
	g.mu.Unlock()
}

// GB12_twoGates has two gates in turn, of which the first is open when it is its turn again.
func GB12_twoGates() {
	var found [4]int
	g := newGated(4, nil)
	g.stopped = make(chan struct{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // race! found[*]
				g.inTurn()
				_ = found[(w+1)%4] // race! found[*]
				g.inTurn()
			}
		})
	}
	wg.Wait()
}

func (g *gated) inTurn() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.n > g.in {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	g.gate, g.stopped = g.stopped, g.gate
	g.mu.Unlock()
	defer func() { _ = recover() }()
	close(gate)
}

// GB13_mirrored asks the other way round.
func GB13_mirrored() {
	var found, seen [4]int
	g := newGated(4, nil)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for range 9 {
				found[w]++ // norace
				g.other()
				seen[w] += found[(w+1)%4] // norace
				g.other()
			}
		})
	}
	wg.Wait()
}

func (g *gated) other() {
	g.mu.Lock()
	gate := g.gate
	g.in++
	if g.n > g.in {
		g.mu.Unlock()
		<-gate
		return
	}
	g.in = 0
	close(gate)
	g.gate = make(chan struct{})
	g.mu.Unlock()
}

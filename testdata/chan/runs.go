package channel

// A channel of capacity one is a lock for the iterations of one run of the function that makes it.

type runTally struct{ total, late, own int }

// RU1: a run is over before another begins.
func RU1_runsApart() {
	t := &runTally{}
	t.runToEnd()
	t.runToEnd()
}

func (t *runTally) runToEnd() {
	pending := make(chan struct{}, 1)
	for r := range n {
		pending <- struct{}{}
		go func() {
			t.total += r // norace
			<-pending
		}()
	}
	pending <- struct{}{}
}

// RU2: the last goroutine of a run may still be at work when another begins.
func RU2_runsOverlap() {
	t := &runTally{}
	t.run()
	t.run()
}

func (t *runTally) run() {
	pending := make(chan struct{}, 1)
	for r := range n {
		pending <- struct{}{}
		go func() {
			t.late += r // race! t.late
			<-pending
		}()
	}
}

// RU3: each run has an object of its own.
func RU3_ownObject() {
	a, b := newRunTally(), newRunTally()
	for i := range n {
		a <- i
		b <- i
	}
}

func newRunTally() chan int {
	ch := make(chan int)
	t := &runTally{}
	go t.serve(ch)
	return ch
}

func (t *runTally) serve(ch chan int) {
	pending := make(chan struct{}, 1)
	for r := range ch {
		pending <- struct{}{}
		go func() {
			t.own += r
			<-pending
		}()
	}
}

package order

import "sync"

// A goroutine that calls Done in several places, one of them where it leaves early: there it has
// nothing more to do, which says nothing of the runs that go on.

var Failed bool

// Who does not leave early goes on after Done.
func ED1_goesOn() {
	var x int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if Failed {
			wg.Done()
			return
		}
		wg.Done()
		x++ // race! x
	}()
	wg.Wait()
	_ = x // race! x
}

// Done is last on both ways.
func ED2_lastOnBoth() {
	var x int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if Failed {
			wg.Done()
			return
		}
		x++ // norace
		wg.Done()
	}()
	wg.Wait()
	_ = x // norace
}

// Two are waited for, of which the second comes after x.
func ED3_counted() {
	var x, y int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		y++ // norace
		wg.Done()
		x++ // norace
		wg.Done()
	}()
	wg.Wait()
	_ = x + y // norace
}

// Two, of which the second is left out on the way by x.
func ED4_secondLeftOut() {
	var x int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		wg.Done()
		if Failed {
			wg.Done()
			return
		}
		wg.Done()
		x++ // race! x
	}()
	wg.Wait()
	_ = x // race! x
}

type configured struct {
	events chan int
	config map[string]int
}

// Done says that the watcher's own goroutine is started, or that it could not be.
func ED5_watcherStarted() {
	w := &configured{events: make(chan int)}
	go func() { w.events <- 1 }()
	w.watch()
	_ = w.config // race! w.config
}

func (w *configured) watch() {
	var ready sync.WaitGroup
	ready.Add(1)
	go func() {
		if Failed {
			ready.Done()
			return
		}
		var over sync.WaitGroup
		over.Add(1)
		go func() {
			defer over.Done()
			for range w.events {
				w.config = make(map[string]int) // race! w.config
			}
		}()
		ready.Done()
		over.Wait()
	}()
	ready.Wait()
}

// Done waits for that goroutine.
func ED6_watcherOver() {
	w := &configured{events: make(chan int)}
	go func() { w.events <- 1 }()
	w.watchOnce()
	_ = w.config // norace
}

func (w *configured) watchOnce() {
	var ready sync.WaitGroup
	ready.Add(1)
	go func() {
		if Failed {
			ready.Done()
			return
		}
		var over sync.WaitGroup
		over.Add(1)
		go func() {
			defer over.Done()
			for range w.events {
				w.config = make(map[string]int) // norace
			}
		}()
		over.Wait()
		ready.Done()
	}()
	ready.Wait()
}

// The same where the object is one of many: a run's own variable, in a loop.
func ED7_inRounds() {
	for range n {
		goesOn()
	}
}

func goesOn() {
	var x int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if Failed {
			wg.Done()
			return
		}
		wg.Done()
		x++ // race! x
	}()
	wg.Wait()
	_ = x // race! x
}

package order

import "sync"

// A function that makes something with the help of a goroutine, and waits for it, is told
// apart for the rounds of a loop that calls it: each copy waits for its own goroutine.

func CO1_waited() {
	for _, parts := range twoLists() {
		use(assemble(parts))
	}
}

func twoLists() [][]string { return [][]string{{"a"}, {"b", "c"}} }

func use([]int) {}

func assemble(parts []string) []int {
	out := make([]int, len(parts))
	done := make(chan struct{})
	go func() {
		out[0] = 1 // norace
		close(done)
	}()
	<-done
	out[0]++ // norace
	return out
}

func CO1b_toldBefore() {
	for _, parts := range twoLists() {
		use(assembleEarly(parts))
	}
}

func assembleEarly(parts []string) []int {
	out := make([]int, len(parts))
	done := make(chan struct{})
	go func() {
		close(done)
		out[0] = 1 // race! out
	}()
	<-done
	out[0]++ // race! out
	return out
}

// It waits for the goroutine of the call before.
func CO1c_theOneBefore() {
	t := &tower{done: make(chan struct{})}
	close(t.done)
	for _, parts := range twoLists() {
		use(t.assemble(parts))
	}
}

type tower struct{ done chan struct{} }

func (t *tower) assemble(parts []string) []int {
	out := make([]int, len(parts))
	done := make(chan struct{})
	go func() {
		out[0] = 1 // race out; what it waits for is not known to be another one
		close(done)
	}()
	<-t.done
	t.done = done
	out[0]++ // race out; as above
	return out
}

func CO2_waitedForOthers() {
	for _, parts := range twoLists() {
		use(assembleByTwo(parts))
	}
}

func assembleByTwo(parts []string) []int {
	out := make([]int, len(parts))
	failed := make(chan error)
	go func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[0] = 1 // norace
		}()
		wg.Wait()
		close(failed)
	}()
	for range failed {
	}
	out[0]++ // norace
	return out
}

// Who closes what a function has opened waits for the goroutine that this has started, of two
// callers as well.
func CO3_closerWaits() {
	openPushing(func() error { return nil }).Close()
	openPushing(func() error { return nil }).Close()
}

type closeFunc func() error

func (c closeFunc) Close() error { return c() }

func openPushing(push func() error) interface{ Close() error } {
	var wg sync.WaitGroup
	wg.Add(1)
	var err error
	go func() {
		defer wg.Done()
		err = push() // norace
	}()
	return closeFunc(func() error {
		wg.Wait()
		return err // norace
	})
}

func CO3b_closerForgets() {
	openForgetful(func() error { return nil }).Close()
	openForgetful(func() error { return nil }).Close()
}

func openForgetful(push func() error) interface{ Close() error } {
	var wg sync.WaitGroup
	wg.Add(1)
	var err error
	go func() {
		wg.Done()
		err = push() // race! err
	}()
	return closeFunc(func() error {
		wg.Wait()
		return err // race! err
	})
}

// The goroutine starts others in a loop: the rounds of that, too, are those of each call.
func CO4_workers() {
	for _, parts := range twoLists() {
		use(assembleByWorkers(parts))
	}
}

func assembleByWorkers(parts []string) []int {
	out := make([]int, len(parts))
	failed := make(chan error)
	go func() {
		var wg sync.WaitGroup
		for i, part := range parts {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if part == "" {
					failed <- nil
					return
				}
				out[i] = 1 // norace
			}()
		}
		wg.Wait()
		close(failed)
	}()
	for range failed {
	}
	for i := range out {
		out[i]++ // norace
	}
	return out
}

func CO4b_closedBefore() {
	for _, parts := range twoLists() {
		use(assembleUnseen(parts))
	}
}

func assembleUnseen(parts []string) []int {
	out := make([]int, len(parts))
	failed := make(chan error)
	go func() {
		var wg sync.WaitGroup
		for i := range parts {
			wg.Add(1)
			go func() {
				defer wg.Done()
				out[i] = 1 // race! out
			}()
		}
		close(failed)
		wg.Wait()
	}()
	for range failed {
	}
	for i := range out {
		out[i]++ // race! out
	}
	return out
}

// Goroutines that run a method of what the round has made wait for each other, and are waited for.
func CO5_served() {
	for _, parts := range twoLists() {
		s := &counterDesk{clerks: map[string]*counterClerk{}}
		s.serve(parts)
	}
}

type counterDesk struct {
	all    sync.WaitGroup
	mu     sync.Mutex
	clerks map[string]*counterClerk
	served int
}

type counterClerk struct {
	in chan int
	n  int
}

func (d *counterDesk) serve(names []string) {
	for _, name := range names {
		c := &counterClerk{in: make(chan int, 1)}
		d.mu.Lock()
		d.clerks[name] = c
		d.mu.Unlock()
		d.all.Add(1)
		go d.attend(c)
	}
	d.all.Wait()
	d.served++ // norace
}

func (d *counterDesk) attend(c *counterClerk) {
	defer d.all.Done()
	defer func() {
		d.mu.Lock()
		d.served++ // norace
		d.mu.Unlock()
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for k := range c.in {
			c.n += k // norace
		}
	}()
	c.in <- 1
	close(c.in)
	<-done
	c.n++ // norace
}

func CO5b_servedAfter() {
	for _, parts := range twoLists() {
		s := &counterHasty{clerks: map[string]*counterClerk{}}
		s.serve(parts)
	}
}

type counterHasty struct {
	all    sync.WaitGroup
	mu     sync.Mutex
	clerks map[string]*counterClerk
	served int
}

func (d *counterHasty) serve(names []string) {
	for _, name := range names {
		c := &counterClerk{in: make(chan int, 1)}
		d.mu.Lock()
		d.clerks[name] = c
		d.mu.Unlock()
		d.all.Add(1)
		go d.attend(c)
	}
	d.all.Wait()
	d.served++ // race! d.served
}

func (d *counterHasty) attend(c *counterClerk) {
	defer func() {
		d.mu.Lock()
		d.served++ // race! d.served
		d.mu.Unlock()
	}()
	defer d.all.Done()
	done := make(chan struct{})
	go func() {
		for k := range c.in {
			c.n += k // race! c.n
		}
	}()
	c.in <- 1
	close(c.in)
	close(done)
	<-done
	c.n++ // race! c.n
}

package order

import "sync"

// A goroutine that starts others and waits for them tells of them, too, when it is over.

type innerTally struct{ n int }

// IN1: by a wait group, in a loop.
func IN1_loopInside() int {
	ts := make([]innerTally, n)
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		for i := range ts {
			wg.Add(1)
			go func() {
				defer wg.Done()
				ts[i].n++ // norace
			}()
		}
		wg.Wait()
		close(done)
	}()
	<-done
	return ts[0].n // norace
}

// It does not wait before it tells.
func IN1b_toldEarly() int {
	ts := make([]innerTally, n)
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		for i := range ts {
			wg.Add(1)
			go func() {
				defer wg.Done()
				ts[i].n++ // race! n
			}()
		}
		close(done)
		wg.Wait()
	}()
	<-done
	return ts[0].n // race! n
}

// What another one starts may not have been added yet.
func IN1c_addedByAnother() int {
	t := &innerTally{}
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		go func() {
			wg.Add(1)
			go func() {
				defer wg.Done()
				t.n++ // race! t.n
			}()
		}()
		wg.Wait()
		close(done)
	}()
	<-done
	return t.n // race! t.n
}

// It waits before it starts anything.
func IN1d_waitsFirst() int {
	t := &innerTally{}
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		wg.Wait()
		wg.Add(1)
		go func() {
			defer wg.Done()
			t.n++ // race! t.n
		}()
		close(done)
	}()
	<-done
	return t.n // race! t.n
}

// IN2: a function adds, and starts.
func IN2_startedByHelper() int {
	t := &innerTally{}
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		startInner(&wg, t)
		wg.Wait()
		close(done)
	}()
	<-done
	return t.n // norace
}

func startInner(wg *sync.WaitGroup, t *innerTally) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.n++ // norace
	}()
}

// Who waits for the group, beside the goroutine that adds to it, may find it empty.
func IN2b_waitedForBeside() int {
	t := &innerTally{}
	var wg sync.WaitGroup
	done := make(chan struct{})
	go func() {
		startBeside(&wg, t)
		wg.Wait()
		close(done)
	}()
	wg.Wait()
	defer func() { <-done }()
	return t.n // race! t.n
}

func startBeside(wg *sync.WaitGroup, t *innerTally) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.n++ // race! t.n
	}()
}

// IN3: groups in groups, in a function that is called twice.
func IN3_groups() int {
	var c innerCounted
	return c.count() + c.count()
}

type innerCounted struct{ sum *innerTally }

func (c *innerCounted) count() int {
	c.sum = &innerTally{} // norace
	outer := &innerGroup{}
	outer.start(func() error {
		inner := &innerGroup{}
		inner.start(func() error {
			c.sum.n++ // norace
			return nil
		})
		return inner.wait()
	})
	if err := outer.wait(); err != nil {
		return 0
	}
	return c.sum.n // norace
}

type innerGroup struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *innerGroup) start(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *innerGroup) wait() error {
	g.wg.Wait()
	return g.err
}

// IN3b: two goroutines share the group; each may have been told of nothing but its own.
func IN3b_sharedByTwo() {
	t := &innerTally{}
	var wg, all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			wg.Add(1)
			go func() {
				defer wg.Done()
				t.n++ // race! t.n
			}()
			wg.Wait()
			t.n++ // race! t.n
		})
	}
	all.Wait()
}

// IN4: two groups, one after the other: what the first waits for has added to the second, for
// what it starts.
func IN4_oneGroupAfterAnother() int {
	return startsBelow(func(outer, inner *sync.WaitGroup) {
		outer.Wait()
		inner.Wait()
	})
}

func startsBelow(wait func(outer, inner *sync.WaitGroup)) int {
	var mu sync.Mutex
	var outer, inner sync.WaitGroup
	t := &innerTally{}
	for range n {
		outer.Go(func() {
			inner.Add(1)
			go func() {
				defer inner.Done()
				mu.Lock()
				defer mu.Unlock()
				t.n++ // norace
			}()
		})
	}
	wait(&outer, &inner)
	return t.n // norace
}

// IN4a: one goroutine, which is the only one.
func IN4a_single() int {
	var inner, outer sync.WaitGroup
	n := 0
	outer.Add(1)
	go func() {
		defer outer.Done()
		inner.Add(1)
		go func() {
			defer inner.Done()
			n++ // norace
		}()
	}()
	outer.Wait()
	inner.Wait()
	return n // norace
}

// The other way round the second may be found empty.
func IN4b_theOtherWayRound() int {
	var mu sync.Mutex
	var outer, inner sync.WaitGroup
	t := &innerTally{}
	for range n {
		outer.Go(func() {
			inner.Add(1)
			go func() {
				defer inner.Done()
				mu.Lock()
				defer mu.Unlock()
				t.n++ // race! t.n
			}()
		})
	}
	inner.Wait()
	outer.Wait()
	return t.n // race! t.n
}

// The inner ones add themselves.
func IN4c_addedTooLate() int {
	var mu sync.Mutex
	var outer, inner sync.WaitGroup
	t := &innerTally{}
	for range n {
		outer.Go(func() {
			go func() {
				inner.Add(1)
				defer inner.Done()
				mu.Lock()
				defer mu.Unlock()
				t.n++ // race! t.n
			}()
		})
	}
	outer.Wait()
	inner.Wait()
	return t.n // race! t.n
}

// One further below adds itself, too late: what another one has added is not for it.
func IN4d_furtherBelow() int {
	var mu sync.Mutex
	var outer, inner sync.WaitGroup
	t := &innerTally{}
	for range n {
		outer.Go(func() {
			inner.Add(1)
			go func() { defer inner.Done() }()
			go func() {
				go func() {
					inner.Add(1)
					defer inner.Done()
					mu.Lock()
					defer mu.Unlock()
					t.n++ // race! t.n
				}()
			}()
		})
	}
	outer.Wait()
	inner.Wait()
	return t.n // race! t.n
}

// On one way nobody waits for the first group.
func IN4e_onOneWay(hurry bool) int {
	var mu sync.Mutex
	var outer, inner sync.WaitGroup
	t := &innerTally{}
	for range n {
		outer.Go(func() {
			inner.Add(1)
			go func() {
				defer inner.Done()
				mu.Lock()
				defer mu.Unlock()
				t.n++ // race! t.n
			}()
		})
	}
	if !hurry {
		outer.Wait()
	}
	inner.Wait()
	return t.n // race! t.n
}

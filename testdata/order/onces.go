package order

import "sync"

// Programs about what a Once runs and tells of.

// ON1: what the Once has set is set when the channel is closed, whoever comes to it.
func ON1_closedByOnce(in []int) int {
	var once sync.Once
	done := make(chan struct{})
	first := 0
	for _, v := range in {
		go func() {
			if v > 0 {
				once.Do(func() {
					first = v // norace
					close(done)
				})
			}
		}()
	}
	<-done
	return first // norace
}

// ON1b: it is set when the channel is closed.
func ON1b_closedBeforeSet(in []int) int {
	var once sync.Once
	done := make(chan struct{})
	first := 0
	for _, v := range in {
		go func() {
			if v > 0 {
				once.Do(func() {
					close(done)
					first = v // race! first
				})
			}
		}()
	}
	<-done
	return first // race! first
}

// ON2: a loop comes to the Once again and again, with one of two bodies.
func ON2_oneOfTwo(in []int) int {
	var once sync.Once
	done := make(chan struct{})
	first := 0
	go func() {
		for _, v := range in {
			once.Do(func() {
				first = v // norace
				close(done)
			})
		}
		once.Do(func() {
			first = -1 // norace
			close(done)
		})
	}()
	<-done
	return first // norace
}

// ON2b: the other body is another Once's.
func ON2b_twoOnces(in []int) int {
	var once, last sync.Once
	done := make(chan struct{})
	first := 0
	go func() {
		for _, v := range in {
			once.Do(func() {
				first = v // norace
				close(done)
			})
		}
		last.Do(func() {
			first = -1 // race! first
		})
	}()
	<-done
	return first // race! first
}

// ON3: a Once that can be waited for.
func ON3_waitedFor(in []int) (first int) {
	var o awaitedOnce
	set := func(v int) { o.do(func() { first = v }) } // norace
	go func() {
		var wg sync.WaitGroup
		for _, v := range in {
			wg.Go(func() { set(v) })
		}
		wg.Wait()
		set(0)
	}()
	o.wait()
	return first // norace
}

type awaitedOnce struct {
	once, made sync.Once
	done       chan struct{}
}

func (o *awaitedOnce) make() { o.made.Do(func() { o.done = make(chan struct{}) }) }

func (o *awaitedOnce) do(f func()) {
	o.once.Do(func() {
		o.make()
		f()
		close(o.done)
	})
}

func (o *awaitedOnce) wait() {
	o.make()
	<-o.done
}

// ON3b: after the channel is closed another Once goes on, and so does the body.
func ON3b_goesOn() int {
	first := 0
	var once, other sync.Once
	done := make(chan struct{})
	go func() {
		once.Do(func() {
			first = 1 // norace
			close(done)
			other.Do(func() {})
			first = 2 // race! first
		})
	}()
	<-done
	return first // race! first
}

// ON4: who gets an entry of a table gets one whose Once is over.
func ON4_gottenReady() {
	t := &readyTable{entries: map[int]*readyEntry{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if e, ok := t.get(i % 3); ok {
				println(e.x) // norace
			}
		})
	}
	wg.Wait()
}

type readyTable struct {
	mu      sync.Mutex
	entries map[int]*readyEntry
}

type readyEntry struct {
	once sync.Once
	x    int
}

func (t *readyTable) get(k int) (*readyEntry, bool) {
	t.mu.Lock()
	e := t.entries[k]
	if e == nil {
		e = &readyEntry{}
		t.entries[k] = e
	}
	t.mu.Unlock()
	e.once.Do(func() { e.x = k }) // norace
	return e, true
}

// ON4b: it gets another one than that whose Once is over.
func ON4b_anothersOnce() {
	t := &otherTable{entries: map[int]*otherEntry{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			println(t.get(i % 3).x) // race! _.x
		})
	}
	wg.Wait()
}

type otherTable struct {
	mu      sync.Mutex
	entries map[int]*otherEntry
}

type otherEntry struct {
	once sync.Once
	x    int
}

func (t *otherTable) get(k int) *otherEntry {
	t.mu.Lock()
	e, f := t.entries[k], t.entries[k+1]
	if e == nil || f == nil {
		e, f = &otherEntry{}, &otherEntry{}
		t.entries[k], t.entries[k+1] = e, f
	}
	t.mu.Unlock()
	e.once.Do(func() { e.x = k }) // race! _.x
	return f
}

// ON5: the Once, and what it guards, are found through a pointer, each time anew.
func ON5_loadedPointer() {
	var hs []*onceHolder
	for range n {
		p := &oncePart{}
		hs = append(hs, &onceHolder{p}, &onceHolder{p})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			println(hs[i].get())
		})
	}
	wg.Wait()
}

type onceHolder struct{ p *oncePart }

type oncePart struct {
	once sync.Once
	x    int
}

func (h *onceHolder) get() int {
	h.p.once.Do(func() { h.p.x = 1 }) // norace
	return h.p.x                      // norace
}

// ON5b: the pointer is set anew meanwhile.
func ON5b_setAnew() {
	var hs []*anewHolder
	for range n {
		p := &anewPart{}
		hs = append(hs, &anewHolder{p: p}, &anewHolder{p: p})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			println(hs[i].get())
			hs[i].set(hs[0].part())
		})
	}
	wg.Wait()
}

type anewHolder struct {
	mu sync.Mutex
	p  *anewPart
}

type anewPart struct {
	once sync.Once
	x    int
}

func (h *anewHolder) part() *anewPart {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.p
}

func (h *anewHolder) set(p *anewPart) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.p = p
}

func (h *anewHolder) get() int {
	h.part().once.Do(func() { h.part().x = 1 }) // race! _.x
	return h.part().x                           // race! _.x
}

// ON5c: each holder has a Once, and two of them one part.
func ON5c_onceOfHolder() {
	var hs []*eachHolder
	for range n {
		p := &eachPart{}
		hs = append(hs, &eachHolder{p, new(sync.Once)}, &eachHolder{p, new(sync.Once)})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			println(hs[i].get())
		})
	}
	wg.Wait()
}

type eachHolder struct {
	p    *eachPart
	once *sync.Once
}

type eachPart struct{ x int }

func (h *eachHolder) get() int {
	h.once.Do(func() { h.p.x = 1 }) // race! _.x
	return h.p.x                    // race! _.x
}

// ON5d: what is written is another part than that of the Once.
func ON5d_otherPart() {
	var hs []*pairHolder
	for range n {
		p, q := &pairPart{}, &pairPart{}
		hs = append(hs, &pairHolder{p, q}, &pairHolder{q, p})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			println(hs[i].get())
		})
	}
	wg.Wait()
}

type pairHolder struct{ p, q *pairPart }

type pairPart struct {
	once sync.Once
	x    int
}

func (h *pairHolder) get() int {
	h.p.once.Do(func() { h.q.x = 1 }) // race! _.x
	return h.p.x                      // race! _.x
}

// ON5e: the same without a lock, by two for each holder.
func ON5e_setBetween() {
	var hs []*betweenHolder
	for range n {
		p := &betweenPart{}
		hs = append(hs, &betweenHolder{p}, &betweenHolder{p})
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			h := hs[i/2]
			println(h.get())
			h.p = hs[0].p // race! _.p
		})
	}
	wg.Wait()
}

type betweenHolder struct{ p *betweenPart }

type betweenPart struct {
	once sync.Once
	x    int
}

func (h *betweenHolder) get() int {
	h.p.once.Do(func() { h.p.x = 1 })   // race! _.x _.p
	read := func() int { return h.p.x } // race! _.x _.p
	return read()
}

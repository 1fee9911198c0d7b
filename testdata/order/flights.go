package order

import "sync"

// One goroutine does what several ask for; the others wait for it with a WaitGroup
// or a Once in the entry.

type flight struct {
	wg  sync.WaitGroup
	val int
	dup int
}

type flights struct {
	mu sync.Mutex
	m  map[int]*flight
}

func (g *flights) do(key int) int {
	g.mu.Lock()
	if f := g.m[key]; f != nil {
		f.dup++ // norace
		g.mu.Unlock()
		f.wg.Wait()
		return f.val // norace
	}
	f := new(flight)
	f.wg.Add(1)
	g.m[key] = f // norace
	g.mu.Unlock()
	f.val = key * 2 // norace
	f.wg.Done()
	g.mu.Lock()
	delete(g.m, key)
	g.mu.Unlock()
	return f.val
}

// ask runs f for a few keys on several goroutines.
func ask(f func(key int) int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i % 3) })
	}
	wg.Wait()
}

// The result is read after Wait.
func P6_flight() {
	g := &flights{m: make(map[int]*flight)}
	ask(g.do)
}

// Some do not wait.
func P6b_notWaited() {
	g := &flights{m: make(map[int]*flight)}
	ask(g.peek)
}

func (g *flights) peek(key int) int {
	g.mu.Lock()
	if f := g.m[key]; f != nil {
		g.mu.Unlock()
		if key > 0 {
			f.wg.Wait()
		}
		return f.val // race! _.val
	}
	f := new(flight)
	f.wg.Add(1)
	g.m[key] = f
	g.mu.Unlock()
	f.val = key * 2 // race! _.val
	f.wg.Done()
	return 0
}

// It is told to be done before it is.
func P6c_doneTooEarly() {
	g := &flights{m: make(map[int]*flight)}
	ask(g.hasty)
}

func (g *flights) hasty(key int) int {
	g.mu.Lock()
	if f := g.m[key]; f != nil {
		g.mu.Unlock()
		f.wg.Wait()
		return f.val // race! _.val
	}
	f := new(flight)
	f.wg.Add(1)
	g.m[key] = f
	g.mu.Unlock()
	f.wg.Done()
	f.val = key * 2 // race! _.val
	return 0
}

// One Add, and Done from two places.
func P6d_twoDone() {
	g := &flights{m: make(map[int]*flight)}
	ask(g.double)
}

func (g *flights) double(key int) int {
	g.mu.Lock()
	if f := g.m[key]; f != nil {
		g.mu.Unlock()
		f.wg.Wait()
		return f.val // race! _.val
	}
	f := new(flight)
	f.wg.Add(2)
	g.m[key] = f
	g.mu.Unlock()
	f.wg.Done()
	f.wg.Done()
	f.val = key * 2 // race! _.val
	return 0
}

type drawer struct {
	once sync.Once
	val  int
	seen bool
}

type drawers struct {
	mu sync.Mutex
	m  map[int]*drawer
}

func (s *drawers) of(key int) *drawer {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.m[key]
	if !ok {
		e = new(drawer)
		s.m[key] = e // norace
	}
	return e
}

// Each entry has a Once, which fills it.
func P7_onceOfEntry() {
	s := &drawers{m: make(map[int]*drawer)}
	ask(func(key int) int {
		e := s.of(key)
		e.once.Do(func() { e.val = key }) // norace
		return e.val                      // norace
	})
}

// The entry is a variable that is set in two places.
func P7b_onceOfEither() {
	s := &drawers{m: make(map[int]*drawer)}
	ask(func(key int) int {
		s.mu.Lock()
		e, ok := s.m[key]
		if !ok {
			e = new(drawer)
			s.m[key] = e
		}
		s.mu.Unlock()
		e.once.Do(func() { e.val = key }) // norace
		return e.val                      // norace
	})
}

// It is looked at before.
func P7c_readBeforeDo() {
	s := &drawers{m: make(map[int]*drawer)}
	ask(func(key int) int {
		e := s.of(key)
		old := e.val                      // race! _.val
		e.once.Do(func() { e.val = key }) // race! _.val
		return old
	})
}

// The Once is another entry's.
func P7d_onceOfAnother() {
	s := &drawers{m: make(map[int]*drawer)}
	first := s.of(0)
	ask(func(key int) int {
		e := s.of(key)
		e.once.Do(func() { first.val = key }) // race! _.val
		return first.val                      // race! _.val
	})
}

// The body is also run without the Once.
func P7e_bodyCalledToo() {
	s := &drawers{m: make(map[int]*drawer)}
	ask(func(key int) int {
		e := s.of(key)
		fill := func() { e.val = key } // race! _.val
		if key == 1 {
			fill()
		}
		e.once.Do(fill)
		return e.val // race! _.val
	})
}

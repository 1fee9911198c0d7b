package lock

import (
	"strings"
	"sync"
)

// The iterations make lists too: what makes a list writes its mu before anyone
// else has it.
func P1_madeMeanwhile() {
	l := newList()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			own := newList()
			own.add(i)
			l.add(i)
		})
	}
	wg.Wait()
}

// A list has its lock behind a pointer.
type list struct {
	mu *sync.Mutex
	xs []int
	n  int
}

func newList() *list { return &list{mu: new(sync.Mutex)} }

func (l *list) add(x int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.xs = append(l.xs, x) // norace
	l.n++                  // norace
}

// The pointer is set anew while others lock what it led to.
func P2_renewed() {
	r := &renewed{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if i == n/2 {
				r.mu = new(sync.Mutex) // race! mu
			}
			r.add()
		})
	}
	wg.Wait()
}

type renewed struct {
	mu *sync.Mutex
	n  int
}

func (r *renewed) add() {
	r.mu.Lock()         // race! mu
	defer r.mu.Unlock() // race! mu
	r.n++               // race! n
}

// A method that makers call sets the pointer, and here another than its maker
// calls it.
func P3_setUpAgain() {
	s := newSetup()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			newSetup().add()
			s.init()
			s.add()
		})
	}
	wg.Wait()
}

type setup struct {
	mu *sync.Mutex
	n  int
}

func (s *setup) init() { s.mu = new(sync.Mutex) } // race! mu

func (s *setup) add() {
	s.mu.Lock()         // race! mu
	defer s.mu.Unlock() // race! mu
	s.n++               // race! n
}

func newSetup() *setup {
	s := &setup{}
	s.init()
	return s
}

func P4_setUpByMakers() {
	p := newPrepared()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			newPrepared().add()
			p.add()
		})
	}
	wg.Wait()
}

type prepared struct {
	mu *sync.Mutex
	n  int
}

func (p *prepared) init() { p.mu = new(sync.Mutex) } // norace

func (p *prepared) add() {
	p.mu.Lock() // norace
	defer p.mu.Unlock()
	p.n++ // norace
}

func newPrepared() *prepared {
	p := &prepared{}
	p.init()
	return p
}

func P5_oneOfManyCallers() {
	s := &screen{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			s.draw()
			var t text
			t.put("a")
			t.put("b")
			t.put("c")
			t.put("d")
			t.put("e")
			t.put("f")
			t.put("g")
			t.put("h")
			t.put("i")
			t.put("j")
			t.put("k")
			t.put("l")
			t.put("m")
			t.put("n")
			t.put("o")
			t.put("p")
			own := &screen{mu: new(sync.Mutex)}
			own.draw()
			s.clear()
		})
	}
	wg.Wait()
}

// What a frame is drawn into is guarded by the frame's lock. The method that
// does it is called with many other buffers, which nobody guards.
type screen struct {
	mu  *sync.Mutex
	out text
}

type text struct{ s []byte }

func (t *text) put(s string) { t.s = append(t.s, s...) } // norace

func (s *screen) draw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.put("x")
}

func (s *screen) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.put("y")
}

func P6_oneWithout() {
	s := &loose{mu: new(sync.Mutex)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var t words
			t.put(strings.Repeat("a", 3))
			own := &loose{mu: new(sync.Mutex)}
			own.draw()
			s.draw()
			s.clear()
		})
	}
	wg.Wait()
}

// One of the callers draws without the lock.
type loose struct {
	mu  *sync.Mutex
	out words
}

type words struct{ s []byte }

func (t *words) put(s string) { t.s = append(t.s, s...) } // race! out

func (s *loose) draw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.put("x")
}

func (s *loose) clear() { s.out.put("y") }

package order

import (
	"fmt"
	"sync"
)

// Programs about goroutines that add themselves to the group that is waited for.

// LA1: Wait may come before a goroutine has begun. That a group is waited for is no ground for doubt then.
func LA1_addsItself() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 4 {
		go func() {
			wg.Add(1)
			defer wg.Done()
			mu.Lock()
			n++ // race! n
			mu.Unlock()
		}()
	}
	wg.Wait()
	fmt.Println(n) // race! n
}

// LA2: the same, added before.
func LA2_addedFirst() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n++ // norace
			mu.Unlock()
		}()
	}
	wg.Wait()
	fmt.Println(n)
}

// LA3: in a method.
func LA3_addsInHelper() {
	w := new(lateWorkers)
	for _, s := range []string{"a", "b"} {
		go w.run(s)
	}
	w.wg.Wait()
	fmt.Println(w.found) // race! w.found
}

type lateWorkers struct {
	wg    sync.WaitGroup
	mu    sync.Mutex
	found []string
}

func (w *lateWorkers) run(name string) {
	w.wg.Add(1)
	defer w.wg.Done()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = append(w.found, name) // race! w.found
}

type lateCall struct {
	wg sync.WaitGroup
	v  int
}

type lateCalls struct {
	mu sync.Mutex
	m  map[string]*lateCall
}

// LA4: who makes a group adds to it before anyone has it, though it is done by itself, too.
func LA4_madeByItself() {
	g := &lateCalls{m: make(map[string]*lateCall)}
	for range 4 {
		go g.get("a")
	}
}

func (g *lateCalls) get(k string) int {
	g.mu.Lock()
	if c := g.m[k]; c != nil {
		g.mu.Unlock()
		c.wg.Wait()
		return c.v // norace
	}
	c := new(lateCall)
	c.wg.Add(1)
	g.m[k] = c
	g.mu.Unlock()
	c.v = len(k)
	c.wg.Done()
	return c.v
}

// LA5: each goroutine adds itself and starts others, which do so, too: nobody tells of the first.
func LA5_addsAndStarts() {
	c := new(lateTree)
	go c.visit(3)
	c.wg.Wait()
	fmt.Println(c.sum) // race! c.sum
}

type lateTree struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	sum int
}

func (c *lateTree) visit(n int) {
	c.wg.Add(1)
	defer c.wg.Done()
	c.mu.Lock()
	c.sum += n // race! c.sum
	c.mu.Unlock()
	if n > 0 {
		go c.visit(n - 1)
	}
}

// LA6: the first is told of by who waits, and each of the others by who starts it.
func LA6_addedByStarter() {
	c := new(toldTree)
	c.wg.Add(1)
	go c.visit(3)
	c.wg.Wait()
	fmt.Println(c.sum)
}

type toldTree struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	sum int
}

func (c *toldTree) visit(n int) {
	defer c.wg.Done()
	c.mu.Lock()
	c.sum += n // norace
	c.mu.Unlock()
	if n > 0 {
		c.wg.Add(1)
		go c.visit(n - 1)
	}
}

type lateDir struct {
	subs []*lateDir
	own  int
}

func newLateDir(depth int) *lateDir {
	d := &lateDir{}
	for range depth {
		d.subs = append(d.subs, newLateDir(depth-1))
	}
	return d
}

func (d *lateDir) usage() int {
	sum := d.own
	for _, s := range d.subs {
		sum += s.usage()
	}
	return sum
}

type lateWalker struct{ wg sync.WaitGroup }

// LA7: each visit adds for itself alone, the first one, too, which may be done before others have begun.
func LA7_visits() {
	w := &lateWalker{}
	root := newLateDir(3)
	w.visit7(root)
	w.wg.Wait()
	fmt.Println(root.subs[0].own) // race! d.own
}

func (w *lateWalker) visit7(d *lateDir) {
	w.wg.Add(1)
	defer w.wg.Done()
	for _, s := range d.subs {
		go w.visit7(s)
	}
	d.own = len(d.subs) // race! d.own
}

// LA8: each visit adds for those that it starts, and is added for.
func LA8_addedByStarter() {
	w := &lateWalker{}
	root := newLateDir(3)
	w.wg.Add(1)
	w.visit8(root)
	w.wg.Wait()
	fmt.Println(root.usage())
}

func (w *lateWalker) visit8(d *lateDir) {
	defer w.wg.Done()
	for _, s := range d.subs {
		w.wg.Add(1)
		go w.visit8(s)
	}
	d.own = len(d.subs) // norace
}

// LA9: one for itself, and one for each that is started.
func LA9_guarded() {
	w := &lateWalker{}
	root := newLateDir(3)
	w.visit9(root)
	w.wg.Wait()
	fmt.Println(root.usage())
}

func (w *lateWalker) visit9(d *lateDir) {
	w.wg.Add(1)
	defer w.wg.Done()
	for _, s := range d.subs {
		w.wg.Add(1)
		go func() {
			defer w.wg.Done()
			w.visit9(s)
		}()
	}
	d.own = len(d.subs) // norace
}

// LA10: added for one goroutine, which is not always started.
func LA10_notStarted(some bool) {
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	if some {
		go func() {
			n++ // norace
			wg.Done()
		}()
	} else {
		wg.Done()
	}
	wg.Wait()
	fmt.Println(n)
}

// LA11: added for each that is started, one of which may do it here.
func LA11_lastHere(parts [][]int) {
	var wg sync.WaitGroup
	sums := make([]int, len(parts))
	for k, p := range parts {
		wg.Add(1)
		if k < len(parts)-1 {
			go func() {
				sums[k] = len(p) // norace
				wg.Done()
			}()
			continue
		}
		sums[k] = len(p)
		wg.Done()
	}
	wg.Wait()
	fmt.Println(sums)
}

// LA12: two are added, one of which is this function's.
func LA12_two() {
	var wg sync.WaitGroup
	n := 0
	wg.Add(2)
	go func() {
		n++ // norace
		wg.Done()
	}()
	wg.Done()
	wg.Wait()
	fmt.Println(n)
}

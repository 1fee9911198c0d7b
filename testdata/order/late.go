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

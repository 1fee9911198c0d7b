package heap

import "sync"

// Programs about what a round of a loop has in common with the goroutine that it starts,
// in a function that is called many times: the round's variable is one, whoever calls.

// The round reads its map while its goroutine may still fill it.
func Roundvars_notAwaited() {
	for range 2 {
		rvNotAwaited([]string{"a", "b"})
	}
}

func rvNotAwaited(files []string) {
	for _, f := range files {
		c := make(chan string)
		results := make(map[string]int)
		go func() {
			for r := range c {
				results[r]++ // race! results[*]
			}
		}()
		c <- f
		close(c)
		rvReport1(results)
	}
}

func rvReport1(m map[string]int) {
	for _, v := range m { // race! results[*]
		println(v)
	}
}

// The function is called twice, one call after the other.
func Roundvars_calledTwice() {
	rvCalledTwice([]string{"a"})
	rvCalledTwice([]string{"b"})
}

func rvCalledTwice(files []string) {
	for _, f := range files {
		c := make(chan string)
		results := make(map[string]int)
		go func() {
			for r := range c {
				results[r]++ // race! results[*]
			}
		}()
		c <- f
		close(c)
		rvReport2(results)
	}
}

func rvReport2(m map[string]int) {
	for _, v := range m { // race! results[*]
		println(v)
	}
}

// The round waits for its goroutine.
func Roundvars_awaited() {
	for range 2 {
		rvAwaited([]string{"a", "b"})
	}
}

func rvAwaited(files []string) {
	for _, f := range files {
		c := make(chan string)
		results := make(map[string]int)
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for r := range c {
				results[r]++ // norace
			}
		}()
		c <- f
		close(c)
		wg.Wait()
		rvReport3(results)
	}
}

func rvReport3(m map[string]int) {
	for _, v := range m { // norace
		println(v)
	}
}

// The round looks at its map before it starts the goroutine.
func Roundvars_lookedAtBefore() {
	for range 2 {
		rvLookedAtBefore([]string{"a", "b"})
	}
}

func rvLookedAtBefore(files []string) {
	for _, f := range files {
		results := make(map[string]int)
		rvReport4(results)
		go func() {
			results[f]++ // norace
		}()
	}
}

func rvReport4(m map[string]int) {
	for _, v := range m { // norace
		println(v)
	}
}

// The round reads a map of its own, which no goroutine has: both are made by one function.
func Roundvars_anotherMap() {
	for range 2 {
		rvAnotherMap([]string{"a", "b"})
	}
}

func rvAnotherMap(files []string) {
	for _, f := range files {
		results, own := rvMap(), rvMap()
		go func() {
			results[f]++ // norace
		}()
		func() { own[f] = 1 }() // norace
		rvReport5(own)
	}
}

func rvMap() map[string]int { return make(map[string]int) }

func rvReport5(m map[string]int) {
	for _, v := range m { // norace
		println(v)
	}
}

// The goroutine has the map as an argument.
func Roundvars_passed() {
	for range 2 {
		rvPassed([]string{"a", "b"})
	}
}

func rvPassed(files []string) {
	for _, f := range files {
		m := make(map[string]int)
		go func(m map[string]int) {
			m[f]++ // race! m[*]
		}(m)
		rvReport6(m)
	}
}

func rvReport6(m map[string]int) {
	for _, v := range m { // race! m[*]
		println(v)
	}
}

// Methods of one object, in a function without a loop.
func Roundvars_method() {
	for range 2 {
		rvMethod()
	}
}

func rvMethod() {
	t := &rvTask1{}
	go t.run()
	t.set()
}

type rvTask1 struct{ n int }

func (t *rvTask1) run() { t.n++ }   // race! t.n
func (t *rvTask1) set() { t.n = 1 } // race! t.n

// The object is set before its goroutine starts, and looked at when that is over.
func Roundvars_methodAwaited() {
	for range 2 {
		rvMethodAwaited()
	}
}

func rvMethodAwaited() {
	for range 3 {
		t := &rvTask2{done: make(chan bool)}
		t.set()
		go t.run()
		<-t.done
		t.set()
	}
}

type rvTask2 struct {
	n    int
	done chan bool
}

func (t *rvTask2) run() { t.n++; close(t.done) } // norace
func (t *rvTask2) set() { t.n = 1 }              // norace

// Each round sets its own object before it starts the goroutine.
func Roundvars_setBefore() {
	for range 2 {
		rvSetBefore()
	}
}

func rvSetBefore() {
	for range 3 {
		t := &rvTask3{}
		t.set()
		go t.run()
	}
}

type rvTask3 struct{ n int }

func (t *rvTask3) run() { t.n++ }   // norace
func (t *rvTask3) set() { t.n = 1 } // norace

// A round reads the map of the one before it, whose goroutine may still fill it.
func Roundvars_ofTheLast() {
	for range 2 {
		rvOfTheLast([]string{"a", "b"})
	}
}

func rvOfTheLast(files []string) {
	var last map[string]int
	for _, f := range files {
		rvReport7(last)
		m := make(map[string]int)
		go func() {
			m[f]++ // race! m[*]
		}()
		last = m
	}
}

func rvReport7(m map[string]int) {
	for _, v := range m { // race! m[*]
		println(v)
	}
}

// A round of the outer loop has a variable for the goroutines that an inner one starts.
func Roundvars_outerNotAwaited() {
	for range 4 {
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for i := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				n += i // race! n
				mu.Unlock()
			}()
		}
		println(n) // race! n
		wg.Wait()
	}
}

// So it is for what the variable points to.
func Roundvars_outerPointer() {
	for range 4 {
		var wg sync.WaitGroup
		sums := make(map[int]int)
		for i := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				rvLock.Lock()
				sums[i]++ // race! sums[*]
				rvLock.Unlock()
			}()
		}
		rvSize(sums)
		wg.Wait()
	}
}

var rvLock sync.Mutex

func rvSize(m map[int]int) { println(len(m)) } // race! sums[*]

// What the next round sets is another variable.
func Roundvars_outerEachItsOwn() {
	for k := range 4 {
		var mu sync.Mutex
		n := 0
		n += k // norace
		for i := range 3 {
			go func() {
				mu.Lock()
				n += i // norace
				mu.Unlock()
			}()
		}
	}
}

// The round's object is passed to the goroutines.
func Roundvars_outerArgument() {
	for range 4 {
		var wg sync.WaitGroup
		var mu sync.Mutex
		c := &rvCell{}
		for range 3 {
			wg.Add(1)
			go c.add(&wg, &mu)
		}
		println(c.n) // race! c.n
		wg.Wait()
	}
}

type rvCell struct{ n int }

func (c *rvCell) add(wg *sync.WaitGroup, mu *sync.Mutex) {
	defer wg.Done()
	mu.Lock()
	c.n++ // race! c.n
	mu.Unlock()
}

// What a round reads is the object of the round before, whose goroutines it has waited for.
func Roundvars_outerBefore() {
	var last *rvOther
	var started *sync.WaitGroup
	var mu sync.Mutex
	for range 4 {
		if last != nil {
			started.Wait()
			println(last.n) // norace
		}
		wg := new(sync.WaitGroup)
		c := &rvOther{}
		for range 3 {
			wg.Add(1)
			go c.add(wg, &mu)
		}
		last, started = c, wg
	}
}

type rvOther struct{ n int }

func (c *rvOther) add(wg *sync.WaitGroup, mu *sync.Mutex) {
	defer wg.Done()
	mu.Lock()
	c.n++ // norace
	mu.Unlock()
}

// Roundvars_structOfRounds fills a struct in every other round: two goroutines have what one round has put there.
func Roundvars_structOfRounds() {
	var last struct {
		id   int
		slot *roundSlot
	}
	var wg sync.WaitGroup
	for i := range n {
		if i%2 == 0 {
			last.slot = &roundSlot{}
		}
		s := last.slot
		wg.Go(func() { s.n++ }) // race! _.n
	}
	wg.Wait()
}

// Roundvars_structOfRound has a struct in each.
func Roundvars_structOfRound() {
	var wg sync.WaitGroup
	for i := range n {
		var own struct {
			id   int
			slot *roundSlot
		}
		own.id = i
		own.slot = &roundSlot{}
		s := own.slot
		wg.Go(func() { s.n++ }) // norace
	}
	wg.Wait()
}

type roundSlot struct{ n int }

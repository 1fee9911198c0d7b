package loop

import (
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"
)

// The body is empty.
func T1_emptyBody() {
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
		}()
	}
	wg.Wait()
}

// Each iteration writes a captured particle, and its own element.
func T3_capturedShared() {
	shared := &P{}
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range ps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared.x = 10    // race! shared.x (without twothreads: race shared.x)
			ps[i] = &P{x: i} // norace (without twothreads: race _.x)
		}()
	}
	wg.Wait()
}

// The same over an integer range.
func T18_integerRange() {
	shared := &P{}
	ps := make([]*P, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared.x = 10 // race! shared.x
			ps[i] = &P{}  // norace
		}()
	}
	wg.Wait()
}

var staticShared = &P{}

// The object is made by the initialiser of a package variable.
func T19_objectOfGlobal() {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			staticShared.x = 10 // race! _.x
		}()
	}
	wg.Wait()
}

// As T19, through a local alias of the package variable.
func T20_aliasOfGlobal() {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := staticShared
			p.y = 11 // race! _.y
		}()
	}
	wg.Wait()
}

var staticX = 100

// The iterations write a package variable.
func T22_global() {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			staticX = 5 // race! staticX
		}()
	}
	wg.Wait()
}

// A three-clause loop.
func B10_threeClause() {
	sum := 0
	own := make([]int, n)
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sum += i   // race! sum
			own[i] = i // norace
		}()
	}
	wg.Wait()
}

// The body is a named function with arguments.
func B10_namedFunction() {
	var wg sync.WaitGroup
	total := 0
	for range n {
		wg.Add(1)
		go worker(&wg, &total, []int{1, 2})
	}
	wg.Wait()
}

func worker(wg *sync.WaitGroup, total *int, part []int) {
	defer wg.Done()
	for _, v := range part {
		*total += v // race! total
	}
}

// The body is a method of a shared object.
func B10_methodBody() {
	var wg sync.WaitGroup
	c := &counter{}
	for range n {
		wg.Add(1)
		go c.serve(&wg)
	}
	wg.Wait()
}

type counter struct{ hits int }

func (c *counter) serve(wg *sync.WaitGroup) {
	defer wg.Done()
	c.hits++ // race! c.hits
}

// A loop over a map spawns one goroutine per entry.
func B10_rangeMap() {
	seen := 0
	var wg sync.WaitGroup
	for _, p := range map[string]*P{"a": {}, "b": {}} {
		wg.Go(func() {
			p.x++  // norace
			seen++ // race! seen
		})
	}
	wg.Wait()
}

// A loop over a channel spawns one goroutine per item.
func B10_rangeChannel() {
	items := make(chan int)
	go func() {
		for i := range n {
			items <- i
		}
		close(items)
	}()
	last := 0
	var wg sync.WaitGroup
	for it := range items {
		wg.Go(func() {
			last += it // race! last
		})
	}
	wg.Wait()
}

// A loop without condition spawns until told to stop.
func B10_endlessLoop() {
	done := 0
	var wg sync.WaitGroup
	for {
		staticRounds--
		if staticRounds < 0 {
			break
		}
		wg.Go(func() {
			done++ // race! done
		})
	}
	wg.Wait()
	staticRounds = n
}

var staticRounds = n

func upTo(k int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range k {
			if !yield(i) {
				return
			}
		}
	}
}

// A loop over an iterator function spawns one goroutine per value.
func B10_rangeFunc() {
	sum := 0
	var wg sync.WaitGroup
	for i := range upTo(n) {
		wg.Go(func() {
			sum += i // race! sum
		})
	}
	wg.Wait()
}

// An errgroup runs the bodies; the first error is read after Wait.
func B10_errgroup() error {
	var g errgroup.Group
	own := make([]int, n)
	bad := 0
	for i := range n {
		g.Go(func() error {
			own[i] = i // norace
			bad += i   // race! bad
			return nil
		})
	}
	err := g.Wait()
	_ = own[0]
	return err
}

// tasks is a small group of a program's own.
type tasks struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (t *tasks) start(f func() error) {
	t.wg.Add(1)
	go func() {
		defer t.wg.Done()
		if err := f(); err != nil {
			t.once.Do(func() { t.err = err })
		}
	}()
}

func (t *tasks) wait() error {
	t.wg.Wait()
	return t.err
}

// The spawn and the join are methods of the program's own group type.
func B10_ownGroupType() {
	var t tasks
	own := make([]int, n)
	last := 0
	for i := range n {
		t.start(func() error {
			own[i] = i // norace
			last += i  // race! last
			return errors.New("no")
		})
	}
	_ = t.wait()
	_ = own[0] + last
}

// Nested loops spawn from the inner one.
func B10_nestedLoops() {
	grid := [4][4]int{}
	sum := 0
	var wg sync.WaitGroup
	for i := range grid {
		for k := range grid[i] {
			wg.Go(func() {
				grid[i][k] = 1 // norace
				sum++          // race! sum
			})
		}
	}
	wg.Wait()
}

// Both the outer loop and the loop in its body are parallel: each row's sum is
// shared by the row's cells.
func B10_nestedParallel() {
	rows := make([]int, 4)
	var outer sync.WaitGroup
	for i := range rows {
		outer.Go(func() {
			var inner sync.WaitGroup
			for k := range 4 {
				inner.Go(func() {
					rows[i] += k // race! rows[*]
				})
			}
			inner.Wait()
		})
	}
	outer.Wait()
}

package scope

import (
	"sync"

	"golang.org/x/sync/errgroup"
)

func retry(f func() error) error { return f() }

// The := declares err only after retry returns: in the closure, err is still
// the function's named result.
func S1_defineScopeTrap() (err error) {
	var g errgroup.Group
	parts := make([]int, n)
	for i := range n {
		g.Go(func() error {
			var out int
			err := retry(func() error {
				out, err = put(i) // race! err
				return err        // race! err
			})
			parts[i] = out // norace
			return err
		})
	}
	return g.Wait()
}

// With the := in a statement of its own, the closure sees the new variable.
func S1b_declaredBefore() (err error) {
	var g errgroup.Group
	parts := make([]int, n)
	for i := range n {
		g.Go(func() error {
			var out int
			var err error
			err = retry(func() error {
				out, err = put(i) // norace
				return err        // norace
			})
			parts[i] = out // norace
			return err
		})
	}
	return g.Wait()
}

// The closure has a named result of its own.
func S2_closureNamedResult() (err error) {
	var g errgroup.Group
	for i := range n {
		g.Go(func() (err error) {
			_, err = put(i) // norace
			return
		})
	}
	err = g.Wait()
	return err
}

// The closures assign the err of the function around them.
func S3_outerErr() {
	x, err := put(1)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, err = put(i) // race! err
			if err != nil { // race! err
				uses.Add(1)
			}
		}()
	}
	wg.Wait()
	_, _ = x, err
}

// The captured err is declared in the loop body: each iteration has its own.
func S4_errPerIteration() {
	var g errgroup.Group
	for i := range n {
		x, err := put(i)
		_ = x
		g.Go(func() error {
			_, err = put(i) // norace
			return err      // norace
		})
	}
	_ = g.Wait()
}

// As S4, but err is declared before the loop.
func S4b_errBeforeLoop() {
	var g errgroup.Group
	var err error
	for i := range n {
		g.Go(func() error {
			_, err = put(i) // race! err
			return err      // race! err
		})
	}
	_ = g.Wait()
}

// As S4, but the loop body goes on using err after the spawn.
func S4c_errUsedAfterSpawn() {
	var g errgroup.Group
	for i := range n {
		x, err := put(i)
		_ = x
		g.Go(func() error {
			_, err = put(i) // race! err
			return nil
		})
		if err != nil { // race! err
			break
		}
	}
	_ = g.Wait()
}

// Since Go 1.22 the loop variable is new in each iteration.
func S5_loopVariable() {
	us := []*user{{1}, {2}, {3}}
	ch := make(chan *user, len(us))
	var wg sync.WaitGroup
	for _, u := range us {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if !ok(u) {
				u = nil // norace
			}
			ch <- u
		}()
	}
	wg.Wait()
}

// A three-clause loop's variable is copied into each iteration, too; the
// increment works on the next one's.
func S5_threeClauseVariable() {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			k := i // norace
			uses.Add(int64(k))
		}()
	}
	wg.Wait()
}

// A variable of the function is assigned in each goroutine.
func S6_hoistedVariable() {
	var name string
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			name = "out" + string(rune('a'+i)) // race! name
			uses.Add(int64(len(name)))         // race! name
		}(i)
	}
	wg.Wait()
}

// The same variable, declared in the goroutine.
func S6b_variableInGoroutine() {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			var name string
			name = "out" + string(rune('a'+i))
			uses.Add(int64(len(name)))
		}(i)
	}
	wg.Wait()
}

// One worker assigns the outer edges where its sister declares new ones.
func S7_assignInsteadOfDefine() {
	var edges []int
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(2)
		go func() {
			defer wg.Done()
			edges = []int{i}            // race! edges
			uses.Add(int64(len(edges))) // race! edges
		}()
		go func() {
			defer wg.Done()
			edges := []int{i, i}
			uses.Add(int64(len(edges)))
		}()
	}
	wg.Wait()
}

// The captured err is the named result of the function, assigned under no lock.
func B10_namedResult() (err error) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, e := put(i); e == nil {
				err = e // race! err
			}
		})
	}
	wg.Wait()
	return err
}

package order

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// The joining Wait is only in the error branch.
func S37_waitOnOnePath() {
	own := make([]int, n)
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			own[i] = i // race! own[*]
		})
	}
	if _, err := put(1); err != nil {
		wg.Wait()
	}
	for i := range own {
		uses.Add(int64(own[i])) // race! own[*]
	}
	wg.Wait()
}

// Done comes before the last access.
func S38_earlyDone() {
	own := make([]int, n)
	last := make([]int, n)
	var wg sync.WaitGroup
	for i := range own {
		wg.Add(1)
		go func() {
			own[i] = i // norace
			wg.Done()
			last[i] = i // race! last[*]
		}()
	}
	wg.Wait()
	for i := range own {
		uses.Add(int64(own[i]))  // norace
		uses.Add(int64(last[i])) // race! last[*]
	}
}

// Add is called by the goroutine itself, maybe after Wait.
func S39_addInGoroutine() {
	own := make([]int, n)
	var wg sync.WaitGroup
	for i := range own {
		go func() {
			wg.Add(1)
			defer wg.Done()
			own[i] = i // race! own[*]
		}()
	}
	wg.Wait()
	for i := range own {
		uses.Add(int64(own[i])) // race! own[*]
	}
}

// One group is waited for, another counts the goroutines.
func B10_wrongGroup() {
	own := make([]int, n)
	var wg, other sync.WaitGroup
	for i := range own {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own[i] = i // race! own[*]
		}()
	}
	other.Wait()
	for i := range own {
		uses.Add(int64(own[i])) // race! own[*]
	}
	wg.Wait()
}

// All are added at once.
func B10_addAllAtOnce() {
	own := make([]int, n)
	var wg sync.WaitGroup
	wg.Add(len(own))
	for i := range own {
		go func() {
			defer wg.Done()
			own[i] = i // norace
		}()
	}
	wg.Wait()
	uses.Add(int64(own[3])) // norace
}

func collect() ([]int, error) {
	var g errgroup.Group
	var xs []int
	g.Go(func() error {
		xs = append(xs, 1) // norace
		return nil
	})
	return xs, g.Wait()
}

// go/ssa reads xs before the call of Wait, the compiled program after it.
func S40_returnWithWait() {
	xs, _ := collect()
	uses.Add(int64(len(xs)))
}

func length(xs *[]int) int { return len(*xs) }

// The operand is a call: it is evaluated first, before Wait.
func S40b_returnCallWithWait() (int, error) {
	var g errgroup.Group
	var xs []int
	for range n {
		g.Go(func() error { return nil })
	}
	g.Go(func() error {
		xs = append(xs, 1) // race! xs
		return nil
	})
	return lengthOf(&xs), g.Wait() // race! xs
}

func lengthOf(xs *[]int) int {
	return len(*xs) // race! xs
}

// The deferred Wait comes after the function's last statement.
func B10_deferredWait() {
	total := 0
	func() {
		var wg sync.WaitGroup
		defer wg.Wait()
		wg.Go(func() {
			total = length(&[]int{1}) // norace
		})
	}()
	total++ // norace
}

// The statements before the deferred Wait run beside the goroutine.
func B10_beforeDeferredWait() {
	total := 0
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		total = 1 // race! total
	})
	total++ // race! total
}

// start spawns and returns what waits.
func start(own []int) (wait func()) {
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			own[i] = i // norace
		})
	}
	return func() { wg.Wait() }
}

// The Wait is in a closure that the spawning function returned.
func B10_waitInReturnedClosure() {
	own := make([]int, n)
	wait := start(own)
	wait()
	uses.Add(int64(own[2])) // norace
}

type service struct {
	wg    sync.WaitGroup
	stats []int
}

func (s *service) start() {
	for i := range s.stats {
		s.wg.Add(1)
		go s.run(i)
	}
}

func (s *service) run(i int) {
	defer s.wg.Done()
	s.stats[i] = i // norace
}

func (s *service) stop() { s.wg.Wait() }

// The spawn and the Wait are methods of one service.
func B10_startAndStop() {
	s := &service{stats: make([]int, n)}
	s.start()
	s.stop()
	uses.Add(int64(s.stats[1])) // norace
}

// Once: one of the goroutines stores the first error, read after Wait.
func S12_onceFirstError() {
	var once sync.Once
	var first error
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := put(i); err == nil {
				once.Do(func() {
					first = err // norace
				})
			}
		})
	}
	wg.Wait()
	_ = first // norace
}

// The error is read before Wait.
func S12b_onceReadEarly() {
	var once sync.Once
	var first error
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := put(i)
			once.Do(func() {
				first = err // race! first
			})
		})
	}
	if first != nil { // race! first
		uses.Add(1)
	}
	wg.Wait()
}

// Everybody calls Do before the read.
func B10_lazyInit() {
	var once sync.Once
	var table []int
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			once.Do(func() {
				table = make([]int, n) // norace
				table[0] = 1           // norace
			})
			uses.Add(int64(table[i])) // norace
		})
	}
	wg.Wait()
}

// A Once per iteration runs once per iteration.
func B10_onceOfOwn() {
	total := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var once sync.Once
			once.Do(func() {
				total++ // race! total
			})
		})
	}
	wg.Wait()
}

// A limit of one runs the bodies one after the other.
func S49_limitOne() {
	var g errgroup.Group
	g.SetLimit(1)
	total := 0
	for range n {
		g.Go(func() error {
			total++ // norace
			return nil
		})
	}
	_ = g.Wait()
	_ = total // norace
}

// The limit is set when some may be running.
func S49b_limitOneTooLate() {
	var g errgroup.Group
	total := 0
	for i := range n {
		if i == 2 {
			_ = g.Wait()
			g.SetLimit(1)
		}
		g.Go(func() error {
			total++ // race! total
			return nil
		})
	}
	_ = g.Wait()
}

// What a body starts is not limited.
func S49c_limitOneStartsMore() {
	var g errgroup.Group
	g.SetLimit(1)
	total := 0
	var wg sync.WaitGroup
	for range n {
		g.Go(func() error {
			wg.Go(func() {
				total++ // race! total
			})
			return nil
		})
	}
	_ = g.Wait()
	wg.Wait()
}

// A limit of two does not.
func S49_limitTwo() {
	var g errgroup.Group
	g.SetLimit(2)
	total := 0
	for range n {
		g.Go(func() error {
			runtime.Gosched()
			total++ // race! total
			return nil
		})
	}
	_ = g.Wait()
}

// Workers that a select may leave running, on memory that is used again.
func S37b_leftRunning() {
	errc := make(chan error, n)
	work := make(chan int, n)
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := range work {
				sums[i] = w // race! sums[*]
				errc <- nil
			}
		})
	}
feed:
	for i := range n {
		select {
		case <-errc:
			break feed
		case work <- i:
		}
	}
	for i := range sums {
		sums[i] = 0 // race! sums[*]
	}
	close(work)
	wg.Wait()
}

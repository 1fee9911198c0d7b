package channel

import (
	"math"
	"sync"
)

// A pool of workers that run what they are sent, as programs write it for themselves. Each function
// that is sent runs once; what several of them have captured they have in common.
type taskPool struct {
	tasks chan func()
	wg    sync.WaitGroup
}

func newTaskPool(n int) *taskPool {
	p := &taskPool{tasks: make(chan func())}
	for range n {
		p.wg.Add(1)
		go p.work()
	}
	return p
}

func (p *taskPool) work() {
	defer p.wg.Done()
	for t := range p.tasks {
		t()
	}
}

func (p *taskPool) submit(f func()) { p.tasks <- f }

func (p *taskPool) close() {
	close(p.tasks)
	p.wg.Wait()
}

// Each function writes the element of the round that has made it.
func TP1_element(xs []float64) []float64 {
	p := newTaskPool(4)
	out := make([]float64, len(xs))
	for i, x := range xs {
		p.submit(func() { out[i] = math.Log(x) }) // norace
	}
	p.close()
	return out
}

func TP1_tiles(a []float64, h, w int) []float64 {
	p := newTaskPool(4)
	out := make([]float64, h*w)
	for y := 0; y < h; y += 8 {
		for x := 0; x < w; x += 8 {
			p.submit(func() {
				for i := y; i < min(y+8, h); i++ {
					for j := x; j < min(x+8, w); j++ {
						out[i*w+j] = a[i*w+j] // norace
					}
				}
			})
		}
	}
	p.close()
	return out
}

// Two rounds have one element.
func TP1b_halfElement(xs []float64) []float64 {
	p := newTaskPool(4)
	out := make([]float64, len(xs))
	for i, x := range xs {
		p.submit(func() { out[i/2] += x }) // race! out[*]
	}
	p.close()
	return out
}

// The number that the functions find is set while they run.
func TP1c_offset(xs []float64, off *[1]int) {
	p := newTaskPool(4)
	out := make([]float64, 2*len(xs))
	at := []int{0}
	for i, x := range xs {
		at[0] = len(xs) - i                   // race! at[*]
		p.submit(func() { out[i+at[0]] = x }) // race! out[*] at[*]
	}
	p.close()
}

// The making is in no loop: two calls may make the same index.
var taskSums [8]int

func taskAdd(p *taskPool, i int) {
	p.submit(func() { taskSums[i]++ }) // race! taskSums[*]
}

func TP1d_madeByCalls(xs []int) {
	p := newTaskPool(4)
	for _, x := range xs {
		taskAdd(p, x)
	}
	p.close()
}

// Each run of the maker goes through the same indices, and leaves its functions running.
func taskAddAll(p *taskPool, sums []int) {
	for i := range sums {
		p.submit(func() { sums[i]++ }) // race! sums[*]
	}
}

func TP1e_madeByRuns(rounds int) []int {
	p := newTaskPool(4)
	sums := make([]int, 8)
	for range rounds {
		taskAddAll(p, sums)
	}
	p.close()
	return sums
}

// A function is sent twice.
func TP1f_sentTwice(n int) []int {
	tasks := make(chan func())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range tasks {
				t()
			}
		})
	}
	out := make([]int, n)
	for i := range n {
		f := func() { out[i]++ } // race! out[*]
		tasks <- f
		tasks <- f
	}
	close(tasks)
	wg.Wait()
	return out
}

func TP1g_submittedTwice(n int) []int {
	p := newTaskPool(4)
	out := make([]int, n)
	for i := range n {
		f := func() { out[i]++ } // race! out[*]
		p.submit(f)
		p.submit(f)
	}
	p.close()
	return out
}

func TP1h_submittedInLoop() (n int) {
	p := newTaskPool(4)
	f := func() { n++ } // race! n
	for range 3 {
		p.submit(f)
	}
	p.close()
	return n
}

// What is made before the loop all have captured.
func TP2_variable(xs []float64) float64 {
	p := newTaskPool(4)
	total := 0.0
	for _, x := range xs {
		p.submit(func() { total += x }) // race! total
	}
	p.close()
	return total // norace
}

type taskStats struct{ n, max int }

func TP2_pointer(xs []int) *taskStats {
	tasks := make(chan func())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range tasks {
				t()
			}
		})
	}
	s := &taskStats{}
	for range xs {
		tasks <- func() { s.n++ } // race! s.n
	}
	close(tasks)
	wg.Wait()
	return s
}

// Under a lock, or made anew in each round.
func TP2a_locked(xs []float64) {
	p := newTaskPool(4)
	var mu sync.Mutex
	total := 0.0
	for _, x := range xs {
		p.submit(func() {
			mu.Lock()
			total += x // norace
			mu.Unlock()
		})
	}
	p.close()
}

// Each function has captured another one of what was made before.
func TP2e_oneEach(xs []int) {
	tasks := make(chan func())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range tasks {
				t()
			}
		})
	}
	var all []*taskStats
	for range xs {
		all = append(all, &taskStats{})
	}
	for _, s := range all {
		tasks <- func() { s.n++ } // norace
	}
	close(tasks)
	wg.Wait()
}

// Each function is made once, and touches what no other one does.
func TP2c_onlyOne(xs []int) (n, m int) {
	p := newTaskPool(2)
	p.submit(func() { n = len(xs) }) // norace
	p.submit(func() { m = cap(xs) }) // norace
	p.close()
	return n, m
}

func TP2d_both(xs []int) (n int) {
	p := newTaskPool(2)
	p.submit(func() { n = len(xs) }) // race! n
	p.submit(func() { n = cap(xs) }) // race! n
	p.close()
	return n
}

func TP2b_ofRound(xs []int) {
	tasks := make(chan func())
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range tasks {
				t()
			}
		})
	}
	for _, x := range xs {
		s := &taskStats{}
		tasks <- func() { s.n += x } // norace
	}
	close(tasks)
	wg.Wait()
}

// The pool is made by a function that several goroutines run: its tasks are those of one run.
func TP3_inGoroutines(sizes []int) {
	var wg sync.WaitGroup
	for _, n := range sizes {
		wg.Go(func() { println(len(squaresOf(n))) })
	}
	wg.Wait()
}

func squaresOf(n int) []int {
	out := make([]int, n)
	p := poolOfSquares(3)
	for i := range n {
		p.submit(func() {
			out[i] = i * i // norace
		})
	}
	p.close()
	return out
}

func poolOfSquares(n int) *taskPool {
	p := &taskPool{tasks: make(chan func())}
	for range n {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			for t := range p.tasks {
				t()
			}
		}()
	}
	return p
}

// Two tasks have one index.
func TP3b_half(sizes []int) {
	var wg sync.WaitGroup
	for _, n := range sizes {
		wg.Go(func() { println(len(halvesOf(n))) })
	}
	wg.Wait()
}

func halvesOf(n int) []int {
	out := make([]int, n)
	p := poolOfHalves(3)
	for i := range n {
		p.submit(func() {
			out[i/2] = i // race! out[*]
		})
	}
	p.close()
	return out
}

func poolOfHalves(n int) *taskPool {
	p := &taskPool{tasks: make(chan func())}
	for range n {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			for t := range p.tasks {
				t()
			}
		}()
	}
	return p
}

// The goroutines have one list.
func TP3c_common(sizes []int) {
	out := make([]int, 100)
	var wg sync.WaitGroup
	for _, n := range sizes {
		wg.Go(func() { squaresInto(out, n) })
	}
	wg.Wait()
}

func squaresInto(out []int, n int) {
	p := poolOfCommon(3)
	for i := range n {
		p.submit(func() {
			out[i] = i * i // race! out[*]
		})
	}
	p.close()
}

func poolOfCommon(n int) *taskPool {
	p := &taskPool{tasks: make(chan func())}
	for range n {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			for t := range p.tasks {
				t()
			}
		}()
	}
	return p
}

// TP4: all tasks have captured the receiver of the method that makes them.
func TP4_receiver(xs []int) {
	s := &taskSum{}
	s.addAll(xs)
	println(s.total)
}

type taskSum struct{ total, last int }

func (s *taskSum) addAll(xs []int) {
	p := poolOfSums(4)
	for _, x := range xs {
		p.submit(func() {
			s.total += x // race! s.total
		})
	}
	p.close()
}

func poolOfSums(n int) *taskPool {
	p := &taskPool{tasks: make(chan func())}
	for range n {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			for t := range p.tasks {
				t()
			}
		}()
	}
	return p
}

// TP4b: each has captured its own.
func TP4b_eachItsOwn(n int) {
	var sums []*taskSum
	for range n {
		sums = append(sums, &taskSum{})
	}
	bumpEach(sums)
}

func bumpEach(sums []*taskSum) {
	p := newTaskPool(4)
	for _, s := range sums {
		p.submit(func() {
			s.last++ // norace
		})
	}
	p.close()
}

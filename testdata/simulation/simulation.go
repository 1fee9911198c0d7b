// Package simulation runs simulations in parallel. None of it races.
package simulation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

type World struct {
	w, h  int
	cells [][]bool
}

func (w *World) alive(x, y int) bool { return w.cells[(y+w.h)%w.h][(x+w.w)%w.w] }

func (w *World) neighbours(x, y int) (n int) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && w.alive(x+dx, y+dy) {
				n++
			}
		}
	}
	return
}

func newWorld(w, h int) *World {
	c := make([][]bool, h)
	for i := range c {
		c[i] = make([]bool, w)
	}
	return &World{w, h, c}
}

func (w *World) Step() *World {
	next := newWorld(w.w, w.h)
	var wg sync.WaitGroup
	for y := 0; y < w.h; y++ {
		wg.Add(1)
		go func(y int) {
			defer wg.Done()
			for x := 0; x < w.w; x++ {
				n := w.neighbours(x, y)
				next.cells[y][x] = n == 3 || n == 2 && w.alive(x, y)
			}
		}(y)
	}
	wg.Wait()
	return next
}

func Run(steps int) *World {
	w := newWorld(100, 100)
	for range steps {
		w = w.Step()
	}
	return w
}

// n-body, two phases
type Body struct {
	Pos, Vel, Acc [3]float64
	Mass          float64
}

type System struct {
	Bodies []*Body
}

func (s *System) forEach(f func(i int, b *Body)) {
	var wg sync.WaitGroup
	for i, b := range s.Bodies {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(i, b)
		}()
	}
	wg.Wait()
}

func (s *System) Step(dt float64) {
	s.forEach(func(i int, b *Body) {
		b.Acc = [3]float64{}
		for j, o := range s.Bodies {
			if i == j {
				continue
			}
			for k := range 3 {
				b.Acc[k] += o.Mass * (o.Pos[k] - b.Pos[k])
			}
		}
	})
	s.forEach(func(_ int, b *Body) {
		for k := range 3 {
			b.Vel[k] += b.Acc[k] * dt
			b.Pos[k] += b.Vel[k] * dt
		}
	})
}

// ants / genetic: each worker has a rand of its own
type Individual struct {
	Genes   []float64
	Fitness float64
}

func Evolve(n, gens, workers int) []Individual {
	pop := make([]Individual, n)
	for i := range pop {
		pop[i].Genes = make([]float64, 10)
	}
	rngs := make([]*rand.Rand, workers)
	for i := range rngs {
		rngs[i] = rand.New(rand.NewPCG(1, uint64(i)))
	}
	for range gens {
		next := make([]Individual, n)
		var wg sync.WaitGroup
		for w := range workers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				r := rngs[w]
				for i := w; i < n; i += workers {
					a, b := &pop[r.IntN(n)], &pop[r.IntN(n)]
					child := Individual{Genes: make([]float64, len(a.Genes))}
					for g := range child.Genes {
						if r.Float64() < .5 {
							child.Genes[g] = a.Genes[g]
						} else {
							child.Genes[g] = b.Genes[g]
						}
						child.Fitness += child.Genes[g]
					}
					next[i] = child
				}
			}()
		}
		wg.Wait()
		pop = next
	}
	return pop
}

// statistics of workers: one struct each, read after the join; progress by atomics
type Stats struct {
	Done   int
	Errors []error
}

func LoadTest(ctx context.Context, n int, do func(context.Context) error) (Stats, time.Duration) {
	start := time.Now()
	per := make([]Stats, n)
	var sent atomic.Int64
	stop := make(chan struct{})
	ticker := time.NewTicker(time.Second)
	go func() {
		for {
			select {
			case <-ticker.C:
				fmt.Println(sent.Load())
			case <-stop:
				ticker.Stop()
				return
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range per {
		st := &per[i]
		wg.Add(1)
		go func() {
			defer wg.Done()
			for ctx.Err() == nil {
				if err := do(ctx); err != nil {
					st.Errors = append(st.Errors, err)
				}
				st.Done++
				sent.Add(1)
			}
		}()
	}
	wg.Wait()
	close(stop)
	var total Stats
	for _, s := range per {
		total.Done += s.Done
		total.Errors = append(total.Errors, s.Errors...)
	}
	return total, time.Since(start)
}

// bank with ordered locks
type Account struct {
	mu      sync.Mutex
	id      int
	balance int
}

func Transfer(a, b *Account, n int) {
	if a.id > b.id {
		a, b, n = b, a, -n
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	a.balance -= n
	b.balance += n
}

func Bank() int {
	as := make([]*Account, 10)
	for i := range as {
		as[i] = &Account{id: i, balance: 100}
	}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			Transfer(as[i%10], as[(i*7+3)%10], i)
		})
	}
	wg.Wait()
	sum := 0
	for _, a := range as {
		sum += a.balance
	}
	return sum
}

// All runs all of it.
func All() {
	Run(3)
	(&System{Bodies: []*Body{{}, {}}}).Step(1)
	Evolve(10, 3, 2)
	LoadTest(context.Background(), 3, func(context.Context) error { return nil })
	Bank()
}

// Command montecarlo estimates the value of a portfolio of stock options by
// simulating many courses of the stocks' prices.
//
// Each run has random numbers of its own. The runs share the portfolio, which
// they only read, a cache of discount factors, and the collector of results,
// which has a lock. They also share one thing that they should not: see
// engine.last.
package main

import (
	"bytes"
	"container/heap"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"sync"
	"sync/atomic"
)

func main() {
	runs := flag.Int("runs", 2000, "courses to simulate")
	steps := flag.Int("steps", 250, "trading days in a course")
	seed := flag.Int64("seed", 42, "of the random numbers")
	flag.Parse()

	e := newEngine(portfolio(), *steps, log.New(os.Stderr, "montecarlo: ", log.Lmsgprefix))
	results := e.simulate(*runs, *seed)
	mean, deviation := describe(results)
	fmt.Printf("%d runs, value %.2f, deviation %.2f, last run %d\n", e.done.Load(), mean, deviation, e.last)
	fmt.Print(e.top.table())
}

// An option is the right to buy a stock at a price when the course ends.
type option struct {
	name          string
	price, strike float64
	drift, sigma  float64 // of the price, in a year
}

func portfolio() []option {
	return []option{
		{"ARC", 100, 105, 0.05, 0.20},
		{"BLM", 40, 38, 0.03, 0.35},
		{"CRN", 250, 300, 0.08, 0.15},
	}
}

// An engine simulates.
type engine struct {
	options []option
	days    int
	logger  *log.Logger
	factors sync.Map // days to discount factor
	top     *ranking
	done    atomic.Int64
	// last is the number of the run that ended last, for the summary. It is
	// written by every run and nothing protects it: a race, and a harmless one.
	last int
}

func newEngine(options []option, days int, logger *log.Logger) *engine {
	return &engine{options: options, days: days, logger: logger, top: newRanking(5)}
}

// A result is what one run yields.
type result struct {
	run   int
	value float64
	paths []*path
}

// simulate makes n runs in parallel, some at a time.
func (e *engine) simulate(n int, seed int64) []*result {
	results := make([]*result, n)
	slots := make(chan struct{}, 8)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			r := e.run(i, rand.New(rand.NewSource(seed+int64(i))))
			results[i] = r
			e.top.offer(r)
			e.last = i
			if d := e.done.Add(1); d%500 == 0 {
				e.logger.Printf("%d runs done", d)
			}
		}()
	}
	wg.Wait()
	return results
}

// run simulates one course of all stocks.
func (e *engine) run(i int, rng *rand.Rand) *result {
	r := &result{run: i}
	for k := range e.options {
		o := &e.options[k]
		p := newPath(o, e.days)
		p.walk(rng)
		r.paths = append(r.paths, p)
		r.value += math.Max(p.end()-o.strike, 0) * e.factor(e.days)
	}
	return r
}

// factor returns what money is worth today that is paid after some days.
func (e *engine) factor(days int) float64 {
	if f, ok := e.factors.Load(days); ok {
		return f.(float64)
	}
	f := math.Exp(-0.02 * float64(days) / 250)
	e.factors.Store(days, f)
	return f
}

// A path is the course of one price.
type path struct {
	option *option
	prices []float64
}

func newPath(o *option, days int) *path {
	p := &path{option: o, prices: make([]float64, days+1)}
	p.prices[0] = o.price
	return p
}

// walk makes the prices: a geometric Brownian motion.
func (p *path) walk(rng *rand.Rand) {
	const dt = 1.0 / 250
	drift := (p.option.drift - p.option.sigma*p.option.sigma/2) * dt
	spread := p.option.sigma * math.Sqrt(dt)
	for t := 1; t < len(p.prices); t++ {
		p.prices[t] = p.prices[t-1] * math.Exp(drift+spread*rng.NormFloat64())
	}
}

func (p *path) end() float64 { return p.prices[len(p.prices)-1] }

// A ranking keeps the best results.
type ranking struct {
	size int

	mu     sync.Mutex
	best   *byValue
	report bytes.Buffer // what was pushed out
}

func newRanking(size int) *ranking { return &ranking{size: size, best: new(byValue)} }

// offer takes r into the ranking, if it is good enough.
func (k *ranking) offer(r *result) {
	k.mu.Lock()
	defer k.mu.Unlock()
	heap.Push(k.best, r)
	if k.best.Len() > k.size {
		out := heap.Pop(k.best).(*result)
		fmt.Fprintf(&k.report, "run %d: %.2f\n", out.run, out.value)
	}
}

// table lists the ranking, the worst first.
func (k *ranking) table() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var b bytes.Buffer
	for k.best.Len() > 0 {
		r := heap.Pop(k.best).(*result)
		fmt.Fprintf(&b, "%6d %10.2f\n", r.run, r.value)
	}
	fmt.Fprintf(&b, "%d bytes of others\n", k.report.Len())
	return b.String()
}

// byValue is a heap of results, the worst at the top.
type byValue []*result

func (h byValue) Len() int           { return len(h) }
func (h byValue) Less(i, j int) bool { return h[i].value < h[j].value }
func (h byValue) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byValue) Push(x any)        { *h = append(*h, x.(*result)) }
func (h *byValue) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// describe returns mean and standard deviation of the values.
func describe(results []*result) (mean, deviation float64) {
	for _, r := range results {
		mean += r.value
	}
	mean /= float64(len(results))
	for _, r := range results {
		deviation += (r.value - mean) * (r.value - mean)
	}
	return mean, math.Sqrt(deviation / float64(len(results)))
}

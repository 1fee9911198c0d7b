// Package patterns has the patterns that parallel programs are put together from. None of it races.
package patterns

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"sync"
	"sync/atomic"
	"time"
)

// generic parallel map with error
func Map[T, U any](xs []T, f func(T) (U, error)) ([]U, error) {
	out := make([]U, len(xs))
	errs := make([]error, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i], errs[i] = f(x)
		}()
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

func Reduce[T any](xs []T, zero T, op func(a, b T) T) T {
	const p = 8
	parts := make([]T, p)
	var wg sync.WaitGroup
	for w := range p {
		wg.Add(1)
		go func() {
			defer wg.Done()
			acc := zero
			for i := w; i < len(xs); i += p {
				acc = op(acc, xs[i])
			}
			parts[w] = acc
		}()
	}
	wg.Wait()
	r := zero
	for _, x := range parts {
		r = op(r, x)
	}
	return r
}

func Filter[T any](xs []T, keep func(T) bool) []T {
	mask := make([]bool, len(xs))
	ForEach(len(xs), 4, func(i int) { mask[i] = keep(xs[i]) })
	var out []T
	for i, k := range mask {
		if k {
			out = append(out, xs[i])
		}
	}
	return out
}

func ForEach(n, workers int, f func(i int)) {
	idx := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range idx {
				f(i)
			}
		})
	}
	for i := range n {
		idx <- i
	}
	close(idx)
	wg.Wait()
}

// pool object
type Pool struct {
	tasks chan func()
	wg    sync.WaitGroup
	once  sync.Once
}

func NewPool(n int) *Pool {
	p := &Pool{tasks: make(chan func(), n)}
	for range n {
		p.wg.Add(1)
		go p.loop()
	}
	return p
}
func (p *Pool) loop() {
	defer p.wg.Done()
	for t := range p.tasks {
		t()
	}
}
func (p *Pool) Submit(f func()) { p.tasks <- f }
func (p *Pool) Close()          { p.once.Do(func() { close(p.tasks) }); p.wg.Wait() }

func UsePool(xs []int) []int {
	out := make([]int, len(xs))
	p := NewPool(4)
	for i, x := range xs {
		p.Submit(func() { out[i] = x * x })
	}
	p.Close()
	return out
}

// futures
type Future[T any] struct {
	done chan struct{}
	val  T
	err  error
}

func Async[T any](f func() (T, error)) *Future[T] {
	fu := &Future[T]{done: make(chan struct{})}
	go func() {
		defer close(fu.done)
		fu.val, fu.err = f()
	}()
	return fu
}
func (f *Future[T]) Get() (T, error) { <-f.done; return f.val, f.err }

func UseFutures() (int, error) {
	var fs []*Future[int]
	for i := range 10 {
		fs = append(fs, Async(func() (int, error) { return i * i, nil }))
	}
	sum := 0
	for _, f := range fs {
		v, err := f.Get()
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

// pipeline stages
func gen(ctx context.Context, n int) <-chan *Item {
	out := make(chan *Item)
	go func() {
		defer close(out)
		for i := range n {
			select {
			case out <- &Item{ID: i}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

type Item struct {
	ID    int
	Steps []string
	Score float64
}

func stage(in <-chan *Item, name string, workers int) <-chan *Item {
	out := make(chan *Item)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for it := range in {
				it.Steps = append(it.Steps, fmt.Sprintf("%s/%d", name, w))
				it.Score += float64(it.ID)
				out <- it
			}
		}()
	}
	go func() { wg.Wait(); close(out) }()
	return out
}

func Pipeline(ctx context.Context) (total float64) {
	for it := range stage(stage(gen(ctx, 100), "a", 3), "b", 2) {
		total += it.Score
	}
	return
}

// scheduler with heap and cond
type Queue struct {
	mu     sync.Mutex
	cond   sync.Cond
	items  []int
	closed bool
}

func NewQueue() *Queue { q := &Queue{}; q.cond.L = &q.mu; return q }
func (q *Queue) Push(x int) {
	q.mu.Lock()
	q.items = append(q.items, x)
	q.mu.Unlock()
	q.cond.Signal()
}
func (q *Queue) Pop() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.cond.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	x := q.items[0]
	q.items = q.items[1:]
	return x, true
}
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.cond.Broadcast()
}

func UseQueue() int64 {
	q := NewQueue()
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				x, ok := q.Pop()
				if !ok {
					return
				}
				sum.Add(int64(x))
			}
		})
	}
	for i := range 100 {
		q.Push(i)
	}
	q.Close()
	wg.Wait()
	return sum.Load()
}

// errgroup written by hand
type Group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
	sem  chan struct{}
	stop context.CancelFunc
}

func WithLimit(ctx context.Context, n int) (*Group, context.Context) {
	ctx, c := context.WithCancel(ctx)
	return &Group{sem: make(chan struct{}, n), stop: c}, ctx
}
func (g *Group) Go(f func() error) {
	g.sem <- struct{}{}
	g.wg.Add(1)
	go func() {
		defer func() { <-g.sem; g.wg.Done() }()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err; g.stop() })
		}
	}()
}
func (g *Group) Wait() error { g.wg.Wait(); g.stop(); return g.err }

type Job struct {
	Name  string
	Took  time.Duration
	Lines []string
}

func RunJobs(ctx context.Context, jobs []Job) error {
	g, ctx := WithLimit(ctx, 4)
	for i := range jobs {
		j := &jobs[i]
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t := time.Now()
			j.Lines = append(j.Lines, "start "+j.Name)
			j.Took = time.Since(t)
			log.Printf("%s took %v", j.Name, j.Took)
			return nil
		})
	}
	return g.Wait()
}

// iterators
func Range(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func Squares(n int) []int {
	out := make([]int, n)
	var wg sync.WaitGroup
	for i := range Range(n) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = i * i
		}()
	}
	wg.Wait()
	return out
}

// cache with singleflight by entry
type entry struct {
	once sync.Once
	val  string
}
type Memo struct {
	mu sync.Mutex
	m  map[string]*entry
	f  func(string) string
}

func (m *Memo) Get(k string) string {
	m.mu.Lock()
	e := m.m[k]
	if e == nil {
		e = &entry{}
		m.m[k] = e
	}
	m.mu.Unlock()
	e.once.Do(func() { e.val = m.f(k) })
	return e.val
}

func UseMemo(keys []string) []string {
	m := &Memo{m: map[string]*entry{}, f: func(s string) string { return s + s }}
	out := make([]string, len(keys))
	var wg sync.WaitGroup
	for i, k := range keys {
		wg.Go(func() { out[i] = m.Get(k) })
	}
	wg.Wait()
	return out
}

// monitor goroutine (actor)
type cmd struct {
	key   string
	n     int
	reply chan int
}
type Actor struct{ in chan cmd }

func NewActor() *Actor {
	a := &Actor{in: make(chan cmd)}
	go func() {
		state := map[string]int{}
		for c := range a.in {
			state[c.key] += c.n
			if c.reply != nil {
				c.reply <- state[c.key]
			}
		}
	}()
	return a
}

func (a *Actor) Add(k string, n int) int {
	r := make(chan int)
	a.in <- cmd{k, n, r}
	return <-r
}

func UseActor() {
	a := NewActor()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { a.Add(fmt.Sprint(i%3), i) })
	}
	wg.Wait()
	close(a.in)
}

// results by first/timeout
func First(fs ...func() (string, error)) (string, error) {
	type res struct {
		s   string
		err error
	}
	ch := make(chan res, len(fs))
	for _, f := range fs {
		go func() {
			s, err := f()
			ch <- res{s, err}
		}()
	}
	var last error
	for range fs {
		select {
		case r := <-ch:
			if r.err == nil {
				return r.s, nil
			}
			last = r.err
		case <-time.After(time.Second):
			return "", errors.New("timeout")
		}
	}
	return "", last
}

// copy-on-write config
type Config struct {
	m atomic.Pointer[map[string]string]
}

func (c *Config) Set(k, v string) {
	for {
		old := c.m.Load()
		n := map[string]string{}
		if old != nil {
			for k, v := range *old {
				n[k] = v
			}
		}
		n[k] = v
		if c.m.CompareAndSwap(old, &n) {
			return
		}
	}
}
func (c *Config) Get(k string) string {
	if m := c.m.Load(); m != nil {
		return (*m)[k]
	}
	return ""
}

func UseConfig() {
	var c Config
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { c.Set(fmt.Sprint(i), "x"); _ = c.Get("1") })
	}
	wg.Wait()
}

// All runs all of it.
func All() {
	ctx := context.Background()
	a := make([]int, 10)
	Map(a, func(i int) (string, error) { return fmt.Sprint(i), nil })
	Reduce(a, 0, func(x, y int) int { return x + y })
	Filter(a, func(i int) bool { return i > 3 })
	UsePool(a)
	UseFutures()
	Pipeline(ctx)
	UseQueue()
	RunJobs(ctx, make([]Job, 4))
	Squares(4)
	UseMemo([]string{"a"})
	UseActor()
	First(func() (string, error) { return "", nil })
	UseConfig()
}

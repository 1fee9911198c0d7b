// Package client has types whose clients are not in view: who makes what starts goroutines, and
// what is called meanwhile, is not known.
package client

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// A getter forgets the lock.
func CL1_getter() *Ticks {
	t := &Ticks{quit: make(chan struct{})}
	t.wg.Go(t.run)
	return t
}

type Ticks struct {
	mu   sync.Mutex
	last time.Time
	n    int
	sum  int
	plan func()
	quit chan struct{}
	wg   sync.WaitGroup
}

func (t *Ticks) run() {
	for {
		select {
		case now := <-time.After(time.Millisecond):
			t.mu.Lock()
			t.last = now // race! t.last
			t.n++        // norace
			t.mu.Unlock()
			t.sum++            // norace
			if t.plan != nil { // norace
				t.plan() // norace
			}
		case <-t.quit:
			return
		}
	}
}

func (t *Ticks) Last() time.Time { return t.last } // race! t.last

func (t *Ticks) N() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n // norace
}

// Close waits for the goroutine.
func (t *Ticks) Close() int {
	close(t.quit)
	t.wg.Wait()
	return t.n + t.sum // norace
}

// Plan may have to be called before something else is done: it has no lock.
func (t *Ticks) Plan(f func()) {
	t.plan = f // norace
}

// What a method returns is used by the client, too.
func CL2_returned() *Idle {
	p := &Idle{}
	go p.reap()
	return p
}

type Idle struct {
	mu   sync.Mutex
	list []*Lent
}

type Lent struct {
	from *Idle
	last time.Time
	uses int
}

func (p *Idle) reap() {
	for now := range time.Tick(time.Millisecond) {
		p.mu.Lock()
		list := slices.Clone(p.list)
		for _, c := range list {
			c.uses = 0 // norace
		}
		p.mu.Unlock()
		for _, c := range list {
			if now.Sub(c.last) > time.Minute { // race! c.last
				println("old")
			}
		}
	}
}

func (p *Idle) Get() *Lent { return &Lent{from: p} }

func (c *Lent) Release() {
	p := c.from
	p.mu.Lock()
	p.list = append(p.list, c)
	c.uses++            // norace
	c.last = time.Now() // race! c.last
	p.mu.Unlock()
}

// A method starts what its next call runs beside.
func CL3_timer() (*Batch, error) {
	return &Batch{}, nil
}

type Batch struct {
	mu    sync.Mutex
	items []int
	timer *time.Timer
	sent  int
}

func (b *Batch) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, n) // race! b.items
	if b.timer == nil {
		b.timer = time.AfterFunc(time.Millisecond, b.expire)
	}
}

func (b *Batch) expire() {
	if len(b.items) == 0 { // race! b.items
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items, b.timer = nil, nil // race! b.items
	b.sent++                    // norace
}

// Its client is in view, and calls Close only.
func CL4_client() {
	made(3).Close()
}

func made(n int) *InView {
	v := &InView{n: n, quit: make(chan struct{})}
	go v.run()
	return v
}

type InView struct {
	mu   sync.Mutex
	n    int
	quit chan struct{}
}

func (v *InView) run() {
	<-v.quit
	v.mu.Lock()
	v.n++ // norace
	v.mu.Unlock()
}

func (v *InView) N() int { return v.n } // norace

func (v *InView) Close() { close(v.quit) }

// Another package cannot name what a method is to be given, or the type at all.
func CL5_unnamed() *Hidden {
	h := &Hidden{}
	go h.run()
	return h
}

type Hidden struct {
	mu sync.Mutex
	n  int
}

type secret int

func (h *Hidden) run() {
	h.mu.Lock()
	h.n++ // norace
	h.mu.Unlock()
}

func (h *Hidden) Set(s secret) { h.n = int(s) } // norace

// A client has a generic type for some type argument.
func CL6_generic[K ~string, V any]() *Late[K, V] {
	l := &Late[K, V]{m: make(map[K]V), count: make(map[K]int)}
	go l.drop()
	return l
}

type Late[K ~string, V any] struct {
	mu    sync.Mutex
	m     map[K]V
	count map[K]int
	drops int
}

func (l *Late[K, V]) drop() {
	for range time.Tick(time.Millisecond) {
		l.mu.Lock()
		clear(l.m) // norace
		l.mu.Unlock()
		l.drops++ // race! l.drops
	}
}

func (l *Late[K, V]) Put(k K, v V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[k] = v   // norace
	l.count[k]++ // norace
}

func (l *Late[K, V]) Drops() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.drops // race! l.drops
}

// Nothing but the documentation says that a client has to wait first.
func FP_clientAfterEnd() *Job {
	j := &Job{done: make(chan struct{})}
	go j.run()
	return j
}

type Job struct {
	mu   sync.Mutex
	err  error
	done chan struct{}
}

func (j *Job) run() {
	defer close(j.done)
	j.mu.Lock()
	j.err = errLate // race j.err; the call comes when Done is closed
	j.mu.Unlock()
}

var errLate = errors.New("late")

func (j *Job) Done() <-chan struct{} { return j.done }

// Err returns the error, once Done is closed.
func (j *Job) Err() error { return j.err } // race j.err; see above

// The lock is released too early. What a client writes without one may have to be written before
// it starts something.
func FN_releasedEarly() *Slots {
	s := &Slots{}
	go s.sweep()
	return s
}

type Slots struct {
	mu   sync.Mutex
	free int
	last time.Time
}

func (s *Slots) sweep() {
	for now := range time.Tick(time.Millisecond) {
		s.mu.Lock()
		if now.Sub(s.last) > time.Minute { // missed s.last; one-client
			s.free = 0
		}
		s.mu.Unlock()
	}
}

func (s *Slots) Release() {
	s.mu.Lock()
	s.free++ // norace
	s.mu.Unlock()
	s.last = time.Now() // missed s.last; see above
}

// A client has two goroutines that use one object.
func CL7_twoGoroutines() *Sum {
	s := &Sum{quit: make(chan struct{})}
	go func() { <-s.quit }()
	return s
}

type Sum struct {
	mu   sync.Mutex
	n    int
	quit chan struct{}
}

func (s *Sum) Add() {
	s.mu.Lock()
	s.n++ // race! s.n
	s.mu.Unlock()
}

func (s *Sum) N() int { return s.n } // race! s.n

// Who sends to the goroutine means it to run, but neither has a lock.
func FN_readBeforeSend() *Journal {
	j := &Journal{lines: make(chan string), write: func(string) error { return nil }}
	go j.run()
	return j
}

type Journal struct {
	lines chan string
	write func(string) error
	err   error
}

func (j *Journal) run() {
	for l := range j.lines {
		j.err = j.write(l) // missed j.err; one-client
	}
}

func (j *Journal) Append(l string) error {
	if j.err != nil { // missed j.err; see above
		return j.err
	}
	j.lines <- l
	return nil
}

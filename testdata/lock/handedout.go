package lock

import (
	"maps"
	"slices"
	"sync"
)

// What is kept in one place under a lock, and used without it by who has got it
// from there. There are many such things, all made by one piece of code.

type bell struct{ rung int }

type belfry struct {
	mu    sync.Mutex
	bells []*bell
}

func (b *belfry) hang(x *bell) {
	b.mu.Lock()
	b.bells = append(b.bells, x)
	b.mu.Unlock()
}

func newBelfry() *belfry {
	b := &belfry{}
	for range n {
		b.hang(&bell{})
	}
	return b
}

// The list is taken under the lock; another goroutine turns it round in place.
func HO1_turnedInPlace() {
	b := newBelfry()
	done := make(chan bool)
	go func() {
		for range 50 * n {
			b.turn()
		}
		done <- true
	}()
	for range 50 * n {
		b.each()
	}
	<-done
}

func (b *belfry) turn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	slices.Reverse(b.bells) // race! bells[*]
}

func (b *belfry) each() (sum int) {
	b.mu.Lock()
	bells := b.bells
	b.mu.Unlock()
	for _, x := range bells { // race! bells[*]
		if x != nil {
			sum += x.rung
		}
	}
	return sum
}

// What is cut is a copy.
func HO1b_cutCopy() {
	b := newBelfry()
	done := make(chan bool)
	go func() {
		for k := range n {
			b.without(k)
		}
		done <- true
	}()
	for range n {
		b.all()
	}
	<-done
}

func (b *belfry) without(k int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var keep []*bell
	for _, x := range b.bells { // norace
		if x.rung != k {
			keep = append(keep, x)
		}
	}
	b.bells = keep
}

func (b *belfry) all() (sum int) {
	b.mu.Lock()
	bells := b.bells
	b.mu.Unlock()
	for _, x := range bells { // norace
		sum += x.rung
	}
	return sum
}

// The snapshot has a map of its own, but of the same maps.
func HO2_shallow() {
	t := &tallies{of: map[string]map[int]int{"a": {}}}
	done := make(chan bool)
	go func() {
		for k := range 50 * n {
			t.book(k%n, "a")
			t.book(k%n, "b")
		}
		done <- true
	}()
	for range 10 * n {
		for _, m := range t.shallow() {
			for range m { // race! of[*]
			}
		}
	}
	<-done
}

type tallies struct {
	mu sync.Mutex
	of map[string]map[int]int
}

func (t *tallies) book(k int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[name] == nil {
		t.of[name] = map[int]int{}
	}
	t.of[name][k]++ // race! of[*]
}

func (t *tallies) shallow() map[string]map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]map[int]int)
	for name, m := range t.of {
		out[name] = m
	}
	return out
}

// It has copies of those too.
func HO2b_deep() {
	t := &counts{of: map[string]map[int]int{}}
	done := make(chan bool)
	go func() {
		for k := range n {
			t.add(k, "a")
		}
		done <- true
	}()
	for range n {
		for _, m := range t.deep() {
			for range m { // norace
			}
		}
	}
	<-done
}

type counts struct {
	mu sync.Mutex
	of map[string]map[int]int
}

func (t *counts) add(k int, name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[name] == nil {
		t.of[name] = map[int]int{}
	}
	t.of[name][k]++ // norace
}

func (t *counts) deep() map[string]map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make(map[string]map[int]int)
	for name, m := range t.of {
		out[name] = maps.Clone(m) // norace
	}
	return out
}

// The slice is handed out as it is, and read without the lock.
func HO3_asItIs() {
	l := &register{}
	for i := range n {
		l.set(i)
	}
	done := make(chan bool)
	go func() {
		for i := range 10 * n {
			l.set(i)
		}
		done <- true
	}()
	for range n {
		for _, v := range l.snapshot() { // race! _[*]
			_ = v
		}
	}
	<-done
}

type register struct {
	mu   sync.Mutex
	rows []int
}

func (l *register) set(i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rows) < n {
		l.rows = append(l.rows, i)
	}
	l.rows[0] = i // race! _[*]
}

func (l *register) snapshot() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows
}

// Each has a belfry of its own: what lies in one does not lie in another.
func HO4_apart() {
	var bs []*belfry
	for range 2 {
		bs = append(bs, newBelfry())
	}
	mine, other := bs[0], bs[1]
	done := make(chan bool)
	go func() {
		mine.bells[0] = nil // norace
		done <- true
	}()
	_ = other.bells[0] // norace
	<-done
}

// What is received was loaded from a place of the sender's, who made it.
func HO5_sent() {
	ch := make(chan *belfry)
	for range 3 {
		go func() {
			b := newBelfry()
			bells := b.bells
			bells[0].rung++ // norace
			bells[1] = nil  // norace
			ch <- b
		}()
	}
	for range 3 {
		b := <-ch
		b.bells[1] = b.bells[0] // norace
		b.bells[0].rung++       // norace
	}
}

// A goroutine looks through the visitors under the lock; who comes is looked for, and
// written down where there is none yet, under the lock, and greeted without it.
func HO6_greetedLater() {
	l := &lobby{seen: map[int]*visitor{}}
	done := make(chan bool)
	go func() {
		for range 50 * n {
			l.count()
		}
		done <- true
	}()
	for k := range 50 * n {
		l.come(k % n)
	}
	<-done
}

type visitor struct{ times int }

type lobby struct {
	mu   sync.Mutex
	seen map[int]*visitor
}

func (l *lobby) count() (sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.seen {
		sum += v.times // race! _.times
	}
	return sum
}

func (l *lobby) come(k int) {
	l.mu.Lock()
	v := l.seen[k]
	if v == nil {
		v = &visitor{}
		l.seen[k] = v
	}
	l.mu.Unlock()
	v.times++ // race! _.times
}

// Who comes is greeted before others can see him.
func HO6b_greetedFirst() {
	l := &foyer{seen: map[int]*caller{}}
	done := make(chan bool)
	go func() {
		for range 50 * n {
			l.count()
		}
		done <- true
	}()
	for k := range 50 * n {
		l.come(k % n)
	}
	<-done
}

type caller struct{ times int }

type foyer struct {
	mu   sync.Mutex
	seen map[int]*caller
}

func (l *foyer) count() (sum int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range l.seen {
		sum += v.times // norace
	}
	return sum
}

func (l *foyer) come(k int) {
	v := &caller{}
	v.times++ // norace
	l.mu.Lock()
	defer l.mu.Unlock()
	if old := l.seen[k]; old != nil {
		v = old
	} else {
		l.seen[k] = v
	}
	v.times++ // norace
}

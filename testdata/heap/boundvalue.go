package heap

import (
	"sync"
	"time"
)

// A method value passes its receiver on as a call of the method does: what a goroutine that runs one has is what was put where
// others find it.

// BV1: an entry of a table that a timer lets expire, without the table's lock.
func BV1_expires() {
	m := &timedTable{all: map[string]*timed{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				m.take("a")
			}
		})
	}
	wg.Wait()
}

type timed struct {
	owner   int
	expired bool
}

func (l *timed) expire() { l.expired = true } // race! l.expired

type timedTable struct {
	mu  sync.Mutex
	all map[string]*timed
}

func (m *timedTable) take(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.all[key]; ok && !l.expired { // race! l.expired
		return l.owner
	}
	l := &timed{}
	time.AfterFunc(time.Millisecond, l.expire)
	m.all[key] = l
	return 0
}

// BV1b: with it.
func BV1b_locked() {
	m := &lockedTable{all: map[string]*lockedTimed{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				m.take("a")
			}
		})
	}
	wg.Wait()
}

type lockedTimed struct {
	mu      *sync.Mutex
	owner   int
	expired bool
}

func (l *lockedTimed) expire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expired = true // norace
}

type lockedTable struct {
	mu  sync.Mutex
	all map[string]*lockedTimed
}

func (m *lockedTable) take(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.all[key]; ok && !l.expired { // norace
		return l.owner
	}
	l := &lockedTimed{mu: &m.mu}
	time.AfterFunc(time.Millisecond, l.expire)
	m.all[key] = l
	return 0
}

// BV1c: what expires is not what was put into the table.
func BV1c_another() {
	m := &ownTable{all: map[string]*ownTimed{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				m.take("a")
			}
		})
	}
	wg.Wait()
}

type ownTimed struct {
	owner   int
	expired bool
}

func (l *ownTimed) expire() { l.expired = true } // norace

type ownTable struct {
	mu  sync.Mutex
	all map[string]*ownTimed
}

func (m *ownTable) take(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.all[key]; ok && !l.expired { // norace
		return l.owner
	}
	l := &ownTimed{}
	time.AfterFunc(time.Millisecond, (&ownTimed{}).expire)
	m.all[key] = l
	return 0
}

// BV1d: nor where the method value lies in a variable.
func BV1d_inVariable() {
	m := &pickedTable{all: map[string]*pickedTimed{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 2 {
				m.take("a")
			}
		})
	}
	wg.Wait()
}

type pickedTimed struct {
	owner   int
	expired bool
}

func (l *pickedTimed) expire() { l.expired = true } // norace

type pickedTable struct {
	mu  sync.Mutex
	all map[string]*pickedTimed
}

func (m *pickedTable) take(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l, ok := m.all[key]; ok && !l.expired { // norace
		return l.owner
	}
	l, other := &pickedTimed{}, &pickedTimed{}
	f := other.expire
	time.AfterFunc(time.Millisecond, f)
	m.all[key] = l
	return 0
}

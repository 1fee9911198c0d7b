package heap

import (
	"strconv"
	"sync"
)

// Programs that take something out of a map under a lock, which others find there, or put there, under the lock.

type tzSession struct{ beats int }

type tzTable struct {
	mu       sync.Mutex
	sessions map[string]*tzSession
	ended    chan int
}

// TZ1: who has taken a session out of the map has it alone.
func TZ1_taken() {
	t := &tzTable{sessions: map[string]*tzSession{}, ended: make(chan int, 100)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.beat(strconv.Itoa(i % 3))
			t.expire(strconv.Itoa(i % 3))
		})
	}
	wg.Wait()
}

func (t *tzTable) beat(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.sessions[id]
	if !ok {
		s = &tzSession{}
		t.sessions[id] = s
	}
	s.beats++ // norace
}

func (t *tzTable) expire(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	if !ok {
		t.mu.Unlock()
		return
	}
	delete(t.sessions, id)
	t.mu.Unlock()
	t.ended <- s.beats // norace
}

// TZ2: one that was found is used when the lock is released.
func TZ2_foundAndKept() {
	t := &tzKept{sessions: map[string]*tzKeptSession{}, ended: make(chan int, 100)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.beat(strconv.Itoa(i % 3))
			t.expire(strconv.Itoa(i % 3))
		})
	}
	wg.Wait()
}

type tzKeptSession struct{ beats int }

type tzKept struct {
	mu       sync.Mutex
	sessions map[string]*tzKeptSession
	ended    chan int
}

func (t *tzKept) beat(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	if !ok {
		s = &tzKeptSession{}
		t.sessions[id] = s
	}
	t.mu.Unlock()
	s.beats++ // race! s.beats
}

func (t *tzKept) expire(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	if !ok {
		t.mu.Unlock()
		return
	}
	delete(t.sessions, id)
	t.mu.Unlock()
	t.ended <- s.beats // race! s.beats
}

// TZ3: one that is made before is used when it has been put there, under the lock again.
func TZ3_madeBefore() {
	t := &tzMade{sessions: map[string]*tzMadeSession{}, ended: make(chan int, 100)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.begin(strconv.Itoa(i % 3))
			t.expire(strconv.Itoa(i % 3))
		})
	}
	wg.Wait()
}

type tzMadeSession struct{ beats int }

type tzMade struct {
	mu       sync.Mutex
	sessions map[string]*tzMadeSession
	ended    chan int
}

func (t *tzMade) begin(id string) {
	s := &tzMadeSession{}
	t.mu.Lock()
	t.sessions[id] = s
	t.mu.Unlock()
	t.mu.Lock()
	s.beats++ // race! s.beats
	t.mu.Unlock()
}

func (t *tzMade) expire(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	if !ok {
		t.mu.Unlock()
		return
	}
	delete(t.sessions, id)
	t.mu.Unlock()
	t.ended <- s.beats // race! s.beats
}

// TZ4: it is left there where it is young.
func TZ4_sometimesLeft() {
	t := &tzLeft{sessions: map[string]*tzLeftSession{}, ended: make(chan int, 100)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.beat(strconv.Itoa(i % 3))
			t.expire(strconv.Itoa(i % 3))
		})
	}
	wg.Wait()
}

type tzLeftSession struct{ beats int }

type tzLeft struct {
	mu       sync.Mutex
	sessions map[string]*tzLeftSession
	ended    chan int
}

func (t *tzLeft) beat(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.sessions[id]
	if !ok {
		s = &tzLeftSession{}
		t.sessions[id] = s
	}
	s.beats++ // race! s.beats
}

func (t *tzLeft) expire(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	if !ok {
		t.mu.Unlock()
		return
	}
	if s.beats > 2 {
		delete(t.sessions, id)
	}
	t.mu.Unlock()
	t.ended <- s.beats // race! s.beats
}

// TZ5: it is removed once the lock has been released and taken again.
func TZ5_removedLater() {
	t := &tzLater{sessions: map[string]*tzLaterSession{}, ended: make(chan int, 100)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.beat(strconv.Itoa(i % 3))
			t.expire(strconv.Itoa(i % 3))
		})
	}
	wg.Wait()
}

type tzLaterSession struct{ beats int }

type tzLater struct {
	mu       sync.Mutex
	sessions map[string]*tzLaterSession
	ended    chan int
}

func (t *tzLater) beat(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, ok := t.sessions[id]
	if !ok {
		s = &tzLaterSession{}
		t.sessions[id] = s
	}
	s.beats++ // race! s.beats
}

func (t *tzLater) expire(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	t.mu.Unlock()
	if !ok {
		return
	}
	t.ended <- s.beats // race! s.beats
	t.mu.Lock()
	delete(t.sessions, id)
	t.mu.Unlock()
}

// TZ6: it was made in a section before the one in which others are found.
func TZ6_madeInAnother() {
	t := &tzOther{sessions: map[string]*tzOtherSession{}, ended: make(chan int, 100)}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.begin(strconv.Itoa(i%3), i > 5)
			t.expire(strconv.Itoa(i % 3))
		})
	}
	wg.Wait()
}

type tzOtherSession struct{ beats int }

type tzOther struct {
	mu       sync.Mutex
	sessions map[string]*tzOtherSession
	ended    chan int
}

func (t *tzOther) begin(id string, again bool) {
	t.mu.Lock()
	s := &tzOtherSession{}
	t.sessions[id] = s
	t.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if again {
		old, ok := t.sessions[id+"'"]
		if !ok {
			return
		}
		s = old
	}
	s.beats++ // race! s.beats
}

func (t *tzOther) expire(id string) {
	t.mu.Lock()
	s, ok := t.sessions[id]
	if !ok {
		t.mu.Unlock()
		return
	}
	delete(t.sessions, id)
	t.mu.Unlock()
	t.ended <- s.beats // race! s.beats
}

package order

import (
	"sync"
	"time"
)

// Goroutines that a method starts, each when the one that was started before has closed the
// channel that is kept in a field.

type posBuf struct{ pos int }

// RL1: the method waits for the last one before it starts another.
func RL1_oneAtATime() {
	s := &relay1{buf: new(posBuf)}
	for k := range n {
		out := s.open(k)
		for v := range out {
			if v > 3 {
				s.open(v) // gives the first one up
				break
			}
		}
	}
}

type relay1 struct {
	done chan struct{}
	n    int
	buf  *posBuf
}

func (s *relay1) open(k int) chan int {
	out := make(chan int, n)
	s.start(k, out)
	return out
}

func (s *relay1) start(k int, out chan int) {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.read(k, out)
	}()
}

func (s *relay1) read(k int, out chan int) {
	defer close(out)
	s.n++       // norace
	s.buf.pos++ // norace
	out <- k
}

// RL1b: it does not wait each time.
func RL1b_atTimes() {
	s := &relay1b{}
	for k := range n {
		s.start(k)
	}
}

type relay1b struct {
	done chan struct{}
	n    int
}

func (s *relay1b) start(k int) {
	if s.done != nil && k%2 == 0 {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.n++ // race! s.n
	}()
}

// RL1c: at times it keeps the channel of the next one to itself.
func RL1c_notKept() {
	s := &relay1c{}
	for k := range n {
		s.start(k)
	}
}

type relay1c struct {
	done chan struct{}
	n    int
}

func (s *relay1c) start(k int) {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.n++ // race! s.n
	}()
	if k%2 == 0 {
		s.done = done
	}
}

// RL1d: the goroutine tells before it is done.
func RL1d_toldEarly() {
	s := &relay1d{}
	for range n {
		s.start()
	}
}

type relay1d struct {
	done chan struct{}
	n    int
}

func (s *relay1d) start() {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		close(done)
		s.n++ // race! s.n
	}()
}

// RL1e: another method forgets the last one.
func RL1e_forgotten() {
	s := &relay1e{}
	for k := range n {
		if k%2 == 0 {
			s.forget()
		}
		s.start()
	}
}

type relay1e struct {
	done chan struct{}
	n    int
}

func (s *relay1e) forget() { s.done = nil }

func (s *relay1e) start() {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.n++ // race! s.n
	}()
}

// RL1f: it is another goroutine that tells.
func RL1f_anotherTells() {
	s := &relay1f{}
	for range n {
		s.start()
	}
}

type relay1f struct {
	done chan struct{}
	n    int
}

func (s *relay1f) start() {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		s.n++ // race! s.n
	}()
	go close(done)
}

// RL1g: two are started for one channel, of which one closes it.
func RL1g_two() {
	s := &relay1g{}
	for range n {
		s.start()
	}
}

type relay1g struct {
	done chan struct{}
	n    int
}

func (s *relay1g) start() {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	for k := range 2 {
		go func() {
			s.n++ // race! s.n
			if k == 0 {
				close(done)
			}
		}()
	}
}

// RL1h: what it calls before it puts its own channel there starts one, too.
func RL1h_startedBetween() {
	s := &relay1h{}
	for k := range n {
		s.start(k, func() {})
		s.start(k, func() { s.start(k, func() {}) })
	}
}

type relay1h struct {
	done chan struct{}
	n    int
}

func (s *relay1h) start(k int, hook func()) {
	if s.done != nil {
		<-s.done
	}
	hook()
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.n++ // race! s.n
	}()
}

// RL1i: two of them have one posBuf.
func RL1i_oneBuffer() {
	b := new(posBuf)
	s, t := &relay1i{buf: b}, &relay1i{buf: b}
	for range n {
		s.start()
		t.start()
	}
}

type relay1i struct {
	done chan struct{}
	buf  *posBuf
}

func (s *relay1i) start() {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.buf.pos++ // race! _.pos
	}()
}

// RL1j: it gives up the lock under which it has looked.
func RL1j_unlocked() {
	s := &relay1j{}
	for range n {
		go s.start()
	}
}

type relay1j struct {
	mu   sync.Mutex
	done chan struct{}
	n    int
}

func (s *relay1j) start() {
	s.mu.Lock()
	last := s.done
	s.mu.Unlock()
	if last != nil {
		<-last
	}
	done := make(chan struct{})
	s.mu.Lock()
	s.done = done
	s.mu.Unlock()
	go func() {
		defer close(done)
		s.n++ // race! s.n
	}()
}

// RL1k: it waits for some time.
func RL1k_someTime() {
	s := &relay1k{}
	for range n {
		s.start()
	}
}

type relay1k struct {
	done chan struct{}
	n    int
}

func (s *relay1k) start() {
	if s.done != nil {
		select {
		case <-s.done:
		case <-time.After(1):
		}
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.n++ // race! s.n
	}()
}

// RL2: it gives up if it takes too long, and starts nothing then. All is done under a lock.
func RL2_orNothing() {
	s := &relay2{}
	for range n {
		go s.start()
	}
}

type relay2 struct {
	mu   sync.Mutex
	done chan struct{}
	n    int
}

func (s *relay2) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done != nil {
		select {
		case <-s.done:
		case <-time.After(time.Second):
			return
		}
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.n++ // norace
	}()
}

// RL3: either of two.
func RL3_either(k int) {
	s := &relay3{}
	if k > 3 {
		s = &relay3{n: k}
	}
	for range n {
		s.start()
	}
}

type relay3 struct {
	done chan struct{}
	n    int
}

func (s *relay3) start() {
	if s.done != nil {
		<-s.done
	}
	done := make(chan struct{})
	s.done = done
	go func() {
		defer close(done)
		s.n++ // assumed s.n; each of them has its own
	}()
}

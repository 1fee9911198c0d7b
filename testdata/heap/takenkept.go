package heap

import "sync"

// A list from which things are taken is gone through from time to time, and some of them are kept.

type wire struct{ sent int }

type wires struct {
	mu   sync.Mutex
	idle []*wire
}

func (s *wires) take() *wire {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.idle); k > 0 {
		l := s.idle[k-1]
		s.idle = s.idle[:k-1]
		return l
	}
	return &wire{}
}

func (s *wires) put(l *wire) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, l)
}

func (s *wires) trim(most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := s.idle[:0]
	for _, l := range s.idle {
		if len(keep) < most {
			keep = append(keep, l)
		}
	}
	s.idle = keep
}

func TL7_kept() {
	s := &wires{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			l := s.take()
			l.sent++ // norace
			if l.sent < 100 {
				s.put(l)
			}
			s.trim(3)
		})
	}
	wg.Wait()
}

type lenders struct {
	mu   sync.Mutex
	idle []*wire
	all  []*wire
}

func (s *lenders) take() *wire {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.idle); k > 0 {
		l := s.idle[k-1]
		s.idle = s.idle[:k-1]
		return l
	}
	l := &wire{}
	s.all = append(s.all, l)
	return l
}

func (s *lenders) refill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := s.idle
	if len(keep) == 0 {
		keep = s.all
	}
	s.idle = keep
}

// What was taken is put back while its taker has it.
func TL7b_refilled() {
	s := &lenders{}
	go s.refill()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			l := s.take()
			l.sent++ // race! sent
		})
	}
	wg.Wait()
}

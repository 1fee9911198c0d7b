package lock

import "sync"

// A parameter says for what the lock is taken, and what is done with it.
func CO1_modeByParameter() {
	s := newCaptchas()
	for i := range n {
		go func() { s.get(i, i > 1) }()
	}
}

type captchas struct {
	mu   sync.RWMutex
	byID map[int]int
	hits int
	lost int
}

func newCaptchas() *captchas { return &captchas{byID: map[int]int{1: 1}} }

func (s *captchas) get(id int, clear bool) int {
	if !clear {
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	v, ok := s.byID[id] // norace
	if !ok {
		return 0
	}
	if clear {
		s.byID[id] = 0 // norace
	} else {
		s.lost++ // race! s.lost
	}
	s.hits++ // race! s.hits
	return v
}

// The parameter is another one by then.
func CO1b_otherByThen() {
	s := newCaptchas()
	for i := range n {
		go func() { s.take(i, i > 1) }()
	}
}

func (s *captchas) take(id int, clear bool) {
	if !clear {
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	if id > 2 {
		clear = true
	}
	if clear {
		s.byID[id] = 0 // race! byID[*]
	}
}

// Another parameter says what is done.
func CO1c_otherParameter() {
	s := newCaptchas()
	for i := range n {
		go func() { s.drop(i, i > 1, i > 0) }()
	}
}

func (s *captchas) drop(id int, clear, all bool) {
	if !clear {
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	if all {
		s.byID[id] = 0 // race! byID[*]
	}
}

// A field says it, and stays as it is.
func CO2_modeByField() {
	s := &keptMode{clear: true, byID: map[int]int{}}
	for i := range n {
		go func() { s.get(i) }()
	}
}

type keptMode struct {
	mu    sync.RWMutex
	clear bool
	byID  map[int]int
}

func (s *keptMode) get(id int) {
	if !s.clear {
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	if s.clear {
		s.byID[id] = 0 // norace
	}
}

// The field is set by others.
func CO2b_modeChanges() {
	s := &changedMode{byID: map[int]int{}}
	for i := range n {
		go func() { s.get(i) }()
		go func() { s.clear = true }() // race! s.clear
	}
}

type changedMode struct {
	mu    sync.RWMutex
	clear bool
	byID  map[int]int
}

func (s *changedMode) get(id int) {
	if !s.clear { // race! s.clear
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	if s.clear { // race! s.clear
		s.byID[id] = 0 // race! s.byID[*]
	}
}

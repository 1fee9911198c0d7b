package heap

import (
	"slices"
	"sync"
)

// What is full is put with others of its kind, where it is read without the lock under which it was filled.

// besideBlocks runs two functions on several goroutines each.
func besideBlocks(f, g func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
		wg.Go(func() { g(i) })
	}
	wg.Wait()
}

type block struct{ rows map[string]int }

// All under the lock.
func TN1_rotated() {
	s := &blocks{rows: make(map[string]int)}
	besideBlocks(func(i int) {
		s.put("a")
	}, func(i int) {
		s.sum()
	})
}

type blocks struct {
	mu   sync.RWMutex
	rows map[string]int
	full []*block
}

func (s *blocks) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[k]++ // norace
	if len(s.rows) > 8 {
		s.full = append(slices.Clip(s.full), &block{s.rows})
		s.rows = make(map[string]int)
	}
}

func (s *blocks) sum() (n int) {
	s.mu.RLock()
	full := s.full
	s.mu.RUnlock()
	for _, b := range full {
		n += b.rows["a"] // norace
	}
	return n
}

// It is written when the lock is given back.
func TN1b_writtenLater() {
	s := &blocksLate{rows: make(map[string]int)}
	besideBlocks(func(i int) {
		s.put("a")
	}, func(i int) {
		s.sum()
	})
}

type blocksLate struct {
	mu   sync.RWMutex
	rows map[string]int
	full []*block
}

func (s *blocksLate) put(k string) {
	s.mu.Lock()
	rows := s.rows
	if len(s.rows) > 8 { // race! _[*]
		s.full = append(slices.Clip(s.full), &block{s.rows})
		s.rows = make(map[string]int)
	}
	s.mu.Unlock()
	rows[k]++ // race! _[*]
}

func (s *blocksLate) sum() (n int) {
	s.mu.RLock()
	full := s.full
	s.mu.RUnlock()
	for _, b := range full {
		n += b.rows["a"] // race! _[*]
	}
	return n
}

// The lock is given back in between.
func TN1c_inTwoSteps() {
	s := &blocksTwice{rows: make(map[string]int)}
	besideBlocks(func(i int) {
		s.put("a")
	}, func(i int) {
		s.sum()
	})
}

type blocksTwice struct {
	mu   sync.RWMutex
	rows map[string]int
	full []*block
}

func (s *blocksTwice) put(k string) {
	s.mu.Lock()
	s.rows[k]++ // race! _[*]
	if len(s.rows) > 8 {
		s.full = append(slices.Clip(s.full), &block{s.rows})
		s.mu.Unlock()
		s.mu.Lock()
		s.rows = make(map[string]int)
	}
	s.mu.Unlock()
}

func (s *blocksTwice) sum() (n int) {
	s.mu.RLock()
	full := s.full
	s.mu.RUnlock()
	for _, b := range full {
		n += b.rows["a"] // race! _[*]
	}
	return n
}

// It is written under another lock.
func TN1d_otherLock() {
	s := &blocksOther{rows: make(map[string]int)}
	besideBlocks(func(i int) {
		s.put("a")
	}, func(i int) {
		s.sum()
	})
}

type blocksOther struct {
	mu   sync.RWMutex
	rows map[string]int
	full []*block
	own  sync.Mutex
}

func (s *blocksOther) put(k string) {
	s.own.Lock()
	s.rows[k]++ // race! rows _[*]
	s.own.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rows) > 8 { // race! rows _[*]
		s.full = append(slices.Clip(s.full), &block{s.rows})
		s.rows = make(map[string]int) // race! rows
	}
}

func (s *blocksOther) sum() (n int) {
	s.mu.RLock()
	full := s.full
	s.mu.RUnlock()
	for _, b := range full {
		n += b.rows["a"] // race! _[*]
	}
	return n
}

// It is taken back.
func TN1e_takenBack() {
	s := &blocksBack{rows: make(map[string]int)}
	besideBlocks(func(i int) {
		s.put("a")
	}, func(i int) {
		s.sum()
	})
}

type blocksBack struct {
	mu   sync.RWMutex
	rows map[string]int
	full []*block
}

func (s *blocksBack) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows[k]++; len(s.rows) > 8 { // race! _[*]
		s.full = append(slices.Clip(s.full), &block{s.rows})
		s.rows = make(map[string]int)
	} else if len(s.full) > 2 {
		s.rows = s.full[0].rows
	}
}

func (s *blocksBack) sum() (n int) {
	s.mu.RLock()
	full := s.full
	s.mu.RUnlock()
	for _, b := range full {
		n += b.rows["a"] // race! _[*]
	}
	return n
}

// It is put there when it is not full, and filled on.
func TN1f_filledOn() {
	s := &blocksOn{rows: make(map[string]int)}
	besideBlocks(func(i int) {
		s.put("a")
	}, func(i int) {
		s.sum()
	})
}

type blocksOn struct {
	mu   sync.RWMutex
	rows map[string]int
	full []*block
}

func (s *blocksOn) put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows[k]++; len(s.full) == 0 { // race! _[*]
		s.full = append(slices.Clip(s.full), &block{s.rows})
	}
}

func (s *blocksOn) sum() (n int) {
	s.mu.RLock()
	full := s.full
	s.mu.RUnlock()
	for _, b := range full {
		n += b.rows["a"] // race! _[*]
	}
	return n
}

// What is counted is taken away under the lock, and put into a list.
func TN2_takenIntoList() {
	s := &countedRows{n: make(map[string]int)}
	var wg sync.WaitGroup
	wg.Go(func() {
		for range n {
			s.inc("a")
		}
	})
	wg.Go(func() {
		var parts []map[string]int
		for range n {
			s.mu.Lock()
			parts = append(parts, s.n)
			s.n = make(map[string]int)
			s.mu.Unlock()
		}
		for _, p := range parts {
			println(p["a"]) // norace
		}
	})
	wg.Wait()
}

type countedRows struct {
	mu sync.Mutex
	n  map[string]int
}

func (s *countedRows) inc(k string) {
	s.mu.Lock()
	s.n[k]++ // norace
	s.mu.Unlock()
}

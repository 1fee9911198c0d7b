package heap

import "sync"

// What several have is merged in something new, by a function that is given both.

type segment struct{ rows map[int]int }

type segments struct {
	mu   sync.RWMutex
	list []*segment
}

func (s *segments) all() []*segment {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.list
}

func (s *segments) set(list []*segment) {
	s.mu.Lock()
	s.list = list
	s.mu.Unlock()
}

func newSegments() *segments {
	return &segments{list: []*segment{{rows: map[int]int{1: 1}}, {rows: map[int]int{2: 2}}}}
}

// The new one is filled before it is published.
func MG1_mergedAside() {
	s := newSegments()
	beside(func(i int) {
		m := &segment{rows: map[int]int{}}
		for _, old := range s.all() {
			copyRows(m.rows, old.rows)
		}
		s.set([]*segment{m})
	}, func(i int) {
		for _, g := range s.all() {
			_ = g.rows[i] // norace
		}
	})
}

func copyRows(to, from map[int]int) {
	for k, v := range from { // norace
		to[k] = v // norace
	}
}

// The old ones are changed, too.
func MG1b_movedOver() {
	s := newSegments()
	beside(func(i int) {
		m := &segment{rows: map[int]int{}}
		for _, old := range s.all() {
			moveRows(m.rows, old.rows)
		}
		s.set([]*segment{m})
	}, func(i int) {
		for _, g := range s.all() {
			_ = g.rows[i] // race! _[*]
		}
	})
}

func moveRows(to, from map[int]int) {
	for k, v := range from { // race! _[*]
		to[k] = v
		delete(from, k) // race! _[*]
	}
}

// The new one is filled when it is published already.
func MG1c_publishedFirst() {
	s := newSegments()
	beside(func(i int) {
		m := &segment{rows: map[int]int{}}
		list := s.all()
		s.set([]*segment{m})
		for _, old := range list {
			copyRowsLate(m.rows, old.rows)
		}
	}, func(i int) {
		for _, g := range s.all() {
			_ = g.rows[i] // race! _[*]
		}
	})
}

func copyRowsLate(to, from map[int]int) {
	for k, v := range from { // race! _[*]
		to[k] = v // race! _[*]
	}
}

// The new one is given twice, and handed on by its other name before it is filled.
func MG1d_givenTwice() {
	s := newSegments()
	beside(func(i int) {
		m := &segment{rows: map[int]int{}}
		publishAndFill(s, m.rows, m.rows)
	}, func(i int) {
		for _, g := range s.all() {
			_ = g.rows[i] // race! _[*]
		}
	})
}

func publishAndFill(s *segments, to, from map[int]int) {
	s.set([]*segment{{rows: from}})
	to[1] = 1 // race! _[*]
}

// The new list is grown by what is left of the old one.
func MG2_grownAside() {
	s := newSegments()
	work := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range work {
			old := s.all()
			m := &segment{rows: map[int]int{}}
			s.mu.Lock()
			list := []*segment{m} // norace
			s.list = append(list, s.list[len(old):]...)
			s.mu.Unlock()
		}
	})
	for i := range n {
		wg.Go(func() {
			work <- i
			for k := range s.all() {
				_ = s.all()[k] // norace
			}
		})
	}
	wg.Wait()
}

// It is changed by the name that it had before it was grown.
func MG2b_changedAfterwards() {
	s := newSegments()
	work := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range work {
			old := s.all()
			m := &segment{rows: map[int]int{}}
			s.mu.Lock()
			list := []*segment{m}
			s.list = append(list, s.list[len(old):]...)
			s.mu.Unlock()
			list[0] = nil // race! _[*]
		}
	})
	for i := range n {
		wg.Go(func() {
			work <- i
			list := s.all()
			for k := range list {
				_ = list[k] // race! _[*]
			}
		})
	}
	wg.Wait()
}

// What was published in the round before is changed.
func MG2c_changedInNextRound() {
	s := &segments{}
	work := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		var last []*segment
		for range work {
			if len(last) > 0 {
				last[0] = nil // assumed _[*]
			}
			list := []*segment{{}} // race _[*]; it is new in each round, but last may be the one of the round before
			last = append(list, nil)
			s.set(last)
		}
	})
	for i := range n {
		wg.Go(func() {
			work <- i
			list := s.all()
			for k := range list {
				_ = list[k] // race! _[*]
			}
		})
	}
	wg.Wait()
}

package heap

import "sync"

// Lists that grow in maps, which iterations have each for themselves.

type byRest struct {
	parts []map[int][]int
	cur   map[int][]int
	key   int
}

func newByRest() *byRest {
	s := &byRest{parts: make([]map[int][]int, n)}
	for i := range s.parts {
		s.parts[i] = make(map[int][]int)
	}
	return s
}

// What a map's list has been grown to goes back to where it comes from.
func MB1_grown() {
	s := newByRest()
	for i := range 3 * n {
		s.add(i)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for _, list := range s.parts[i] {
				list[0]++ // norace
			}
		})
	}
	wg.Wait()
}

func (s *byRest) add(i int) {
	m := s.parts[i%n]
	m[i%3] = append(m[i%3], i)
	if old, ok := m[i%5]; ok {
		m[i%5] = append(old, i)
	}
}

// It goes into another map, too.
func MB1b_otherMap() {
	s := newByRest()
	for i := range 3 * n {
		s.addToNext(i)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for _, list := range s.parts[i] {
				list[0]++ // race! _[*]
			}
		})
	}
	wg.Wait()
}

func (s *byRest) addToNext(i int) {
	m, next := s.parts[i%n], s.parts[(i+1)%n]
	next[1] = append(m[1], i)
}

// Another map has come there since.
func MB1c_mapSet() {
	s := newByRest()
	for i := range 3 * n {
		s.addToOther(i)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for _, list := range s.parts[i] {
				list[0]++ // race! _[*]
			}
		})
	}
	wg.Wait()
}

func (s *byRest) addToOther(i int) {
	s.cur = s.parts[i%n]
	list := s.cur[2]
	s.cur = s.parts[(i+1)%n]
	s.cur[2] = append(list, i)
}

// The lists of all keys are cut from that of one.
func MB2_otherKey() {
	m := make(map[int][]int)
	m[0] = make([]int, 1, 2)
	for i := range n {
		m[i] = append(m[0][:1], i)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			m[i][0]++ // race! _[*]
		})
	}
	wg.Wait()
}

// The key has changed since.
func MB2b_keySet() {
	m := make(map[int][]int)
	m[0] = make([]int, 1, 2)
	s := newByRest()
	for i := range n {
		s.key = 0
		list := m[s.key]
		s.key = i
		m[s.key] = append(list[:1], 1)
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			m[i][0]++ // race! _[*]
		})
	}
	wg.Wait()
}

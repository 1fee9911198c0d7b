package heap

import "sync"

// store holds what iterations found, for other iterations.
type store struct {
	mu    sync.Mutex
	lists map[int][]int
	last  *page
}

type page struct {
	words []int
	count int
	next  *page
}

func (s *store) put(k int, list []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists[k] = list
}

func (s *store) get(k int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[k]
}

// squares builds a list and hands it on when it is complete.
func squares(k int) []int {
	out := []int{}
	for i := range k {
		if i%2 == 0 {
			out = append(out, i*i) // assumed _[*]
		} else {
			out = append(out, i) // assumed _[*]
		}
	}
	return out
}

// Y1: what an iteration puts into the store it has built before.
func Y1_builtThenShared() {
	s := &store{lists: map[int][]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sum := 0
			for _, v := range s.get(i / 2) { // assumed _[*]
				sum += v
			}
			list := squares(i)
			if len(list) > 3 {
				list[0] = sum // assumed _[*]
			}
			s.put(i/2, list)
		})
	}
	wg.Wait()
}

// Y1b: the list grows after it was shared.
func Y1b_changedAfterSharing() {
	s := &store{lists: map[int][]int{}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			sum := 0
			for _, v := range s.get(i / 2) { // race! _[*]
				sum += v
			}
			list := make([]int, 4)
			s.put(i/2, list)
			list[0] = sum // race! list[*]
		})
	}
	wg.Wait()
}

// Y2: each round makes a page, fills it and shares it, and does not touch it again.
func Y2_sharedInEachRound() {
	s := &store{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for k := range n {
				p := &page{}
				p.count = k // assumed p.count
				if k > 3 {
					p.count++ // assumed p.count
				}
				s.mu.Lock()
				sum := 0
				if s.last != nil {
					sum = s.last.count // assumed p.count
				}
				p.words = append(p.words, sum) // norace
				s.last = p
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// Y2b: the page of the round before is touched again.
func Y2b_pageOfTheRoundBefore() {
	s := &store{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var prev *page
			for k := range n {
				p := &page{}
				if prev != nil {
					prev.count = k // race! p.count
				}
				s.mu.Lock()
				if s.last != nil {
					k += s.last.count // race! p.count
				}
				s.last = p
				s.mu.Unlock()
				prev = p
			}
		})
	}
	wg.Wait()
}

// Y3: the function that makes the page keeps it too.
func Y3_keptByItsMaker() {
	s := &store{}
	fresh := func() *page {
		p := &page{}
		s.mu.Lock()
		s.last = p
		s.mu.Unlock()
		return p
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s.mu.Lock()
			if s.last != nil {
				i += s.last.count // race! p.count
			}
			s.mu.Unlock()
			p := fresh()
			p.count = i // race! p.count
		})
	}
	wg.Wait()
}

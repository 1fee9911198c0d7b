package loop

import "sync"

// Loops in loops: what goroutines share that one round of the outer loop has started.

type shelf struct{ n int }

// All goroutines of a round have its element, and those of other rounds another one.
func NL1_sharedElement() {
	for _, s := range []*shelf{{1}, {2}} {
		for range 3 {
			go func() { s.n++ }() // race! s.n
		}
	}
}

// The element is an argument.
func NL2_argument() {
	var wg sync.WaitGroup
	for _, s := range []*shelf{{1}, {2}} {
		for range 3 {
			wg.Add(1)
			go func(s *shelf) {
				defer wg.Done()
				s.n++ // race! s.n
			}(s)
		}
	}
	wg.Wait()
}

// A round starts one goroutine only.
func NL3_oneEach() {
	for _, s := range []*shelf{{1}, {2}} {
		for range 3 {
			s.n++
		}
		go func() { s.n++ }() // norace
	}
}

// The inner loop has an element of its own for each goroutine.
func NL4_innerElement() {
	for _, row := range [][]*shelf{{{1}, {2}}, {{3}, {4}}} {
		for _, s := range row {
			go func() { s.n++ }() // norace
		}
	}
}

// The row is that of the round, the place that of the goroutine.
func NL5_rowAndPlace() {
	for _, row := range [][]int{{1, 2}, {3, 4}} {
		for k := range row {
			go func() { row[k]++ }() // norace
		}
	}
}

// The row is that of the round, and the place is the same.
func NL6_rowAlone() {
	for _, row := range [][]int{{1, 2}, {3, 4}} {
		for range row {
			go func() { row[0]++ }() // race! row[*]
		}
	}
}

// Each goroutine of a round locks the element.
func NL7_locked() {
	for _, s := range []*lockedShelf{{}, {}} {
		for range 3 {
			go func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.n++ // norace
			}()
		}
	}
}

type lockedShelf struct {
	mu sync.Mutex
	n  int
}

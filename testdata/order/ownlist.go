package order

import (
	"errors"
	"fmt"
	"sync"
)

// A list that a function makes for its goroutines to fill is that of one run: who reads
// it later, in whatever thread, has it from a run that has waited.

type failures []error

func (l failures) Error() string {
	s := ""
	for _, e := range l { // race! failures[*]
		s += e.Error()
	}
	return s
}

func tell(format string, args ...any) {
	_ = fmt.Sprintf(format, args...) // race! f.n; as KR4 prints it early
}

func askOne(addr string) error { return errors.New(addr) }

func OL1_asked(queries [][]string) {
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			tell("asks %d", len(q))
			if err := askEach(q); err != nil {
				tell("failed: %s", err)
			}
		})
	}
	wg.Wait()
}

func askEach(addrs []string) error {
	var failed []error
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			tell("asks %s", a)
			if err := askOne(a); err != nil {
				mu.Lock()
				failed = append(failed, err) // norace
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(failed) > 0 {
		return failures(failed)
	}
	return nil
}

// The list is told before all have answered.
func OL2_early(queries [][]string) {
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			tell("asks %d", len(q))
			tell("failed: %s", askSome(q))
		})
	}
	wg.Wait()
}

func askSome(addrs []string) error {
	var failed []error
	var mu sync.Mutex
	answers := make(chan bool)
	for _, a := range addrs {
		go func() {
			tell("asks %s", a)
			err := askOne(a)
			mu.Lock()
			failed = append(failed, err)
			failed[0] = err // race! failed[*]
			mu.Unlock()
			answers <- true
		}()
	}
	<-answers
	mu.Lock()
	defer mu.Unlock()
	return failures(failed)
}

// What others may have before is not the run's own: a list that is kept elsewhere, too,
func OL3_keptBefore(queries [][]string) {
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			tell("asks %d", len(q))
			tallied.tally(q)
		})
		wg.Go(func() { tell("has %s", failures(tallied.last)) }) // race! tallied.last
	}
	wg.Wait()
}

type tallies struct{ last []error }

var tallied tallies

func (k *tallies) tally(addrs []string) {
	found := make([]error, 0, 10)
	k.last = found // race! tallied.last
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			mu.Lock()
			found = append(found, askOne(a)) // race! found[*]
			mu.Unlock()
		})
	}
	wg.Wait()
}

// one that a goroutine hands on,
func OL4_handedOnInside(queries [][]string) {
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			tell("asks %d", len(q))
			askAloud(q)
		})
	}
	wg.Wait()
}

func askAloud(addrs []string) {
	var heard []error
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			mu.Lock()
			heard = append(heard, askOne(a))
			heard[0] = askOne(a) // race! heard[*]
			so := heard
			mu.Unlock()
			tell("so far: %s", failures(so))
		})
	}
	wg.Wait()
}

// and one that was given.
func OL5_given(queries [][]string) {
	all := make([]error, 1, 100)
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() { tell("failed: %s", addTo(all, q)) })
	}
	wg.Wait()
}

func addTo(given []error, addrs []string) error {
	failed := given
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			mu.Lock()
			failed = append(failed, askOne(a)) // race! all[*]
			mu.Unlock()
		})
	}
	wg.Wait()
	return failures(failed)
}

// A map and an object are as lists are.
func OL6_counted(queries [][]string) {
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			n, s := countEach(q)
			n.show()
			s.show()
		})
	}
	wg.Wait()
}

type (
	totals  struct{ n, longest int }
	perAddr map[string]int
)

func (s *totals) show() { tell("%d", s.longest) } // race! said.longest
func (n perAddr) show() { tell("%d", n["a"]) }

func countEach(addrs []string) (perAddr, *totals) {
	n, s := make(perAddr), &totals{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			mu.Lock()
			n[a]++                             // norace
			s.longest = max(s.longest, len(a)) // norace
			mu.Unlock()
		})
	}
	wg.Wait()
	return n, s
}

// The object is told while it is filled.
func OL7_toldBefore(addrs []string) {
	said := &totals{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			mu.Lock()
			said.longest = max(said.longest, len(a)) // race! said.longest
			mu.Unlock()
		})
	}
	said.show()
	wg.Wait()
}

// A part of it was taken before the goroutines start.
func OL8_partBefore(addrs []string) {
	seen := make([]error, 0, 10)
	room := seen[:cap(seen)]
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range addrs {
		wg.Go(func() {
			mu.Lock()
			seen = append(seen, askOne(a)) // race! seen[*]
			mu.Unlock()
		})
	}
	tell("%t", room[5] != nil) // race! seen[*]
	wg.Wait()
	seen = nil
}

// The function has loaded it before, and writes when the goroutine has begun.
func OL9_loadedBefore() {
	done := make(chan bool)
	s := make([]int, 10)
	s2 := s
	go func() {
		s[3] = 3 // race! s[*]
		done <- true
	}()
	s2[3] = 3 // race! s2[*]
	<-done
}

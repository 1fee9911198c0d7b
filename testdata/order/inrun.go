package order

import (
	"sync"
)

// What a function makes for goroutines to fill, waits for and returns stays in a run of a caller, however many
// run beside it.

type fetched struct {
	n     int
	times map[string]int
}

func noteFetched(n *int) { *n++ }

func (f *fetched) fill(wg *sync.WaitGroup, k int) {
	wg.Go(func() {
		f.n = k          // norace
		f.times["a"] = k // norace
	})
}

func KR1_each(keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", fetchedTotal(k)) })
	}
	wg.Wait()
}

func fetchedTotal(k int) int {
	f := fetchEach(k)
	if f.n > 3 { // norace
		noteFetched(&f.n)
		f.times["c"] = 1 // norace
	}
	return f.n + len(f.times)
}

func fetchEach(k int) *fetched {
	f := &fetched{times: make(map[string]int)}
	defer func() { noteFetched(&f.n) }()
	if k > 7 {
		return f
	}
	var wg sync.WaitGroup
	f.fill(&wg, k)
	wg.Wait()
	f.times["b"] = k
	return f
}

// Nobody waits.
type unawaited struct {
	n     int
	times map[string]int
}

func KR2_unawaited(keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", unawaitedTotal(k)) })
	}
	wg.Wait()
}

func unawaitedTotal(k int) int {
	f := fetchUnawaited(k)
	return f.n + len(f.times) // race! f.n f.times[*]
}

func fetchUnawaited(k int) *unawaited {
	f := &unawaited{times: make(map[string]int)}
	go func() {
		f.n = k          // race! f.n
		f.times["a"] = k // race! f.times[*]
	}()
	f.times["b"] = k // race! f.times[*]
	return f
}

// The last one of all runs is left where the others find it.
type left struct {
	n     int
	times map[string]int
}

type keeper struct {
	mu   sync.Mutex
	last *left
}

func KR3_left(keys []int) {
	s := new(keeper)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", s.total(k)) })
	}
	wg.Wait()
}

func (s *keeper) total(k int) int {
	f := s.fetch(k)
	s.mu.Lock()
	old := s.last
	s.mu.Unlock()
	if old != nil {
		old.times["c"] = 1 // race! old.times[*]
	}
	return f.n
}

func (s *keeper) fetch(k int) *left {
	f := &left{times: make(map[string]int)}
	s.mu.Lock()
	s.last = f
	s.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() {
		f.n = k          // norace
		f.times["a"] = k // race! old.times[*]
	})
	wg.Wait()
	return f
}

// Who returns early has not waited.
type earlyFill struct{ n int }

func KR4_early(keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", earlyTotal(k)) })
	}
	wg.Wait()
}

func earlyTotal(k int) int {
	f := fetchEarly(k)
	return f.n // race! f.n
}

func fetchEarly(k int) *earlyFill {
	f := new(earlyFill)
	defer func() { tell("%v", f) }()
	var wg sync.WaitGroup
	wg.Go(func() {
		f.n = k // race! f.n
	})
	if k > 7 {
		return f
	}
	wg.Wait()
	return f
}

// What runs a method for another object is not where this one is met.
type noted struct{ err string }

func note(err *string) { *err += "!" }

func KR6_otherObject(keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", notedTotal(k)) })
	}
	wg.Wait()
}

func notedTotal(k int) int {
	f := fetchNoted(k)
	return len(f.err) // norace
}

func fetchNoted(k int) *noted {
	f := new(noted)
	defer func() { note(&f.err) }() // norace
	if k > 7 {
		return f
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		f.err = "x" // norace
	})
	wg.Go(func() {
		own := new(string)
		defer note(own)
		tell(*own)
	})
	wg.Wait()
	return f
}

// It is met there, before the wait.
type notedToo struct{ err string }

func noteToo(err *string) { *err += "!" } // race! f.err

func KR7_sameObject(keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", notedTooTotal(k)) })
	}
	wg.Wait()
}

func notedTooTotal(k int) int {
	f := fetchNotedToo(k)
	return len(f.err) // norace
}

func fetchNotedToo(k int) *notedToo {
	f := new(notedToo)
	var wg sync.WaitGroup
	wg.Go(func() {
		f.err = "x" // race! f.err
	})
	wg.Go(func() {
		own := new(string)
		defer noteToo(own)
		tell(*own)
	})
	noteToo(&f.err)
	wg.Wait()
	return f
}

type watchedFill struct{ n int }

// KR5: one run's goroutines meet, though a name of one of them is known that lies further away: as one of the
// outer loop's iteration.
func KR5_watched(keys []int) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { tell("%d", watchedTotal(k)) })
	}
	wg.Wait()
}

func watchedTotal(k int) int {
	f := new(watchedFill)
	go func() { tell("%d", f.n) }() // race f.n; each run has one
	var wg sync.WaitGroup
	wg.Go(func() {
		f.n = k // race f.n; the same
	})
	wg.Wait()
	return f.n
}

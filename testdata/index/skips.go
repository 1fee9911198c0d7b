package index

import (
	"iter"
	"sync"
)

// Rounds that are skipped do not count.
func SK1_counted() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	k := 0
	for i, s := range xs {
		if i%3 == 0 {
			continue
		}
		at := k
		wg.Go(func() {
			out[at] = s // norace
		})
		k++
	}
	wg.Wait()
}

func SK2_countedInBranch() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	k := 0
	for i := 0; i < len(xs); i++ {
		if i%3 != 0 {
			at := k
			k++
			wg.Go(func() {
				out[at] = xs[i] // norace
			})
		}
	}
	wg.Wait()
}

// Some of the rounds that start a goroutine do not count.
func SK1b_startedUncounted() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	k := 0
	for i, s := range xs {
		at := k
		wg.Go(func() {
			out[at] = s // race! out[*]
		})
		if i%2 == 0 {
			continue
		}
		k++
	}
	wg.Wait()
}

func SK2b_uncountedBranch() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	k := 0
	for i := 0; i < len(xs); i++ {
		at := k
		if i%3 != 0 {
			k++
		}
		wg.Go(func() {
			out[at] = xs[i] // race! out[*]
		})
	}
	wg.Wait()
}

// Counted down again.
func SK2c_countedBack() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	k := 0
	for i, s := range xs {
		if i%3 == 0 {
			k = 0
			continue
		}
		at := k
		wg.Go(func() {
			out[at] = s // race! out[*]
		})
		k++
	}
	wg.Wait()
}

// The rounds of an inner loop come before it counts.
func SK2d_inner() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	k := 0
	for i, s := range xs {
		for range 2 {
			at := k
			wg.Go(func() {
				out[at] = s // race! out[*]
			})
			if i%3 == 0 {
				break
			}
		}
		k++
	}
	wg.Wait()
}

func filled(xs []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		k := 0
		for _, s := range xs {
			if s == "" {
				continue
			}
			if !yield(k, s) {
				return
			}
			k++
		}
	}
}

// The iterator counts.
func SK3_iterator() {
	xs := make([]string, n)
	out := make([]string, n)
	xs[1], xs[3] = "a", "b"
	var wg sync.WaitGroup
	for i, s := range filled(xs) {
		wg.Go(func() {
			out[i] = s // norace
		})
	}
	wg.Wait()
}

func stuck(xs []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		k := 0
		for i, s := range xs {
			if !yield(k, s) {
				return
			}
			if i%2 == 0 {
				k++
			}
		}
	}
}

func SK3b_iteratorRepeats() {
	xs := make([]string, n)
	out := make([]string, n)
	var wg sync.WaitGroup
	for i, s := range stuck(xs) {
		wg.Go(func() {
			out[i] = s // race! out[*]
		})
	}
	wg.Wait()
}

package index

import "sync"

// Two slices of one array, of which one begins later: element i of one is element
// i+1 of the other.

func SH1_cutLater() {
	whole := make([]int, n)
	prev, next := whole[:n-1], whole[1:]
	var wg sync.WaitGroup
	for i := range next {
		wg.Go(func() {
			next[i] = prev[i] // race! _[*]
		})
	}
	wg.Wait()
}

type cuts struct{ a, b []int }

func SH2_inFields() {
	whole := make([]int, n)
	c := &cuts{whole, whole[2:]}
	var wg sync.WaitGroup
	for i := range c.b {
		wg.Go(func() {
			c.b[i] = c.a[i] // race! _[*]
		})
	}
	wg.Wait()
}

func rest(s []int, k int) []int { return s[k:] }

func SH3_byFunction() {
	whole := make([]int, n)
	a, b := whole, rest(whole, 1)
	var wg sync.WaitGroup
	for i := range b {
		wg.Go(func() {
			b[i] = a[i] // race! _[*]
		})
	}
	wg.Wait()
}

// Grown in place, and kept under two names.
func SH3b_appended() {
	whole := make([]int, n, 2*n)
	a, b := whole, append(whole[:1], 1, 2, 3)
	var wg sync.WaitGroup
	for i := range b[1:] {
		wg.Go(func() {
			b[i+1] = a[i] // race! _[*]
		})
	}
	wg.Wait()
}

// Only the later one is used.
func SH4_oneUsed() {
	whole := make([]int, n)
	next := whole[1:]
	var wg sync.WaitGroup
	for i := range next {
		wg.Go(func() {
			next[i]++ // norace
		})
	}
	wg.Wait()
}

// Both from the same place.
func SH4b_sameStart() {
	whole := make([]int, n)
	a, b := whole[1:], whole[1:]
	var wg sync.WaitGroup
	for i := range a {
		wg.Go(func() {
			a[i] = b[i] + 1 // norace
		})
	}
	wg.Wait()
}

type cell struct{ v int }

// What the elements point to is each element's own.
func SH5_pointers() {
	whole := make([]*cell, n)
	for i := range whole {
		whole[i] = &cell{}
	}
	next := whole[1:]
	var wg sync.WaitGroup
	for i := range next {
		wg.Go(func() {
			next[i].v++ // norace
		})
	}
	wg.Wait()
}

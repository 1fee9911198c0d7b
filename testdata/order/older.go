package order

import "sync"

// What a function is given is older than what it makes.

// Each call is given what the one before has returned.
func OD1_givenAndMade() {
	s := make([]int, n)
	for range 3 {
		s = smooth(s)
	}
	_ = s[0]
}

func smooth(in []int) []int {
	out := make([]int, len(in))
	var wg sync.WaitGroup
	for i := 1; i < len(in); i++ {
		wg.Go(func() {
			out[i] = in[i] + in[i-1] // norace
		})
	}
	wg.Wait()
	return out
}

// The function does not wait.
func OD1b_goesOn() {
	s := make([]int, n)
	var all sync.WaitGroup
	for range 3 {
		s = hurry(s, &all)
	}
	all.Wait()
}

func hurry(in []int, all *sync.WaitGroup) []int {
	out := make([]int, len(in))
	for i := 1; i < len(in); i++ {
		all.Go(func() {
			out[i] = in[i] + in[i-1] // race! out
		})
	}
	return out
}

// The parameter is set to what was made.
func OD1c_setAnew() {
	s := make([]int, n)
	for range 3 {
		s = replace(s)
	}
	_ = s[0]
}

func replace(in []int) []int {
	out := make([]int, len(in))
	if len(in) > 2 {
		in = out
	}
	var wg sync.WaitGroup
	for i := 1; i < len(in); i++ {
		wg.Go(func() {
			out[i] = in[i] + in[i-1] // race! out
		})
	}
	wg.Wait()
	return out
}

// An inner call is given what the outer one has made, while that is filled.
func OD1d_within() { within(make([]int, n), 2) }

func within(in []int, depth int) {
	out := make([]int, len(in))
	var wg sync.WaitGroup
	for i := 1; i < len(in); i++ {
		wg.Go(func() {
			out[i] = in[i] + in[i-1] // race! out
		})
	}
	if depth > 0 {
		within(out, depth-1)
	}
	wg.Wait()
}

// What is being made is on show, and another goroutine gives it to a call.
func OD1e_shown() {
	s := make([]int, n)
	ch := make(chan []int, 3)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 2 {
			show(<-ch, ch)
		}
	})
	wg.Go(func() { show(s, ch) })
	wg.Wait()
}

func show(in []int, ch chan []int) {
	out := make([]int, len(in))
	var wg sync.WaitGroup
	for i := 1; i < len(in); i++ {
		wg.Go(func() {
			out[i] = in[i] + in[i-1] // race! out
		})
	}
	ch <- out
	wg.Wait()
}

// Made by a helper, and handed to workers by one.
func OD2_byHelpers() {
	s := freshSlice(n)
	for range 3 {
		s = smoothed(s)
	}
	_ = s[0]
}

func freshSlice(k int) []int { return make([]int, k) }

func fillUp(to, from []int, lo, hi int) {
	for i := lo; i < hi; i++ {
		to[i] = from[(i+1)%len(from)] // norace
	}
}

func smoothed(in []int) []int {
	out := freshSlice(len(in))
	var wg sync.WaitGroup
	for lo := 0; lo < len(in); lo += 2 {
		wg.Go(func() { fillUp(out, in, lo, min(lo+2, len(in))) })
	}
	wg.Wait()
	return out
}

package index

import (
	"fmt"
	"sync"
)

// Programs about maps that are filled before the loop, one iteration for each key: no two
// iterations have what one round of the filling loop has put there.

// Functions by name.
func Map_functions(n int) {
	out := make([]int, n)
	tasks := map[string]func(){}
	for i := range n {
		tasks[fmt.Sprint(i)] = func() { out[i] = i } // norace
	}
	var wg sync.WaitGroup
	for name, t := range tasks {
		wg.Go(func() {
			println(name)
			t()
		})
	}
	wg.Wait()
}

// The same function has two names.
func Map_twoNames(n int) {
	out := make([]int, n)
	tasks := map[string]func(){}
	for i := range n {
		f := func() { out[i] = i } // race! out[*]
		for k := range 2 {
			tasks[fmt.Sprint(i, k)] = f
		}
	}
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(t)
	}
	wg.Wait()
}

// It is filled in two places.
func Map_twoPlaces(n int) {
	out := make([]int, n)
	tasks := map[string]func(){}
	for i := range n {
		tasks[fmt.Sprint(i)] = func() { out[i] = i } // race! out[*]
	}
	for i := range n {
		tasks[fmt.Sprint(-i)] = func() { out[i]++ } // race! out[*]
	}
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(t)
	}
	wg.Wait()
}

// What fills it, too, is called with it.
func Map_filledElsewhere(n int) {
	out := make([]int, n)
	tasks := map[string]func(){}
	for i := range n {
		tasks[fmt.Sprint(i)] = func() { out[i] = i } // race! out[*]
	}
	mapMore(tasks)
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(t)
	}
	wg.Wait()
}

func mapMore(tasks map[string]func()) {
	for name, t := range tasks {
		tasks[name+"again"] = t
	}
}

// It is gone through twice.
func Map_rangedTwice(n int) {
	out := make([]int, n)
	tasks := map[string]func(){}
	for i := range n {
		tasks[fmt.Sprint(i)] = func() { out[i] = i } // race! out[*]
	}
	var wg sync.WaitGroup
	for range 2 {
		for _, t := range tasks {
			wg.Go(t)
		}
	}
	wg.Wait()
}

// The loop fills it, too.
func Map_filledMeanwhile(n int) {
	out := make([]int, n)
	tasks := map[string]func(){"": nil}
	i := 0
	var wg sync.WaitGroup
	for name, t := range tasks {
		if t != nil {
			wg.Go(t)
		}
		k := i / 2
		tasks[name+"x"] = func() { out[k] = i } // race! out[*] i
		i++                                     // race! i
		if i > n {
			break
		}
	}
	wg.Wait()
}

// Two names have one index.
func Map_sameIndex(n int) {
	out := make([]int, n)
	tasks := map[string]func(){}
	for i := range n {
		tasks[fmt.Sprint(i)] = func() { out[i/2] = i } // race! out[*]
	}
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(t)
	}
	wg.Wait()
}

// A name that is given again has the last function.
func Map_givenAgain(n int) {
	out := make([]int, n)
	tasks := map[int]func(){}
	for i := range n {
		tasks[i/3] = func() { out[i] = i } // norace
	}
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(t)
	}
	wg.Wait()
}

// Bounds of chunks, by pointers.
func Map_chunks(all []int) {
	parts := make(map[string]*item)
	for lo := 0; lo < len(all); lo += 10 {
		parts[fmt.Sprint(lo)] = &item{lo, min(lo+10, len(all))}
	}
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Go(func() {
			for i := p.lo; i < p.hi; i++ {
				all[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// Bounds of chunks, by value.
func Map_values(all []int) {
	parts := make(map[string]item)
	for lo := 0; lo < len(all); lo += 10 {
		parts[fmt.Sprint(lo)] = item{lo, min(lo+10, len(all))}
	}
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Go(func() {
			for i := p.lo; i < p.hi; i++ {
				all[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// Indices.
func Map_indices(out []int, names []string) {
	at := make(map[string]int)
	for i, name := range names {
		at[name] = i
	}
	var wg sync.WaitGroup
	for _, i := range at {
		wg.Go(func() {
			out[i]++ // norace
		})
	}
	wg.Wait()
}

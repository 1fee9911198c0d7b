package order

import "sync"

// Forks and joins by recursion, and what comes after the whole of it.

func RJ1_loopAfter() {
	a := make([]int, 64)
	sortRJ1(a, 4)
	for w := range 4 {
		go func() { a[w]++ }() // norace
	}
}

func sortRJ1(a []int, depth int) {
	m := len(a) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); sortRJ1(a[:m], depth-1) }()
		sortRJ1(a[m:], depth-1)
		wg.Wait()
	} else if m > 0 {
		sortRJ1(a[:m], 0)
		sortRJ1(a[m:], 0)
	}
	a[0]++ // norace
}

// Only the goroutine goes on.
func RJ2_oneBranch() {
	a := make([]int, 64)
	oneRJ2(a, 4)
	for w := range 4 {
		go func() { _ = a[w] }() // norace
	}
}

func oneRJ2(a []int, depth int) {
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); oneRJ2(a[:len(a)/2], depth-1) }()
		wg.Wait()
	}
	a[0]++ // norace
}

// A call that does not wait.
func RJ2b_goesWithout() {
	a := make([]int, 64)
	someRJ2(a, 4)
	for w := range 4 {
		go func() { _ = a[w] }() // race! _[*]
	}
}

func someRJ2(a []int, depth int) {
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); someRJ2(a[:len(a)/2], depth-1) }()
		if depth == 2 {
			return
		}
		wg.Wait()
	}
	a[0]++ // race! _[*]
}

// The goroutine is done before it goes on.
func RJ2c_doneFirst() {
	a := make([]int, 64)
	earlyRJ2(a, 4)
	for w := range 4 {
		go func() { _ = a[w] }() // race! _[*]
	}
}

func earlyRJ2(a []int, depth int) {
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { wg.Done(); earlyRJ2(a[:len(a)/2], depth-1) }()
		wg.Wait()
	}
	a[0]++ // race! _[*]
}

// The other loop comes first.
func RJ2d_loopBefore() {
	a := make([]int, 64)
	for w := range 4 {
		go func() { _ = a[w] }() // race! _[*]
	}
	oneRJ2d(a, 4)
}

func oneRJ2d(a []int, depth int) {
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); oneRJ2d(a[:len(a)/2], depth-1) }()
		wg.Wait()
	}
	a[0]++ // race! _[*]
}

// What the function returns is new memory, so it is looked at in two contexts.
func RJ3_results() {
	_ = sumRJ3(make([]int, 64), 3)[0]
}

func sumRJ3(a []int, depth int) []int {
	n := len(a)
	if n == 1 {
		return a
	}
	var e, o []int
	if depth > 0 {
		done := make(chan struct{})
		go func() {
			e = sumRJ3(make([]int, n/2), depth-1) // norace
			close(done)
		}()
		o = sumRJ3(make([]int, n/2), depth-1)
		<-done
	} else {
		e, o = sumRJ3(make([]int, n/2), 0), sumRJ3(make([]int, n/2), 0)
	}
	r := make([]int, n)
	for k := range n / 2 {
		r[k] = e[k] + o[k] // norace
	}
	return r
}

func RJ3b_someReceive() {
	_ = sumRJ3b(make([]int, 64), 3)[0]
}

func sumRJ3b(a []int, depth int) []int {
	n := len(a)
	if n == 1 {
		return a
	}
	var e, o []int
	if depth > 0 {
		done := make(chan struct{})
		go func() {
			e = sumRJ3b(make([]int, n/2), depth-1) // race! e
			close(done)
		}()
		o = sumRJ3b(make([]int, n/2), depth-1)
		if depth != 2 {
			<-done
		}
	} else {
		e, o = sumRJ3b(make([]int, n/2), 0), sumRJ3b(make([]int, n/2), 0)
	}
	r := make([]int, n)
	for k := range n / 2 {
		r[k] = e[k] + o[k] // race! e
	}
	return r
}

// The spawner goes to its list before it waits.
func RJ1b_before() {
	a := make([]int, 64)
	sortRJ1b(a, 4)
}

func sortRJ1b(a []int, depth int) {
	m := len(a) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); sortRJ1b(a[:m], depth-1) }()
		sortRJ1b(a[m:], depth-1)
		a[0]++ // race! _[*]
		wg.Wait()
	}
	a[0]++ // race! _[*]
}

// The halves have an element in common.
func RJ1c_overlap() {
	a := make([]int, 64)
	sortRJ1c(a, 4)
}

func sortRJ1c(a []int, depth int) {
	m := len(a) / 2
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); sortRJ1c(a[:m+1], depth-1) }()
		sortRJ1c(a[m:], depth-1)
		wg.Wait()
	}
	a[0]++ // race! _[*]
}

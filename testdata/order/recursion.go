package order

import (
	"fmt"
	"sync"
)

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

// A call starts a goroutine for each child, and waits for them; a leaf waits for none.
type forked struct {
	mu   sync.Mutex
	kids []*forked
}

func forkedTwice() *forked {
	leaf := &forked{}
	return &forked{kids: []*forked{leaf, {kids: []*forked{leaf}}}}
}

func RJ4_eachChild() {
	n := 0
	var mu sync.Mutex
	countRJ4(forkedTwice(), &mu, &n)
	fmt.Println(n)
}

func countRJ4(b *forked, mu *sync.Mutex, n *int) {
	var wg sync.WaitGroup
	for _, k := range b.kids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			countRJ4(k, mu, n)
		}()
	}
	wg.Wait()
	mu.Lock()
	*n++ // norace
	mu.Unlock()
}

// RJ5: the same with Go, and begun by goroutines.
func RJ5_eachChildByGo() {
	n := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { countRJ5(forkedTwice(), &mu, &n) })
	}
	wg.Wait()
	fmt.Println(n)
}

func countRJ5(b *forked, mu *sync.Mutex, n *int) {
	mu.Lock()
	*n++ // norace
	mu.Unlock()
	var wg sync.WaitGroup
	for _, k := range b.kids {
		wg.Go(func() { countRJ5(k, mu, n) })
	}
	wg.Wait()
}

// RJ4b: of the first child nobody waits for the end.
func RJ4b_butTheFirst() {
	n := 0
	var mu sync.Mutex
	countRJ4b(forkedTwice(), &mu, &n)
	fmt.Println(n) // race! n
}

func countRJ4b(b *forked, mu *sync.Mutex, n *int) {
	var wg sync.WaitGroup
	for i, k := range b.kids {
		if i > 0 {
			wg.Add(1)
		}
		go func() {
			if i > 0 {
				defer wg.Done()
			}
			countRJ4b(k, mu, n)
		}()
	}
	wg.Wait()
	mu.Lock()
	*n++ // race! n
	mu.Unlock()
}

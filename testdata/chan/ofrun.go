package channel

import "sync"

// Each run of gather makes a channel of its own, and receives from it as often as
// it has started a goroutine that sends.
func R1_eachRunItsChannel() int {
	sum := 0
	total := 0
	var mu sync.Mutex
	for range n {
		total += gather(n, &sum, &mu)
		total += sum // norace
	}
	return total
}

func gather(k int, sum *int, mu *sync.Mutex) int {
	ch := make(chan int)
	for range k {
		go func() {
			mu.Lock()
			*sum++
			mu.Unlock()
			ch <- 1
		}()
	}
	got := 0
	for range k {
		got += <-ch
	}
	return got
}

// The channel is passed, and has room.
func R2_passed() int {
	sum := 0
	total := 0
	var mu sync.Mutex
	for range n {
		total += gatherPassed(n, &sum, &mu)
		total += sum // norace
	}
	return total
}

func gatherPassed(k int, sum *int, mu *sync.Mutex) int {
	ch := make(chan int, k)
	for range k {
		go add(mu, sum, ch)
	}
	got := 0
	for i := 0; i < k; i++ {
		v := <-ch
		if i == 0 || v > got {
			got = v
		}
	}
	return got
}

func add(mu *sync.Mutex, sum *int, ch chan int) {
	mu.Lock()
	*sum++
	mu.Unlock()
	ch <- 1
}

// One is not waited for.
func R3_oneLess() int {
	sum := 0
	total := 0
	var mu sync.Mutex
	for range n {
		total += gatherLess(n, &sum, &mu)
		total += sum // race! sum
	}
	return total
}

func gatherLess(k int, sum *int, mu *sync.Mutex) int {
	ch := make(chan int, k)
	for range k {
		go func() {
			mu.Lock()
			*sum++ // race! sum
			mu.Unlock()
			ch <- 1
		}()
	}
	got := 0
	for i := 1; i < k; i++ {
		got += <-ch
	}
	return got
}

// Some runs return before they receive, and the next one waits for its own.
func R4_returnsEarly() int {
	sum := 0
	total := 0
	var mu sync.Mutex
	for i := range n {
		total += gatherSome(n, i, &sum, &mu)
		total += sum // race! sum
	}
	return total
}

func gatherSome(k, i int, sum *int, mu *sync.Mutex) int {
	ch := make(chan int, k)
	for range k {
		go func() {
			mu.Lock()
			*sum++ // race! sum
			mu.Unlock()
			ch <- 1
		}()
	}
	if i%2 == 0 {
		return 0
	}
	got := 0
	for range k {
		got += <-ch
	}
	return got
}

// What is received from is another channel, made by the same function.
func R5_another() int {
	sum := 0
	total := 0
	var mu sync.Mutex
	for range n {
		total += gatherAnother(n, &sum, &mu)
		total += sum // race! sum
	}
	return total
}

func newChan(k int) chan int { return make(chan int, k) }

func gatherAnother(k int, sum *int, mu *sync.Mutex) int {
	ch, other := newChan(k), newChan(k)
	for range k {
		go func() {
			mu.Lock()
			*sum++ // race! sum
			mu.Unlock()
			ch <- 1
		}()
	}
	for range k {
		other <- 1
	}
	got := 0
	for range k {
		got += <-other
	}
	return got
}

// A run reads what the goroutines of the run above it write: those it does not
// wait for.
func R6_recursive() int {
	sum := 0
	return nested(3, &sum, new(sync.Mutex))
}

func nested(depth int, sum *int, mu *sync.Mutex) int {
	if depth == 0 {
		return 0
	}
	ch := make(chan int, n)
	for range n {
		go func() {
			mu.Lock()
			*sum++ // race! sum
			mu.Unlock()
			ch <- 1
		}()
	}
	below := nested(depth-1, sum, mu)
	for range n {
		<-ch
	}
	return below + *sum // race! sum
}

// A loop that receives as often as another starts goroutines, but for a number
// that may have become less meanwhile.
func R7_otherBound() int {
	sum := 0
	gatherUpTo(n, n-3, &sum, new(sync.Mutex))
	return sum // race! sum
}

func gatherUpTo(k, m int, sum *int, mu *sync.Mutex) {
	ch := make(chan int, k)
	for range k {
		go func() {
			mu.Lock()
			*sum++ // race! sum
			mu.Unlock()
			ch <- 1
		}()
	}
	for range m {
		<-ch
	}
}

// The first of them is received from before.
func R8_oneBefore() int {
	sum := 0
	gatherFirst(n, &sum, new(sync.Mutex))
	return sum // norace
}

func gatherFirst(k int, sum *int, mu *sync.Mutex) {
	ch := make(chan int, k+1)
	go add(mu, sum, ch)
	for range k {
		go add(mu, sum, ch)
	}
	<-ch
	for range k {
		<-ch
	}
}

// What is received from is another channel of the same run, made by the same
// statement.
func R9_otherOfTheRun() {
	sum := 0
	for range 3 {
		gatherOther(n, &sum, new(sync.Mutex))
		use(sum) // race! sum
	}
}

func use(int) {}

func gatherOther(k int, sum *int, mu *sync.Mutex) {
	var ch, other chan int
	for range 2 {
		ch, other = other, make(chan int, k)
	}
	for range k {
		go func() {
			mu.Lock()
			*sum++ // race! sum
			mu.Unlock()
			ch <- 1
		}()
		other <- 1
	}
	for range k {
		<-other
	}
}

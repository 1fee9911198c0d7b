package channel

import (
	"errors"
	"runtime"
)

// A goroutine that sends either an error or a value sends once, though there are
// two statements that do.

var errOdd = errors.New("odd")

// The error is sent by a branch that returns.
func K17_errorOrValue() {
	errs := make(chan error)
	out := make([]int, n)
	for i := range n {
		go func() {
			if i%2 == 1 {
				errs <- errOdd
				return
			}
			out[i] = i // norace
			errs <- nil
		}()
	}
	for range n {
		<-errs
	}
	_ = out[0] // norace
}

// One of three, of which two are after the write.
func K17_oneOfThree() {
	results := make(chan item, n)
	sums := make([]int, n)
	for i := range n {
		go func() {
			if i == 3 {
				results <- item{}
			} else {
				sums[i] += i // norace
				if i > 5 {
					results <- item{id: 1}
				} else {
					results <- item{out: 1}
				}
			}
		}()
	}
	for c := 0; c < n; c++ {
		<-results
	}
	_ = sums[1] // norace
}

// The two statements are in functions that the goroutine calls.
func K17_inCallees() {
	results := make(chan item)
	sums := make([]int, n)
	for i := range n {
		go func() {
			sums[i] += i // norace
			if i > 5 {
				fails(results)
			} else {
				succeeds(results, i)
			}
		}()
	}
	for range n {
		<-results
	}
	_ = sums[1] // norace
}

func fails(results chan<- item) { results <- item{} }

func succeeds(results chan<- item, id int) { results <- item{id: id} }

// Each round starts one of two goroutines.
func K17_eitherGoroutine() {
	done := make(chan bool)
	sums := make([]int, n)
	for i := range n {
		if i > 5 {
			go func() {
				sums[i] = 1 // norace
				done <- true
			}()
		} else {
			go func() {
				sums[i] = 2 // norace
				done <- false
			}()
		}
	}
	for range n {
		<-done
	}
	_ = sums[1] // norace
}

// One branch writes after its send.
func K18_writesAfterOneOfThem() {
	results := make(chan item, n)
	sums := make([]int, n)
	for i := range n {
		go func() {
			if i > 5 {
				results <- item{id: 1}
				runtime.Gosched()
				sums[i] += i // race! sums
			} else {
				results <- item{out: 1}
			}
		}()
	}
	for range n {
		<-results
	}
	for i := range sums {
		_ = sums[i] // race! sums
	}
}

// A send that is not the last is no branch: some send twice.
func K18_errorAndValue() {
	results := make(chan item, 2*n)
	sums := make([]int, n)
	for i := range n {
		go func() {
			if i > 2 {
				results <- item{}
			}
			runtime.Gosched()
			sums[i] += i // race! sums
			results <- item{id: i}
		}()
	}
	for range n {
		<-results
	}
	for i := range sums {
		_ = sums[i] // race! sums
	}
}

// One branch sends two: they count for who is not ready.
func K18_twoOnOneBranch() {
	done := make(chan bool, 2*n)
	sums := make([]int, n)
	for i := range n {
		go func() {
			if i > 2 {
				sums[i] = i // race! sums
				done <- true
				done <- true
			} else {
				runtime.Gosched()
				sums[i] = i // race! sums
				done <- false
			}
		}()
	}
	for range n {
		<-done
	}
	for i := range sums {
		_ = sums[i] // race! sums
	}
}

// The branches are in a loop.
func K18_branchesInLoop() {
	results := make(chan item, n*n)
	sums := make([]int, n)
	for i := range n {
		go func() {
			for k := range i + 1 {
				sums[i]++ // race! sums
				if k > 3 {
					results <- item{id: k}
				} else {
					results <- item{out: k}
				}
			}
		}()
	}
	for range n {
		<-results
	}
	for i := range sums {
		_ = sums[i] // race! sums
	}
}

// Callees of which both are called.
func K18_bothCallees() {
	results := make(chan item, 2*n)
	sums := make([]int, n)
	for i := range n {
		go func() {
			began(results)
			runtime.Gosched()
			sums[i] += i // race! sums
			ended(results)
		}()
	}
	for range n {
		<-results
	}
	for i := range sums {
		_ = sums[i] // race! sums
	}
}

func began(results chan<- item) { results <- item{id: 1} }

func ended(results chan<- item) { results <- item{id: 2} }

package lock

import "sync"

// batch runs many times; each run has a lock and a list of its own.
func batch(jobs []int) ([]error, map[int]int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var errs []error
	seen := map[int]int{}
	for _, j := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v, err := put(j)
			if err != nil {
				mu.Lock()
				errs = append(errs, err) // norace
				mu.Unlock()
				return
			}
			mu.Lock()
			seen[v]++ // norace
			mu.Unlock()
		}()
	}
	wg.Wait()
	return errs, seen
}

// A closure sees the variables of one run: the lock and the list belong together.
func F1_lockAndDatumOfOneRun() {
	for i := range n {
		batch([]int{i, i + 1})
	}
	batch([]int{1})
}

// Each run of tally has a lock of its own for what all runs share.
func F1b_lockOfEachRun() {
	tally := func(sum *int, jobs []int) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, j := range jobs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				mu.Lock()
				*sum += j // race! sum
				mu.Unlock()
			}()
		}
		wg.Wait()
	}
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			tally(&sum, []int{i, i + 1})
		}()
	}
	wg.Wait()
}

// The lock is declared in each round, the sum outside.
func F1c_lockOfEachRound() {
	for range n {
		sum := 0
		for i := range n {
			var mu sync.Mutex
			go func() {
				mu.Lock()
				sum += i // race! sum
				mu.Unlock()
			}()
		}
	}
}

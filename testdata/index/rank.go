package index

import (
	"sync"
	"sync/atomic"
)

// What one iteration alone does, or each by another way, since it has tested its number.

// RK1: the first.
func RK1_first() {
	total, last := 0, ""
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			if w == 0 {
				total++ // norace
			}
			switch w {
			case 3:
				last = "third" // norace
			}
		})
	}
	wg.Wait()
	println(total, last) // norace
}

// RK2: in a function, which is given the number.
func RK2_inFunction() {
	total := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Add(1)
		go func(rank int) {
			defer wg.Done()
			countFirst(rank, &total)
		}(w)
	}
	wg.Wait()
}

func countFirst(rank int, total *int) {
	if rank != 0 {
		return
	}
	*total++ // norace
}

// RK3: the last one to take a number.
func RK3_lastTicket() {
	var next atomic.Int64
	total := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if next.Add(1) == n {
				total++ // norace
			}
		})
	}
	wg.Wait()
}

// RK4: whoever is told, by a variable that stays as it is.
func RK4_chosen(owner int) {
	total := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			if w == owner {
				total++ // norace
			}
		})
	}
	wg.Wait()
}

// Several pass the test.
func RK1b_odd() {
	total := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			if w%2 == 1 {
				total++ // race! total
			}
		})
	}
	wg.Wait()
}

// The others read.
func RK1c_othersRead() {
	total := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			if w == 0 {
				total++ // race! total
			} else {
				println(total) // race! total
			}
		})
	}
	wg.Wait()
}

// There is a first one in each round, and nobody waits for it.
func RK1d_inEachRound() {
	total := 0
	var wg sync.WaitGroup
	for range n {
		for w := range n {
			wg.Go(func() {
				if w == 0 {
					total++ // race! total
				}
			})
		}
	}
	wg.Wait()
}

// The number is that of a round of the iteration's own.
func RK1e_ownRound() {
	total := 0
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for k := range n {
				if k == 0 {
					total++ // race! total
				}
			}
		})
	}
	wg.Wait()
}

// What is tested is set by each.
func RK4b_setByEach() {
	owner, total := 0, 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			owner = w       // race! owner
			if w == owner { // race! owner
				total++ // race! total
			}
		})
	}
	wg.Wait()
}

// The number is a value of the data.
func RK4c_ofData(xs []int) {
	total := 0
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() {
			if x == 0 {
				total++ // race! total
			}
		})
	}
	wg.Wait()
}

// One is tested for the number, and one is not.
func RK2b_testedOnce() {
	total := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			total++ // race! total
			countSecond(w, &total)
		})
	}
	wg.Wait()
}

func countSecond(rank int, total *int) {
	if rank == 1 {
		*total++ // race! total
	}
}

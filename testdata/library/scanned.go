package library

import (
	"encoding/json"
	"fmt"
	"sync"
)

// What is scanned is stored in each of the variadic arguments.
func SN1_scanned() {
	var count, other int
	own := make([]int, n)
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			fmt.Sscan("1", &count)                      // race! count
			fmt.Sscanf("1 2", "%d %d", &own[i], &other) // race! other
			var mine int
			fmt.Sscan("1", &mine, &own[i]) // norace
		})
	}
	wg.Wait()
	_ = count + other
}

// Who passes the arguments on has not made the slice.
func SN2_passedOn() {
	var total int
	own := make([]int, n)
	var wg sync.WaitGroup
	for i := range own {
		wg.Go(func() {
			scanAll("1", &total)
			scanAllOwn("1", &own[i])
		})
	}
	wg.Wait()
	_ = total
}

func scanAll(text string, to ...any) {
	fmt.Sscan(text, to...) // race! total
}

func scanAllOwn(text string, to ...any) {
	fmt.Sscan(text, to...) // norace
}

// A field is written, and those beside it are not.
func SN3_field() {
	var p struct{ x, y int }
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			fmt.Sscan("1", &p.x) // race! p.x
			_ = p.y              // norace
		})
	}
	wg.Wait()
}

// Under a lock nothing happens.
func SN4_locked() {
	var mu sync.Mutex
	var count int
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			fmt.Sscanln("1", &count) // norace
			mu.Unlock()
		})
	}
	wg.Wait()
}

// What lies in a slice that each iteration makes may be shared.
func SN5_behindOwnSlice() {
	var total int
	shared := []int{1, 2}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			json.Unmarshal([]byte("[1]"), []*int{&total})    // race! total
			json.Unmarshal([]byte("[[1]]"), [][]int{shared}) // assumed shared[*]; which element of it a pointer leads to is not followed
			var mine int
			json.Unmarshal([]byte("[1]"), []*int{&mine}) // norace
		})
	}
	wg.Wait()
	_ = total
}

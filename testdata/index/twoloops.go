package index

import (
	"strings"
	"sync"
)

// One run of a function starts goroutines in two loops: what the rounds of both have counted is not related, what
// the run has computed before is.

func TL1_readersAfterWriters(clients int) []int {
	writers := clients / 2
	if writers == 0 {
		writers = 1
	}
	readers := max(clients-writers, 1)
	lat := make([]int, writers+readers)
	var wg sync.WaitGroup
	wg.Add(writers + readers)
	for w := 0; w < writers; w++ {
		go func() {
			defer wg.Done()
			lat[w]++ // norace
		}()
	}
	for r := 0; r < readers; r++ {
		go func() {
			defer wg.Done()
			lat[writers+r]++ // norace
		}()
	}
	wg.Wait()
	return lat
}

// The readers begin with the last writer's.
func TL1b_oneShared(writers, readers int) []int {
	lat := make([]int, writers+readers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			lat[w]++ // race! lat[*]
		})
	}
	for r := range readers {
		wg.Go(func() {
			lat[writers+r-1]++ // race! lat[*]
		})
	}
	wg.Wait()
	return lat
}

// There are fewer, when the readers start.
func TL1c_changed(writers, readers int) []int {
	lat := make([]int, writers+readers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			lat[w]++ // race! lat[*]
		})
	}
	writers--
	for r := range readers {
		wg.Go(func() {
			lat[writers+r]++ // race! lat[*]
		})
	}
	wg.Wait()
	return lat
}

// The first loop's counter is what it was at the end, for the second one: only for who comes after it.
func TL2_goesOn(n int) []int {
	out := make([]int, 2*n)
	var wg sync.WaitGroup
	i := 0
	for ; i < n; i++ {
		k := i
		wg.Go(func() {
			out[k]++ // race! out[*]
		})
	}
	for j := i - 1; j < 2*n; j++ {
		wg.Go(func() {
			out[j]++ // race! out[*]
		})
	}
	wg.Wait()
	return out
}

// Each of two runs has a list of its own, and they do not wait.
func TL3_ownLists(n int) {
	for range 2 {
		apartHalves(make([]int, 0, n), n)
	}
}

func apartHalves(list []int, n int) {
	low, high := make([]int, n), list[:n]
	for i := range n / 2 {
		go func() {
			low[i]++  // norace
			high[i]++ // norace
		}()
	}
	for i := n / 2; i < n; i++ {
		go func() {
			low[i]++  // norace
			high[i]++ // norace
		}()
	}
}

// Two runs with other bounds have the same list.
func TL3b_oneList(n int) {
	list := make([]int, n)
	oneHalf(list, n/2)
	oneHalf(list, n/3)
}

func oneHalf(list []int, k int) {
	for i := range k {
		go func() {
			list[i]++ // race! list[*]
		}()
	}
	for i := k; i < len(list); i++ {
		go func() {
			list[i]++ // race! list[*]
		}()
	}
}

// A goroutine of no loop has the first element.
func TL4_besideOne(words []string) []string {
	out := make([]string, len(words)+1)
	var wg sync.WaitGroup
	wg.Go(func() {
		out[0] = strings.Join(words, " ") // norace
	})
	for i, w := range words {
		wg.Go(func() {
			out[i+1] = strings.ToUpper(w) // norace
		})
	}
	wg.Wait()
	return out
}

func TL4b_besideFirst(words []string) []string {
	out := make([]string, len(words))
	var wg sync.WaitGroup
	wg.Go(func() {
		out[0] = strings.Join(words, " ") // race! out[*]
	})
	for i, w := range words {
		wg.Go(func() {
			out[i] = strings.ToUpper(w) // race! out[*]
		})
	}
	wg.Wait()
	return out
}

// A round does not wait: the next one has another width.
func TL5_rounds(out []int, widths []int) {
	all := make([]int, len(out))
	for _, w := range widths {
		for i := range w {
			go func() {
				all[i]++ // race! all[*]
			}()
		}
		for i := w; i < len(all); i++ {
			go func() {
				all[i]++ // race! all[*]
			}()
		}
	}
}

// Both take elements by one table.
func TL6_table(table []int) []int {
	out := make([]int, len(table))
	var wg sync.WaitGroup
	for i := range len(table) / 2 {
		wg.Go(func() {
			out[table[i]]++ // race! out[*]
		})
	}
	for i := range len(table) / 3 {
		wg.Go(func() {
			out[table[i]]++ // race! out[*]
		})
	}
	wg.Wait()
	return out
}

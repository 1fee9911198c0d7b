package heap

import "sync"

// One slice is put into the slots of all workers, in each of some rounds.
func OF1_oneForAllSlots() {
	for range 3 {
		slots := make([][]int, n)
		shared := make([]int, n)
		var wg sync.WaitGroup
		for w := range slots {
			slots[w] = shared
			wg.Add(1)
			go func(w int, mine []int) {
				defer wg.Done()
				for i := range mine {
					mine[i] += w // race! shared
				}
			}(w, slots[w])
		}
		wg.Wait()
	}
}

// Each slot has a slice of its own.
func OF2_oneForEach() {
	for range 3 {
		slots := make([][]int, n)
		var wg sync.WaitGroup
		for w := range slots {
			slots[w] = make([]int, n)
			wg.Add(1)
			go func(w int, mine []int) {
				defer wg.Done()
				for i := range mine {
					mine[i] += w // norace
				}
			}(w, slots[w])
		}
		wg.Wait()
	}
}

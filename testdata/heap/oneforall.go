package heap

import "sync"

type total struct{ n int }

func (t *total) add(k int) { t.n += k } // norace

// One slice is put into the slots of all workers, in each of some rounds.
func OF1_oneForAllSlots() {
	for range 3 {
		slots := make([][]sum, n)
		shared := make([]sum, n)
		var wg sync.WaitGroup
		for w := range slots {
			slots[w] = shared
			wg.Add(1)
			go func(w int, mine []sum) {
				defer wg.Done()
				for i := range n {
					mine[i*w%n].add(w)
				}
			}(w, slots[w])
		}
		wg.Wait()
	}
}

type sum struct{ n int }

func (s *sum) add(k int) { s.n += k } // race! n

// Each slot has a slice of its own.
func OF2_oneForEach() {
	for range 3 {
		slots := make([][]total, n)
		var wg sync.WaitGroup
		for w := range slots {
			slots[w] = make([]total, n)
			wg.Add(1)
			go func(w int, mine []total) {
				defer wg.Done()
				for i := range mine {
					mine[i].add(w)
				}
			}(w, slots[w])
		}
		wg.Wait()
	}
}

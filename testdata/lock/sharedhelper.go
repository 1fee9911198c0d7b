package lock

import "sync"

type deck struct {
	mu    sync.RWMutex
	cards []int
	seen  int
}

// turn exchanges two cards of whoever calls it.
func turn(cards []int) {
	swap := func(i, j int) { cards[i], cards[j] = cards[j], cards[i] } // norace
	swap(0, 1)
}

// One helper is called with the lock on what the lock guards, and with the lock
// held for reading on a copy.
func L51_helperOnCopy() {
	d := &deck{cards: make([]int, n)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			d.mu.Lock()
			turn(d.cards)
			d.mu.Unlock()
		})
		wg.Go(func() {
			d.mu.RLock()
			mine := append([]int(nil), d.cards...) // norace
			turn(mine)
			d.mu.RUnlock()
		})
	}
	wg.Wait()
}

// Its near twin does not copy.
func L51b_helperOnShared() {
	d := &deck{cards: make([]int, n)}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			d.mu.Lock()
			turnBack(d.cards)
			d.mu.Unlock()
		})
		wg.Go(func() {
			d.mu.RLock()
			turnBack(d.cards)
			d.mu.RUnlock()
		})
	}
	wg.Wait()
}

func turnBack(cards []int) {
	cards[0] = 1 // race! d.cards[*]
}

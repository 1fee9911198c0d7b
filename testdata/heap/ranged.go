package heap

import "sync"

// Who ranges over a map gets all that it holds, in each round of the loop that
// does so: what lies there is a round's own only in the loop of the range itself.

type coin struct{ turns int }

func coins() map[int]*coin {
	m := map[int]*coin{}
	for k := range n {
		m[k] = &coin{}
	}
	return m
}

func RG1_allByAll() {
	m := coins()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for _, c := range m {
				c.turns++ // race! _.turns
			}
		})
	}
	wg.Wait()
}

func RG1b_oneByEach() {
	m := coins()
	var wg sync.WaitGroup
	for _, c := range m {
		wg.Go(func() {
			c.turns++ // norace
		})
	}
	wg.Wait()
}

// Each coin is turned by a goroutine of its own, and again in the next round.
func RG2_nextRound() {
	m := coins()
	var wg sync.WaitGroup
	for range 2 {
		for _, c := range m {
			wg.Go(func() {
				c.turns++ // race! _.turns
			})
		}
	}
	wg.Wait()
}

func RG2b_roundOver() {
	m := coins()
	for range 2 {
		var wg sync.WaitGroup
		for _, c := range m {
			wg.Go(func() {
				c.turns++ // norace
			})
		}
		wg.Wait()
	}
}

// The map of the library hands out what it holds in the same way.
func RG3_syncMap() {
	var m sync.Map
	for k := range n {
		m.Store(k, &coin{})
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			m.Range(func(_, c any) bool {
				c.(*coin).turns++ // race! _.turns
				return true
			})
		})
	}
	wg.Wait()
}

// An iteration makes a map of its own, of what lies in that of all.
func RG4_sharedCopy() {
	m := coins()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			own := map[int]*coin{}
			for k, c := range m {
				own[k] = c
			}
			own[1].turns++ // race! _.turns
		})
	}
	wg.Wait()
}

func RG4b_deepCopy() {
	m := coins()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			own := map[int]*coin{}
			for k, c := range m {
				own[k] = &coin{c.turns}
			}
			for _, c := range own {
				c.turns++ // norace
			}
		})
	}
	wg.Wait()
}

// What each copies is a map of its own already.
func RG4c_copyOfOwn() {
	ms := make([]map[int]*coin, n)
	for i := range ms {
		ms[i] = map[int]*coin{}
		for k := range n {
			ms[i][k] = &coin{}
		}
	}
	var wg sync.WaitGroup
	for i := range ms {
		wg.Go(func() {
			own := map[int]*coin{}
			for k, c := range ms[i] {
				own[k] = c
			}
			own[1].turns++ // norace
		})
	}
	wg.Wait()
}

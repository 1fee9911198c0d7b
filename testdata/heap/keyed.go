package heap

import (
	"strings"
	"sync"
)

// Objects that each iteration finds in a map, by a key of its own.

type record struct {
	sum   int
	parts []int
}

func KY1_byRange() {
	m := make(map[string]*record)
	for _, name := range []string{"a", "b", "c"} {
		m[name] = &record{parts: make([]int, 3)}
	}
	var wg sync.WaitGroup
	for name := range m {
		wg.Go(func() {
			m[name].sum++      // assumed m[*].sum
			m[name].parts[0]++ // assumed parts
		})
	}
	wg.Wait()
}

func KY1b_oneForTwo() {
	m := make(map[string]*record)
	e := &record{parts: make([]int, 3)}
	for _, name := range []string{"a", "b", "c"} {
		m[name] = e
	}
	var wg sync.WaitGroup
	for name := range m {
		wg.Go(func() {
			m[name].sum++      // race! e.sum
			m[name].parts[0]++ // race! parts
		})
	}
	wg.Wait()
}

func KY1c_partsOfOne() {
	m := make(map[string]*record)
	parts := make([]int, 3)
	for _, name := range []string{"a", "b", "c"} {
		m[name] = &record{parts: parts}
	}
	var wg sync.WaitGroup
	for name := range m {
		wg.Go(func() {
			m[name].parts[0]++ // race! parts
		})
	}
	wg.Wait()
}

func KY1d_notByName() {
	m := map[string]*record{"a": new(record), "ab": new(record)}
	var wg sync.WaitGroup
	for name := range m {
		wg.Go(func() {
			m[name[:1]].sum++ // race! m[*].sum
		})
	}
	wg.Wait()
}

func KY1e_inEach() {
	m := map[string]*record{"a": new(record), "b": new(record)}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for name := range m {
				m[name].sum++ // race! m[*].sum
			}
		})
	}
	wg.Wait()
}

func KY2_byName(names []string) {
	m := make(map[string]*record)
	for _, name := range names {
		m[name] = new(record)
	}
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			m[name].sum = i // assumed m[*].sum
		})
	}
	wg.Wait()
}

func KY2b_counted() {
	words := strings.Fields("the cat the dog the bird")
	m := make(map[string]*record)
	for _, w := range words {
		m[w] = new(record)
	}
	var wg sync.WaitGroup
	for _, w := range words {
		wg.Go(func() {
			m[w].sum++ // race! m[*].sum
		})
	}
	wg.Wait()
}

func KY2c_grouped() {
	words := strings.Fields("the cat the dog the bird")
	m := make(map[string]*record)
	for _, w := range words {
		m[w] = new(record)
	}
	var wg sync.WaitGroup
	for i, w := range words {
		wg.Go(func() {
			m[w].parts = append(m[w].parts, i) // race! parts
		})
	}
	wg.Wait()
}

func KY3_received() {
	m := make(map[*record]*record)
	for range 8 {
		m[new(record)] = new(record)
	}
	keys := make(chan *record)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for k := range keys {
				if e, ok := m[k]; ok {
					e.sum++ // assumed m[*].sum
				}
			}
		})
	}
	for k := range m {
		keys <- k
	}
	close(keys)
	wg.Wait()
}

func KY4_theMapItself() {
	m := make(map[string]int)
	names := []string{"a", "b", "c"}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			m[name] = len(name) // race! m
		})
	}
	wg.Wait()
}

func KY4b_readBeside() {
	m := map[string]int{"a": 1}
	names := []string{"a", "b", "c"}
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			if i == 0 {
				m[name] = len(name) // race! m
			} else {
				_ = m[name] // race! m
			}
		})
	}
	wg.Wait()
}

func KY5_filledMeanwhile() {
	m := map[string]*record{"a": new(record)}
	one := new(record)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		wg.Go(func() {
			mu.Lock()
			m[name] = one
			e := m[name]
			mu.Unlock()
			e.sum++ // race! one.sum
		})
	}
	wg.Wait()
}

package heap

import "sync"

// Two counters of one loop: with the second one ahead of the first, an
// iteration's a[j] is the next one's a[i].

func counted() []*leaf {
	a := make([]*leaf, 11)
	for i := range a {
		a[i] = new(leaf)
	}
	return a
}

func X70_counterAhead() {
	a := counted()
	var wg sync.WaitGroup
	for i, j := 0, 1; i < 10; i, j = i+1, j+1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a[i].n++ // race! _.n
			a[j].n++ // race! _.n
		}()
	}
	wg.Wait()
}

func X71_oneCounter() {
	a := counted()
	var wg sync.WaitGroup
	for i, j := 0, 1; i < 10; i, j = i+1, j+1 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a[i].n += j // norace
		}()
	}
	wg.Wait()
}

func X72_counterBeside() {
	a := counted()
	k := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		go func(k int) {
			defer wg.Done()
			a[k].n++ // norace
		}(k)
		k++
	}
	wg.Wait()
}

//go:build go1.21

package scope

import "sync"

// Before Go 1.22, which the build constraint selects for this file, all
// iterations share the loop variable.
func S5b_loopVariableShared() {
	us := []*user{{1}, {2}, {3}}
	ch := make(chan *user, len(us))
	var wg sync.WaitGroup
	for _, u := range us { // race! u
		wg.Add(1)
		go func() {
			defer wg.Done()
			if u != nil && !ok(u) { // race! u
				u = nil // race! u
			}
			ch <- u // race! u
		}()
	}
	wg.Wait()
}

// A three-clause loop: the increment races with the captured reads.
func S5c_threeClauseShared() {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ { // race! i
		wg.Add(1)
		go func() {
			defer wg.Done()
			uses.Add(int64(i)) // race! i
		}()
	}
	wg.Wait()
}

// A loop over a channel: each receive assigns what the goroutines read.
func S5d_channelItemShared() {
	items := make(chan int, n)
	for k := 0; k < n; k++ {
		items <- k
	}
	close(items)
	var wg sync.WaitGroup
	for it := range items { // race! it
		wg.Add(1)
		go func() {
			defer wg.Done()
			uses.Add(int64(it)) // race! it
		}()
	}
	wg.Wait()
}

// The old remedy: a copy per iteration.
func S5e_copyPerIteration() {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		i := i
		wg.Add(1)
		go func() {
			defer wg.Done()
			uses.Add(int64(i)) // norace
		}()
	}
	wg.Wait()
}

// The other old remedy: an argument.
func S5f_argument() {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			uses.Add(int64(i)) // norace
		}(i)
	}
	wg.Wait()
}

// The captured loop variable indexes the results: no element is anybody's own.
func S5g_sharedIndex() {
	own := make([]int, n+1)
	var wg sync.WaitGroup
	for i := 0; i < n; i++ { // race! i
		wg.Add(1)
		go func() {
			defer wg.Done()
			own[i] = 1 // race! i own[*]
		}()
	}
	wg.Wait()
}

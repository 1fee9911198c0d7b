// Command tiny has one race and one lock.
package main

import "sync"

type totals struct {
	mu           sync.Mutex
	locked, racy int
}

func main() {
	t := new(totals)
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			t.mu.Lock()
			t.locked += i
			t.mu.Unlock()
			t.racy += i
		})
	}
	wg.Wait()
	println(t.locked, t.racy)
}

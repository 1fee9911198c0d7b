package fp

import "sync"

// Each element of a list is a function that has captured something of its own.
func FP_tableOfOptions() {
	type limit struct{ n int }
	set := func(l *limit) func(**limit) { return func(p **limit) { *p = l } }
	table := []func(**limit){set(new(limit)), set(new(limit))}
	var wg sync.WaitGroup
	for _, o := range table {
		wg.Go(func() {
			var l *limit
			o(&l)
			l.n++ // race l.n; what the functions of a list have captured is not told apart by the elements that they are
		})
	}
	wg.Wait()
}

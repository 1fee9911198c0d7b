package order_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/filters/order"
	"github.com/iterace/iterace/model"
)

// BenchmarkOrder decides the races of a program whose workers call through n
// functions, which do nothing that the rules look at, before they touch what they
// share and say that they are done: the cost of a walk should not follow n times
// the number of walks.
func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{10, 40, 160} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, err := smallworld.Solve("Test", strings.Replace(prelude, "BODY", deepBody(n), 1)+deepHelpers(n))
			if err != nil {
				b.Fatal(err)
			}
			type work struct {
				v  order.World
				l  *locks.Analysis
				rs *model.RaceSet
			}
			var all []work
			for _, v := range p.Views() {
				all = append(all, work{v, locks.New(v), v.Races()})
			}
			for b.Loop() {
				for _, w := range all {
					order.New(w.v, w.l, w.rs).Filter(w.rs)
				}
			}
		})
	}
}

// deepBody starts workers that hand results on and are joined.
func deepBody(n int) string {
	return fmt.Sprintf(`
	var wg sync.WaitGroup
	results, more := make(chan int), make(chan int, 3)
	for range 3 {
		wg.Add(1)
		go func() { defer wg.Done(); for v := range more { results <- h%d(v, &x) } }()
	}
	go func() { wg.Wait(); close(results) }()
	for i := range 9 { more <- i }
	close(more)
	for r := range results { x += r }
	x++
`, n-1)
}

// deepHelpers declares functions each of which calls the one before it, once: the
// small world has an instance for each call string.
func deepHelpers(n int) string {
	var text strings.Builder
	text.WriteString("\nfunc h0(v int, x *int) int { *x = v; return v }\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&text, "func h%d(v int, x *int) int { if v > %d { v-- }; return h%d(v, x) + *x }\n", i, i, i-1)
	}
	return text.String()
}

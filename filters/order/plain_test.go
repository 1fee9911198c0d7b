package order_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/filters/order"
	"github.com/iterace/iterace/model"
)

// TestPlain compares what walks decide that share tables, and go only through what
// leads to where something is awaited, with walks that go everywhere on their own.
func TestPlain(t *testing.T) {
	bodies := []string{
		deepBody(4),
		// A round's object is made in a callee, before or after it is waited for.
		`mk := func() chan int { return make(chan int) }; for range 3 { d := mk(); go func() { x = 1; close(d) }(); <-d }; x++`,
		`mk := func() chan int { return make(chan int) }; d := mk(); for range 3 { go func() { x = 1; close(d) }(); d = mk(); <-d }; x++`,
		`mk := func() chan int { return make(chan int) }; d := mk(); for range 3 { e := d; go func() { x = 1; close(e) }(); d = mk(); if c { <-e } }; x++`,
		`for range 3 { var wg sync.WaitGroup; run := func(f func()) { wg.Add(1); go func() { defer wg.Done(); f() }() }; run(func() { x = 1 }); wg.Wait() }; x++`,
	}
	// Another goroutine waits, below calls that do nothing of interest themselves, on
	// all of their ways, on some, or on none that returns; and in a round.
	for _, waits := range []string{"sure", "perhaps", "never", "first", "twice", "late"} {
		bodies = append(bodies,
			`var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { relay(`+waits+`, &wg); close(ch) }(); <-ch; x++`,
			`var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { if relay(`+waits+`, &wg); c { relay(perhaps, &wg) }; ch <- 1 }(); <-ch; x++`,
			`for range 3 { var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { relay(`+waits+`, &wg); close(ch) }(); <-ch }; x++`,
			`mk := func() *sync.WaitGroup { return new(sync.WaitGroup) }; for range 3 { wg := mk(); wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { relay(`+waits+`, wg); close(ch) }(); wg = mk(); <-ch }; x++`,
		)
	}
	for _, tt := range orderTests {
		bodies = append(bodies, tt.body)
	}
	kept := 0
	for _, body := range bodies {
		p, err := smallworld.Solve("Test", strings.Replace(prelude, "BODY", body, 1)+deepHelpers(4)+waiters)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		for _, v := range p.Views() {
			decide := func(make func(order.World, *locks.Analysis, *model.RaceSet) *order.Analysis) []string {
				var out []string
				rs := v.Races()
				for _, r := range make(v, locks.New(v), rs).Filter(rs).Races {
					out = append(out, fmt.Sprint(r.Object.Name, r.Field, " ", r.A.Pos, " ", r.B.Pos, " ", r.Confidence, " ", r.Why))
				}
				return out
			}
			got, want := decide(order.New), decide(order.NewPlain)
			if kept += len(want); !slices.Equal(got, want) {
				t.Errorf("%s\ngot\n%s\nwant\n%s", body, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if kept == 0 {
		t.Error("nothing is kept by either")
	}
}

// waiters are functions that wait, and one that calls them by the way.
const waiters = `
func relay(f func(*sync.WaitGroup), wg *sync.WaitGroup) { if c { between(f, wg); return }; between(f, wg) }
func between(f func(*sync.WaitGroup), wg *sync.WaitGroup) { list = nil; f(wg) }
func sure(wg *sync.WaitGroup)    { wg.Wait() }
func perhaps(wg *sync.WaitGroup) { if c { return }; wg.Wait() }
func never(wg *sync.WaitGroup)   { if c { panic("c") }; list = nil }
func first(wg *sync.WaitGroup)   { sure(wg); perhaps(wg) }
func twice(wg *sync.WaitGroup)   { perhaps(wg); perhaps(wg) }
func late(wg *sync.WaitGroup)    { defer sure(wg); if c { return }; list = nil }
`

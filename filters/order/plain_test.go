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
	for _, waits := range []string{"sure", "perhaps", "never", "first", "twice", "late", "stuck", "deferred"} {
		bodies = append(bodies,
			`var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { relay(`+waits+`, &wg); close(ch) }(); <-ch; x++`,
			`var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { if relay(`+waits+`, &wg); c { relay(perhaps, &wg) }; ch <- 1 }(); <-ch; x++`,
			`for range 3 { var wg sync.WaitGroup; wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { relay(`+waits+`, &wg); close(ch) }(); <-ch }; x++`,
			`mk := func() *sync.WaitGroup { return new(sync.WaitGroup) }; for range 3 { wg := mk(); wg.Add(1); go func() { defer wg.Done(); x = 1 }(); ch := make(chan int); go func() { relay(`+waits+`, wg); close(ch) }(); wg = mk(); <-ch }; x++`,
		)
	}
	// What a frame does from an operation on: a call or a receive that does not
	// return, a deferred call that is made by who comes from there, a test that turns
	// out one way.
	for _, goesOn := range []string{
		`hang(&wg)`,
		`stays(&wg)`,
		`dead := make(chan int); wg.Add(1); <-dead`,
		`p := &x; if c { p = nil }; if p != nil { wg.Add(1) }; list = nil; if p == nil { wg.Done() }`,
	} {
		bodies = append(bodies, `var wg sync.WaitGroup; wg.Add(1); go func() { x = 1; wg.Done() }(); `+goesOn+`; wg.Wait(); x++`)
	}
	for _, tt := range orderTests {
		bodies = append(bodies, tt.body)
	}
	kept, compared := 0, 0
	for _, body := range bodies {
		p, err := smallworld.Solve("Test", strings.Replace(prelude, "BODY", body, 1)+deepHelpers(4)+waiters)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		for _, v := range p.Views() {
			rs := v.Races()
			a := order.New(v, locks.New(v), rs)
			a.Filter(rs)
			n, bad := a.Disagreements()
			if compared += n; len(bad) > 0 {
				t.Errorf("%s\n%s", body, strings.Join(bad, "\n"))
			}
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
	if kept == 0 || compared == 0 {
		t.Errorf("%d races are kept by either, %d walks compared", kept, compared)
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
func stuck(wg *sync.WaitGroup)   { if c { wg.Wait() } else { select {} } }
func hang(wg *sync.WaitGroup)    { for { wg.Wait() } }
func stays(wg *sync.WaitGroup)   { if c { return }; wg.Add(1); defer hang(wg); list = nil }
func deferred(wg *sync.WaitGroup) { if c { hang(wg); wg.Done() }; if list != nil { defer sure(wg) }; relay(perhaps, wg); if c { return }; list = nil }
func late(wg *sync.WaitGroup)    { defer sure(wg); if c { return }; list = nil }
`

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
	for _, tt := range orderTests {
		bodies = append(bodies, tt.body)
	}
	kept := 0
	for _, body := range bodies {
		p, err := smallworld.Solve("Test", strings.Replace(prelude, "BODY", body, 1)+deepHelpers(4))
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

package inview

import (
	"math/rand/v2"
	"testing"

	"github.com/iterace/iterace/internal/idset"
	"github.com/iterace/iterace/pta"
)

// A callGraph is a view of which only callers are known.
type callGraph struct {
	World
	callers [][]pta.Site
}

func (g callGraph) Callers(i pta.InstID) []pta.Site { return g.callers[i] }

// TestLeading compares what is found by way of hubs with what is found without, in programs that have
// hubs above and below each other, and components too small for one.
func TestLeading(t *testing.T) {
	const n = 3 * minHub
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := callGraph{callers: make([][]pta.Site, n)}
		call := func(from, to int) { g.callers[to] = append(g.callers[to], pta.Site{Inst: pta.InstID(from)}) }
		cycle := func(from, to int) {
			for i := from; i < to; i++ {
				call(i, from+(i+1-from)%(to-from))
			}
		}
		cycle(0, minHub)
		cycle(minHub, minHub+10)
		cycle(n-minHub-20, n-20)
		for range n { // what calls has the smaller number, so that these make no cycle
			from := r.IntN(n - 1)
			call(from, from+1+r.IntN(n-1-from))
		}
		plain, hubs := &Set{w: g}, &Set{w: g}
		plain.leading.spent = -1 << 60
		hubs.leading.spent = maxSpent + 1
		for _, k := range r.Perm(n) {
			i := pta.InstID(k)
			var more idset.Set[pta.InstID]
			hubs.LeadTo(&more, []pta.InstID{0, i})
			got, want, both := hubs.LeadingTo(i), plain.LeadingTo(i), plain.LeadingTo(0).Copy()
			both.Union(want)
			for j := range pta.InstID(n) {
				if got.Has(j) != want.Has(j) || more.Has(j) != both.Has(j) {
					t.Fatalf("seed %d: that %d leads to %d is %v with hubs and %v without; to it or 0, %v and %v", seed, j, i, got.Has(j), want.Has(j), more.Has(j), both.Has(j))
				}
			}
		}
		if len(hubs.leading.to) != 2 || len(plain.leading.to) != 0 {
			t.Errorf("seed %d: %d hubs, and %d where none were looked for", seed, len(hubs.leading.to), len(plain.leading.to))
		}
	}
}

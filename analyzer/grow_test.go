package analyzer

import (
	"fmt"
	"testing"

	"github.com/iterace/iterace/internal/genprog"
)

// generated writes a program of a shape, and returns its directory.
func generated(t testing.TB, s genprog.Shape) string {
	t.Helper()
	dir := writeFiles(t, map[string]string{"go.mod": "module example.com/generated\n\ngo 1.26\n", "main.go": genprog.Program(s)})
	return dir
}

// loaded returns a run that has its code.
func loaded(t testing.TB, s genprog.Shape) *run {
	t.Helper()
	r, err := prepare(&Config{Dir: generated(t, s), Sure: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range r.out.Errors {
		t.Fatal(e)
	}
	return r
}

// A work is what a program costs, in things that do not depend on the machine.
type work struct {
	functions, instances, nodes, overlays, sets int
}

func workOf(t *testing.T, s genprog.Shape) work {
	t.Helper()
	r := loaded(t, s)
	r.solve()
	if len(r.res.Loops) != s.Loops {
		t.Fatalf("%v: %d loops", s, len(r.res.Loops))
	}
	st := r.res.Stats()
	w := work{functions: st.Functions, instances: st.Instances, nodes: st.Nodes}
	for i, loop := range r.res.Loops {
		r.res.Overlay(i)
		var spawners, instances, nodes int
		if _, err := fmt.Sscanf(r.res.Size(loop), "%d spawners, %d instances, %d nodes", &spawners, &instances, &nodes); err != nil {
			t.Fatal(err)
		}
		w.overlays += nodes
		r.res.Release(i)
	}
	r.suppress = r.newSuppressor()
	r.races()
	w.sets = len(r.out.Reports)
	return w
}

// TestGrowth: twice the loops, or twice the functions that each reaches, are at
// most twice the work; deeper calls are no more; and what no loop reaches adds to
// the base, and nothing to the loops.
func TestGrowth(t *testing.T) {
	t.Parallel()
	base := genprog.Shape{Loops: 8, Funcs: 16, Depth: 4}
	one := workOf(t, base)
	if one.sets == 0 || one.overlays == 0 {
		t.Fatalf("%+v: nothing to do", one)
	}
	atMost := func(what string, got, of, percent int) {
		t.Helper()
		if got*100 > of*percent {
			t.Errorf("%s: %d, which is more than %d %% of %d", what, got, percent, of)
		}
	}
	for _, double := range []genprog.Shape{{Loops: 16, Funcs: 16, Depth: 4}, {Loops: 8, Funcs: 32, Depth: 4}} {
		two := workOf(t, double)
		what := fmt.Sprint(double)
		atMost(what+" instances", two.instances, one.instances, 200)
		atMost(what+" nodes", two.nodes, one.nodes, 200)
		atMost(what+" overlays", two.overlays, one.overlays, 200)
	}
	deep := workOf(t, genprog.Shape{Loops: 8, Funcs: 16, Depth: 16})
	atMost("depth: nodes", deep.nodes, one.nodes, 110)
	atMost("depth: overlays", deep.overlays, one.overlays, 110)
	rest := workOf(t, genprog.Shape{Loops: 8, Funcs: 16, Depth: 4, Rest: 1000})
	if rest.overlays != one.overlays || rest.sets != one.sets {
		t.Errorf("code that no loop reaches: overlays have %d nodes instead of %d, there are %d sets instead of %d", rest.overlays, one.overlays, rest.sets, one.sets)
	}
}

var shapes = []genprog.Shape{
	{Loops: 8, Funcs: 16, Depth: 4},
	{Loops: 32, Funcs: 16, Depth: 4},
	{Loops: 8, Funcs: 64, Depth: 4},
	{Loops: 8, Funcs: 64, Depth: 16},
	{Loops: 8, Funcs: 16, Depth: 4, Rest: 1000},
	{Loops: 8, Funcs: 16, Depth: 4, Rest: 2000},
	{Loops: 8, Funcs: 16, Depth: 4, Rest: 4000},
}

// BenchmarkGrowth lowers and solves generated programs, and looks at each loop:
// overlay, pairs, stages. It reports what a function costs that loops reach.
func BenchmarkGrowth(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.String(), func(b *testing.B) {
			r := loaded(b, s)
			b.ReportAllocs()
			for b.Loop() {
				again := *r
				again.out = &Result{}
				again.suppress = again.newSuppressor()
				again.solve()
				again.races()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*s.Reached()), "ns/func")
		})
	}
}

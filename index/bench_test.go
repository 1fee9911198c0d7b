package index

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// queriesOf returns the queries that judge makes for a function.
func queriesOf(b *testing.B, p *program, name string) []*Query {
	w := &walker{p: p, spawn: -1, written: make(map[string]bool), funcs: make(map[ssa.Value]*ssa.Function), allocs: make(map[ssa.Value]ssa.Value)}
	w.walk(p.pkg.Func(name), nil)
	var qs []*Query
	for i, x := range w.accesses {
		for _, y := range w.accesses[i:] {
			if (x.Write || y.Write) && x.spawn == y.spawn {
				qs = append(qs, &Query{A: x.Access, B: y.Access, Spawn: x.spawn, Loop: -1, Oracle: &testOracle{w: w}})
			}
		}
	}
	if len(qs) == 0 {
		b.Fatalf("%s has no pair of accesses", name)
	}
	return qs
}

// BenchmarkOverlap measures one query, evaluation and proof, nothing cached:
// easy forms, the hardest ones, and pairs that are not proved.
func BenchmarkOverlap(b *testing.B) {
	for _, name := range []string{
		"safeWaitGroupGo", "safeClampMin", "safeRowMajor", "safeSpreadHelper", "safeProportional", "safeFloatRows",
		"safeButterfly", "safeBlocks", "racyBlocks", "racyHaloRows", "racyHistogram", "racyFloatRows",
	} {
		for _, ft := range formTests {
			if !strings.Contains(ft.body, "func "+name+"(") {
				continue
			}
			qs := queriesOf(b, loadProgram(b, formsHead+ft.body), name)
			for _, brief := range []bool{true, false} {
				if strings.HasPrefix(name, "safe") && !brief {
					continue
				}
				b.Run(fmt.Sprintf("%s/brief=%v", name, brief), func(b *testing.B) {
					for i := range b.N {
						q := *qs[i%len(qs)]
						q.Brief = brief
						NewProver(nil).Overlap(&q)
					}
				})
			}
		}
	}
}

// BenchmarkCached measures a query whose problems have been seen before.
func BenchmarkCached(b *testing.B) {
	p := loadProgram(b, formsHead+formTests[0].body)
	q, pr := queriesOf(b, p, "safeClampMin")[0], NewProver(nil)
	for range b.N {
		pr.Overlap(q)
	}
}

// BenchmarkBuild measures lowering and packing of a function.
func BenchmarkBuild(b *testing.B) {
	p := loadProgram(b, formsHead+formTests[0].body)
	f := p.ir(p.pkg.Func("safeSpreadHelper"))
	b.ReportMetric(float64(f.Start[len(f.Start)-1]), "instrs")
	for range b.N {
		Build(f, nil)
	}
}

// BenchmarkProver measures random systems of the fuzz test.
func BenchmarkProver(b *testing.B) {
	var systems []*system
	r := rand.New(rand.NewSource(1))
	for range 100 {
		systems = append(systems, randomSystem(r))
	}
	for i := range b.N {
		pr := &prover{nodes: 300, pivots: 20000}
		pr.refute(&systems[i%len(systems)].prob)
	}
}

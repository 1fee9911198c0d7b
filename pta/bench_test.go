package pta

import (
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// benchProgram returns the programs under testdata, not lowered yet, and their
// functions in order.
func benchProgram(b *testing.B) (fresh func() *Program, roots []*ssa.Function) {
	prog, err := testPrograms()
	if err != nil {
		b.Fatal(err)
	}
	lib, err := library.Load(library.Options{})
	if err != nil {
		b.Fatal(err)
	}
	own := func(path string) bool { return strings.Contains(path, "/testdata/") }
	for _, pkg := range prog.AllPackages() {
		if !own(pkg.Pkg.Path()) {
			continue
		}
		for _, m := range pkg.Members {
			if fn, ok := m.(*ssa.Function); ok && fn.TypeParams().Len() == 0 {
				roots = append(roots, fn)
			}
		}
	}
	slices.SortFunc(roots, func(x, y *ssa.Function) int { return strings.Compare(x.String(), y.String()) })
	return func() *Program {
		return NewProgram(prog, Options{Library: lib, Application: own, Closed: true})
	}, roots
}

// BenchmarkLower makes the templates of all functions of the test programs that
// are roots, and reports what one of them costs.
func BenchmarkLower(b *testing.B) {
	fresh, roots := benchProgram(b)
	b.ReportAllocs()
	for b.Loop() {
		p := fresh()
		for _, fn := range roots {
			p.Func(p.FuncID(fn))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(roots)), "ns/func")
}

// BenchmarkBase lowers and solves all test programs as one.
func BenchmarkBase(b *testing.B) {
	fresh, roots := benchProgram(b)
	b.ReportAllocs()
	for b.Loop() {
		Base(fresh(), &Config{Roots: roots, Sure: true})
	}
}

// BenchmarkOverlays solves every loop of the test programs on a base that is
// there, and pairs the accesses of each.
func BenchmarkOverlays(b *testing.B) {
	fresh, roots := benchProgram(b)
	res := Base(fresh(), &Config{Roots: roots, Sure: true})
	b.ReportAllocs()
	for b.Loop() {
		for i, loop := range res.Loops {
			res.Overlay(i)
			res.Races(loop, false)
			res.Release(i)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(res.Loops)), "ns/loop")
}

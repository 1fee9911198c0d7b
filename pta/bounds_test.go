package pta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iterace/iterace/internal/bitset"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ssa"
)

// solveRoot analyses function Root of a program of the application's own.
func solveRoot(t *testing.T, src string) *Result {
	t.Helper()
	pkg := build(t, src)
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	return Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
}

// TestHugeTypes has two goroutines write different fields of one variable. Of a
// type with more leaves than are told apart they race (S15).
func TestHugeTypes(t *testing.T) {
	for _, test := range []struct{ fields, races int }{{maxLeaves, 0}, {maxLeaves + 1, 1}} {
		var src strings.Builder
		src.WriteString("package p\ntype T struct {\n")
		for i := range test.fields {
			fmt.Fprintf(&src, "f%d int\n", i)
		}
		src.WriteString("}\nvar v T\nfunc Root() { go one(); v.f1 = 1 }\nfunc one() { v.f0 = 1 }\n")
		res := solveRoot(t, src.String())
		res.Overlay(0)
		if n := len(res.Races(res.Loops[0], false).Races); n != test.races {
			t.Errorf("%d fields: %d races, want %d", test.fields, n, test.races)
		}
	}
}

// TestManySpawns has one go statement more than are told apart: a notice says
// so, and all of them still start something (S21).
func TestManySpawns(t *testing.T) {
	for _, test := range []struct{ spawns, notices int }{{maxSplits, 0}, {maxSplits + 1, 1}} {
		var src strings.Builder
		src.WriteString("package p\nvar x int\nfunc last() { x++ }\nfunc Root() {\n")
		for i := range test.spawns {
			if i == test.spawns-1 {
				src.WriteString("go last()\n")
			} else {
				src.WriteString("go func() {}()\n")
			}
		}
		src.WriteString("}\n")
		res := solveRoot(t, src.String())
		n := 0
		for _, x := range res.Notices {
			if x.Code == "S21" {
				n++
			}
		}
		if n != test.notices {
			t.Errorf("%d spawns: %d notices of S21, want %d", test.spawns, n, test.notices)
		}
		if id, ok := res.Prog.ids[res.Prog.fns[0].Pkg.Func("last")]; !ok || !res.base.s.runs(id) {
			t.Errorf("%d spawns: the last one starts nothing", test.spawns)
		}
	}
}

// TestDeepReads follows a list of more objects than a deep access looks at (S18).
func TestDeepReads(t *testing.T) {
	for _, test := range []struct{ nodes, want int }{{maxDeep, maxDeep}, {maxDeep + 1, maxDeep}} {
		var src strings.Builder
		src.WriteString("package p\ntype T struct { next *T }\nvar list *T\nfunc Root() {\nvar t *T\n")
		for range test.nodes {
			src.WriteString("t = &T{t}\n")
		}
		src.WriteString("list = t\n}\n")
		res := solveRoot(t, src.String())
		s := res.base.s
		set := new(bitset.Set)
		for i := range s.objects {
			if o := &s.objects[i]; o.kind == objGlobal {
				set.Union(s.pts(o.loc), nil)
			}
		}
		seen := make(map[int32]bool)
		s.deepLocations(set, 0, 0, func(loc int32) { seen[s.ownerOf(loc)] = true })
		if len(seen) != test.want {
			t.Errorf("%d objects: %d are looked at, want %d", test.nodes, len(seen), test.want)
		}
	}
}

// TestManyPairs has a body in which twelve functions write each field of some
// variables. Where that makes more pairs than a loop may have, fewer are formed and a
// notice says so, but every write is still part of one (S23).
func TestManyPairs(t *testing.T) {
	const writers, inOne = 12, 500
	perField := writers * (writers + 1) / 2
	for _, fields := range []int{maxLoopPairs / perField, maxLoopPairs/perField + 1} {
		var src strings.Builder
		src.WriteString("package p\ntype T struct {\n")
		for i := range inOne {
			fmt.Fprintf(&src, "f%d int\n", i)
		}
		src.WriteString("}\n")
		for i := 0; i < fields; i += inOne {
			fmt.Fprintf(&src, "var v%d T\n", i/inOne)
		}
		src.WriteString("func Root() { for range 3 { go body() } }\nfunc body() {\n")
		for k := range writers {
			fmt.Fprintf(&src, "w%d()\n", k)
		}
		src.WriteString("}\n")
		for k := range writers {
			fmt.Fprintf(&src, "func w%d() {\n", k)
			for i := range fields {
				fmt.Fprintf(&src, "v%d.f%d = %d\n", i/inOne, i%inOne, k)
			}
			src.WriteString("}\n")
		}
		res := solveRoot(t, src.String())
		res.Overlay(0)
		races := res.Races(res.Loops[0], false).Races
		touched := make(map[model.Pos]bool)
		for _, r := range races {
			touched[r.A.Pos], touched[r.B.Pos] = true, true
		}
		if len(touched) != fields*writers {
			t.Errorf("%d fields: %d writes are part of a pair, want %d", fields, len(touched), fields*writers)
		}
		notices := 0
		for _, n := range res.Notices {
			if n.Code == model.SoundnessNumber("pairs-bounded") {
				notices++
			}
		}
		all := fields * perField
		if all <= maxLoopPairs && (len(races) != all || notices > 0) || all > maxLoopPairs && (len(races) >= all*3/4 || notices != 1) {
			t.Errorf("%d fields: %d of %d pairs, %d notices", fields, len(races), all, notices)
		}
	}
}

// TestOutside has types of which each has pointers to all others, and a root that
// follows them along all ways: the objects of its parameter are told apart by way down
// to a depth, and not through all of the 13 thousand ways (S3).
func TestOutside(t *testing.T) {
	const types = 8
	var src strings.Builder
	src.WriteString("package p\n")
	for i := range types {
		fmt.Fprintf(&src, "type T%d struct {\nn int\n", i)
		for j := range types {
			fmt.Fprintf(&src, "f%d *T%d\n", j, j)
		}
		fmt.Fprintf(&src, "}\nfunc (x *T%d) walk() {\nif x == nil { return }\nx.n++\n", i)
		for j := range types {
			fmt.Fprintf(&src, "x.f%d.walk()\n", j)
		}
		src.WriteString("}\n")
	}
	src.WriteString("func Root(x *T0) { go func() { x.n = 1 }(); x.walk() }\n")
	res := solveRoot(t, src.String())
	if n := res.Stats().Objects; n > 1500 {
		t.Errorf("%d objects", n)
	}
	res.Overlay(0)
	if n := len(res.Races(res.Loops[0], false).Races); n == 0 {
		t.Error("no race on the parameter itself")
	}
}

package order_test

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/iterace/iterace/filters/internal/smallworld"
	"github.com/iterace/iterace/filters/locks"
	"github.com/iterace/iterace/filters/order"
	"github.com/iterace/iterace/model"
)

func TestZZ(t *testing.T) {
	a, _ := os.ReadFile("/work/shared/bench/idioms/i_test.go")
	b, _ := os.ReadFile("/work/shared/bench/idioms/eg.go")
	src := strings.Replace(string(a), "package idioms", "package p", 1)
	pkg, err := smallworld.Source(src, strings.Replace(string(b), "package idioms", "package p", 1))
	if err != nil {
		t.Fatal(err)
	}
	good, bad := 0, 0
	fns := smallworld.Functions(pkg, "Test")
	sort.Slice(fns, func(i, j int) bool { return fns[i].Name() < fns[j].Name() })
	only := os.Getenv("ONLY")
	for _, fn := range fns {
		if only != "" && fn.Name() != only {
			continue
		}
		p := smallworld.Build(pkg.Prog, fns[:0], smallworld.Library{})
		_ = p
		p = smallworld.BuildRoot(pkg.Prog, fn, smallworld.Library{})
		n := 0
		var lines []string
		for _, v := range p.Views() {
			rs := v.Races()
			rs = rs.Filter(func(r *model.Race) bool {
				return !(strings.Contains(r.Field, "[") && r.B.Thread == model.Beta)
			})
			rs = locks.Filter(v, rs)
			rs = order.Filter(v, rs)
			for _, r := range rs.Races {
				if r.Confidence == model.Assumed {
					continue
				}
				n++
				lines = append(lines, fmt.Sprintf("   %s%s %s %d(%v) / %s %d(%v): %v", r.Object.Name, r.Field, r.A.Func, r.A.Pos.Line, r.A.Kind, r.B.Thread, r.B.Pos.Line, r.B.Kind, r.Why))
			}
		}
		want := strings.HasPrefix(fn.Name(), "TestRace")
		if want == (n > 0) {
			good++
		} else {
			bad++
			fmt.Println("WRONG", fn.Name(), n)
			for i, l := range lines {
				if i < 6 {
					fmt.Println(l)
				}
			}
		}
		if only != "" {
			for _, l := range lines {
				fmt.Println(l)
			}
		}
	}
	fmt.Println("good", good, "bad", bad)
}

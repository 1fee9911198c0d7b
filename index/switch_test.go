package index

import (
	"fmt"
	"strings"
	"testing"
)

// switchOf is a function of so many cases, each of which reads and writes a variable's fields
// and is left for what all share, as what parser generators make of a table: in a safe one each
// iteration has an element of its own.
func switchOf(name, mine string, cases int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func %s(out []int, n int) {\n\tvar wg sync.WaitGroup\n\tfor i := 0; i < n; i++ {\n\t\twg.Go(func() {\n", name)
	fmt.Fprintf(&b, "\t\t\tvar p struct{ own, twice, a, b, c int }\n\t\t\tp.own = %s\n\t\t\tp.twice = 2 * p.own\n\t\t\tfor k := range n {\n\t\t\t\tswitch k {\n", mine)
	for k := range cases {
		fmt.Fprintf(&b, "\t\t\t\tcase %d:\n\t\t\t\t\tp.%c = p.%c + p.own\n\t\t\t\t\tout[p.twice-p.own] = p.%[3]c\n", k, "abc"[k%3], "abc"[(k+1)%3])
	}
	b.WriteString("\t\t\t\t}\n\t\t\t}\n\t\t})\n\t}\n\twg.Wait()\n}\n")
	return b.String()
}

// TestSwitch: what a variable holds is found up a chain of cases, too.
func TestSwitch(t *testing.T) {
	const cases = 3 * chainStep
	p := loadProgram(t, formsHead+switchOf("own", "i", cases)+switchOf("shared", "i/2", cases))
	if got, want := p.judge(t, "own").disjoint, cases*(cases+1)/2; got != want {
		t.Errorf("%d pairs of elements of iterations' own are proved, not %d", got, want)
	}
	if got := p.judge(t, "shared").disjoint; got > 0 {
		t.Errorf("%d pairs of elements that iterations share are said to be disjoint", got)
	}
}

// BenchmarkSwitch builds functions of more and more cases: its time grows as they do.
func BenchmarkSwitch(b *testing.B) {
	for _, cases := range []int{250, 1000, 4000} {
		p := loadProgram(b, formsHead+switchOf("own", "i", cases))
		f := p.ir(p.pkg.Func("own").AnonFuncs[0])
		b.Run(fmt.Sprint(cases), func(b *testing.B) {
			for range b.N {
				Build(f, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*cases), "µs/case")
		})
	}
}

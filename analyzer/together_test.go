package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// togetherModule writes a module with as many pairs of tests as given, of which each pair writes a variable
// of its own.
func togetherModule(t *testing.T, pairs int) string {
	var src strings.Builder
	src.WriteString("package m\n\nimport \"testing\"\n\n")
	for i := range pairs {
		fmt.Fprintf(&src, "var v%d int\n", i)
		for _, name := range []string{"A", "B"} {
			fmt.Fprintf(&src, "func Test%s%d(t *testing.T) { t.Parallel(); v%d++ }\n", name, i, i)
		}
	}
	return writeFiles(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": "package m\n", "m_test.go": src.String()})
}

// TestTogetherBounded: of many tests of a package some stand for the rest, and a notice says so.
func TestTogetherBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pairs, sets int
		notice      bool
	}{
		{1, 1, false},
		{maxTogether / 2, maxTogether / 2, false},
		{maxTogether, maxTogether / 2, true},
	} {
		res, err := Run(&Config{Dir: togetherModule(t, tt.pairs), Tests: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Reports) != tt.sets {
			t.Errorf("%d pairs: got %d sets, want %d", tt.pairs, len(res.Reports), tt.sets)
		}
		bounded := slices.ContainsFunc(res.Notices, func(n model.Notice) bool { return strings.Contains(n.Message, "call t.Parallel") })
		if bounded != tt.notice {
			t.Errorf("%d pairs: notices are %v", tt.pairs, res.Notices)
		}
	}
}

// filling is code of a function that calls as many others, so that who calls it is not looked at by itself.
func filling(n int) string {
	var src strings.Builder
	src.WriteString("\nfunc fill() {\n")
	for i := range n {
		fmt.Fprintf(&src, "\tf%d()\n", i)
	}
	src.WriteString("}\n\n")
	for i := range n {
		fmt.Fprintf(&src, "func f%d() {}\n", i)
	}
	return src.String()
}

// TestOtherBinary: what the tests of one directory leave in a package variable is not there for those of another one,
// though they are one program where one of them is too large to be looked at by itself.
func TestOtherBinary(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"go.mod":    "module m\n\ngo 1.26\n",
		"wait/w.go": "package wait\n\nvar After = func() {}\n\nfunc Wait() { After() }\n",
		"wait/w_test.go": `package wait

import "testing"

func TestWait(*testing.T) {
	calls := 0
	After = func() { calls++ }
	Wait()
}

func TestAtOnce(*testing.T) {
	own := 0
	After = func() { own++ }
	for range 2 {
		go Wait()
	}
}
`,
		"use/u_test.go": `package use

import (
	"testing"

	"m/wait"
)

func TestUse(*testing.T) {
	fill()
	for range 2 {
		go wait.Wait()
	}
}
` + filling(4100),
	})
	res, err := Run(&Config{Dir: dir, Patterns: []string{"./..."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	own := false
	for _, rep := range res.Reports {
		own = own || strings.HasSuffix(rep.Loop.Pos.File, "w_test.go")
		if strings.HasSuffix(rep.Loop.Pos.File, "u_test.go") {
			t.Errorf("reported at %s", rep.Loop.Pos)
		}
	}
	if !own {
		t.Error("the race of one test is not reported")
	}
}

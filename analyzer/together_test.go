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

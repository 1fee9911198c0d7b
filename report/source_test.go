package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

func TestExcerpt(t *testing.T) {
	lines := []struct{ source, want string }{
		{"\tx  =  1\t// the answer", "x = 1"},
		{`	s := "no // comment" // comment`, `s := "no // comment"`},
		{"// only a comment", ""},
		{"\tf(" + strings.Repeat("a, ", 40) + "b)", "f(a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, …"},
		{"\tbell := \"\a\"", ""},  // nothing that a terminal would act on
		{"\tbad := \"\xff\"", ""}, // not UTF-8
		{"\t/* in */ y++", "/* in */ y++"},
	}
	dir := t.TempDir()
	var text []string
	for _, l := range lines {
		text = append(text, l.source)
	}
	if err := os.WriteFile(filepath.Join(dir, "f.go"), []byte(strings.Join(text, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	src := newSources(&Document{Root: dir})
	for i, l := range lines {
		if got := src.excerpt(model.Pos{File: "f.go", Line: i + 1, Col: 1}); got != l.want {
			t.Errorf("line %d: %q, want %q", i+1, got, l.want)
		}
	}
	for _, p := range []model.Pos{{}, {File: "f.go", Line: 99}, {File: "nosuch.go", Line: 1}} {
		if got := src.excerpt(p); got != "" {
			t.Errorf("%v: %q, want nothing", p, got)
		}
	}
}

// TestUTF16Column: SARIF columns count UTF-16 code units, ours bytes.
func TestUTF16Column(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.go"), []byte("π := \"😀\"; x++\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	src := newSources(&Document{Root: dir})
	for _, tt := range []struct{ bytes, want int }{{1, 1}, {3, 2}, {8, 7}, {12, 9}, {15, 12}, {99, 99}} {
		if got := src.utf16Column(model.Pos{File: "f.go", Line: 1, Col: tt.bytes}); got != tt.want {
			t.Errorf("column %d: %d, want %d", tt.bytes, got, tt.want)
		}
	}
}

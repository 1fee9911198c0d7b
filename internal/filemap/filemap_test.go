// Package filemap has the large packages say which of their files answers which question.
package filemap

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFiles compares the files of a package with those that the section "Files" of its
// documentation names.
func TestFiles(t *testing.T) {
	for _, dir := range []string{"pta", "filters/order", "filters/locks", "index"} {
		listed := make(map[string]bool)
		present := make(map[string]bool)
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatal(dir, err)
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".go")
			if strings.HasSuffix(name, "_test") {
				continue
			}
			if name != "doc" {
				present[name] = true
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range named(f.Doc.Text()) {
				listed[n] = true
			}
		}
		for _, n := range only(present, listed) {
			t.Errorf("%s: the documentation of the package does not say what %s.go is for", dir, n)
		}
		for _, n := range only(listed, present) {
			t.Errorf("%s: the documentation of the package names %s.go, which is not there", dir, n)
		}
	}
}

// named lists the files that the items of a documentation's section "Files" begin with.
func named(doc string) (out []string) {
	_, section, _ := strings.Cut(doc, "# Files\n")
	for line := range strings.Lines(section) {
		item, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if names, _, found := strings.Cut(item, ":"); ok && found {
			out = append(out, strings.Split(names, ", ")...)
		}
	}
	return out
}

// only lists what is in one set and not in another.
func only(in, not map[string]bool) (out []string) {
	for n := range in {
		if !not[n] {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

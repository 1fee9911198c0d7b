package library

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The page doc/model.md names every key and operation that there is, and no
// other; and its examples are model files without errors.
func TestModelPage(t *testing.T) {
	text, err := os.ReadFile("../../doc/model.md")
	if err != nil {
		t.Fatal(err)
	}
	_, entries, _ := strings.Cut(string(text), "## Entries")
	entries, rest, ok := strings.Cut(entries, "## Application")
	if !ok {
		t.Fatal("the page has no sections Entries and Application")
	}
	word := regexp.MustCompile("`([a-z][A-Za-z.]*)`")
	named := make(map[string]bool)
	for line := range strings.Lines(entries) {
		if cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && strings.HasPrefix(line, "| ") {
			for _, m := range word.FindAllStringSubmatch(cell, -1) {
				named[m[1]] = true
			}
		}
	}
	known := keysInSource(t)
	for op := range ops {
		known[string(op)] = true
	}
	// These are explained in the text, or in the rows of the operations that
	// they go with.
	for _, key := range []string{"package", "func", "type", "path", "name", "doc", "op", "body", "join", "unique", "workers", "ignore", "application", "library", "object", "field", "reason"} {
		if !known[key] {
			t.Errorf("the test believes in a key %q", key)
		}
		if !regexp.MustCompile(`\b` + key + `\b`).Match(text) {
			t.Errorf("the page does not mention %q", key)
		}
		if key != string(OpJoin) {
			delete(known, key)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(known)) {
		if !named[k] {
			t.Errorf("the page does not explain %q", k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(named)) {
		if !known[k] {
			t.Errorf("the page explains %q, which is no key and no operation", k)
		}
	}

	blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(entries+rest, -1)
	if len(blocks) < 3 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, b := range blocks {
		if _, err := load(t, b[1]); err != nil {
			t.Errorf("%v in the example\n%s", err, b[1])
		}
	}
}

// keysInSource returns the keys that the decoder knows: the cases of its
// switches over keys.
func keysInSource(t *testing.T) map[string]bool {
	keys := make(map[string]bool)
	for _, name := range []string{"decode.go", "node.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok {
				return true
			}
			if tag, ok := s.Tag.(*ast.Ident); !ok || tag.Name != "key" {
				return true
			}
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if lit, ok := e.(*ast.BasicLit); ok {
						k, _ := strconv.Unquote(lit.Value)
						keys[k] = true
					}
				}
			}
			return true
		})
	}
	if len(keys) < 30 {
		t.Fatalf("only %d keys found", len(keys))
	}
	return keys
}

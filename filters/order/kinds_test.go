package order_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestWalkKinds has no kind of kept walks named in two places: one would be answered by a walk of the other.
func TestWalkKinds(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	kind := regexp.MustCompile(`walkKey\{kind: ('.')`)
	seen := make(map[string]string)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range kind.FindAllSubmatch(src, -1) {
			if k := string(m[1]); seen[k] != "" {
				t.Errorf("kind %s is of %s and %s", k, seen[k], file)
			} else {
				seen[k] = file
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d kinds, want those of the whole package", len(seen))
	}
}

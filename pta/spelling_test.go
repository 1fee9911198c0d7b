package pta

import "testing"

// TestSpelling writes identical types in one way: IDs have their names.
func TestSpelling(t *testing.T) {
	for name, want := range map[string]string{
		"[]uint8":              "[]byte",
		"[]byte":               "[]byte",
		"map[rune]interface{}": "map[int32]any",
		"pkg.uint8s":           "pkg.uint8s",
	} {
		if got := oneSpelling(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

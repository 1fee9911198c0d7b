package scc

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFinder(t *testing.T) {
	leads := map[string]string{"a": "b", "b": "cd", "c": "b", "d": "de", "e": "", "f": "ag", "g": ""}
	var got []string
	f := &Finder[string]{
		Next: func(n string, visit func(string)) {
			for _, m := range strings.Split(leads[n], "") {
				visit(m)
			}
		},
		Found: func(component []string, cyclic bool) {
			names := slices.Sorted(slices.Values(component))
			got = append(got, fmt.Sprint(strings.Join(names, ""), cyclic))
		},
	}
	for _, n := range []string{"c", "a", "f", "c"} {
		f.Visit(n)
	}
	// What a component leads to comes first, and nothing twice.
	if want := "efalse dtrue bctrue afalse gfalse ffalse"; strings.Join(got, " ") != want {
		t.Errorf("found %q, want %q", strings.Join(got, " "), want)
	}
}

package model

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page doc/soundness.md and the table list the same assumptions.
func TestSoundnessPage(t *testing.T) {
	page, err := os.ReadFile("../doc/soundness.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (S\d+) \| ([a-z-]+) \|`).FindAllStringSubmatch(string(page), -1)
	onPage := make(map[string]string)
	for _, r := range rows {
		if onPage[r[1]] != "" {
			t.Errorf("%s stands twice on the page", r[1])
		}
		onPage[r[1]] = r[2]
	}
	for _, a := range Soundness {
		if onPage[a.Number] != a.Name {
			t.Errorf("%s is %q in the table and %q on the page", a.Number, a.Name, onPage[a.Number])
		}
		delete(onPage, a.Number)
	}
	for n, name := range onPage {
		t.Errorf("%s (%s) is on the page only", n, name)
	}
}

// Code cites assumptions by names that exist.
func TestSoundnessCited(t *testing.T) {
	cite := regexp.MustCompile(`\(soundness:\s*(?://\s*)?([a-z, \n/-]+)\)`)
	for _, dir := range []string{"../pta", "../pta/flow", "../index", "../filters/order", "../filters/locks", "../filters/disjoint", "../bubbleup", "../model/library", "../analyzer"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			src, err := os.ReadFile(dir + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range cite.FindAllStringSubmatch(string(src), -1) {
				for _, name := range strings.Split(strings.ReplaceAll(m[1], "//", " "), ",") {
					name = strings.Join(strings.Fields(name), "")
					if SoundnessNumber(name) == name {
						t.Errorf("%s/%s cites %q, which is not in the table", dir, e.Name(), name)
					}
				}
			}
		}
	}
}

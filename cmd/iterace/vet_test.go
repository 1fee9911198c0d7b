package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// TestVetAgrees runs the command and go vet on all test programs: what go vet
// says of each package, with facts for what it imports, is what the command
// says of the whole program.
func TestVetAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses the standard library")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob(filepath.Join(root, "testdata", "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, f := range dirs {
		patterns = append(patterns, "./testdata/"+filepath.Base(filepath.Dir(f)))
	}
	patterns = slices.Compact(patterns)
	tool := vetTool(t)
	run := func(name string, args ...string) []byte {
		cmd := exec.Command(name, append(args, patterns...)...)
		cmd.Dir = root
		cmd.Stderr = os.Stderr
		out, _ := cmd.Output() // the exit code says that there are races
		return out
	}
	var whole struct{ Races []struct{ ID string } }
	if err := json.Unmarshal(run(tool, "-json", "-test"), &whole); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range whole.Races {
		want = append(want, r.ID)
	}
	id := regexp.MustCompile(`id ([0-9a-f-]+)\)$`)
	dec := json.NewDecoder(strings.NewReader(string(run("go", "vet", "-vettool="+tool, "-json"))))
	for dec.More() {
		var tree map[string]map[string][]struct{ Message string }
		if err := dec.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		for _, unit := range tree {
			for _, d := range unit["iterace"] {
				if m := id.FindStringSubmatch(d.Message); m != nil {
					got = append(got, m[1])
				}
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) == 0 {
		t.Error("no races")
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the whole program (-) and go vet (+) differ\n%s", d)
	}
}

// vetTool returns the name of a file that is the command.
func vetTool(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(t.TempDir(), "iterace") // testscript looks at the name
	if err := os.Symlink(exe, tool); err != nil {
		t.Fatal(err)
	}
	return tool
}

func TestUnimported(t *testing.T) {
	dir := t.TempDir()
	for name, pkg := range map[string]string{"a.go": "p", "a_test.go": "p", "b_test.go": "p_test", "main.go": "main"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("package "+pkg+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	empty := t.TempDir()
	for _, test := range []struct {
		files []string
		dir   string
		want  bool
	}{
		{[]string{"a.go"}, dir, false},
		{[]string{"a.go"}, empty, false},
		{[]string{"a.go", "a_test.go"}, dir, false}, // b_test.go imports it
		{[]string{"a.go", "a_test.go", "b_test.go"}, dir, true},
		{[]string{"main.go"}, dir, false}, // its tests import it
		{[]string{"main.go"}, empty, true},
		{[]string{"a.go", "a_test.go"}, filepath.Join(dir, "none"), false},
		{nil, empty, false},
	} {
		unit := unitchecker.Config{Dir: test.dir}
		for _, name := range test.files {
			unit.GoFiles = append(unit.GoFiles, filepath.Join(dir, name))
		}
		if got := unimported(&unit); got != test.want {
			t.Errorf("%v in %s: %v, want %v", test.files, test.dir, got, test.want)
		}
	}
}

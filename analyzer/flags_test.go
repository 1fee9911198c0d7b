package analyzer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// TestDriverFlags runs the analyzers under a driver that does not say what
// modules there are, as nogo: a flag does. Another says where to keep templates.
func TestDriverFlags(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	dir := writeFiles(t, map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"a.go":       "package a\n\nimport \"example.com/m/b\"\n\nfunc A() {\n\tfor range 3 {\n\t\tgo b.Inc()\n\t}\n}\n",
		"b/b.go":     "package b\n\nvar n int\n\nfunc Inc() { n++ }\n",
		"b/b_own.go": "package b\n",
	})
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	messages := func(flags ...string) string {
		t.Helper()
		_, main := New(Driver{})
		for i := 0; i < len(flags); i += 2 {
			if err := main.Flags.Set(flags[i], flags[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		g, err := checker.Analyze([]*analysis.Analyzer{main}, pkgs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, act := range g.Roots {
			if act.Err != nil {
				t.Fatal(act.Err)
			}
			for _, d := range act.Diagnostics {
				all = append(all, d.Message)
			}
		}
		return strings.Join(all, "\n")
	}
	// To a library, the call is what races; of the application, what it does.
	if got := messages(); !strings.Contains(got, "(likely; ") || strings.Contains(got, "b.go") {
		t.Errorf("without modules: %s", got)
	}
	if got := messages("module", "example.com/other", "module", "example.com/m"); !strings.Contains(got, "it is written at b/b.go:5:14 (definite; ") {
		t.Errorf("with its module: %s", got)
	}
	if _, err := os.Stat(cache); err == nil {
		t.Error("there is a cache already")
	}
	messages("cache", cache)
	if files, _ := filepath.Glob(filepath.Join(cache, "*", "*")); len(files) != 2 {
		t.Errorf("the cache has %v", files)
	}
}

// TestNogoExample: the flags in the example for Bazel are flags, and the package
// has what nogo looks for, a variable Analyzer.
func TestNogoExample(t *testing.T) {
	text, err := os.ReadFile("../doc/example/bazel/nogo.json")
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]struct {
		Flags map[string]string `json:"analyzer_flags"`
		Files map[string]string `json:"exclude_files"`
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&config); err != nil {
		t.Fatal(err)
	}
	flags := config[Analyzer.Name].Flags
	if len(flags) == 0 {
		t.Errorf("nothing is for %s", Analyzer.Name)
	}
	_, main := New(Driver{})
	for name, value := range flags {
		if err := main.Flags.Set(name, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

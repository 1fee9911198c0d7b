package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/doc/schema"
)

// TestManualFlags: the manual describes every flag, and no other.
func TestManualFlags(t *testing.T) {
	text := manual()
	if !strings.HasPrefix(text, "Iterace reports") {
		t.Fatalf("manual starts with %q", text[:20])
	}
	described := make(map[string]bool)
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "\t-"); ok {
			described[strings.Fields(name)[0]] = true
		}
	}
	defined := map[string]bool{"h": true}
	newFlagSet(new(options)).VisitAll(func(f *flag.Flag) { defined[f.Name] = true })
	_, vet := analyzer.New(analyzer.Driver{FixedModels: true})
	vet.Flags.VisitAll(func(f *flag.Flag) { defined["iterace."+f.Name] = true })
	for name := range defined {
		if !described[name] {
			t.Errorf("the manual does not describe -%s", name)
		}
	}
	for name := range described {
		if !defined[name] {
			t.Errorf("the manual describes -%s, which is no flag", name)
		}
	}
}

// TestManualSchema: the manual shows every key of the JSON schema.
func TestManualSchema(t *testing.T) {
	_, text, ok := strings.Cut(manual(), "# JSON\n")
	if !ok {
		t.Fatal("the manual has no section on JSON")
	}
	var walk func(v any)
	walk = func(v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		props, _ := m["properties"].(map[string]any)
		for key, p := range props {
			if !strings.Contains(text, `"`+key+`"`) {
				t.Errorf("the manual does not show %q", key)
			}
			walk(p)
		}
		defs, _ := m["$defs"].(map[string]any)
		for _, d := range defs {
			walk(d)
		}
	}
	var s any
	if err := json.Unmarshal(schema.Report, &s); err != nil {
		t.Fatal(err)
	}
	walk(s)
}

// TestUsage: what cannot be meant is said, on one line, before anything runs.
func TestUsage(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"-nosuch", "flag provided but not defined: -nosuch"},
		{"-json -sarif", "-json and -sarif exclude each other"},
		{"-debug=nosuch", `unknown debug aid "nosuch"; known are naive`},
		{"-why 1 -json", "-why is for people"},
		{"-disable= ./...", "empty name"},
		{"./... -json", "flag -json after packages"},
		{"-C /no/such/dir", "no such file or directory"},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(strings.Fields(tt.args), &stdout, &stderr); got != exitError {
			t.Errorf("%s: exit code %d", tt.args, got)
		}
		if !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%s: standard error is %q, want %q", tt.args, &stderr, tt.want)
		}
		if stdout.Len() > 0 {
			t.Errorf("%s: standard output is %q", tt.args, &stdout)
		}
	}
}

func TestFileNames(t *testing.T) {
	root := filepath.FromSlash("/home/u/m")
	for _, tt := range []struct{ cwd, name, want string }{
		{"/home/u/m", "a/b.go", "a/b.go"},
		{"/home/u/m/a", "a/b.go", "b.go"},
		{"/home/u", "a/b.go", "m/a/b.go"},
		{"/home/u/m/a", "c.go", "../c.go"},
		{"/home/u/m", "/go/src/fmt/print.go", "/go/src/fmt/print.go"},
	} {
		got := fileNames(root, filepath.FromSlash(tt.cwd))(tt.name)
		if got != filepath.FromSlash(tt.want) {
			t.Errorf("%s seen from %s is %s, want %s", tt.name, tt.cwd, got, tt.want)
		}
	}
}

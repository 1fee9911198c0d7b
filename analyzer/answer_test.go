package analyzer

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ask returns what is printed of a program, and whether it is an answer that was kept.
func (m *multi) ask(cfg *Config) (out string, kept bool) {
	m.t.Helper()
	res, err := Run(cfg)
	if err != nil {
		m.t.Fatal(err)
	}
	return printed(m.t, res), res.Stages == nil
}

// TestAnswers: what was found is found again at once, to the last byte, unless something
// has changed that it may rest on.
func TestAnswers(t *testing.T) {
	m := newMulti(t)
	s := newStock(filepath.Join(t.TempDir(), "cache"))
	m.edit("app/main.go", "go c.Inc()", "go c.Inc() //iterace:ignore an estimate is enough")
	m.edit("app/main.go", "func wrappers", "//iterace:ignore nothing to see\nfunc wrappers")
	model := filepath.Join(m.dir, "safe.toml")
	const hook = "[[package]]\npath = \"example.com/dep\"\ndoc = \"its documentation\"\n\n[[package.func]]\nname = \"Hook\"\nthreadSafeOnClosure = true\n"
	ignoring := func(reason string) string {
		return "[[ignore]]\nobject = \"example.com/lib.List\"\nfield = \".size\"\nreason = \"" + reason + "\"\n"
	}
	cfg := *m.config(s)
	steps := []struct {
		what string
		same bool // the old answer is still right
		do   func()
	}{
		{"nothing", true, func() {}},
		{"lines", false, func() { m.edit("app/main.go", "type pair", "// A pair.\ntype pair") }},
		{"columns in a comment", false, func() { m.edit("app/main.go", "// A pair.", "// A pair of numbers.") }},
		{"a body", false, func() { m.edit("app/main.go", "n += p.a", "n += p.b") }},
		{"what a comment says", false, func() { m.edit("app/main.go", "an estimate", "a guess") }},
		{"a comment gone", false, func() { m.edit("app/main.go", " //iterace:ignore a guess is enough", "") }},
		{"a body below", false, func() { m.edit("lib/lib.go", "\n\tl.size++", "") }},
		{"lines below", false, func() { m.edit("lib/lib.go", "type Box", "// A Box.\ntype Box") }},
		{"a file more", false, func() { m.write("app/more.go", "package main\n\nfunc init() { go own(); own() }\n") }},
		{"a test, which is not read", true, func() { m.write("app/more_test.go", "package main\n\nfunc testing() { go own(); own() }\n") }},
		{"tests, too", false, func() { cfg.Tests = true }},
		{"a test, which is read", false, func() { m.edit("app/more_test.go", "go own()", "go methods()") }},
		{"a file of a tag", true, func() { m.write("dep/more.go", "//go:build more\n\npackage dep\n\nfunc init() { Go(Text.Inc) }\n") }},
		{"the tag", false, func() { cfg.BuildFlags = []string{"-tags=more"} }},
		{"another system", false, func() {
			cfg.Env = append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
		}},
		{"the language", false, func() { m.edit("lib/go.mod", "go 1.26", "go 1.21") }},
		{"the module's model", false, func() { m.write("app/.iterace.toml", ignoring("an estimate")) }},
		{"the reason in it", false, func() { m.write("app/.iterace.toml", ignoring("a guess")) }},
		{"a model", false, func() {
			m.write("safe.toml", hook)
			cfg.ModelFiles = []string{model}
		}},
		{"what it says", false, func() { m.write("safe.toml", strings.Replace(hook, "OnClosure", "", 1)) }},
		{"its name", false, func() {
			m.write("safer.toml", strings.Replace(hook, "OnClosure", "", 1))
			cfg.ModelFiles = []string{filepath.Join(m.dir, "safer.toml")}
		}},
		{"a stage", false, func() { cfg.Disable = []string{"threadsafe"} }},
		{"what is assumed", false, func() { cfg.Sure = !cfg.Sure }},
		{"generated files", false, func() { cfg.SkipGenerated = true }},
		{"an unsaved file", false, func() {
			cfg.Overlay = map[string][]byte{filepath.Join(m.dir, "dep/init.go"): []byte("package dep\n\nfunc init() { hook = func() {} }\n")}
		}},
		{"a package more", false, func() { cfg.Patterns = []string{"./...", "example.com/lib"} }},
		{"its module in the application", false, func() { m.write("app/.iterace.toml", "application = [\"example.com/lib\"]\n") }},
		{"how fast", true, func() { cfg.Workers = 1 }},
	}
	cfg.Answers = true
	m.ask(&cfg)
	other := newStock("")
	for _, step := range steps {
		step.do()
		anew := cfg
		anew.Answers, anew.stock = false, other
		want, _ := m.ask(&anew)
		for again := range 2 {
			got, kept := m.ask(&cfg)
			if kept != (step.same || again > 0) {
				t.Errorf("%s: kept is %t", step.what, kept)
			}
			if got != want {
				t.Errorf("%s: another answer\n%s\n-- instead of --\n%s", step.what, got, want)
			}
		}
	}
	moved := *m
	moved.dir = filepath.Join(t.TempDir(), "moved")
	if err := os.CopyFS(moved.dir, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	cfg.Dir = filepath.Join(moved.dir, "app")
	if _, kept := m.ask(&cfg); kept {
		t.Error("a copy in another directory: names are those of the first")
	}
}

// TestAnswersNotKept: what does not load is looked at each time, as is what is asked for
// with fixes or a log.
func TestAnswersNotKept(t *testing.T) {
	m := newMulti(t)
	cfg := *m.config(newStock(filepath.Join(t.TempDir(), "cache")))
	cfg.Answers = true
	for _, c := range []struct {
		what string
		do   func(*Config)
	}{
		{"fixes", func(cfg *Config) { cfg.Fixes = true }},
		{"a log", func(cfg *Config) { cfg.Log = new(bytes.Buffer) }},
		{"the textbook solver", func(cfg *Config) { cfg.Naive = true }},
		{"another order", func(cfg *Config) { cfg.Shuffle = 1 }},
	} {
		cfg := cfg
		c.do(&cfg)
		for range 2 {
			if _, kept := m.ask(&cfg); kept {
				t.Errorf("%s: an answer was kept", c.what)
			}
		}
	}
	m.write("app/bad/bad.go", "package bad\n\nvar x int = \"\"\n")
	for range 2 {
		res, err := Run(&cfg)
		if err != nil || len(res.Errors) == 0 {
			t.Fatal(res, err)
		}
	}
	m.write("app/bad/bad.go", "package bad\n\nimport \"example.com/nowhere\"\n")
	for range 2 {
		res, err := Run(&cfg)
		if err != nil || len(res.Errors) == 0 {
			t.Fatal(res, err)
		}
	}
}

// TestAnswerBroken: an answer of which a part is gone is none.
func TestAnswerBroken(t *testing.T) {
	m := newMulti(t)
	dir := filepath.Join(t.TempDir(), "cache")
	cfg := *m.config(newStock(dir))
	m.ask(&cfg)
	before := entries(t, dir)
	cfg.Answers = true
	want, _ := m.ask(&cfg)
	files := slices.DeleteFunc(entries(t, dir), func(f string) bool { return slices.Contains(before, f) })
	if len(files) != 1 {
		t.Fatal(files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(files[0], text, 0o666); err != nil {
		t.Fatal(err)
	}
	for again := range 2 {
		if got, kept := m.ask(&cfg); got != want || kept != (again > 0) {
			t.Errorf("kept is %t\n%s\n-- instead of --\n%s", kept, got, want)
		}
	}
}

// TestAnswerWhole: all that is found of the test programs is what it was after it was
// kept, and what was one thing is one.
func TestAnswerWhole(t *testing.T) {
	res := allPrograms(t).res
	data := res.pack()
	got := readAnswer(data)
	if got == nil {
		t.Fatal("cannot be read")
	}
	if again := got.pack(); !bytes.Equal(again, data) {
		t.Errorf("%d bytes are %d when written again", len(data), len(again))
	}
	if !reflect.DeepEqual(got.Reports, res.Reports) || !reflect.DeepEqual(got.Notices, res.Notices) {
		t.Error("not what was found")
	}
	for i := range data {
		if i%(1+len(data)/200) == 0 {
			readAnswer(data[:i]) // does not panic
		}
	}
}

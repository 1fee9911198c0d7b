package analyzer

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// answered is a program of two modules that is analysed in no time.
const answered = `
-- app/go.mod --
module example.com/app

go 1.26

require example.com/lib v0.0.0

replace example.com/lib => ../lib
-- app/main.go --
package main

import "example.com/lib"

type pair struct{ a, b int }

func main() {
	c := lib.New()
	for range 3 {
		go c.Inc() //iterace:ignore an estimate is enough
	}
	for range 3 {
		go lib.Hook()
	}
}

//iterace:ignore nothing to see
func each() {
	n := 0
	lib.Each([]pair{{1, 2}, {3, 4}}, func(p pair) { n += p.a })
}
-- lib/go.mod --
module example.com/lib

go 1.26
-- lib/lib.go --
package lib

type Counter struct{ n, size int }

func New() *Counter { return new(Counter) }

func (c *Counter) Inc() {
	c.n++
	c.size++
}

func Each[T any](xs []T, f func(T)) {
	for _, x := range xs {
		go f(x)
	}
}

var hits int

func Hook() { hits++ }
`

// newAnswered is the program on disk.
func newAnswered(t *testing.T) *multi {
	m := &multi{t, t.TempDir()}
	for _, f := range txtar.Parse([]byte(answered)).Files {
		m.write(f.Name, string(f.Data))
	}
	return m
}

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
	t.Parallel()
	m := newAnswered(t)
	s := newStock(filepath.Join(t.TempDir(), "cache"))
	model := filepath.Join(m.dir, "safe.toml")
	const hook = "[[package]]\npath = \"example.com/lib\"\ndoc = \"its documentation\"\n\n[[package.func]]\nname = \"Hook\"\nthreadSafeOnClosure = true\n"
	const size = "[[ignore]]\nobject = \"example.com/lib.Counter\"\nfield = \".size\"\nreason = \"an estimate\"\n"
	cfg := *m.config(s)
	steps := []struct {
		what string
		same bool // the old answer is still right
		do   func()
	}{
		{"nothing", true, func() {}},
		{"lines", false, func() { m.edit("app/main.go", "type pair", "// A pair.\ntype pair") }},
		{"a body", false, func() { m.edit("app/main.go", "n += p.a", "n += p.b") }},
		{"a comment gone", false, func() { m.edit("app/main.go", " //iterace:ignore an estimate is enough", "") }},
		{"a body below", false, func() { m.edit("lib/lib.go", "\n\tc.size++", "") }},
		{"a file more", false, func() { m.write("app/more.go", "package main\n\nfunc init() { go each(); each() }\n") }},
		{"a test, which is not read", true, func() { m.write("app/more_test.go", "package main\n\nfunc testing() { go each(); each() }\n") }},
		{"tests, too", false, func() { cfg.Tests = true }},
		{"a test, which is read", false, func() { m.edit("app/more_test.go", "go each()", "go main()") }},
		{"a file of a tag", true, func() { m.write("lib/more.go", "//go:build more\n\npackage lib\n\nfunc init() { go Hook() }\n") }},
		// Without tests from here on: with them a model has templates of much more made anew.
		{"the tag", false, func() { cfg.Tests, cfg.BuildFlags = false, []string{"-tags=more"} }},
		{"another system", false, func() {
			cfg.Env = append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
		}},
		{"the language", false, func() { m.edit("lib/go.mod", "go 1.26", "go 1.21") }},
		{"the module's model", false, func() { m.write("app/.iterace.toml", size) }},
		{"a model", false, func() {
			m.write("safe.toml", hook)
			cfg.ModelFiles = []string{model}
		}},
		{"what it says", false, func() { m.write("safe.toml", strings.Replace(hook, "OnClosure", "", 1)) }},
		{"a stage", false, func() { cfg.Disable = []string{"threadsafe"} }},
		{"what is assumed", false, func() { cfg.Sure = !cfg.Sure }},
		{"generated files", false, func() { cfg.SkipGenerated = true }},
		{"an unsaved file", false, func() {
			cfg.Overlay = map[string][]byte{filepath.Join(m.dir, "lib/lib.go"): []byte("package lib\n\ntype Counter struct{ n int }\n\nfunc New() *Counter { return nil }\n\nfunc (c *Counter) Inc() { c.n++ }\n\nfunc Hook() {}\n\nfunc Each[T any]([]T, func(T)) {}\n")}
		}},
		{"its module in the application", false, func() { m.write("app/.iterace.toml", "application = [\"example.com/lib\"]\n") }},
		{"how fast", true, func() { cfg.Workers = 1 }},
	}
	cfg.Answers = true
	want, _ := m.ask(&cfg)
	other := newStock("")
	for _, step := range steps {
		step.do()
		if !step.same {
			anew := cfg
			anew.Answers, anew.stock = false, other
			want, _ = m.ask(&anew)
		}
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
	t.Parallel()
	m := newAnswered(t)
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
	m := newAnswered(t)
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
	all := *allPrograms(t).res
	all.Unasked = 3 // what looks at all leaves nothing out
	res := &all
	data := res.pack()
	got := readAnswer(data)
	if got == nil {
		t.Fatal("cannot be read")
	}
	if again := got.pack(); !bytes.Equal(again, data) {
		t.Errorf("%d bytes are %d when written again", len(data), len(again))
	}
	if !reflect.DeepEqual(got.Reports, res.Reports) || !reflect.DeepEqual(got.Notices, res.Notices) ||
		got.Trimmed != res.Trimmed || got.Pairs != res.Pairs || got.Unasked != res.Unasked {
		t.Error("not what was found")
	}
	for i := range data {
		if i%(1+len(data)/200) == 0 {
			readAnswer(data[:i]) // does not panic
		}
	}
}

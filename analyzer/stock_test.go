package analyzer

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/iterace/iterace/report"
	"golang.org/x/tools/txtar"
)

// modules is a program of three modules. What the application does with the
// others is a race only if what these do is known.
const modules = `
-- app/go.mod --
module example.com/app

go 1.26

require (
	example.com/dep v0.0.0
	example.com/lib v0.0.0
)

replace (
	example.com/dep => ../dep
	example.com/lib => ../lib
)
-- app/main.go --
package main

import (
	"cmp"
	"container/list"
	"container/ring"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/dep"
	"example.com/lib"
)

type pair struct{ a, b int }

func main() {
	methods()
	generics()
	instances()
	wrappers()
	initialised()
	own()
}

func methods() {
	c := dep.New()
	for range 3 {
		go c.Inc()
	}
	a := dep.Default()
	for range 3 {
		go a.Add(1)
	}
	l := list.New()
	for range 3 {
		go l.PushBack(utf8.RuneLen('x') + utf16.RuneLen('x'))
	}
}

func generics() {
	n := 0
	lib.Each([]pair{{1, 2}, {3, 4}}, func(p pair) { n += p.a })
	l := new(lib.List[pair])
	for range 3 {
		go l.Push(pair{})
	}
}

func instances() {
	for range 3 {
		go dep.Queue.Push(1) // an instance of lib's type that only dep names
	}
	var s dep.Stack
	for range 3 {
		go s.Push("x") // and one that is promoted
	}
	for range 3 {
		go dep.Boxed().Put(1) // and one in an interface
	}
}

func wrappers() {
	n := 0
	for range 3 {
		dep.Go(func() { n++ })
	}
}

func initialised() {
	for range 3 {
		go dep.Hook()
	}
}

func own() {
	r := ring.New(2)
	for range 3 {
		go r.Do(func(any) { r.Value = cmp.Compare(1, 2) })
	}
	for range 3 {
		go func() { r.Value = unicode.Latin }()
	}
}
-- dep/go.mod --
module example.com/dep

go 1.26

require example.com/lib v0.0.0

replace example.com/lib => ../lib
-- dep/dep.go --
package dep

import (
	"math/bits"
	"unicode/utf8"

	"example.com/lib"
)

type Counter struct{ n int }

func New() *Counter { return new(Counter) }

func (c *Counter) Inc() { c.n++ }

type Adder interface{ Add(int) }

type adder struct{ sum int }

func (a *adder) Add(n int) { a.sum += n }

func Default() Adder { return &adder{} }

var Text = Counter{bits.Len(utf8.UTFMax)}

var Queue = new(lib.List[int])

type Stack struct{ lib.List[string] }

type Putter interface{ Put(int) }

var box = &lib.Box[int]{}

func Boxed() Putter { return box }

func Go(f func()) { go f() }

var hook func()

func Hook() { hook() }
-- dep/init.go --
package dep

func init() {
	hits := 0
	hook = func() { hits++ }
}
-- lib/go.mod --
module example.com/lib

go 1.26
-- lib/lib.go --
package lib

type List[T any] struct {
	all  []T
	size int
}

func (l *List[T]) Push(x T) {
	l.all = append(l.all, x)
	l.size++
}

type Box[T any] struct{ in T }

func (b *Box[T]) Put(x T) { b.in = x }

func Each[T any](xs []T, f func(T)) {
	for _, x := range xs {
		go f(x)
	}
}
`

// A multi is the program on disk.
type multi struct {
	t   *testing.T
	dir string
}

func newMulti(t *testing.T) *multi {
	m := &multi{t, t.TempDir()}
	for _, f := range txtar.Parse([]byte(modules)).Files {
		m.write(f.Name, string(f.Data))
	}
	return m
}

func (m *multi) write(name, text string) {
	m.t.Helper()
	name = filepath.Join(m.dir, name)
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// edit replaces a piece of text that occurs once.
func (m *multi) edit(name, old, new string) {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil || strings.Count(string(text), old) != 1 {
		m.t.Fatalf("%s: %q is not there once (%v)", name, old, err)
	}
	m.write(name, strings.Replace(string(text), old, new, 1))
}

func (m *multi) config(s *stock) *Config {
	return &Config{Dir: filepath.Join(m.dir, "app"), Patterns: []string{"./..."}, stock: s}
}

// run analyses the program, and returns what is printed and how many packages
// were lowered to be kept; -1 if all code was in view.
func (m *multi) run(cfg *Config) (out string, made int) {
	m.t.Helper()
	r, err := prepare(cfg, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	made = -1
	if r.loaded.loading != nil {
		made = r.loaded.loading.made
	}
	res := r.out
	if r.built {
		res = r.analyse()
	}
	return printed(m.t, res), made
}

// printed is what a user sees of a result.
func printed(t *testing.T, res *Result) string {
	t.Helper()
	d := &report.Document{Module: res.Module, Root: res.Root, Reports: res.Final(nil), Notices: res.Notices, All: true}
	for _, e := range res.Errors {
		d.Errors = append(d.Errors, report.Error{Pos: e.Pos, Package: e.Package, Message: e.Message})
	}
	var text, json bytes.Buffer
	if err := report.JSON(&json, d); err != nil {
		t.Fatal(err)
	}
	if err := report.Why(&text, d, "all"); err != nil {
		t.Fatal(err)
	}
	return json.String() + text.String()
}

func newStock(dir string) *stock { return &stock{side: sideCache{dir}, kept: make(map[hash][]byte)} }

// entries lists the files of a cache.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing in the cache (%v)", err)
	}
	return files
}

// TestStock: whatever is kept already, the answer is the same to the last byte,
// and what was missing is there afterwards.
func TestStock(t *testing.T) {
	m := newMulti(t)
	dir := filepath.Join(t.TempDir(), "cache")
	want, all := m.run(m.config(newStock("")))
	if all < 9 {
		t.Fatalf("%d packages lowered", all)
	}
	check := func(when string, s *stock, made int) {
		t.Helper()
		got, n := m.run(m.config(s))
		if n != made {
			t.Errorf("%s: %d packages lowered, want %d", when, n, made)
		}
		if got != want {
			t.Errorf("%s: another answer\n%s\n-- instead of --\n%s", when, got, want)
		}
	}
	inView := m.config(nil)
	inView.whole = true
	if got, _ := m.run(inView); got != want {
		t.Errorf("with all code in view: another answer\n%s\n-- instead of --\n%s", got, want)
	}
	check("cold", newStock(dir), all)
	check("warm", newStock(dir), 0)
	files := entries(t, dir)
	if len(files) != all {
		t.Fatalf("%d files for %d packages", len(files), all)
	}

	for i, f := range files { // any part of the program may be gone
		if i%3 == 0 {
			os.Remove(f)
		}
	}
	check("partly warm", newStock(dir), (all+2)/3)
	check("warm again", newStock(dir), 0)

	for i, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 0:
			text[len(text)/2] ^= 1
		case 1:
			text = text[:len(text)/2]
		case 2:
			text = nil
		case 3: // another package's
			if text, err = os.ReadFile(files[(i+1)%len(files)]); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(f, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check("corrupt", newStock(dir), all)
	check("mended", newStock(dir), 0)

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	check("nothing can be kept", newStock(filepath.Join(file, "cache")), all)

	s := newStock("") // in memory, as language servers have it
	check("memory, cold", s, all)
	check("memory, warm", s, 0)
}

// TestStockReadOnly has a cache from which one can only read, and in which some
// packages are missing.
func TestStockReadOnly(t *testing.T) {
	m := newMulti(t)
	dir := filepath.Join(t.TempDir(), "cache")
	want, all := m.run(m.config(newStock(dir)))
	files := entries(t, dir)
	os.Remove(files[0])
	shards, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	mode := func(perm os.FileMode) {
		for _, d := range append(shards, dir) {
			if err := os.Chmod(d, perm); err != nil {
				t.Fatal(err)
			}
		}
	}
	mode(0o555)
	defer mode(0o777)
	for range 2 {
		got, made := m.run(m.config(newStock(dir)))
		if got != want {
			t.Errorf("another answer\n%s", got)
		}
		// The administrator writes all the same.
		if made != 1 && (made != 0 || os.Getuid() != 0) {
			t.Errorf("%d of %d packages lowered", made, all)
		}
	}
}

// TestStockProcesses has several processes fill and use one cache at once.
func TestStockProcesses(t *testing.T) {
	const variable = "ITERACE_TEST_STOCK"
	if dir := os.Getenv(variable); dir != "" {
		m := &multi{t, filepath.Dir(dir)}
		out, _ := m.run(m.config(newStock(dir)))
		os.Stdout.WriteString("BEGIN" + out + "END")
		return
	}
	m := newMulti(t)
	dir := filepath.Join(m.dir, "cache")
	want, all := m.run(m.config(newStock("")))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestStockProcesses$")
			cmd.Env = append(os.Environ(), variable+"="+dir)
			out, err := cmd.Output()
			_, text, _ := strings.Cut(string(out), "BEGIN")
			text, _, _ = strings.Cut(text, "END")
			if err != nil || text != want {
				t.Errorf("another answer (%v)\n%s", err, out)
			}
		})
	}
	wg.Wait()
	if files := entries(t, dir); len(files) != all {
		t.Errorf("%d files for %d packages: %v", len(files), all, files)
	}
	if got, made := m.run(m.config(newStock(dir))); got != want || made != 0 {
		t.Errorf("warm: %d packages lowered\n%s", made, got)
	}
}

// TestStockEdits changes something and has the answer follow, as it does where
// nothing is kept.
func TestStockEdits(t *testing.T) {
	t.Parallel()
	m := newMulti(t)
	s := newStock(filepath.Join(t.TempDir(), "cache"))
	before, _ := m.run(m.config(s))
	steps := []struct {
		what string
		made int // packages to lower again
		do   func(*Config)
	}{
		{"a body of the application", 0, func(*Config) { m.edit("app/main.go", "go c.Inc()", "c.Inc()") }},
		{"a body below", 2, func(*Config) { m.edit("lib/lib.go", "\n\tl.size++", "") }},
		{"a result below", 1, func(*Config) { m.edit("dep/dep.go", "return &adder{}", "return nil") }},
		{"a model", -1, func(cfg *Config) {
			m.write("safe.toml", "[[package]]\npath = \"example.com/dep\"\ndoc = \"its documentation\"\n\n[[package.func]]\nname = \"Hook\"\nthreadSafeOnClosure = true\n")
			cfg.ModelFiles = []string{filepath.Join(m.dir, "safe.toml")}
		}},
		{"the stage that the model is for", -1, func(cfg *Config) {
			cfg.ModelFiles, cfg.Disable = []string{filepath.Join(m.dir, "safe.toml")}, []string{"threadsafe"}
		}},
		{"an unsaved file below", 1, func(cfg *Config) {
			name := filepath.Join(m.dir, "dep/init.go")
			cfg.Overlay = map[string][]byte{name: []byte("package dep\n\nfunc init() { hook = func() {} }\n")}
		}},
		{"a build tag", 1, func(cfg *Config) {
			m.write("dep/more.go", "//go:build more\n\npackage dep\n\nfunc init() { Go(Text.Inc) }\n")
			cfg.BuildFlags = []string{"-tags=more"}
		}},
	}
	for _, step := range steps {
		cfg := m.config(s)
		step.do(cfg)
		got, made := m.run(cfg)
		if made != step.made && (step.made >= 0 || made < 9) {
			t.Errorf("%s: %d packages lowered, want %d", step.what, made, step.made)
		}
		if got == before && step.what != "a build tag" {
			t.Errorf("%s: nothing has changed", step.what)
		}
		fresh := *cfg
		fresh.stock = newStock("")
		if want, _ := m.run(&fresh); got != want {
			t.Errorf("%s: another answer\n%s\n-- instead of --\n%s", step.what, got, want)
		}
		before = got
	}
}

// TestStockBroken has a package below that does not type-check, or parse. What is said of
// it is the same as if there were nothing kept.
func TestStockBroken(t *testing.T) {
	t.Parallel()
	m := newMulti(t)
	s := newStock(filepath.Join(t.TempDir(), "cache"))
	m.run(m.config(s))
	check := func(message string) {
		t.Helper()
		inView := m.config(nil)
		inView.whole = true
		want, _ := m.run(inView)
		if !strings.Contains(want, message) {
			t.Fatal(want)
		}
		for range 2 {
			if got, made := m.run(m.config(s)); got != want || made != -1 {
				t.Errorf("%d packages lowered\n%s\n-- instead of --\n%s", made, got, want)
			}
		}
	}
	m.edit("dep/dep.go", "a.sum += n", "a.total += n")
	check("a.total undefined")
	m.edit("dep/dep.go", "a.total += n", "a.total +=")
	check("expected operand")
}

// TestStockPrograms analyses the test programs, of which only the standard library
// is kept, and compares what is found with all code in view.
func TestStockPrograms(t *testing.T) {
	t.Parallel()
	kept := allPrograms(t)
	inView, err := runPrograms(t, func(cfg *Config) { cfg.whole = true })
	if err != nil {
		t.Fatal(err)
	}
	got, want := races(kept.res), races(inView.res)
	for _, x := range want {
		if !slices.Contains(got, x) {
			t.Errorf("not found: %s", x)
		}
	}
	for _, x := range got {
		if !slices.Contains(want, x) {
			t.Errorf("found, and not with all code in view: %s", x)
		}
	}
}

// races lists what a result has found, and its notices.
func races(res *Result) []string {
	var out []string
	for _, r := range res.Reports {
		for _, x := range r.Races {
			out = append(out, fmt.Sprintf("%s %s%s %s %s (%s, loop %s)", r.ID, x.Object.Name, x.Field, x.A.Pos, x.B.Pos, x.Confidence, loopPos(x)))
		}
	}
	for _, n := range res.Notices {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

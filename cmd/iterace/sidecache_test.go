package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// TestWithoutBuildCache runs the command as a build system does that keeps facts
// where the command cannot look: of a, which imports b, which imports c, it hands
// over the facts of b alone. What c does is found in the side cache or, where
// that does not have it, said to be unknown.
func TestWithoutBuildCache(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere no variable says where the cache is")
	}
	s := &separate{t: t, tool: vetTool(t), dir: t.TempDir()}
	s.cache = filepath.Join(s.dir, "cache")
	s.unit("example.com/m/c", `package c

		type Counter struct{ n int }

		func (c *Counter) Inc() { c.n++ }`)
	s.unit("example.com/m/b", `package b

		import "example.com/m/c"

		func New() *c.Counter { return new(c.Counter) }

		func Inc(x *c.Counter) { x.Inc() }`, "example.com/m/c")
	s.unit("example.com/m/a", `package a

		import "example.com/m/b"

		func Count() {
			x := b.New()
			for range 3 {
				go func() { b.Inc(x) }()
			}
		}`, "example.com/m/b")
	const race, notice = "race on c.n: ", "is gone, broken or of another version; their functions are taken to do nothing"
	expect := func(when, got, want, not string) {
		t.Helper()
		if !strings.Contains(got, want) || strings.Contains(got, not) {
			t.Errorf("%s: %s", when, got)
		}
	}
	s.run("c")
	s.run("b")
	expect("all is there", s.run("a"), race, notice)

	// What is broken is as good as gone, and one run of c mends it.
	files, err := filepath.Glob(filepath.Join(s.cache, "iterace", "*", "*"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(f, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	expect("broken", s.run("a"), notice+" (S", race)
	expect("broken and asked not to tell", s.run("a", "-iterace.lost=false"), "{}", notice)
	s.run("c")
	expect("mended", s.run("a"), race, notice)
	if err := os.RemoveAll(s.cache); err != nil {
		t.Fatal(err)
	}
	expect("gone", s.run("a"), notice, race)
	s.run("c")
	expect("there again", s.run("a"), race, notice)

	// Nothing can be written below a file, by nobody.
	if err := os.RemoveAll(s.cache); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.cache, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s.run("c")
	s.run("b")
	expect("nothing can be kept", s.run("a"), notice, race)
}

// A separate build runs the command on one package at a time.
type separate struct {
	t                *testing.T
	tool, dir, cache string
}

func (s *separate) file(name string) string { return filepath.Join(s.dir, name) }

// unit writes a package and the configuration to analyse it with.
func (s *separate) unit(path, text string, imports ...string) {
	s.t.Helper()
	name := filepath.Base(path)
	cfg := unitchecker.Config{
		ID: path, Compiler: "gc", Dir: s.dir, ImportPath: path, GoVersion: "go1.26",
		GoFiles: []string{s.file(name + ".go")}, ModulePath: "example.com/m",
		ImportMap: make(map[string]string), PackageVetx: make(map[string]string),
		VetxOutput: s.file(name + ".vetx"), Stdout: s.file(name + ".json"), VetxOnly: name != "a",
	}
	for _, dep := range imports {
		cfg.ImportMap[dep] = dep
		cfg.PackageVetx[dep] = s.file(filepath.Base(dep) + ".vetx")
	}
	data, err := json.Marshal(cfg)
	if err == nil {
		err = os.WriteFile(s.file(name+".cfg"), data, 0o666)
	}
	if err == nil {
		err = os.WriteFile(s.file(name+".go"), []byte(text), 0o666)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// run analyses a package, and returns what is said of it.
func (s *separate) run(name string, flags ...string) string {
	s.t.Helper()
	cmd := exec.Command(s.tool, append(flags, "-json", s.file(name+".cfg"))...)
	cmd.Env = append(os.Environ(), "GOCACHE=", "GOWORK=off", "XDG_CACHE_HOME="+s.cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(s.file(name + ".json"))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

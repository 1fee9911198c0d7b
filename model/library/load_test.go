package library

import (
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustLoad(t *testing.T) *Model {
	t.Helper()
	m, err := Load(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// write writes a file below dir and returns its name.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// load loads one model file over the shipped ones.
func load(t *testing.T, text string) (*Model, error) {
	t.Helper()
	name := write(t, t.TempDir(), "m.toml", text)
	m, err := Load(Options{Files: []string{name}})
	if err != nil {
		return nil, &Error{[]string{strings.ReplaceAll(err.Error(), name, "m.toml")}}
	}
	return m, nil
}

func mustLoadText(t *testing.T, text string) *Model {
	t.Helper()
	m, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Each problem in a model file is reported with its line.
func TestLoadErrors(t *testing.T) {
	const pkg = "[[package]]\npath = \"example.com/p\"\n"
	for _, test := range []struct{ name, text, want string }{
		{"syntax", "a = [1,\n\nb = 2\n",
			`m.toml:3: expected value but found "b" instead`},
		{"unknown key at the top", "x = 1\n" + pkg + "analyse = true\n",
			`m.toml:1: unknown key "x"; the keys at the top are package, ignore, application and library`},
		{"unknown key of a package", pkg + "threadsafe = true\n",
			`m.toml:3: unknown key "threadsafe" in [[package]]`},
		{"unknown key of a function", pkg + "[[package.func]]\nname = \"F\"\nread = [0]\nwrites = [0]\n",
			`m.toml:5: unknown key "read" in [[package.func]]`},
		{"unknown key of a type", pkg + "[[package.type]]\nname = \"T\"\nsafe = true\nsync = true\n",
			`m.toml:5: unknown key "safe" in [[package.type]]`},
		{"unknown key of an ignore", "[[ignore]]\nobject = \"p.X\"\nreason = \"r\"\nwhy = \"\"\n",
			`m.toml:4: unknown key "why" in [[ignore]]`},

		{"no path", "[[package]]\nanalyse = true\n", `m.toml:1: [[package]] without path`},
		{"no function name", pkg + "[[package.func]]\nreads = [0]\n", `m.toml:3: [[package.func]] without name`},
		{"no type name", pkg + "[[package.type]]\nsync = true\n", `m.toml:3: [[package.type]] without name`},
		{"nothing said", pkg + "[[package.func]]\nname = \"F\"\n", `m.toml:3: the entry for F says nothing`},
		{"name with a package", pkg + "[[package.func]]\nname = \"(*p.T).F\"\nreads = [0]\n",
			`m.toml:4: "(*p.T).F" is not a name: write Func or Type.Method, as go doc does, without the package`},
		{"pattern with a function", "[[package]]\npath = \"a/...\"\n[[package.func]]\nname = \"F\"\nreads = [0]\n",
			`m.toml:2: "a/..." is a pattern; entries for functions and types need one package`},
		{"pattern inside a word", "[[package]]\npath = \"a/b...\"\nanalyse = true\n",
			`m.toml:2: "a/b...": ... may stand only for the last elements of a path, after a slash`},

		{"bool", pkg + "analyse = 1\n", `m.toml:3: analyse must be a string or a list of strings`},
		{"argument", pkg + "[[package.func]]\nname = \"F\"\nreads = 0\n",
			`m.toml:5: reads must be a list of different argument numbers: 0 is the receiver or first argument, -1 every variadic one
m.toml:3: the entry for F says nothing`},
		{"method of", pkg + "[[package.func]]\nname = \"F\"\ncallsMethods = {w = [\"Write\"]}\nreads = [0]\n",
			`m.toml:5: callsMethods: "w" is not an argument number`},
		{"unknown op", pkg + "[[package.func]]\nname = \"F\"\nop = \"locks\"\n", `m.toml:5: unknown operation "locks"`},

		// Facts that cannot hold together.
		{"no body", pkg + "[[package.func]]\nname = \"F\"\nop = \"spawn\"\n",
			`m.toml:5: spawn needs body, the number of the argument that it runs`},
		{"body of nothing", pkg + "[[package.func]]\nname = \"F\"\nbody = 1\nop = \"lock\"\n",
			`m.toml:5: body without an operation that runs it`},
		{"join of nothing", pkg + "[[package.func]]\nname = \"F\"\nop = \"lock\"\njoin = true\n",
			`m.toml:6: join is for op = "spawn"`},
		{"closure without itself", pkg + "[[package.func]]\nname = \"F\"\nthreadSafeOnClosure = true\nthreadSafe = false\n",
			`m.toml:6: threadSafeOnClosure contradicts threadSafe = false`},
		{"safe and unsafe results", pkg + "[[package.func]]\nname = \"F\"\ninstantiatesOnlySafeObjects = true\ncirculatesUnsafeObjects = true\n",
			`m.toml:6: instantiatesOnlySafeObjects contradicts circulatesUnsafeObjects`},
		{"safe and unsafe type", pkg + "[[package.type]]\nname = \"T\"\nthreadSafe = true\nunsafe = true\n",
			`m.toml:6: T: unsafe contradicts threadSafe`},
		{"new and old result", pkg + "[[package.func]]\nname = \"F\"\nfresh = true\nreturns = [0]\n",
			`m.toml:5: fresh = true contradicts returns`},
		{"analysed and described", pkg + "[[package.func]]\nname = \"F\"\nanalyse = true\nreads = [0]\n",
			`m.toml:5: analyse contradicts what else the entry says`},
		{"callback of a closure", pkg + "[[package.func]]\nname = \"F\"\nthreadSafeOnClosure = true\ncalls = [0]\n",
			`m.toml:5: threadSafeOnClosure contradicts calls of an argument, which may race; leave it out`},
		{"called here and there", pkg + "[[package.func]]\nname = \"F\"\ncalls = [0]\nconcurrent = [0]\n",
			`m.toml:6: argument 0 is in calls and in concurrent`},
		{"operation of a type", pkg + "[[package.type]]\nname = \"T\"\nop = \"lock\"\n",
			`m.toml:5: T: an operation belongs to a method, in [[package.func]]`},

		// Entries that contradict each other.
		{"two entries", pkg + "[[package.func]]\nname = \"F\"\nreads = [0]\n\n[[package.func]]\nname = [\"G\", \"F\"]\nwrites = [0]\n",
			`m.toml:8: example.com/p.F has an entry already, at m.toml:3`},
		{"two types", pkg + "[[package.type]]\nname = \"T\"\nsync = true\n[[package.type]]\nname = \"T\"\nunsafe = true\n",
			`m.toml:7: example.com/p.T has an entry already, at m.toml:3`},
		{"type analysed and described", pkg + "analyse = [\"T\"]\n[[package.type]]\nname = \"T\"\nthreadSafe = true\n",
			`m.toml:5: example.com/p.T has an entry already, at m.toml:3`},
		{"two packages", pkg + "analyse = true\n" + pkg + "threadSafe = true\n",
			`m.toml:5: package example.com/p is described already, at m.toml:1`},
		{"both scopes", "application = [\"a/...\"]\nlibrary = [\"b\", \"a/...\"]\n",
			`m.toml:2: "a/..." is both application and library`},
		{"ignore all", "[[ignore]]\nreason = \"r\"\n", `m.toml:1: [[ignore]] needs an object or a field`},
		{"service that runs what it is given", pkg + "[[package.func]]\nname = \"F\"\nconcurrent = [0]\nservice = \"s\"\n",
			`m.toml:6: service with concurrent or concurrentMethods, but without later`},
		{"all methods at once", pkg + "[[package.func]]\nname = \"F\"\ncallsMethods = {0 = [\"*\"]}\n",
			`m.toml:5: "*" is for concurrentMethods`},
		{"ignore without reason", "\n[[ignore]]\nobject = \"p.X\"\n", `m.toml:2: [[ignore]] without a reason`},

		// All problems are told, in the order of the lines.
		{"several", pkg + "b = 1\n[[package.func]]\nname = \"F\"\na = 1\nreads = [0]\n",
			"m.toml:3: unknown key \"b\" in [[package]]\nm.toml:6: unknown key \"a\" in [[package.func]]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(t, test.text)
			if err == nil {
				t.Fatalf("no error; want %s", test.want)
			}
			got, want := strings.Split(err.Error(), "\n"), strings.Split(test.want, "\n")
			for _, w := range want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("got  %s\nwant %s", err, w)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d problems, want %d:\n%s", len(got), len(want), err)
			}
		})
	}
}

// A file that is not there is an error that names it.
func TestMissingFile(t *testing.T) {
	_, err := Load(Options{Files: []string{"no/such.toml"}})
	if err == nil || err.Error() != "no/such.toml: no such file or directory" {
		t.Errorf("got %v", err)
	}
}

// A later layer overrules an earlier one; within a layer there is one word.
func TestLayers(t *testing.T) {
	dir := t.TempDir()
	entry := func(path, key string) string {
		return "[[package]]\npath = \"" + path + "\"\n[[package.func]]\nname = \"F\"\n" + key + " = [0]\n"
	}
	write(t, dir, FileName, entry("example.com/a", "reads")+entry("example.com/b", "reads")+
		"[[package]]\npath = \"fmt\"\n[[package.func]]\nname = \"Println\"\nthreadSafeOnClosure = true\n")
	extra := write(t, dir, "extra.toml", entry("example.com/b", "writes"))
	other := write(t, dir, "other.toml", entry("example.com/b", "writes"))

	// The module's file is found from below.
	if err := os.MkdirAll(filepath.Join(dir, "sub", "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	m, err := Load(Options{ModuleDir: filepath.Join(dir, "sub", "sub"), Files: []string{extra}})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Func("example.com/a.F"); f == nil || len(f.Reads) != 1 {
		t.Errorf("a.F: %+v, want the module's", f)
	}
	if f := m.Func("example.com/b.F"); f == nil || len(f.Writes) != 1 || len(f.Reads) != 0 {
		t.Errorf("b.F: %+v, want that of -model", f)
	}
	if f := m.Func("fmt.Println"); f == nil || !f.SafeOnClosure {
		t.Errorf("fmt.Println: %+v, want the module's", f)
	}
	if f := m.Func("fmt.Printf"); f == nil || len(f.Formats) != 1 {
		t.Errorf("fmt.Printf: %+v, want the shipped", f)
	}
	if got := m.Files(); len(got) != 2 || got[1] != extra {
		t.Errorf("files: %q", got)
	}

	// Without the search the module's file does not count.
	m, err = Load(Options{Files: []string{extra}})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Func("example.com/a.F"); f != nil {
		t.Errorf("a.F without the module's file: %+v", f)
	}

	// Two files of one layer may not disagree.
	_, err = Load(Options{Files: []string{extra, other}})
	if want := other + ":4: example.com/b.F has an entry already, at " + extra + ":3"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// packageFunc returns what holds for all functions of the package.
func (m *Model) packageFunc(path string) *Func {
	if p := m.Package(path); p != nil {
		return p.Funcs
	}
	return nil
}

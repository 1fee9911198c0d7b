package library

import (
	"embed"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/BurntSushi/toml"
)

// The scanner finds the lines of tables and keys whatever stands between them.
func TestScanLines(t *testing.T) {
	text := `# [[package]] in a comment
top = """
[[package]]
x = 1 \"""
""" # after
  [[ package ]]
path = 'a#b[' # [c]
list = [
  "x", # ]
  { y = "]" },
]
inline = { a = 1, b = { c = [1, 2] } }
dotted.key = 2
"quoted.key" = 3
lit = '''
[[no]]
'''

[[package.func]]
name = "F\"="
[[package.func]]
name = "G"
[[package]]
[[package.func]]
name = "H"
[plain]
z = [[1], [2]]
`
	if _, err := toml.Decode(text, new(map[string]any)); err != nil {
		t.Fatal(err)
	}
	lines := scanLines(text)
	for path, want := range map[string]int{
		"top":                     2,
		"package[0]":              6,
		"package[0].path":         7,
		"package[0].list":         8,
		"package[0].inline":       12,
		"package[0].dotted":       13,
		"package[0].dotted.key":   13,
		"package[0].quoted.key":   14,
		"package[0].lit":          15,
		"package[0].func[0]":      19,
		"package[0].func[0].name": 20,
		"package[0].func[1].name": 22,
		"package[1]":              23,
		"package[1].func[0]":      24,
		"package[1].func[0].name": 25,
		"plain":                   26,
		"plain.z":                 27,
	} {
		if lines[path] != want {
			t.Errorf("%s: line %d, want %d", path, lines[path], want)
		}
	}
	for path := range lines {
		if strings.Contains(path, "no") {
			t.Errorf("a table inside a string: %s", path)
		}
	}
}

// No text makes the loader panic or hang, and every problem has a line of the
// file.
func FuzzDecode(f *testing.F) {
	f.Add("[[package]]\npath = \"a\"\n[[package.func]]\nname = \"F\"\nreads = [0]\n")
	f.Add("package = [{path = \"a\", func = [{name = \"F\", op = \"lock\"}]}]\n")
	f.Add("[package]\npath = 1\n")
	f.Add("[[package]]\nfunc = 1\ntype = [1]\npath = []\ncallsMethods = {-1 = [1], x = 2}\n")
	f.Add("a.b.'c d' = \"\"\"\n\"\"\"\"\"\nignore = {}\nlibrary = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		src := parse("f.toml", text)
		if src.root != nil {
			newLayer().decode(src)
		}
		for _, p := range src.problems() {
			if n := 1 + strings.Count(text, "\n"); p.line < 1 || p.line > n {
				t.Errorf("problem at line %d of %d: %s", p.line, n, p.msg)
			}
		}
	})
}

//go:embed data
var shipped embed.FS

// TestShippedFiles is that all files are shipped, and those only.
func TestShippedFiles(t *testing.T) {
	files, err := shipped.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	var want []shippedFile
	for _, f := range files {
		text, err := shipped.ReadFile("data/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, shippedFile{"data/" + f.Name(), string(text)})
	}
	if !slices.Equal(shippedFiles(), want) {
		t.Error("what is shipped is not what is in data")
	}
}

// Reading the shipped files by sections gives what reading them as a whole
// does, with the same lines, and no problems.
func TestSections(t *testing.T) {
	whole := newLayer()
	lazy := newLayer()
	lazy.pending = &pending{byPath: make(map[string][]*section)}
	files, err := shipped.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := shipped.ReadFile("data/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range whole.read(f.Name(), text, nil) {
			t.Error(p)
		}
		lazy.pending.add(f.Name(), string(text))
	}
	if len(whole.ignores)+len(whole.scopes) > 0 {
		t.Error("a shipped file has ignores or scopes")
	}
	for path := range whole.known {
		if lazy.pending.byPath[path] == nil {
			t.Errorf("no section for %s", path)
		}
	}
	for path := range lazy.pending.byPath {
		if !whole.known[path] {
			t.Errorf("a section for %s, which is no package", path)
		}
	}
	// The order of demands does not matter: last sections first.
	for _, s := range slices.Backward(lazy.pending.sections) {
		lazy.decodeSection(s)
	}
	for _, p := range lazy.problems {
		t.Error(p)
	}
	if len(lazy.funcs) != len(whole.funcs) || len(lazy.types) != len(whole.types) || len(lazy.packages) != len(whole.packages) {
		t.Errorf("%d functions, %d types, %d packages; want %d, %d, %d", len(lazy.funcs), len(lazy.types), len(lazy.packages),
			len(whole.funcs), len(whole.types), len(whole.packages))
	}
	for name, f := range whole.funcs {
		if !reflect.DeepEqual(lazy.funcs[name], f) {
			t.Errorf("%s: %+v, want %+v", name, lazy.funcs[name], f)
		}
	}
	for name, typ := range whole.types {
		if !reflect.DeepEqual(lazy.types[name], typ) {
			t.Errorf("%s: %+v, want %+v", name, lazy.types[name], typ)
		}
	}
	for path, p := range whole.packages {
		if !reflect.DeepEqual(lazy.packages[path], p) {
			t.Errorf("%s: %+v, want %+v", path, lazy.packages[path], p)
		}
	}
}

// A model may be asked, and asked for a Resolver, from many goroutines while it
// decodes; run with -race.
func TestConcurrentLookup(t *testing.T) {
	base := newLayer()
	base.pending = &pending{byPath: make(map[string][]*section)}
	text, err := shipped.ReadFile("data/basic.toml")
	if err != nil {
		t.Fatal(err)
	}
	base.pending.add("basic.toml", string(text))
	m := &Model{layers: []*layer{base}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { m.Resolver(func(string) *types.Package { return nil }) })
		for _, name := range []string{"fmt.Println", "strings.ToUpper", "(*log.Logger).Print", "(*bytes.Buffer).Write", "x/y.F"} {
			wg.Go(func() {
				if f := m.Lookup(name); f == nil && name != "x/y.F" {
					t.Errorf("%s: no entry", name)
				}
			})
		}
	}
	wg.Wait()
}

// What is found of an entry without all others is what is found of it among them, and
// little else is decoded for it.
func TestParts(t *testing.T) {
	files, err := shipped.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string, l *layer) {
		text, err := shipped.ReadFile("data/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if l.pending == nil {
			l.read(file, text, nil)
		} else {
			l.pending.add(file, string(text))
		}
	}
	for _, f := range files {
		whole := newLayer()
		read(f.Name(), whole)
		fresh := func() *layer {
			l := newLayer()
			l.pending = &pending{byPath: make(map[string][]*section)}
			read(f.Name(), l)
			return l
		}
		for name, want := range whole.funcs {
			l := fresh()
			if got := l.entry(name); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
			if n := l.decoded(); n > 2 {
				t.Errorf("%s: %d tables decoded", name, n)
			}
		}
		for name, want := range whole.types {
			l := fresh()
			if got := l.typ(name); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
			if n := l.decoded(); n > 2 {
				t.Errorf("%s: %d tables decoded", name, n)
			}
		}
		for path, want := range whole.packages {
			l := fresh()
			if got := l.pkg(path); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want %+v", path, got, want)
			}
			if n := l.decoded(); n > 0 {
				t.Errorf("%s: %d tables decoded", path, n)
			}
		}
	}
}

// decoded counts the tables inside packages that are decoded.
func (l *layer) decoded() int {
	n := 0
	for _, s := range l.pending.sections {
		for _, p := range s.parts {
			if p.done {
				n++
			}
		}
	}
	return n
}

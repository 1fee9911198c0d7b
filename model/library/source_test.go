package library

import (
	"strings"
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

package library

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed data/*.toml
var shipped embed.FS

// FileName is the module's own model file.
const FileName = ".iterace.toml"

// Options says which models to load beside the shipped one.
type Options struct {
	// ModuleDir is where the search for .iterace.toml starts; it goes on in
	// the directories above. "" is for no search.
	ModuleDir string
	// Files are further models; they overrule .iterace.toml and may not
	// contradict each other.
	Files []string
}

// A Model is what is known of code that is not analysed. It does not change
// once loaded, and may be used from many goroutines.
type Model struct {
	layers []*layer // the shipped one first; later ones overrule
	files  []string // of the user, in the order they were read
}

// An Error lists all that is wrong with the model files, each line headed by
// file and line.
type Error struct{ Problems []string }

func (e *Error) Error() string { return strings.Join(e.Problems, "\n") }

// Load reads the shipped model, the module's and the given files. The error is
// an *Error with every problem found; the model is nil then.
func Load(opt Options) (*Model, error) {
	base, err := shippedLayer()
	if err != nil {
		return nil, err
	}
	m := &Model{layers: []*layer{base}}
	var errs Error
	user := func(files []string) {
		l := newLayer()
		for _, name := range files {
			text, err := os.ReadFile(name)
			errs.Problems = append(errs.Problems, l.read(name, text, err)...)
		}
		m.layers = append(m.layers, l)
		m.files = append(m.files, files...)
	}
	if opt.ModuleDir != "" {
		if name := Find(opt.ModuleDir); name != "" {
			user([]string{name})
		}
	}
	if len(opt.Files) > 0 {
		user(opt.Files)
	}
	if len(errs.Problems) > 0 {
		return nil, &errs
	}
	return m, nil
}

// shippedLayer finds what is shipped, once; see lazy.go for when it is decoded.
var shippedLayer = sync.OnceValues(func() (*layer, error) {
	names, err := fs.Glob(shipped, "data/*.toml")
	if err != nil {
		return nil, err
	}
	l := newLayer()
	l.pending = &pending{byPath: make(map[string][]*section)}
	for _, name := range names {
		text, err := shipped.ReadFile(name)
		if err != nil {
			return nil, err
		}
		l.pending.add("iterace/"+name, string(text))
	}
	return l, nil
})

// read adds the entries of one file, and returns what is wrong with it.
func (l *layer) read(name string, text []byte, err error) []string {
	if err != nil {
		return []string{describe(name, err)}
	}
	src := parse(name, string(text))
	if src.root != nil {
		l.decode(src)
	}
	var out []string
	for _, p := range src.problems() {
		out = append(out, p.String())
	}
	return out
}

// describe words a file that cannot be read.
func describe(name string, err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return name + ": " + err.Error()
}

// Find returns the nearest .iterace.toml in dir or above, or "".
func Find(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		name := filepath.Join(dir, FileName)
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			return name
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Files returns the model files of the user, in the order they were read.
func (m *Model) Files() []string { return m.files }

package library

import (
	_ "embed" // the shipped files
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// The shipped files are strings, one by one: an embed.FS would copy what is read of it, and
// go vet runs a process for each package, of which many need none of it.
var (
	//go:embed data/basic.toml
	basic string
	//go:embed data/crypto.toml
	crypto string
	//go:embed data/encoding.toml
	encoding string
	//go:embed data/misc.toml
	misc string
	//go:embed data/net.toml
	network string
	//go:embed data/parallel.toml
	parallel string
	//go:embed data/sync.toml
	synchronisation string
	//go:embed data/third.toml
	third string
)

// A shippedFile is one of them, by its name in this directory.
type shippedFile struct{ name, text string }

// shippedFiles are all of them, by name.
func shippedFiles() []shippedFile {
	return []shippedFile{
		{"data/basic.toml", basic},
		{"data/crypto.toml", crypto},
		{"data/encoding.toml", encoding},
		{"data/misc.toml", misc},
		{"data/net.toml", network},
		{"data/parallel.toml", parallel},
		{"data/sync.toml", synchronisation},
		{"data/third.toml", third},
	}
}

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
	m := &Model{layers: []*layer{shippedLayer()}}
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
var shippedLayer = sync.OnceValue(func() *layer {
	l := newLayer()
	l.pending = &pending{byPath: make(map[string][]*section)}
	for _, f := range shippedFiles() {
		l.pending.add("iterace/"+f.name, f.text)
	}
	return l
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

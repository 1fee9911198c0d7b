package analyzer

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/iterace/iterace/internal/wire"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// This file makes the templates of a package when somebody asks for them. A language
// server has facts made of every package below those that are open, and asks for
// templates of few: of a program that calls net/http, and starts goroutines, of none of
// 185. So the fact has what templates can be made from, the names and the hash of the
// package's files, and says by itself which functions may start goroutines, since that is
// asked of all that is called.
//
// Who asks type-checks the package from source, and of what it imports the declarations,
// lowers it, and keeps the templates in the stock, under the hash of the record. Files
// that have changed since are as if the record was gone: the driver will ask again.

// A source is what the templates of a package are made from.
type source struct {
	Name      string // of the package
	GoVersion string
	Module    string // path of the main module that it belongs to, or ""
	Files     []string
	Texts     []string // of files that are not on disk as the driver has them; "" for others
	Sum       string   // hash of all files
	Cgo       bool     // some file imports "C"
	starter
}

var sourceSchema = sync.OnceValue(func() *wire.Schema {
	s := wire.NewSchema()
	wire.Compile[source](s)
	return s
})

// write returns the source as bytes; there are none of nil.
func (s *source) write() []byte {
	if s == nil {
		return nil
	}
	var e wire.Encoder
	wire.Encode(sourceSchema(), &e, s)
	return append(e.Strings(), e.Out...)
}

func readSource(data []byte) (s *source, ok bool) {
	if len(data) == 0 {
		return nil, true
	}
	d := wire.NewDecoder(data, nil)
	table := d.ReadStrings()
	d = wire.NewDecoder(d.In, table)
	s = new(source)
	wire.Decode(sourceSchema(), d, s)
	return s, !d.Bad && len(d.In) == 0 && len(s.Texts) == len(s.Files)
}

// read returns the text of each file; false if they are not what they were.
func (s *source) read() ([][]byte, bool) {
	h := sha256.New()
	var texts [][]byte
	for i, name := range s.Files {
		text := []byte(s.Texts[i])
		if len(text) == 0 {
			var err error
			if text, err = os.ReadFile(name); err != nil {
				return nil, false
			}
		}
		texts = append(texts, text)
		hashFile(h, text)
	}
	return texts, string(h.Sum(nil)) == s.Sum
}

func hashFile(h interface{ Write([]byte) (int, error) }, text []byte) {
	fmt.Fprintf(h, "%d\n", len(text))
	h.Write(text)
}

// sourceOf returns what templates of a package can be made from later, or nil if that
// cannot be known.
func sourceOf(pass *analysis.Pass, u *Unit, lib *library.Model) *source {
	local := types.SizesFor("gc", runtime.GOARCH)
	if pass.TypesSizes == nil || local == nil || sizesOf(pass.TypesSizes) != sizesOf(local) || len(lib.Files()) > 0 {
		return nil
	}
	s := &source{Name: pass.Pkg.Name(), GoVersion: pass.Pkg.GoVersion(), Module: u.Module}
	h := sha256.New()
	for _, f := range pass.Files {
		name := pass.Fset.File(f.FileStart).Name()
		text, err := pass.ReadFile(name)
		if err != nil || !filepath.IsAbs(name) {
			return nil
		}
		s.Files, s.Texts = append(s.Files, name), append(s.Texts, "")
		if !lasting(u, name, text) {
			s.Texts[len(s.Texts)-1] = string(text)
		}
		hashFile(h, text)
		for _, spec := range f.Imports {
			s.Cgo = s.Cgo || spec.Path.Value == `"C"`
		}
	}
	s.Sum = string(h.Sum(nil))
	s.starter = findStarters(pass.Pkg, pass.Files, pass.TypesInfo, lib, func(fn *types.Func) bool {
		if fn.Pkg() == nil {
			return false
		}
		rec := u.source.record(fn.Pkg().Path())
		return rec != nil && (rec.source == nil || rec.source.leads(fn.FullName()))
	})
	return s
}

// lasting reports whether a file will be read as the driver has it: it is not being
// edited, nor in a cache of what cgo makes.
func lasting(u *Unit, name string, text []byte) bool {
	if filepath.Base(name) == "_cgo_gotypes.go" {
		return false
	}
	if u.Module == "" {
		return true
	}
	disk, err := os.ReadFile(name)
	return err == nil && bytes.Equal(text, disk)
}

// A lowering makes the templates that one unit asks for.
type lowering struct {
	r     *resolver
	stock *stock
	mains []string
	fset  *token.FileSet
	types map[string]*types.Package // declarations, by path
}

// making has a lock for each package that is lowered now: units are analysed at the same
// time, and ask for the same packages.
var making sync.Map // hash → *sync.Mutex

// blob returns the templates of a package, or nil.
func (l *lowering) blob(path string, rec *record) []byte {
	self, err := programHash()
	if rec.source == nil || err != nil {
		return nil
	}
	key := sha256.Sum256(append(append([]byte("later"), self[:]...), rec.sum[:]...))
	mu, _ := making.LoadOrStore(key, new(sync.Mutex))
	mu.(*sync.Mutex).Lock()
	defer mu.(*sync.Mutex).Unlock()
	if p := l.stock.get(key); p != nil {
		return p.blob
	}
	blob := l.make(path, rec)
	if blob != nil {
		l.stock.put(key, &storedPart{blob: blob})
	}
	return blob
}

// make type-checks a package and lowers it; nil if that cannot be done.
func (l *lowering) make(path string, rec *record) []byte {
	pkg := l.check(path, rec, true)
	if pkg == nil {
		return nil
	}
	u := &Unit{
		Fset: l.fset, Pkg: pkg.Types, Files: pkg.Syntax, Info: pkg.TypesInfo,
		Module: rec.source.Module, Mains: l.mains, source: l.r,
	}
	u.Root = ModuleRoot(filepath.Dir(rec.source.Files[0]))
	if u.Module == "" {
		dropTables(u.Files, u.Info)
	}
	blob, err := u.encode(nil)
	if err != nil {
		return nil
	}
	return blob
}

// declarations returns the types of what a package declares, or nil.
func (l *lowering) declarations(path string) *types.Package {
	if path == "unsafe" {
		return types.Unsafe
	}
	pkg, ok := l.types[path]
	if !ok {
		if rec := l.r.record(path); rec != nil && rec.source != nil {
			if p := l.check(path, rec, false); p != nil {
				pkg = p.Types
			}
		}
		l.types[path] = pkg
	}
	return pkg
}

// check type-checks a package, with bodies or without; nil if it is not what it was.
func (l *lowering) check(path string, rec *record, bodies bool) *packages.Package {
	texts, ok := rec.source.read()
	if !ok || len(texts) == 0 {
		return nil
	}
	pkg := &packages.Package{PkgPath: path, Name: rec.source.Name, TypesSizes: types.SizesFor("gc", runtime.GOARCH)}
	for i, name := range rec.source.Files {
		text := texts[i]
		if !bodies {
			text = withoutBodies(text)
		}
		f, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		pkg.Syntax = append(pkg.Syntax, f)
	}
	pkg.Module = &packages.Module{GoVersion: strings.TrimPrefix(rec.source.GoVersion, "go")}
	pkg.Imports = make(map[string]*packages.Package)
	for _, f := range pkg.Syntax {
		for _, spec := range f.Imports {
			l.importInto(pkg, rec, spec)
		}
	}
	checkTypes(pkg, l.fset, typeChecking{bodies: bodies, cgo: rec.source.Cgo})
	if pkg.IllTyped {
		return nil
	}
	return pkg
}

// importInto makes what an import names known to a package. In the standard library and
// in vendor directories the path of a package is not what the import says.
func (l *lowering) importInto(pkg *packages.Package, rec *record, spec *ast.ImportSpec) {
	name := strings.Trim(spec.Path.Value, "`\"")
	if name == "C" || name == "unsafe" || pkg.Imports[name] != nil {
		return
	}
	for _, d := range rec.deps {
		if d.path == name || strings.HasSuffix(d.path, "vendor/"+name) {
			if t := l.declarations(d.path); t != nil {
				pkg.Imports[name] = &packages.Package{PkgPath: d.path, Types: t}
			}
			return
		}
	}
}

package analyzer

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/ssa"
)

// A resolver finds the stored templates of packages: those whose facts the
// driver has handed in at once, others by following the hashes in the facts of
// those that import them. It is the pta.Source of one unit.
type resolver struct {
	stores  []recordStore
	records map[string]*record // loaded, by package path; nil where nothing was found
	refs    map[string]dep     // what loaded records say of others
	order   []string           // keys of refs, in the order in which they were met
	blobs   map[string]*pta.Blob
	dirs    map[string]string // found so far
	inView  map[string]*types.Package
	fset    *token.FileSet
	root    string    // file names are relative to it
	module  string    // of the unit
	lost    []string  // packages of which a record ought to be somewhere, and is not
	lower   *lowering // makes the templates that records have none of, or nil
}

// A recordStore keeps records by hash.
type recordStore interface {
	// find returns the bytes that have the record, or nil. They are checked: hashing takes
	// more than all else that is done with what no function is looked at of.
	find(d dep) []byte
}

func newResolver(stores ...recordStore) *resolver {
	return &resolver{
		stores: stores, records: make(map[string]*record), refs: make(map[string]dep),
		blobs: make(map[string]*pta.Blob), dirs: make(map[string]string),
	}
}

// add makes the record of a package known, as the driver has it, and returns
// its hash; ok is false if it is of another version or broken.
func (r *resolver) add(path string, data []byte) (sum hash, ok bool) {
	rec, sum, err := readRecord(data)
	if err != nil {
		r.records[path] = nil
		r.lost = append(r.lost, path)
		return hash{}, false
	}
	r.records[path] = rec
	r.follow(rec)
	return sum, true
}

func (r *resolver) follow(rec *record) {
	for _, d := range rec.deps {
		if _, ok := r.refs[d.path]; !ok {
			r.refs[d.path] = d
			r.order = append(r.order, d.path)
		}
	}
}

// record returns the record of a package, or nil.
func (r *resolver) record(path string) *record {
	if rec, ok := r.records[path]; ok {
		return rec
	}
	// A package is most often imported by one whose templates were read; where
	// it is not, all that is known is read until it is met.
	for i := 0; i < len(r.order) && r.refs[path].path == ""; i++ {
		if _, ok := r.records[r.order[i]]; !ok {
			r.load(r.order[i])
		}
	}
	if r.refs[path].path != "" {
		r.load(path)
	} else {
		r.records[path] = nil
	}
	return r.records[path]
}

// load looks for the record of a package of which the hash is known.
func (r *resolver) load(path string) {
	d := r.refs[path]
	for _, s := range r.stores {
		body, sum, ok := findRecord(s.find(d))
		if !ok || sum != d.hash {
			continue
		}
		if rec, err := parseRecord(body, sum); err == nil {
			r.records[path] = rec
			r.follow(rec)
			return
		}
	}
	r.records[path] = nil
	r.lost = append(r.lost, path)
}

// Blob implements pta.Source.
func (r *resolver) Blob(path string) *pta.Blob {
	if b, ok := r.blobs[path]; ok {
		return b
	}
	var b *pta.Blob
	if rec := r.record(path); rec != nil {
		data := rec.blob
		if len(data) == 0 && r.lower != nil {
			r.blobs[path] = nil // not asked for again by what is made now
			data = r.lower.blob(path, rec)
		}
		var err error
		if b, err = pta.OpenBlob(data); err != nil {
			r.lost = append(r.lost, path)
			b = nil
		}
	}
	r.blobs[path] = b
	return b
}

// quiet reports whether it is known without its template that a function of another
// package starts no goroutines for its caller.
func (r *resolver) quiet(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return false
	}
	rec := r.record(obj.Pkg().Path())
	return rec != nil && rec.source != nil && !rec.source.may(obj.FullName())
}

// Dir implements pta.Source: the directory that objects of the package are
// declared in, or the package's path where no position is known.
func (r *resolver) Dir(path string) string {
	if d, ok := r.dirs[path]; ok {
		return d
	}
	if d, ok := r.directory(path); ok {
		r.dirs[path] = d
		return d
	}
	if r.module != "" && inModule(path, r.module) { // names are relative to its directory
		return strings.TrimPrefix(strings.TrimPrefix(path, r.module)+"/", "/")
	}
	return path + "/"
}

// directory learns the directory of a package from the positions of what it
// declares; ok is false if none is known.
func (r *resolver) directory(path string) (dir string, ok bool) {
	pkg := r.inView[path]
	if pkg == nil {
		return "", false
	}
	for _, name := range pkg.Scope().Names() {
		if f := r.fset.Position(pkg.Scope().Lookup(name).Pos()).Filename; f != "" {
			if dir = filepath.ToSlash(filepath.Dir(relativeTo(r.root, f))); dir == "." {
				return "", true
			}
			return dir + "/", true
		}
	}
	return "", false
}

// missing lists the packages whose facts were not found, sorted.
func (r *resolver) missing() []string {
	slices.Sort(r.lost)
	return slices.Compact(r.lost)
}

// A buildCache finds the files in which go vet keeps facts in the cache of the
// go command, by the hash of their content. That layout is not documented:
// where it changes, nothing is found.
type buildCache struct{ dir string }

// name returns the name of the file that has a content.
func (c buildCache) name(h hash) string {
	name := hex.EncodeToString(h[:])
	return filepath.Join(c.dir, name[:2], name+"-d")
}

// content returns the hash of the content of a file, which the name of those in the cache
// says. What is wrong with one of these is found when it is read.
func (c buildCache) content(file string) (h hash, err error) {
	if name, ok := strings.CutSuffix(filepath.Base(file), "-d"); ok && c.dir != "" && len(name) == hex.EncodedLen(len(h)) {
		if _, err := hex.Decode(h[:], []byte(name)); err == nil && c.name(h) == file {
			return h, nil
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return hash{}, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil { // a piece at a time: all of it is in memory already
		return hash{}, err
	}
	return hash(sum.Sum(nil)), nil
}

func (c buildCache) find(d dep) []byte {
	if c.dir == "" || d.file == (hash{}) {
		return nil
	}
	data, err := os.ReadFile(c.name(d.file))
	if err != nil || sha256.Sum256(data) != d.file {
		return nil
	}
	return data
}

package analyzer

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/iterace/iterace/internal/wire"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/packages"
)

// A stock keeps what whole programs need of packages outside the application,
// between runs: in the directory of the side cache, or in memory where there is
// none. What it has is found by a hash of all that it is made from, so it is
// never out of date, and runs with another version of iterace, other models or
// other code do not meet.
type stock struct {
	side sideCache
	mu   sync.Mutex
	kept map[hash][]byte // if there is no directory
	size int
}

// maxKept bounds what is kept in memory, in bytes; some 100 packages of the
// standard library take one million. When it is full it is emptied.
const maxKept = 64 << 20

// inMemory is the stock of those who name no directory.
var inMemory = &stock{kept: make(map[hash][]byte)}

// stockIn returns the stock in a directory, or that in memory.
func stockIn(dir string) *stock {
	if dir == "" {
		return inMemory
	}
	return &stock{side: sideCache{dir}}
}

// partMagic begins what is kept of a package. What follows is the hash of the
// rest, and the rest: the key, the length of the extras, these, and the blob.
const partMagic = "\x00iterace part\x01"

// extras is what is known of a package beside its templates.
type extras struct {
	// Bodies are the paths of packages of which its own bodies name something
	// generic.
	Bodies    []string
	Instances []string
	Sites     []pta.SiteCount
}

var extrasSchema = sync.OnceValue(func() *wire.Schema {
	s := wire.NewSchema()
	wire.Compile[extras](s)
	return s
})

// A storedPart is what was kept of a package.
type storedPart struct {
	extras
	blob []byte
}

// get returns what is kept under a key, or nil. What is broken is as if it were
// not there.
func (s *stock) get(key hash) *storedPart {
	var data []byte
	if s.side.dir == "" {
		s.mu.Lock()
		data = s.kept[key]
		s.mu.Unlock()
	} else {
		data = s.side.read(key)
	}
	if data == nil {
		return nil
	}
	p := readPart(data, key)
	if p == nil && s.side.dir != "" {
		s.side.remove(key) // so that it is written again
	}
	return p
}

// put keeps what was made of a package. That it cannot be kept is no error: it
// will be made again.
func (s *stock) put(key hash, p *storedPart) {
	data := p.write(key)
	if s.side.dir != "" {
		s.side.put(key, data)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += len(data); s.size > maxKept {
		clear(s.kept)
		s.size = len(data)
	}
	s.kept[key] = data
}

func (p *storedPart) write(key hash) []byte {
	var e wire.Encoder
	wire.Encode(extrasSchema(), &e, &p.extras)
	rest := e.Strings()
	rest = append(rest, e.Out...)
	body := append([]byte(nil), key[:]...)
	body = binary.AppendUvarint(body, uint64(len(rest)))
	body = append(body, rest...)
	body = append(body, p.blob...)
	sum := sha256.Sum256(body)
	return append(append([]byte(partMagic), sum[:]...), body...)
}

// readPart reads what write has written, or returns nil.
func readPart(data []byte, key hash) *storedPart {
	data, ok := bytes.CutPrefix(data, []byte(partMagic))
	if !ok || len(data) < 2*sha256.Size {
		return nil
	}
	sum, body := hash(data), data[sha256.Size:]
	if sha256.Sum256(body) != sum || hash(body) != key {
		return nil
	}
	body = body[sha256.Size:]
	n, k := binary.Uvarint(body)
	if k <= 0 || n > uint64(len(body)-k) {
		return nil
	}
	p := &storedPart{blob: body[k:][n:]}
	d := wire.NewDecoder(body[k:][:n], nil)
	table := d.ReadStrings()
	d = wire.NewDecoder(d.In, table)
	wire.Decode(extrasSchema(), d, &p.extras)
	if d.Bad || len(d.In) > 0 {
		return nil
	}
	return p
}

// programHash hashes this program: what another one has made may mean something
// else.
var programHash = sync.OnceValues(func() (hash, error) {
	name, err := os.Executable()
	if err != nil {
		return hash{}, err
	}
	f, err := os.Open(name)
	if err != nil {
		return hash{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return hash{}, err
	}
	return hash(h.Sum(nil)), nil
})

// A keyMaker makes the keys of the packages of one program.
type keyMaker struct {
	base []byte // what they have in common
	keys map[*packages.Package]hash
}

// newKeyMaker hashes what templates depend on beside the code: this program, the
// version of Go and the models. The error is for what cannot be read.
func newKeyMaker(lib *library.Model, closed bool) (*keyMaker, error) {
	self, err := programHash()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	h.Write(self[:])
	fmt.Fprintf(h, "%s %q %t\n", runtime.Version(), pta.Format(), closed)
	for _, name := range lib.Files() {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "model %d\n", len(text))
		h.Write(text)
	}
	return &keyMaker{base: h.Sum(nil), keys: make(map[*packages.Package]hash)}, nil
}

// key returns the key of a package with the given files, after its imports have
// theirs. Build tags and the like show in which files there are.
func (k *keyMaker) key(pkg *packages.Package, texts [][]byte) hash {
	h := sha256.New()
	h.Write(k.base)
	version := ""
	if pkg.Module != nil {
		version = pkg.Module.GoVersion
	}
	fmt.Fprintf(h, "package %q %q go %q\n", pkg.PkgPath, pkg.Name, version)
	if s := pkg.TypesSizes; s != nil {
		fmt.Fprintf(h, "sizes %v\n", sizesOf(s))
	}
	for i, text := range texts {
		sum := sha256.Sum256(text)
		fmt.Fprintf(h, "file %q %x\n", filepath.Base(pkg.CompiledGoFiles[i]), sum)
	}
	for _, path := range sortedImports(pkg) {
		sum := k.keys[pkg.Imports[path]]
		fmt.Fprintf(h, "import %q %x\n", path, sum)
	}
	sum := hash(h.Sum(nil))
	k.keys[pkg] = sum
	return sum
}

// sizesOf tells targets apart by how large types are there.
func sizesOf(s types.Sizes) [3]int64 {
	word, wide := types.Typ[types.Uintptr], types.Typ[types.Complex128]
	return [3]int64{s.Sizeof(word), s.Alignof(word), s.Alignof(wide)}
}

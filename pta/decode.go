package pta

import (
	"errors"
	"go/types"
	"math"
	"path"
	"strings"
	"sync"

	"github.com/iterace/iterace/internal/wire"
	"github.com/klauspost/compress/zstd"
)

// A Source has the stored templates of packages whose code is not in view.
type Source interface {
	// Blob returns the templates of a package, or nil if there are none.
	Blob(pkg string) *Blob
	// Dir returns what to put before the base names of the package's files.
	Dir(pkg string) string
}

// Instances is a Source that knows of instances of generic functions that other
// packages than the function's own have stored.
type Instances interface {
	Source
	// Instance returns a package that has stored the instance of a symbol, or "".
	Instance(symbol string) string
}

// Callers is a Source that has counted calls.
type Callers interface {
	Source
	// Sites returns the number of calls in stored packages that name the function
	// of a symbol.
	Sites(symbol string) int
}

// A Blob is the stored templates of one package. It belongs to no Program, and
// may be used by several.
type Blob struct {
	strings []string
	types   [][]byte
	named   map[string]uint64 // types declared in the package: their places in types
	funcs   []symbol          // those that are mentioned
	globals []byte
	bodies  map[string]stored // by symbol
}

type stored struct {
	body []byte
	summary
}

// ErrFormat is the error for a blob that another version has made, and ErrBlob
// for one that is broken.
var (
	ErrFormat = errors.New("templates of another version")
	ErrBlob   = errors.New("broken templates")
)

// maxBlob bounds what a blob unpacks to: sixteen times the largest seen.
const maxBlob = 1 << 30

var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlob))
	if err != nil {
		panic(err) // the options are constants
	}
	return r
})

// OpenBlob unpacks what Encode made. It checks the structure of the tables;
// that the content is what was written, the caller knows by its hash.
func OpenBlob(data []byte) (*Blob, error) {
	format := Format()
	if len(data) < len(format) || string(data[:len(format)]) != format {
		return nil, ErrFormat
	}
	raw, err := zstdDecoder().DecodeAll(data[len(format):], nil)
	if err != nil {
		return nil, ErrBlob
	}
	d := wire.NewDecoder(raw, nil)
	b := &Blob{strings: d.ReadStrings(), named: make(map[string]uint64), bodies: make(map[string]stored)}
	d = wire.NewDecoder(d.In, b.strings)
	lens := make([]uint64, d.Len())
	for i := range lens {
		lens[i] = d.Uint()
	}
	for range d.Len() {
		name := d.String()
		b.named[name] = d.Uint()
	}
	for _, n := range lens {
		b.types = append(b.types, d.Bytes(int(min(n, math.MaxInt32))))
	}
	b.funcs = make([]symbol, d.Len())
	for i := range b.funcs {
		b.funcs[i] = symbol{d.String(), d.String(), d.String()}
	}
	b.readGlobals(d)
	b.readBodies(d)
	if d.Bad || len(d.In) > 0 {
		return nil, ErrBlob
	}
	return b, nil
}

// readGlobals keeps the table of variables as it is: to read it takes a
// Program.
func (b *Blob) readGlobals(d *wire.Decoder) {
	b.globals = d.Bytes(d.Len())
}

func (b *Blob) readBodies(d *wire.Decoder) {
	n := d.Len()
	names, lens := make([]string, n), make([]int, n)
	for i := range n {
		names[i] = d.String()
		lens[i] = int(min(d.Uint(), math.MaxInt32))
		var s stored
		wire.Decode(schema(), d, &s.summary)
		b.bodies[names[i]] = s
	}
	for i, name := range names {
		s := b.bodies[name]
		s.body = d.Bytes(lens[i])
		b.bodies[name] = s
	}
}

// linked is a blob in a Program: the context of hooks while it is read.
type linked struct {
	*Blob
	p       *Program
	pkg     string
	dir     string
	types   []types.Type // by place, made on first use
	busy    map[uint64]bool
	globals []GlobalID
	line    int
}

// link returns the blob of a package, or nil.
func (p *Program) link(pkg string) *linked {
	if l, ok := p.blobs[pkg]; ok {
		return l
	}
	var l *linked
	if p.Source != nil && pkg != "" {
		if b := p.Source.Blob(pkg); b != nil {
			l = &linked{Blob: b, p: p, pkg: pkg, dir: p.Source.Dir(pkg), types: make([]types.Type, len(b.types))}
		}
	}
	p.blobs[pkg] = l
	return l
}

// stored returns what is stored of a function, or of the generic function that
// it is an instance of (soundness: generic-imports).
func (p *Program) stored(s symbol) (*linked, stored, bool) {
	l := p.link(s.pkg)
	if l == nil {
		return nil, stored{}, false
	}
	body, ok := l.bodies[s.name]
	if !ok && s.origin != "" {
		if x, is := p.Source.(Instances); is {
			if pkg := x.Instance(s.name); pkg != "" && p.link(pkg) != nil {
				l = p.link(pkg)
				body, ok = l.bodies[s.name]
				return l, body, ok
			}
		}
		body, ok = l.bodies[s.origin]
	}
	return l, body, ok
}

// read returns the stored template of a function, or nil.
func (p *Program) read(id FuncID) *Func {
	l, body, ok := p.stored(p.symbolOf(id))
	if !ok {
		return nil
	}
	return l.read(body.body)
}

func (l *linked) read(body []byte) *Func {
	d := wire.NewDecoder(body, l.strings)
	d.Context = l
	l.line = 0
	f := new(Func)
	wire.Decode(schema(), d, f)
	if d.Bad || len(d.In) > 0 {
		return nil
	}
	f.App = l.p.Application(f.Pkg)
	return f
}

// file returns the name of a file of the blob's package, or of another one.
func (l *linked) file(name, pkg string) string {
	switch {
	case name == "":
		return ""
	case pkg != "" && l.p.Source != nil:
		return l.p.Source.Dir(pkg) + name
	}
	return l.dir + name
}

func (l *linked) typeID(d *wire.Decoder, n uint64) TypeID {
	if n >= uint64(len(l.types)) {
		d.Fail()
		return 0
	}
	return l.p.types.id(l.typ(n))
}

func (l *linked) funcID(d *wire.Decoder, n uint64) FuncID {
	if n >= uint64(len(l.funcs)) {
		d.Fail()
		return noFunc
	}
	return l.p.symbolID(l.funcs[n])
}

func (l *linked) globalID(d *wire.Decoder, n uint64) GlobalID {
	if l.globals == nil {
		l.linkGlobals()
	}
	if n >= uint64(len(l.globals)) {
		d.Fail()
		return 0
	}
	return l.globals[n]
}

// linkGlobals reads the table of variables.
func (l *linked) linkGlobals() {
	d := wire.NewDecoder(l.Blob.globals, l.strings)
	d.Context = l
	line := l.line
	l.line = 0
	l.globals = make([]GlobalID, d.Len())
	for i := range l.globals {
		g := global{name: d.String(), full: d.String()}
		g.typ = l.typeID(d, d.Uint())
		decodePos(d, &g.pos, nil)
		if home := strings.TrimSuffix(g.full, "."+g.name); home != l.pkg && l.p.Source != nil && g.pos.IsValid() {
			g.pos.File = l.p.Source.Dir(home) + path.Base(g.pos.File)
		}
		l.globals[i] = l.p.globalNamed(g)
	}
	l.line = line
}

package pta

import (
	"errors"
	"go/types"
	"math"
	"path"
	"slices"
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
// may be used by several. Most of those that ask for it want summaries only, so
// the rest is unpacked when something else is asked for.
type Blob struct {
	names     []string // of the functions it has: symbols, sorted
	summaries []byte
	strings   []string // of the summaries
	ends      struct{ summaries, bodies ends }
	packed    []byte
	once      sync.Once
	rest      rest // what was packed, once it is open
}

// A rest is what templates and types are read from.
type rest struct {
	strings []string
	types   [][]byte
	named   map[string]uint64 // types declared in the package: their places in types
	funcs   []symbol          // those that are mentioned
	globals []byte
	bodies  []byte
}

// ends are where parts of an array end, of which each begins where the last one
// has ended.
type ends []int

// part returns part i of an array, or nil if that is too short.
func (e ends) part(all []byte, i int) []byte {
	begin := 0
	if i > 0 {
		begin = e[i-1]
	}
	if e[i] > len(all) {
		return nil
	}
	return all[begin:e[i]:e[i]]
}

func (e ends) last() int {
	if len(e) == 0 {
		return 0
	}
	return e[len(e)-1]
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

// OpenBlob reads what Encode made, as far as summaries. That the content is
// what was written, the caller knows by its hash.
func OpenBlob(data []byte) (*Blob, error) {
	format := Format()
	if len(data) < len(format) || string(data[:len(format)]) != format {
		return nil, ErrFormat
	}
	d := wire.NewDecoder(data[len(format):], nil)
	head, err := zstdDecoder().DecodeAll(d.Bytes(d.Len()), nil)
	b := &Blob{packed: d.Bytes(d.Len())}
	if err != nil || d.Bad || len(d.In) > 0 {
		return nil, ErrBlob
	}
	d = wire.NewDecoder(head, nil)
	b.strings = d.ReadStrings()
	d = wire.NewDecoder(d.In, b.strings)
	n := d.Len()
	b.names, b.ends.summaries, b.ends.bodies = make([]string, n), make(ends, n), make(ends, n)
	summaries, bodies := 0, 0
	for i := range n {
		b.names[i] = d.String()
		summaries += int(min(d.Uint(), maxBlob))
		bodies += int(min(d.Uint(), maxBlob))
		b.ends.summaries[i], b.ends.bodies[i] = summaries, bodies
	}
	b.summaries = d.Bytes(summaries)
	if d.Bad || len(d.In) > 0 || !slices.IsSorted(b.names) {
		return nil, ErrBlob
	}
	return b, nil
}

// open returns the rest. One that is broken is empty: nothing can be read.
func (b *Blob) open() *rest {
	b.once.Do(func() {
		raw, err := zstdDecoder().DecodeAll(b.packed, nil)
		if err != nil || !b.rest.read(wire.NewDecoder(raw, nil), b.ends.bodies.last()) {
			b.rest = rest{}
		}
		b.packed = nil
	})
	return &b.rest
}

// find returns the place of a function, by symbol; ok is false if it has none.
func (b *Blob) find(name string) (i int, ok bool) { return slices.BinarySearch(b.names, name) }

// read reads all tables; false if they are not what they should be.
func (r *rest) read(d *wire.Decoder, bodies int) bool {
	r.strings = d.ReadStrings()
	d = wire.NewDecoder(d.In, r.strings)
	lens := make([]uint64, d.Len())
	for i := range lens {
		lens[i] = d.Uint()
	}
	r.named = make(map[string]uint64)
	for range d.Len() {
		name := d.String()
		r.named[name] = d.Uint()
	}
	for _, n := range lens {
		r.types = append(r.types, d.Bytes(int(min(n, math.MaxInt32))))
	}
	r.funcs = make([]symbol, d.Len())
	for i := range r.funcs {
		r.funcs[i] = symbol{d.String(), d.String(), d.String()}
	}
	r.globals = d.Bytes(d.Len()) // to read them takes a Program
	r.bodies = d.Bytes(bodies)
	return !d.Bad && len(d.In) == 0
}

// linked is a blob in a Program: the context of hooks while it is read.
type linked struct {
	*Blob
	p         *Program
	pkg       string
	dir       string
	summaries []*summary   // by place, read on first use
	types     []types.Type // by place, made on first use
	busy      map[uint64]bool
	globals   []GlobalID
	line      int
}

// link returns the blob of a package, or nil.
func (p *Program) link(pkg string) *linked {
	if l, ok := p.blobs[pkg]; ok {
		return l
	}
	var l *linked
	if p.Source != nil && pkg != "" {
		if b := p.Source.Blob(pkg); b != nil {
			l = newLinked(p, b, pkg, p.Source.Dir(pkg))
		}
	}
	p.blobs[pkg] = l
	return l
}

func newLinked(p *Program, b *Blob, pkg, dir string) *linked {
	return &linked{Blob: b, p: p, pkg: pkg, dir: dir, summaries: make([]*summary, len(b.names))}
}

// stored returns where a function is stored, or the generic function that it is
// an instance of (soundness: generic-imports).
func (p *Program) stored(s symbol) (l *linked, i int, ok bool) {
	if l = p.link(s.pkg); l == nil {
		return nil, 0, false
	}
	i, ok = l.find(s.name)
	if !ok && s.origin != "" {
		if x, is := p.Source.(Instances); is {
			if pkg := x.Instance(s.name); pkg != "" && p.link(pkg) != nil {
				l = p.link(pkg)
				i, ok = l.find(s.name)
				return l, i, ok
			}
		}
		i, ok = l.find(s.origin)
	}
	return l, i, ok
}

// read returns the stored template of a function, or nil.
func (p *Program) read(id FuncID) *Func {
	l, i, ok := p.stored(p.symbolOf(id))
	if !ok {
		return nil
	}
	return l.read(i)
}

// summary returns what is stored of the function at a place for its callers.
func (l *linked) summary(i int) *summary {
	if l.summaries[i] == nil {
		l.summaries[i] = l.readSummary(i)
	}
	return l.summaries[i]
}

func (b *Blob) readSummary(i int) *summary {
	s := new(summary)
	wire.Decode(schema(), wire.NewDecoder(b.ends.summaries.part(b.summaries, i), b.strings), s)
	return s
}

// Starts reports what is stored of a function, by the name that go/types gives it: whether
// it may start goroutines for its caller, and make its caller's test parallel.
func (b *Blob) Starts(name string) (starts, parallel, known bool) {
	i, ok := b.find(name)
	if !ok {
		return false, false, false
	}
	s := b.readSummary(i)
	return s.Starts, s.Parallel, true
}

func (l *linked) read(i int) *Func {
	r := l.open()
	d := wire.NewDecoder(l.ends.bodies.part(r.bodies, i), r.strings)
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
	if n >= uint64(len(l.open().types)) {
		d.Fail()
		return 0
	}
	return l.p.types.id(l.typ(n))
}

func (l *linked) funcID(d *wire.Decoder, n uint64) FuncID {
	r := l.open()
	if n >= uint64(len(r.funcs)) {
		d.Fail()
		return noFunc
	}
	return l.p.symbolID(r.funcs[n])
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
	d := wire.NewDecoder(l.open().globals, l.open().strings)
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

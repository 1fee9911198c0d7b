package pta

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/internal/wire"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta/flow"
	"github.com/klauspost/compress/zstd"
)

// This file stores templates. A blob holds those of one package, with tables
// of what they mention: strings, types, functions and variables by symbol. Each
// template can be read on its own. What callers want to know of a function
// without its template, its summary, stands before all that and is packed by
// itself: most packages of which a blob is opened are asked for no more. Of go vet
// of x/tools that is 5 % of the CPU time, for 3 % more bytes.
//
// Positions have the base name of their file only, and the package it belongs
// to where that is another one, so that a blob does not depend on where the code
// was checked out.

// formatVersion changes when the meaning of stored data changes though its
// structure, which the fingerprint covers, does not.
const formatVersion = 152

// schema says how the parts of a template are encoded.
var schema = sync.OnceValue(func() *wire.Schema {
	s := wire.NewSchema()
	wire.Delta[ssair.Instr](s)
	wire.Delta[Node](s)
	s.Skip("pta.Func.ID", "flow.Func.growing", "flow.Func.texts", "index.Func.once", "index.Func.code", "library.Func.File", "library.Func.Line")
	wire.Number(s, func(e *wire.Encoder, t TypeID) { e.Uint(e.Context.(*encoder).types.ref(t)) },
		func(d *wire.Decoder) TypeID { return d.Context.(*linked).typeID(d, d.Uint()) })
	wire.Number(s, func(e *wire.Encoder, f FuncID) {
		if f == noFunc {
			e.Uint(0)
			return
		}
		e.Uint(e.Context.(*encoder).funcs.ref(f) + 1)
	}, func(d *wire.Decoder) FuncID {
		n := d.Uint()
		if n == 0 {
			return noFunc
		}
		return d.Context.(*linked).funcID(d, n-1)
	})
	// Only some calls have a method, and only some allocations a function.
	wire.Hook(s, func(e *wire.Encoder, c *Call, usual func(*Call)) {
		b := *c
		if b.Kind != CallInvoke {
			b.Method = -1
		}
		usual(&b)
	}, func(d *wire.Decoder, c *Call, usual func(*Call)) {
		usual(c)
		c.Method = max(c.Method, 0)
	})
	wire.Number(s, func(e *wire.Encoder, m MethodID) {
		if m < 0 {
			e.Uint(0)
			return
		}
		e.Uint(1)
		meth := e.Context.(*encoder).p.methods[m]
		e.String(meth.pkg)
		e.String(meth.name)
		e.String(meth.full)
	}, func(d *wire.Decoder) MethodID {
		if d.Uint() == 0 {
			return -1
		}
		m := method{d.String(), d.String(), d.String()}
		return d.Context.(*linked).p.methodID(m)
	})
	wire.Hook(s, encodeConstraint, decodeConstraint)
	typeNumber(s, func(c *Content) (*int32, bool) { return &c.N, c.Kind == ContentType })
	typeNumber(s, func(g *Given) (*int32, bool) { return &g.N, g.Kind == ContentType })
	typeNumber(s, func(c *Comparison) (*int64, bool) { return &c.N, c.asksType() })
	wire.Hook(s, func(e *wire.Encoder, a *Alloc, usual func(*Alloc)) {
		b := *a
		if b.Kind != AllocClosure {
			b.Func = noFunc
		}
		usual(&b)
	}, func(d *wire.Decoder, a *Alloc, usual func(*Alloc)) {
		if usual(a); a.Func == noFunc {
			a.Func = 0
		}
	})
	wire.Hook(s, encodePos, decodePos)
	wire.Compile[Func](s)
	wire.Compile[summary](s)
	return s
})

// Format names what blobs of this program look like.
var Format = sync.OnceValue(func() string {
	sum := sha256.Sum256(binary.AppendUvarint([]byte(schema().Fingerprint()), formatVersion))
	return string(sum[:8])
})

// An encoder is the context of hooks while a blob is made.
type encoder struct {
	wire.Encoder
	p       *Program
	pkg     string
	types   refs[TypeID]
	funcs   refs[FuncID]
	globals refs[GlobalID]
	entries []entry
	has     map[FuncID]bool
	line    int // of the last position

	lastDir, lastHome string // memo of home
}

type entry struct {
	id   FuncID
	name string // symbol
	body []byte
	summary
}

// refs numbers what a blob mentions, in the order in which it is first
// mentioned.
type refs[T comparable] struct {
	number map[T]uint64
	list   []T
}

func (r *refs[T]) ref(x T) uint64 {
	n, ok := r.number[x]
	if !ok {
		if r.number == nil {
			r.number = make(map[T]uint64)
		}
		n = uint64(len(r.list))
		r.number[x] = n
		r.list = append(r.list, x)
	}
	return n
}

// ofType reports whether the argument of a constraint is the number of a type.
func (op Op) ofType() bool {
	switch op {
	case OpBox, OpBoxVal, OpBoxConst, OpUnbox, OpUnboxVal, OpFilter, OpNotType:
		return true
	}
	return false
}

func encodeConstraint(e *wire.Encoder, c *Constraint, usual func(*Constraint)) {
	x := e.Context.(*encoder)
	d := *c
	switch {
	case c.Op == OpGlobal, c.Op == OpNotGlobal:
		d.Arg = int32(x.globals.ref(GlobalID(c.Arg)))
	case c.Op == OpFunc, c.Op == OpNotMade:
		d.Arg = int32(x.funcs.ref(FuncID(c.Arg)))
	case c.Op.ofType():
		d.Arg = int32(x.types.ref(TypeID(c.Arg)))
	}
	usual(&d)
}

func decodeConstraint(d *wire.Decoder, c *Constraint, usual func(*Constraint)) {
	usual(c)
	x, n := d.Context.(*linked), uint64(uint32(c.Arg))
	switch {
	case c.Op == OpGlobal, c.Op == OpNotGlobal:
		c.Arg = int32(x.globalID(d, n))
	case c.Op == OpFunc, c.Op == OpNotMade:
		c.Arg = int32(x.funcID(d, n))
	case c.Op.ofType():
		c.Arg = int32(x.typeID(d, n))
	}
}

// typeNumber says which number in values of type T is that of a type, if it is one.
func typeNumber[T any, N int32 | int64](s *wire.Schema, number func(*T) (*N, bool)) {
	wire.Hook(s, func(e *wire.Encoder, x *T, usual func(*T)) {
		y := *x
		if n, ok := number(&y); ok {
			*n = N(e.Context.(*encoder).types.ref(TypeID(*n)))
		}
		usual(&y)
	}, func(d *wire.Decoder, x *T, usual func(*T)) {
		usual(x)
		if n, ok := number(x); ok {
			*n = N(d.Context.(*linked).typeID(d, uint64(*n)))
		}
	})
}

// home returns the package that has its files in a directory, "" for the blob's
// own and where that is not known.
func (x *encoder) home(dir string) string {
	if x.p.Package == nil || dir == x.lastDir {
		return x.lastHome
	}
	x.lastDir, x.lastHome = dir, x.p.Package(dir)
	if x.lastHome == x.pkg {
		x.lastHome = ""
	}
	return x.lastHome
}

func encodePos(e *wire.Encoder, p *model.Pos, _ func(*model.Pos)) {
	x := e.Context.(*encoder)
	dir, base := path.Split(p.File)
	e.String(base)
	e.String(x.home(dir))
	e.Int(int64(p.Line - x.line))
	e.Uint(uint64(p.Col))
	x.line = p.Line
}

func decodePos(d *wire.Decoder, p *model.Pos, _ func(*model.Pos)) {
	x := d.Context.(*linked)
	base := d.String()
	p.File = x.file(base, d.String())
	x.line += int(d.Int())
	p.Line, p.Col = x.line, int(d.Uint())
}

// Encode stores the templates of functions of a package, lowering those that
// are not yet: the given ones, and all that they mention and that have code
// only here.
func (p *Program) Encode(pkg string, fns []FuncID) []byte { return p.encode(pkg, fns).blob() }

func (p *Program) encode(pkg string, fns []FuncID) *encoder {
	e := &encoder{p: p, pkg: pkg}
	e.Context = e
	e.declareTypes()
	e.has = make(map[FuncID]bool)
	add := func(id FuncID) {
		if !e.has[id] && p.storedHere(id, pkg) {
			e.has[id] = true
			f := p.Func(id)
			e.add(f, p.summaryOf(f))
		}
	}
	for _, id := range fns {
		add(id)
	}
	for i := 0; i < len(e.funcs.list); i++ {
		add(e.funcs.list[i])
	}
	return e
}

// storeAndRead returns a template as it is after it was stored. Tests analyse
// whole programs with that.
func (p *Program) storeAndRead(f *Func) *Func {
	e := &encoder{p: p, pkg: f.Pkg}
	e.Context = e
	e.add(f, summary{})
	b, err := OpenBlob(e.blob())
	if err != nil {
		panic(err)
	}
	file := f.Pos.File
	if pkg := p.ssa.ImportedPackage(f.Pkg); pkg != nil && file == "" { // an initialiser
		for _, name := range sortedKeys(pkg.Members) {
			if at := p.pos(pkg.Members[name].Pos()); at.IsValid() {
				file = at.File
				break
			}
		}
	}
	dir, _ := path.Split(file)
	g := newLinked(p, b, f.Pkg, dir).read(0)
	g.ID = f.ID
	return g
}

// storedHere reports whether a function's template belongs into the package's
// blob: no other has it. That of an instance of another package's generic
// function does, with its function literals. Where the model describes a function its
// code need not be there.
func (p *Program) storedHere(id FuncID, pkg string) bool {
	fn := p.fns[id]
	if fn == nil {
		return false
	}
	if pkgPath(fn) == pkg {
		e := p.entry(fn)
		return fn.Blocks != nil || fn.Synthetic != "from type information (on demand)" && (p.Whole || e != nil && p.blackHole(e))
	}
	fn = ssair.Top(fn)
	return fn.Blocks != nil && fn.Synthetic != ""
}

// add stores a template.
func (e *encoder) add(f *Func, s summary) {
	e.Restart()
	e.line = 0
	body := e.Piece(func() { wire.Encode(schema(), &e.Encoder, f) })
	e.entries = append(e.entries, entry{f.ID, e.p.symbolOf(f.ID).name, body, s})
}

// blob puts the pieces together: first what callers want to know, and then the
// templates with the tables that they need. Of these, what is mentioned is
// written last and stands first: writing types mentions more of them.
func (e *encoder) blob() []byte {
	slices.SortFunc(e.entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var sums wire.Encoder
	var ends []int
	summaries := sums.Piece(func() {
		for i := range e.entries {
			sums.Restart()
			wire.Encode(schema(), &sums, &e.entries[i].summary)
			ends = append(ends, len(sums.Out))
		}
	})
	index := sums.Piece(func() {
		sums.Uint(uint64(len(e.entries)))
		begin := 0
		for i, x := range e.entries {
			sums.String(x.name)
			sums.Uint(uint64(ends[i] - begin))
			sums.Uint(uint64(len(x.body)))
			begin = ends[i]
		}
	})
	head := slices.Concat(sums.Strings(), index, summaries)
	funcs := e.Piece(func() {
		e.Uint(uint64(len(e.funcs.list)))
		for _, id := range e.funcs.list {
			s := e.p.symbolOf(id)
			e.String(s.name)
			if e.has[id] {
				e.String(e.pkg) // what go/ssa makes of another package's method, it makes here
			} else {
				e.String(s.pkg)
			}
			e.String(s.origin)
		}
	})
	e.line = 0
	globals := e.Piece(func() {
		e.Uint(uint64(len(e.globals.list)))
		for _, id := range e.globals.list {
			g := &e.p.globals[id]
			e.String(g.name)
			e.String(g.full)
			e.Uint(e.types.ref(g.typ))
			wire.Encode(schema(), &e.Encoder, &g.pos)
		}
	})
	types := e.typeTable()
	table := e.Strings()
	size := len(table) + len(types) + len(funcs) + binary.MaxVarintLen64 + len(globals)
	for i := range e.entries {
		size += len(e.entries[i].body)
	}
	out := append(make([]byte, 0, size), table...)
	out = append(out, types...)
	out = append(out, funcs...)
	out = binary.AppendUvarint(out, uint64(len(globals)))
	out = append(out, globals...)
	for i := range e.entries {
		out = append(out, e.entries[i].body...)
	}
	return packBlob(head, out)
}

// packBlob makes a blob of its two halves.
func packBlob(head, rest []byte) []byte {
	out := []byte(Format())
	for _, x := range [][]byte{head, rest} {
		packed := zstdEncoder().EncodeAll(x, nil)
		out = binary.AppendUvarint(out, uint64(len(packed)))
		out = append(out, packed...)
	}
	return out
}

var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	// One goroutine: drivers run many of these at once.
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err) // the options are constants
	}
	return w
})

// A summary is what callers ask of a function without reading its template.
type summary struct {
	RFresh  []bool
	From    []returnFrom // by result
	Born    []bool       // by result: new memory that nobody else has been given
	Keeps   []handling   // by parameter
	Backs   []int32      // by result: see returnsParam
	Wraps   []bool       // by parameter: see wraps
	Calls   []frequency  // by parameter
	Factory bool
	Wrapper bool
	Starts  bool        // it may start goroutines for its caller
	Error   bool        // see flow.MakesError
	Index   *index.Func // see index.Small

	Parallel bool // see flow.GoesParallel
	Never    bool // see flow.NeverReturns
}

func (p *Program) summaryOf(f *Func) summary {
	s := summary{RFresh: f.RFresh, Factory: f.Factory, Wrapper: f.Wrapper, Starts: p.startsFor(f, make(map[FuncID]bool))}
	if fn := p.fns[f.ID]; fn.Blocks != nil {
		s.Error, s.Index = flow.MakesError(fn, holes{p}), index.Small(fn, p.smallIndex)
		for i := range fn.Signature.Results().Len() {
			s.From = append(s.From, p.resultFrom(fn, i))
			s.Born = append(s.Born, p.born(fn, i, freshDepth))
			s.Backs = append(s.Backs, int32(p.returnsParam(fn, i)))
		}
		for k := range fn.Params {
			s.Keeps = append(s.Keeps, p.doesWith(fn, k))
			s.Wraps = append(s.Wraps, p.wraps(fn, k))
			s.Calls = append(s.Calls, p.callsParam(fn, k, roundsDepth))
		}
		s.Parallel, s.Never = flow.GoesParallel(fn, holes{p}), flow.NeverReturns(fn, holes{p}, flow.NeverDepth)
	}
	return s
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

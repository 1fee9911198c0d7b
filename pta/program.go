package pta

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// MethodID is the number of an interface method in a Program.
type MethodID int32

// GlobalID is the number of a package-level variable in a Program.
type GlobalID int32

// Options tell NewProgram what it cannot see.
type Options struct {
	Library *library.Model
	// Application reports whether a package is the user's own.
	Application func(pkgPath string) bool
	Root        string // directory that file names are relative to
	// Closed turns modelled functions that are safe on closure into black
	// holes. It is off only when the threadsafe stage is disabled.
	Closed bool
}

// A Program is the template of every function that the analysis asked for, and
// the tables that templates refer to. Functions are lowered on first use.
type Program struct {
	Options
	ssa      *ssa.Program
	types    typeTable
	fns      []*ssa.Function // by FuncID
	funcs    []*Func         // by FuncID, nil until lowered
	ids      map[*ssa.Function]FuncID
	globals  []*ssa.Global
	globIDs  map[*ssa.Global]GlobalID
	methods  []*types.Func
	methIDs  map[*types.Func]MethodID
	lookups  map[lookup]FuncID
	impls    map[lookup]bool
	seals    map[TypeID][]TypeID // see sealed
	born     map[resultKey]bool  // see bornIn
	fresh    map[*ssa.Function]*freshInfo
	sites    map[*ssa.Function]int // static calls of a function, see sitesOf
	entries  map[*ssa.Function]*library.Func
	resolver *library.Resolver // made on first use
	closures map[FuncID]*Layout
	named    map[string]MethodID
	files    map[string]string
}

type lookup struct {
	typ TypeID
	x   int32
}

// NewProgram prepares the lowering of an SSA program that is built already.
func NewProgram(prog *ssa.Program, opt Options) *Program {
	p := &Program{
		Options:  opt,
		ssa:      prog,
		ids:      make(map[*ssa.Function]FuncID),
		globIDs:  make(map[*ssa.Global]GlobalID),
		methIDs:  make(map[*types.Func]MethodID),
		lookups:  make(map[lookup]FuncID),
		impls:    make(map[lookup]bool),
		seals:    make(map[TypeID][]TypeID),
		fresh:    make(map[*ssa.Function]*freshInfo),
		entries:  make(map[*ssa.Function]*library.Func),
		closures: make(map[FuncID]*Layout),
		named:    make(map[string]MethodID),
		files:    make(map[string]string),
	}
	p.types = typeTable{
		backing: make(map[TypeID]*Layout),
		mapObj:  make(map[TypeID]*Layout),
		isSync:  isSyncType,
	}
	return p
}

// isSyncType reports whether a type's fields are of no interest: the
// synchronisation types, one leaf each.
func isSyncType(n *types.Named) bool {
	pkg := n.Obj().Pkg()
	if pkg == nil {
		return false
	}
	switch pkg.Path() {
	case "sync", "sync/atomic", "internal/sync", "internal/runtime/atomic":
		_, ok := n.Underlying().(*types.Struct)
		return ok
	}
	return false
}

// FuncID returns the number of fn.
func (p *Program) FuncID(fn *ssa.Function) FuncID {
	if id, ok := p.ids[fn]; ok {
		return id
	}
	id := FuncID(len(p.fns))
	p.ids[fn] = id
	p.fns = append(p.fns, fn)
	p.funcs = append(p.funcs, nil)
	return id
}

// Func returns the template of a function.
func (p *Program) Func(id FuncID) *Func {
	if f := p.funcs[id]; f != nil {
		return f
	}
	f := p.lower(p.fns[id])
	f.ID = id
	p.funcs[id] = f
	return f
}

// Lowered returns the templates made so far, by number.
func (p *Program) Lowered() []*Func {
	var out []*Func
	for _, f := range p.funcs {
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}

func (p *Program) globalID(g *ssa.Global) GlobalID {
	if id, ok := p.globIDs[g]; ok {
		return id
	}
	id := GlobalID(len(p.globals))
	p.globIDs[g] = id
	p.globals = append(p.globals, g)
	return id
}

func (p *Program) methodID(m *types.Func) MethodID {
	if id, ok := p.methIDs[m]; ok {
		return id
	}
	id := MethodID(len(p.methods))
	p.methIDs[m] = id
	p.methods = append(p.methods, m)
	return id
}

// methodNamed returns the number of the method of a name, whatever the
// interface; the model names methods in that way.
func (p *Program) methodNamed(name string) MethodID {
	if id, ok := p.named[name]; ok {
		return id
	}
	id := p.methodID(types.NewFunc(token.NoPos, nil, name, types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	p.named[name] = id
	return id
}

// formats reports whether a dynamic type prints itself: package fmt then calls
// its method and reads nothing else.
func (p *Program) formats(t TypeID) bool {
	for _, name := range library.FormatMethods {
		if p.method(t, p.methodNamed(name)) != noFunc {
			return true
		}
	}
	return false
}

// noFunc is the result of a failed look-up.
const noFunc FuncID = -1

// method returns the function that a call of interface method m runs on a
// value of the dynamic type t.
func (p *Program) method(t TypeID, m MethodID) FuncID {
	k := lookup{t, int32(m)}
	if id, ok := p.lookups[k]; ok {
		return id
	}
	id := noFunc
	meth := p.methods[m]
	typ := p.types.types[t]
	if sel := types.NewMethodSet(typ).Lookup(meth.Pkg(), meth.Name()); sel != nil {
		if fn := p.ssa.MethodValue(sel); fn != nil {
			id = p.FuncID(fn)
		}
	}
	p.lookups[k] = id
	return id
}

// implements reports whether dynamic type t implements interface type i.
func (p *Program) implements(t, i TypeID) bool {
	k := lookup{t, int32(i)}
	if ok, seen := p.impls[k]; seen {
		return ok
	}
	iface, _ := p.types.types[i].Underlying().(*types.Interface)
	ok := iface != nil && types.Implements(p.types.types[t], iface)
	p.impls[k] = ok
	return ok
}

// pos converts a position; file names are relative to Options.Root where they
// lie below it.
func (p *Program) pos(x token.Pos) model.Pos {
	if !x.IsValid() {
		return model.Pos{}
	}
	q := p.ssa.Fset.Position(x)
	name, ok := p.files[q.Filename]
	if !ok {
		name = q.Filename
		if rel, err := filepath.Rel(p.Root, name); err == nil && p.Root != "" && !strings.HasPrefix(rel, "..") {
			name = filepath.ToSlash(rel)
		}
		p.files[q.Filename] = name
	}
	return model.Pos{File: name, Line: q.Line, Col: q.Column}
}

// pkgPath returns the package that a function's code belongs to; wrappers and
// instances count as the package of what they wrap.
func pkgPath(fn *ssa.Function) string {
	for f := fn; f != nil; f = f.Parent() {
		if f.Pkg != nil {
			return f.Pkg.Pkg.Path()
		}
		if o := f.Origin(); o != nil && o.Pkg != nil {
			return o.Pkg.Pkg.Path()
		}
		if obj := f.Object(); obj != nil && obj.Pkg() != nil {
			return obj.Pkg().Path()
		}
	}
	return ""
}

// libraryName is the name by which the model knows a function.
func libraryName(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.String()
}

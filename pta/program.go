package pta

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"sync"

	"github.com/iterace/iterace/internal/ssair"
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
	// Unit is the package that is analysed on its own, with no more than types
	// of all others, or "": only its loops are of interest.
	Unit string
	// Functions are those whose calls count for the context policy; nil stands
	// for all of the program.
	Functions map[*ssa.Function]bool
	// View reports whether the code of a package is in view, where Source has the
	// templates of all others; nil stands for all of the program, or for Unit.
	View func(pkgPath string) bool
	// Source has templates of functions of packages that are not in view, or is nil.
	Source Source
	// Whole says of a Unit that its templates are made for whole programs:
	// initialisers are called, and functions without code are stored too.
	Whole bool
	// Package returns the package that has its files in a directory, or "". It is
	// asked when templates are stored, see encodePos.
	Package func(dir string) string
	// Store lets every template be stored and read back before it is used.
	Store bool
}

// A Program is the template of every function that the analysis asked for, and
// the tables that templates refer to. Functions are lowered on first use.
type Program struct {
	Options
	ssa         *ssa.Program
	types       typeTable
	fns         []*ssa.Function // by FuncID
	funcs       []*Func         // by FuncID, nil until lowered
	ids         map[*ssa.Function]FuncID
	globals     []global
	globIDs     map[*ssa.Global]GlobalID
	methods     []method
	methIDs     map[method]MethodID
	lookups     map[lookup]FuncID
	impls       map[lookup]bool
	prints      map[TypeID]bool // see formats
	names       []string        // by FuncID, once the code is forgotten
	fset        *token.FileSet
	seals       map[TypeID][]TypeID     // see sealed
	births      map[resultKey]bool      // see bornIn
	kept        map[resultKey]handling  // see doesWith
	captures    map[captureKey]bool     // see closureKeeps
	backs       map[resultKey]int       // see returnsParam
	frequencies map[resultKey]frequency // see callsParam
	fresh       map[*ssa.Function]*freshInfo
	held        map[newKey]bool      // see heldNew
	givenUp     map[givenResult]bool // see resultGivenUp
	cycles      *callCycles
	helping     sync.Map // by FuncID: see helps
	asking      sync.Map // by FuncID: see asksType
	returns     map[returnKey]returnFrom
	sites       map[*ssa.Function]int                       // static calls of a function, see sitesOf
	promoted    map[*ssa.Function]int                       // of these, those in wrappers that go/ssa makes for types that embed another
	fieldStores map[*types.Var][]*ssa.Store                 // to fields that are not exported, see taken.go
	servers     map[*types.Package]bool                     // see serves
	named       map[string]int                              // the same by symbol, of those whose code is not in view
	globalUses  map[*ssa.Package]map[*ssa.Global]*globalUse // see usesOf
	errs        map[*ssa.Global]bool                        // see holes.HoldsError
	code        map[string][]*ssa.Function                  // by package, see functionsOf
	entries     map[*ssa.Function]*library.Func
	holes       map[any]*library.Func // by *ssa.Function, or *types.Func of an interface; see holes.Called
	never       map[neverKey]bool     // see holes.NeverReturns
	resolver    *library.Resolver     // made on first use
	closures    map[FuncID]*Layout
	identities  map[identityKey][]paramLeaf // see identity
	unknown     map[string]bool             // see Unknown

	// What stored templates refer to by name.
	symbols      []symbol // by FuncID, filled in when asked for
	bySymbol     map[string]FuncID
	byGlobal     map[string]GlobalID // by full name; see globalNamed
	blobs        map[string]*linked
	packages     map[string]*types.Package // see knownPackages
	madePackages map[string]*types.Package
	made         map[*types.Named]*madeType
	madeTypes    map[string]*types.Named
	localTypes   map[string]types.Type // declared in functions here, as far as they were stored
	typeContext  *types.Context

	files map[string]string

	// mu guards what overlays that are solved at the same time look up and fill:
	// lookups, impls, prints, seals, closures and identities. All else is done when the base is.
	mu sync.RWMutex
}

type lookup struct {
	typ TypeID
	x   int32
}

// NewProgram prepares the lowering of an SSA program that is built already.
func NewProgram(prog *ssa.Program, opt Options) *Program {
	p := &Program{
		Options:    opt,
		ssa:        prog,
		fset:       prog.Fset,
		ids:        make(map[*ssa.Function]FuncID),
		globIDs:    make(map[*ssa.Global]GlobalID),
		methIDs:    make(map[method]MethodID),
		lookups:    make(map[lookup]FuncID),
		impls:      make(map[lookup]bool),
		prints:     make(map[TypeID]bool),
		seals:      make(map[TypeID][]TypeID),
		fresh:      make(map[*ssa.Function]*freshInfo),
		cycles:     newCallCycles(),
		entries:    make(map[*ssa.Function]*library.Func),
		holes:      make(map[any]*library.Func),
		never:      make(map[neverKey]bool),
		closures:   make(map[FuncID]*Layout),
		identities: make(map[identityKey][]paramLeaf),
		unknown:    make(map[string]bool),

		bySymbol:     make(map[string]FuncID),
		byGlobal:     make(map[string]GlobalID),
		blobs:        make(map[string]*linked),
		madePackages: make(map[string]*types.Package),
		made:         make(map[*types.Named]*madeType),
		madeTypes:    make(map[string]*types.Named),
		localTypes:   make(map[string]types.Type),
		typeContext:  types.NewContext(),
		files:        make(map[string]string),
	}
	p.types.backing = make(map[TypeID]*Layout)
	p.types.mapObj = make(map[TypeID]*Layout)
	p.types.isSync = isSyncType
	p.types.inner = func(f *types.Var) bool {
		return !f.Exported() && f.Pkg() != nil && !p.Application(f.Pkg().Path())
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
	stored := p.partial() && fn.Blocks == nil || p.View != nil && sharedInstance(fn)
	if stored {
		// Templates that are read refer to it by name.
		if id, ok := p.bySymbol[symbolName(fn)]; ok {
			p.ids[fn] = id
			if p.fns[id] == nil {
				p.fns[id] = fn
			}
			return id
		}
	}
	id := FuncID(len(p.fns))
	p.ids[fn] = id
	p.fns = append(p.fns, fn)
	p.funcs = append(p.funcs, nil)
	if stored {
		p.symbolOf(id)
	}
	return id
}

// funcName returns the name of a function, as go/ssa writes it.
func (p *Program) funcName(id FuncID) string {
	if p.names != nil {
		return p.names[id]
	}
	if fn := p.fns[id]; fn != nil {
		return fn.String()
	}
	return p.symbols[id].String()
}

// Func returns the template of a function.
func (p *Program) Func(id FuncID) *Func {
	if f := p.funcs[id]; f != nil {
		return f
	}
	var f *Func
	if fn := p.fns[id]; fn == nil || p.outside(fn) {
		f = p.read(id)
	}
	if f == nil {
		f = p.lowerOrGuess(id)
	} else if p.View != nil {
		f.Crowded = !f.Decorates && p.crowded(p.sitesIn(p.symbolOf(id).name), f.Small)
	}
	f.ID = id
	if p.Store {
		f = p.storeAndRead(f)
	}
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

// A global is a package-level variable.
type global struct {
	name, full string // without and with the package's path
	typ        TypeID
	pos        model.Pos
}

func (p *Program) globalID(g *ssa.Global) GlobalID {
	if id, ok := p.globIDs[g]; ok {
		return id
	}
	full := g.RelString(nil)
	id, ok := p.byGlobal[full]
	if !ok || !p.partial() {
		id = GlobalID(len(p.globals))
		p.globals = append(p.globals, global{g.Name(), full, p.types.id(deref(g.Type())), p.pos(g.Pos())})
		p.byGlobal[full] = id
	}
	p.globIDs[g] = id
	return id
}

// globalNamed returns the number of a variable that a stored template mentions.
func (p *Program) globalNamed(g global) GlobalID {
	if id, ok := p.byGlobal[g.full]; ok {
		return id
	}
	id := GlobalID(len(p.globals))
	p.globals = append(p.globals, g)
	p.byGlobal[g.full] = id
	return id
}

// A method is what method sets are searched for: a name and, unless it is
// exported, the package it is known in; and, for the library model, its full name
// in the interface it is called through.
type method struct{ pkg, name, full string }

func (p *Program) methodID(m method) MethodID {
	if id, ok := p.methIDs[m]; ok {
		return id
	}
	id := MethodID(len(p.methods))
	p.methIDs[m] = id
	p.methods = append(p.methods, m)
	return id
}

// methodOf returns what a call of an interface's method searches for.
func methodOf(m *types.Func) method {
	if m.Exported() || m.Pkg() == nil {
		return method{name: m.Name(), full: m.FullName()}
	}
	return method{m.Pkg().Path(), m.Name(), m.FullName()}
}

// methodNamed returns the number of the exported method of a name, whatever
// the interface; the model names methods in that way.
func (p *Program) methodNamed(name string) MethodID {
	return p.methodID(method{name: name, full: name})
}

// formats reports whether a dynamic type prints itself: package fmt then calls
// its method and reads nothing else.
func (p *Program) formats(t TypeID) bool {
	return remembered(&p.mu, p.prints, t, func() bool { return p.findFormats(t) })
}

// remembered returns what is known under a key, or finds it out.
func remembered[K comparable, V any](mu *sync.RWMutex, memo map[K]V, k K, find func() V) V {
	mu.RLock()
	v, ok := memo[k]
	mu.RUnlock()
	if !ok {
		v = find()
		mu.Lock()
		memo[k] = v
		mu.Unlock()
	}
	return v
}

func (p *Program) findFormats(t TypeID) bool {
	yes := false
	methods := types.NewMethodSet(p.types.typ(t))
	for _, name := range library.FormatMethods {
		yes = yes || methods.Lookup(nil, name) != nil
	}
	return yes
}

// Forget lets go of the code, which is larger than all that is made of it: on a
// site generator the syntax and SSA take half of the memory that the loops are
// solved in. Templates and types stay; no function can be lowered any more.
func (p *Program) Forget() {
	names := make([]string, len(p.fns))
	for id := range p.fns {
		names[id] = p.funcName(FuncID(id))
	}
	p.names = names
	p.ssa, p.fns, p.ids, p.globIDs = nil, nil, nil, nil
	p.fresh, p.cycles, p.returns, p.sites, p.entries, p.holes, p.births, p.kept, p.backs, p.captures, p.Functions = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	p.globalUses, p.errs, p.code, p.named, p.never = nil, nil, nil, nil, nil
	p.held, p.givenUp, p.frequencies, p.promoted, p.fieldStores, p.servers = nil, nil, nil, nil, nil, nil // one that stays keeps all (TestForget)
	p.Source, p.View, p.Package, p.blobs = nil, nil, nil, make(map[string]*linked)                        // they know all that was read
}

// noFunc is the result of a failed look-up.
const noFunc FuncID = -1

// method returns the function that a call of interface method m runs on a
// value of the dynamic type t.
func (p *Program) method(t TypeID, m MethodID) FuncID {
	return remembered(&p.mu, p.lookups, lookup{t, int32(m)}, func() FuncID { return p.findMethod(t, m) })
}

func (p *Program) findMethod(t TypeID, m MethodID) FuncID {
	id := noFunc
	meth := p.methods[m]
	typ := p.types.typ(t)
	if sel := types.NewMethodSet(typ).Lookup(types.NewPackage(meth.pkg, ""), meth.name); sel == nil {
		// has no such method
	} else if made := p.made[namedOf(typ)]; made != nil {
		if sym := methodSymbol(typ, meth.name, made.local); p.names == nil {
			id = p.symbolID(sym)
		} else if known, ok := p.bySymbol[sym.name]; ok && p.funcs[known] != nil {
			id = known // all others were never asked for, and loops look up at the same time
		}
	} else if p.ssa != nil { // the base has found all that overlays find
		if fn := p.ssa.MethodValue(sel); fn != nil {
			id = p.FuncID(fn)
		}
	}
	return id
}

// namedOf returns the named type that t is, or points to, or nil.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// implements reports whether dynamic type t implements interface type i.
func (p *Program) implements(t, i TypeID) bool {
	return remembered(&p.mu, p.impls, lookup{t, int32(i)}, func() bool {
		iface, _ := p.types.typ(i).Underlying().(*types.Interface)
		return iface != nil && types.Implements(p.types.typ(t), iface)
	})
}

// pos converts a position; file names are relative to Options.Root where they
// lie below it.
func (p *Program) pos(x token.Pos) model.Pos {
	if !x.IsValid() {
		return model.Pos{}
	}
	q := p.fset.Position(x)
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
	fn = ssair.Top(fn)
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	if o := fn.Origin(); o != nil && o.Pkg != nil {
		return o.Pkg.Pkg.Path()
	}
	if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return ""
}

// libraryName is the name by which the model knows a function.
func libraryName(fn *ssa.Function) string {
	if o := ssair.Origin(fn); o != nil {
		fn = o
	}
	return fn.String()
}

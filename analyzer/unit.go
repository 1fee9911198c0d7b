package analyzer

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// A Unit is one type-checked package, as the drivers of go/analysis hand them
// out: of the packages that it imports there are types only. It is analysed
// under an open world, by the same templates, solver and stages as a whole
// program; only where functions come from differs.
type Unit struct {
	Fset  *token.FileSet
	Pkg   *types.Package
	Files []*ast.File
	Info  *types.Info
	// Module is the path of the main module that the package belongs to, or "".
	// What else belongs to it or to Mains, the others of the workspace, is
	// application code.
	Module string
	Mains  []string
	Root   string // directory that file names are relative to
	// ModelDir is where the search for .iterace.toml starts, "" for none: that
	// of a dependency is not ours.
	ModelDir string

	ssa   *ssa.Package           // see build
	some  bool                   // it is without the bodies that nobody looks into, see described
	found []*ssa.Function        // see find
	funcs map[*ssa.Function]bool // of found

	source *resolver // of templates of other packages, or nil
}

// RunUnit analyses one package. Loops of other packages are looked at only
// where this package calls them with a body of its own.
func RunUnit(cfg *Config, u *Unit) (*Result, error) {
	r, err := u.newRun(cfg)
	if err != nil {
		return nil, err
	}
	r.begin()
	if u.ssa == nil || u.some {
		if u.idle(r.lib) {
			return r.out, nil
		}
		u.build(u.Files, u.Info)
	}
	r.loaded.prog, r.loaded.funcs, r.loaded.source = u.ssa.Prog, u.funcs, u.source
	r.end("ssa", "")
	if u.source != nil {
		r.loaded.starts = r.newProgram().Starts
	}
	if !r.loaded.starting(r.lib) && !r.loaded.meets(r.lib) {
		return r.out, nil // no goroutine starts here, and no test runs beside another: nothing to solve
	}
	return r.analyse(), nil
}

// newRun prepares an analysis of the unit as far as what is known of libraries.
func (u *Unit) newRun(cfg *Config) (*run, error) {
	r, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	r.loaded = u.program()
	r.out.Module, r.out.Root, r.out.Modules = r.loaded.module, r.loaded.root, r.loaded.modules()
	return r, r.readModel()
}

// program wraps the unit in what the pipeline asks of loaded code.
func (u *Unit) program() *program {
	p := &program{
		fset: u.Fset, unit: u.Pkg.Path(), mains: u.mains(), root: u.Root, module: u.Module,
		modelDir: u.ModelDir, main: make(map[string]bool), own: make(map[string]bool),
	}
	if p.module == "" {
		p.module = p.unit
	}
	for _, m := range p.mains {
		p.main[m] = true
	}
	if len(p.mains) == 0 {
		p.main[p.module] = true
	}
	p.initial = []*packages.Package{{
		ID: p.unit, PkgPath: p.unit, Name: u.Pkg.Name(), Fset: u.Fset,
		Types: u.Pkg, Syntax: u.Files, TypesInfo: u.Info, Imports: make(map[string]*packages.Package),
	}}
	for _, dep := range imports(u.Pkg) {
		p.initial[0].Imports[dep.Path()] = &packages.Package{ID: dep.Path(), PkgPath: dep.Path(), Types: dep}
		p.own[dep.Path()] = inModules(dep.Path(), p.mains)
	}
	p.own[p.unit] = true
	return p
}

// mains returns the paths of the main modules.
func (u *Unit) mains() []string {
	if u.Module == "" || slices.Contains(u.Mains, u.Module) {
		return u.Mains
	}
	return append([]string{u.Module}, u.Mains...)
}

// encode stores the templates of the package's functions, after making SSA.
func (u *Unit) encode(models []string) ([]byte, error) {
	r, err := newRun(&Config{ModelFiles: models})
	if err != nil {
		return nil, err
	}
	r.loaded = u.program()
	r.loaded.own[r.loaded.unit] = u.Module != "" // as those see it that import it
	if u.Module == "" {
		r.loaded.modelDir = ""
	}
	if err := r.readModel(); err != nil {
		return nil, err
	}
	files, info := u.Files, u.Info
	if u.Module == "" {
		files, info, u.some = described{r.lib, r.cfg.closed(), u.Pkg.Path()}.unit(files, info)
	}
	u.build(files, info)
	r.loaded.prog, r.loaded.funcs, r.loaded.source = u.ssa.Prog, u.funcs, u.source
	prog := r.newProgram()
	stored := u.found
	if u.Module == "" {
		stored = append(slices.Clip(stored), u.bodiless()...)
	}
	file := make(map[*ssa.Function]string) // drivers parse the files in any order
	for _, fn := range stored {
		if f := u.Fset.File(fn.Pos()); f != nil {
			file[fn] = f.Name()
		}
	}
	fns := slices.SortedStableFunc(slices.Values(stored), func(a, b *ssa.Function) int {
		if c := cmp.Or(cmp.Compare(file[a], file[b]), cmp.Compare(a.Pos(), b.Pos())); c != 0 {
			return c
		}
		return cmp.Compare(a.String(), b.String())
	})
	var ids []pta.FuncID
	for _, fn := range append(fns, u.wrappers()...) {
		ids = append(ids, prog.FuncID(fn))
	}
	return prog.Encode(r.loaded.unit, ids), nil
}

// wrappers returns the methods of the package's types that go/ssa makes: of
// embedded fields, and of pointers to types whose methods have values as
// receivers. Nobody else can make those of unexported types.
func (u *Unit) wrappers() []*ssa.Function {
	var out []*ssa.Function
	scope := u.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		named, ok := tn.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 || types.IsInterface(named) {
			continue
		}
		for _, t := range []types.Type{named, types.NewPointer(named)} {
			for sel := range u.ssa.Prog.MethodSets.MethodSet(t).Methods() {
				if fn := u.ssa.Prog.MethodValue(sel); fn != nil && fn.Synthetic != "" && fn.Blocks != nil {
					out = append(out, fn)
				}
			}
		}
	}
	return out
}

// imports returns the packages that pkg imports, indirectly too, as far as
// export data tells of them, by path.
func imports(pkg *types.Package) []*types.Package {
	seen := map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		for _, dep := range p.Imports() {
			if seen[dep.Path()] == nil {
				seen[dep.Path()] = dep
				visit(dep)
			}
		}
	}
	visit(pkg)
	delete(seen, pkg.Path())
	out := make([]*types.Package, 0, len(seen))
	for _, path := range slices.Sorted(maps.Keys(seen)) {
		out = append(out, seen[path])
	}
	return out
}

// build makes SSA of the package's files. It instantiates generic functions, as for a
// whole program and unlike the buildssa analyzer, whose wrappers of generic
// bodies would hide from iterations what their type arguments are.
func (u *Unit) build(files []*ast.File, info *types.Info) {
	prog := ssa.NewProgram(u.Fset, ssa.InstantiateGenerics)
	for _, dep := range u.Pkg.Imports() {
		prog.CreatePackage(dep, nil, nil, true)
	}
	u.ssa = prog.CreatePackage(u.Pkg, files, info, false)
	u.ssa.Build()
	u.find()
	u.findBoxed()
}

// find lists the functions with bodies that the package declares or refers to.
// ssautil.AllFunctions would make the methods of all types of the packages that
// are imported, too. The order is part of what the functions are: a generic
// function is instantiated by each generic method that calls it with type
// parameters, which have the same names, and so have the instances.
func (u *Unit) find() {
	pkg := u.ssa
	u.funcs = make(map[*ssa.Function]bool)
	for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
		switch m := pkg.Members[name].(type) {
		case *ssa.Function:
			u.add(m)
		case *ssa.Type:
			if n, ok := types.Unalias(m.Type()).(*types.Named); ok && n.Obj().Pkg() == pkg.Pkg {
				for method := range n.Methods() {
					u.add(pkg.Prog.FuncValue(method))
				}
			}
		}
	}
	u.refer(0)
}

// add takes in a function that has a body.
func (u *Unit) add(fn *ssa.Function) {
	if fn != nil && !u.funcs[fn] && fn.Blocks != nil {
		u.funcs[fn] = true
		u.found = append(u.found, fn)
	}
}

// bodiless lists the functions that the package declares without a body, or that are
// described.
func (u *Unit) bodiless() (out []*ssa.Function) {
	for _, name := range slices.Sorted(maps.Keys(u.ssa.Members)) {
		switch m := u.ssa.Members[name].(type) {
		case *ssa.Function:
			if m.Blocks == nil {
				out = append(out, m)
			}
		case *ssa.Type:
			if n, ok := m.Type().(*types.Named); ok && n.Obj().Pkg() == u.Pkg {
				for method := range n.Methods() {
					if fn := u.ssa.Prog.FuncValue(method); fn != nil && fn.Blocks == nil {
						out = append(out, fn)
					}
				}
			}
		}
	}
	return out
}

// refer takes in what the functions from one on refer to.
func (u *Unit) refer(from int) {
	rands := make([]*ssa.Value, 0, 8)
	for i := from; i < len(u.found); i++ {
		fn := u.found[i]
		for _, anon := range fn.AnonFuncs {
			u.add(anon)
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				rands = in.Operands(rands[:0])
				for _, op := range rands {
					if f, ok := (*op).(*ssa.Function); ok {
						u.add(f)
					}
				}
			}
		}
	}
}

// findBoxed adds the methods of instances of generic types that go into interfaces here,
// and what those refer to: other packages call them through the interface, and have no
// code of theirs.
func (u *Unit) findBoxed() {
	seen := make(map[types.Type]bool)
	for i := 0; i < len(u.found); i++ {
		for _, b := range u.found[i].Blocks {
			for _, in := range b.Instrs {
				x, ok := in.(*ssa.MakeInterface)
				if !ok || seen[x.X.Type()] || !instantiated(x.X.Type()) {
					continue
				}
				seen[x.X.Type()] = true
				old := len(u.found)
				for sel := range types.NewMethodSet(x.X.Type()).Methods() {
					u.add(u.ssa.Prog.MethodValue(sel)) // nil if type parameters are left
				}
				u.refer(old)
			}
		}
	}
}

// instantiated reports whether a type is an instance of a generic one, or a pointer to
// one.
func instantiated(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.TypeArgs().Len() > 0
}

// ModuleRoot returns the directory of the module that a directory lies in, or
// the directory itself; where that is relative, as under nogo, the current one.
func ModuleRoot(dir string) string {
	for d := dir; ; {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d
		}
		up := filepath.Dir(d)
		switch {
		case up == d && filepath.IsAbs(d):
			return dir
		case up == d:
			return d
		}
		d = up
	}
}

// codeFacts marks notices about facts that ought to be there.
const codeFacts = "facts"

// noticeUnknown tells once which functions of other packages were taken to do
// nothing.
func (r *run) noticeUnknown() {
	if r.loaded.source != nil {
		if lost := r.loaded.source.missing(); len(lost) > 0 {
			r.out.Notices = append(r.out.Notices, model.Notice{Code: codeFacts, Message: fmt.Sprintf(
				"what was kept of these packages is gone, broken or of another version; their functions are taken to do nothing (%s): %s",
				model.SoundnessNumber("unknown-callee"), listed(lost))})
		}
	}
	names := r.res.Prog.Unknown()
	if len(names) == 0 {
		return
	}
	r.notice(model.Pos{}, "unknown-callee", "the code of functions of other packages is not known here; they are taken to do nothing to their arguments: "+listed(names))
}

// listed lists the first few names.
func listed(names []string) string {
	const shown = 5
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if len(names) > shown {
		text += fmt.Sprintf(" and %d more", len(names)-shown)
	}
	return text
}

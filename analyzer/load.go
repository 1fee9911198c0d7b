package analyzer

import (
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// A program is what was loaded, with SSA for everything.
type program struct {
	prog     *ssa.Program
	initial  []*packages.Package
	module   string
	root     string
	modelDir string          // where the search for .iterace.toml starts
	main     map[string]bool // main modules
	own      map[string]bool // packages of the main modules, or the initial ones
	errors   []LoadError
	fset     *token.FileSet
	unit     string    // the package, if only one is looked at
	mains    []string  // main modules, as far as known then
	source   *resolver // of what is known of others then
	// starts says of a function outside the unit whether it starts goroutines.
	starts func(*ssa.Function) (starts, known bool)
	funcs  map[*ssa.Function]bool // functions to look for goroutines in
	// loading has the templates of what is not in view; nil if everything is.
	loading  *loading
	question *question // to keep the answer under; nil if it is not kept
	answer   *Result   // that was kept; nothing is type-checked then
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
	packages.NeedImports | packages.NeedDeps | packages.NeedTypesSizes |
	packages.NeedModule | packages.NeedForTest

// load runs the go command and type-checks the packages.
func load(cfg *Config, gc *collector) (*program, *library.Model, error) {
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	fset := token.NewFileSet()
	pkgs, err := packages.Load(&packages.Config{
		Mode:       loadMode,
		Dir:        cfg.Dir,
		Env:        cfg.Env,
		BuildFlags: cfg.BuildFlags,
		Tests:      cfg.Tests,
		Overlay:    cfg.Overlay,
		Fset:       fset,
	}, patterns...)
	if err != nil {
		return nil, nil, fmt.Errorf("load: %w", err)
	}
	pkgs = unify(pkgs)
	gc.found(pkgs)
	if len(pkgs) == 0 {
		return nil, nil, fmt.Errorf("%w: no packages match %s", ErrUsage, strings.Join(patterns, " "))
	}
	p := &program{initial: pkgs, fset: fset, main: make(map[string]bool), own: make(map[string]bool)}
	p.root = rootDir(cfg, pkgs)
	p.modelDir = p.root
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		if m := pkg.Module; m != nil && m.Main {
			p.main[m.Path] = true
			p.own[pkg.PkgPath] = true
			if p.module == "" {
				p.module = m.Path
			}
		}
	})
	files := 0
	for _, pkg := range pkgs {
		p.own[pkg.PkgPath] = true
		files += len(pkg.CompiledGoFiles)
	}
	if p.module == "" {
		p.module = pkgs[0].PkgPath
	}
	for _, pkg := range pkgs {
		if m := pkg.Module; m != nil && m.Main {
			p.module = m.Path // of a workspace, the one that is asked about first
			break
		}
	}
	lib, err := library.Load(library.Options{ModuleDir: p.modelDir, Files: cfg.ModelFiles})
	if err != nil {
		return nil, nil, err
	}
	if len(lib.Files()) > 0 {
		p.applyScopes(lib)
	}
	if cfg.whole || !readParts(cfg, p, lib, pkgs) {
		typeCheck(pkgs, cfg, fset)
	}
	if p.answer != nil {
		return p, lib, nil
	}
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		for _, e := range pkg.Errors {
			p.errors = append(p.errors, LoadError{Pos: p.position(e.Pos), Package: pkg.PkgPath, Message: e.Msg})
		}
	})
	p.sortErrors()
	if files == 0 && len(p.errors) == 0 {
		return nil, nil, fmt.Errorf("%w: no Go files in %s", ErrUsage, strings.Join(patterns, " "))
	}
	return p, lib, nil
}

func (p *program) sortErrors() {
	sort.SliceStable(p.errors, func(i, j int) bool {
		if c := p.errors[i].Pos.Compare(p.errors[j].Pos); c != 0 {
			return c < 0
		}
		return p.errors[i].Message < p.errors[j].Message
	})
	p.errors = slices.Compact(p.errors)
}

// rootDir is the directory that file names are relative to: that of the main
// module, else the working directory.
func rootDir(cfg *Config, pkgs []*packages.Package) string {
	for _, p := range pkgs {
		if p.Module != nil && p.Module.Main && p.Module.Dir != "" {
			return p.Module.Dir
		}
	}
	dir := cfg.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}

// position parses "file:line:col" as the go command writes it.
func (p *program) position(s string) model.Pos {
	if s == "" || s == "-" {
		return model.Pos{}
	}
	parts := strings.Split(s, ":")
	var nums []int
	for len(parts) > 1 && len(nums) < 2 {
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil {
			break
		}
		nums = append([]int{n}, nums...)
		parts = parts[:len(parts)-1]
	}
	pos := model.Pos{File: p.relative(strings.Join(parts, ":"))}
	if len(nums) > 0 {
		pos.Line = nums[0]
	}
	if len(nums) > 1 {
		pos.Col = nums[1]
	}
	return pos
}

// relative returns a file name relative to the root, if the file is below it.
func (p *program) relative(file string) string { return relativeTo(p.root, file) }

func relativeTo(root, file string) string {
	if rel, err := filepath.Rel(root, file); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return file
}

// pos is the place of a declaration.
func (p *program) pos(x token.Pos) model.Pos {
	if !x.IsValid() {
		return model.Pos{}
	}
	q := p.fset.Position(x)
	return model.Pos{File: p.relative(q.Filename), Line: q.Line, Col: q.Column}
}

// declares reports whether the package of a variable or type, by full name, is
// part of the analysed application.
func (p *program) declares(name string) bool {
	i := strings.LastIndexByte(name, '.')
	return i > 0 && p.own[name[:i]]
}

// application reports whether a package is the user's own. A unit meets packages
// that nothing it imports has told of; those of its module are.
func (p *program) application(path string) bool {
	own, told := p.own[path]
	return own || !told && inModules(path, p.mains)
}

func inModules(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return inModule(path, m) })
}

func inModule(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// build makes SSA for everything that type-checks. A package that does not is
// left out, with all that import it: go/ssa accepts no broken code.
func (p *program) build() error {
	bad := make(map[*packages.Package]bool)
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		broken := pkg.Types == nil || pkg.IllTyped || len(pkg.Errors) > 0
		for _, imp := range pkg.Imports {
			broken = broken || bad[imp]
		}
		bad[pkg] = broken
	})
	good := slices.DeleteFunc(slices.Clone(p.initial), func(pkg *packages.Package) bool { return bad[pkg] })
	if len(good) == 0 {
		return errors.New("no package type-checks")
	}
	if p.loading != nil {
		p.prog = p.loading.build(bad)
	} else {
		p.prog, _ = ssautil.AllPackages(good, ssa.InstantiateGenerics)
		p.prog.Build()
	}
	p.funcs = p.functions()
	p.initial = good
	return nil
}

// forget lets go of SSA, syntax and what the type checker found out about it;
// of the packages to be analysed those stay if asked for.
func (p *program) forget(keepInitial bool) {
	p.prog, p.funcs, p.loading = nil, nil, nil
	keep := make(map[*packages.Package]bool)
	if keepInitial {
		for _, pkg := range p.initial {
			keep[pkg] = true
		}
	}
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		if !keep[pkg] {
			pkg.Syntax, pkg.TypesInfo = nil, nil
		}
	})
}

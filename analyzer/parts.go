package analyzer

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// This file makes templates of packages outside the application, and is the
// source of them.

// make lowers a package that has been type-checked, and keeps what comes of it.
// Nothing that is not below it may have a say in that.
func (l *loading) make(x *part) {
	dropTables(x.pkg.Syntax, x.pkg.TypesInfo)
	prog := ssa.NewProgram(l.fset, ssa.InstantiateGenerics)
	for _, y := range l.generic(x) {
		if y != x {
			prog.CreatePackage(y.pkg.Types, y.pkg.Syntax, y.pkg.TypesInfo, true)
		}
	}
	for _, y := range append(l.generic(x), x) {
		for _, path := range sortedImports(y.pkg) {
			if imp := y.pkg.Imports[path].Types; prog.Package(imp) == nil {
				prog.CreatePackage(imp, nil, nil, true)
			}
		}
	}
	pkg := prog.CreatePackage(x.pkg.Types, x.pkg.Syntax, x.pkg.TypesInfo, true)
	pkg.Build()
	u := &Unit{Fset: l.fset, Pkg: x.pkg.Types, ssa: pkg}
	u.find()
	p := pta.NewProgram(prog, pta.Options{
		Library: l.lib, Closed: l.cfg.closed(), Unit: x.pkg.PkgPath, Whole: true,
		Application: func(string) bool { return false },
		Functions:   u.funcs,
		Source:      &partSource{l, x},
		Package: func(dir string) string {
			if y := l.dirs[dir]; y != nil && (y == x || x.below.Bit(y.n) == 1) {
				return y.pkg.PkgPath
			}
			return ""
		},
	})
	part := p.EncodePart(u.ordered())
	kept := &storedPart{extras{Instances: part.Instances, Sites: part.Sites}, part.Blob}
	for _, y := range x.bodies {
		kept.Bodies = append(kept.Bodies, y.pkg.PkgPath)
	}
	slices.Sort(kept.Bodies)
	x.kept = kept
	l.stock.put(x.key, kept)
	l.mu.Lock()
	if l.made++; l.cfg.Progress != nil {
		l.cfg.Progress("packages", l.made, l.missing)
	}
	l.mu.Unlock()
	l.noteInstances(x)
}

// ordered returns the functions that the package declares, has instances and
// wrappers of, or refers to, in an order that does not depend on where files lie.
func (u *Unit) ordered() []*ssa.Function {
	type placed struct {
		fn   *ssa.Function
		file string
		at   int
		name string
	}
	var list []placed
	add := func(fn *ssa.Function) {
		q := u.Fset.Position(fn.Pos())
		list = append(list, placed{fn, filepath.Base(q.Filename), q.Offset, fn.String()})
	}
	for _, fn := range u.found {
		add(fn)
	}
	for _, fn := range u.bodiless() {
		add(fn)
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.at, b.at), strings.Compare(a.name, b.name))
	})
	var out []*ssa.Function
	for _, x := range list {
		out = append(out, x.fn)
	}
	return append(out, u.wrappers()...)
}

// noteInstances makes known which instances a package has stored.
func (l *loading) noteInstances(x *part) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range x.kept.Instances {
		l.instances[name] = append(l.instances[name], x)
	}
}

// instance returns the package, of those that are asked about, that has stored an
// instance; of several the first by path, since all have stored the same.
func (l *loading) instance(symbol string, ok func(*part) bool) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := ""
	for _, x := range l.instances[symbol] {
		if path := x.pkg.PkgPath; ok(x) && (first == "" || path < first) {
			first = path
		}
	}
	return first
}

// unpacked returns the templates of a package, or nil for those in view.
func (l *loading) unpacked(path string) *pta.Blob {
	x := l.paths[path]
	if x == nil || x.kept == nil {
		return nil
	}
	x.once.Do(func() {
		b, err := pta.OpenBlob(x.kept.blob)
		if err != nil {
			// Its hash was right, and this program wrote it.
			panic("templates of " + path + ": " + err.Error())
		}
		x.blob = b
	})
	return x.blob
}

// dir returns what to put before the base names of a package's files.
func (l *loading) dir(path string) string {
	x := l.paths[path]
	if x == nil || len(x.pkg.GoFiles) == 0 {
		return path + "/"
	}
	dir := filepath.ToSlash(filepath.Dir(l.p.relative(x.pkg.GoFiles[0])))
	if dir == "." {
		return ""
	}
	return dir + "/"
}

// A partSource is the source of templates when those of a package are made: of
// what lies below it.
type partSource struct {
	l *loading
	x *part
}

// Blob implements pta.Source.
func (s *partSource) Blob(path string) *pta.Blob {
	if y := s.l.paths[path]; y == nil || s.x.below.Bit(y.n) == 0 {
		return nil
	}
	return s.l.unpacked(path)
}

// Dir implements pta.Source.
func (s *partSource) Dir(path string) string { return s.l.dir(path) }

// Instance implements pta.Instances.
func (s *partSource) Instance(symbol string) string {
	return s.l.instance(symbol, func(y *part) bool { return s.x.below.Bit(y.n) == 1 })
}

// A partsSource is the source of templates of the whole program.
type partsSource struct {
	l     *loading
	sites map[string]int
}

func (l *loading) source() *partsSource {
	s := &partsSource{l, make(map[string]int)}
	for _, pkg := range l.order {
		if x := l.parts[pkg]; x.kept != nil {
			for _, c := range x.kept.Sites {
				s.sites[c.Symbol] += c.Calls
			}
		}
	}
	return s
}

// Blob implements pta.Source.
func (s *partsSource) Blob(path string) *pta.Blob { return s.l.unpacked(path) }

// Dir implements pta.Source.
func (s *partsSource) Dir(path string) string { return s.l.dir(path) }

// Instance implements pta.Instances.
func (s *partsSource) Instance(symbol string) string {
	return s.l.instance(symbol, func(*part) bool { return true })
}

// Sites implements pta.Callers.
func (s *partsSource) Sites(symbol string) int { return s.sites[symbol] }

// build makes SSA of the packages in view, except for the bad ones; of others
// there are types, and the bodies that they need instances of.
func (l *loading) build(bad map[*packages.Package]bool) *ssa.Program {
	prog := ssa.NewProgram(l.fset, ssa.InstantiateGenerics)
	var view []*ssa.Package
	for _, pkg := range l.order {
		x := l.parts[pkg]
		switch {
		case bad[pkg] || prog.Package(pkg.Types) != nil:
		case x.view:
			view = append(view, prog.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true))
		case x.needed:
			prog.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true)
		default:
			prog.CreatePackage(pkg.Types, nil, nil, true)
		}
	}
	var wg sync.WaitGroup
	limit := make(chan bool, runtime.GOMAXPROCS(0))
	for _, pkg := range view {
		wg.Go(func() {
			limit <- true
			pkg.Build()
			<-limit
		})
	}
	wg.Wait()
	return prog
}

// inView reports whether the code of a package is in view.
func (l *loading) inView(path string) bool { return l.paths[path] == nil }

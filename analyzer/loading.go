package analyzer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/packages"
)

// This file reads a program of which the application is in view, and for the
// rest there are templates: kept ones, or those made now.
//
// There is one way for both. A package outside the application gets its
// templates from its own code, the types of what it imports and what is kept of
// that, and from nothing else; then its code is let go. So it does not matter to
// the analysis which packages were made now, and a first run and a later one
// have the same answer to the last byte. Types are those of the source in any
// case, with the bodies of functions left out where templates are kept. Export
// data would take a third of the time of that, which is little as it is, but has
// no columns and no unexported types: who imports a package from there sees
// another package than who type-checks it.

// A loading is the reading of one program.
type loading struct {
	cfg   *Config
	p     *program
	lib   *library.Model
	stock *stock
	fset  *token.FileSet
	order []*packages.Package // each after its imports
	parts map[*packages.Package]*part
	paths map[string]*part // those that are not in view, by path
	dirs  map[string]*part // by the directories of their files

	mu        sync.Mutex
	instances map[string][]*part // by symbol: who has stored it
	missing   int                // packages of which nothing is kept
	made      int                // of those
}

// A part is a package that is read.
type part struct {
	pkg   *packages.Package
	n     int // place in the order
	texts [][]byte
	// view is set if the code is in view: of the application, and what imports it.
	view bool
	key  hash
	// kept is what is kept of the package, or was made: nil for those in view.
	kept *storedPart
	// fresh is set if it is made now.
	fresh bool
	// full is set if the bodies are read.
	full bool
	// needed is set if bodies are read because others instantiate what is there.
	needed bool
	files  []*ast.File
	shape  *shape
	bodies []*part // of which this one's bodies name something generic
	// Of all that it imports, indirectly too, by place in the order: the packages,
	// and those that declare something generic which they expose.
	below, exposed big.Int

	once sync.Once // blob is unpacked
	blob *pta.Blob
}

// readParts reads and type-checks packages so that templates of those outside
// the application need not be made again; false if that cannot be done, and
// nothing has changed then: some package outside the application cannot be read
// or is broken, and what can be said of the program is for who reads all of it.
func readParts(cfg *Config, p *program, lib *library.Model, pkgs []*packages.Package) bool {
	l := &loading{
		cfg: cfg, p: p, lib: lib, stock: stockIn(cfg.Cache), fset: p.fset,
		parts: make(map[*packages.Package]*part), instances: make(map[string][]*part),
		paths: make(map[string]*part), dirs: make(map[string]*part),
	}
	if cfg.stock != nil {
		l.stock = cfg.stock
	}
	packages.Visit(pkgs, nil, func(pkg *packages.Package) {
		l.parts[pkg] = &part{pkg: pkg, n: len(l.order)}
		l.order = append(l.order, pkg)
	})
	l.chooseView()
	if l.broken() || !l.readTexts() || !l.findKeys(pkgs) {
		return false
	}
	if p.answer != nil {
		return true
	}
	l.findKept()
	before := make(map[*packages.Package][]packages.Error)
	for _, pkg := range l.order {
		before[pkg] = pkg.Errors
	}
	l.parse()
	l.chooseBodies()
	afterImports(l.order, l.check)
	if l.broken() {
		for _, pkg := range l.order {
			pkg.Errors, pkg.Syntax, pkg.Types, pkg.TypesInfo, pkg.IllTyped = before[pkg], nil, nil, nil, false
		}
		p.question = nil // files are read again
		return false
	}
	p.loading = l
	return true
}

// chooseView finds the packages whose code is in view.
func (l *loading) chooseView() {
	paths := maps.Clone(l.p.own)
	for again := true; again; { // variants of a package have one path
		again = false
		for _, pkg := range l.order {
			x := l.parts[pkg]
			view := paths[pkg.PkgPath] || paths[strings.TrimSuffix(pkg.PkgPath, "_test")]
			for _, imp := range pkg.Imports {
				view = view || l.parts[imp].view
			}
			if x.view = view; view && !paths[pkg.PkgPath] {
				paths[pkg.PkgPath] = true
				again = true
			}
		}
	}
	for _, pkg := range l.order {
		x := l.parts[pkg]
		if !x.view {
			l.paths[pkg.PkgPath] = x
		}
		for _, name := range pkg.GoFiles {
			dir, _ := filepath.Split(name)
			l.dirs[filepath.ToSlash(dir)] = x
		}
	}
}

// broken reports whether something is wrong with a package outside the view.
func (l *loading) broken() bool {
	return slices.ContainsFunc(l.order, func(pkg *packages.Package) bool {
		return !l.parts[pkg].view && len(pkg.Errors) > 0
	})
}

// readTexts reads all files.
func (l *loading) readTexts() bool {
	ok := true
	l.each(func(x *part) {
		for _, name := range x.pkg.CompiledGoFiles {
			text, over := l.cfg.Overlay[name]
			if !over {
				var err error
				if text, err = os.ReadFile(name); err != nil {
					l.mu.Lock()
					ok = ok && x.view // the parser will say it again
					l.mu.Unlock()
				}
			}
			x.texts = append(x.texts, text)
		}
	})
	return ok
}

// each calls f for all parts, on all processors.
func (l *loading) each(f func(*part)) {
	next := make(chan *packages.Package)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for pkg := range next {
				f(l.parts[pkg])
			}
		})
	}
	for _, pkg := range l.order {
		next <- pkg
	}
	close(next)
	wg.Wait()
}

// findKeys finds the keys of what is kept, and the answer; false if there are none.
func (l *loading) findKeys(pkgs []*packages.Package) bool {
	keys, err := newKeyMaker(l.lib, l.cfg.closed())
	if err != nil {
		return false
	}
	loads := true
	for _, pkg := range l.order {
		x := l.parts[pkg]
		x.key = keys.key(pkg, x.texts)
		loads = loads && len(pkg.Errors) == 0
	}
	if l.cfg.answers() && loads && l.stock.side.dir != "" {
		l.p.question = &question{l.stock, l.question(keys, pkgs)}
		l.p.answer = l.stock.answer(l.p.question.hash)
	}
	return true
}

// findKept looks for what is kept of packages.
func (l *loading) findKept() {
	for _, pkg := range l.order {
		if x := l.parts[pkg]; !x.view && pkg.PkgPath != "unsafe" {
			x.kept = l.stock.get(x.key)
			if x.fresh = x.kept == nil; x.fresh {
				l.missing++
			} else {
				l.noteInstances(x)
			}
		}
	}
}

// parse parses all files, those of packages that have templates without bodies.
func (l *loading) parse() {
	l.each(func(x *part) {
		x.full = x.view || x.fresh
		l.parseFiles(x)
	})
}

// parseFiles parses the files of a package.
//
//iterace:ignore each package has a part of its own
func (l *loading) parseFiles(x *part) {
	mode := parser.AllErrors | parser.SkipObjectResolution
	if x.view {
		mode |= parser.ParseComments
	}
	x.files = nil
	for i, name := range x.pkg.CompiledGoFiles {
		var src any // nil is for a file that cannot be read: the parser says why
		switch text := x.texts[i]; {
		case text != nil && x.view:
			src = text
		case text != nil && x.full:
			src = described{l.lib, l.cfg.closed(), x.pkg.PkgPath}.text(text)
		case text != nil:
			src = withoutBodies(text)
		}
		file, err := parser.ParseFile(l.fset, name, src, mode)
		if err != nil {
			x.pkg.Errors = append(x.pkg.Errors, loadErrors(err)...)
		}
		if file != nil {
			x.files = append(x.files, file)
		}
	}
}

// chooseBodies reads the bodies of generic functions that packages instantiate
// which are lowered now, be it to be kept or since they are in view.
func (l *loading) chooseBodies() {
	for _, pkg := range l.order {
		x := l.parts[pkg]
		x.shape = shapeOf(x.files)
		seen := make(map[*part]bool)
		for _, f := range x.files {
			exposed(f, func(n ast.Node) {
				l.mentions(x, f, n, func(y *part) { x.exposed.SetBit(&x.exposed, y.n, 1) })
			})
			if x.full {
				l.mentions(x, f, f, func(y *part) {
					if !seen[y] {
						seen[y] = true
						x.bodies = append(x.bodies, y)
					}
				})
			}
		}
		for _, path := range sortedImports(pkg) {
			y := l.parts[pkg.Imports[path]]
			x.below.Or(&x.below, &y.below)
			x.below.SetBit(&x.below, y.n, 1)
			x.exposed.Or(&x.exposed, &y.exposed)
			if !x.full && slices.Contains(x.kept.Bodies, pkg.Imports[path].PkgPath) {
				x.bodies = append(x.bodies, y)
			}
		}
	}
	for _, pkg := range l.order {
		if x := l.parts[pkg]; x.view || x.fresh {
			for _, y := range l.generic(x) {
				y.needed = true
			}
		}
	}
	l.each(func(x *part) {
		if x.needed && !x.full {
			x.full = true
			l.parseFiles(x)
		}
		x.texts = nil
	})
}

// generic returns the packages of which the bodies are read to lower those of a
// package: what they instantiate, what that instantiates, and so on.
func (l *loading) generic(x *part) []*part {
	var out []*part
	seen := map[*part]bool{x: true}
	add := func(y *part) {
		if !seen[y] {
			seen[y] = true
			out = append(out, y)
		}
	}
	for _, y := range x.bodies {
		add(y)
	}
	for n := range x.exposed.BitLen() {
		if x.exposed.Bit(n) == 1 {
			add(l.parts[l.order[n]])
		}
	}
	for i := 0; i < len(out); i++ {
		for _, y := range out[i].bodies {
			add(y)
		}
	}
	slices.SortFunc(out, func(a, b *part) int { return strings.Compare(a.pkg.PkgPath, b.pkg.PkgPath) })
	return out
}

// check type-checks a package whose imports are done, and makes its templates
// unless they are there.
//
//iterace:ignore each package is checked once, when the last of its imports is done
func (l *loading) check(pkg *packages.Package) {
	x := l.parts[pkg]
	pkg.Fset, pkg.Syntax = l.fset, x.files
	x.files = nil
	if pkg.PkgPath == "unsafe" {
		pkg.Types, pkg.TypesInfo = types.Unsafe, new(types.Info)
		return
	}
	checkTypes(pkg, l.fset, typeChecking{bodies: x.full, some: !x.view})
	if x.fresh && len(pkg.Errors) == 0 {
		l.make(x)
	}
	if !x.view && !x.needed {
		pkg.Syntax, pkg.TypesInfo = nil, nil
	}
}

// sortedImports returns the import paths of a package in order.
func sortedImports(pkg *packages.Package) []string { return slices.Sorted(maps.Keys(pkg.Imports)) }

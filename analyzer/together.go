package analyzer

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// This file looks at tests that run at the same time. The tests of a package that call
// t.Parallel wait for those that do not, and for each other's calls of it, and then run
// together. Each has a T of its own and makes what it works on, so that they meet where
// package variables lead, and nowhere else. To the analysis they are the subtests of one
// test, which nobody has written: those run one after the other until they call
// Parallel, and go on when the function that has started them has returned. That test
// is a program by itself, so that whatever else is found stays as it is.

// maxTogether is the number of tests of one package that are looked at together
// (soundness: nearest-roots).
const maxTogether = 24

// togetherDepth is how many calls below a test a package variable is looked for: what
// lies deeper is too far away to count (soundness: far-main).
const togetherDepth = 8

// parallelTests lists, for each package, the tests to look at together: those that call
// Parallel and may touch a package variable that another one may write, as far as can be
// seen at once. more lists the packages of which there are more of them.
func (p *program) parallelTests(g *references, lib *library.Model) (chosen [][]*ssa.Function, more []*ssa.Function) {
	byPkg := make(map[string][]int32)
	for i, fn := range g.funcs {
		if isParallel(fn, lib) {
			path := strings.TrimSuffix(fn.Pkg.Pkg.Path(), "_test")
			byPkg[path] = append(byPkg[path], int32(i))
		}
	}
	var mentions [][]mention
	for _, path := range slices.Sorted(maps.Keys(byPkg)) {
		tests := byPkg[path]
		if len(tests) < 2 {
			continue
		}
		if mentions == nil {
			mentions = g.mentions(lib)
		}
		list, left := g.meeting(tests, mentions)
		if len(list) > 1 {
			chosen = append(chosen, list)
		}
		if left {
			more = append(more, list[0])
		}
	}
	return chosen, more
}

// isParallel reports whether a function is a test that calls Parallel.
func isParallel(fn *ssa.Function, lib *library.Model) bool {
	return fn.Parent() == nil && flow.IsTest(fn) && strings.HasPrefix(fn.Name(), "Test") && flow.GoesParallel(fn, flow.ByName(lib.Func))
}

// meets reports whether there are such tests. Most packages have none, and need no references.
func (p *program) meets(lib *library.Model) bool {
	tests := 0
	for fn := range p.funcs {
		if p.looked(fn) && isParallel(fn, lib) {
			tests++
		}
	}
	if tests < 2 {
		return false
	}
	chosen, _ := p.parallelTests(p.references(lib), lib)
	return len(chosen) > 0
}

// meeting chooses tests that may touch one package variable, one of them writing: for each
// variable the nearest of those that write it, and of those that touch it at all.
func (g *references) meeting(tests []int32, mentions [][]mention) (list []*ssa.Function, more bool) {
	type user struct{ test, dist int32 }
	writers, others := make(map[*ssa.Global][]user), make(map[*ssa.Global][]user)
	for _, t := range tests {
		for v, d := range g.touched(t, mentions) {
			if d.write >= 0 {
				writers[v] = append(writers[v], user{t, d.write})
			} else {
				others[v] = append(others[v], user{t, d.touch})
			}
		}
	}
	nearest := func(of []user, n int) []user {
		slices.SortFunc(of, func(a, b user) int { return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.test, b.test)) })
		return of[:min(n, len(of))]
	}
	const each = 2                  // of either kind
	wanted := make(map[int32]int32) // by test: how near it is to a variable that is shared
	for v, of := range writers {    // the order does not matter: a set is made
		of = append(nearest(of, each), nearest(others[v], each)...)
		if len(of) < 2 {
			continue
		}
		for _, u := range of {
			far := max(u.dist, of[0].dist)
			if d, ok := wanted[u.test]; !ok || far < d {
				wanted[u.test] = far
			}
		}
	}
	chosen := slices.SortedFunc(maps.Keys(wanted), func(a, b int32) int { return cmp.Or(cmp.Compare(wanted[a], wanted[b]), cmp.Compare(a, b)) })
	if more = len(chosen) > maxTogether; more {
		chosen = chosen[:maxTogether]
	}
	slices.Sort(chosen)
	for _, t := range chosen {
		list = append(list, g.funcs[t])
	}
	return list, more
}

// distances are how many calls below a test a variable is written, and touched at all; -1
// stands for nowhere.
type distances struct{ write, touch int32 }

// touched finds the package variables that a test may touch.
func (g *references) touched(test int32, mentions [][]mention) map[*ssa.Global]distances {
	out := make(map[*ssa.Global]distances)
	seen := map[int32]bool{test: true}
	level := []int32{test}
	for d := int32(0); d <= togetherDepth && len(level) > 0; d++ {
		var next []int32
		for _, f := range level {
			for _, t := range mentions[f] {
				at, ok := out[t.v]
				if !ok {
					at = distances{-1, d}
				}
				if t.writes && at.write < 0 {
					at.write = d
				}
				out[t.v] = at
			}
			for _, k := range g.to[f] {
				if !seen[k] {
					seen[k] = true
					next = append(next, k)
				}
			}
		}
		level = next
	}
	return out
}

// A mention says that a function mentions a package variable, and whether it may write it, or
// what it leads to.
type mention struct {
	v      *ssa.Global
	writes bool
}

// mentions lists, by function, the package variables that it mentions, but for what an initialiser
// does.
func (g *references) mentions(lib *library.Model) [][]mention {
	out := make([][]mention, len(g.funcs))
	for i, fn := range g.funcs {
		if initialises(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				var rands [8]*ssa.Value
				for _, op := range in.Operands(rands[:0]) {
					v, ok := (*op).(*ssa.Global)
					if !ok || synchronises(v.Type().(*types.Pointer).Elem(), lib) {
						continue
					}
					w := mayWrite(v, in, lib, make(map[ssa.Value]bool))
					if k := slices.IndexFunc(out[i], func(t mention) bool { return t.v == v }); k < 0 {
						out[i] = append(out[i], mention{v, w})
					} else {
						out[i][k].writes = out[i][k].writes || w
					}
				}
			}
		}
	}
	return out
}

// initialises reports whether a function initialises its package, or is part of one that does.
func initialises(fn *ssa.Function) bool {
	top := ssair.Top(fn)
	return ssair.Initialises(top) || strings.HasPrefix(top.Name(), "init#")
}

// synchronises reports whether values of a type are there to synchronise.
func synchronises(t types.Type, lib *library.Model) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && lib.IsSyncType(n.Obj().Pkg().Path()+"."+n.Obj().Name())
}

// mayWrite reports whether an instruction that has a value as an operand may write what that
// refers to, itself or by what it makes of it.
func mayWrite(v ssa.Value, in ssa.Instruction, lib *library.Model, seen map[ssa.Value]bool) bool {
	follow := func(x ssa.Value) bool {
		if seen[x] || !refers(x.Type(), lib) || x.Referrers() == nil {
			return false
		}
		seen[x] = true
		return slices.ContainsFunc(*x.Referrers(), func(r ssa.Instruction) bool { return mayWrite(x, r, lib, seen) })
	}
	switch in := in.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		return true // to it, or of it to where others find it
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "len", "cap", "print", "println", "max", "min":
				return false
			case "append":
				return in.Call.Args[0] == v || follow(in)
			case "copy":
				return in.Call.Args[0] == v
			}
			return true
		}
		if !in.Call.IsInvoke() && in.Call.Value == v {
			return false // it is called
		}
		e := lib.Func(flow.CalleeName(&in.Call))
		return e == nil || !e.ThreadSafe && !e.SafeOnClosure
	case ssa.Value:
		return follow(in)
	}
	return true
}

// refers reports whether a value of a type may lead to something that others may write.
func refers(t types.Type, lib *library.Model) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return false
	case *types.Interface:
		return !types.Identical(t, types.Universe.Lookup("error").Type())
	case *types.Pointer:
		return !synchronises(u.Elem(), lib)
	case *types.Struct:
		for f := range u.Fields() {
			if refers(f.Type(), lib) {
				return true
			}
		}
		return false
	case *types.Array:
		return refers(u.Elem(), lib)
	}
	return true
}

// solveTogether solves, for each package of which tests run at the same time and may meet, the
// program that they are.
func (r *run) solveTogether(g *references) {
	if r.off["together"] || !r.res.Complete() {
		return
	}
	r.begin()
	chosen, more := r.loaded.parallelTests(g, r.lib)
	for _, fn := range more {
		r.notice(r.loaded.pos(fn.Pos()), "nearest-roots", "more tests of this package call t.Parallel and may touch a package variable than are looked at together: the nearest ones stand for the rest")
	}
	for _, tests := range chosen {
		first := r.loaded.pos(tests[0].Pos())
		before, driver, err := r.loaded.driver(tests)
		if err != nil {
			r.notice(first, "roots-apart", "the tests of this package that call t.Parallel cannot be looked at together: "+err.Error())
			continue
		}
		res := r.res.Together(before, driver)
		if res == nil {
			r.notice(first, "entries-bounded", "the tests of this package that call t.Parallel reach too much to be looked at together")
			continue
		}
		of := make(map[model.Pos]string)
		for _, t := range tests {
			of[r.loaded.pos(t.Pos())] = t.String()
		}
		r.together = append(r.together, together{res, of})
	}
	if len(chosen) > 0 {
		r.end("together", fmt.Sprintf("%d packages with tests that run at the same time", len(chosen)))
	}
}

// driver makes a test that runs others as its subtests, and lists what runs before it. Each call
// has the position of the test that it runs.
func (p *program) driver(tests []*ssa.Function) (before []*ssa.Function, driver *ssa.Function, err error) {
	pkgs := []*ssa.Package{tests[0].Pkg}
	for _, t := range tests {
		if !slices.Contains(pkgs, t.Pkg) {
			pkgs = append(pkgs, t.Pkg)
		}
	}
	known := make(map[string]*types.Package)
	var text strings.Builder
	text.WriteString("package together\n")
	for i, pkg := range pkgs {
		for _, name := range []string{"init", "TestMain"} {
			if fn := pkg.Func(name); fn != nil {
				before = append(before, fn)
			}
		}
		path := fmt.Sprintf("p%d", i)
		known[path] = pkg.Pkg
		fmt.Fprintf(&text, "import %s %q\n", path, path)
	}
	known["testing"] = testingOf(tests[0])
	text.WriteString("import \"testing\"\nfunc __together(t *testing.T) {\n")
	for _, t := range tests {
		at := p.fset.Position(t.Pos())
		fmt.Fprintf(&text, "t.Run/*line %s:%d:%d*/(\"\", p%d.%s)\n", at.Filename, at.Line, at.Column, slices.Index(pkgs, t.Pkg), t.Name())
	}
	text.WriteString("}\n")
	made, err := p.written(tests[0], text.String(), known)
	if err != nil {
		return nil, nil, err
	}
	return before, made.Func("__together"), nil
}

// written makes a package of what nobody has written, for the one that a function lies in.
func (p *program) written(beside *ssa.Function, text string, known map[string]*types.Package) (*ssa.Package, error) {
	file, err := parser.ParseFile(p.fset, p.fset.Position(beside.Pos()).Filename, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{Importer: importerFunc(func(path string) (*types.Package, error) { return known[path], nil })}
	pkg, err := conf.Check(strings.TrimSuffix(beside.Pkg.Pkg.Path(), "_test"), p.fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	made := p.prog.CreatePackage(pkg, []*ast.File{file}, info, false)
	made.Build()
	return made, nil
}

// testingOf returns package testing, of whose T a test has a pointer.
func testingOf(test *ssa.Function) *types.Package {
	ptr := test.Signature.Params().At(0).Type().(*types.Pointer)
	return types.Unalias(ptr.Elem()).(*types.Named).Obj().Pkg()
}

// A together is the program of tests that run at the same time.
type together struct {
	res   *pta.Result
	tests map[model.Pos]string // by the position of the call that runs it
}

// testsTogether looks at tests that run at the same time, and adds the work on them.
func (r *run) testsTogether(add func(*loopRun)) {
	for i, t := range r.together {
		sub := *r
		sub.res = t.res
		meets := t.res.Meeting()
		t.res.Tell(func(l *model.Loop) bool { return meets[l.ID] })
		sub.skip = func(loop int) bool { return !meets[loop] }
		runs := sub.allLoops(nil)
		for _, l := range t.res.Loops {
			if meets[l.ID] {
				l.Func, l.Kind, l.Form = t.tests[l.Pos], "T.Parallel", model.FormTest
			}
		}
		for _, l := range runs {
			for _, race := range l.races {
				withoutDriver(race)
			}
			add(l)
		}
		r.out.Notices = append(r.out.Notices, t.res.Notices...)
		r.together[i] = together{} // it is large
	}
}

// withoutDriver takes the call of a test off the paths of a race and of those behind it: nobody
// has written it.
func withoutDriver(race *model.Race) {
	for ; race != nil; race = race.Deep {
		if b := race.B; race.Other != nil && len(b.Path) > 0 && b.Path[0].Call == race.Other.Spawn {
			b.Path = b.Path[1:]
		}
	}
}

package analyzer

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// roots chooses the functions from which the analysis starts: first main, init
// and the tests and, in code that nothing in view calls, exported functions,
// as far as they are among the entries nearest to a function that starts
// goroutines, of either kind; then, if nothing reaches them all the same, those
// functions. A module has thousands of tests and exported functions, and what
// leads to no goroutine, or leads to it as a hundred others do, says nothing new
// (soundness: nearest-roots). The functions that more entries lead to are returned, by name.
func (g *references) roots() (first []*ssa.Function, more [][]*ssa.Function, cut map[string]bool) {
	wanted, cut := make([]bool, len(g.funcs)), make(map[string]bool)
	want := func(from []int32) (some bool) {
		up := pta.Graph[int32]{
			Up:    g.up,
			Inner: func(x int32) bool { return g.funcs[x].Parent() != nil },
			Calls: g.callsIn(g.funcs[from[0]].Pkg),
		}
		for _, runs := range []bool{true, false} {
			up.Entry = func(x int32) (int32, bool) {
				return x, g.entry[x] && runs == (always(g.funcs[x]) || flow.IsTest(g.funcs[x]))
			}
			near, left := up.Nearest(from)
			for _, root := range near {
				wanted[root] = true
			}
			some = some || left
		}
		return some
	}
	for f, fn := range g.funcs {
		if g.spawns[f] && want([]int32{int32(f)}) {
			cut[fn.String()] = true
		}
	}
	for _, from := range g.besideInits() {
		if len(from) > 0 {
			want(from)
		}
	}
	var unreferenced, rest []*ssa.Function
	for f, fn := range g.funcs {
		switch {
		case always(fn) || wanted[f] && flow.IsTest(fn):
			first = append(first, fn)
		case wanted[f]:
			unreferenced = append(unreferenced, fn)
		case g.spawns[f] && fn.Parent() == nil && !g.generic(fn) && fn.Synthetic == "":
			rest = append(rest, fn)
		}
	}
	return first, [][]*ssa.Function{unreferenced, rest}, cut
}

// callsIn returns what lists the functions of a package that one mentions, itself or in a
// function that is declared in it, and in loops.
func (g *references) callsIn(pkg *ssa.Package) func(x int32, visit func(int32)) {
	return func(x int32, visit func(int32)) {
		for _, in := range append(slices.Clip(g.within[x]), x) {
			for _, k := range g.to[in] {
				if g.funcs[k].Pkg == pkg && g.funcs[k].Parent() == nil {
					visit(k)
				}
			}
			for _, k := range g.inLoops(in) {
				if g.funcs[k].Pkg == pkg {
					visit(pta.Repeated(k))
				}
			}
		}
	}
}

// inLoops lists what a function of a test mentions in loops. It is asked where there are more
// entries than are looked at.
func (g *references) inLoops(x int32) []int32 {
	out, known := g.again[x]
	if known || !flow.IsTest(ssair.Top(g.funcs[x])) {
		return out
	}
	fn := ssair.New(g.funcs[x])
	for _, b := range g.funcs[x].Blocks {
		if fn.Innermost(b) == nil {
			continue
		}
		for _, in := range b.Instrs {
			for _, f := range mentioned(in) {
				if k, ok := g.number[f]; ok {
					out = append(out, k)
				}
			}
		}
	}
	g.again[x] = out
	return out
}

// mentioned lists the functions that an instruction mentions.
func mentioned(in ssa.Instruction) (out []*ssa.Function) {
	var rands [8]*ssa.Value
	for _, op := range in.Operands(rands[:0]) {
		if f, ok := (*op).(*ssa.Function); ok {
			out = append(out, f)
		}
	}
	return out
}

// always reports whether a function runs in any case.
func always(fn *ssa.Function) bool {
	return fn.Synthetic == "package initializer" || fn.Name() == "main" && fn.Pkg != nil && fn.Pkg.Pkg.Name() == "main" && fn.Parent() == nil
}

// besideInits lists, for each package whose initialiser starts goroutines by calls that
// name what they call, the functions that mention its variables: these may meet the
// goroutines there, and entry points that lead to them need start none themselves.
func (g *references) besideInits() [][]int32 {
	number := make(map[*ssa.Function]int32, len(g.funcs))
	for i, fn := range g.funcs {
		number[fn] = int32(i)
	}
	starts := func(init *ssa.Function) bool {
		seen := map[*ssa.Function]bool{init: true}
		for work := []*ssa.Function{init}; len(work) > 0; work = work[1:] {
			k, ok := number[work[0]]
			if !ok || work[0].Pkg != init.Pkg {
				continue
			}
			if g.spawns[k] {
				return true
			}
			for _, b := range work[0].Blocks {
				for _, in := range b.Instrs {
					if c, ok := in.(ssa.CallInstruction); ok {
						if to := c.Common().StaticCallee(); to != nil && !seen[to] {
							seen[to] = true
							work = append(work, to)
						}
					}
				}
			}
		}
		return false
	}
	var out [][]int32
	at := make(map[*ssa.Package]int)
	for _, fn := range g.funcs {
		if fn.Synthetic == "package initializer" && starts(fn) {
			at[fn.Pkg] = len(out)
			out = append(out, nil)
		}
	}
	for i, fn := range g.funcs {
		if k, ok := at[fn.Pkg]; ok && fn.Synthetic == "" && !strings.HasPrefix(fn.Name(), "init#") && mentionsGlobal(fn) {
			out[k] = append(out[k], int32(i))
		}
	}
	return out
}

// mentionsGlobal reports whether a function mentions a variable of its package.
func mentionsGlobal(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			var rands [8]*ssa.Value
			for _, op := range in.Operands(rands[:0]) {
				if v, ok := (*op).(*ssa.Global); ok && v.Pkg == fn.Pkg {
					return true
				}
			}
		}
	}
	return false
}

// generic reports whether a function is the body of a generic one of which
// there are instances: it does not run itself. Where there are none, as in a
// library, it stands for them.
func (g *references) generic(fn *ssa.Function) bool {
	return fn.TypeParams().Len() > len(fn.TypeArgs()) && g.instances[fn]
}

// concrete reports whether fn is an instance of a generic function, with a body
// of its own. For type arguments that hold type parameters themselves, as where
// generic functions call each other, go/ssa makes a wrapper instead.
func concrete(fn *ssa.Function) bool {
	return strings.HasPrefix(fn.Synthetic, "instance of ") && fn.Origin() != nil
}

// references is a graph of the functions of the packages to be analysed: who
// mentions whom, by a call or as a value, or calls a method of that name and
// signature through an interface. It is coarse, and made before anything else
// is known.
type references struct {
	funcs     []*ssa.Function // by position
	from, to  [][]int32       // by function: who mentions it, and what it mentions
	within    [][]int32       // by function: those that are declared in it
	number    map[*ssa.Function]int32
	again     map[int32][]int32 // see inLoops
	spawns    []bool
	instances map[*ssa.Function]bool // generic functions with concrete instances
	entry     []bool                 // it is run by itself: main, a test, an exported function that nothing mentions
}

// functions returns all functions of the program, with what ssautil leaves out:
// the methods of generic types without instances, and those of types that are
// not exported, which nothing calls here and which a client may have all the
// same, from a constructor. What those refer to goes with them.
func (p *program) functions() map[*ssa.Function]bool {
	out := ssautil.AllFunctions(p.prog)
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || out[fn] {
			return
		}
		out[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, f := range mentioned(in) {
					visit(f)
				}
			}
		}
	}
	for _, pkg := range p.prog.AllPackages() {
		if !p.own[pkg.Pkg.Path()] {
			continue
		}
		for _, m := range pkg.Members { // the order does not matter: a set is made
			t, ok := m.(*ssa.Type)
			if !ok {
				continue
			}
			if named, ok := t.Type().(*types.Named); ok {
				for m := range named.Methods() {
					visit(p.prog.FuncValue(m))
				}
			}
		}
	}
	return out
}

// looked reports whether a function is one of those to look for goroutines in.
func (p *program) looked(fn *ssa.Function) bool {
	return fn.Blocks != nil && (fn.Pkg != nil && p.own[fn.Pkg.Pkg.Path()] || p.own[instanceOf(fn)])
}

// starting reports whether any function starts goroutines, as far as can be seen
// at once.
func (p *program) starting(lib *library.Model) bool {
	for fn := range p.funcs {
		if !p.looked(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			if slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool { return p.maySpawn(lib, in) }) {
				return true
			}
		}
	}
	return false
}

func (p *program) references(lib *library.Model) *references {
	g := &references{instances: make(map[*ssa.Function]bool)}
	where := make(map[*ssa.Function]token.Position)
	for fn := range p.funcs {
		if concrete(fn) {
			g.instances[fn.Origin()] = true
		}
		if p.looked(fn) {
			g.funcs = append(g.funcs, fn)
			where[fn] = p.prog.Fset.Position(fn.Pos())
		}
	}
	slices.SortFunc(g.funcs, func(a, b *ssa.Function) int {
		pa, pb := where[a], where[b]
		if c := cmp.Or(strings.Compare(pa.Filename, pb.Filename), cmp.Compare(pa.Offset, pb.Offset)); c != 0 {
			return c
		}
		return strings.Compare(a.String(), b.String())
	})
	number := make(map[*ssa.Function]int32, len(g.funcs))
	methods := make(map[string][]int32)
	for i, fn := range g.funcs {
		number[fn] = int32(i)
		if fn.Signature.Recv() != nil {
			k := methodKey(fn.Name(), fn.Signature)
			methods[k] = append(methods[k], int32(i))
		}
	}
	n := len(g.funcs)
	g.from, g.to, g.spawns, g.entry = make([][]int32, n), make([][]int32, n), make([]bool, n), make([]bool, n)
	g.within, g.number, g.again = make([][]int32, n), number, make(map[int32][]int32)
	for i, fn := range g.funcs {
		if top, ok := number[ssair.Top(fn)]; ok && int(top) != i {
			g.within[top] = append(g.within[top], int32(i))
		}
		to := make(map[int32]bool)
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				g.spawns[i] = g.spawns[i] || p.maySpawn(lib, in)
				if c, ok := in.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
					m := c.Common().Method
					for _, k := range methods[methodKey(m.Name(), m.Type().(*types.Signature))] {
						to[k] = true
					}
				}
				for _, f := range mentioned(in) {
					if k, ok := number[f]; ok && f != fn {
						to[k] = true
					}
				}
			}
		}
		g.to[i] = slices.Sorted(maps.Keys(to))
		for _, k := range g.to[i] {
			g.from[k] = append(g.from[k], int32(i)) // in the order of i
		}
	}
	for i, fn := range g.funcs {
		switch {
		case fn.Parent() != nil || g.generic(fn):
		case always(fn) || flow.IsTest(fn):
			g.entry[i] = true
		case fn.Synthetic == "" && !strings.HasPrefix(fn.Name(), "init#"):
			g.entry[i] = !slices.ContainsFunc(g.from[i], func(k int32) bool { return int(k) != i })
		}
	}
	return g
}

// instanceOf returns the package that a generic function is declared in of
// which fn is an instance, or "".
func instanceOf(fn *ssa.Function) string {
	if o := ssair.Top(fn).Origin(); o != nil && o.Pkg != nil {
		return o.Pkg.Pkg.Path()
	}
	return ""
}

// methodKey is what methods have in common of which one implements the other:
// parameters may have other names there, or none.
func methodKey(name string, sig *types.Signature) string {
	unnamed := func(vars *types.Tuple) *types.Tuple {
		out := make([]*types.Var, vars.Len())
		for i := range out {
			out[i] = types.NewParam(token.NoPos, nil, "", vars.At(i).Type())
		}
		return types.NewTuple(out...)
	}
	return name + types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic()), nil)
}

// up calls f for those that mention function x.
func (g *references) up(x int32, f func(int32)) {
	for _, y := range g.from[x] {
		f(y)
	}
}

// maySpawn reports whether an instruction starts goroutines, as far as can be
// seen at once: itself, by what the library model says, or by giving a function
// to code outside the packages of which the model says nothing.
func (p *program) maySpawn(lib *library.Model, in ssa.Instruction) bool {
	if _, ok := in.(*ssa.Go); ok {
		return true
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	c := call.Common()
	name := ""
	fn := c.StaticCallee()
	body := fn
	switch {
	case c.IsInvoke():
		name = c.Method.FullName()
	case fn != nil:
		if o := ssair.Origin(fn); o != nil {
			fn = o
		}
		name = fn.String()
	default:
		return false
	}
	if e := lib.Func(name); e != nil {
		if e.Op == library.OpSubtest {
			return flow.Overlaps(c, e, flow.ByName(lib.Func))
		}
		return startsBodies(e)
	}
	if fn == nil || fn.Pkg == nil || p.own[fn.Pkg.Pkg.Path()] && (p.unit == "" || fn.Blocks != nil) {
		return false
	}
	if p.starts != nil {
		if body.Blocks == nil {
			body = fn // of a generic function nothing but its own code is stored
			if p.source != nil && p.source.quiet(fn) {
				return false
			}
		}
		if starts, known := p.starts(body); known {
			return starts
		}
	}
	return slices.ContainsFunc(c.Args, func(a ssa.Value) bool {
		_, ok := a.Type().Underlying().(*types.Signature)
		return ok
	})
}

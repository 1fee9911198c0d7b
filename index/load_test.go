package index

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/iterace/iterace/internal/ssair"
)

// A program is a package of test functions, each with one parallel loop.
type program struct {
	pkg   *ssa.Package
	funcs map[*ssa.Function]*Func
	irs   map[*ssa.Function]*ssair.Func
}

var (
	importMu sync.Mutex
	imports  = importer.Default()
)

func loadProgram(t testing.TB, src string) *program {
	t.Helper()
	importMu.Lock()
	defer importMu.Unlock()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	pkg := types.NewPackage("p", "p")
	conf := &types.Config{Importer: imports, GoVersion: "go1.26"}
	p, _, err := ssautil.BuildPackage(conf, fset, pkg, []*ast.File{f}, ssa.InstantiateGenerics)
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		t.Fatalf("%s in\n%.3000s", line, src)
	}
	return &program{p, make(map[*ssa.Function]*Func), make(map[*ssa.Function]*ssair.Func)}
}

func (p *program) ir(fn *ssa.Function) *ssair.Func {
	if p.irs[fn] == nil {
		p.irs[fn] = ssair.New(fn)
	}
	return p.irs[fn]
}

func (p *program) index(fn *ssa.Function) *Func {
	if _, ok := p.funcs[fn]; !ok {
		p.funcs[fn] = Build(p.ir(fn), nil)
	}
	return p.funcs[fn]
}

// names lists the functions of the package in order.
func (p *program) names() []string {
	var out []string
	for name, m := range p.pkg.Members {
		if _, ok := m.(*ssa.Function); ok && name != "init" {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// A walker finds the accesses of the iterations that a function spawns,
// following calls by a simple resolution of function values.
type walker struct {
	p        *program
	spawn    int // index of the step that spawns, -1 before
	accesses []found
	written  map[string]bool // names of what the iterations or the loop store to
	funcs    map[ssa.Value]*ssa.Function
	allocs   map[ssa.Value]ssa.Value
	any      bool // other packages too
}

type found struct {
	Access
	spawn int
	name  string // of the variable that holds the slice
}

// variable names the variable that an address or slice comes from.
func variable0(v ssa.Value) string {
	for range 20 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.IndexAddr:
			return "elem of " + variable0(x.X)
		case *ssa.FieldAddr:
			return "field " + variable0(x.X) + fieldStep(x.Field)
		case *ssa.Slice:
			v = x.X
		case *ssa.Alloc:
			return x.Comment
		case *ssa.Phi:
			return x.Comment
		case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
			return x.Name()
		case *ssa.Extract:
			v = x.Tuple
		default:
			return "?"
		}
	}
	return "?"
}

func (w *walker) callee(v ssa.Value) *ssa.Function { return w.calleeTo(v, 8) }

func (w *walker) calleeTo(v ssa.Value, depth int) *ssa.Function {
	for range 20 {
		if depth == 0 {
			return nil
		}
		switch x := v.(type) {
		case *ssa.Function:
			return x
		case *ssa.MakeClosure:
			return x.Fn.(*ssa.Function)
		case *ssa.UnOp:
			v = x.X
		case *ssa.FreeVar:
			if w.allocs[x] == nil {
				return nil
			}
			v = w.allocs[x]
		case *ssa.Alloc:
			var val ssa.Value
			for _, r := range *x.Referrers() {
				if s, ok := r.(*ssa.Store); ok && s.Addr == x {
					val = s.Val
				}
			}
			if val == nil {
				return nil
			}
			v = val
		case *ssa.Phi:
			for _, e := range x.Edges {
				if f := w.calleeTo(e, depth-1); f != nil {
					return f
				}
			}
			return nil
		case *ssa.Parameter:
			return w.funcs[x]
		default:
			return nil
		}
	}
	return nil
}

func (w *walker) walk(fn *ssa.Function, chain []Step) {
	if len(chain) > 6 || fn.Blocks == nil || fn.Pkg != w.p.pkg && fn.Synthetic == "" && !w.any {
		return
	}
	ir := w.p.ir(fn)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if mc, ok := in.(*ssa.MakeClosure); ok {
				for i, x := range mc.Bindings {
					w.allocs[mc.Fn.(*ssa.Function).FreeVars[i]] = x
				}
			}
			here := append(chain[:len(chain):len(chain)], Step{w.p.index(fn), ir.Num(in)})
			inLoop := ir.Innermost(b) != nil
			if w.spawn >= 0 || inLoop {
				if s, ok := in.(*ssa.Store); ok {
					w.written[variable0(s.Addr)] = true
				}
			}
			if w.spawn >= 0 {
				w.access(in, here)
			}
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := call.Common()
			to := w.callee(c.Value)
			_, spawns := in.(*ssa.Go)
			if to != nil && to.Pkg != w.p.pkg && len(c.Args) == 2 && to.Name() == "Go" {
				spawns = true // wg.Go
				to = w.callee(c.Args[1])
			}
			if to == nil {
				continue
			}
			for i, a := range c.Args {
				if f := w.callee(a); f != nil && i < len(to.Params) {
					w.funcs[to.Params[i]] = f
				}
			}
			old := w.spawn
			if spawns && w.spawn < 0 {
				w.spawn = len(chain)
			}
			w.walk(to, here)
			w.spawn = old
		}
	}
}

func (w *walker) access(in ssa.Instruction, chain []Step) {
	add := func(addr ssa.Value, arg int, write bool) {
		if n := variable0(addr); len(n) > 7 && n[:7] == "elem of" || arg >= 0 || write {
			w.accesses = append(w.accesses, found{Access{Chain: chain, Arg: arg, Write: write}, w.spawn, n})
		}
	}
	switch in := in.(type) {
	case *ssa.Store:
		if _, local := in.Addr.(*ssa.Alloc); !local {
			add(in.Addr, -1, true)
		}
	case *ssa.UnOp:
		if in.Op == token.MUL {
			add(in.X, -1, false)
		}
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		if !ok {
			return
		}
		switch b.Name() {
		case "copy":
			add(in.Call.Args[0], 0, true)
			add(in.Call.Args[1], 1, false)
		case "append":
			add(in.Call.Args[0], 0, true)
			add(in.Call.Args[0], 0, false)
			if len(in.Call.Args) > 1 {
				add(in.Call.Args[1], 1, false)
			}
		case "clear":
			add(in.Call.Args[0], 0, true)
		}
	}
}

// testOracle takes what has another name than everything written for unwritten.
type testOracle struct {
	w    *walker
	know Knowledge
	inj  map[string]bool
}

func (o *testOracle) Invariant(chain []Step, at ssair.Instr) bool {
	name := chain[len(chain)-1].Fn.Name
	for fn, f := range o.w.p.funcs {
		if f == nil || f.Name != name {
			continue
		}
		if u, ok := o.w.p.ir(fn).At(at).(*ssa.UnOp); ok {
			return !o.w.written[variable0(u.X)]
		}
	}
	return false
}

func (o *testOracle) OneOrNil([]Step, ssair.Instr) bool { return false }

// Kept holds if nothing of that name is stored to later in the function.
func (o *testOracle) Kept(chain []Step, at ssair.Instr) bool {
	if !o.Invariant(chain, at) {
		return false
	}
	for fn, f := range o.w.p.funcs {
		if f == nil || f.Name != chain[len(chain)-1].Fn.Name {
			continue
		}
		ir := o.w.p.ir(fn)
		name := variable0(ir.At(at).(*ssa.UnOp).X)
		for n := at + 1; n < ir.Start[len(ir.Start)-1]; n++ {
			if st, ok := ir.At(n).(*ssa.Store); ok && variable0(st.Addr) == name {
				return false
			}
		}
	}
	return true
}

// Born holds if only the listed instructions store to a field of that name.
func (o *testOracle) Born(chain []Step, at ssair.Instr, birth Birth) bool {
	field := func(v ssa.Value) string {
		if fa, ok := v.(*ssa.FieldAddr); ok {
			return deref(fa.X.Type()).String() + fieldStep(fa.Field)
		}
		return ""
	}
	read := ""
	for fn, f := range o.w.p.funcs {
		if f != nil && f.Name == chain[len(chain)-1].Fn.Name {
			if u, ok := o.w.p.ir(fn).At(at).(*ssa.UnOp); ok {
				read = field(u.X)
			}
		}
	}
	for fn := range o.w.p.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				st, ok := in.(*ssa.Store)
				if !ok {
					continue
				}
				base, _ := cellPath(st.Addr)
				a, direct := base.(*ssa.Alloc)
				if direct && (fn.String() != birth.Maker || o.w.p.ir(fn).Num(a) != birth.At) {
					continue // of another object
				}
				listed := fn.String() == birth.Maker && slices.Contains(birth.Stores, o.w.p.ir(fn).Num(in))
				if !listed && field(st.Addr) != "" && (read == "" || field(st.Addr) == read) {
					return false
				}
			}
		}
	}
	return true
}

func (o *testOracle) Filled([]Step, ssair.Instr) (*Func, []ssair.Instr) { return nil, nil }
func (o *testOracle) Fed([]Step, ssair.Instr) (Feed, bool)              { return Feed{}, false }
func (o *testOracle) Taken([]Step, ssair.Instr, ssair.Instr) Knowledge  { return o.know }
func (o *testOracle) OnlyAdds([]Step, ssair.Instr) Knowledge            { return o.know }
func (o *testOracle) Begins([]Step, ssair.Instr) (*Func, ssair.Instr)   { return nil, ssair.NoInstr }
func (o *testOracle) Least([]Step, ssair.Instr) (int64, bool)           { return 0, false }
func (o *testOracle) Callee([]Step, ssair.Instr) *Func                  { return nil }
func (o *testOracle) UniqueItems([]Step, ssair.Instr) Knowledge         { return o.know }
func (o *testOracle) GivenApart([]Step, Given, Given) bool              { return false }
func (o *testOracle) Makes([]Step, ssair.Instr) bool                    { return false }
func (o *testOracle) OneRow() bool                                      { return false }
func (o *testOracle) Injective(f string) bool                           { return o.inj[f] }
func (o *testOracle) Rising(f string) bool                              { return false }
func (o *testOracle) Indices(f string) int                              { return -1 }

// outcome is the verdict on a function: the worst of its pairs.
type outcome struct {
	disjoint, may int // pairs; pairs with different roots are left out
	weak          bool
	apart         []Verdict // the pairs that were not proved
	proved        []Verdict
}

func (p *program) judge(t testing.TB, name string) outcome {
	t.Helper()
	fn := p.pkg.Func(name)
	if fn == nil {
		t.Fatalf("no function %s", name)
	}
	w := &walker{p: p, spawn: -1, written: make(map[string]bool), funcs: make(map[ssa.Value]*ssa.Function), allocs: make(map[ssa.Value]ssa.Value)}
	w.walk(fn, nil)
	pr := NewProver(nil)
	var out outcome
	for i, a := range w.accesses {
		for _, b := range w.accesses[i:] {
			if !a.Write && !b.Write || a.spawn != b.spawn {
				continue
			}
			q := &Query{A: a.Access, B: b.Access, Spawn: a.spawn, Loop: -1, Oracle: &testOracle{w: w}}
			v := pr.Overlap(q)
			if len(v.Why) == 1 && differentRoots(v.Why[0]) && a.name != b.name {
				continue
			}
			if v.Answer == Disjoint {
				out.disjoint++
				out.weak = out.weak || v.Weak()
				out.proved = append(out.proved, v)
			} else {
				out.may++
				out.apart = append(out.apart, v)
			}
		}
	}
	return out
}

func differentRoots(why string) bool {
	return len(why) > 12 && why[:12] == "indices into"
}

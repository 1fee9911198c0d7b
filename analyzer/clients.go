package analyzer

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/ssa"
)

// This file looks at what a library's client does beside the goroutines that the library has
// started for it:
//
//	c := cache.New(…) // starts a goroutine that removes what is old
//	c.Put(k, v)
//
// Where nothing in view makes such an object, its client is one goroutine that makes it and calls
// its exported methods, in whatever order (soundness: one-client). That is a program by itself, so that
// whatever else is found stays as it is.

// Bounds on clients (soundness: one-client).
const (
	maxClients = 24 // of a program
	maxMethods = 40 // that one calls
	startDepth = 3  // calls below what a client calls at which goroutines start
)

// A client is a program that nobody has written.
type client struct {
	res  *pta.Result
	near map[string]bool // functions that it leads to, by name, in which it may start goroutines
}

// clients lists the functions that make objects for clients that are not in view, and start
// goroutines for these, or have methods that do.
func (p *program) clients(g *references) (out []*ssa.Function) {
	for i, fn := range g.funcs {
		if !g.entry[i] || fn.Signature.Recv() != nil || fn.Object() == nil || !fn.Object().Exported() || fn.Pkg == nil {
			continue
		}
		sig, _ := instance(fn)
		if sig == nil || !nameableTuple(sig.Params()) {
			continue
		}
		t := result(sig)
		if t == nil || t.Obj().Pkg() != fn.Pkg.Pkg || !t.Obj().Exported() {
			continue
		}
		from := []int32{int32(i)}
		for _, m := range p.methods(t) {
			if k, ok := g.number[m.fn]; ok && nameableTuple(m.sig.Params()) {
				from = append(from, k)
			}
		}
		if len(from) > 1 && g.starts(from, nil) {
			out = append(out, fn)
		}
	}
	return out
}

// instance returns the signature of a function and, if it is generic, the type arguments that it then has:
// int for each parameter, or string where that does not fit; nil if neither does.
func instance(fn *ssa.Function) (*types.Signature, []types.Type) {
	t, args := withArgs(fn.Signature, fn.Signature.TypeParams().Len())
	sig, _ := t.(*types.Signature)
	return sig, args
}

// withArgs is instance for what has n type parameters.
func withArgs(generic types.Type, n int) (types.Type, []types.Type) {
	if n == 0 {
		return generic, nil
	}
	for _, kind := range []types.BasicKind{types.Int, types.String} {
		args := slices.Repeat([]types.Type{types.Typ[kind]}, n)
		if t, err := types.Instantiate(nil, generic, args, true); err == nil {
			return t, args
		}
	}
	return nil, nil
}

// starts reports whether functions start goroutines, themselves or by what they mention, near by, and
// notes the names of what lies there.
func (g *references) starts(from []int32, near map[string]bool) (some bool) {
	seen := make(map[int32]bool)
	for depth := 0; depth <= startDepth && (!some || near != nil); depth++ {
		var next []int32
		for _, f := range from {
			some = some || g.spawns[f]
			if near != nil {
				near[ofAnyType(g.funcs[f].String())] = true
			}
			for _, k := range slices.Concat(g.to[f], g.within[f]) {
				if !seen[k] {
					seen[k] = true
					next = append(next, k)
				}
			}
		}
		from = next
	}
	return some
}

// ofAnyType returns the name of a function, or of a method, without type arguments or type parameters.
func ofAnyType(name string) string {
	for {
		i := strings.IndexByte(name, '[')
		if i < 0 {
			return name
		}
		depth, k := 0, i
		for ; k < len(name); k++ {
			switch name[k] {
			case '[':
				depth++
			case ']':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		name = name[:i] + name[min(k+1, len(name)):]
	}
}

// result returns the named type of which a function returns a value, or a pointer to one, first.
func result(sig *types.Signature) *types.Named {
	res := sig.Results()
	if res.Len() == 0 {
		return nil
	}
	return pointee(res.At(0).Type())
}

// pointee returns the named struct type that a type points to, or nil.
func pointee(t types.Type) *types.Named {
	ptr, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	n, _ := types.Unalias(ptr.Elem()).(*types.Named)
	if n == nil {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n
}

// A method is one of a type, which may be an instance of a generic one: of the function the parameters have type parameters then.
type method struct {
	fn  *ssa.Function
	sig *types.Signature
}

// methods lists the exported methods that a type declares itself.
func (p *program) methods(t *types.Named) (out []method) {
	for m := range t.Methods() {
		if fn := p.prog.FuncValue(m.Origin()); fn != nil && m.Exported() && fn.Blocks != nil {
			out = append(out, method{fn, m.Signature()})
		}
	}
	return out
}

// nameableTuple reports whether another package can name the types of parameters.
func nameableTuple(t *types.Tuple) bool {
	for v := range t.Variables() {
		if !nameable(v.Type(), 0) {
			return false
		}
	}
	return true
}

// nameable reports whether another package can name a type.
func nameable(t types.Type, depth int) bool {
	if depth > 8 {
		return false
	}
	in := func(t types.Type) bool { return nameable(t, depth+1) }
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if !in(a) {
				return false
			}
		}
		return t.Obj().Pkg() == nil || t.Obj().Exported() && t.Obj().Parent() == t.Obj().Pkg().Scope()
	case *types.Alias:
		return in(types.Unalias(t))
	case *types.Pointer:
		return in(t.Elem())
	case *types.Slice:
		return in(t.Elem())
	case *types.Array:
		return in(t.Elem())
	case *types.Chan:
		return in(t.Elem())
	case *types.Map:
		return in(t.Key()) && in(t.Elem())
	case *types.Signature:
		return nameableTuple(t.Params()) && nameableTuple(t.Results())
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Interface:
		return t.NumExplicitMethods() == 0 && t.NumEmbeddeds() == 0
	}
	return false
}

// A clientText writes a client.
type clientText struct {
	p      *program
	known  map[string]*types.Package
	names  map[*types.Package]string
	params strings.Builder
	body   strings.Builder
	n      int  // parameters so far
	each   bool // parameters are lists of arguments, of which number __i is taken
	called []int32
}

func (p *program) newClientText() *clientText {
	return &clientText{p: p, known: make(map[string]*types.Package), names: make(map[*types.Package]string)}
}

// pkg returns the name by which the client imports a package.
func (w *clientText) pkg(p *types.Package) string {
	name, ok := w.names[p]
	if !ok {
		name = fmt.Sprintf("p%d", len(w.names))
		w.names[p], w.known[name] = name, p
	}
	return name
}

// args makes parameters of the client for the arguments of a call.
func (w *clientText) args(sig *types.Signature) string {
	var args []string
	for v := range sig.Params().Variables() {
		name := fmt.Sprintf("a%d", w.n)
		w.n++
		list, at := "", ""
		if w.each {
			list, at = "[]", "[__i]"
		}
		fmt.Fprintf(&w.params, ", %s %s%s", name, list, types.TypeString(types.Unalias(v.Type()), w.pkg))
		args = append(args, name+at)
	}
	if sig.Variadic() {
		args[len(args)-1] += "..."
	}
	return strings.Join(args, ", ")
}

// line gives what follows a position: a call that of the function that it calls.
func (w *clientText) line(pos token.Pos) string {
	at := w.p.fset.Position(pos)
	return fmt.Sprintf("/*line %s:%d:%d*/", at.Filename, at.Line, at.Column)
}

// calls writes calls of a type's methods on a variable, those first that start goroutines. With
// deep, what a method returns has its methods called, too.
func (w *clientText) calls(g *references, v string, t *types.Named, deep bool) {
	fmt.Fprintf(&w.body, "_ = %s\n", v)
	ms := w.p.methods(t)
	starts := func(m method) bool { k, ok := g.number[m.fn]; return ok && g.starts([]int32{k}, nil) }
	for _, m := range ms {
		if starts(m) {
			w.call(g, v, m, t, false)
		}
	}
	for _, m := range ms {
		w.call(g, v, m, t, deep)
	}
}

// call writes a call of a method, which the client may make or not.
func (w *clientText) call(g *references, v string, m method, t *types.Named, deep bool) {
	k, ok := g.number[m.fn]
	if !ok || len(w.called) > maxMethods || !nameableTuple(m.sig.Params()) {
		return
	}
	w.called = append(w.called, k)
	fmt.Fprintf(&w.body, "if c[%d] {\n", len(w.called))
	call := fmt.Sprintf("%s.%s%s(%s)", v, m.fn.Name(), w.line(m.fn.Pos()), w.args(m.sig))
	r := result(m.sig)
	if deep && r != nil && !types.Identical(r, t) && r.Obj().Pkg() == t.Obj().Pkg() && len(w.p.methods(r)) > 0 {
		name := fmt.Sprintf("r%d", len(w.called))
		fmt.Fprintf(&w.body, "%s%s := %s\n", name, strings.Repeat(", _", m.sig.Results().Len()-1), call)
		w.calls(g, name, r, false)
	} else {
		w.body.WriteString(call + "\n")
	}
	w.body.WriteString("}\n")
}

// text returns the file of a client that is one function, of which the first parameter says what it chooses.
func (w *clientText) text(name, choices string) string {
	var text strings.Builder
	text.WriteString("package client\n")
	for i := range len(w.names) {
		fmt.Fprintf(&text, "import p%d \"p%d\"\n", i, i)
	}
	fmt.Fprintf(&text, "func %s(%s%s) {\n%s}\n", name, choices, w.params.String(), w.body.String())
	return text.String()
}

// makes writes that variable x is made by a function, and returns the type that it points to.
func (w *clientText) makes(fn *ssa.Function) *types.Named {
	sig, args := instance(fn)
	of := ""
	if args != nil {
		of = "[" + strings.Repeat(", "+args[0].String(), len(args))[2:] + "]"
	}
	fmt.Fprintf(&w.body, "x%s := %s.%s%s%s(%s)\n", strings.Repeat(", _", sig.Results().Len()-1), w.pkg(fn.Pkg.Pkg), fn.Name(), of, w.line(fn.Pos()), w.args(sig))
	return result(sig)
}

// clientOf writes the client of what a function makes, and lists what that leads to.
func (p *program) clientOf(g *references, fn *ssa.Function) (c *ssa.Function, near map[string]bool, err error) {
	w := p.newClientText()
	w.called = []int32{g.number[fn]}
	w.calls(g, "x", w.makes(fn), true)
	made, err := p.written(fn, w.text("__"+fn.Name(), "c []bool"), w.known)
	if err != nil {
		return nil, nil, err
	}
	near = make(map[string]bool)
	g.starts(w.called, near)
	return made.Func("__" + fn.Name()), near, nil
}

// solveClients solves the programs of clients.
func (r *run) solveClients(g *references) {
	if r.off["clients"] || !r.res.Complete() {
		return
	}
	makers := r.loaded.clients(g)
	if len(makers) == 0 {
		return
	}
	r.begin()
	for n, fn := range makers {
		at := r.loaded.pos(fn.Pos())
		if n == maxClients {
			r.notice(at, "one-client", "more functions of this program make what starts goroutines than have clients written for them")
			break
		}
		c, near, err := r.loaded.clientOf(g, fn)
		if err != nil {
			r.notice(at, "one-client", "no client of what this function makes can be written: "+err.Error())
			continue
		}
		if res := r.solveClient(fn.Pkg, c, at); res != nil {
			r.clients = append(r.clients, client{res, near})
		}
	}
	r.end("clients", fmt.Sprintf("%d clients", len(r.clients)))
}

// solveClient solves the program of a client of what a package makes, after the package's initialiser; nil if it reaches too
// much, which is said.
func (r *run) solveClient(pkg *ssa.Package, c *ssa.Function, at model.Pos) *pta.Result {
	var before []*ssa.Function
	if init := pkg.Func("init"); init != nil {
		before = append(before, init)
	}
	res := r.res.Client(before, c)
	if res == nil {
		r.notice(at, "entries-bounded", "a client of what this function makes reaches too much to be looked at")
	}
	return res
}

// lookAtClients looks at what clients do beside the goroutines that are started for them.
func (r *run) lookAtClients(add func(*loopRun)) {
	for i, c := range r.clients {
		sub := *r
		sub.res = c.res
		sub.skip = func(loop int) bool {
			l := c.res.Loops[loop]
			return l.Form == "operator" || !c.near[ofAnyType(l.Func)]
		}
		for _, l := range sub.allLoops(nil) {
			n := len(l.races)
			l.races = slices.DeleteFunc(l.races, func(race *model.Race) bool { return !meantForMany(race) })
			l.lessOut(n - len(l.races))
			withoutClient(l.races, "a client that is not in view may do this meanwhile (S93)", false)
			add(l)
		}
		r.clients[i] = client{} // it is large
	}
}

// meantForMany reports whether a client's access shows, with a goroutine's, that both are meant to
// be made at the same time: one of them has a lock. What a client sets without one may have to be
// set before the goroutine starts, or is its own as yet.
func meantForMany(race *model.Race) bool {
	a, b := race.A, race.B
	return b.Thread == model.Main && len(b.Path) > 0 && (len(b.Locks) > 0 || b.Kind == model.Read && len(a.Locks) > 0)
}

// withoutClient takes the client's calls off the paths of races and of those behind them, of all accesses or of B
// alone, and makes them no more than likely: that there is such a client is not known.
func withoutClient(races []*model.Race, why string, all bool) {
	seen := make(map[*model.Access]bool) // races have them in common
	for _, r := range races {
		r.Confidence = min(r.Confidence, model.Likely)
		r.Because(model.AboutScope, why)
		for ; r != nil; r = r.Deep {
			for _, x := range []*model.Access{r.A, r.B} {
				if (all || x == r.B) && !seen[x] && len(x.Path) > 0 {
					seen[x] = true
					x.Path = x.Path[1:]
				}
			}
		}
	}
}

package analyzer

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"golang.org/x/tools/go/ssa"
)

// This file looks at several goroutines that a library's client has, which call the methods of one
// object:
//
//	func (m *Memo) Len() int { return len(m.of) } // without the lock that Put has
//
// Where nothing in view makes such an object, and it has a lock, its client is one that makes it
// and starts goroutines, each of which calls one exported method (soundness: many-clients).

// Bounds on crowds (soundness: many-clients).
const (
	maxCrowds = 96 // of a program
	lockDepth = 3  // structs within structs in which locks are looked for
)

// A crowd is a program that nobody has written, whose goroutines share one object.
type crowd struct {
	res   *pta.Result
	fn    string // the client's function
	name  string // of what makes the object, or of its type
	meant *meant
}

// A maker is how a crowd gets its object.
type maker struct {
	fn   *ssa.Function // that makes it; of a type whose zero value will do, its first method
	of   *types.Named
	zero bool
}

// name returns the name of the function, or of the type.
func (m maker) name() string {
	if m.zero {
		return m.of.Obj().Pkg().Path() + "." + m.of.Obj().Name()
	}
	return m.fn.String()
}

// pos returns where that is.
func (m maker) pos() token.Pos {
	if m.zero {
		return m.of.Obj().Pos()
	}
	return m.fn.Pos()
}

// crowds lists the makers of what has a lock and exported methods, one for each type.
func (p *program) crowds(g *references) (out []maker) {
	have := make(map[*types.TypeName]bool)
	for i, fn := range g.funcs {
		if fn.Signature.Recv() != nil || fn.Object() == nil || !fn.Object().Exported() || fn.Pkg == nil || fn.Pkg.Pkg.Name() == "main" {
			continue
		}
		sig, _ := instance(fn)
		if sig == nil || !nameableTuple(sig.Params()) || forTests(sig) {
			continue
		}
		t := result(sig)
		if t == nil || t.Obj().Pkg() != fn.Pkg.Pkg || !g.entry[i] {
			continue
		}
		if m := (maker{fn: fn, of: t}); p.crowded(g, m) && !have[t.Obj()] {
			have[t.Obj()] = true
			out = append(out, m)
		}
	}
	made := g.made()
	for _, fn := range g.funcs {
		t := receiverOf(fn)
		if t == nil || made[t.Obj()] || have[t.Obj()] || t.Obj().Pkg() != fn.Pkg.Pkg || fn.Pkg.Pkg.Name() == "main" {
			continue
		}
		have[t.Obj()] = true
		one, _ := withArgs(t.Origin(), t.TypeParams().Len())
		if t, ok := one.(*types.Named); ok && p.crowded(g, maker{fn, t, true}) {
			out = append(out, maker{fn, t, true})
		}
	}
	return out
}

// forTests reports whether a function is one that tests call: it takes something of package testing.
func forTests(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		t := types.Unalias(v.Type())
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" {
			return true
		}
	}
	return false
}

// receiverOf returns the type to which the receiver of a method points, or nil.
func receiverOf(fn *ssa.Function) *types.Named {
	if fn.Signature.Recv() == nil || fn.Pkg == nil || fn.Synthetic != "" {
		return nil
	}
	return pointee(fn.Signature.Recv().Type())
}

// crowded reports whether a maker's objects have locks of their own, and methods.
func (p *program) crowded(g *references, m maker) bool {
	return m.of.Obj().Exported() && len(mutexes(m.of, 0)) > 0 && !p.documentedAlone(m.of) && slices.ContainsFunc(p.methods(m.of), func(f method) bool {
		_, ok := g.number[f.fn]
		return ok && nameableTuple(f.sig.Params())
	})
}

// made lists the types of which the code in view makes values.
func (g *references) made() map[*types.TypeName]bool {
	out := make(map[*types.TypeName]bool)
	add := func(t types.Type) {
		if n, ok := types.Unalias(t).(*types.Named); ok {
			out[n.Obj()] = true
		}
	}
	for _, fn := range g.funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Alloc:
					add(in.Type().Underlying().(*types.Pointer).Elem())
				case *ssa.FieldAddr: // a part of something else
					add(in.Type().Underlying().(*types.Pointer).Elem())
				case *ssa.IndexAddr:
					add(in.Type().Underlying().(*types.Pointer).Elem())
				}
				for _, v := range in.Operands(nil) {
					if v, ok := (*v).(*ssa.Global); ok {
						add(v.Type().Underlying().(*types.Pointer).Elem())
					}
				}
			}
		}
	}
	return out
}

// general matches names of locks that are for all that a type has.
var general = regexp.MustCompile(`(?i)^(mu|mux|mtx|mutex|l|lk|lock|m|rw|rwmu|rwmutex|rwlock)$`)

// mutexes lists the locks that values of a struct type have of their own: which of them are for all that it has, and
// which by their names for something.
func mutexes(t types.Type, depth int) (list []string) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > lockDepth {
		return nil
	}
	for f := range st.Fields() {
		ft := types.Unalias(f.Type())
		if ptr, ok := ft.(*types.Pointer); ok && (f.Embedded() || isMutex(ptr.Elem())) {
			ft = types.Unalias(ptr.Elem())
		}
		switch {
		case !isMutex(ft):
			list = append(list, mutexes(ft, depth+1)...)
		case general.MatchString(f.Name()):
			list = append(list, "general")
		default:
			list = append(list, "special")
		}
	}
	return list
}

// isMutex reports whether a type is one of the locks of package sync.
func isMutex(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" && (n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex")
}

// parameter matches the names of a client's parameters, and of its imports.
var parameter = regexp.MustCompile(`^[ap][0-9]+$`)

// crowdOf writes the client of what a maker makes.
func (p *program) crowdOf(g *references, m maker) (*ssa.Function, error) {
	w := p.newClientText()
	fn, x, at := m.fn, "x", w.line(m.pos())
	if m.zero {
		if name := fn.Signature.Recv().Name(); name != "" && name != "_" && !parameter.MatchString(name) {
			x = name // as the package calls it
		}
		fmt.Fprintf(&w.body, "%s%s := new(%s)\n", at, x, types.TypeString(m.of, w.pkg))
	} else {
		w.makes(fn)
	}
	fmt.Fprintf(&w.body, "%sfor __i := range __c {\n%sgo func() {\nswitch __c[__i] {\n", at, at)
	w.each = true
	for k, m := range p.methods(m.of) {
		if k == maxMethods {
			break
		}
		if _, ok := g.number[m.fn]; ok && nameableTuple(m.sig.Params()) {
			fmt.Fprintf(&w.body, "case %d: %s.%s%s(%s)\n", k, x, m.fn.Name(), w.line(m.fn.Pos()), w.args(m.sig))
		}
	}
	w.body.WriteString("}\n}()\n}\n")
	made, err := p.written(fn, w.text("__"+fn.Name(), "__c []int"), w.known)
	if err != nil {
		return nil, err
	}
	return made.Func("__" + fn.Name()), nil
}

// solveCrowds solves the programs of clients with several goroutines.
func (r *run) solveCrowds(g *references) {
	if r.off["clients"] || !r.res.Complete() {
		return
	}
	makers := r.loaded.crowds(g)
	if len(makers) == 0 {
		return
	}
	r.begin()
	known := r.evidence(g)
	for n, m := range makers {
		at := r.loaded.pos(m.pos())
		if n == maxCrowds {
			r.notice(at, "many-clients", "more functions of this program make what has a lock than have clients written for them")
			break
		}
		c, err := r.loaded.crowdOf(g, m)
		if err != nil {
			r.notice(at, "many-clients", "no client of what this function makes can be written: "+err.Error())
			continue
		}
		if res := r.solveClient(m.fn.Pkg, c, at); res != nil {
			r.crowds = append(r.crowds, crowd{res, c.String(), m.name(), known.meant(m.of)})
		}
	}
	r.end("crowds", fmt.Sprintf("%d clients with several goroutines", len(r.crowds)))
}

// lookAtCrowds looks at what several goroutines of clients do at the same time.
func (r *run) lookAtCrowds(add func(*loopRun)) {
	for i, c := range r.crowds {
		sub := *r
		sub.res = c.res
		own := func(l *model.Loop) bool { return strings.HasPrefix(l.Func, c.fn) }
		sub.skip = func(loop int) bool { return !own(c.res.Loops[loop]) }
		sub.wanted = c.meant.together
		c.res.Tell(own)
		runs := sub.allLoops(nil)
		for _, l := range c.res.Loops {
			if own(l) {
				l.Func, l.Kind, l.Form = c.name, model.FormClient, model.FormClient
			}
		}
		for _, l := range runs {
			withoutClient(l.races, "goroutines of a client that is not in view may do this at the same time (S97)", true)
			add(l)
		}
		r.crowds[i] = crowd{} // it is large
	}
}

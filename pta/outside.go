package pta

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// This file is about functions whose code is not in view: those of other
// packages when one package is analysed on its own, and those of dependencies
// when their templates are kept. There are types of them and no code.

// partial reports whether code of some packages is not in view.
func (p *Program) partial() bool { return p.Unit != "" || p.View != nil }

// outside reports whether fn is a function of a package that is not in view.
func (p *Program) outside(fn *ssa.Function) bool {
	if fn.Blocks != nil || !p.partial() {
		return false
	}
	pkg := pkgPath(fn)
	if p.Unit != "" {
		return pkg != p.Unit
	}
	return !p.View(pkg)
}

// Unknown returns the names of the functions that were called and of which
// nothing is known, sorted: neither code nor a model entry.
func (p *Program) Unknown() []string { return slices.Sorted(maps.Keys(p.unknown)) }

// noteUnknown remembers that nothing is known of a function: a call of it does
// nothing to the arguments and returns new memory (soundness: unknown-callee).
func (p *Program) noteUnknown(fn *ssa.Function) {
	p.unknown[libraryName(fn)] = true
}

// resultMemory fills in what a result of type t points to; false where that
// cannot be told (soundness: opaque-results).
func (p *Program) resultMemory(a *Alloc, t types.Type) bool {
	switch u := ssair.Under(t).(type) {
	case *types.Pointer:
		a.Kind, a.Type = AllocValue, p.types.id(u.Elem())
	case *types.Slice:
		a.Kind, a.Type = AllocArray, p.types.id(u.Elem())
	case *types.Map:
		a.Kind, a.Type = AllocMap, p.types.id(t)
	case *types.Chan:
		a.Kind, a.Type = AllocChan, p.types.id(u.Elem())
	default:
		return false
	}
	return true
}

// notCalled reports whether a function is the initialiser of another package, and calls
// of it are passed over, see initialiser.
func (p *Program) notCalled(fn *ssa.Function) bool {
	return p.Unit != "" && !p.Whole && ssair.Initialises(fn) && p.outside(fn)
}

// summary returns what is stored of a function of another package. Nothing is asked of
// initialisers: each package calls those of all that it imports.
func (p *Program) summary(fn *ssa.Function) (s summary, known bool) {
	if !p.outside(fn) {
		return summary{}, false
	}
	if p.notCalled(fn) {
		return summary{}, true
	}
	l, i, known := p.stored(p.symbolOf(p.FuncID(fn)))
	if !known {
		return summary{}, false
	}
	return *l.summary(i), true
}

func (p *Program) known(fn *ssa.Function) bool {
	_, known := p.summary(fn)
	return known
}

// freshOutside reports whether a result of a function of another package is new
// memory. Those of unknown functions are taken to be (soundness: unknown-callee).
func (p *Program) freshOutside(fn *ssa.Function, i int) bool {
	s, known := p.summary(fn)
	if !known {
		return p.outside(fn)
	}
	return i < len(s.RFresh) && s.RFresh[i]
}

func (p *Program) wrapperOutside(fn *ssa.Function) bool {
	s, _ := p.summary(fn)
	return s.Wrapper
}

// smallIndex returns the index code of a small function of another package.
func (p *Program) smallIndex(fn *ssa.Function) *index.Func {
	s, _ := p.summary(fn)
	return s.Index
}

// MakesError reports whether a function of another package makes errors only.
func (h holes) MakesError(fn *ssa.Function) bool {
	s, _ := h.p.summary(fn)
	return s.Error
}

// HoldsError reports whether a variable is set to an error by its package's initialiser,
// and by nothing else there, and its address is not taken.
func (h holes) HoldsError(g *ssa.Global) bool {
	p := h.p
	holds, known := p.errs[g]
	if !known {
		if p.errs == nil {
			p.errs = make(map[*ssa.Global]bool)
		}
		p.errs[g] = false // as long as it is asked for
		st := p.initialised(g)
		holds = st != nil && flow.MakesErrorValue(st.Val, h)
		p.errs[g] = holds
	}
	return holds
}

// GoesParallel reports whether a function of another package makes the test
// parallel that is its first argument.
func (h holes) GoesParallel(fn *ssa.Function) bool {
	s, _ := h.p.summary(fn)
	return s.Parallel
}

// NeverReturns reports whether no call of a function returns, see flow.NeverReturns. That
// is asked for each call.
func (h holes) NeverReturns(fn *ssa.Function, depth int) bool {
	if fn.Blocks == nil {
		s, _ := h.p.summary(fn)
		return s.Never
	}
	k := neverKey{fn, depth}
	v, ok := h.p.never[k]
	if !ok {
		v = flow.NeverReturns(fn, h, depth)
		h.p.never[k] = v
	}
	return v
}

type neverKey struct {
	fn    *ssa.Function
	depth int
}

// Starts reports whether a function of another package starts goroutines for
// its caller, by its code or by what is stored of it; known is false if there is
// neither.
func (p *Program) Starts(fn *ssa.Function) (starts, known bool) {
	if fn.Blocks != nil {
		return p.startsFor(p.Func(p.FuncID(fn)), make(map[FuncID]bool)), true
	}
	s, known := p.summary(fn)
	return s.Starts, known
}

// startsFor reports whether a function starts goroutines for its caller, or
// takes a function and calls one that does. What was seen is not asked again.
func (p *Program) startsFor(f *Func, seen map[FuncID]bool) bool {
	if f.Helper || f.Wrapper && !p.passesBy(f) {
		return true
	}
	if seen[f.ID] || !p.takesFunc(f) {
		return false
	}
	seen[f.ID] = true
	return slices.ContainsFunc(f.Calls, func(c Call) bool {
		if c.Kind != CallStatic {
			return false
		}
		fn := p.fns[c.Callee]
		if fn.Blocks != nil {
			return p.startsFor(p.Func(c.Callee), seen)
		}
		s, _ := p.summary(fn)
		return s.Starts
	})
}

// passesBy reports whether goroutines that a function of another package starts are
// not looked at where a package is analysed on its own: others start them for it,
// and it has none of this package's functions to give them, see callsFromHere.
// Programs that are looked at as a whole have frameworks in them, see servesHere.
func (p *Program) passesBy(f *Func) bool {
	return p.Unit != "" && !p.Whole && len(f.Spawns) == 0 && !p.takesFunc(f) &&
		!slices.ContainsFunc(f.Splits, func(s Split) bool { return s.Parallel })
}

// initialiser returns the number of the initialiser of the package that a
// variable of another package is declared in; ok is false for those of the
// package that is analysed, which is a root. Other packages' initialisers are
// most of what a program consists of, and are looked at only where a variable
// of theirs is used (soundness: init-on-demand).
func (p *Program) initialiser(g GlobalID) (id FuncID, ok bool) {
	if p.Unit == "" || p.Whole {
		return noFunc, false
	}
	v := &p.globals[g]
	pkg := strings.TrimSuffix(v.full, "."+v.name)
	if pkg == p.Unit || p.link(pkg) == nil {
		return noFunc, false
	}
	return p.symbolID(symbol{name: pkg + ".init", pkg: pkg}), true
}

// lowerOrGuess makes the template of a function that has code here, or of which
// nothing is known.
func (p *Program) lowerOrGuess(id FuncID) *Func {
	if fn := p.fns[id]; fn != nil {
		return p.lower(fn)
	}
	s := p.symbols[id]
	// Where a package is known and a function of it is not, it has no Go body.
	// What the standard library leaves to the runtime is covered by the model of
	// what calls it.
	if (p.link(s.pkg) == nil || !standard(s.pkg)) && s.pkg != "unsafe" {
		p.unknown[s.String()] = true
	}
	return &Func{Name: s.String(), Pkg: s.pkg, Result: None, App: p.Application(s.pkg)}
}

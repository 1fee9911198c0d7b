package pta

import (
	"go/token"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file tells what package variables hold that a package does not export, and of which
// no address is taken: only the package's own code sets them, whatever program it comes
// into. All of that is looked at and not only what the base runs: of what others may call
// the base has what leads to parallel loops. The code of tests is the exception, as one test's is not
// run by the program of another (soundness: roots-apart): what tests store counts where the base
// says that they do.

// A globalUse is what the code of a package does with one of its variables.
type globalUse struct {
	taken  bool         // its address goes elsewhere
	stores []*ssa.Store // to all of it
}

// keeps reports whether an address is that of a variable which the function's package keeps to itself,
// where nothing but test files ever stores what a comparison holds of.
func (l *lowerer) keeps(v ssa.Value, cmp Comparison) bool {
	g, ok := v.(*ssa.Global)
	if !ok || token.IsExported(g.Name()) || g.Pkg == nil || l.fn.Pkg != g.Pkg || cmp.asksType() {
		return false
	}
	if isString(deref(g.Type())) {
		return false // the linker sets it, for -ldflags=-X
	}
	u := l.p.usesOf(g)
	return u != nil && !u.taken && !slices.ContainsFunc(u.stores, func(st *ssa.Store) bool {
		c := plainContent(st.Val)
		return !l.p.inTestFile(st.Parent()) && l.p.allows(cmp, &c)
	})
}

// usesOf returns what is done with a variable by all code of its package, nil if nothing is.
func (p *Program) usesOf(g *ssa.Global) *globalUse {
	m, ok := p.globalUses[g.Pkg]
	if !ok {
		m = make(map[*ssa.Global]*globalUse)
		for _, fn := range p.functionsOf(g.Pkg) {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					noteGlobals(in, m)
				}
			}
		}
		if p.globalUses == nil {
			p.globalUses = make(map[*ssa.Package]map[*ssa.Global]*globalUse)
		}
		p.globalUses[g.Pkg] = m
	}
	return m[g]
}

// noteGlobals notes in m what an instruction does with variables.
func noteGlobals(in ssa.Instruction, m map[*ssa.Global]*globalUse) {
	var rands [10]*ssa.Value
	for _, op := range in.Operands(rands[:0]) {
		g, ok := (*op).(*ssa.Global)
		if !ok {
			continue
		}
		u := m[g]
		if u == nil {
			u = new(globalUse)
			m[g] = u
		}
		switch in := in.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if in.Val == *op {
				u.taken = true
			} else {
				u.stores = append(u.stores, in)
			}
		default:
			u.taken = true
		}
	}
}

// initialised returns the store by which the package's initialiser alone sets a variable, to which nothing else is done but
// to load it; nil if it is no such variable.
func (p *Program) initialised(g *ssa.Global) *ssa.Store {
	u := p.usesOf(g)
	if u == nil || u.taken || len(u.stores) != 1 || u.stores[0].Parent() != g.Pkg.Func("init") {
		return nil
	}
	return u.stores[0]
}

// inTestFile reports whether a function is declared in a test file.
func (p *Program) inTestFile(fn *ssa.Function) bool {
	return strings.HasSuffix(p.pos(ssair.Top(fn).Pos()).File, "_test.go")
}

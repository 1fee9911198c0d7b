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

// A keptVar is what is known of such a variable.
type keptVar struct {
	taken bool      // its address goes elsewhere
	puts  []Content // what is stored there, but by test files
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
	k := l.p.keptVars(g.Pkg)[g]
	return k != nil && !k.taken && !slices.ContainsFunc(k.puts, func(c Content) bool { return l.p.allows(cmp, &c) })
}

// keptVars returns what is known of the variables of a package that its code mentions.
func (p *Program) keptVars(pkg *ssa.Package) map[*ssa.Global]*keptVar {
	if m, ok := p.vars[pkg]; ok {
		return m
	}
	m := make(map[*ssa.Global]*keptVar)
	for _, fn := range p.functionsOf(pkg) {
		test := p.inTestFile(fn)
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				useOfKept(in, test, m)
			}
		}
	}
	if p.vars == nil {
		p.vars = make(map[*ssa.Package]map[*ssa.Global]*keptVar)
	}
	p.vars[pkg] = m
	return m
}

// useOfKept notes in m what an instruction does to variables.
func useOfKept(in ssa.Instruction, test bool, m map[*ssa.Global]*keptVar) {
	var rands [10]*ssa.Value
	for _, op := range in.Operands(rands[:0]) {
		g, ok := (*op).(*ssa.Global)
		if !ok {
			continue
		}
		k := m[g]
		if k == nil {
			k = new(keptVar)
			m[g] = k
		}
		switch in := in.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if in.Val == *op {
				k.taken = true
			} else if !test {
				k.puts = append(k.puts, plainContent(in.Val))
			}
		default:
			k.taken = true
		}
	}
}

// inTestFile reports whether a function is declared in a test file.
func (p *Program) inTestFile(fn *ssa.Function) bool {
	return strings.HasSuffix(p.pos(ssair.Top(fn).Pos()).File, "_test.go")
}

// plainContent returns what is known of a value by itself.
func plainContent(v ssa.Value) Content {
	switch v := v.(type) {
	case *ssa.Const:
		return contentOfConst(v)
	case *ssa.ChangeType:
		return plainContent(v.X)
	case *ssa.Function, *ssa.MakeClosure, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeChan:
		return Content{Kind: ContentNotZero}
	}
	return Content{}
}

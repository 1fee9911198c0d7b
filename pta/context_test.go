package pta

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestCopiesBounded calls a constructor through an interface from more places
// than have a copy of their own, which a count of the calls that name it does
// not see. The first objects are told apart, the last are one.
func TestCopiesBounded(t *testing.T) {
	const sites = maxCopies + 8
	var src strings.Builder
	src.WriteString("package p\ntype T struct{ x *int }\ntype I interface{ Make() *T }\ntype C struct{}\nfunc (C) Make() *T { return new(T) }\n")
	src.WriteString("func Root() {\n\tvar i I = C{}\n")
	for k := range sites {
		fmt.Fprintf(&src, "\tuse%d(i.Make())\n", k)
	}
	src.WriteString("}\n")
	for k := range sites {
		fmt.Fprintf(&src, "func use%d(t *T) { t.x = new(int) }\n", k)
	}
	pkg := build(t, src.String())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	copies := 0
	for _, in := range res.base.s.insts {
		if in.fn.Name == "(p.C).Make" {
			copies++
		}
	}
	if copies != maxCopies+1 {
		t.Errorf("%d copies of the constructor, want %d and the shared one", copies, maxCopies)
	}
	if len(res.Notices) != 0 {
		t.Errorf("notices: %v; the program is not large", res.Notices)
	}
}

// TestCopiesHalve gives sites copies of one function in ever larger programs.
func TestCopiesHalve(t *testing.T) {
	const limit = maxCopies
	for _, c := range []struct {
		instances, want int
		cut             bool
	}{{0, limit, false}, {copiesHalve - 1, limit, false}, {copiesHalve, limit / 2, true}, {5 * copiesHalve, 1, true}, {6 * copiesHalve, 0, true}} {
		tab, got := newSiteTable(), 0
		for site := range int32(limit) {
			if tab.admit(new(Func), nil, site+1, c.instances) {
				got++
			}
		}
		if got != c.want || tab.cut != c.cut {
			t.Errorf("with %d instances %d copies, cut %v; want %d, %v", c.instances, got, tab.cut, c.want, c.cut)
		}
	}
}

// TestRecursionHasNoSides calls a method of the own object in each round of a loop that
// fills a list: it has a copy for each side unless it calls itself, be it through a
// function that it hands down or through another method.
func TestRecursionHasNoSides(t *testing.T) {
	const src = `package p
type node struct { kids []*node; n *int }
type parser struct { all []*node }
func Root() { p := new(parser); p.top(new(node)) }
func (p *parser) top(in *node) {
	for _, k := range in.kids {
		p.all = append(p.all, k)
		p.flat(k)
		p.direct(k)
		p.through(k)
		p.handed(k)
	}
}
func (p *parser) flat(k *node) { k.n = new(int) }
func (p *parser) direct(k *node) { for _, x := range k.kids { p.direct(x) } }
func (p *parser) through(k *node) { for _, x := range k.kids { p.back(x) } }
func (p *parser) back(k *node) { p.through(k) }
func (p *parser) handed(k *node) { each(k, func(x *node) { p.handed(x) }) }
func each(k *node, f func(*node)) { for _, x := range k.kids { f(x) } }
`
	copies := make(map[string]int)
	for _, in := range solveRoot(t, src).base.s.insts {
		copies[in.fn.Name]++
	}
	for name, want := range map[string]int{"flat": 2, "direct": 1, "through": 1, "back": 1, "handed": 1} {
		if got := copies["(*p.parser)."+name]; got != want {
			t.Errorf("%s: %d copies, want %d", name, got, want)
		}
	}
}

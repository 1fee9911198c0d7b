package pta

import (
	"fmt"
	"maps"
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

// TestStartersBounded calls a function that starts a goroutine more often than it has copies, and one that is given what
// that runs, of which each call has its own.
func TestStartersBounded(t *testing.T) {
	const calls = maxStarterCopies + 3
	var src strings.Builder
	src.WriteString("package p\ntype s struct{ n int }\nfunc root() {\n")
	for range calls {
		src.WriteString("\tnew(s).start()\n\trun(func() {})\n")
	}
	src.WriteString("}\nfunc (x *s) start() { go x.work() }\nfunc (x *s) work() { x.n++ }\nfunc run(f func()) { go f() }\n")
	pkg := build(t, src.String())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("root")}})
	got := make(map[string]int)
	for _, l := range res.base.loops {
		got[l.fn.Name]++
	}
	if want := map[string]int{"(*p.s).start": maxStarterCopies + 1, "p.run": calls}; !maps.Equal(got, want) {
		t.Errorf("loops: %v, want %v", got, want)
	}
}

// TestTypesBounded passes more types to a function that asks for them than have a copy of it.
func TestTypesBounded(t *testing.T) {
	const sent = maxTypes + 4
	var src strings.Builder
	src.WriteString("package p\nfunc root() {\n")
	for k := range sent {
		fmt.Fprintf(&src, "\thand(new(t%d))\n", k)
	}
	src.WriteString("}\nfunc hand(x any) { asks(x) }\nfunc asks(x any) {\n\tswitch x.(type) {\n")
	for k := range sent {
		fmt.Fprintf(&src, "\tcase *t%d:\n\t\tgot%d()\n", k, k)
	}
	src.WriteString("\t}\n}\n")
	for k := range sent {
		fmt.Fprintf(&src, "type t%d struct{ x int }\nfunc got%d() {}\n", k, k)
	}
	pkg := build(t, src.String())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("root")}})
	copies, calls := 0, 0
	for _, in := range res.base.s.insts {
		if in.fn.Name == "p.asks" {
			copies++
			for _, to := range in.callees {
				calls += len(to)
			}
		}
	}
	if copies != maxTypes+1 || calls != maxTypes+sent {
		t.Errorf("%d copies with %d calls, want %d with one call each, and a shared one with all %d", copies, calls, maxTypes, sent)
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
			if tab.admit(new(Func), limit, site+1, c.instances) {
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

// TestBareCallsShareACopy calls functions that start goroutines from few places and from
// many: those that are given a function have a copy for each call, and those that are given
// none only where there are few, or the program is an entry.
func TestBareCallsShareACopy(t *testing.T) {
	const rare, many = linkSites + 2, maxSites + 2
	var src strings.Builder
	src.WriteString("package p\ntype T struct{ n *int }\n")
	src.WriteString("func rare(t *T, hook func()) { if hook != nil { go hook() }; go func() { t.n = new(int) }()" + strings.Repeat("; *t.n++", 20) + " }\n")
	src.WriteString("func often(t *T, hook func()) { if hook != nil { go hook() }; go func() { t.n = new(int) }()" + strings.Repeat("; *t.n++", 20) + " }\n")
	src.WriteString("func Root() {\n\tt := new(T)\n\tvar none func()\n")
	for range rare {
		src.WriteString("\trare(t, nil)\n")
	}
	for range many {
		src.WriteString("\toften(t, nil)\n")
	}
	src.WriteString("\toften(t, func() { t.n = nil })\n\toften(t, func() { t.n = nil })\n\toften(t, none)\n}\n")
	pkg := build(t, src.String())
	for _, few := range []bool{false, true} {
		p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
		res := newResult(p, &Config{})
		res.base.s.sites.few = few
		res.addRoot(p.FuncID(pkg.Func("Root")))
		res.base.s.solve()
		sites := make(map[string]map[int32]bool)
		for _, in := range res.base.s.insts {
			if sites[in.fn.Name] == nil {
				sites[in.fn.Name] = make(map[int32]bool)
			}
			sites[in.fn.Name][in.ctx.site] = true
		}
		want := 1 + 2
		if few {
			want = many + 3
		}
		if got := len(sites["p.often"]); got != want {
			t.Errorf("%d copies of what is called often, want %d (few: %v)", got, want, few)
		}
		if got := len(sites["p.rare"]); got != rare {
			t.Errorf("%d copies of what is called from few places, want %d", got, rare)
		}
	}
}

package pta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/ssa"
)

// deepChain is a chain of calls whose links each call a few leaves: a body that
// calls it reaches more functions than are looked at.
func deepChain() string {
	const leaves = 60
	var src strings.Builder
	for i := range deepLinks {
		fmt.Fprintf(&src, "func link%d() {", i)
		for k := range leaves {
			fmt.Fprintf(&src, " leaf%d_%d();", i, k)
		}
		if i < deepLinks-1 {
			fmt.Fprintf(&src, " link%d()", i+1)
		}
		src.WriteString(" }\n")
		for k := range leaves {
			fmt.Fprintf(&src, "func leaf%d_%d() { x++ }\n", i, k)
		}
	}
	return src.String()
}

const deepLinks = 100

// solveDeep solves the loops of a program that calls deepChain.
func solveDeep(t *testing.T, src string, loops int) *Result {
	t.Helper()
	pkg := build(t, "package p\nvar x int\n"+src+deepChain())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	if len(res.Loops) != loops {
		t.Fatalf("got %d loops, want %d", len(res.Loops), loops)
	}
	for i := range res.Loops {
		res.Overlay(i)
	}
	return res
}

// TestDeepCone has a body that reaches more functions than are looked at. The
// first levels are entered, the last is not, and a notice says so.
func TestDeepCone(t *testing.T) {
	res := solveDeep(t, "func Root() { for range 3 { go link0() } }\n", 1)
	entered := make(map[string]bool)
	for _, in := range res.overlays[0].insts {
		entered[in.fn.Name] = true
	}
	last := fmt.Sprintf("p.link%d", deepLinks-1)
	if !entered["p.link3"] || entered[last] {
		t.Errorf("link 3 entered: %v, the last link entered: %v", entered["p.link3"], entered[last])
	}
	if n := len(res.overlays[0].insts); n > 2*maxCone+10 {
		t.Errorf("%d instances in the overlay", n)
	}
	if len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "levels") {
		t.Errorf("notices: %v, want one on what is not looked at", res.Notices)
	}
}

// TestDeepWays: where many loops reach too much, each enters what is nearest of what lies
// deep, and says so; else it enters all of it.
func TestDeepWays(t *testing.T) {
	var src strings.Builder
	src.WriteString("var near, far int\nfunc Root() {\n\tfor range 3 { go func() { link0(); set0() }() }\n}\n")
	const deep = 300
	for i := range deep {
		fmt.Fprintf(&src, "func set%d() { set%d() }\n", i, i+1)
	}
	fmt.Fprintf(&src, "func set%d() { far++ }\n", deep)
	for i := range 9 {
		fmt.Fprintf(&src, "func get%d() { get%d() }\n", i, i+1)
	}
	src.WriteString("func get9() { near++ }\n")
	res := solveDeep(t, strings.Replace(src.String(), "set0() }()", "set0(); get0() }()", 1), 1)
	if all := res.base.coneOf(0, false); all.near || len(all.through) < deep {
		t.Errorf("%d functions on the ways, near: %v", len(all.through), all.near)
	}
	entered := func(c *cone) map[string]bool {
		out := make(map[string]bool)
		for fn := range c.through {
			out[res.Prog.Func(fn).Name] = true
		}
		return out
	}
	res.base.ways = maxCone
	c := res.base.coneOf(0, false)
	got := entered(&c)
	last := fmt.Sprintf("p.set%d", deep)
	if !c.near || !got["p.get9"] || got[last] {
		t.Errorf("near: %v, the near object: %v, the far one: %v", c.near, got["p.get9"], got[last])
	}
	if n := coneNotice(res.Loops[0], &c); !strings.Contains(n.Message, "nearest") {
		t.Errorf("notice: %v", n)
	}
}

// TestCutAround: what is called on the way to the spawn of a loop is not entered where it is
// too much, and what starts the iterations is.
func TestCutAround(t *testing.T) {
	var src strings.Builder
	src.WriteString("var common int\nfunc Root() { for range 3 { start() } }\nfunc body() { common++ }\nfunc start() {\n\tlink0()\n")
	const more = 3000
	for i := range more {
		fmt.Fprintf(&src, "\tmore%d()\n", i)
	}
	src.WriteString("\tgo body()\n}\n")
	for i := range more {
		fmt.Fprintf(&src, "func more%d() { x++ }\n", i)
	}
	res := solveDeep(t, src.String(), 1)
	if n := res.base.counts[0]; n > maxCone {
		t.Fatalf("iterations run %d instances", n)
	}
	c := &res.base.cones[0]
	cut := make(map[string]bool)
	for _, in := range res.base.s.insts {
		cut[in.fn.Name] = c.cut.Has(in.fn.ID)
	}
	if !c.apart || !cut["p.link0"] || cut["p.start"] || cut["p.body"] {
		t.Errorf("apart: %v, cut: link0 %v, start %v, body %v", c.apart, cut["p.link0"], cut["p.start"], cut["p.body"])
	}
	if n := len(res.overlays[0].insts); n > 10 {
		t.Errorf("%d instances", n)
	}
	found := false
	for _, r := range res.Races(res.Loops[0], false).Races {
		found = found || r.Object.Name == "common" && r.B.Thread == model.Beta
	}
	if !found {
		t.Error("no race of two iterations")
	}
}

// TestBelowCone: what is not entered returns pointers and stores them in what
// iterations have made, and calls closures that touch what they have captured.
func TestBelowCone(t *testing.T) {
	var src strings.Builder
	src.WriteString(`
var got, filled, stored int
var head *int
type box struct{ p *int }
func Root() { spawner(); spawner() }
func spawner() {
	captured := 0
	for range 3 {
		go func() {
			link0()
			*get0()++
			var b box
			fill0(&b)
			*b.p++
			*make0()++
			set0()
			*head++
			call0(func() { captured++ })
		}()
	}
	captured++
}
`)
	const deep = 9
	for i := range deep {
		fmt.Fprintf(&src, "func get%d() *int { return get%d() }\nfunc fill%d(b *box) { fill%d(b) }\nfunc make%d() *int { return make%d() }\nfunc call%d(f func()) { call%d(f) }\nfunc set%d() { set%d() }\n", i, i+1, i, i+1, i, i+1, i, i+1, i, i+1)
	}
	fmt.Fprintf(&src, "func get%d() *int { return &got }\nfunc fill%d(b *box) { b.p = &filled }\nfunc make%d() *int { return new(int) }\nfunc call%d(f func()) { f() }\nfunc set%d() { head = &stored }\n", deep, deep, deep, deep, deep)
	res := solveDeep(t, src.String(), 1)
	want := map[string]bool{"got": true, "filled": true, "stored": true, "captured": true}
	for _, r := range res.Races(res.Loops[0], false).Races {
		if r.Confidence == model.Assumed {
			continue
		}
		if r.Object.Kind != "global" && r.Object.Name != "captured" {
			t.Errorf("a race on %s %q: every iteration has its own", r.Object.Kind, r.Object.Name)
		}
		delete(want, r.Object.Name)
	}
	for name := range want {
		t.Errorf("no race on %s", name)
	}
}

// TestDeepSingle: a single object is looked at however deep it is, and the race on it
// rests on nothing more; but not what each iteration has of its own.
func TestDeepSingle(t *testing.T) {
	var src strings.Builder
	src.WriteString(`
type node struct{ n int }
var plain, read int
var first *node
func Root() {
	captured := 0
	once := &node{}
	for range 3 {
		n := &node{}
		go func() {
			link0()
			set0(func() { captured++ }, once, n)
		}()
	}
}
`)
	const deep = 12
	for i := range deep {
		fmt.Fprintf(&src, "func set%d(f func(), once, n *node) { set%d(f, once, n) }\n", i, i+1)
	}
	fmt.Fprintf(&src, "func set%d(f func(), once, n *node) { f(); plain = read; once.n++; n.n++ }\n", deep)
	res := solveDeep(t, src.String(), 1)
	want := map[string]bool{"plain": true, "captured": true, "once": true}
	found := make(map[string]bool)
	for _, r := range res.Races(res.Loops[0], false).Races {
		if r.Confidence == model.Assumed || r.Object.Name == "x" {
			continue // x: see deepChain
		}
		if !want[r.Object.Name] || r.Confidence != model.Definite {
			t.Errorf("a race on %q, %v", r.Object.Name, r.Confidence)
		}
		found[r.Object.Name] = true
	}
	for name := range want {
		if !found[name] {
			t.Errorf("no race on %s", name)
		}
	}
}

// TestBelowOtherLoop: what iterations do below the cone counts for other loops.
func TestBelowOtherLoop(t *testing.T) {
	var src strings.Builder
	src.WriteString("var common int\nfunc Root() {\n\tgo func() { link0(); set0() }()\n\tgo func() { common++ }()\n}\n")
	const deep = 9
	for i := range deep {
		fmt.Fprintf(&src, "func set%d() { set%d() }\n", i, i+1)
	}
	fmt.Fprintf(&src, "func set%d() { common++ }\n", deep)
	res := solveDeep(t, src.String(), 2)
	found := false
	for _, loop := range res.Loops {
		for _, r := range res.Races(loop, false).Races {
			found = found || r.Object.Name == "common" && r.Other != nil && r.Confidence > model.Assumed
		}
	}
	if !found {
		t.Error("no race on what another goroutine writes far below")
	}
}

// TestLargeOverlay: an overlay that turns out to be too large is that of a loop
// that reaches too much, whatever the base's count.
func TestLargeOverlay(t *testing.T) {
	var src strings.Builder
	src.WriteString("package p\nvar x int\nfunc Root() { for range 3 { go set0() } }\n")
	for i := range 20 {
		fmt.Fprintf(&src, "func set%d() { set%d() }\n", i, i+1)
	}
	src.WriteString("func set20() { println(x) }\n")
	pkg := build(t, src.String())
	p := NewProgram(pkg.Prog, Options{Application: func(string) bool { return true }})
	res := Base(p, &Config{Roots: []*ssa.Function{pkg.Func("Root")}})
	if c := res.base.coneOf(0, false); c.cut != nil {
		t.Errorf("a small loop is cut: %v", c.cut)
	}
	last := p.FuncID(pkg.Func("set20"))
	if c := res.base.coneOf(0, true); !c.cut.Has(last) || c.depth != coneLevels {
		t.Errorf("depth %d, the last function cut: %v", c.depth, c.cut.Has(last))
	}
	res.Overlay(0)
	ov := res.overlays[0]
	ov.insts = append(ov.insts, make([]*instance, maxOverlay)...)
	if ov.writes == nil && !ov.tooLarge() {
		t.Error("an overlay of many instances is not too large")
	}
}

// TestRan: what lies below the cone gets an object from a function that iterations run, too,
// and hands it on to them. The object has a name in the overlay, and its maker a copy there,
// but that copy is not what an iteration runs.
func TestRan(t *testing.T) {
	var src strings.Builder
	src.WriteString(`
type box struct{ p *int }
func Root() { for range 3 { go func() { var b box; link0(); near(); fill0(&b); *b.p++ }() } }
func near() *int { p := new(int); *p = 1; return p }
`)
	const deep = 9
	for i := range deep {
		fmt.Fprintf(&src, "func fill%d(b *box) { fill%d(b) }\n", i, i+1)
	}
	fmt.Fprintf(&src, "func fill%d(b *box) { b.p = near() }\n", deep)
	res := solveDeep(t, src.String(), 1)
	v := res.View(res.Loops[0])
	copies := 0
	for i := range v.ov.insts {
		if in := v.ov.insts[i]; in.fn.Name == "p.near" && len(in.callers) == 0 {
			copies++
		}
	}
	if copies == 0 {
		t.Fatal("no copy of near that nothing calls")
	}
	for _, id := range v.Instances() {
		if in := v.ov.inst(id); in.ctx.tag != tagMain && len(in.callers) == 0 {
			t.Errorf("an iteration runs %s, which nothing calls", in.fn.Name)
		}
	}
	for _, r := range res.Races(res.Loops[0], false).Races {
		for _, x := range []*model.Access{r.A, r.B} {
			if id := InstID(x.Inst); x.Thread != model.Main && len(v.ov.inst(id).callers) == 0 {
				t.Errorf("an access at %v by what nothing calls", x.Pos)
			}
		}
	}
}

package pta

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

func TestMain(m *testing.M) {
	// Memory for time: the SSA of all programs stays, and would be marked again and again.
	if old := debug.SetGCPercent(300); old != 100 {
		debug.SetGCPercent(old)
	}
	os.Exit(m.Run())
}

// testPrograms builds SSA for the programs under testdata, once.
var testPrograms = sync.OnceValues(func() (*ssa.Program, error) {
	entries, err := os.ReadDir("../testdata")
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, e := range entries {
		if e.IsDir() {
			patterns = append(patterns, "./"+filepath.Join("testdata", e.Name()))
		}
	}
	pkgs, err := packages.Load(&packages.Config{
		Dir:  "..",
		Mode: packages.LoadAllSyntax,
	}, patterns...)
	if err != nil {
		return nil, err
	}
	prog, _ := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	return prog, nil
})

// solvedBase is the base of the test programs.
func solvedBase(t *testing.T, naive bool, seed int64) *Result {
	t.Helper()
	return baseOf(t, "/testdata/", &Config{Naive: naive, Seed: seed})
}

// baseOf is the base of the test programs whose package paths have a part.
func baseOf(t *testing.T, part string, cfg *Config) *Result {
	t.Helper()
	prog, err := testPrograms()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := library.Load(library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := func(path string) bool { return strings.Contains(path, "/testdata/") }
	p := NewProgram(prog, Options{Library: lib, Application: own, Closed: true})
	for _, pkg := range prog.AllPackages() {
		if !strings.Contains(pkg.Pkg.Path()+"/", part) || !own(pkg.Pkg.Path()) {
			continue
		}
		for _, m := range pkg.Members {
			if fn, ok := m.(*ssa.Function); ok && fn.TypeParams().Len() == 0 {
				cfg.Roots = append(cfg.Roots, fn)
			}
		}
	}
	slices.SortFunc(cfg.Roots, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	return Base(p, cfg)
}

// solved is a solution in a form that does not depend on the order in which
// the solver met things.
func solved(t *testing.T, naive bool, seed int64) []string {
	t.Helper()
	res := solvedBase(t, naive, seed)
	out := canonical(res.base.s)
	for i := range res.Loops {
		res.Overlay(i)
		for _, line := range canonical(res.overlays[i].solver) {
			out = append(out, res.Loops[i].Pos.String()+" "+line)
		}
	}
	slices.Sort(out)
	return out
}

// names are those of a solver's instances and locations, each put together once.
type names struct {
	*solver
	insts map[*instance]string
	locs  map[int32]string
}

// canonical lists what every node and location of a solver points to, by name.
func canonical(of *solver) []string {
	s := &names{of, make(map[*instance]string), make(map[int32]string)}
	var out []string
	line := func(name string, n int32) {
		set := s.pts(n)
		if set.Empty() {
			return
		}
		var to []string
		for l := range set.All() {
			to = append(to, s.locName(l))
		}
		slices.Sort(to)
		out = append(out, name+" -> "+strings.Join(to, " "))
	}
	for _, in := range of.insts {
		for n := range in.fn.NNodes {
			line(fmt.Sprintf("%s n%d", s.instName(in), n), in.base+n)
		}
		for k := range in.fn.Calls {
			var to []string
			for _, e := range in.callees[k] {
				to = append(to, s.instName(s.inst(e.callee)))
			}
			slices.Sort(to)
			out = append(out, fmt.Sprintf("%s call %d: %s", s.instName(in), k, strings.Join(slices.Compact(to), " ")))
		}
	}
	for i := range s.objects {
		o := &s.objects[i]
		for j := range o.layout.Len() {
			line(s.locName(o.loc+j), o.loc+j)
		}
	}
	return out
}

func (s *names) instName(in *instance) string {
	name, ok := s.insts[in]
	if !ok {
		name = s.nameInst(in)
		s.insts[in] = name
	}
	return name
}

func (s *names) nameInst(in *instance) string {
	c := in.ctx
	site := ""
	for id := c.site; id != 0; id = s.sites.infos[id].key.outer {
		k := s.sites.infos[id].key
		site += fmt.Sprintf("@%s:%d", s.p.fns[k.fn], k.at)
	}
	name := fmt.Sprintf("%s{%d %d %s %b}", in.fn.Name, c.tag, c.fill, site, c.own)
	if in.spawner != nil {
		name += "again:" + s.instName(s.base.inst(in.spawner.base))
	}
	return name
}

func (s *names) locName(l int32) string {
	name, ok := s.locs[l]
	if !ok {
		name = s.nameLoc(l)
		s.locs[l] = name
	}
	return name
}

func (s *names) nameLoc(l int32) string {
	if b, ok := s.boxAt(l); ok {
		return fmt.Sprintf("box(%s %s)", s.p.types.typ(b.typ), s.locName(b.loc))
	}
	o := s.object(s.ownerOf(l))
	off := l - o.loc
	switch o.kind {
	case objGlobal:
		return fmt.Sprintf("global %s+%d", s.p.globals[o.global].full, off)
	case objFunc:
		return "func " + s.p.fns[o.fn].String()
	case objConst:
		return fmt.Sprintf("const %s", s.p.types.typ(o.typ))
	case objSym:
		parent := ""
		if o.refs > 0 {
			return fmt.Sprintf("sym %s.%d…%s %d %d+%d", s.instName(s.inst(o.inst)), o.param, s.p.types.typ(o.typ), o.lkind, o.side, off)
		}
		if o.parent >= 0 {
			parent = " of " + s.locName(o.parent)
		}
		return fmt.Sprintf("sym %s.%d %s%s+%d", s.instName(s.inst(o.inst)), o.param, o.text, parent, off)
	case objView:
		return fmt.Sprintf("view%d of %s+%d", o.side, s.locName(s.object(o.view).loc), off)
	}
	return fmt.Sprintf("%s alloc %d+%d", s.instName(s.inst(o.inst)), o.alloc, off)
}

// The fast solver and the textbook one agree on every program, in every order
// of the worklist.
func TestSolversAgree(t *testing.T) {
	want := solved(t, true, 0)
	if len(want) < 1000 {
		t.Fatalf("the naive solution has only %d lines", len(want))
	}
	for _, seed := range []int64{0, 1, 2, 3} {
		diff(t, fmt.Sprintf("seed %d", seed), solved(t, false, seed), want)
	}
}

// Loads that are shared from the first object on load what others do: the programs seldom have
// pointers to as many as it takes else.
func TestSharedLoads(t *testing.T) {
	defer func(n int) { minShared = n }(minShared)
	minShared = 1
	want := solved(t, true, 0)
	for _, seed := range []int64{0, 1} {
		diff(t, fmt.Sprintf("seed %d", seed), solved(t, false, seed), want)
	}
}

// An overlay of a first round that stands is what a second round solves.
func TestStands(t *testing.T) {
	res := solvedBase(t, false, 0)
	var again []int
	for i := range res.Loops {
		if !res.Overlay(i) {
			again = append(again, i)
		}
	}
	standing := 0
	for _, i := range again {
		ov := res.stands(i)
		if ov == nil {
			continue
		}
		standing++
		got, want := canonical(ov.solver), canonical(res.solveOverlay(i, false, false).solver)
		slices.Sort(got)
		slices.Sort(want)
		diff(t, res.Loops[i].Pos.String(), got, want)
	}
	if standing == 0 || standing == len(again) {
		t.Errorf("%d of %d first rounds stand", standing, len(again))
	}
}

func diff(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return // to look up each in the other list takes long
	}
	shown := 0
	for _, d := range []struct {
		sign string
		a, b []string
	}{{"+", got, want}, {"-", want, got}} {
		for _, x := range d.a {
			if _, ok := slices.BinarySearch(d.b, x); !ok && shown < 6 {
				t.Errorf("%s: %s %.600s", what, d.sign, x)
				shown++
			}
		}
	}
}

package analyzer

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// loadUnits makes units of packages, with the facts of all that they import, as
// a driver does.
func loadUnits(t *testing.T, cfg *Config) []*Unit {
	t.Helper()
	return driveUnits(t, cfg, Driver{})
}

// driveUnits does it as one driver does.
func driveUnits(t *testing.T, cfg *Config, d Driver) []*Unit {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedModule,
		Dir:   cfg.Dir,
		Tests: cfg.Tests,
	}, cfg.Patterns...)
	if err != nil {
		t.Fatal(err)
	}
	facts, main := New(d)
	for _, file := range cfg.ModelFiles {
		if err := main.Flags.Set("model", file); err != nil {
			t.Fatal(err)
		}
	}
	g, err := checker.Analyze([]*analysis.Analyzer{facts}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var units []*Unit
	for _, act := range g.Roots {
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		u := act.Result.(*Unit)
		u.Root = cfg.Dir
		units = append(units, u)
	}
	return units
}

// TestUnits analyses each package of the test programs on its own, and compares
// what is found with the whole program. Which entry points are small enough to be
// looked at by themselves depends on the program's size.
func TestUnits(t *testing.T) {
	t.Parallel()
	races := func(rs []*model.Race, into map[string][]string) {
		for _, r := range rs {
			if r.Confidence > model.Assumed {
				loop := lineKey(r.Loop.Pos)
				into[loop] = append(into[loop], fmt.Sprintf("%s%s %s %s (%s)", r.Object.Name, r.Field, r.A.Pos, r.B.Pos, r.Confidence))
			}
		}
	}
	whole, units := make(map[string][]string), make(map[string][]string)
	races(allPrograms(t).races, whole)
	cfg := programsConfig(t)
	cfg.Disable = []string{"entries"}
	for _, u := range loadUnits(t, programsConfig(t)) {
		res, err := RunUnit(cfg, u)
		if err != nil {
			t.Fatal(err)
		}
		for _, rep := range res.Reports {
			races(rep.Races, units)
		}
	}
	var loops []string
	for loop := range whole {
		loops = append(loops, loop)
	}
	for loop := range units {
		if whole[loop] == nil {
			loops = append(loops, loop)
		}
	}
	slices.Sort(loops)
	for _, loop := range loops {
		slices.Sort(whole[loop])
		slices.Sort(units[loop])
		if d := cmp.Diff(whole[loop], units[loop]); d != "" {
			t.Errorf("%s: whole program (-) and unit (+)\n%s", loop, d)
		}
	}
}

// TestUnitAlone analyses packages of whose imports nothing is stored: what they
// do by themselves is found, and what is not known is told.
func TestUnitAlone(t *testing.T) {
	t.Parallel()
	cfg := programsConfig(t)
	cfg.Patterns = []string{"./testdata/loop", "./testdata/library"}
	told := false
	for _, u := range loadUnits(t, cfg) {
		want := unitRaces(t, cfg, u)
		u.source = nil
		got := unitRaces(t, cfg, u)
		if strings.HasSuffix(u.Pkg.Path(), "/loop") && !slices.Equal(want, got) {
			t.Error(cmp.Diff(want, got))
		}
		res, err := RunUnit(cfg, u)
		if err != nil {
			t.Fatal(err)
		}
		told = told || slices.ContainsFunc(res.Notices, func(n model.Notice) bool {
			return n.Code == model.SoundnessNumber("unknown-callee") && strings.Contains(n.Message, "(*bufio.Scanner).Scan")
		})
	}
	if !told {
		t.Error("no notice names (*bufio.Scanner).Scan")
	}
}

func unitRaces(t *testing.T, cfg *Config, u *Unit) (list []string) {
	t.Helper()
	res, err := RunUnit(cfg, u)
	if err != nil {
		t.Fatal(err)
	}
	for _, rep := range res.Reports {
		if rep.Confidence() > model.Assumed {
			list = append(list, rep.ID)
		}
	}
	return list
}

// TestFactsTwice makes the templates of a package of generic methods that call
// each other twice: they must be equal byte for byte.
func TestFactsTwice(t *testing.T) {
	cfg := programsConfig(t)
	cfg.Patterns = []string{"internal/sync"}
	for _, u := range loadUnits(t, cfg) {
		var blobs [2][]byte
		for i := range blobs {
			v := &Unit{Fset: u.Fset, Pkg: u.Pkg, Files: u.Files, Info: u.Info, source: u.source}
			var err error
			if blobs[i], err = v.encode(nil); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(blobs[0], blobs[1]) {
			t.Errorf("%s: templates differ", u.Pkg.Path())
		}
	}
}

// TestUnkept: where nobody will ask for facts of a package, the files with the facts of
// what it imports are not hashed for them.
func TestUnkept(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"go.mod":        "module example.com/m\n\ngo 1.26\n",
		"lib.go":        "package lib\n\nvar N int\n",
		"a/a.go":        "package a\n\nimport lib \"example.com/m\"\n\nvar A = lib.N\n",
		"lib_x_test.go": "package lib_test\n\nimport lib \"example.com/m\"\n\nvar _ = lib.N\n",
	})
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Tests: true}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	facts, _ := New(Driver{FactFiles: map[string]string{"example.com/m": filepath.Join(dir, "none")}})
	g, err := checker.Analyze([]*analysis.Analyzer{facts}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := make(map[string]bool)
	for _, act := range g.Roots {
		read[act.Package.Types.Name()] = act.Err != nil
	}
	if got, ok := read["lib_test"]; got || !ok {
		t.Errorf("the facts that tests import are hashed, though nothing imports the tests: %v", read)
	}
	if !read["a"] {
		t.Error("the facts that a package imports are not hashed")
	}
}

// TestUnitQuiet: what a function of another package has others start for it is of
// no interest to a package that gives it no function, and it is not solved for
// that. One that does, or that calls who starts them, is.
func TestUnitQuiet(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"lib/lib.go": "package lib\n\nvar N int\n\nfunc Start() { Spawn() }\n\nfunc Spawn() { go func() { N++ }() }\n\nfunc StartWith(f func()) { spawnWith(f) }\n\nfunc spawnWith(f func()) { go f() }\n",
		"a/a.go":     "package a\n\nimport \"example.com/m/lib\"\n\nfunc A() { lib.Start() }\n",
		"b/b.go":     "package b\n\nimport \"example.com/m/lib\"\n\nfunc B() { lib.Spawn(); lib.N++ }\n",
		"c/c.go":     "package c\n\nimport \"example.com/m/lib\"\n\nfunc C() (n int) {\n\tlib.StartWith(func() { n++ })\n\tn++\n\treturn n\n}\n",
	})
	cfg := &Config{Dir: dir, Patterns: []string{"./..."}}
	for _, u := range loadUnits(t, cfg) {
		res, err := RunUnit(cfg, u)
		if err != nil {
			t.Fatal(err)
		}
		solved := slices.ContainsFunc(res.Phases, func(p Phase) bool { return p.Name == "base" })
		if name := u.Pkg.Name(); solved != (name != "a") || (name == "b" || name == "c") != (len(res.Reports) > 0) {
			t.Errorf("%s: solved is %v, %d reports", name, solved, len(res.Reports))
		}
	}
}

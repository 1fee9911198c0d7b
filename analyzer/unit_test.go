package analyzer

import (
	"fmt"
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
	pkgs, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax | packages.NeedModule,
		Dir:   cfg.Dir,
		Tests: cfg.Tests,
	}, cfg.Patterns...)
	if err != nil {
		t.Fatal(err)
	}
	facts, main := New(Driver{})
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

package analyzer

import (
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// TestFailure: a bug that shows in one loop takes the races of that loop, and says so;
// those of all others are the same.
func TestFailure(t *testing.T) {
	const file = "testdata/atomic/data.go"
	config := func() *Config {
		cfg := programsConfig(t)
		cfg.Patterns = []string{"./testdata/atomic", "./testdata/order"}
		return cfg
	}
	whole, err := Run(config())
	if err != nil {
		t.Fatal(err)
	}
	usual := stages
	defer func() { stages = usual }()
	stages = slices.Clone(stages)
	stages[0].run = func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
		if strings.HasSuffix(v.Loop().Pos.File, file) {
			panic("a bug")
		}
		return usual[0].run(r, v, rs)
	}
	for _, workers := range []int{1, 4} {
		cfg := config()
		cfg.Workers = workers
		broken, err := Run(cfg)
		if err != nil {
			t.Fatal(err)
		}
		failed := make(map[model.Pos]bool)
		for _, e := range broken.Errors {
			if failed[e.Pos] = true; !strings.HasSuffix(e.Pos.File, file) || !strings.Contains(e.Message, "a bug") {
				t.Errorf("error at %s: %s", e.Pos, e.Message)
			}
		}
		if len(failed) == 0 {
			t.Error("nothing is said of the loops that failed")
		}
		there := make(map[string]bool)
		for _, r := range broken.Reports {
			there[r.ID] = true
		}
		lost := 0
		for _, r := range whole.Reports {
			switch {
			case there[r.ID]:
			case failed[r.Loop.Pos]:
				lost++
			default:
				t.Errorf("with %d workers lost %s of the loop at %s", workers, r.ID, r.Loop.Pos)
			}
		}
		if lost == 0 {
			t.Error("no race is lost: the loops that failed had none")
		}
	}
}

// TestLate: a loop that time runs out for while it is looked at is one of those that were not looked at; what was found of the
// others is reported.
func TestLate(t *testing.T) {
	const file = "testdata/lock/frame.go"
	config := func() *Config {
		cfg := programsConfig(t)
		cfg.Patterns = []string{"./testdata/lock"}
		return cfg
	}
	whole, err := Run(config())
	if err != nil {
		t.Fatal(err)
	}
	usual := stages
	defer func() { stages = usual }()
	stages = slices.Clone(stages)
	stages[0].run = func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
		if strings.HasSuffix(v.Loop().Pos.File, file) {
			r.locksOf(v).EndWhen(func() bool { return true })
		}
		return usual[0].run(r, v, rs)
	}
	out, err := Run(config())
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Errors) != 1 || !strings.Contains(out.Errors[0].Message, "time was up") {
		t.Errorf("errors %v", out.Errors)
	}
	there := make(map[string]bool)
	for _, r := range out.Reports {
		there[r.ID] = true
	}
	lost := 0
	for _, r := range whole.Reports {
		switch {
		case there[r.ID]:
		case strings.HasSuffix(r.Loop.Pos.File, file):
			lost++
		default:
			t.Errorf("lost %s of the loop at %s", r.ID, r.Loop.Pos)
		}
	}
	if lost == 0 {
		t.Error("no race is lost")
	}
}

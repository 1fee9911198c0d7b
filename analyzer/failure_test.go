package analyzer

import (
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// hurt runs the programs of some directories as they are, and returns what is found, and how to run them again while by does harm
// to the loops of one file.
func hurt(t *testing.T, file string, dirs []string, by func(*loopRun, *pta.View)) (whole *Result, again func(workers int) *Result) {
	t.Helper()
	again = func(workers int) *Result {
		t.Helper()
		cfg := programsConfig(t)
		cfg.Patterns, cfg.Workers = dirs, workers
		out, err := Run(cfg)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	whole = again(0)
	usual := stages
	t.Cleanup(func() { stages = usual })
	stages = slices.Clone(stages)
	stages[0].run = func(r *loopRun, v *pta.View, rs *model.RaceSet) *model.RaceSet {
		if strings.HasSuffix(v.Loop().Pos.File, file) {
			by(r, v)
		}
		return usual[0].run(r, v, rs)
	}
	return whole, again
}

// wantOthers checks that all is there but races of some loops, and that some of those are not.
func wantOthers(t *testing.T, whole, part *Result, hurt func(loop model.Pos) bool) {
	t.Helper()
	there := make(map[string]bool)
	for _, r := range part.Reports {
		there[r.ID] = true
	}
	lost := 0
	for _, r := range whole.Reports {
		switch {
		case there[r.ID]:
		case hurt(r.Loop.Pos):
			lost++
		default:
			t.Errorf("lost %s of the loop at %s", r.ID, r.Loop.Pos)
		}
	}
	if lost == 0 {
		t.Error("no race is lost: the loops that were hurt had none")
	}
}

// TestFailure: a bug that shows in one loop takes the races of that loop, and says so;
// those of all others are the same.
func TestFailure(t *testing.T) {
	const file = "testdata/atomic/data.go"
	whole, again := hurt(t, file, []string{"./testdata/atomic", "./testdata/order"}, func(*loopRun, *pta.View) { panic("a bug") })
	for _, workers := range []int{1, 4} {
		t.Logf("%d workers", workers)
		broken := again(workers)
		failed := make(map[model.Pos]bool)
		for _, e := range broken.Errors {
			if failed[e.Pos] = true; !strings.HasSuffix(e.Pos.File, file) || !strings.Contains(e.Message, "a bug") {
				t.Errorf("error at %s: %s", e.Pos, e.Message)
			}
		}
		if len(failed) == 0 {
			t.Error("nothing is said of the loops that failed")
		}
		wantOthers(t, whole, broken, func(loop model.Pos) bool { return failed[loop] })
	}
}

// TestLate: a loop that time runs out for while it is looked at is one of those that were not looked at; what was found of the
// others is reported.
func TestLate(t *testing.T) {
	const file = "testdata/lock/frame.go"
	whole, again := hurt(t, file, []string{"./testdata/lock"}, func(r *loopRun, v *pta.View) {
		r.locksOf(v).EndWhen(func() bool { return true })
	})
	out := again(0)
	if len(out.Errors) != 1 || !strings.Contains(out.Errors[0].Message, "time was up") {
		t.Errorf("errors %v", out.Errors)
	}
	wantOthers(t, whole, out, func(loop model.Pos) bool { return strings.HasSuffix(loop.File, file) })
}

package analyzer

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

var updateGolden = flag.Bool("update", false, "rewrite the golden files")

// pairKey names a race by its places and field, without the object, whose name
// depends on the contexts that the stages make.
func pairKey(r *model.Race) string {
	a, b := r.A.Pos, r.B.Pos
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	return fmt.Sprintf("%s %s %s %s", loopPos(r), a, b, r.Field)
}

// TestNarrowing checks, for each stage that narrows, that without it no race
// is lost.
func TestNarrowing(t *testing.T) {
	t.Parallel()
	all := allPrograms(t)
	for _, stage := range StageNames() {
		if notNarrowing[stage] != "" {
			continue
		}
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			p := withoutStage(t, stage)
			without := map[string]bool{}
			for _, r := range p.races {
				without[pairKey(r)] = true
			}
			lost := 0
			for _, r := range all.races {
				if r.Loop.Form == model.FormClient && clientsNeed[stage] != "" {
					continue
				}
				if r.Confidence > model.Assumed && !without[pairKey(r)] {
					if lost++; lost <= 10 {
						t.Errorf("disabling %s loses %s", stage, touch{r, r.A, false})
					}
				}
			}
			if lost > 10 {
				t.Errorf("… %d in all", lost)
			}
		})
	}
}

// notNarrowing are the stages that TestNarrowing leaves out.
var notNarrowing = map[string]string{
	"bubbleup":   "moves races to other lines",
	"twothreads": "pairs an iteration with itself, which then holds its own locks",
	"together":   "shows what tests share that run at the same time",
	"clients":    "shows what a client does beside what is started for it",
	"entries":    "shows that an object is one, of which all entry points together have many",
}

// clientsNeed are the stages without which less is known of clients that are not in view.
var clientsNeed = map[string]string{
	"threadsafe": "without a model they enter what it stands for, and reach too much to be looked at",
	"applocks":   "they are judged by the locks at accesses, which it finds for those inside a library",
}

// TestStageCounts compares the races that go into and out of each stage with a
// golden file: the ablation table of the paper, on these programs.
func TestStageCounts(t *testing.T) {
	p := allPrograms(t)
	var b strings.Builder
	for _, s := range p.res.Stages {
		fmt.Fprintf(&b, "%-12s in %5d out %5d\n", s.Name, s.In, s.Out)
	}
	fmt.Fprintf(&b, "%-12s %d\n", "race sets", len(p.res.Reports))
	golden := filepath.Join("testdata", "stages.golden")
	if *updateGolden {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("counts differ; look at why, then run with -update\ngot\n%swant\n%s", b.String(), want)
	}
}

// TestDeterminism runs again, with the solver's worklist shuffled, and as many loops worked on
// at the same time as may be, or one after the other and with nothing shared: the reports must
// be equal byte for byte.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	want := encode(t, allPrograms(t))
	for _, other := range []struct {
		what string
		set  func(*Config)
	}{
		{"shuffled by one seed, four workers, little kept", func(cfg *Config) { cfg.Shuffle, cfg.Workers, cfg.kept = 1, 4, 50 }},
		{"shuffled by another, one worker, nothing shared", func(cfg *Config) { cfg.Shuffle, cfg.Workers, cfg.alone = 2, 1, true }},
	} {
		p, err := runPrograms(t, other.set)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, p); !bytes.Equal(got, want) {
			t.Errorf("%s: reports differ: %s", other.what, firstDifference(got, want))
		}
	}
}

// TestStored lets every template be stored and read back before it is used: the
// reports must be equal byte for byte.
func TestStored(t *testing.T) {
	t.Parallel()
	stored, err := runPrograms(t, func(cfg *Config) { cfg.store = true })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := encode(t, stored), encode(t, allPrograms(t)); !bytes.Equal(got, want) {
		t.Errorf("reports differ: %s", firstDifference(got, want))
	}
}

// TestSure leaves out what rests on an assumption: the rest must be the same,
// with the same IDs.
func TestSure(t *testing.T) {
	t.Parallel()
	p, err := runPrograms(t, func(cfg *Config) { cfg.Sure = true })
	if err != nil {
		t.Fatal(err)
	}
	got, want := sureSets(p), sureSets(allPrograms(t))
	if !bytes.Equal(got, want) {
		t.Errorf("reports differ: %s", firstDifference(got, want))
	}
}

// sureSets lists the races that rest on no assumption, with the IDs of their
// sets.
func sureSets(p *programs) []byte {
	var lines []string
	for _, r := range p.res.Reports {
		for _, x := range r.Races {
			if x.Confidence > model.Assumed {
				lines = append(lines, fmt.Sprintf("%s %s %s, %s %s, %s", r.ID, x.A.Kind, x.A.Pos, x.B.Kind, x.B.Pos, x.Confidence))
			}
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n"))
}

// TestNaiveSolver runs with the textbook solver: the reports must be the same.
func TestNaiveSolver(t *testing.T) {
	t.Parallel()
	p, err := runPrograms(t, func(cfg *Config) { cfg.Naive = true })
	if err != nil {
		t.Fatal(err)
	}
	got, want := outline(p), outline(allPrograms(t))
	if !bytes.Equal(got, want) {
		t.Errorf("reports differ: %s", firstDifference(got, want))
	}
}

// outline lists the races without the numbers that a solver gives to objects
// and instances.
func outline(p *programs) []byte {
	var lines []string
	for _, r := range p.races {
		lines = append(lines, fmt.Sprintf("%s %s %s %s %s: %s %s, %s %s, %s", r.Object.Pos, r.Object.Kind, r.Object.Name, r.Object.Type,
			r.Field, r.A.Kind, r.A.Pos, r.B.Kind, r.B.Pos, r.Confidence))
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n"))
}

func encode(t *testing.T, p *programs) []byte {
	t.Helper()
	data, err := json.MarshalIndent([]any{p.res.Reports, p.res.Notices}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func firstDifference(a, b []byte) string {
	as, bs := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			lo := max(i-5, 0)
			return fmt.Sprintf("line %d:\n%s\n\n%s", i+1, strings.Join(as[lo:i+1], "\n"), strings.Join(bs[lo:i+1], "\n"))
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// TestRegrouping checks that grouping races into reports loses and repeats
// none: each report's races are its own, on one object and field of one loop,
// and its sides are what the races touch (case H6).
func TestRegrouping(t *testing.T) {
	p := allPrograms(t)
	seen := map[*model.Race]bool{}
	ids := map[string]int{}
	for _, rep := range p.res.Reports {
		if n := ids[rep.ID]; n == 1 {
			t.Errorf("two reports with the identity %q", rep.ID)
		}
		ids[rep.ID]++
		for _, r := range rep.Races {
			if seen[r] {
				t.Errorf("in two reports: %s", touch{r, r.A, false})
			}
			seen[r] = true
			// A helper's loop is looked at for each call.
			if a, b := r.Loop, rep.Loop; r.Field != rep.Field || a.Func != b.Func || a.Pos != b.Pos || a.Spawn != b.Spawn {
				t.Errorf("in a report on %s: %s", rep.Field, touch{r, r.A, false})
			}
			for _, side := range []struct {
				name string
				acc  *model.Access
				list []*model.Access
			}{{"alpha", r.A, rep.Alpha}, {"beta", r.B, rep.Beta}} {
				same := func(a *model.Access) bool { return a.Pos == side.acc.Pos && a.Kind == side.acc.Kind }
				if !slices.ContainsFunc(side.list, same) {
					t.Errorf("%s side lacks the access of %s", side.name, touch{r, side.acc, false})
				}
			}
		}
	}
	if n := len(p.res.Stages); n > 0 && p.res.Stages[n-1].Out != len(seen)+p.res.Trimmed {
		t.Errorf("%d races went into grouping, %d came out and %d were too many of a set", p.res.Stages[n-1].Out, len(seen), p.res.Trimmed)
	}
}

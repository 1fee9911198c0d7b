package analyzer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// confirmed are the races that the race detector saw: pairs of places in the
// programs, "dir/file.go:line", from where calls may lead to the accesses. A
// pair is there in both orders.
type confirmed map[[2]string]bool

// add reads the detector's output on a program in dir: each place of the one
// access's stack with each of the other's.
func (c confirmed) add(out, dir string) {
	var stacks [][]string
	flush := func() {
		if len(stacks) == 2 {
			for _, a := range stacks[0] {
				for _, b := range stacks[1] {
					c[[2]string{a, b}], c[[2]string{b, a}] = true, true
				}
			}
		}
		stacks = nil
	}
	inStack := false
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "WARNING: DATA RACE"), strings.HasPrefix(line, "====="):
			flush()
			inStack = false
		case accessHead.MatchString(line):
			inStack = true
			stacks = append(stacks, nil)
		case line == "" || strings.HasPrefix(line, "Goroutine"):
			inStack = false
		}
		file, rest, ok := strings.Cut(line, ".go:")
		if inStack && ok && filepath.Dir(file) == dir {
			num, _, _ := strings.Cut(rest, " ")
			i := len(stacks) - 1
			stacks[i] = append(stacks[i], fmt.Sprintf("%s/%s.go:%s", filepath.Base(dir), filepath.Base(file), num))
		}
	}
	flush()
}

func TestConfirmed(t *testing.T) {
	const out = `==================
WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 8:
  container/list.(*List).insert()
      /usr/go/src/container/list/list.go:97 +0x4
  m.work()
      /m/call/a.go:12 +0x44
  m.F.func1()
      /m/call/a.go:20 +0x30

Previous read at 0x00c000012345 by goroutine 7:
  m.F.func1()
      /m/call/b.go:7 +0x30

Goroutine 8 (running) created at:
  m.F()
      /m/call/a.go:99 +0x44
==================
`
	c := make(confirmed)
	c.add(out, "/m/call")
	for _, pair := range [][2]string{
		{"call/a.go:12", "call/b.go:7"}, {"call/b.go:7", "call/a.go:12"}, {"call/a.go:20", "call/b.go:7"}, {"call/b.go:7", "call/a.go:20"},
	} {
		if !c[pair] {
			t.Errorf("%v is missing", pair)
		}
	}
	if len(c) != 4 {
		t.Errorf("%d pairs, want 4: %v", len(c), c)
	}
}

// checkThreadsafe compares what the threadsafe stage removes from the reports
// on the programs, what safe functions do inside included, with what the race
// detector saw there: no confirmed race may go. Of a pair of places several
// races may be reported, and the detector does not say on which object; so the
// pair must be among the reports still if it was seen to race.
func checkThreadsafe(t *testing.T, seen confirmed) {
	if len(seen) == 0 {
		t.Skip("the detector saw no race; run more of TestRacecheck with it")
	}
	without := withoutStage(t, "threadsafe")
	place := func(p model.Pos) string {
		return fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(p.File)), filepath.Base(p.File), p.Line)
	}
	pair := func(r *model.Race) [2]string {
		a, b := place(r.A.Pos), place(r.B.Pos)
		return [2]string{min(a, b), max(a, b)}
	}
	kept := make(map[[2]string]bool)
	for _, r := range allPrograms(t).races {
		kept[pair(r)] = true
	}
	removed, both := 0, make(map[[2]string]bool)
	for _, r := range without.races {
		k := pair(r)
		if kept[k] {
			if seen[k] {
				both[k] = true
			}
			continue
		}
		removed++
		if seen[k] {
			t.Errorf("the threadsafe stage removes %s, with %s, which the detector confirms", touch{r, r.A, false}, r.B.Pos)
		}
	}
	if removed == 0 {
		t.Error("the threadsafe stage removes nothing: there is nothing to check")
	}
	t.Logf("removed %d races, none confirmed; the detector confirms %d pairs that are reported with the stage and without", removed, len(both))
}

package order

import (
	"path"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// This file is the rule for what tests of different packages do. The tests of one directory are a program of their own:
// what its test files make, or do, is not there for a goroutine that the tests of another directory start, even if they
// leave it where a package variable leads:
//
//	func TestBackoff(t *testing.T) { // of package b2
//		var calls []time.Duration
//		after = func(d time.Duration) { calls = append(calls, d) }
//		…
//	}
//
//	func TestMany(t *testing.T) { // of package consistent
//		for range 10 {
//			go retry(bucket) // calls b2.after
//		}
//	}

// inOtherTests reports whether a race needs what the test files of one directory have, and iterations that only tests of
// others start.
func (a *Analysis) inOtherTests(r *model.Race) bool {
	dir := ""
	for _, p := range []model.Pos{r.Object.Pos, r.A.Pos, r.B.Pos} {
		switch {
		case !inTest(p):
		case dir == "":
			dir = path.Dir(p.File)
		case dir != path.Dir(p.File):
			return len(a.spawns) > 0 && a.startedInTests()
		}
	}
	return dir != "" && len(a.spawns) > 0 && a.startedInTests() && !slices.Contains(a.testDirs, dir)
}

// startedInTests reports whether tests alone lead to where the iterations start, and finds the directories of these.
func (a *Analysis) startedInTests() bool {
	if a.onlyTests == unasked {
		a.onlyTests = answerOf(a.findTests())
	}
	return a.onlyTests == yes
}

func (a *Analysis) findTests() bool {
	only := true
	for _, s := range a.spawns {
		entries := a.entriesOf(s.Inst)
		only = only && len(entries) > 0
		for _, e := range entries {
			if !a.isTest(e) {
				only = false
			} else if dir := path.Dir(a.w.Pos(e, a.w.Flow(e).Steps[0].Site).File); !slices.Contains(a.testDirs, dir) {
				a.testDirs = append(a.testDirs, dir)
			}
		}
	}
	return only
}

// entriesOf returns the entry points that lead to an instance.
func (a *Analysis) entriesOf(i pta.InstID) []pta.InstID {
	var out []pta.InstID
	for _, t := range a.threadsOf(i) {
		out = append(out, a.rootsOf(t)...)
	}
	return out
}

// isTest reports whether an entry point is a function of a test file, and no initialiser.
func (a *Analysis) isTest(i pta.InstID) bool {
	f := a.w.Flow(i)
	return f != nil && len(f.Steps) > 0 && inTest(a.w.Pos(i, f.Steps[0].Site)) && !strings.HasSuffix(f.Name, ".init")
}

// inTest reports whether a position lies in a test file.
func inTest(p model.Pos) bool { return strings.HasSuffix(p.File, "_test.go") }

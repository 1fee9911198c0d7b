package analyzer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iterace/iterace/internal/expect"
)

// caseGroups are the numbered lists that the programs restate: the IteRace
// tool's tests (T), its commented ones (H), its untested subjects (U); the
// points-to cases (X, L); the tricky shapes of real Go loops (S).
var caseGroups = []struct {
	letter string
	last   int
}{
	{"T", 129}, {"H", 9}, {"U", 19}, {"X", 30}, {"L", 2}, {"S", 50},
}

// sameProgram names, for cases without a program of their own, the case whose
// program they share: a range of cases in order, or one for all of a range.
var sameProgram = []struct {
	first, last string
	as          string // program of the first
	step        int    // 1: consecutive; 0: one program for all
	why         string
}{
	{"T25", "T48", "T1", 1, "T1–T24 with the lock filter, which is always on"},
	{"T59", "T59", "T55", 0, "the empty lockset"},
	{"T61", "T61", "T56", 0, "the iteration's own mutex is held"},
	{"T71", "T71", "T60", 0, "the same lockset, at the statement"},
	{"T75", "T75", "T74", 0, "the same lockset, at the statement"},
	{"T76", "T92", "T59", 1, "T59–T75 with the other lock constructor"},
	{"T114", "T114", "H8", 0, "its oracle was empty"},
	{"T127", "T127", "T126", 0, "the call of the increment"},
	{"X22", "X22", "", 0, "unused number"},
	{"X24", "X24", "", 0, "unused number"},
}

// ablationCases are checked by TestAblation, on the program named.
var ablationCases = map[string]string{
	"T49": "T1", "T50": "T2", "T51": "T3", "T52": "T4", "T53": "T5",
	"T100": "T94", "T101": "T95", "T102": "T96", "T103": "T97", "T104": "T98", "T105": "T99",
}

// propertyCases are checked by tests of their own.
var propertyCases = map[string]string{"H6": "TestRegrouping"}

// noAnalogue are the cases that mean nothing in Go.
var noAnalogue = map[string]string{
	"T93":  "a JUnit runner that is parallel; Go's has no closure object to lock",
	"T123": "the spawner's thread-local value cannot be seen by the workers; Go has no thread-local storage",
}

var caseID = regexp.MustCompile(`^([A-Z])([0-9]+)([a-z]*)$`)

// programOf returns the number of the case whose program stands for the case.
func programOf(id string) string {
	num := func(id string) (string, int) {
		m := caseID.FindStringSubmatch(id)
		n, _ := strconv.Atoi(m[2])
		return m[1], n
	}
	letter, n := num(id)
	for _, s := range sameProgram {
		sl, first := num(s.first)
		_, last := num(s.last)
		if letter != sl || n < first || n > last {
			continue
		}
		if s.as == "" {
			return ""
		}
		al, as := num(s.as)
		return programOf(fmt.Sprintf("%s%d", al, as+s.step*(n-first)))
	}
	return id
}

// caseTable lists all numbered cases with their state: passed, failed, no
// program, no analogue.
func caseTable(p *programs, bad map[*expect.Case][]string) string {
	byID := map[string][]*expect.Case{} // by number without letter: S5, S5b …
	for _, f := range p.files {
		for _, c := range f.Cases {
			if m := caseID.FindStringSubmatch(c.ID); m != nil {
				byID[m[1]+m[2]] = append(byID[m[1]+m[2]], c)
			}
		}
	}
	state := func(id string) string {
		if why := noAnalogue[id]; why != "" {
			return "no analogue: " + why
		}
		if test := propertyCases[id]; test != "" {
			return "see " + test
		}
		if as := ablationCases[id]; as != "" {
			return "see TestAblation, program of " + as
		}
		as := programOf(id)
		if as == "" {
			return "unused number"
		}
		cs := byID[as]
		if len(cs) == 0 {
			return "NO PROGRAM"
		}
		out, limits := "passed", ""
		failed := 0
		for _, c := range cs {
			if len(bad[c]) > 0 {
				failed++
			}
			if c.Limit != "" {
				limits = ", known limit " + c.Limit
			}
		}
		if failed > 0 {
			out = fmt.Sprintf("FAILED %d of %d", failed, len(cs))
		}
		if as != id {
			out += ", as " + as
		}
		return out + limits
	}
	var b strings.Builder
	for _, g := range caseGroups {
		passed, total := 0, 0
		var rest []string
		for n := 1; n <= g.last; n++ {
			id := fmt.Sprintf("%s%d", g.letter, n)
			s := state(id)
			switch {
			case s == "unused number":
				continue
			case strings.HasPrefix(s, "passed"):
				passed++
			default:
				rest = append(rest, fmt.Sprintf("  %-5s %s", id, s))
			}
			total++
		}
		fmt.Fprintf(&b, "%s: %d of %d passed\n", g.letter, passed, total)
		for _, r := range rest {
			b.WriteString(r + "\n")
		}
	}
	passed, total := 0, 0
	for _, f := range p.files {
		for _, c := range f.Cases {
			total++
			if len(bad[c]) == 0 {
				passed++
			}
		}
	}
	fmt.Fprintf(&b, "all programs: %d of %d passed\n", passed, total)
	return b.String()
}

// TestCaseTable checks that every numbered case has a program, shares one, or
// says why it has none.
func TestCaseTable(t *testing.T) {
	have := map[string]bool{}
	for _, d := range programDirs(t) {
		names := map[string]bool{}
		for _, f := range programFiles(t, d) {
			for _, c := range f.Cases {
				if names[c.Name] {
					t.Errorf("%s: second case called %s", f.Name, c.Name)
				}
				names[c.Name] = true
				if m := caseID.FindStringSubmatch(c.ID); m != nil {
					have[m[1]+m[2]] = true
				}
			}
		}
	}
	for _, g := range caseGroups {
		for n := 1; n <= g.last; n++ {
			id := fmt.Sprintf("%s%d", g.letter, n)
			if noAnalogue[id] != "" || propertyCases[id] != "" {
				continue
			}
			as := ablationCases[id]
			if as == "" {
				as = programOf(id)
			}
			if as != "" && !have[as] {
				t.Errorf("%s has no program (%s)", id, as)
			}
		}
	}
}

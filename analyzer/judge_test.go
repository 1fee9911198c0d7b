package analyzer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/expect"
	"github.com/iterace/iterace/model"
)

// This file compares reports with the comments in test programs.

// A touch is one access of a race at a line of a test program.
type touch struct {
	race *model.Race
	acc  *model.Access
	call bool // the line is on the call path to the access
}

func (t touch) String() string {
	how := ""
	if t.call {
		how = " (on the path to it)"
	}
	return fmt.Sprintf("%s %s%s: %s in %s at %s%s, with %s at %s [%s, loop %s]", t.race.Object.Kind, t.race.Object.Name, t.race.Field,
		t.acc.Kind, t.acc.Func, t.acc.Pos, how, t.other().Kind, t.other().Pos, t.race.Confidence, loopPos(t.race))
}

func (t touch) other() *model.Access {
	if t.acc == t.race.A {
		return t.race.B
	}
	return t.race.A
}

func loopPos(r *model.Race) model.Pos {
	if r.Loop == nil {
		return model.Pos{}
	}
	return r.Loop.Pos
}

// objectName is the name of the race's object, if it has one of its own: a
// variable's. The names of other objects tell how an access or a store reaches
// them, which can be said in many ways.
func objectName(r *model.Race) string {
	if r.Object != nil {
		switch r.Object.Kind {
		case "var", "global", "parameter":
			return r.Object.Name
		}
	}
	return ""
}

// confident reports whether the race is shown to the user by default.
func (t touch) confident() bool { return t.race.Confidence > model.Assumed }

// touches returns what the races have to do with each line of the programs,
// keyed by file and line.
func (p *programs) touches() map[string][]touch {
	out := map[string][]touch{}
	for _, r := range p.races {
		for _, a := range []*model.Access{r.A, r.B} {
			at := lineKey(a.Pos)
			out[at] = append(out[at], touch{r, a, false})
			seen := map[string]bool{at: true}
			for _, f := range a.Path {
				if k := lineKey(f.Call); !seen[k] {
					seen[k] = true
					out[k] = append(out[k], touch{r, a, true})
				}
			}
		}
	}
	return out
}

func lineKey(p model.Pos) string { return fmt.Sprintf("%s:%d", filepath.ToSlash(p.File), p.Line) }

// key is the lineKey of a line of f.
func (p *programs) key(f *expect.File, line int) string {
	rel, err := filepath.Rel(p.root, f.Name)
	if err != nil {
		rel = f.Name
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), line)
}

// check compares the touches of one line with the expectation; it returns a
// complaint for each difference.
func check(want *expect.Comment, ts []touch) (bad []string) {
	switch want.Verdict {
	case expect.MustRace, expect.Race:
		for _, target := range want.Targets {
			if !slices.ContainsFunc(ts, func(t touch) bool { return t.confident() && matches(target, t) }) {
				bad = append(bad, fmt.Sprintf("%s %s: not reported", want.Verdict, target))
			}
		}
		for _, t := range ts {
			expected := slices.ContainsFunc(want.Targets, func(g expect.Target) bool { return matches(g, t) })
			if t.confident() && !t.call && !expected {
				bad = append(bad, fmt.Sprintf("%s %v: another object: %s", want.Verdict, want.Targets, t))
			}
		}
	case expect.NoRace, expect.Missed:
		for _, t := range ts {
			if t.confident() {
				bad = append(bad, fmt.Sprintf("%s: %s", want.Verdict, t))
			}
		}
	case expect.Assumed:
		for _, target := range want.Targets {
			if !slices.ContainsFunc(ts, func(t touch) bool { return !t.confident() && matches(target, t) }) {
				bad = append(bad, fmt.Sprintf("assumed %s: not reported", target))
			}
		}
		for _, t := range ts {
			if t.confident() {
				bad = append(bad, fmt.Sprintf("assumed: %s", t))
			}
		}
	}
	return bad
}

func matches(g expect.Target, t touch) bool { return g.Matches(objectName(t.race), t.race.Field) }

// owners returns the cases that a race belongs to: those in whose functions
// the loop, an access or a call on the path to one lies; where there are none,
// those in whose sections an access lies.
func (p *programs) owners(r *model.Race) []*expect.Case {
	var places []model.Pos
	if r.Loop != nil {
		places = append(places, r.Loop.Pos, r.Loop.Spawn)
	}
	for _, a := range []*model.Access{r.A, r.B} {
		places = append(places, a.Pos)
		for _, f := range a.Path {
			places = append(places, f.Call)
		}
	}
	find := func(at func(*expect.File, int) *expect.Case) (out []*expect.Case) {
		for _, pos := range places {
			if f := p.file(pos); f != nil {
				if c := at(f, pos.Line); c != nil && !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
		return out
	}
	if cs := find((*expect.File).CaseAt); len(cs) > 0 {
		return cs
	}
	return find((*expect.File).SectionAt)
}

// file returns the file of test programs that the position is in, or nil.
func (p *programs) file(pos model.Pos) *expect.File {
	for _, f := range p.files {
		if strings.TrimSuffix(p.key(f, 0), ":0") == filepath.ToSlash(pos.File) {
			return f
		}
	}
	return nil
}

// complaints returns what is wrong, by case; those about a file's helpers are
// under nil.
func (p *programs) complaints() map[*expect.Case][]string {
	out := map[*expect.Case][]string{}
	touches := p.touches()
	for _, f := range p.files {
		for _, line := range f.Lines() {
			c := f.SectionAt(line)
			for _, b := range check(f.Comments[line], touches[p.key(f, line)]) {
				out[c] = append(out[c], fmt.Sprintf("%s: %s", p.key(f, line), b))
			}
		}
	}
	for _, r := range p.races {
		if r.Confidence == model.Assumed {
			continue
		}
		owners := p.owners(r)
		if len(owners) == 0 {
			owners = []*expect.Case{nil}
		}
		for _, a := range []*model.Access{r.A, r.B} {
			if f := p.file(a.Pos); f != nil && f.Comments[a.Pos.Line] != nil {
				if f.Comments[a.Pos.Line].Reported() && owners[0] != nil {
					// The line may be a helper's, which some cases call well and others badly.
					for _, c := range owners {
						if !p.racy(c) {
							out[c] = append(out[c], "without a race, but reported: "+touch{r, a, false}.String())
						}
					}
				}
				continue // judged above
			}
			for _, c := range owners {
				out[c] = append(out[c], "unlabelled: "+touch{r, a, false}.String())
			}
		}
	}
	for c := range out {
		slices.Sort(out[c])
		out[c] = slices.Compact(out[c])
	}
	return out
}

// racy reports whether any line of the case's section may be reported.
func (p *programs) racy(c *expect.Case) bool {
	for _, f := range p.files {
		for _, l := range f.Lines() {
			if f.Name == c.File && f.SectionAt(l) == c && f.Comments[l].Reported() {
				return true
			}
		}
	}
	return false
}

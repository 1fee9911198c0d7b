package analyzer

import (
	"slices"
	"sync"
	"testing"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// TestBubbleUp checks on all programs, without the threadsafe and lock stages,
// which would leave little to move, what package bubbleup promises: for each pair inside library code there is one at calls in the
// application that lead to it, at least as certain, or likely, unless the object
// is internal to libraries. What applocks
// then removes, it removes for a lock around those calls.
func TestBubbleUp(t *testing.T) {
	i := slices.IndexFunc(stages, func(s stage) bool { return s.name == "bubbleup" })
	filter := stages[i].run
	defer func() { stages[i].run = filter }()
	deep := 0
	var mu sync.Mutex // of the check, loops are worked on side by side
	stages[i].run = func(r *loopRun, v *pta.View, in *model.RaceSet) *model.RaceSet {
		// The stage moves races, it does not change them.
		before := make([]model.Race, 0, in.Len())
		for _, x := range in.Races {
			before = append(before, *x)
		}
		out := filter(r, v, in)
		mu.Lock()
		defer mu.Unlock()
		leads := make(map[pta.InstID][]pta.Site)
		for j, x := range in.Races {
			if b := &before[j]; b.A != x.A || b.B != x.B || b.Object != x.Object || b.Field != x.Field || b.Confidence != x.Confidence {
				t.Errorf("%s is changed", touch{x, x.A, false})
			}
			if !x.A.Library && !x.B.Library {
				if !slices.Contains(out.Races, x) {
					t.Errorf("%s is the application's, and gone", touch{x, x.A, false})
				}
				continue
			}
			deep++
			as, bs := callsTo(v, x.A, leads), callsTo(v, x.B, leads)
			if !slices.ContainsFunc(out.Races, func(u *model.Race) bool {
				return slices.Contains(as, pta.SiteOf(u.A)) && slices.Contains(bs, pta.SiteOf(u.B)) &&
					u.A.Kind == x.A.Kind && u.B.Kind == x.B.Kind && u.Other == x.Other &&
					(u.Confidence >= min(x.Confidence, model.Likely) || u.Object == x.Object && slices.Contains(u.Assumes, "library-internals") && v.Internal(x.Object))
			}) {
				t.Errorf("nothing stands for %s, with %s", touch{x, x.A, false}, x.B.Pos)
			}
		}
		return out
	}
	if _, err := runPrograms(t, func(cfg *Config) { cfg.Disable = []string{"threadsafe", "deeplocks"} }); err != nil {
		t.Fatal(err)
	}
	if deep < 100 {
		t.Errorf("only %d pairs inside library code", deep)
	}
	t.Logf("%d pairs inside library code", deep)
}

// callsTo finds the application's calls that lead to an access through library
// code of its thread, and the access itself.
func callsTo(v *pta.View, a *model.Access, memo map[pta.InstID][]pta.Site) []pta.Site {
	id := pta.InstID(a.Inst)
	if !a.Library {
		return []pta.Site{pta.SiteOf(a)}
	}
	if _, ok := memo[id]; !ok {
		var out []pta.Site
		seen := map[pta.InstID]bool{id: true}
		for work := []pta.InstID{id}; len(work) > 0; work = work[1:] {
			for _, c := range v.Callers(work[0]) {
				if v.App(c.Inst) {
					out = append(out, c)
				} else if v.Thread(c.Inst) == v.Thread(id) && !seen[c.Inst] {
					seen[c.Inst] = true
					work = append(work, c.Inst)
				}
			}
		}
		memo[id] = out
	}
	return append(slices.Clip(memo[id]), pta.SiteOf(a))
}

package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
)

// AssignIDs sets the ID of every report.
//
// An ID names a race set by what the program calls things: the function, kind
// and form of the loop, the object and its field. It contains no line number, so that it stays the same when code above it grows, and baselines,
// suppressions and SARIF consumers recognise the race set. Race sets that
// agree in all that get an ordinal, in the order of their positions; those are
// the only IDs that another race set can move. (The ordinal of a loop among
// those of its function would tell more of them apart; but only loops with races
// are seen here, and to mend one race must not move others out of a baseline.)
//
// Modules are the paths of the main modules, longer ones first where one begins
// with another. All reports of a run must be given at once. Those that rest on assumptions
// alone get their ordinals last: whether they were looked for must not change
// the ID of another.
func AssignIDs(modules []string, reports []*model.Report) {
	sorted := slices.Clone(reports)
	slices.SortStableFunc(sorted, func(a, b *model.Report) int {
		return cmp.Or(cmp.Compare(certainty(b), certainty(a)), a.Loop.Pos.Compare(b.Loop.Pos), a.Object.Pos.Compare(b.Object.Pos),
			headPos(a).Compare(headPos(b)))
	})
	seen := make(map[string]int)
	for _, r := range sorted {
		id := baseID(modules, r)
		seen[id]++
		r.ID = id
		if n := seen[id]; n > 1 {
			r.ID = fmt.Sprintf("%s-%d", id, n)
		}
	}
}

// certainty is 1 for a report that is shown by default.
func certainty(r *model.Report) int {
	if slices.ContainsFunc(r.Races, func(x *model.Race) bool { return x.Confidence > model.Assumed }) {
		return 1
	}
	return 0
}

// baseID hashes what distinguishes r, except for positions.
func baseID(modules []string, r *model.Report) string {
	fn := r.Loop.Func
	if r.Loop.Form == model.FormTest {
		fn = "" // which of the tests is the first is not what the race set is about
	}
	parts := []string{
		fn, r.Loop.Kind, r.Loop.Form,
		r.Object.Kind, r.Object.Type, r.Object.Name, r.Field,
	}
	if r.Object.Name == "" && len(r.Races) > 0 {
		// What has no name of its own is known by the function that writes it.
		w, _ := headline(r)
		parts = append(parts, w.Func)
	}
	for i := range parts {
		parts[i] = relative(modules, parts[i])
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// relative removes the modules' paths from the names in s: a fork or a version
// suffix keeps its IDs, and of a workspace it does not matter which module is
// looked at.
func relative(modules []string, s string) string {
	for _, m := range modules {
		if m != "" {
			s = strings.ReplaceAll(s, m+"/", "")
			s = strings.ReplaceAll(s, m+".", ".")
		}
	}
	return s
}

// headPos returns the position under which r is reported.
func headPos(r *model.Report) model.Pos {
	if len(r.Races) == 0 {
		return r.Loop.Pos
	}
	w, _ := headline(r)
	return w.Pos
}

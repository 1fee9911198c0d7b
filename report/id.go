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
// An ID names a race set by what the program calls things: functions, the kind
// and ordinal of the loop, the object and its field. It contains no line
// number, so that it stays the same when code above it grows, and baselines,
// suppressions and SARIF consumers recognise the race set. Race sets that
// agree in all that get an ordinal, in the order of their positions; those are
// the only IDs that another race set can move.
//
// All reports of a run must be given at once, the assumed ones too: what the
// user chooses to see must not change an ID.
func AssignIDs(module string, reports []*model.Report) {
	ordinals := loopOrdinals(reports)
	sorted := slices.Clone(reports)
	slices.SortStableFunc(sorted, func(a, b *model.Report) int {
		return cmp.Or(a.Loop.Pos.Compare(b.Loop.Pos), a.Object.Pos.Compare(b.Object.Pos),
			headPos(a).Compare(headPos(b)))
	})
	seen := make(map[string]int)
	for _, r := range sorted {
		id := baseID(module, r, ordinals[r.Loop])
		seen[id]++
		r.ID = id
		if n := seen[id]; n > 1 {
			r.ID = fmt.Sprintf("%s-%d", id, n)
		}
	}
}

// baseID hashes what distinguishes r, except for positions.
func baseID(module string, r *model.Report, ordinal int) string {
	parts := []string{
		r.Loop.Func, r.Loop.Kind, r.Loop.Form, fmt.Sprint(ordinal),
		r.Object.Kind, r.Object.Type, r.Object.Name, r.Field,
	}
	if r.Object.Name == "" && len(r.Races) > 0 {
		// What has no name of its own is known by the function that writes it.
		w, _ := headline(r)
		parts = append(parts, w.Func)
	}
	for i := range parts {
		parts[i] = relative(module, parts[i])
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// relative removes the module's path from the names in s: a fork or a version
// suffix keeps its IDs.
func relative(module, s string) string {
	if module == "" {
		return s
	}
	s = strings.ReplaceAll(s, module+"/", "")
	return strings.ReplaceAll(s, module+".", ".")
}

// loopOrdinals numbers the reported loops of each function and kind, in the
// order of the source.
func loopOrdinals(reports []*model.Report) map[*model.Loop]int {
	var loops []*model.Loop
	for _, r := range reports {
		loops = append(loops, r.Loop)
	}
	slices.SortStableFunc(loops, func(a, b *model.Loop) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Form, b.Form),
			a.Pos.Compare(b.Pos), a.Spawn.Compare(b.Spawn), cmp.Compare(a.ID, b.ID))
	})
	ordinals := make(map[*model.Loop]int)
	var last *model.Loop
	n := 0
	for _, l := range loops {
		switch {
		case last == nil || l.Func != last.Func || l.Kind != last.Kind || l.Form != last.Form:
			n = 0
		case l.Pos != last.Pos || l.Spawn != last.Spawn:
			n++
		}
		ordinals[l] = n
		last = l
	}
	return ordinals
}

// headPos returns the position under which r is reported.
func headPos(r *model.Report) model.Pos {
	if len(r.Races) == 0 {
		return r.Loop.Pos
	}
	w, _ := headline(r)
	return w.Pos
}

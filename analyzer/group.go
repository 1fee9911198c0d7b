package analyzer

import (
	"cmp"
	"slices"

	"github.com/iterace/iterace/model"
)

// A setKey names the race set that a race belongs to. A helper's loop is looked
// at once for each call, and is one loop to the reader.
type setKey struct {
	loop            string
	at, spawn       model.Pos
	kind, name, typ string
	pos             model.Pos
	field           string
}

func setKeyOf(r *model.Race) setKey {
	o, l := r.Object, r.Loop
	if l.Form == model.FormTest {
		return setKey{kind: o.Kind, name: o.Name, typ: o.Type, pos: o.Pos, field: r.Field}
	}
	return setKey{l.Func, l.Pos, l.Spawn, o.Kind, o.Name, o.Type, o.Pos, r.Field}
}

// group turns races into reports: one for each loop, allocation site and
// field. What alpha and beta allocate at one site are two objects to the
// analysis and one thing to the reader.
func group(races []*model.Race) []*model.Report {
	index := make(map[setKey]*model.Report)
	var out []*model.Report
	for _, race := range races {
		k := setKeyOf(race)
		rep := index[k]
		if rep == nil {
			rep = &model.Report{Loop: race.Loop, Object: race.Object, Field: race.Field}
			index[k] = rep
			out = append(out, rep)
		}
		rep.Races = append(rep.Races, race)
	}
	for _, rep := range out {
		slices.SortStableFunc(rep.Races, func(a, b *model.Race) int {
			return cmp.Or(-cmp.Compare(a.Confidence, b.Confidence), a.A.Pos.Compare(b.A.Pos), a.B.Pos.Compare(b.B.Pos))
		})
		for _, r := range rep.Races {
			rep.Alpha = addAccess(rep.Alpha, r.A)
			rep.Beta = addAccess(rep.Beta, r.B)
		}
	}
	slices.SortStableFunc(out, func(a, b *model.Report) int {
		return cmp.Or(a.Loop.Pos.Compare(b.Loop.Pos), a.Object.Pos.Compare(b.Object.Pos), cmp.Compare(a.Object.Name, b.Object.Name), cmp.Compare(a.Field, b.Field))
	})
	return out
}

func addAccess(list []*model.Access, a *model.Access) []*model.Access {
	for _, x := range list {
		if x == a || x.Pos == a.Pos && x.Kind == a.Kind && x.Func == a.Func && x.Thread == a.Thread {
			return list
		}
	}
	return append(list, a)
}

package report

import (
	"slices"

	"github.com/iterace/iterace/model"
)

// Merge joins reports that a reader could not tell apart: of the same loop, on
// the same field of objects that are allocated at the same place. The analysis
// has more objects than the source has names for them: what α allocates and β
// reaches, and the mirror image of it, or what one factory makes in two
// contexts. The reports stay in the order of their firsts.
func Merge(reports []*model.Report) []*model.Report {
	type key struct {
		loop, spawn      model.Pos
		loopKind, inFunc string
		single           bool
		kind, typ, name  string
		pos              model.Pos
		iteration        bool // allocated by an iteration
		field            string
	}
	first := make(map[key]*model.Report)
	var out []*model.Report
	for _, r := range reports {
		l, o := r.Loop, r.Object
		k := key{l.Pos, l.Spawn, l.Kind, l.Func, l.Single,
			o.Kind, o.Type, o.Name, o.Pos, o.Thread != model.Main, r.Field}
		if first[k] == nil {
			c := *r
			first[k] = &c
			out = append(out, &c)
			continue
		}
		first[k].Races = slices.Concat(first[k].Races, r.Races)
	}
	for _, r := range out {
		if len(r.Races) > 0 {
			r.Races = distinctRaces(r.Races)
			r.Alpha, r.Beta = sides(r.Races)
		}
	}
	return out
}

// distinctRaces keeps, of races that a reader could not tell apart, the first
// of the highest confidence.
func distinctRaces(races []*model.Race) []*model.Race {
	type end struct {
		pos    model.Pos
		kind   model.AccessKind
		thread model.Thread
		fn     string
	}
	endOf := func(a *model.Access) end { return end{a.Pos, a.Kind, a.Thread, a.Func} }
	index := make(map[[2]end]int)
	var out []*model.Race
	for _, x := range races {
		k := [2]end{endOf(x.A), endOf(x.B)}
		i, ok := index[k]
		switch {
		case !ok:
			index[k] = len(out)
			out = append(out, x)
		case x.Confidence > out[i].Confidence:
			out[i] = x
		}
	}
	return out
}

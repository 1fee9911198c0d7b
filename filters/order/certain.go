package order

import (
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// liftMany takes back the doubt of pairs whose object stands for many, where
// both accesses reach the one that a frame made by what they capture or are
// passed from it: the variable of a function that is called twice is two, but
// the goroutine that captures it shares it with the frame that started it. (A
// pair of different frames ends at the birth, see walk.birth.)
func (a *Analysis) liftMany(rs *model.RaceSet) {
	for _, r := range rs.Races {
		if r.Confidence != model.Assumed || r.B.Thread != model.Main || !slices.Equal(r.Assumes, []string{"many-objects"}) {
			continue
		}
		x := access{pta.InstID(r.A.Inst), ssair.Instr(r.A.Instr), noSite, noSite, 0}
		y := access{pta.InstID(r.B.Inst), ssair.Instr(r.B.Instr), noSite, noSite, 0}
		x.own, y.own = a.ownBirth(x), a.ownBirth(y)
		if a.commonBirth(x, y).Inst >= 0 {
			r.Confidence, r.Assumes = model.Likely, nil
		}
	}
}

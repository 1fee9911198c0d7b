package disjoint

import (
	"slices"
	"testing"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
)

// A world is a loop whose iterations touch elements, of which nothing more is
// known: each question to the prover is answered "gave up".
type world struct{}

func (w *world) Chains(_ model.Thread, to pta.Site, _ int) ([]pta.Chain, bool) {
	return []pta.Chain{{Sites: []pta.Site{{Inst: 0, At: 1}, to}}}, true
}

func (w *world) Origins(pta.Chain, *model.Access, *model.Object) ([]pta.Chain, bool) {
	return nil, false
}
func (w *world) Index(pta.InstID) *index.Func                      { return nil }
func (*world) Passed(pta.Chain, *model.Access, *model.Object) bool { return true }
func (w *world) RowOrigin(pta.Chain, int32) (pta.Chain, bool)      { return pta.Chain{}, false }
func (w *world) RowLoad(pta.Chain, int32) (pta.Site, bool)         { return pta.Site{}, false }
func (w *world) RowAt(pta.Chain) (pta.Chain, bool)                 { return pta.Chain{}, false }
func (w *world) RowsOnce(pta.Chain) bool                           { return false }
func (w *world) FromMaker(model.Thread, pta.Site, *model.Object) (pta.Chain, bool) {
	return pta.Chain{}, false
}
func (w *world) FromMakers(model.Thread, pta.Site, *model.Object) (pta.Chain, bool) {
	return pta.Chain{}, false
}
func (w *world) FromCallers(c pta.Chain) []pta.Chain                         { return []pta.Chain{c} }
func (w *world) FuncOrigin(pta.Chain) (pta.Chain, int, bool)                 { return pta.Chain{}, 0, false }
func (w *world) HeldOnce(pta.Site, pta.Run, pta.Run) bool                    { return false }
func (w *world) SentOnce(pta.Site, int32, *model.Object) bool                { return false }
func (w *world) StoredOnce(pta.Site, *model.Object) bool                     { return false }
func (w *world) StoredAgain(pta.Site, *model.Object) bool                    { return false }
func (w *world) RoundLoop() int                                              { return 0 }
func (w *world) LoopIndex() int                                              { return 0 }
func (w *world) InRounds(ssair.Instr) bool                                   { return true }
func (w *world) StartsInRound(ssair.Instr) bool                              { return false }
func (w *world) Element(*model.Access) bool                                  { return true }
func (w *world) AllOrigins(*model.Access, *model.Object) ([]pta.Chain, bool) { return nil, false }
func (w *world) OwnersApart(*model.Race, func(pta.Owner, []pta.Chain, []pta.Chain) bool) bool {
	return false
}
func (w *world) Writers(pta.Site) ([]pta.Site, bool)                  { return nil, false }
func (w *world) Changes(pta.Site) (c pta.Changes, ok bool)            { return c, false }
func (w *world) Written(pta.Site) bool                                { return true }
func (w *world) Kept(_, _ pta.Site, _ ssair.Instr) bool               { return false }
func (w *world) Fed(pta.Site) (pta.Feed, bool)                        { return pta.Feed{}, false }
func (w *world) Filled(pta.Site) ([]pta.Site, bool)                   { return nil, false }
func (w *world) Born(pta.Site, index.Birth) bool                      { return false }
func (w *world) Callees(pta.InstID, ssair.Instr) []pta.InstID         { return nil }
func (w *world) FuncName(pta.InstID) string                           { return "" }
func (w *world) Beyond(*model.Access, *model.Object) (bool, bool)     { return false, false }
func (w *world) Argument(*model.Access) int                           { return -1 }
func (w *world) GivenApart(pta.InstID, index.Given, index.Given) bool { return false }
func (w *world) Makes(pta.Site) bool                                  { return false }
func (w *world) NoRoom(*model.Access, *model.Object) bool             { return false }

func (w *world) WrittenBeside(pta.Site, bool) bool { return false }
func (w *world) OtherStored(pta.Site) bool         { return true }
func (w *world) OtherBeside(pta.Site, bool) bool   { return false }

func (w *world) Grown(_, _ *model.Access, _ *model.Object) bool { return false }
func (w *world) WithinLen(*model.Access) bool                   { return false }
func (w *world) Injective(string) bool                          { return false }
func (w *world) Rising(string) bool                             { return false }
func (w *world) Indices(string) int                             { return -1 }

// race makes a race between two instructions of the iterations.
func race(a, b int32) *model.Race {
	return &model.Race{
		Loop: &model.Loop{}, Object: &model.Object{}, Field: "[*]", Confidence: model.Definite,
		A: &model.Access{Thread: model.Alpha, Kind: model.Write, Inst: 1, Instr: a},
		B: &model.Access{Thread: model.Beta, Kind: model.Write, Inst: 2, Instr: b},
	}
}

// TestBudget pins S19: after maxProofs questions about a loop, pairs that would
// need another one stay, at the lowest confidence, and are counted; pairs that
// were asked about before are answered as before.
func TestBudget(t *testing.T) {
	const more = 7
	rs := new(model.RaceSet)
	for i := range int32(maxProofs + more) {
		rs.Races = append(rs.Races, race(i, i))
	}
	for i := range int32(maxProofs) {
		rs.Races = append(rs.Races, race(i, i)) // of another object
	}
	left, undecided := New(new(world), nil).Filter(rs)
	if left.Len() != rs.Len() {
		t.Errorf("%d of %d races are left: what is not decided must stay", left.Len(), rs.Len())
	}
	if undecided != more {
		t.Errorf("%d undecided, want %d", undecided, more)
	}
	for i, r := range left.Races {
		beyond := i >= maxProofs && i < maxProofs+more
		if budget := slices.Contains(r.Assumes, "budget"); budget != beyond || beyond != (r.Confidence == model.Assumed) {
			t.Fatalf("race %d: %v, assumes %q", i, r.Confidence, r.Assumes)
		}
	}
}

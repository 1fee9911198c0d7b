package locks

import (
	"testing"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// unsure knows no object of which there is one.
type unsure struct{ World }

func (unsure) Object(pta.Loc) pta.ObjectInfo {
	return pta.ObjectInfo{Object: &model.Object{Many: true}, Many: true}
}

// What an unlock may release of the locks that are held, by what both operands may
// point to. Code that is called with nil only has locks that are nowhere.
func TestRelease(t *testing.T) {
	locs := func(ls ...pta.Loc) []pta.Loc { return ls }
	p, q := flow.Path{Root: "p0", Sels: ".mu"}, flow.Path{Root: "p1", Sels: ".mu"}
	for _, test := range []struct {
		name      string
		held, rel Held
		kept      bool
	}{
		{"one name", Held{Write: true, Path: p}, Held{Write: true, Path: p}, false},
		{"may be one", Held{Write: true, Path: p, Locs: locs(1, 2)}, Held{Write: true, Path: q, Locs: locs(2, 3)}, false},
		{"cannot be one", Held{Write: true, Path: p, Locs: locs(1)}, Held{Write: true, Path: q, Locs: locs(2)}, true},
		{"other mode", Held{Write: true, Path: p, Locs: locs(1)}, Held{Path: q, Locs: locs(1)}, true},
		{"held nowhere", Held{Write: true, Path: p}, Held{Write: true, Path: q, Locs: locs(2)}, true},
		{"released nowhere", Held{Write: true, Path: p, Locs: locs(1)}, Held{Write: true, Path: q}, true},
		{"both nowhere", Held{Write: true, Path: p}, Held{Write: true, Path: q}, false},
	} {
		a := &Analysis{w: unsure{}}
		out, _ := a.release(&state{held: []Held{test.held, {Write: true, Path: flow.Path{Root: "p9"}, Locs: locs(9)}}}, test.rel)
		if kept := len(out.held) == 2; kept != test.kept {
			t.Errorf("%s: kept %v, want %v", test.name, kept, test.kept)
		}
	}
}

// codes is a world in which instances 1 and 2 are contexts of one function.
type codes struct {
	unsure
	f flow.Func
}

func (c *codes) Flow(pta.InstID) *flow.Func { return &c.f }

// What one line acquires in two contexts is one lock to who is called with it, as
// long as none of the pointers is set anew by which either has found it: a meet
// with another context is a change.
func TestMeetContexts(t *testing.T) {
	a := &Analysis{w: &codes{}}
	in := func(i pta.InstID) *state {
		s := pta.Site{Inst: i, At: 7}
		return &state{held: []Held{{Write: true, Acq: s, Through: []pta.Site{{Inst: i, At: 5}}}}}
	}
	one, two := in(1), in(2)
	both := a.meet(one, two)
	if len(both.held) != 1 || len(both.held[0].Through) != 2 || both.held[0].mixed {
		t.Fatalf("held: %+v, want one lock found by two loads", both.held)
	}
	if a.equal(one, both) {
		t.Error("what the second context loads would be forgotten")
	}
	if again := a.meet(both, two); !a.equal(both, again) {
		t.Error("no end of changes")
	}
}

func (unsure) Spawns() []pta.Site { return []pta.Site{{Inst: 0, At: 0}} }

func (unsure) Apart(i, j pta.InstID) bool { return false }

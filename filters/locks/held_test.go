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
	return pta.ObjectInfo{Object: &model.Object{Many: true}}
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

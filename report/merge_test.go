package report

import (
	"testing"

	"github.com/iterace/iterace/model"
)

// TestMerge: what an iteration allocates and another reaches is two objects to
// the analysis, one for each side, and one to the reader.
func TestMerge(t *testing.T) {
	loop := &model.Loop{Kind: "go", Pos: model.Pos{File: "f.go", Line: 1}}
	pos := model.Pos{File: "f.go", Line: 3}
	set := func(thread model.Thread, field string, line int, c model.Confidence) *model.Report {
		o := &model.Object{Kind: "new", Type: "T", Pos: pos, Thread: thread}
		p := model.Pos{File: "f.go", Line: line}
		a := &model.Access{Thread: model.Alpha, Kind: model.Write, Pos: p}
		b := &model.Access{Thread: model.Beta, Kind: model.Write, Pos: p}
		return &model.Report{Loop: loop, Object: o, Field: field,
			Races: []*model.Race{{Loop: loop, Object: o, Field: field, A: a, B: b, Confidence: c}}}
	}
	in := []*model.Report{
		set(model.Alpha, ".x", 5, model.Likely),
		set(model.Main, ".x", 5, model.Likely), // allocated before the loop: another object
		set(model.Beta, ".x", 5, model.Definite),
		set(model.Beta, ".x", 6, model.Likely),
		set(model.Beta, ".y", 5, model.Likely),
	}
	out := Merge(in)
	if len(out) != 3 {
		t.Fatalf("%d race sets, want 3", len(out))
	}
	if n := len(out[0].Races); n != 2 {
		t.Errorf("%d pairs, want 2: lines 5 and 6", n)
	}
	if c := out[0].Races[0].Confidence; c != model.Definite {
		t.Errorf("the pair kept is %v", c)
	}
	if len(in[0].Races) != 1 {
		t.Error("Merge changed its argument")
	}
}

// TestMergeObjects: accesses that may touch any of several objects are one
// race set, which names them all.
func TestMergeObjects(t *testing.T) {
	loop := &model.Loop{Kind: "go", Pos: model.Pos{File: "f.go", Line: 1}}
	set := func(alloc, line int) *model.Report {
		o := &model.Object{Kind: "new", Type: "T", Pos: model.Pos{File: "f.go", Line: alloc}}
		a := &model.Access{Thread: model.Alpha, Kind: model.Write, Pos: model.Pos{File: "f.go", Line: line}}
		b := &model.Access{Thread: model.Beta, Kind: model.Write, Pos: model.Pos{File: "f.go", Line: line}}
		return &model.Report{Loop: loop, Object: o, Races: []*model.Race{{Loop: loop, Object: o, A: a, B: b}}}
	}
	out := Merge([]*model.Report{set(2, 7), set(3, 7), set(4, 8)})
	if len(out) != 2 {
		t.Fatalf("%d race sets, want 2", len(out))
	}
	if n := len(Objects(out[0])); n != 2 {
		t.Errorf("%d objects, want 2", n)
	}
	if s := toJSON(out[0]); len(s.Pairs) != 1 || len(s.Also) != 1 {
		t.Errorf("JSON has %d pairs and %d other objects, want 1 and 1", len(s.Pairs), len(s.Also))
	}
	if n := len(Objects(out[1])); n != 1 {
		t.Errorf("%d objects at the other access, want 1", n)
	}
}

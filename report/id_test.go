package report

import (
	"slices"
	"testing"

	"github.com/iterace/iterace/model"
)

func ids(d *Document) []string {
	var list []string
	for _, r := range d.Reports {
		list = append(list, r.ID)
	}
	return list
}

// TestIDUnderLineShift: code that moves keeps its IDs.
func TestIDUnderLineShift(t *testing.T) {
	d := fixture()
	want := ids(d)
	moved := make(map[*model.Pos]bool)
	shift := func(p *model.Pos) {
		if !moved[p] {
			moved[p] = true
			p.Line += 100
			p.Col++
		}
	}
	for _, r := range d.Reports {
		shift(&r.Loop.Pos)
		shift(&r.Loop.Spawn)
		shift(&r.Object.Pos)
		for _, x := range r.Races {
			shift(&x.A.Pos)
			shift(&x.B.Pos)
		}
	}
	AssignIDs([]string{d.Module}, d.Reports)
	if got := ids(d); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestIDUnique: race sets that agree in all that has a name get ordinals in
// the order of the source, whatever order they are given in.
func TestIDUnique(t *testing.T) {
	loop := &model.Loop{Kind: "go", Form: "for", Func: "m.f", Pos: model.Pos{File: "f.go", Line: 1}}
	twin := func(line int) *model.Report {
		p := model.Pos{File: "f.go", Line: line}
		a := &model.Access{Kind: model.Write, Pos: p, Func: "m.f$1"}
		o := &model.Object{Kind: "new", Type: "m.T", Pos: p}
		return &model.Report{Loop: loop, Object: o, Races: []*model.Race{{Loop: loop, Object: o, A: a, B: a}}}
	}
	one, two := twin(3), twin(5)
	AssignIDs([]string{"m"}, []*model.Report{two, one})
	if two.ID != one.ID+"-2" {
		t.Errorf("IDs %q and %q", one.ID, two.ID)
	}
}

// TestIDDistinguishes: each thing that names a race set counts.
func TestIDDistinguishes(t *testing.T) {
	base := func() *model.Report {
		loop := &model.Loop{Kind: "go", Form: "for", Func: "m.f"}
		o := &model.Object{Kind: "var", Type: "int", Name: "n"}
		a := &model.Access{Kind: model.Write, Func: "m.f$1"}
		return &model.Report{Loop: loop, Object: o, Field: ".x", Races: []*model.Race{{A: a, B: a}}}
	}
	seen := make(map[string]string)
	for _, tt := range []struct {
		what   string
		change func(*model.Report)
	}{
		{"nothing", func(*model.Report) {}},
		{"loop function", func(r *model.Report) { r.Loop.Func = "m.g" }},
		{"loop kind", func(r *model.Report) { r.Loop.Kind = "wg.Go" }},
		{"loop form", func(r *model.Report) { r.Loop.Form = "range slice" }},
		{"object name", func(r *model.Report) { r.Object.Name = "m" }},
		{"object type", func(r *model.Report) { r.Object.Type = "int8" }},
		{"object kind", func(r *model.Report) { r.Object.Kind = "global" }},
		{"field", func(r *model.Report) { r.Field = ".y" }},
		{"unnamed", func(r *model.Report) { r.Object.Name = "" }},
		{"unnamed, other writer", func(r *model.Report) { r.Object.Name, r.Races[0].A.Func = "", "m.h" }},
	} {
		r := base()
		tt.change(r)
		AssignIDs([]string{"m"}, []*model.Report{r})
		if other, ok := seen[r.ID]; ok {
			t.Errorf("%s: same ID as %s", tt.what, other)
		}
		seen[r.ID] = tt.what
	}
}

// TestIDOfSecondLoop: what races in one loop of a function does not count for
// the ID of what races in another, so that mending it leaves the other's ID;
// where both have a race on the same thing, the second has an ordinal.
func TestIDOfSecondLoop(t *testing.T) {
	named := func(line int, name string) *model.Report {
		loop := &model.Loop{Kind: "go", Form: "for", Func: "m.f", Pos: model.Pos{File: "f.go", Line: line}}
		a := &model.Access{Kind: model.Write}
		return &model.Report{Loop: loop, Object: &model.Object{Name: name}, Races: []*model.Race{{A: a, B: a}}}
	}
	report := func(line int) *model.Report { return named(line, "n") }
	first, second, same := report(1), named(9, "sum"), report(12)
	AssignIDs([]string{"m"}, []*model.Report{first, second, same})
	alone := named(9, "sum")
	AssignIDs([]string{"m"}, []*model.Report{alone})
	if second.ID != alone.ID || first.ID == second.ID || same.ID != first.ID+"-2" {
		t.Errorf("IDs %q, %q, %q; the second alone %q", first.ID, second.ID, same.ID, alone.ID)
	}
	// A fork of the module keeps its IDs.
	fork := report(1)
	fork.Loop.Func = "example.com/fork.f"
	orig := report(1)
	orig.Loop.Func = "example.com/orig.f"
	AssignIDs([]string{"example.com/fork"}, []*model.Report{fork})
	AssignIDs([]string{"example.com/orig"}, []*model.Report{orig})
	if fork.ID != orig.ID {
		t.Errorf("fork %s, original %s", fork.ID, orig.ID)
	}
}

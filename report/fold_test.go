package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// reached returns a race set of a loop that starts at a line, with races between
// the lines given in pairs.
func reached(line int, c model.Confidence, id string, lines ...int) *model.Report {
	at := func(n int) model.Pos { return model.Pos{File: "f.go", Line: n, Col: 1} }
	loop := &model.Loop{Kind: "go", Form: "for", Pos: at(line), Spawn: at(line), Func: "m.f"}
	o := &model.Object{Kind: "var", Type: "int", Name: "n"}
	r := &model.Report{ID: id, Loop: loop, Object: o}
	for i := 0; i < len(lines); i += 2 {
		r.Races = append(r.Races, &model.Race{
			Loop: loop, Object: o, Confidence: c,
			A: &model.Access{Thread: model.Alpha, Kind: model.Write, Pos: at(lines[i]), Func: "m.g"},
			B: &model.Access{Thread: model.Beta, Kind: model.Read, Pos: at(lines[i+1]), Func: "m.g"},
		})
	}
	return r
}

// TestFold: race sets that have a pair of places in common are shown once, the surest of them
// in full, and nothing of the others is lost.
func TestFold(t *testing.T) {
	d := &Document{Reports: []*model.Report{
		reached(1, model.Likely, "aa", 100, 101),
		reached(2, model.Likely, "bb", 200, 201),
		reached(3, model.Definite, "cc", 100, 101, 100, 102),
		reached(4, model.Likely, "dd", 100, 102, 100, 103),
		reached(5, model.Likely, "ee", 100, 104), // in none of the others
	}}
	var out bytes.Buffer
	if err := Text(&out, d); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"definite; id cc; -why=1 tells more\n    also    for at f.go:1:1 in m.f: likely; id aa; -why=2\n" +
			"            for at f.go:4:1 in m.f: likely; id dd; -why=4; read f.go:103:1\n",
		"likely; id bb; -why=3 tells more\n\n",
		"likely; id ee; -why=5 tells more\n\n",
		"5 race sets (1 definite, 4 likely), 3 of them in full\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Index(text, "id bb;") > strings.Index(text, "id ee;") {
		t.Error("groups of one confidence are not in order")
	}
	out.Reset()
	if err := JSON(&out, d); err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Reports {
		if !strings.Contains(out.String(), `"id": "`+r.ID+`"`) {
			t.Errorf("%s is not in the JSON", r.ID)
		}
	}
}

// TestFoldObject: a race set that is not shown in full names its object, or field, if that is another one.
func TestFoldObject(t *testing.T) {
	one, two, three := reached(1, model.Likely, "aa", 100, 101), reached(2, model.Likely, "bb", 100, 101), reached(1, model.Likely, "cc", 100, 101)
	two.Object = &model.Object{Kind: "var", Type: "int", Name: "m"}
	three.Field = ".x"
	var out bytes.Buffer
	if err := Text(&out, &Document{Reports: []*model.Report{one, two, three}}); err != nil {
		t.Fatal(err)
	}
	if want := "on n.x: likely; id cc; -why=3\n    also    for at f.go:2:1 in m.f: likely; id bb; -why=2; on m\n"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}

// TestFoldWhole: an instruction that touches a whole struct is one mistake, however many fields others touch
// one by one; of another object, or in another loop, it is another one.
func TestFoldWhole(t *testing.T) {
	whole, one, other, elsewhere := reached(1, model.Likely, "aa", 100, 101), reached(1, model.Likely, "bb", 100, 102),
		reached(1, model.Likely, "cc", 100, 103), reached(2, model.Likely, "dd", 100, 104)
	one.Field = ".x"
	other.Object = &model.Object{Kind: "var", Type: "int", Name: "m"}
	var out bytes.Buffer
	if err := Text(&out, &Document{Reports: []*model.Report{whole, one, other, elsewhere}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"    also    on n.x: likely; id bb; -why=2\n        read  f.go:102:1\n", "4 race sets (likely), 3 of them in full\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestFoldFields: what the same two functions do to several fields of an object in a loop is one mistake; what
// other functions do, or these to another object, or in another loop, is another one.
func TestFoldFields(t *testing.T) {
	field := func(id string, loop int, name, field, fn string, line int) *model.Report {
		r := reached(loop, model.Likely, id, line, line)
		r.Object = &model.Object{Kind: "new", Type: "m.T", Name: name, Pos: model.Pos{File: "f.go", Line: 9, Col: 1}}
		r.Field = field
		r.Races[0].A.Func = fn
		return r
	}
	d := &Document{Reports: []*model.Report{
		field("aa", 1, "s", ".x", "m.g", 100),
		field("bb", 1, "s", ".y", "m.g", 101),
		field("cc", 1, "s", ".z", "m.h", 102),
		field("dd", 1, "t", ".y", "m.g", 103),
		field("ee", 2, "s", ".y", "m.g", 104),
	}}
	var out bytes.Buffer
	if err := Text(&out, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"    also    on s.y: likely; id bb; -why=2\n        r+w   f.go:101:1\n\n", "5 race sets (likely), 4 of them in full\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestFoldLines: two lines that race with each other in a loop are one mistake, whatever they touch.
func TestFoldLines(t *testing.T) {
	list, elements, elsewhere := reached(1, model.Likely, "aa", 100, 100), reached(1, model.Likely, "bb", 100, 100), reached(2, model.Likely, "cc", 100, 100)
	for _, r := range []*model.Report{elements, elsewhere} {
		r.Object = &model.Object{Kind: "append", Type: "[]int", Name: "n", Pos: model.Pos{File: "f.go", Line: 100, Col: 7}}
		r.Field = "[*]"
		r.Races[0].A.Pos.Col, r.Races[0].B.Pos.Col = 7, 7
	}
	elsewhere.Object = &model.Object{Kind: "append", Type: "[]int", Name: "k", Pos: model.Pos{File: "f.go", Line: 99, Col: 7}}
	elsewhere.Races[0].A.Pos.Col = 9
	var out bytes.Buffer
	if err := Text(&out, &Document{Reports: []*model.Report{list, elements, elsewhere}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"    also    on n[*]: likely; id bb; -why=2\n        r+w   f.go:100:7\n", "3 race sets (likely), 2 of them in full\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestFoldMany: a line each for a few of the race sets that are folded, and how many more.
func TestFoldMany(t *testing.T) {
	d := &Document{}
	for i := range maxFolded + 4 {
		d.Reports = append(d.Reports, reached(i+1, model.Likely, "x", 100, 101))
	}
	var out bytes.Buffer
	if err := Text(&out, d); err != nil {
		t.Fatal(err)
	}
	if want := "… and in 3 more race sets (-json lists all)"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}

// TestOneSpawn: goroutines of one go statement that the analysis tells apart are one to the reader.
func TestOneSpawn(t *testing.T) {
	r := reached(1, model.Likely, "aa", 100, 101)
	for range 2 {
		other := &model.Loop{Kind: "go", Single: true, Spawn: model.Pos{File: "f.go", Line: 50, Col: 1}, Func: "m.h"}
		x := *r.Races[0]
		x.Other = other
		r.Races = append(r.Races, &x)
	}
	r.Races = r.Races[1:]
	var out bytes.Buffer
	if err := Text(&out, &Document{Reports: []*model.Report{r}}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "started by go at f.go:50:1"); n != 1 {
		t.Errorf("the spawn stands there %d times:\n%s", n, out.String())
	}
	if n := strings.Count(out.String(), "the goroutine started at"); n != 2 { // headline and party
		t.Errorf("the goroutine stands there %d times:\n%s", n, out.String())
	}
}

package analyzer

import (
	"strings"
	"testing"

	"github.com/iterace/iterace/internal/expect"
	"github.com/iterace/iterace/model"
)

// TestCheck checks the judge of the programs on made-up races: each kind of
// difference between a comment and what is reported must be found.
func TestCheck(t *testing.T) {
	race := func(name, field string, c model.Confidence) *model.Race {
		return &model.Race{Object: &model.Object{Name: name, Kind: "var"}, Field: field, Confidence: c, A: &model.Access{}, B: &model.Access{}}
	}
	x := race("shared", ".x", model.Definite)
	likely := race("shared", ".x", model.Likely)
	y := race("shared", ".y", model.Definite)
	assumed := race("shared", ".x", model.Assumed)
	for _, tt := range []struct {
		verdict expect.Verdict
		target  string
		races   []*model.Race
		call    bool
		want    string // part of the only complaint; "" for none
	}{
		{expect.MustRace, "shared.x", []*model.Race{x}, false, ""},
		{expect.MustRace, "shared.x", []*model.Race{likely}, false, ""},
		{expect.MustRace, "shared.x", []*model.Race{x}, true, ""},
		{expect.MustRace, "shared.x", nil, false, "not reported"},
		{expect.MustRace, "shared.x", []*model.Race{assumed}, false, "not reported"},
		{expect.MustRace, "shared.x", []*model.Race{x, y}, false, "another object"},
		// A call leads to more than its line's targets.
		{expect.MustRace, "shared.x", []*model.Race{x, y}, true, ""},
		{expect.MustRace, "other.x", []*model.Race{assumed}, false, "not reported"},
		{expect.Race, "shared.x", []*model.Race{x}, false, ""},
		{expect.Race, "shared.x", nil, false, "not reported"},
		{expect.NoRace, "", nil, false, ""},
		{expect.NoRace, "", []*model.Race{assumed}, false, ""},
		{expect.NoRace, "", []*model.Race{likely}, false, "norace: var shared.x"},
		{expect.NoRace, "", []*model.Race{x}, true, "norace: var shared.x"},
		{expect.Missed, "shared.x", nil, false, ""},
		{expect.Missed, "shared.x", []*model.Race{x}, false, "missed: var shared.x"},
		{expect.Assumed, "shared.x", []*model.Race{assumed}, false, ""},
		{expect.Assumed, "shared.x", nil, false, "not reported"},
	} {
		want := &expect.Comment{Verdict: tt.verdict}
		if name, field, ok := strings.Cut(tt.target, "."); ok {
			want.Targets = []expect.Target{{Name: name, Field: "." + field}}
		}
		var ts []touch
		for _, r := range tt.races {
			ts = append(ts, touch{r, r.A, tt.call})
		}
		got := check(want, ts)
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s %s, %d races: complains: %v", tt.verdict, tt.target, len(ts), got)
		case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
			t.Errorf("%s %s, %d races: got %q, want one complaint with %q", tt.verdict, tt.target, len(ts), got, tt.want)
		}
	}
}

// TestComplaints checks that races are charged to the right case, on made-up
// races in a made-up file.
func TestComplaints(t *testing.T) {
	const src = `package p

func T1_quiet() {
	for {
		work()
	}
}

func T2_racy() {
	x = 1 // race! x
	y = 1
}

func helper() {
	z = 1
}
`
	f, err := expect.ParseFile("/root/testdata/p/p.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	access := func(line int, path ...int) *model.Access {
		a := &model.Access{Pos: model.Pos{File: "testdata/p/p.go", Line: line}}
		for _, l := range path {
			a.Path = append(a.Path, model.Frame{Call: model.Pos{File: "testdata/p/p.go", Line: l}})
		}
		return a
	}
	race := func(name string, a *model.Access) *model.Race {
		return &model.Race{Object: &model.Object{Name: name, Kind: "var"}, A: a, B: a, Confidence: model.Definite}
	}
	for _, tt := range []struct {
		what string
		race *model.Race
		want string // case that is complained of; "" for none
	}{
		{"labelled", race("x", access(10)), ""},
		{"unlabelled in the function", race("y", access(11)), "T2_racy"},
		{"unlabelled in a helper", race("z", access(15)), "T2_racy"},
		{"unlabelled in a helper, from the other case", race("z", access(15, 5)), "T1_quiet"},
		{"labelled line, from a case without races", race("x", access(10, 5)), "T1_quiet"},
		{"outside", race("w", &model.Access{Pos: model.Pos{File: "/std/fmt.go", Line: 3}}), "nil"},
	} {
		p := &programs{root: "/root", files: []*expect.File{f}, races: []*model.Race{race("x", access(10)), tt.race}}
		got := ""
		for c := range p.complaints() {
			if c == nil {
				got = "nil"
			} else {
				got += c.Name
			}
		}
		if got != tt.want {
			t.Errorf("%s: complains of %q, want %q: %v", tt.what, got, tt.want, p.complaints())
		}
	}
}

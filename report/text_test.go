package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// many returns a document with one race set: n places of an iteration, each
// of which races with itself in another, and with no other place.
func many(n int) *Document {
	loop := &model.Loop{Kind: "go", Form: "for", Pos: model.Pos{File: "f.go", Line: 1, Col: 1}, Func: "m.f"}
	o := &model.Object{Kind: "var", Type: "int", Name: "n"}
	r := &model.Report{Loop: loop, Object: o}
	for i := range n {
		p := model.Pos{File: "f.go", Line: 2 + i, Col: 1}
		r.Races = append(r.Races, &model.Race{
			Loop: loop, Object: o, Confidence: model.Likely,
			A: &model.Access{Thread: model.Alpha, Kind: model.Write, Pos: p, Func: "m.f$1"},
			B: &model.Access{Thread: model.Beta, Kind: model.Write, Pos: p, Func: "m.f$1"},
		})
	}
	return &Document{Reports: []*model.Report{r}}
}

// TestTextMany: the short report of a large race set stays short, and says
// what it leaves out; -why and the machine formats leave out nothing.
func TestTextMany(t *testing.T) {
	d := many(25)
	var out bytes.Buffer
	if err := Text(&out, d); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if n := strings.Count(text, "\n"); n > 20 {
		t.Errorf("%d lines", n)
	}
	if want := fmt.Sprintf("… and %d more places", 25-maxRows); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	// The places race with themselves only, and the text says that.
	if want := "pairs   1-1, 2-2, 3-3,"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	out.Reset()
	if err := Why(&out, d, "1"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "pair 25 of 25") {
		t.Error("-why leaves out pairs")
	}
}

// TestTextAllPairs: where each access races with each, no pairs are listed,
// whether the pairs are given in one orientation or in both.
func TestTextAllPairs(t *testing.T) {
	for _, both := range []bool{false, true} {
		d := many(2)
		r := d.Reports[0]
		x, y := *r.Races[0], *r.Races[0]
		x.B = r.Races[1].B // line 2 in alpha, line 3 in beta
		y.A = r.Races[1].A // and the other way round
		r.Races = append(r.Races, &x)
		if both {
			r.Races = append(r.Races, &y)
		}
		var out bytes.Buffer
		if err := Text(&out, d); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "pairs") {
			t.Errorf("both=%v: pairs are listed\n%s", both, &out)
		}
		if !strings.Contains(out.String(), "one iteration, and any other") {
			t.Errorf("both=%v: the sides are listed twice\n%s", both, &out)
		}
	}
}

// TestColor: without Color there is no escape sequence, with it the position
// is marked.
func TestColor(t *testing.T) {
	d := many(1)
	for _, color := range []bool{false, true} {
		d.Color = color
		var out bytes.Buffer
		if err := Text(&out, d); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "\x1b[") != color {
			t.Errorf("color %v: %q", color, &out)
		}
	}
}

// TestWhyOfSurest checks that a set gives the reasons of the pairs that make it as sure as it is.
func TestWhyOfSurest(t *testing.T) {
	r := &model.Report{Races: []*model.Race{
		{A: &model.Access{}, B: &model.Access{}, Confidence: model.Likely, Why: []model.Reason{{About: model.AboutOrder, Text: "something may order the accesses"}}},
		{A: &model.Access{}, B: &model.Access{}, Confidence: model.Definite, Why: []model.Reason{{Text: "no lock is held"}}},
	}}
	if got, want := texts(why(r)), []string{"no lock is held"}; !slices.Equal(got, want) {
		t.Errorf("why = %q, want %q", got, want)
	}
}

// TestWhyOfOthers checks that what is said of some pairs does not seem to contradict what is said of others.
func TestWhyOfOthers(t *testing.T) {
	race := func(about model.About, text string) *model.Race {
		x := &model.Race{A: &model.Access{}, B: &model.Access{}}
		x.Because(about, text)
		return x
	}
	r := &model.Report{Races: []*model.Race{
		race(model.AboutLocks, "no lock is held at either access"), race(model.AboutOrder, "nothing orders them"), race(model.AboutLocks, "s.mu is held at one access only"),
		race(model.AboutLocks, "t.mu is held at one access only"), race(model.AboutLocks, "u.mu is held at one access only"), race(model.AboutOrder, "nothing orders them"),
	}}
	want := []string{
		"no lock is held at either access", "(of other pairs: s.mu is held at one access only; t.mu is held at one access only; 1 more)", "nothing orders them",
	}
	if got := whyShort(r); !slices.Equal(got, want) {
		t.Errorf("whyShort = %q, want %q", got, want)
	}
	// What one pair has is said of it.
	r.Races[0].Because(model.AboutLocks, "nor before")
	want = slices.Insert(want, 1, "nor before")
	if got := whyShort(r); !slices.Equal(got, want) {
		t.Errorf("with two reasons of a pair: whyShort = %q, want %q", got, want)
	}
}

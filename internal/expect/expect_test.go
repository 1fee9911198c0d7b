package expect

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseMain(t *testing.T) {
	f, err := ParseFile("main.go", []byte("package main\n\n// main is all (case H8).\nfunc main() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) != 1 || f.Cases[0].ID != "H8" || f.Cases[0].Name != "main" {
		t.Errorf("got %v, want the case H8", f.Cases)
	}
}

const program = `package p

type shared struct{ x int } // a shared type

// race! is no expectation in a comment of its own.
func helper(s *shared) {
	s.x = 1 // race! s.x
}

func T4_idea(s *shared) {
	s.x = 1 // race! s.x ps[*].y
	s.x = 2 // race s.x; not really
	// norace
	s.x = 3 // norace
}

func after(s *shared) {
	s.x = 4 // assumed s.x
}

func FP_S5b_other() {
	var s shared
	s.x = 5 // norace (without threadsafe: race s.x) (without twothreads: race _.x)
	s.x = 6 // not a verdict, only a remark
}
`

func TestParseFile(t *testing.T) {
	f, err := ParseFile("heap/p.go", []byte(program))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, c := range f.Cases {
		fmt.Fprintf(&got, "case %s%s %s %d-%d-%d params %d\n", c.Limit, c.ID, c.Name, c.Start, c.End, c.Last, c.Params)
	}
	for _, l := range f.Lines() {
		c := f.Comments[l]
		fmt.Fprintf(&got, "%d %s %v %q", l, c.Verdict, c.Targets, c.Reason)
		for _, st := range []string{"threadsafe", "twothreads"} {
			if w := c.Without[st]; w != nil {
				fmt.Fprintf(&got, " -%s: %s %v", st, w.Verdict, w.Targets)
			}
		}
		got.WriteByte('\n')
	}
	want := `case T4 T4_idea 10-15-20 params 1
case FPS5b FP_S5b_other 21-25-25 params 0
7 race! [s.x] ""
11 race! [s.x ps[*].y] ""
12 race [s.x] "not really"
14 norace [] ""
18 assumed [s.x] ""
23 norace [] "" -threadsafe: race [s.x] -twothreads: race [_.x]
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	for _, name := range []string{"FP_disjoint", "FN_S9_x", "T104_x"} {
		if !caseName.MatchString(name) {
			t.Errorf("%s is no case name", name)
		}
	}
	for _, name := range []string{"Drive", "FPx", "newT4_x", "T_x"} {
		if caseName.MatchString(name) {
			t.Errorf("%s is a case name", name)
		}
	}
	if c := f.CaseAt(18); c != nil {
		t.Errorf("line 18 is in no case function, got %s", c.Name)
	}
	if c := f.SectionAt(18); c == nil || c.ID != "T4" {
		t.Errorf("line 18 is in the section of T4, got %v", c)
	}
	if c := f.SectionAt(7); c != nil {
		t.Errorf("line 7 is above all cases, got %s", c.Name)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ comment, want string }{
		{"race? x.n", `unknown verdict "race?"`},
		{"race!", "race! needs a target"},
		{"norace x.n", "norace takes no targets"},
		{"race x.n", "race needs a reason"},
		{"missed x.n", "missed needs a reason"},
		{"race x.", `bad target "x."`},
		{"norace (without locks: maybe)", "no verdict in"},
	} {
		_, err := parseComment(tt.comment, false)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got error %v, want %q", tt.comment, err, tt.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		target, name, field string
		want                bool
	}{
		{"shared.x", "shared", ".x", true},
		{"shared.x", "shared", ".y", false},
		{"shared.x", "other", ".x", false},

		// The report has no name for the object.
		{"shared.x", "", ".x", true},
		{"shared.x", "", ".y", false},
		{"shared.x", "", "", false},
		{"s.c.x", "", ".x", true},

		// The name is a parameter's path.
		{"s.c.x", "s.c", ".x", true},
		{"s.c.x", "s", ".c.x", true},

		// Paths match at components only.
		{"s.max", "", ".x", false},

		{"_.x", "shared", ".x", true},
		{"_[*]", "ps", "[*]", true},
		{"_.y", "ps", "[*].y", true},
		{"_", "ps", "[*]", true},

		// A name alone is the object.
		{"sum", "sum", "", true},
		{"sum", "other", "", false},
		{"buf", "buf", ".lastRead", true},
	} {
		target, err := parseTarget(tt.target)
		if err != nil {
			t.Fatal(err)
		}
		if got := target.Matches(tt.name, tt.field); got != tt.want {
			t.Errorf("%s matches %q %q: got %v, want %v", tt.target, tt.name, tt.field, got, tt.want)
		}
	}
}

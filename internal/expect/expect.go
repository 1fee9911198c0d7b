// Package expect reads what test programs expect of the analysis. A program is
// a top-level function, the case; the expectations are comments at the ends of
// its lines:
//
//	x.n = 1 // race! x.n       must be reported here: it does happen
//	x.n = 1 // race x.n; why   is reported here today, though it cannot happen
//	x.n = 1 // norace          must not be reported here
//	x.n = 1 // assumed x.n     reported here with confidence "assumed" only
//	x.n = 1 // missed x.n; why does happen, but is not reported today
//
// After the verdict stand targets, an object's name with a field path each: the
// line is expected to take part in a race on every one of them. "_" stands for
// an object without a name of its own. What follows a semicolon is the reason.
// A clause in parentheses says what holds while one stage is switched off:
//
//	x.n = 1 // norace (without threadsafe: race x.n)
package expect

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// A Verdict is what is expected at a line.
type Verdict string

const (
	MustRace Verdict = "race!"
	Race     Verdict = "race"
	NoRace   Verdict = "norace"
	Assumed  Verdict = "assumed"
	Missed   Verdict = "missed"
)

// A Target is an object and field: "shared.x" is {"shared", ".x"}.
type Target struct{ Name, Field string }

func (t Target) String() string { return t.Name + t.Field }

// Matches reports whether a race on the field of an object called name is the
// one that t asks for. Reports whose object has no name are compared by field
// only; so are targets called "_". A target that is a name alone stands for
// all fields of the object.
func (t Target) Matches(name, field string) bool {
	anyName := t.Name == "_" || name == ""
	if t.Field == "" {
		return anyName || name == t.Name
	}
	if name+field == t.String() {
		return true
	}
	return anyName && sameEnd(t.Field, field)
}

// sameEnd reports whether one field path ends with the other, at a component.
// A path in the source is longer than the report's where it names the way to
// the object ("s.c.x" for field .x), shorter where the report counts from the
// object that embeds the field.
func sameEnd(a, b string) bool {
	return b != "" && (strings.HasSuffix(a, b) || strings.HasSuffix(b, a))
}

// A Comment is the expectation at one line.
type Comment struct {
	Line    int
	Verdict Verdict
	Targets []Target
	Reason  string
	// Without maps the name of a stage to what is expected when it is off.
	Without map[string]*Comment
}

// Reported reports whether the line may take part in a report.
func (c *Comment) Reported() bool { return c.Verdict == MustRace || c.Verdict == Race }

// A Case is one test program.
type Case struct {
	ID    string // "T4", "S5b"; "" for a known limit that restates no case
	Limit string // "FP", "FN", or ""
	Name  string // of the function
	File  string
	Start int // first line of the function
	End   int // last line of it
	// Last is the last line of the section: of the declarations that follow
	// the function, up to the next case.
	Last   int
	Params int
}

// A File is one source file of test programs.
type File struct {
	Name     string
	Package  string
	Cases    []*Case          // in source order
	Comments map[int]*Comment // by line
}

// caseName is the form of a case's name: FP for a false positive or FN for a
// false negative, the number of the case, what it is about. It has a number, or
// one of FP and FN, or both. Tests and benchmarks can be cases, too.
var caseName = regexp.MustCompile(`^(?:Test|Benchmark)?(?:(FP|FN)_(?:([A-Z]{1,2}[0-9]+[a-z]*)_)?|([A-Z]{1,2}[0-9]+[a-z]*)_)[A-Za-z0-9]`)

// caseDoc stands in the comment of a main function that is a case.
var caseDoc = regexp.MustCompile(`\(case ([A-Z]{1,2}[0-9]+[a-z]*)\)`)

// ParseFile reads the cases and expectations of one file.
func ParseFile(filename string, src []byte) (*File, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filename, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := &File{Name: filename, Package: f.Name.Name, Comments: map[int]*Comment{}}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil {
			continue
		}
		m := caseName.FindStringSubmatch(fn.Name.Name)
		if fn.Name.Name == "main" {
			if d := caseDoc.FindStringSubmatch(fn.Doc.Text()); d != nil {
				m = []string{"", "", d[1], ""}
			}
		}
		if m == nil {
			continue
		}
		if n := len(out.Cases); n > 0 {
			out.Cases[n-1].Last = line(fn.Pos()) - 1
		}
		out.Cases = append(out.Cases, &Case{
			ID: m[2] + m[3], Limit: m[1], Name: fn.Name.Name, File: filename,
			Start: line(fn.Pos()), End: line(fn.End()), Last: line(f.End()),
			Params: fn.Type.Params.NumFields(),
		})
	}
	code := codeLines(fset, f)
	for _, g := range f.Comments {
		for _, c := range g.List {
			// A sentence may begin with the word, but not behind code.
			if !code[line(c.Pos())] {
				continue
			}
			want, err := parseComment(strings.TrimPrefix(c.Text, "//"), false)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", fset.Position(c.Pos()), err)
			}
			if want != nil {
				want.Line = line(c.Pos())
				out.Comments[want.Line] = want
			}
		}
	}
	return out, nil
}

// codeLines returns the lines on which something other than a comment stands.
func codeLines(fset *token.FileSet, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.File:
			return true
		}
		lines[fset.Position(n.Pos()).Line] = true
		lines[fset.Position(n.End()).Line] = true
		return true
	})
	return lines
}

var withoutClause = regexp.MustCompile(`\(without ([a-z]+): ([^()]*)\)`)

// parseComment reads one comment without its slashes, or one clause of it (sub);
// it returns nil if it is no expectation.
func parseComment(text string, sub bool) (*Comment, error) {
	text = strings.TrimSpace(text)
	var out Comment
	for _, m := range withoutClause.FindAllStringSubmatch(text, -1) {
		w, err := parseComment(m[2], true)
		if err != nil {
			return nil, err
		}
		if w == nil {
			return nil, fmt.Errorf("no verdict in %q", m[0])
		}
		if out.Without == nil {
			out.Without = map[string]*Comment{}
		}
		out.Without[m[1]] = w
	}
	text = withoutClause.ReplaceAllString(text, "")
	head, reason, _ := strings.Cut(text, ";")
	words := strings.Fields(head)
	if len(words) == 0 {
		return nil, nil
	}
	switch v := Verdict(words[0]); v {
	case MustRace, Race, NoRace, Assumed, Missed:
		out.Verdict = v
	default:
		if strings.HasPrefix(words[0], "race") || strings.HasPrefix(words[0], "norace") {
			return nil, fmt.Errorf("unknown verdict %q", words[0])
		}
		return nil, nil
	}
	out.Reason = strings.TrimSpace(reason)
	for _, w := range words[1:] {
		t, err := parseTarget(w)
		if err != nil {
			return nil, err
		}
		out.Targets = append(out.Targets, t)
	}
	switch {
	case out.Verdict == NoRace && len(out.Targets) > 0:
		return nil, fmt.Errorf("norace takes no targets: %q", head)
	case out.Verdict != NoRace && len(out.Targets) == 0:
		return nil, fmt.Errorf("%s needs a target", out.Verdict)
	case (out.Verdict == Race || out.Verdict == Missed) && out.Reason == "" && !sub:
		return nil, fmt.Errorf("%s needs a reason", out.Verdict)
	}
	return &out, nil
}

var targetForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*|\[\*\])*)$`)

func parseTarget(w string) (Target, error) {
	m := targetForm.FindStringSubmatch(w)
	if m == nil {
		return Target{}, fmt.Errorf("bad target %q: want name.field or name[*]", w)
	}
	return Target{Name: m[1], Field: m[2]}, nil
}

// Lines returns the lines with comments, ascending.
func (f *File) Lines() []int {
	lines := make([]int, 0, len(f.Comments))
	for l := range f.Comments {
		lines = append(lines, l)
	}
	sort.Ints(lines)
	return lines
}

// CaseAt returns the case whose function contains the line, or nil.
func (f *File) CaseAt(line int) *Case {
	for _, c := range f.Cases {
		if c.Start <= line && line <= c.End {
			return c
		}
	}
	return nil
}

// SectionAt returns the case whose section contains the line: the case itself
// and what is declared after it. It is nil above the file's first case.
func (f *File) SectionAt(line int) *Case {
	for _, c := range f.Cases {
		if c.Start <= line && line <= c.Last {
			return c
		}
	}
	return nil
}

// Base returns the file's directory and name, "heap/context.go".
func (f *File) Base() string {
	return filepath.Join(filepath.Base(filepath.Dir(f.Name)), filepath.Base(f.Name))
}

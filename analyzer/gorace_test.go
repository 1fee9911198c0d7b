package analyzer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/model"
)

// goRaceTests are what iterace has wrong of the tests of Go's race detector, by the
// function, and why. Nothing else may differ from what a function's name says.
var goRaceTests = map[string]string{
	"TestRaceChanAsyncCloseSend":  closeSend,
	"TestRaceChanSendClose":       closeSend,
	"TestRaceChanSendSelectClose": closeSend,
	"TestRaceChanCloseSend":       closeSend,
	"TestRaceMutexOverwrite":      "what Lock does to the mutex is no access",
	"TestRaceWaitGroupWrongAdd":   "what Add and Wait do to the group is no access",
	"TestRaceWaitGroupReuse":      "what Add and Wait do to the group is no access",
	"TestNoRaceCleanup":           "that a cleanup runs after the last use of its object is not known",
	"TestNoRaceIOFile":            "what a pipe orders is not known",
	"TestNoRaceIOHttp":            "what a connection orders is not known",
	"TestNoRaceTinyAlloc":         "that a condition is never true, so that nothing is written, is not known",
	"TestRaceRangeFuncIterator":   "Go skips it",
	"TestRaceReflectRW":           reflection,
	"TestRaceReflectWW":           reflection,
	"TestRaceReflectCopyWW":       reflection,
}

const (
	closeSend  = "a close and a send are no accesses"
	reflection = "what is written by reflection is not known (S17)"
)

// TestGoRaceTests analyses the tests of Go's own race detector, which are part of every
// Go installation: a function called TestRace… has a race, and one called TestNoRace… has
// none.
func TestGoRaceTests(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src/runtime/race/testdata/*_test.go"))
	if err != nil || len(names) == 0 {
		t.Skip("this Go has no tests of the race detector", err)
	}
	files := map[string]string{"go.mod": "module m\n\ngo 1.26\n"}
	fset := token.NewFileSet()
	var cases []goRaceTest
	for _, name := range names {
		switch base := filepath.Base(name); base {
		case "cgo_test.go", "synctest_test.go": // run a C compiler; imports what is internal
		default:
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files[base] = string(src)
			file, err := parser.ParseFile(fset, base, src, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, goRaceTestsOf(fset, file)...)
		}
	}
	res, err := Run(&Config{Dir: writeFiles(t, files), Tests: true, BuildFlags: []string{"-tags=race"}, Sure: true})
	if err != nil {
		t.Fatal(err)
	}
	races := res.Final(nil)
	for _, c := range cases {
		found := slices.ContainsFunc(races, c.has)
		switch reason := goRaceTests[c.name]; {
		case found == c.racy && reason != "":
			t.Errorf("%s: is right, so that it needs no reason: %s", c.name, reason)
		case found != c.racy && reason == "":
			t.Errorf("%s (%s:%d): a race is reported: %t, want %t", c.name, c.file, c.first, found, c.racy)
		}
	}
}

// A goRaceTest is a test function of Go's race detector.
type goRaceTest struct {
	name        string
	racy        bool
	file        string
	first, last int // lines
}

func goRaceTestsOf(fset *token.FileSet, file *ast.File) (cases []goRaceTest) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		pos := fset.Position(fn.Pos())
		racy := strings.HasPrefix(fn.Name.Name, "TestRace")
		if !racy && !strings.HasPrefix(fn.Name.Name, "TestNoRace") {
			continue
		}
		c := goRaceTest{fn.Name.Name, racy, pos.Filename, pos.Line, fset.Position(fn.End()).Line}
		if helper := onlyCall(fn, file); helper != nil {
			c.first, c.last = fset.Position(helper.Pos()).Line, fset.Position(helper.End()).Line
		}
		cases = append(cases, c)
	}
	return cases
}

// onlyCall is the function of the same file that fn calls, if it does nothing else.
func onlyCall(fn *ast.FuncDecl, file *ast.File) *ast.FuncDecl {
	if len(fn.Body.List) != 1 {
		return nil
	}
	stmt, ok := fn.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := stmt.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	name, ok := call.Fun.(*ast.Ident)
	if !ok {
		return nil
	}
	for _, d := range file.Decls {
		if helper, ok := d.(*ast.FuncDecl); ok && helper.Recv == nil && helper.Name.Name == name.Name {
			return helper
		}
	}
	return nil
}

// has tells whether a race is in the test: an access, or the start of its goroutines.
func (c goRaceTest) has(r *model.Report) bool {
	return r.Confidence() > model.Assumed && (c.at(r.Loop.Pos) || slices.ContainsFunc(r.Races, func(r *model.Race) bool { return c.at(r.A.Pos) || c.at(r.B.Pos) }))
}

func (c goRaceTest) at(pos model.Pos) bool {
	return filepath.Base(pos.File) == c.file && c.first <= pos.Line && pos.Line <= c.last
}

package fix_test

import (
	"flag"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the fixed programs into testdata")

// TestFixes applies the first fix of each race set to programs, and compares
// each with its archive's fixed.go. The fixed programs are analysed again and
// have no races. An archive without fixed.go has races that nothing fixes.
func TestFixes(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	// One module, a package for each program: loading is what takes time.
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	programs := make(map[string]*program)
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p := &program{archive: name, txtar: ar, file: strings.TrimSuffix(filepath.Base(name), ".txtar") + "/m.go"}
		for _, f := range ar.Files {
			switch f.Name {
			case "m.go":
				p.text = string(f.Data)
			case "fixed.go":
				p.want = string(f.Data)
			}
		}
		write(t, dir, p.file, p.text)
		programs[p.file] = p
	}
	res := analyse(t, dir)
	for _, r := range res.shown {
		programs[r.Loop.Pos.File].collect(res, r)
	}
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		p := programs[name]
		if p.races == 0 {
			t.Errorf("%s: no races", p.archive)
		}
		got := p.fixed(t)
		if *update {
			p.update(t, got)
		} else if got != p.want {
			t.Errorf("%s: fixed program:\n%s\nwant:\n%s", p.archive, got, p.want)
		}
		if got == "" {
			os.RemoveAll(filepath.Join(dir, filepath.Dir(p.file)))
			continue
		}
		write(t, dir, p.file, got)
	}
	for _, r := range analyse(t, dir).shown {
		t.Errorf("the fixed program has a race on %s in the loop at %s", r.Object.Name, r.Loop.Pos)
	}
}

type result struct {
	*analyzer.Result
	shown []*model.Report
}

func analyse(t *testing.T, dir string) result {
	t.Helper()
	res, err := analyzer.Run(&analyzer.Config{Dir: dir, Patterns: []string{"./..."}, Sure: true, Fixes: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.Errors {
		t.Errorf("a program does not compile: %s: %s", e.Pos, e.Message)
	}
	shown, _ := report.Visible(res.Reports, false)
	return result{res, shown}
}

// A program is an archive's, with the edits that fix it.
type program struct {
	archive, file string
	txtar         *txtar.Archive
	text, want    string
	races         int
	edits         []edit
}

// An edit replaces a range of bytes.
type edit struct {
	from, to int
	text     string
}

// collect adds the first fix of a race set; several sets may have the same.
func (p *program) collect(res result, r *model.Report) {
	p.races++
	fixes, fset := res.Fixes(r)
	if len(fixes) == 0 {
		return
	}
	for _, e := range fixes[0].Edits {
		x := edit{fset.Position(e.Pos).Offset, fset.Position(e.End).Offset, e.New}
		if !slices.Contains(p.edits, x) {
			p.edits = append(p.edits, x)
		}
	}
}

// fixed returns the text with the edits applied, "" if there are none.
func (p *program) fixed(t *testing.T) string {
	t.Helper()
	if len(p.edits) == 0 {
		return ""
	}
	text := p.text
	// From the end, and of two at one place the first one last: so that it comes
	// first in the text, as go vet -fix has it.
	slices.Reverse(p.edits)
	slices.SortStableFunc(p.edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range p.edits {
		text = text[:e.from] + e.text + text[e.to:]
	}
	out, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.archive, err, text)
	}
	return string(out)
}

func (p *program) update(t *testing.T, fixed string) {
	t.Helper()
	p.txtar.Files = slices.DeleteFunc(p.txtar.Files, func(f txtar.File) bool { return f.Name == "fixed.go" })
	if fixed != "" {
		p.txtar.Files = append(p.txtar.Files, txtar.File{Name: "fixed.go", Data: []byte(fixed)})
	}
	if err := os.WriteFile(p.archive, txtar.Format(p.txtar), 0o666); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

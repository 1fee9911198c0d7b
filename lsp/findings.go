package lsp

import (
	"cmp"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/fix"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
)

// Findings are what one run found, in the terms of the protocol. They hold no
// syntax and no types: those of a large program would be kept for as long as
// the editor is open.
type findings struct {
	byFile map[string][]*finding
	races  int

	start time.Time              // of the run
	files map[string]*sourceFile // read so far
}

// A finding is a race set and what would mend it.
type finding struct {
	diagnostic diagnostic
	repairs    []repair
}

// A repair is a fix.
type repair struct {
	title string
	edits []fileEdits
}

type fileEdits struct {
	path  string
	src   *sourceFile // what was analysed, and is to be edited
	edits []textEdit
}

func newFindings(start time.Time) *findings {
	return &findings{byFile: make(map[string][]*finding), files: make(map[string]*sourceFile), start: start}
}

// file returns the text of a file; one that cannot be read is empty.
func (f *findings) file(path string) *sourceFile {
	if src, ok := f.files[path]; ok {
		return src
	}
	data, err := os.ReadFile(path)
	src := newSourceFile(string(data))
	if info, serr := os.Stat(path); err == nil && serr == nil {
		src.settled = info.ModTime().Before(f.start)
	}
	f.files[path] = src
	return src
}

// add takes over the races that an analysis found in a folder.
func (f *findings) add(res *analyzer.Result, folder string, all bool) {
	reports := res.Final(nil)
	shown, _ := report.Visible(reports, all)
	path := func(p model.Pos) string {
		if filepath.IsAbs(p.File) {
			return p.File
		}
		return filepath.Join(res.Root, filepath.FromSlash(p.File))
	}
	here := func(p model.Pos) bool {
		return !filepath.IsAbs(p.File) || strings.HasPrefix(p.File, folder+string(filepath.Separator))
	}
	for _, r := range shown {
		d, ok := report.Diagnose(r, here)
		if !ok {
			continue
		}
		x := &finding{diagnostic: diagnostic{
			Range:    f.at(path(d.Pos), d.Pos),
			Severity: severityWarning,
			Code:     r.ID,
			Source:   "iterace",
			Message:  d.Message,
		}}
		for _, p := range d.Related {
			x.diagnostic.Related = append(x.diagnostic.Related, relatedInfo{
				Location: location{uriOf(path(p.Pos)), f.at(path(p.Pos), p.Pos)},
				Message:  p.Message,
			})
		}
		fixes, fset := res.Fixes(r)
		for _, fx := range fixes {
			x.repairs = append(x.repairs, f.repair(fx, fset))
		}
		f.byFile[path(d.Pos)] = append(f.byFile[path(d.Pos)], x)
		f.races++
	}
	for _, list := range f.byFile {
		slices.SortStableFunc(list, func(a, b *finding) int {
			p, q := a.diagnostic.Range.Start, b.diagnostic.Range.Start
			return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Character, q.Character))
		})
	}
}

func (f *findings) at(path string, p model.Pos) textRange {
	src := f.file(path)
	return src.word(src.offset(p.Line, p.Col))
}

// repair converts a fix. Its places are those of the text, whatever line
// directives say.
func (f *findings) repair(fx fix.Fix, fset *token.FileSet) repair {
	r := repair{title: fx.Message}
	for _, e := range fx.Edits {
		from, to := fset.PositionFor(e.Pos, false), fset.PositionFor(e.End, false)
		path := from.Filename
		i := slices.IndexFunc(r.edits, func(x fileEdits) bool { return x.path == path })
		if i < 0 {
			i = len(r.edits)
			r.edits = append(r.edits, fileEdits{path: path, src: f.file(path)})
		}
		x := &r.edits[i]
		x.edits = append(x.edits, textEdit{x.src.textRange(from.Offset, to.Offset), e.New})
	}
	return r
}

// keep takes over what an earlier run found, for a run that did not see all of
// the code: the findings of files in which this one found nothing, unless it
// has the same race set elsewhere.
func (f *findings) keep(old *findings) {
	known := make(map[string]bool)
	for _, list := range f.byFile {
		for _, x := range list {
			known[x.diagnostic.Code] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(old.byFile)) {
		if len(f.byFile[path]) > 0 {
			continue
		}
		for _, x := range old.byFile[path] {
			if !known[x.diagnostic.Code] {
				f.byFile[path] = append(f.byFile[path], x)
				f.races++
			}
		}
	}
}

// publications returns what to publish, for the files that have findings now
// and those that had some before.
func (f *findings) publications(before *findings, related bool) []publishParams {
	names := make(map[string]bool)
	for path := range before.byFile {
		names[path] = true
	}
	for path := range f.byFile {
		names[path] = true
	}
	var out []publishParams
	for _, path := range slices.Sorted(maps.Keys(names)) {
		p := publishParams{URI: uriOf(path), Diagnostics: []diagnostic{}}
		for _, x := range f.byFile[path] {
			d := x.diagnostic
			if !related {
				d.Related = nil
			}
			p.Diagnostics = append(p.Diagnostics, d)
		}
		out = append(out, p)
	}
	return out
}

// actions returns the quick fixes for a part of a file, as far as current says
// that the texts they edit are those that were analysed.
func (f *findings) actions(path string, part textRange, current func(path string) (string, bool)) []codeAction {
	out := []codeAction{} // the client wants a list, not null
	for _, x := range f.byFile[path] {
		if !x.diagnostic.Range.touches(part) {
			continue
		}
		preferred := true // the first, which changes least
		for _, r := range x.repairs {
			if edit, ok := r.edit(current); ok {
				out = append(out, codeAction{
					Title: r.title, Kind: quickFix, Preferred: preferred,
					Diagnostics: []diagnostic{x.diagnostic}, Edit: edit,
				})
				preferred = false
			}
		}
	}
	return out
}

func (r repair) edit(current func(string) (string, bool)) (workspaceEdit, bool) {
	e := workspaceEdit{Changes: make(map[string][]textEdit)}
	for _, x := range r.edits {
		now, ok := current(x.path)
		if !ok || !x.src.settled || !sameText(now, x.src.text) {
			return workspaceEdit{}, false
		}
		e.Changes[uriOf(x.path)] = x.edits
	}
	return e, len(e.Changes) > 0
}

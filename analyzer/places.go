package analyzer

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/report"
	"golang.org/x/tools/go/analysis"
)

// places turns positions, which are text in the pipeline, into those of the
// driver's file set.
type places struct {
	fset  *token.FileSet
	root  string
	files map[string]*token.File // by name relative to root
	// In files with line directives, as cgo and parser generators write them,
	// text has positions of other files: those of the syntax, in order.
	mapped map[model.Pos][]segment // by file and line
}

// A segment is where a node of the syntax begins.
type segment struct {
	col int
	pos token.Pos
}

func newPlaces(fset *token.FileSet, root string, files []*ast.File) *places {
	p := &places{fset: fset, root: root, files: make(map[string]*token.File), mapped: make(map[model.Pos][]segment)}
	for _, f := range files {
		if directed(f) {
			p.follow(f)
		} else {
			file := fset.File(f.FileStart)
			p.files[relativeTo(root, file.Name())] = file
		}
	}
	return p
}

// directed reports whether a file has line directives.
func directed(f *ast.File) bool {
	return slices.ContainsFunc(f.Comments, func(g *ast.CommentGroup) bool {
		return slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
			return strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ")
		})
	})
}

// follow learns what the directives of a file say.
func (p *places) follow(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || !n.Pos().IsValid() {
			return n != nil
		}
		x := p.fset.Position(n.Pos())
		key := model.Pos{File: relativeTo(p.root, x.Filename), Line: x.Line}
		p.mapped[key] = append(p.mapped[key], segment{x.Column, n.Pos()})
		return true
	})
}

// here reports whether a place may be reported at: it lies in the package.
func (p *places) here(x model.Pos) bool { return p.pos(x).IsValid() }

// pos returns the position of a place in the package, or NoPos.
func (p *places) pos(x model.Pos) token.Pos {
	f := p.files[x.File]
	if f == nil {
		return p.directive(x)
	}
	if x.Line < 1 || x.Line > f.LineCount() {
		return token.NoPos
	}
	pos := f.LineStart(x.Line)
	if x.Col > 1 && f.Offset(pos)+x.Col-1 <= f.Size() {
		pos += token.Pos(x.Col - 1)
	}
	return pos
}

// directive returns a position that the driver will show as the place, or as one
// near it in the line: the directives may tell no columns, and places need not
// begin nodes.
func (p *places) directive(x model.Pos) token.Pos {
	var best segment
	for _, s := range p.mapped[model.Pos{File: x.File, Line: x.Line}] {
		if !best.pos.IsValid() || s.col <= x.Col && (s.col > best.col || best.col > x.Col) {
			best = s
		}
	}
	return best.pos
}

// ownPos is pos, but for files of which the text is what the user wrote.
func (p *places) ownPos(x model.Pos) token.Pos {
	if p.files[x.File] == nil {
		return token.NoPos
	}
	return p.pos(x)
}

func (p *places) diagnostic(d report.Diagnostic) analysis.Diagnostic {
	out := analysis.Diagnostic{Pos: p.pos(d.Pos), Message: d.Message}
	for _, r := range d.Related {
		// The file set has no lines of files of other packages.
		x := analysis.RelatedInformation{Pos: p.pos(r.Pos), Message: r.Message}
		if !x.Pos.IsValid() {
			x.Pos, x.Message = out.Pos, r.Message+", at "+r.Pos.String()
		}
		out.Related = append(out.Related, x)
	}
	return out
}

// suggested returns the fixes for a race set. Several sets may have the same
// one: drivers take equal edits for one, and each set is to offer it.
func suggested(res *Result, r *model.Report) []analysis.SuggestedFix {
	fixes, _ := res.Fixes(r)
	var out []analysis.SuggestedFix
	for _, f := range fixes {
		s := analysis.SuggestedFix{Message: f.Message}
		for _, e := range f.Edits {
			s.TextEdits = append(s.TextEdits, analysis.TextEdit{Pos: e.Pos, End: e.End, NewText: []byte(e.New)})
		}
		out = append(out, s)
	}
	return out
}

// notice reports a notice, at the package clause if it is about no place here.
func (p *places) notice(pass *analysis.Pass, n model.Notice) {
	d := analysis.Diagnostic{Pos: p.pos(n.Pos), Message: "notice: " + n.Message + " (" + n.Code + ")", Category: "notice"}
	if !d.Pos.IsValid() {
		d.Pos = pass.Files[0].Name.Pos()
		if n.Pos.IsValid() {
			d.Message = strings.Replace(d.Message, "notice: ", "notice: "+n.Pos.String()+": ", 1)
		}
	}
	pass.Report(d)
}

package analyzer

import (
	"go/token"

	"github.com/iterace/iterace/fix"
	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/packages"
)

// Fixes proposes edits that take a race set away, with the file set of their
// positions. There are none unless Config.Fixes was set.
func (r *Result) Fixes(rep *model.Report) ([]fix.Fix, *token.FileSet) {
	for _, pkg := range r.sources {
		src := &fix.Source{Fset: pkg.Fset, Files: pkg.Syntax, Info: pkg.TypesInfo, Find: func(p model.Pos) token.Pos {
			return findPos(pkg, r.relative, p)
		}}
		if list := fix.For(src, rep); len(list) > 0 {
			return list, pkg.Fset
		}
	}
	return nil, nil
}

// findPos returns the place of a report in the files of a package.
func findPos(pkg *packages.Package, relative func(string) string, p model.Pos) token.Pos {
	for _, f := range pkg.Syntax {
		file := pkg.Fset.File(f.FileStart)
		if relative(file.Name()) == p.File && p.Line > 0 && p.Line <= file.LineCount() {
			return file.LineStart(p.Line) + token.Pos(max(p.Col, 1)-1)
		}
	}
	return token.NoPos
}

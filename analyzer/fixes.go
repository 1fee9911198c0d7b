package analyzer

import (
	"go/token"

	"github.com/iterace/iterace/fix"
	"github.com/iterace/iterace/model"
)

// Fixes proposes edits that take a race set away, with the file set of their
// positions. There are none unless Config.Fixes was set.
func (r *Result) Fixes(rep *model.Report) ([]fix.Fix, *token.FileSet) {
	for _, pkg := range r.sources {
		places := newPlaces(pkg.Fset, r.Root, pkg.Syntax)
		src := &fix.Source{Fset: pkg.Fset, Files: pkg.Syntax, Info: pkg.TypesInfo, Find: places.ownPos}
		if list := fix.For(src, rep); len(list) > 0 {
			return list, pkg.Fset
		}
	}
	return nil, nil
}

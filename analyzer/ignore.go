package analyzer

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/iterace/iterace/model"
	"golang.org/x/tools/go/packages"
)

// This file finds //iterace:ignore comments, and the code that each is about.

const ignoreWord = "iterace:ignore"

// An ignoreComment is an //iterace:ignore comment with a reason.
type ignoreComment struct {
	pos    model.Pos
	reason string
	// The code it is about: lines from to to of its file. In a function that is
	// its body, else the line, or the declaration of variables, fields or types.
	from, to int
	inFunc   bool
	loopTo   int // last line of the loop that begins on the line, if one does
}

// covers reports whether the comment is about the place.
func (c *ignoreComment) covers(p model.Pos) bool {
	return p.File == c.pos.File && c.from <= p.Line && p.Line <= c.to
}

// spawns reports whether the comment is about the loop or goroutine. Those of a
// function that is to be ignored may run other functions.
func (c *ignoreComment) spawns(l *model.Loop) bool {
	inLoop := l.Spawn.File == c.pos.File && c.from <= l.Spawn.Line && l.Spawn.Line <= c.loopTo
	return !c.inFunc && (c.covers(l.Pos) || c.covers(l.Spawn) || inLoop)
}

// declares reports whether the comment is about what is declared at the place.
// That a function is to be ignored says nothing of the memory it allocates,
// which others may touch.
func (c *ignoreComment) declares(p model.Pos) bool { return !c.inFunc && c.covers(p) }

// ignoreComments finds the comments in the application, in order; the notices
// are about comments that have no effect.
func (p *program) ignoreComments() (list []*ignoreComment, notices []model.Notice) {
	seen := make(map[model.Pos]bool) // a test variant has the files of its package again
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		if !p.own[pkg.PkgPath] {
			return
		}
		for _, file := range pkg.Syntax {
			f := &commentFile{p, file}
			for _, group := range file.Comments {
				for _, c := range group.List {
					pos := p.pos(c.Pos())
					ic, complaint := f.read(group, c)
					if ic == nil && complaint == "" || seen[pos] {
						continue
					}
					seen[pos] = true
					if complaint != "" {
						notices = append(notices, model.Notice{Pos: pos, Code: "ignore", Message: complaint})
					} else {
						list = append(list, ic)
					}
				}
			}
		}
	})
	slices.SortFunc(list, func(a, b *ignoreComment) int { return a.pos.Compare(b.pos) })
	return list, notices
}

// generated returns the files of the application that say that they are
// generated, with the place of that comment. What is copied into one from a file
// that somebody wrote, with a line directive, is not generated.
func (p *program) generated() map[string]model.Pos {
	files := make(map[string]model.Pos)
	packages.Visit(p.initial, nil, func(pkg *packages.Package) {
		if !p.own[pkg.PkgPath] {
			return
		}
		for _, file := range pkg.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					// The rule of go help generate.
					if strings.HasPrefix(c.Text, "// Code generated ") && strings.HasSuffix(c.Text, " DO NOT EDIT.") && c.Pos() < file.Package {
						pos := p.pos(c.Pos())
						files[pos.File] = pos
					}
				}
			}
		}
	})
	return files
}

// A commentFile answers where the comments of a file stand.
type commentFile struct {
	*program
	file *ast.File
}

// read returns what an //iterace:ignore comment is about, or what is wrong with
// it; of any other comment, nothing.
func (f *commentFile) read(group *ast.CommentGroup, c *ast.Comment) (ic *ignoreComment, complaint string) {
	text, ok := strings.CutPrefix(c.Text, "//")
	words := strings.Fields(text)
	switch {
	case !ok || len(words) == 0 || words[0] != ignoreWord:
		return nil, ""
	case !strings.HasPrefix(text, ignoreWord):
		return nil, "write //" + ignoreWord + " without a space in front: this comment has no effect"
	case len(words) == 1:
		return nil, "//" + ignoreWord + " without a reason has no effect: say why this is no race, or one to live with"
	}
	ic = &ignoreComment{pos: f.pos(c.Pos()), reason: strings.Join(words[1:], " ")}
	f.extent(ic, group, c)
	return ic, ""
}

// extent finds the lines that a comment is about: its own, if code stands
// before it, else the one below its group; and if a declaration begins there,
// or has the comment in its documentation, all of that.
func (f *commentFile) extent(ic *ignoreComment, group *ast.CommentGroup, c *ast.Comment) {
	line := f.pos(c.Pos()).Line
	if !f.codeBefore(c) {
		line = f.pos(group.End()).Line + 1
	}
	ic.from, ic.to = line, line
	ast.Inspect(f.file, func(n ast.Node) bool {
		if n == nil {
			return true
		}
		var doc *ast.CommentGroup
		start := n.Pos()
		switch n := n.(type) {
		case *ast.FuncDecl:
			doc, start = n.Doc, n.Type.Func
		case *ast.GenDecl:
			doc, start = n.Doc, n.TokPos
			if n.Tok == token.IMPORT {
				return false
			}
		case *ast.ValueSpec:
			doc = n.Doc
			if len(n.Names) > 0 {
				start = n.Names[0].Pos()
			}
		case *ast.TypeSpec:
			doc, start = n.Doc, n.Name.Pos()
		case *ast.Field:
			doc = n.Doc
			if len(n.Names) > 0 {
				start = n.Names[0].Pos()
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if f.pos(start).Line == line {
				ic.loopTo = max(ic.loopTo, f.pos(n.End()).Line)
			}
			return true
		default:
			return true
		}
		if doc == group || f.pos(start).Line == line {
			_, inFunc := n.(*ast.FuncDecl)
			ic.from, ic.to, ic.inFunc = f.pos(start).Line, f.pos(n.End()).Line, inFunc
			return false // the outermost declaration
		}
		return true
	})
}

// codeBefore reports whether code stands on the comment's line before it.
func (f *commentFile) codeBefore(c *ast.Comment) bool {
	line, found := f.pos(c.Pos()).Line, false
	ast.Inspect(f.file, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		}
		if n.Pos() >= c.Pos() {
			return false
		}
		// The start or the end of some node is the last code before it.
		if f.pos(n.Pos()).Line == line || n.End() <= c.Pos() && f.pos(n.End()-1).Line == line {
			found = true
		}
		return !found
	})
	return found
}

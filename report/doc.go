// Package report prints what an analysis found: as text for people, as JSON
// and SARIF for machines. It computes nothing about races; it orders, selects
// and words what the earlier packages decided, and gives each race set the
// identity that survives line shifts.
//
// All printers take a Document and write the same bytes for the same document.
package report

import (
	"path/filepath"

	"github.com/iterace/iterace/model"
)

// A Document is what a printer prints: the outcome of one analysis.
type Document struct {
	Version string // of iterace
	Module  string // path of the analysed module
	Root    string // directory that file names are relative to; used to read source lines only
	Reports []*model.Report
	Notices []model.Notice
	Errors  []Error

	// All is set to show the races that rest on an assumption too.
	All bool
	// Unasked is set if some of those were not looked at to the end, so that no report tells of them.
	Unasked bool
	// FileName, if set, says how the text printer shows a file name: relative
	// to the user's directory. JSON and SARIF names stay relative to the root.
	FileName func(string) string
	// Color is set to use terminal colours in text.
	Color bool
}

// An Error is a problem with the analysed code that kept part of it out of
// the analysis.
type Error struct {
	Pos     model.Pos `json:"pos"`
	Package string    `json:"package,omitempty"`
	Message string    `json:"message"`
}

// shown returns the document's reports as they are to be printed, and the
// number of race sets that are left out because all their races rest on
// assumptions.
func (d *Document) shown() (reports []*model.Report, hidden int) {
	return Visible(d.Reports, d.All)
}

// suppressed returns the reports that would be shown if the user had not
// suppressed them.
func (d *Document) suppressed() []*model.Report { return Suppressed(d.Reports, d.All) }

// pos returns p as the text printer shows it.
func (d *Document) pos(p model.Pos) string {
	if d.FileName != nil && p.IsValid() {
		p.File = d.FileName(p.File)
	}
	return p.String()
}

// path returns where file, which is relative to the document's root or
// absolute, is on disk.
func (d *Document) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(d.Root, filepath.FromSlash(file))
}

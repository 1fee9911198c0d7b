package report

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/iterace/iterace/model"
)

// sources reads lines of the analysed files. A file that cannot be read has no
// lines: the report is then printed without excerpts.
type sources struct {
	path  func(string) string
	files map[string][][]byte
}

func newSources(d *Document) *sources {
	return &sources{path: d.path, files: make(map[string][][]byte)}
}

// line returns the source line of p, or nil.
func (s *sources) line(p model.Pos) []byte {
	lines, ok := s.files[p.File]
	if !ok {
		// The position may name a file that cgo or a generator made; any error
		// means no excerpt.
		if data, err := os.ReadFile(s.path(p.File)); err == nil {
			lines = bytes.Split(data, []byte("\n"))
		}
		s.files[p.File] = lines
	}
	if p.Line < 1 || p.Line > len(lines) {
		return nil
	}
	return lines[p.Line-1]
}

// maxExcerpt keeps an access on one line of a usual terminal.
const maxExcerpt = 60

// excerpt returns the source line of p without indentation and comment,
// shortened.
func (s *sources) excerpt(p model.Pos) string {
	text := strings.Join(strings.Fields(string(dropComment(s.line(p)))), " ")
	if !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
		return ""
	}
	if utf8.RuneCountInString(text) > maxExcerpt {
		text = string([]rune(text)[:maxExcerpt-1]) + "…"
	}
	return text
}

// dropComment cuts line at the comment that ends it. A line that continues a
// string or comment from above is scanned as if it did not, which may cut it
// elsewhere: an excerpt is an aid, the position counts.
func dropComment(line []byte) []byte {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(line))
	var s scanner.Scanner
	s.Init(file, line, nil, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return line
		case tok == token.COMMENT && strings.HasPrefix(lit, "//"):
			return line[:file.Offset(pos)]
		}
	}
}

// isControl reports whether r could make a terminal do something.
func isControl(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }

// utf16Column returns the column of p in UTF-16 code units, from 1, as SARIF
// wants it; model.Pos counts bytes.
func (s *sources) utf16Column(p model.Pos) int {
	line := s.line(p)
	if p.Col < 1 || p.Col-1 > len(line) {
		return p.Col
	}
	n := 1
	for _, r := range string(line[:p.Col-1]) {
		n += utf16.RuneLen(r)
	}
	return n
}

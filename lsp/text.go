package lsp

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sourceFile is the text of a file with what it takes to convert positions:
// ours count bytes, those of the protocol UTF-16 code units.
type sourceFile struct {
	text  string
	lines []int // offsets at which lines start
	// settled is set if the file was not written while it was analysed, so that
	// this text is what was analysed.
	settled bool
}

func newSourceFile(text string) *sourceFile {
	f := &sourceFile{text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// offset returns the offset of a line and column, both from 1, or of what is
// nearest: a file may have become shorter.
func (f *sourceFile) offset(line, col int) int {
	line = min(max(line, 1), len(f.lines))
	end := len(f.text)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	return min(f.lines[line-1]+max(col, 1)-1, end)
}

// position converts an offset.
func (f *sourceFile) position(offset int) position {
	offset = min(max(offset, 0), len(f.text))
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }) - 1
	return position{Line: line, Character: units(f.text[f.lines[line]:offset])}
}

// units returns the number of UTF-16 code units in s.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

func (f *sourceFile) textRange(from, to int) textRange {
	return textRange{f.position(from), f.position(to)}
}

// word returns the range to underline for what is reported at a place: an
// identifier, with the dot in front of it, or one character.
func (f *sourceFile) word(offset int) textRange {
	rest := f.text[offset:]
	n := 0
	if strings.HasPrefix(rest, ".") {
		n = 1
	}
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		n += size
	}
	if n == 0 && rest != "" && rest[0] != '\n' {
		_, n = utf8.DecodeRuneInString(rest)
	}
	return f.textRange(offset, offset+n)
}

// sameText compares texts as editors show them, which hide a byte order mark.
func sameText(a, b string) bool {
	const mark = "\ufeff"
	return strings.TrimPrefix(a, mark) == strings.TrimPrefix(b, mark)
}

// pathOf returns the file that a URI names.
func pathOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	if u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return "", fmt.Errorf("%s is no file here", uri)
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /c:/…
	}
	return filepath.Clean(filepath.FromSlash(path)), nil
}

// uriOf returns the URI of a file with an absolute name.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

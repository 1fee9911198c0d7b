package library

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A source is one TOML file: its decoded content, and the line of each table
// and key, which the decoder does not tell.
type source struct {
	name  string
	root  map[string]any
	lines map[string]int // by path: "package[0].func[2].name"
	errs  []problem
}

// A problem is an error at a line of a file.
type problem struct {
	file string
	line int
	msg  string
}

func (p problem) String() string {
	return at(p.file, p.line) + ": " + p.msg
}

// at names a place.
func at(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

func compareProblems(p, q problem) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.msg, q.msg))
}

// parse reads the TOML text. A file with a syntax error has one problem and
// no content.
func parse(name, text string) *source {
	s := &source{name: name}
	if _, err := toml.Decode(text, &s.root); err != nil {
		line := 1
		msg := err.Error()
		if pe, ok := err.(toml.ParseError); ok {
			line = max(1, pe.Position.Line) // a quoted key at the very start has line 0
			msg = pe.Message
		}
		s.errs = append(s.errs, problem{name, line, msg})
		s.root = nil
		return s
	}
	s.lines = scanLines(text)
	return s
}

func (s *source) errorf(path, format string, args ...any) {
	s.errs = append(s.errs, problem{s.name, s.line(path), fmt.Sprintf(format, args...)})
}

// problems returns what is wrong with the file, by line.
func (s *source) problems() []problem {
	slices.SortStableFunc(s.errs, compareProblems)
	return s.errs
}

// line returns the line of the table or key at path, or of the innermost one
// around it that the scanner saw (inline tables have no lines of their own).
func (s *source) line(path string) int {
	for {
		if n, ok := s.lines[path]; ok {
			return n
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return 1
		}
		path = path[:i]
	}
}

// scanLines finds the line of each table header and key of a text that is
// known to be valid TOML.
func scanLines(text string) map[string]int {
	sc := scanner{text: text, line: 1}
	lines := make(map[string]int)
	count := make(map[string]int) // tables seen so far of each array, by path
	table := ""
	for {
		sc.space(true)
		if sc.i >= len(text) {
			return lines
		}
		if text[sc.i] == '[' {
			array := strings.HasPrefix(text[sc.i:], "[[")
			line := sc.line
			sc.i++
			if array {
				sc.i++
			}
			keys := sc.key(']')
			for sc.i < len(text) && text[sc.i] == ']' {
				sc.i++
			}
			table = ""
			for k, key := range keys {
				table = join(table, key)
				if k == len(keys)-1 && array {
					count[table]++
				}
				if n := count[table]; n > 0 {
					table = fmt.Sprintf("%s[%d]", table, n-1)
				}
			}
			lines[table] = line
			continue
		}
		line := sc.line
		keys := sc.key('=')
		sc.i++
		path := table
		for _, key := range keys {
			path = join(path, key)
			if _, ok := lines[path]; !ok {
				lines[path] = line
			}
		}
		sc.value()
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// A scanner steps over TOML text, counting lines.
type scanner struct {
	text string
	i    int
	line int
}

// space skips blanks and, if all is set, line ends and comments.
func (s *scanner) space(all bool) {
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case c == ' ' || c == '\t' || c == '\r':
		case all && c == '\n':
			s.line++
		case all && c == '#':
			for s.i+1 < len(s.text) && s.text[s.i+1] != '\n' {
				s.i++
			}
		default:
			return
		}
		s.i++
	}
}

// key reads a possibly dotted and quoted key up to the byte end.
func (s *scanner) key(end byte) []string {
	var keys []string
	for s.i < len(s.text) && s.text[s.i] != end {
		s.space(false)
		switch c := s.text[s.i]; c {
		case '"', '\'':
			from := s.i
			s.quoted()
			keys = append(keys, strings.Trim(s.text[from:s.i], string(c)))
		case '.':
			s.i++
		default:
			from := s.i
			for s.i < len(s.text) && !strings.ContainsRune(". \t=]\n", rune(s.text[s.i])) {
				s.i++
			}
			if s.i == from {
				s.i++ // not TOML; never stand still
				continue
			}
			keys = append(keys, s.text[from:s.i])
		}
		s.space(false)
	}
	return keys
}

// quoted steps over a string of any of the four kinds.
func (s *scanner) quoted() {
	q := s.text[s.i : s.i+1]
	if three := q + q + q; strings.HasPrefix(s.text[s.i:], three) {
		q = three
	}
	s.i += len(q)
	for s.i < len(s.text) && !strings.HasPrefix(s.text[s.i:], q) {
		if s.text[s.i] == '\\' && q[0] == '"' {
			s.i++
		}
		if s.i < len(s.text) && s.text[s.i] == '\n' {
			s.line++
		}
		s.i++
	}
	s.i += len(q)
	// A multi-line string may end in up to two quotes of its own.
	for len(q) == 3 && s.i < len(s.text) && s.text[s.i] == q[0] {
		s.i++
	}
}

// value steps over a value: to the end of its line, or of its brackets.
func (s *scanner) value() {
	depth := 0
	for s.i < len(s.text) {
		switch s.text[s.i] {
		case '"', '\'':
			s.quoted()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#':
			for s.i < len(s.text) && s.text[s.i] != '\n' {
				s.i++
			}
			continue
		case '\n':
			if depth == 0 {
				return
			}
			s.line++
		}
		s.i++
	}
}

package library

import (
	"slices"
	"strings"
	"sync"
)

// The shipped files are read an entry at a time, when something of the name is asked
// for. All of them take 20 ms, and a [[package]] at a time, with all that the model says
// of fmt, sync and the like, 2 ms, which an analysis of the whole program would not
// notice; but go vet runs one process for each of hundreds of packages.

// A section is the text of one [[package]] table and those inside it.
type section struct {
	file  string
	line  int // of the [[package]]
	text  string
	paths []string // of the packages
	split bool     // what follows is set
	doc   string   // of the [[package]]
	parts []*part
	names map[string][]*part // by the names that they have entries for
}

// A part is the text of one table inside a [[package]].
type part struct {
	line int
	text string
	done bool
}

// pending is the part of a layer that is not decoded yet. Once it is all
// decoded the layer does not change any more.
type pending struct {
	mu       sync.Mutex
	sections []*section
	byPath   map[string][]*section
}

// add splits a file into its sections. It relies on the shipped files being
// nothing but [[package]] tables, headed by that word at the start of a line
// and by a path on the next ones; TestSections checks it.
func (p *pending) add(file, text string) {
	const header = "[[package]]\n"
	line := 1
	for text != "" {
		end := strings.Index(text[1:], "\n"+header)
		if end < 0 {
			end = len(text)
		} else {
			end += 2
		}
		if strings.HasPrefix(text, header) {
			s := &section{file: file, line: line, text: text[:end]}
			s.paths = sectionPaths(s.text)
			p.sections = append(p.sections, s)
			for _, path := range s.paths {
				p.byPath[path] = append(p.byPath[path], s)
			}
		}
		line += strings.Count(text[:end], "\n")
		text = text[end:]
	}
}

// sectionPaths returns the strings of the section's path.
func sectionPaths(text string) []string { return stringsOf(text, "path") }

// stringsOf returns the string, or the list of strings, that a key has in a table.
func stringsOf(text, key string) []string {
	_, rest, _ := strings.Cut(text, "\n"+key+" = ")
	end := "\n"
	if strings.HasPrefix(rest, "[") {
		end = "]"
	}
	rest, _, _ = strings.Cut(rest, end)
	var out []string
	for i, part := range strings.Split(rest, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

// open splits a section into its parts, and adds to the layer what it says of its
// packages as a whole, once.
func (l *layer) open(s *section) {
	if s.split {
		return
	}
	s.split = true
	const header = "\n[[package."
	head, rest := s.text, ""
	if i := strings.Index(s.text, header); i >= 0 {
		head, rest = s.text[:i+1], s.text[i+1:]
	}
	s.names = make(map[string][]*part)
	line := s.line + strings.Count(head, "\n")
	for rest != "" {
		p := &part{line: line, text: rest}
		if i := strings.Index(rest, header); i >= 0 {
			p.text = rest[:i+1]
		}
		rest = rest[len(p.text):]
		line += strings.Count(p.text, "\n")
		s.parts = append(s.parts, p)
		for _, name := range stringsOf(p.text, "name") {
			s.names[name] = append(s.names[name], p)
		}
	}
	src := parseAt(s.file, s.line, head)
	if src.root != nil {
		l.decode(src)
		for _, n := range (node{src, "", src.root}).tables("package") {
			s.doc, _ = n.val["doc"].(string)
		}
	}
	l.problems = append(l.problems, src.problems()...)
}

// decodePart adds the entries of a part to the layer, once.
func (l *layer) decodePart(s *section, p *part) {
	if p.done {
		return
	}
	p.done = true
	src := parseAt(s.file, p.line, p.text)
	if src.root != nil {
		val, _ := src.root["package"].(map[string]any)
		n := node{src, "package", val}
		for _, key := range n.keys() {
			switch key {
			case "func":
				for _, t := range n.tables(key) {
					l.decodeFunc(t, s.doc, s.paths)
				}
			case "type":
				for _, t := range n.tables(key) {
					l.decodeType(t, s.doc, s.paths)
				}
			default:
				n.errorf(key, "unknown key %q in [[package]]", key)
			}
		}
	}
	l.problems = append(l.problems, src.problems()...)
}

// parseAt reads a text that begins at a line of a file.
func parseAt(file string, line int, text string) *source {
	src := parse(file, text)
	for path := range src.lines {
		src.lines[path] += line - 1
	}
	return src
}

// decodeSection adds all entries of a section to the layer.
func (l *layer) decodeSection(s *section) {
	l.open(s)
	for _, p := range s.parts {
		l.decodePart(s, p)
	}
}

// need decodes what the layer says of a package, or a pattern, as a whole, and of
// what is so called in it, unless name is "".
func (l *layer) need(path, name string) {
	for _, s := range l.pending.byPath[path] {
		l.open(s)
		for _, p := range s.names[name] {
			l.decodePart(s, p)
		}
	}
}

// needAll decodes all sections.
func (l *layer) needAll() {
	defer l.lock()()
	if l.pending != nil {
		for _, s := range l.pending.sections {
			l.decodeSection(s)
		}
	}
}

// typesOf decodes what the sections of packages in view say of the implementers
// of interfaces, and returns the types that are decoded by now, these among them,
// in the order of their names. It goes through them while it has the lock, since a
// lookup of another goroutine may add to them.
func (l *layer) typesOf(inView func(path string) bool) []*Type {
	defer l.lock()()
	const implementers = "implementers"
	if l.pending != nil {
		for _, s := range l.pending.sections {
			if !strings.Contains(s.text, implementers) || !slices.ContainsFunc(s.paths, inView) {
				continue
			}
			l.open(s)
			for _, p := range s.parts {
				if strings.Contains(p.text, implementers) {
					l.decodePart(s, p)
				}
			}
		}
	}
	types := make([]*Type, 0, len(l.types))
	for _, name := range sortedKeys(l.types) {
		types = append(types, l.types[name])
	}
	return types
}

// lock makes a lookup in a layer that is not all decoded exclusive; the result
// undoes it.
func (l *layer) lock() func() {
	if l.pending == nil {
		return func() {}
	}
	l.pending.mu.Lock()
	return l.pending.mu.Unlock
}

// lookup is lock where something of that name is looked up. Its package may be all
// of it but for the last element, or but for the last two.
func (l *layer) lookup(name string) func() {
	unlock := l.lock()
	if l.pending != nil {
		for path := cut(name); path != ""; path = cut(path) {
			l.need(path, name[len(path)+1:])
		}
	}
	return unlock
}

// entry returns the layer's entry for the function or method of that name, or
// nil.
func (l *layer) entry(name string) *Func {
	defer l.lookup(name)()
	return l.funcs[name]
}

// typ returns the layer's entry for a type, or nil.
func (l *layer) typ(name string) *Type {
	defer l.lookup(name)()
	return l.types[name]
}

// pkg returns the layer's entry for all functions of a package or pattern.
func (l *layer) pkg(path string) *Package {
	defer l.lookupPackage(path)()
	return l.packages[path]
}

// describes reports whether the layer has a [[package]] with that path.
func (l *layer) describes(path string) bool {
	defer l.lookupPackage(path)()
	return l.known[path]
}

func (l *layer) lookupPackage(path string) func() {
	unlock := l.lock()
	if l.pending != nil {
		l.need(path, "")
	}
	return unlock
}

package library

import (
	"slices"
	"strings"
	"sync"
)

// The shipped files are read a [[package]] at a time, when something of the
// package is asked for: 2 ms against 20 ms for all of them, which an analysis of
// the whole program would not notice; but go vet runs one process for each of
// hundreds of packages.

// A section is the text of one [[package]] table and those inside it.
type section struct {
	file  string
	line  int // of the [[package]]
	text  string
	paths []string // of the packages
	done  bool
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
func sectionPaths(text string) []string {
	_, rest, _ := strings.Cut(text, "\npath = ")
	end := "\n"
	if strings.HasPrefix(rest, "[") {
		end = "]"
	}
	rest, _, _ = strings.Cut(rest, end)
	var paths []string
	for i, part := range strings.Split(rest, `"`) {
		if i%2 == 1 {
			paths = append(paths, part)
		}
	}
	return paths
}

// decodeSection adds the entries of a section to the layer, once.
func (l *layer) decodeSection(s *section) {
	if s.done {
		return
	}
	s.done = true
	src := parse(s.file, s.text)
	for path := range src.lines {
		src.lines[path] += s.line - 1
	}
	if src.root != nil {
		l.decode(src)
	}
	l.problems = append(l.problems, src.problems()...)
}

// need decodes what the layer has on the packages, or patterns.
func (l *layer) need(paths ...string) {
	for _, path := range paths {
		for _, s := range l.pending.byPath[path] {
			l.decodeSection(s)
		}
	}
}

// needAll decodes all sections.
func (l *layer) needAll() {
	defer l.lock()()
	l.decodeWhere(func(*section) bool { return true })
}

// typesOf decodes the sections of packages in view that say what the
// implementers of an interface do, and returns the types that are decoded by
// now, these among them, in the order of their names. It goes through them while
// it has the lock, since a lookup of another goroutine may add to them.
func (l *layer) typesOf(inView func(path string) bool) []*Type {
	defer l.lock()()
	l.decodeWhere(func(s *section) bool {
		return strings.Contains(s.text, "implementers") && slices.ContainsFunc(s.paths, inView)
	})
	types := make([]*Type, 0, len(l.types))
	for _, name := range sortedKeys(l.types) {
		types = append(types, l.types[name])
	}
	return types
}

func (l *layer) decodeWhere(wanted func(*section) bool) {
	if l.pending == nil {
		return
	}
	for _, s := range l.pending.sections {
		if wanted(s) {
			l.decodeSection(s)
		}
	}
}

// lock makes a lookup in a layer that is not all decoded exclusive; the result
// undoes it.
func (l *layer) lock(paths ...string) func() {
	if l.pending == nil {
		return func() {}
	}
	l.pending.mu.Lock()
	l.need(paths...)
	return l.pending.mu.Unlock
}

// entry returns the layer's entry for the function or method of that name, or
// nil.
func (l *layer) entry(name string) *Func {
	outer := cut(name)
	defer l.lock(outer, cut(outer))()
	return l.funcs[name]
}

// typ returns the layer's entry for a type, or nil.
func (l *layer) typ(name string) *Type {
	defer l.lock(cut(name))()
	return l.types[name]
}

// pkg returns the layer's entry for all functions of a package or pattern.
func (l *layer) pkg(path string) *Package {
	defer l.lock(path)()
	return l.packages[path]
}

// describes reports whether the layer has a [[package]] with that path.
func (l *layer) describes(path string) bool {
	defer l.lock(path)()
	return l.known[path]
}

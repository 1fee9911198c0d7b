package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/iterace/iterace/model"
)

// This file words what a report says: the shared thing, the loop, and who
// touches the thing when. A writer of positions is passed in, since text shows
// them relative to the user's directory and SARIF as links.

type posFunc func(model.Pos) string

// nearPos shortens positions in file to their line, for a sentence that
// already stands behind a position in it.
func nearPos(file string, pos posFunc) posFunc {
	return func(p model.Pos) string {
		if p.File == file && p.IsValid() {
			return fmt.Sprintf("line %d", p.Line)
		}
		return pos(p)
	}
}

// subject names the raced-on thing as the source does: "s.com", "counts[*]";
// or, if it has no name, by its type and allocation. Of what a library makes and touches itself the
// name, "m", tells nobody anything.
func subject(o *model.Object, field string, pos posFunc) string {
	if strings.HasPrefix(field, " ") && filepath.IsAbs(o.Pos.File) {
		return an(o) + field
	}
	if name := objectName(o); name != "" {
		if path, ok := strings.CutPrefix(field, "."); ok && strings.HasPrefix(name, "result of ") {
			return path + " of the " + name
		}
		return name + field
	}
	// Not every object has a type or a place in the source.
	what := an(o)
	note := ""
	if strings.HasPrefix(field, " ") { // no path, but words: " (inside library code)"
		note, field = field, ""
	}
	if field != "" {
		what = field + " of " + what
	}
	what += note
	if o.Pos.IsValid() {
		what += " (" + birth(o) + " at " + pos(o.Pos) + ")"
	}
	return what
}

// an names an object by its type, with the article.
func an(o *model.Object) string {
	what := cmp.Or(short(o.Type), o.Kind, "object")
	if strings.ContainsRune("aeioAEIO", rune(what[0])) {
		return "an " + what
	}
	return "a " + what
}

// objectName is the object's name in the source: "s.buf", "pkg.total"; of
// something reached through a value that has none, ".buf" is "buf".
func objectName(o *model.Object) string { return strings.TrimPrefix(short(o.Name), ".") }

// birth says how an object of o's kind comes into being.
func birth(o *model.Object) string {
	switch o.Kind {
	case "var", "global", "parameter":
		return "declared"
	case "make":
		return "made"
	case "append":
		return "grown by append"
	case "result":
		return "returned"
	case "closure":
		return "function literal"
	}
	return "allocated"
}

// describe says what o is, where it comes from, and how sure it is that there
// is only one.
func describe(o *model.Object, pos posFunc) string {
	var b strings.Builder
	switch o.Kind {
	case "var":
		b.WriteString("variable " + objectName(o))
	case "global":
		b.WriteString("package variable " + objectName(o))
	case "parameter":
		b.WriteString("what parameter " + objectName(o) + " refers to")
	default:
		b.WriteString(cmp.Or(objectName(o), an(o)))
	}
	if o.Type != "" && o.Name != "" {
		b.WriteString(" (" + short(o.Type) + ")")
	}
	if o.Pos.IsValid() {
		b.WriteString(", " + birth(o) + " at " + pos(o.Pos))
	}
	switch {
	case o.Thread != model.Main:
		b.WriteString(" by one iteration and reached by another")
	case o.Many && o.Home != "":
		b.WriteString("; one in each run of " + short(o.Home))
	case o.Many && o.Kind != "parameter":
		b.WriteString("; there may be several, of which the accesses may share one")
	}
	return b.String()
}

// loopName says which parallel loop, or which goroutine, l is.
func loopName(l *model.Loop, pos posFunc) string {
	switch {
	case l.Form == model.FormTest:
		return short(l.Func)
	case l.Form == model.FormClient:
		return "a client of " + short(l.Func)
	case l.Single:
		return "the goroutine started at " + pos(l.Pos)
	case l.Form == "operator":
		return "the calls that " + l.Kind + " makes at " + pos(l.Pos)
	}
	return "the loop at " + pos(l.Pos)
}

// describeLoop says what form the loop has and what starts its iterations.
func describeLoop(l *model.Loop, pos posFunc) string {
	var b strings.Builder
	switch {
	case l.Form == model.FormTest:
		return short(l.Func) + " at " + pos(l.Pos)
	case l.Form == model.FormClient:
		return "of " + short(l.Func) + " at " + pos(l.Pos) + ", with several goroutines"
	case l.Single:
		fmt.Fprintf(&b, "started by %s at %s", l.Kind, pos(l.Spawn))
	case l.Form == "operator":
		fmt.Fprintf(&b, "%s at %s", l.Kind, pos(l.Pos))
	default:
		fmt.Fprintf(&b, "%s at %s", l.Form, pos(l.Pos))
		switch {
		case l.Spawn == l.Pos:
		case l.Kind == "call": // of a function that has the go statement
			fmt.Fprintf(&b, ", iterations started by what it calls at %s", pos(l.Spawn))
		default:
			fmt.Fprintf(&b, ", iterations started by %s at %s", l.Kind, pos(l.Spawn))
		}
	}
	if l.Func != "" {
		b.WriteString(" in " + short(l.Func))
	}
	return b.String()
}

// runOf says what runs at the same time as others of a loop.
func runOf(l *model.Loop) string {
	if l.Form == model.FormClient {
		return "goroutine"
	}
	return "iteration"
}

// who names the run of code that makes an access.
func who(e end, pos posFunc) string {
	l := e.loop
	switch {
	case e.foreign && l.Single:
		return loopName(l, pos)
	case e.foreign:
		return "an iteration of " + loopName(l, pos)
	case e.Thread == model.Main && l.Single:
		return "the code that runs beside it"
	case e.Thread == model.Main:
		return "the code that runs beside the loop"
	case l.Form == model.FormClient && e.Thread == model.Alpha:
		return "one goroutine"
	case l.Form == model.FormClient && e.Thread == model.Beta:
		return "any other goroutine"
	case e.Thread == model.Beta && l.Single:
		return "another goroutine"
	case e.Thread == model.Beta:
		return "any other iteration"
	case l.Single:
		return loopName(l, pos)
	}
	return "one iteration"
}

// conflict words the pair that stands for a race set in one sentence, so that
// a tool that shows one line shows enough.
func conflict(w, other end, pos posFunc) string {
	l := w.loop // of the race set
	if w.foreign {
		l = other.loop
	}
	verb := ""
	if other.Kind == model.Read {
		verb = "read "
	}
	foreign := w.foreign || other.foreign
	if !foreign && !l.Single && w.Thread != model.Main && other.Thread != model.Main {
		run := runOf(l)
		if w.Pos == other.Pos && other.Kind == model.Write {
			return "two " + run + "s of " + loopName(l, pos) + " may write it at the same time"
		}
		return fmt.Sprintf("written by one %s of %s and %sby another%s", run, loopName(l, pos), verb, at(w, other, pos))
	}
	by := func(e end) string {
		if e.Thread == model.Alpha && !l.Single && !e.foreign {
			return "an iteration of " + loopName(l, pos)
		}
		return who(e, pos)
	}
	first, second := by(w), by(other)
	switch {
	case foreign || w.Thread != model.Main:
	case l.Single:
		first = "the code that runs beside " + loopName(l, pos)
		second = "that goroutine"
	default:
		first = "code that runs beside " + loopName(l, pos)
		second = "an iteration of it"
	}
	both := ""
	if l.Form == model.FormTest {
		both = ", both of which call t.Parallel"
	}
	return fmt.Sprintf("written by %s and %sby %s%s%s", first, verb, second, both, at(w, other, pos))
}

// at says where other is, unless it is where w is.
func at(w, other end, pos posFunc) string {
	if w.Pos == other.Pos {
		return ""
	}
	return ", at " + pos(other.Pos)
}

// short drops the directories of package paths from a qualified name:
// "(*example.com/m/sim.Sim).Step" is "(*sim.Sim).Step".
func short(s string) string {
	s = majorVersion.ReplaceAllString(s, ".")
	var b strings.Builder
	start := 0 // of the path element being read
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '/':
			start = i + 1
		case !isPathByte(c), c == '.' && start == i: // a variadic's dots are no path
			b.WriteString(s[start : i+1])
			start = i + 1
		}
	}
	b.WriteString(s[start:])
	return b.String()
}

// majorVersion matches the path element of a major version, which no package
// is named after: "example.com/m/v2.T" is "m.T".
var majorVersion = regexp.MustCompile(`/v[0-9]+\.`)

// isPathByte reports whether c may be part of an import path or identifier.
func isPathByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 ||
		strings.IndexByte("/.-_~+$@!=", c) >= 0
}

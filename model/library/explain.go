package library

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Facts returns what the entry says, one fact each, in words.
func (f *Func) Facts() []string {
	var out []string
	add := func(cond bool, fact string) {
		if cond {
			out = append(out, fact)
		}
	}
	add(f.Analyse, "its body is analysed")
	add(f.Entered, "its body is analysed, but for what it formats")
	add(f.SafeOnClosure, "neither it nor what it calls races; its body is not entered")
	add(f.ThreadSafe && !f.SafeOnClosure && f.Enters(), "does not race itself; what it calls may")
	add(f.ThreadSafe && !f.SafeOnClosure && !f.Enters(), "does not race itself; beyond that, it does only what follows")
	add(f.ReturnsSafe, "what it returns may be used from many goroutines")
	add(f.CirculatesUnsafe, "hands out objects that are not safe")
	if f.Op != OpNone {
		op := "is the operation " + string(f.Op)
		if f.Body >= 0 {
			op += " of " + argument(f.Body)
		}
		out = append(out, op)
		add(f.Join, "what it spawns can be joined on the receiver")
		add(f.Workers >= 0, "the limit of goroutines is "+argument(f.Workers))
		for _, u := range f.Unique {
			out = append(out, fmt.Sprintf("parameter %d differs from one concurrent call to the next", u))
		}
	}
	list := func(verb string, args []int) {
		for _, i := range args {
			out = append(out, verb+" "+argument(i))
		}
	}
	list("reads the memory of", f.Reads)
	list("writes the memory of", f.Writes)
	for _, i := range f.DeepReads {
		if !slices.Contains(f.Formats, i) {
			list("reads all that is reachable from", []int{i})
		}
	}
	list("writes all that is reachable from", f.DeepWrites)
	if f.Partly {
		out = append(out, "does more than that: calls in the application get a notice")
	}
	if f.Exported {
		out = append(out, "of that only what exported fields lead to")
	}
	if f.Fills {
		out = append(out, "puts new memory there")
	}
	list("formats as package fmt does", f.Formats)
	list("keeps", f.Retains)
	list("calls", f.Calls)
	list("calls, on other goroutines,", f.Concurrent)
	list("with, or with what lies in,", f.CallsWith)
	list("with indices of, or below,", f.Indices)
	for _, c := range f.CallsMethods {
		if !slices.Contains(f.Formats, c.Arg) || !slices.Equal(c.Names, FormatMethods) {
			out = append(out, "calls "+c.of())
		}
	}
	for _, c := range f.ConcurrentMethods {
		out = append(out, "calls, on other goroutines, "+c.of())
	}
	for _, s := range f.Sets {
		out = append(out, "writes "+strings.Join(s.Fields, ", ")+" of "+argument(s.Arg))
	}
	if len(f.Dispatches) > 0 {
		out = append(out, "calls what is registered with argument 0, of what is no function "+strings.Join(f.Dispatches, ", "))
	}
	add(f.Many, "what it calls runs many times, on other goroutines at once")
	add(f.Until, "it returns when what it calls has returned true")
	add(f.UnlessFailed, "what it calls on other goroutines runs only where it returns no error")
	for _, s := range f.Stores {
		list("stores into "+s.into(), s.From)
	}
	list("returns, or a pointer into,", f.Returns)
	list("returns a copy of the memory of", f.Copies)
	switch f.Exchange {
	case ExchangeServer:
		add(true, "serves requests that the program itself sends")
	case ExchangeWorld:
		add(true, "serves requests of whoever sends some")
	case ExchangeClient:
		add(true, "sends a request, and returns once it is answered")
	case ExchangeEarly:
		add(true, "answers a request before who serves it is done")
	case ExchangeOver:
		add(true, "shuts a server down, and waits for what it serves")
	}
	add(f.NeverReturns, "never returns")
	add(f.FailsTest, "tells that the test has failed, and returns")
	add(f.NeverDone, "returns a context that is never done")
	add(f.MakesError, "returns an error, never nil")
	list("returns only if, of errors, nil is, and of booleans, true", f.Demands)
	add(f.FailsOnceDone, "returns an error once Done has told")
	list("hides, in what it returns, values of the type of", f.Hides)
	add(f.ReturnsCalled, "returns what the function it calls returns")
	return out
}

func (s Store) into() string {
	switch {
	case s.Into == StoreResult:
		return "field " + s.Field + " of the result"
	case s.Field != "":
		return "field " + s.Field + " of " + argument(s.Into)
	}
	return "the memory of " + argument(s.Into)
}

func argument(i int) string {
	if i < 0 {
		return "each variadic argument"
	}
	return fmt.Sprintf("argument %d", i)
}

// Explain says what is known of a function, method, type or package, from
// which file, and on what documentation that rests. ok is not set if nothing
// is.
func (m *Model) Explain(name string) (text string, ok bool) {
	name = Normalize(name)
	var b strings.Builder
	if t := m.Type(name); t != nil {
		explainType(&b, name, t)
		return b.String(), true
	}
	if p := m.Package(name); p != nil && (p.Path == name || m.known(name)) {
		fmt.Fprintf(&b, "package %s\n", name)
		if p.Path != name {
			fmt.Fprintf(&b, "  as all of %s:\n", p.Path)
		}
		fmt.Fprintf(&b, "  a function without an entry of its own, or of its type:\n")
		for _, fact := range p.Funcs.Facts() {
			fmt.Fprintf(&b, "    %s\n", fact)
		}
		explainSource(&b, p.Doc, at(p.File, p.Line))
		return b.String(), true
	}
	f := m.Lookup(name)
	switch {
	case f == nil && m.known(name):
		return "package " + name + "\n  has entries for some functions; what has none is analysed\n", true
	case f == nil:
		return name + "\n  nothing is known; its body is analysed where the program has it\n", false
	}
	fmt.Fprintf(&b, "%s\n", name)
	if f.Name != name {
		fmt.Fprintf(&b, "  as all of %s:\n", strings.TrimSuffix(f.Name, ".*"))
	}
	for _, fact := range f.Facts() {
		fmt.Fprintf(&b, "  %s\n", fact)
	}
	explainSource(&b, f.Doc, at(f.File, f.Line))
	return b.String(), true
}

func explainType(b *strings.Builder, name string, t *Type) {
	fmt.Fprintf(b, "type %s\n", name)
	for _, fact := range []struct {
		is   bool
		text string
	}{
		{t.Sync, "synchronises"},
		{t.ThreadSafe, "its methods may be called from many goroutines at once"},
		{t.Unsafe, "its methods may not be called from many goroutines at once"},
		{t.Implementers, "so are those of the types that implement it"},
	} {
		if fact.is {
			fmt.Fprintf(b, "  %s\n", fact.text)
		}
	}
	if t.Methods != nil {
		fmt.Fprintf(b, "  a method without an entry of its own:\n")
		for _, fact := range t.Methods.Facts() {
			fmt.Fprintf(b, "    %s\n", fact)
		}
	}
	explainSource(b, t.Doc, at(t.File, t.Line))
}

func explainSource(b *strings.Builder, doc, place string) {
	if doc == "" {
		doc = "no documentation cited"
	}
	fmt.Fprintf(b, "  documentation: %s\n  from %s\n", doc, place)
}

// known reports whether some layer describes the package.
func (m *Model) known(path string) bool {
	for _, l := range m.layers {
		if l.describes(path) {
			return true
		}
	}
	return false
}

// Known reports whether the function is described: it has an entry, or one
// that asks for its analysis.
func (m *Model) Known(name string) bool { return m.Lookup(name) != nil }

// List returns one line for each entry, by name: its kind, its name, in short
// what it says, and its place. Entries that a later layer overrules are left
// out.
func (m *Model) List() []string {
	lines := make(map[string]string)
	put := func(key, kind, name, says, place string) {
		lines[key] = fmt.Sprintf("%s\t%s\t%s\t%s", kind, name, says, place)
	}
	for _, l := range m.layers {
		l.needAll()
		for name, f := range l.funcs {
			put(name, "func", name, f.short(), at(f.File, f.Line))
		}
		for name, t := range l.types {
			var says []string
			for _, w := range []struct {
				is   bool
				word string
			}{{t.Sync, "sync"}, {t.Unsafe, "unsafe"}, {t.Implementers, "implementers"}} {
				if w.is {
					says = append(says, w.word)
				}
			}
			if t.Methods != nil {
				says = append(says, t.Methods.short())
			}
			put(name, "type", name, strings.Join(says, " "), at(t.File, t.Line))
		}
		for path, p := range l.packages {
			put(path+".*", "package", path, p.Funcs.short(), at(p.File, p.Line))
		}
	}
	out := make([]string, 0, len(lines))
	for _, k := range sortedKeys(lines) {
		out = append(out, lines[k])
	}
	return out
}

// short names the keys that the entry uses.
func (f *Func) short() string {
	var out []string
	for _, w := range []struct {
		is   bool
		word string
	}{
		{f.Analyse, "analyse"}, {f.ThreadSafe && !f.SafeOnClosure, "threadSafe"}, {f.SafeOnClosure, "threadSafeOnClosure"},
		{f.ReturnsSafe, "instantiatesOnlySafeObjects"}, {f.CirculatesUnsafe, "circulatesUnsafeObjects"},
		{f.Op != OpNone, "op=" + string(f.Op)}, {f.ReturnsCalled, "returnsCalled"}, {f.Many, "many"}, {f.Later, "later"}, {f.Serves(), "serves"}, {len(f.Dispatches) > 0, "dispatches"},
	} {
		if w.is {
			out = append(out, w.word)
		}
	}
	for _, e := range f.arguments() {
		if len(e.args) > 0 && !slices.Contains(out, e.key) {
			out = append(out, e.key)
		}
	}
	return strings.Join(out, " ")
}

// of says which methods of what are called.
func (c MethodCall) of() string {
	of := argument(c.Arg)
	if c.Field != "" {
		of = c.Field + " of " + of
	}
	return strings.Join(c.Names, ", ") + " of " + of
}

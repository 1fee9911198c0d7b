package library

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file turns one TOML file into a layer: the entries by name, each with
// its line, checked on its own and against the others of the layer.

// A layer holds the entries of one level of authority: what is shipped, the
// module's file, the files named on the command line.
type layer struct {
	funcs    map[string]*Func    // by normal name; an Analyse entry may name a type
	types    map[string]*Type    // by name
	packages map[string]*Package // by path or pattern; those that say something of all functions
	known    map[string]bool     // paths that a [[package]] names
	ignores  []Ignore
	scopes   []scope

	pending  *pending  // of the shipped layer; nil for others
	problems []problem // of sections decoded late
}

func newLayer() *layer {
	return &layer{
		funcs:    make(map[string]*Func),
		types:    make(map[string]*Type),
		packages: make(map[string]*Package),
		known:    make(map[string]bool),
	}
}

// A node is one table of a source.
type node struct {
	src  *source
	path string
	val  map[string]any
}

func (n node) errorf(key, format string, args ...any) {
	n.src.errorf(join(n.path, key), format, args...)
}

// keys returns the keys of the table in the order of their lines.
func (n node) keys() []string {
	var ks []string
	for k := range n.val {
		ks = append(ks, k)
	}
	slices.SortFunc(ks, func(a, b string) int {
		if d := n.src.line(join(n.path, a)) - n.src.line(join(n.path, b)); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return ks
}

// tables returns the tables of an array of tables.
func (n node) tables(key string) []node {
	var out []node
	add := func(i int, v any) {
		t, ok := v.(map[string]any)
		if !ok {
			n.errorf(key, "%s must be a table, written [[%s]]", key, key)
			return
		}
		out = append(out, node{n.src, fmt.Sprintf("%s[%d]", join(n.path, key), i), t})
	}
	switch v := n.val[key].(type) {
	case []map[string]any:
		for i, t := range v {
			add(i, t)
		}
	case []any:
		for i, t := range v {
			add(i, t)
		}
	default:
		n.errorf(key, "%s must be an array of tables, written [[%s]]", key, key)
	}
	return out
}

func (n node) bool(key string) bool {
	b, ok := n.val[key].(bool)
	if !ok {
		n.errorf(key, "%s must be true or false", key)
	}
	return b
}

func (n node) str(key string) string {
	s, ok := n.val[key].(string)
	if !ok {
		n.errorf(key, "%s must be a string", key)
	}
	return s
}

// strs reads a string or a list of strings.
func (n node) strs(key string) []string {
	if s, ok := n.val[key].(string); ok {
		return []string{s}
	}
	list, ok := n.val[key].([]any)
	var out []string
	for _, v := range list {
		s, isString := v.(string)
		ok = ok && isString
		out = append(out, s)
	}
	if !ok {
		n.errorf(key, "%s must be a string or a list of strings", key)
		return nil
	}
	return out
}

func (n node) integer(key string) int {
	i, ok := n.val[key].(int64)
	if !ok || i < 0 {
		n.errorf(key, "%s must be the number of an argument, from 0", key)
	}
	return int(i)
}

// integers reads a list of argument numbers.
func (n node) integers(key string) []int {
	list, ok := n.val[key].([]any)
	var out []int
	for _, v := range list {
		i, isInt := v.(int64)
		ok = ok && isInt && i >= -1 && !slices.Contains(out, int(i))
		out = append(out, int(i))
	}
	if !ok {
		n.errorf(key, "%s must be a list of different argument numbers: 0 is the receiver or first argument, -1 every variadic one", key)
		return nil
	}
	return out
}

// byArgument calls f for each key of a table from argument numbers, as in
// callsMethods = {0 = ["Write"], 2 = ["Len", "Less"]}.
func (n node) byArgument(key, example string, f func(sub node, k string, arg int)) {
	t, ok := n.val[key].(map[string]any)
	if !ok {
		n.errorf(key, "%s must be a table by argument numbers, %s", key, example)
		return
	}
	sub := node{n.src, join(n.path, key), t}
	for _, k := range sub.keys() {
		arg, err := strconv.Atoi(k)
		if err != nil || strconv.Itoa(arg) != k || arg < -1 {
			sub.errorf(k, "%s: %q is not an argument number", key, k)
			continue
		}
		f(sub, k, arg)
	}
}

// fact reads one key of what may be said of functions into f; it reports
// whether key is one.
func (n node) fact(key string, f *Func) bool {
	switch key {
	case "threadSafe":
		f.ThreadSafe = n.bool(key)
	case "threadSafeOnClosure":
		f.SafeOnClosure = n.bool(key)
	case "instantiatesOnlySafeObjects":
		f.ReturnsSafe = n.bool(key)
	case "circulatesUnsafeObjects":
		f.CirculatesUnsafe = n.bool(key)
	case "op":
		f.Op = Op(n.str(key))
	case "body":
		f.Body = n.integer(key)
	case "unique":
		f.Unique = n.integers(key)
	case "join":
		f.Join = n.bool(key)
	case "workers":
		f.Workers = n.integer(key)
	case "reads":
		f.Reads = n.integers(key)
	case "writes":
		f.Writes = n.integers(key)
	case "deepReads":
		f.DeepReads = n.integers(key)
	case "deepWrites":
		f.DeepWrites = n.integers(key)
	case "formats":
		f.Formats = n.integers(key)
	case "retains":
		f.Retains = n.integers(key)
	case "calls":
		f.Calls = n.integers(key)
	case "concurrent":
		f.Concurrent = n.integers(key)
	case "callsWith":
		f.CallsWith = n.integers(key)
	case "callsMethods":
		n.byArgument(key, `{0 = ["Write"]}`, func(sub node, k string, arg int) {
			f.CallsMethods = append(f.CallsMethods, MethodCall{arg, sub.strs(k)})
		})
	case "concurrentMethods":
		n.byArgument(key, `{0 = ["ServeHTTP"]}`, func(sub node, k string, arg int) {
			f.ConcurrentMethods = append(f.ConcurrentMethods, MethodCall{arg, sub.strs(k)})
		})
	case "stores":
		n.byArgument(key, `{1 = [0]}`, func(sub node, k string, arg int) {
			f.Stores = append(f.Stores, Store{arg, sub.integers(k)})
		})
	case "returns":
		f.Returns = n.integers(key)
	case "copies":
		f.Copies = n.integers(key)
	case "returnsCalled":
		f.ReturnsCalled = n.bool(key)
	case "fresh":
		f.Fresh, f.freshSet = n.bool(key), true
	default:
		return false
	}
	return true
}

// decode adds the entries of a source to the layer.
func (l *layer) decode(src *source) {
	root := node{src, "", src.root}
	for _, key := range root.keys() {
		switch key {
		case "package":
			for _, n := range root.tables(key) {
				l.decodePackage(n)
			}
		case "ignore":
			for _, n := range root.tables(key) {
				l.decodeIgnore(n)
			}
		case "application", "library":
			for _, p := range root.strs(key) {
				l.addScope(root, key, p)
			}
		default:
			root.errorf(key, "unknown key %q; the keys at the top are package, ignore, application and library", key)
		}
	}
}

// newFunc returns an entry for the table n, with nothing said yet.
func newFunc(n node) *Func {
	return &Func{Body: -1, Workers: -1, File: n.src.name, Line: n.src.line(n.path)}
}

func (l *layer) decodePackage(n node) {
	all := newFunc(n)
	var paths, analyse []string
	for _, key := range n.keys() {
		switch key {
		case "path":
			paths = n.strs(key)
		case "doc":
			all.Doc = n.str(key)
		case "analyse":
			// true is for the whole package, a list for some of it.
			if b, ok := n.val[key].(bool); ok {
				all.Analyse = b
			} else {
				analyse = n.strs(key)
			}
		case "func", "type":
		default:
			if !n.fact(key, all) {
				n.errorf(key, "unknown key %q in [[package]]", key)
			}
		}
	}
	if len(paths) == 0 {
		n.errorf("", "[[package]] without path")
		return
	}
	for _, path := range paths {
		l.known[path] = true
		pattern := strings.HasSuffix(path, "...")
		switch {
		case pattern && path != "..." && !strings.HasSuffix(path, "/..."):
			n.errorf("path", "%q: ... may stand only for the last elements of a path, after a slash", path)
		case pattern && (len(analyse) > 0 || n.val["func"] != nil || n.val["type"] != nil):
			n.errorf("path", "%q is a pattern; entries for functions and types need one package", path)
		}
		if all.says() {
			f := *all
			f.Name = path + ".*"
			l.addPackage(n, &Package{Path: path, Funcs: &f, Doc: f.Doc, File: f.File, Line: f.Line})
		}
		for _, name := range analyse {
			f := newFunc(n)
			f.Line = n.src.line(join(n.path, "analyse"))
			f.Name, f.Doc, f.Analyse, f.pkg = path+"."+name, all.Doc, true, path
			l.addFunc(n, "analyse", f)
		}
	}
	for _, sub := range [...]struct {
		key    string
		decode func(node, string, []string)
	}{{"func", l.decodeFunc}, {"type", l.decodeType}} {
		if n.val[sub.key] != nil {
			for _, t := range n.tables(sub.key) {
				sub.decode(t, all.Doc, paths)
			}
		}
	}
}

func (l *layer) decodeFunc(n node, doc string, paths []string) {
	f := newFunc(n)
	f.Doc = doc
	var names []string
	for _, key := range n.keys() {
		switch key {
		case "name":
			names = n.strs(key)
		case "doc":
			f.Doc = n.str(key)
		case "analyse":
			f.Analyse = n.bool(key)
		default:
			if !n.fact(key, f) {
				n.errorf(key, "unknown key %q in [[package.func]]", key)
			}
		}
	}
	if len(names) == 0 {
		n.errorf("", "[[package.func]] without name")
		return
	}
	if !f.says() {
		n.errorf("", "the entry for %s says nothing", names[0])
		return
	}
	checkFacts(n, f)
	for _, path := range paths {
		for _, name := range names {
			if !validName(name, 2) {
				n.errorf("name", "%q is not a name: write Func or Type.Method, as go doc does, without the package", name)
				continue
			}
			g := *f
			g.Name, g.pkg, g.many = path+"."+name, path, len(names)*len(paths) > 1
			l.addFunc(n, "name", &g)
		}
	}
}

func (l *layer) decodeType(n node, doc string, paths []string) {
	t := Type{Doc: doc, File: n.src.name, Line: n.src.line(n.path)}
	f := newFunc(n)
	var names []string
	for _, key := range n.keys() {
		switch key {
		case "name":
			names = n.strs(key)
		case "doc":
			t.Doc = n.str(key)
		case "unsafe":
			t.Unsafe = n.bool(key)
		case "sync":
			t.Sync = n.bool(key)
		case "implementers":
			t.Implementers = n.bool(key)
		case "analyse":
			f.Analyse = n.bool(key)
		default:
			if !n.fact(key, f) {
				n.errorf(key, "unknown key %q in [[package.type]]", key)
			}
		}
	}
	if len(names) == 0 {
		n.errorf("", "[[package.type]] without name")
		return
	}
	if !f.says() && !t.Unsafe && !t.Sync {
		n.errorf("", "the entry for %s says nothing", names[0])
		return
	}
	if t.Unsafe && !f.says() {
		f.Writes = []int{0} // the methods are not analysed: each may write the receiver
	}
	checkFacts(n, f)
	if t.Unsafe && (f.ThreadSafe || f.SafeOnClosure) {
		n.errorf("unsafe", "%s: unsafe contradicts threadSafe", names[0])
	}
	if f.Op != OpNone {
		n.errorf("op", "%s: an operation belongs to a method, in [[package.func]]", names[0])
	}
	f.Doc = t.Doc
	for _, path := range paths {
		for _, name := range names {
			if !validName(name, 1) {
				n.errorf("name", "%q is not the name of a type: write Type, without package and *", name)
				continue
			}
			u := t
			u.Name, u.pkg = path+"."+name, path
			if f.says() {
				g := *f
				g.Name = u.Name + ".*"
				g.finish()
				u.Methods = &g
				u.ThreadSafe = g.ThreadSafe
			}
			l.addType(n, &u)
		}
	}
}

func (l *layer) decodeIgnore(n node) {
	ig := Ignore{File: n.src.name, Line: n.src.line(n.path)}
	for _, key := range n.keys() {
		switch key {
		case "object":
			ig.Object = Normalize(n.str(key))
		case "field":
			ig.Field = n.str(key)
			if !strings.HasPrefix(ig.Field, ".") && !strings.HasPrefix(ig.Field, "[") {
				n.errorf(key, "a field is a path inside the object as reports print it, %q", ".hits")
			}
		case "reason":
			ig.Reason = n.str(key)
		default:
			n.errorf(key, "unknown key %q in [[ignore]]", key)
		}
	}
	if ig.Object == "" && ig.Field == "" {
		n.errorf("", "[[ignore]] needs an object or a field")
	}
	if ig.Reason == "" {
		n.errorf("", "[[ignore]] without a reason")
	}
	l.ignores = append(l.ignores, ig)
}

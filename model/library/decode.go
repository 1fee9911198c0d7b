package library

import (
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
	if t.Sync && !f.says() {
		f.ThreadSafe = true // what else would it be for
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

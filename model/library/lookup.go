package library

import (
	"strings"
)

// Normalize turns the name of a function, method or type, as go/ssa and
// go/types write it, into the form of the model, which is that of go doc:
//
//	fmt.Println                              fmt.Println
//	(*sync.Mutex).Lock                       sync.Mutex.Lock
//	(sync.Locker).Lock                       sync.Locker.Lock
//	(*sync/atomic.Pointer[T]).Store          sync/atomic.Pointer.Store
//	slices.Sort[[]int int]                   slices.Sort
//	(*sync.Mutex).Lock$bound                 sync.Mutex.Lock
//	(error).Error                            builtin.error.Error
//	*log.Logger                              log.Logger
//
// A normal name is left as it is.
func Normalize(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "$bound"), "$thunk")
	if strings.HasPrefix(name, "(") {
		if i := strings.LastIndex(name, ")."); i > 0 {
			name = strings.TrimLeft(name[1:i], "*") + name[i+1:]
		}
	}
	name = strings.TrimLeft(name, "*")
	if strings.Contains(name, "[") {
		name = stripBrackets(name)
	}
	if name == "error" || strings.HasPrefix(name, "error.") {
		name = "builtin." + name
	}
	return name
}

// stripBrackets removes type parameters and type arguments.
func stripBrackets(s string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// cut returns name without its last element, "sync.Mutex" for
// "sync.Mutex.Lock", or "" if the rest would not hold a package.
func cut(name string) string {
	slash := strings.LastIndexByte(name, '/')
	dot := strings.LastIndexByte(name, '.')
	if dot <= slash {
		return ""
	}
	return name[:dot]
}

// Func returns what is known of the function, in any form that Normalize
// takes, or nil if its body is to be analysed. The most specific entry counts
// alone: the function's own before its type's, its package's exact one and the
// longest pattern; at the same level a later layer overrules an earlier one.
// A function literal, "fmt.Fprintf$1", has the safety of the function around
// it and no other entry.
func (m *Model) Func(name string) *Func {
	f := m.Lookup(name)
	if f == nil || f.Analyse {
		return nil
	}
	return f
}

// Stated is the model without what is shipped: what the module's own file and
// those of the command line say.
func (m *Model) Stated() *Model { return &Model{layers: m.layers[1:], files: m.files} }

// Lookup is Func, except that it shows entries that ask for analysis too.
func (m *Model) Lookup(name string) *Func {
	name = Normalize(name)
	if i := strings.IndexByte(name, '$'); i >= 0 {
		return m.literal(name[:i])
	}
	if f := m.own(name); f != nil {
		return f
	}
	outer := cut(name) // a type or a package
	if outer == "" {
		return nil
	}
	p := m.Package(outer)
	if pkg := cut(outer); pkg != "" {
		// A dot may belong to the path as well: "gopkg.in/yaml.v3.Marshal".
		if q := m.Package(pkg); q != nil && (p == nil || strings.HasSuffix(p.Path, "...")) {
			p = q
		}
	}
	if p == nil {
		return nil
	}
	return p.Funcs
}

// InterfaceMethod returns what is known of a method of an interface whatever
// implements it: the method's own entry or its type's. The entry of a package
// is about its code, and says nothing of implementations elsewhere.
func (m *Model) InterfaceMethod(name string) *Func {
	f := m.own(Normalize(name))
	if f == nil || f.Analyse {
		return nil
	}
	return f
}

// own returns the entry of the function or method itself, or of its type.
func (m *Model) own(name string) *Func {
	for i := len(m.layers) - 1; i >= 0; i-- {
		if f := m.layers[i].entry(name); f != nil {
			return f
		}
	}
	outer := cut(name)
	for i := len(m.layers) - 1; i >= 0; i-- {
		if t := m.layers[i].typ(outer); t != nil && t.Methods != nil {
			return t.Methods
		}
		if f := m.layers[i].entry(outer); f != nil && f.Analyse {
			return f
		}
	}
	return nil
}

// literal returns the entry for a function literal inside the named function:
// the predicates hold for it, the effects are those of a call of the function.
func (m *Model) literal(name string) *Func {
	f := m.Lookup(name)
	if f == nil || f.Analyse || !f.SafeOnClosure {
		return nil
	}
	return &Func{
		Name: f.Name, ThreadSafe: true, SafeOnClosure: true, Body: -1, Workers: -1, Fresh: true,
		Doc: f.Doc, File: f.File, Line: f.Line,
	}
}

// Package returns the entry of the package that holds for functions without
// one of their own, or nil. Its path is the package's or a pattern.
func (m *Model) Package(path string) *Package {
	pattern := path
	for {
		for i := len(m.layers) - 1; i >= 0; i-- {
			if p := m.layers[i].pkg(pattern); p != nil {
				return p
			}
		}
		// "a/b", "a/b/...", "a/...", "..."
		switch base := strings.TrimSuffix(pattern, "/..."); {
		case pattern == "...":
			return nil
		case base == pattern:
			pattern += "/..."
		default:
			if i := strings.LastIndexByte(base, '/'); i >= 0 {
				pattern = base[:i] + "/..."
			} else {
				pattern = "..."
			}
		}
	}
}

// Type returns what is known of a type, or nil.
func (m *Model) Type(name string) *Type {
	name = Normalize(name)
	for i := len(m.layers) - 1; i >= 0; i-- {
		if t := m.layers[i].typ(name); t != nil {
			return t
		}
	}
	return nil
}

// IsSyncType reports whether objects of the type are there to synchronise.
func (m *Model) IsSyncType(name string) bool {
	t := m.Type(name)
	return t != nil && t.Sync
}

// IsSafeType reports whether the methods of the type may be called from many
// goroutines at once.
func (m *Model) IsSafeType(name string) bool {
	t := m.Type(name)
	return t != nil && t.ThreadSafe
}

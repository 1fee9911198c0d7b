package library

import (
	"go/types"
	"strings"
)

// A Resolver answers for methods and types of a program, deciding embedding
// and interface satisfaction as Go does. It may not be used from many
// goroutines at once.
type Resolver struct {
	m      *Model
	ifaces []ifaceEntry
	types  map[types.Type]*Type
}

type ifaceEntry struct {
	entry *Type
	iface *types.Interface
}

// Resolver returns a Resolver for the program whose packages lookup finds.
func (m *Model) Resolver(lookup Lookup) *Resolver {
	r := &Resolver{m: m, types: make(map[types.Type]*Type)}
	seen := make(map[string]bool)
	for i := len(m.layers) - 1; i >= 0; i-- {
		for _, t := range m.layers[i].typesOf(func(path string) bool { return lookup(path) != nil }) {
			if seen[t.Name] {
				continue // overruled
			}
			seen[t.Name] = true
			pkg := lookup(t.pkg)
			if !t.Implementers || pkg == nil {
				continue
			}
			if obj := pkg.Scope().Lookup(strings.TrimPrefix(t.Name, t.pkg+".")); obj != nil {
				if iface, ok := obj.Type().Underlying().(*types.Interface); ok {
					r.ifaces = append(r.ifaces, ifaceEntry{t, iface})
				}
			}
		}
	}
	return r
}

// Func returns what is known of the function or method, or nil if its body is
// to be analysed. A method without an entry of its own or of its type has that
// of an interface with Implementers which its type implements and which has
// the method; only then the package counts. Ask it for library code: what the
// application implements is analysed, whatever the interface promises.
func (r *Resolver) Func(fn *types.Func) *Func {
	name := Normalize(fn.Origin().FullName())
	f := r.m.own(name)
	if recv := fn.Signature().Recv(); f == nil && recv != nil {
		if types.IsInterface(recv.Type()) {
			return nil
		}
		for _, e := range r.ifaces {
			if hasMethod(e.iface, fn.Name()) && implements(recv.Type(), e.iface) {
				f = r.m.own(e.entry.Name + "." + fn.Name())
				break
			}
		}
	}
	if f == nil {
		f = r.m.Lookup(name)
	}
	if f == nil || f.Analyse {
		return nil
	}
	return f
}

// Type returns what is known of a type: its own entry, or that of an interface
// with Implementers which it implements; or nil.
func (r *Resolver) Type(t types.Type) *Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if e, ok := r.types[named]; ok {
		return e
	}
	e := r.m.Type(named.Obj().Pkg().Path() + "." + named.Obj().Name())
	for i := 0; e == nil && i < len(r.ifaces) && !types.IsInterface(named); i++ {
		if implements(named, r.ifaces[i].iface) {
			e = r.ifaces[i].entry
		}
	}
	r.types[named] = e
	return e
}

// implements reports whether t or *t implements the interface.
func implements(t types.Type, iface *types.Interface) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Implements(types.NewPointer(t), iface)
}

func hasMethod(iface *types.Interface, name string) bool {
	for m := range iface.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

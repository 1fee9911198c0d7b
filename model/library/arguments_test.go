package library

import (
	"go/types"
	"slices"
	"testing"
)

// accounts reports whether the entry says what becomes of argument k.
func (f *Func) accounts(k int, variadic bool) bool {
	is := func(i int) bool { return i == k || variadic && i == -1 }
	for _, e := range f.arguments() {
		if slices.ContainsFunc(e.args, is) {
			return true
		}
	}
	return false
}

// Where the body of a standard function is not entered, its entry says what it
// does with the functions, streams, slices and maps that it is given: a
// callback that is forgotten hides all its races.
func TestStdArguments(t *testing.T) {
	m := mustLoad(t)
	for _, pkg := range loadStd(t) {
		if pkg.PkgPath == "sync" || pkg.PkgPath == "sync/atomic" {
			continue // the operations say it
		}
		for _, fn := range exported(pkg.Types) {
			f := m.Func(fn.FullName())
			if f == nil || f.Enters() {
				continue
			}
			sig := fn.Signature()
			first := 0
			if sig.Recv() != nil {
				first = 1
			}
			for i := range sig.Params().Len() {
				p := sig.Params().At(i)
				if kind := effectful(p.Type()); kind != "" && !f.accounts(first+i, sig.Variadic() && i == sig.Params().Len()-1) {
					t.Errorf("%s: %s says nothing of argument %d of %s, the %s %s", at(f.File, f.Line), f.Name, first+i, Normalize(fn.FullName()), kind, p.Name())
				}
			}
		}
	}
}

// effectful returns the kind of a type through which a function can do
// something to its caller, or "".
func effectful(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return "function"
	case *types.Slice:
		return "slice"
	case *types.Map:
		return "map"
	case *types.Interface:
		for m := range u.Methods() {
			if m.Name() == "Read" || m.Name() == "Write" {
				return "stream"
			}
		}
	}
	return ""
}

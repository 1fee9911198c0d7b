package library

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// This file holds what needs the types of the analysed program: whether the
// names in the user's files exist, and which entries hold for a type because
// of the interfaces that it implements.

// A Lookup finds a package of the program by its path, or returns nil.
type Lookup func(path string) *types.Package

// Check reports entries of the user's files about functions, methods and
// types that their package does not have, or about arguments that a function
// does not have. Packages that the program does not load are passed over, and
// so is what is shipped: that is about one version of each package, and the
// program may use another. The error is an *Error.
func (m *Model) Check(lookup Lookup) error {
	var problems []problem
	for _, l := range m.layers[1:] {
		problems = append(problems, l.check(lookup, false)...)
	}
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, compareProblems)
	e := new(Error)
	for _, p := range problems {
		e.Problems = append(e.Problems, p.String())
	}
	return e
}

// check reports what entries of the layer do not fit the packages' types. With
// exportedOnly, unexported names may be missing: export data leaves them out.
func (l *layer) check(lookup Lookup, exportedOnly bool) []problem {
	l.needAll()
	var out []problem
	for _, name := range sortedKeys(l.funcs) {
		f := l.funcs[name]
		pkg := lookup(f.pkg)
		if pkg == nil {
			continue
		}
		rel := strings.TrimPrefix(f.Name, f.pkg+".")
		obj := member(pkg, rel)
		fn, isFunc := obj.(*types.Func)
		_, isType := obj.(*types.TypeName)
		switch {
		case obj == nil && exportedOnly && !exportedName(rel):
		case isType && !f.Analyse:
			out = append(out, problem{f.File, f.Line, f.Name + " is a type; its entry belongs in [[package.type]]"})
		case obj == nil || !isFunc && !isType:
			out = append(out, problem{f.File, f.Line, "package " + f.pkg + " has no function or method " + rel + similar(pkg, rel)})
		case isFunc:
			if msg := f.fits(fn.Signature()); msg != "" {
				out = append(out, problem{f.File, f.Line, f.Name + ": " + msg})
			}
		}
	}
	for _, name := range sortedKeys(l.types) {
		t := l.types[name]
		pkg := lookup(t.pkg)
		if pkg == nil {
			continue
		}
		rel := strings.TrimPrefix(t.Name, t.pkg+".")
		tn, ok := pkg.Scope().Lookup(rel).(*types.TypeName)
		switch {
		case !ok && exportedOnly && !exportedName(rel):
		case !ok:
			out = append(out, problem{t.File, t.Line, "package " + t.pkg + " has no type " + rel + similar(pkg, rel)})
		case t.Implementers && !types.IsInterface(tn.Type()):
			out = append(out, problem{t.File, t.Line, t.Name + " is not an interface, so it has no implementers"})
		}
	}
	return out
}

// exportedName reports whether every element of a Type.Method is exported.
func exportedName(name string) bool {
	for p := range strings.SplitSeq(name, ".") {
		if p == "" || p[0] < 'A' || p[0] > 'Z' {
			return false
		}
	}
	return true
}

// member returns the function, type or, for "Type.Method", method of that
// name; a promoted method counts, as in go doc.
func member(pkg *types.Package, name string) types.Object {
	base, method, isMethod := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(base)
	if obj == nil || !isMethod {
		return obj
	}
	tn, ok := obj.(*types.TypeName)
	if !ok {
		return nil
	}
	m, _, _ := types.LookupFieldOrMethod(tn.Type(), true, pkg, method)
	if fn, ok := m.(*types.Func); ok {
		return fn
	}
	return nil
}

// UserPackages returns the packages of which the user's files speak, patterns
// apart, in order.
func (m *Model) UserPackages() []string {
	seen := make(map[string]bool)
	for _, l := range m.layers[1:] {
		for path := range l.known {
			if !strings.HasSuffix(path, "...") {
				seen[path] = true
			}
		}
	}
	return sortedKeys(seen)
}

// PackagesOf returns the paths that the package of a name may have, the longest
// first: "a/b.C.D" is in a/b, unless that is a/b.C.
func PackagesOf(name string) []string {
	var out []string
	for outer := cut(name); outer != ""; outer = cut(outer) {
		out = append(out, outer)
	}
	slices.Reverse(out)
	return out
}

// Missing says that the package does not have what the name, in the model's
// form, stands for, or returns "".
func Missing(pkg *types.Package, name string) string {
	rel := strings.TrimPrefix(name, pkg.Path()+".")
	if member(pkg, rel) != nil {
		return ""
	}
	return "package " + pkg.Path() + " has no " + rel + similar(pkg, rel)
}

// similar proposes the member of the package that is nearest to the name: in
// other letter case, or with a slip of the pen.
func similar(pkg *types.Package, name string) string {
	best, far := "", max(1, len(name)/4)+1
	try := func(member string) {
		if d := distance(strings.ToLower(member), strings.ToLower(name)); d < far {
			best, far = member, d
		}
	}
	for _, n := range pkg.Scope().Names() {
		try(n)
		tn, ok := pkg.Scope().Lookup(n).(*types.TypeName)
		if !ok {
			continue
		}
		for sel := range types.NewMethodSet(types.NewPointer(tn.Type())).Methods() {
			try(n + "." + sel.Obj().Name())
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// fits returns what the entry says of arguments that the signature does not
// have, or "".
func (f *Func) fits(sig *types.Signature) string {
	n := sig.Params().Len()
	if sig.Recv() != nil {
		n++
	}
	for _, e := range f.arguments() {
		// In a table for many functions what is read, written or returned may
		// be true of some only; what is called or started may not.
		strict := !f.many || slices.Contains(strictKeys, e.key)
		for _, i := range e.args {
			switch {
			case !strict:
			case i == -1 && !sig.Variadic():
				return fmt.Sprintf("%s: -1 stands for variadic arguments, and there are none", e.key)
			case i >= n:
				return fmt.Sprintf("%s: there is no argument %d: receiver and parameters are 0 to %d", e.key, i, n-1)
			case slices.Contains(functionKeys, e.key) && !semaphore(f.Op) && !callable(sig, i):
				return fmt.Sprintf("%s: argument %d is no function", e.key, i)
			}
		}
	}
	return ""
}

var (
	strictKeys   = []string{"body", "workers", "calls", "concurrent", "callsMethods", "concurrentMethods", "formats", "stores"}
	functionKeys = []string{"body", "calls", "concurrent"}
)

// callable reports whether argument i may be a function: its type, or what an
// interface holds. Of receivers it says yes, for reflect's Value.
func callable(sig *types.Signature, i int) bool {
	if sig.Recv() != nil {
		i--
	}
	if i < 0 {
		return true
	}
	t := sig.Params().At(i).Type()
	if s, ok := t.Underlying().(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
		t = s.Elem()
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	}
	return false
}

// argumentList is one key of an entry and the arguments it names.
type argumentList struct {
	key  string
	args []int
}

// arguments lists the arguments that the entry speaks of, by key.
func (f *Func) arguments() []argumentList {
	out := []argumentList{
		{"reads", f.Reads}, {"writes", f.Writes}, {"formats", f.Formats}, {"deepReads", f.DeepReads}, {"deepWrites", f.DeepWrites},
		{"retains", f.Retains}, {"calls", f.Calls}, {"concurrent", f.Concurrent},
		{"callsWith", f.CallsWith}, {"indices", f.Indices}, {"returns", f.Returns}, {"copies", f.Copies},
	}
	if f.Body >= 0 {
		out = append(out, argumentList{"body", []int{f.Body}})
	}
	if f.Workers >= 0 {
		out = append(out, argumentList{"workers", []int{f.Workers}})
	}
	for _, c := range f.CallsMethods {
		out = append(out, argumentList{"callsMethods", []int{c.Arg}})
	}
	for _, s := range f.Sets {
		out = append(out, argumentList{"sets", []int{s.Arg}})
	}
	for _, c := range f.ConcurrentMethods {
		out = append(out, argumentList{"concurrentMethods", []int{c.Arg}})
	}
	for _, s := range f.Stores {
		out = append(out, argumentList{"stores", append([]int{s.Into}, s.From...)})
	}
	return out
}

// Passes reports whether a result of the one type may be, or point into, an
// argument of the other that the function returns (Func.Returns). Of a
// function with several results, or of an entry for several functions, this
// tells which results are meant. A pointer into the middle of an argument, of
// another type, counts as new memory (soundness: inner-results).
func Passes(arg, result types.Type) bool {
	a, r := types.Unalias(arg), types.Unalias(result)
	if types.Identical(a.Underlying(), r.Underlying()) {
		return true
	}
	if isTypeParam(a) || isTypeParam(r) {
		return true
	}
	ai, aIface := a.Underlying().(*types.Interface)
	ri, rIface := r.Underlying().(*types.Interface)
	switch {
	case aIface && rIface:
		return true
	case aIface:
		return types.Implements(r, ai)
	case rIface:
		return types.Implements(a, ri)
	}
	for _, t := range [...]types.Type{a, r} {
		switch u := t.Underlying().(type) {
		case *types.Struct: // reflect.Value, slog.Attr: a pointer in a wrapper
			return true
		case *types.Basic:
			if u.Kind() == types.UnsafePointer {
				return true
			}
		}
	}
	return false
}

func isTypeParam(t types.Type) bool {
	_, ok := t.(*types.TypeParam)
	return ok
}

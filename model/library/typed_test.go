package library

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// checked type-checks one package without imports.
func checked(t *testing.T, path, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

const typedSrc = `package lib

type Store interface { Get(k string) *int; Put(k string, v *int) }

type mem struct { m map[string]*int }
func (s *mem) Get(k string) *int    { return s.m[k] }
func (s *mem) Put(k string, v *int) { s.m[k] = v }
func (s *mem) Len() int             { return len(s.m) }

type Logged struct { *mem; n int }
func (l *Logged) Put(k string, v *int) { l.n++; l.mem.Put(k, v) }

type Plain struct{}
func (Plain) Get(k string) *int { return nil }

type List[T any] struct { xs []T }
func (l *List[T]) Add(x T)            { l.xs = append(l.xs, x) }
func (l *List[T]) Each(f func(T))     {}

func Run(n int, f func(int), opts ...any) {}
`

// Unknown functions and arguments of a known package are errors with a line;
// packages that the program does not have are passed over.
func TestCheck(t *testing.T) {
	pkg := checked(t, "example.com/lib", typedSrc)
	lookup := func(path string) *types.Package {
		if path == "example.com/lib" {
			return pkg
		}
		return nil
	}
	const head = "[[package]]\npath = \"example.com/lib\"\n"
	for _, test := range []struct{ text, want string }{
		{head + "[[package.func]]\nname = \"Run\"\nop = \"parallel\"\nbody = 1\nunique = [0]\nformats = [-1]\n", ""},
		{head + "[[package.func]]\nname = [\"List.Add\", \"mem.Len\", \"Logged.Get\"]\nreads = [0, 5]\n", ""},
		{head + "[[package.type]]\nname = [\"List\", \"mem\"]\nthreadSafe = true\n", ""},
		{head + "analyse = [\"Run\", \"mem\", \"Logged.Put\"]\n", ""},
		{"[[package]]\npath = \"example.com/other\"\n[[package.func]]\nname = \"Run\"\nreads = [0]\n", ""},

		{head + "[[package.func]]\nname = \"run\"\nreads = [0]\n",
			"m.toml:3: package example.com/lib has no function or method run; did you mean Run?"},
		{head + "[[package.func]]\nname = \"List.add\"\nreads = [0]\n",
			"m.toml:3: package example.com/lib has no function or method List.add; did you mean List.Add?"},
		{head + "[[package.func]]\nname = \"Nothing.M\"\nreads = [0]\n",
			"m.toml:3: package example.com/lib has no function or method Nothing.M"},
		{head + "[[package.func]]\nname = \"mem\"\nreads = [0]\n",
			"m.toml:3: example.com/lib.mem is a type; its entry belongs in [[package.type]]"},
		{head + "analyse = [\"Gone\"]\n",
			"m.toml:3: package example.com/lib has no function or method Gone"},
		{head + "[[package.type]]\nname = \"store\"\nsync = true\n",
			"m.toml:3: package example.com/lib has no type store; did you mean Store?"},
		{head + "[[package.type]]\nname = \"mem\"\nthreadSafe = true\nimplementers = true\n",
			"m.toml:3: example.com/lib.mem is not an interface, so it has no implementers"},
		{head + "[[package.func]]\nname = \"Run\"\nreads = [3]\n",
			"m.toml:3: example.com/lib.Run: reads: there is no argument 3: receiver and parameters are 0 to 2"},
		{head + "[[package.func]]\nname = \"mem.Put\"\nformats = [-1]\n",
			"m.toml:3: example.com/lib.mem.Put: formats: -1 stands for variadic arguments, and there are none"},
		{head + "[[package.func]]\nname = \"Run\"\ncalls = [0]\n",
			"m.toml:3: example.com/lib.Run: calls: argument 0 is no function"},
		{head + "[[package.func]]\nname = [\"List.Each\", \"List.Add\"]\ncalls = [2]\n",
			"m.toml:3: example.com/lib.List.Add: calls: there is no argument 2: receiver and parameters are 0 to 1\n" +
				"m.toml:3: example.com/lib.List.Each: calls: there is no argument 2: receiver and parameters are 0 to 1"},
	} {
		m := mustLoadText(t, test.text)
		got := ""
		if err := m.Check(lookup); err != nil {
			got = strings.ReplaceAll(err.Error(), m.Files()[0], "m.toml")
		}
		if got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

// Embedding and interface satisfaction are Go's: a promoted method is the
// embedded type's, and what an interface with implementers says holds for the
// methods of the interface in types that implement it, and for no others.
func TestResolver(t *testing.T) {
	pkg := checked(t, "example.com/lib", typedSrc)
	lookup := func(path string) *types.Package {
		if path == "example.com/lib" {
			return pkg
		}
		return nil
	}
	m := mustLoadText(t, `
[[package]]
path = "example.com/lib"

[[package.type]]
name = "Store"
threadSafeOnClosure = true
implementers = true

[[package.func]]
name = "Store.Get"
reads = [0]

[[package.func]]
name = "Logged.Put"
writes = [0]

[[package.type]]
name = "List"
unsafe = true
`)
	r := m.Resolver(lookup)
	method := func(typ, name string) *types.Func {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(typ).Type()), true, pkg, name)
		return obj.(*types.Func)
	}
	for _, test := range []struct {
		typ, method string
		want        string // file:line's line of the entry, or "" for analysis
	}{
		{"mem", "Get", "Store.Get"},
		{"mem", "Put", "Store.*"},
		{"mem", "Len", ""},             // not of the interface
		{"Logged", "Get", "Store.Get"}, // promoted from mem
		{"Logged", "Put", "Logged.Put"},
		{"Plain", "Get", ""}, // does not implement Store
		{"List", "Add", "List.*"},
	} {
		got := ""
		if f := r.Func(method(test.typ, test.method)); f != nil {
			got = strings.TrimPrefix(f.Name, "example.com/lib.")
		}
		if got != test.want {
			t.Errorf("%s.%s: entry %q, want %q", test.typ, test.method, got, test.want)
		}
	}
	for typ, want := range map[string]bool{"mem": true, "Logged": true, "Plain": false, "List": false} {
		e := r.Type(types.NewPointer(pkg.Scope().Lookup(typ).Type()))
		if got := e != nil && e.ThreadSafe; got != want {
			t.Errorf("%s: safe type: %v", typ, got)
		}
	}
}

// Which results an argument can be, by the types.
func TestPasses(t *testing.T) {
	pkg := checked(t, "example.com/lib", `package lib
type Ctx interface { Value(k any) any }
type ctx struct{}
func (ctx) Value(k any) any { return nil }
type Group struct{ n int }
type Cancel func()
type V struct{ p *int }
type Bytes []byte
func same(b []byte) []byte
func named(b []byte) Bytes
func split(b []byte) [][]byte
func derive(c Ctx) Ctx
func group(c Ctx) *Group
func cancel(c Ctx) Cancel
func find(c Ctx) ctx
func anyOf(g *Group) any
func ctxOf(g *Group) Ctx
func value(p *int) V
func of(v V) *int
func pick[T any](c Ctx) T { panic(c) }
`)
	for name, want := range map[string]bool{
		"same": true, "named": true, "split": false, "derive": true, "group": false, "cancel": false,
		"find": true, "anyOf": true, "ctxOf": false, "value": true, "of": true, "pick": true,
	} {
		sig := pkg.Scope().Lookup(name).(*types.Func).Signature()
		if got := Passes(sig.Params().At(0).Type(), sig.Results().At(0).Type()); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

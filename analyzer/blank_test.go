package analyzer

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// declared lists the declarations of a file without bodies, by position.
func declared(t *testing.T, name string, src []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			fn.Body.List = nil
		}
	}
	var out bytes.Buffer
	if err := ast.Fprint(&out, fset, file, func(name string, _ reflect.Value) bool { return name != "Comments" }); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Without bodies a file declares what it did, at the same places; and the bodies
// are gone.
func TestWithoutBodies(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"fmt", "go/types", "net/http", "reflect", "runtime", "slices", "unicode"} {
		files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := declared(t, name, withoutBodies(src)), declared(t, name, src); got != want {
				t.Errorf("%s declares something else without bodies", name)
			}
		}
	}
}

// TestBlank looks at what could be taken for a body, or for its end.
func TestBlank(t *testing.T) {
	const head = "package p\n"
	for _, test := range []string{
		`func f() { GONE }`,
		`func f() { "}"; '}'; '\''; "\""; GONE }`,
		"func f() { `}\n`; GONE }\nvar x = `func g() { stays }`",
		"func f() { // }\n GONE /* } */ }",
		"func f() struct{ stays int } { GONE }",
		"func f() (struct{ stays int }, interface{ Stays() }) { GONE }",
		"func f() interface {\n\tStays()\n} { GONE }",
		"func f() map[string]struct{} { GONE }",
		"func f() func(struct{}) struct{} { GONE }",
		"func f[T interface{ ~int; Stays() }](x [N]T, stays ...T) { GONE }",
		"func (t *T[K, V]) f(stays struct{ int }) { if x { GONE } else { GONE } }",
		"func stays()\nfunc f() { GONE }",
		"func stays() int // no body {\nfunc f() { GONE }",
		"var x = func() { stays }\nfunc f() { GONE }",
		"type T struct {\n\tstays func()\n}\n\nfunc f() {\n\tGONE\n}\n\n/*\nfunc f() { stays }\n*/",
		"// func f() { stays }\nfunc init() { GONE }",
		"//line other.go:7\nfunc f() { stays }",
		"func f() { /*line other.go:7*/ stays }",
	} {
		got := string(withoutBodies([]byte(head + test)))
		if strings.Contains(got, "GONE") || len(got) != len(head+test) || strings.Count(got, "\n") != strings.Count(head+test, "\n") {
			t.Errorf("%s\n%s", test, got)
		}
		if strings.Count(got, "stays") != strings.Count(test, "stays") || strings.Count(got, "Stays") != strings.Count(test, "Stays") {
			t.Errorf("too much is gone: %s\n%s", test, got)
		}
	}
	for _, broken := range []string{"func", "func ", "func f(", "func f() {", "func f() { \"", "func f() { `", "func f() { /*", "func f() { '\\", "\"", "`", "/*", "'"} {
		withoutBodies([]byte(broken)) // must not panic
	}
}

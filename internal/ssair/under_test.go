package ssair

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestUnder asks for the underlying types of type parameters.
func TestUnder(t *testing.T) {
	const src = `package p
type ints interface{ ~int }
type byteses interface{ ~[]byte; Len() int }
type nested interface{ byteses; comparable }
func F[A any, B ~[]A, C ints, D int | string, E byteses, G nested, H ~[]byte | ~string, I interface{ ~chan A; M() }]() {}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := pkg.Scope().Lookup("F").Type().(*types.Signature).TypeParams()
	want := []string{"any", "[]A", "int", "int | string", "[]byte", "[]byte", "[]byte", "chan A"}
	for i := range params.Len() {
		if got := Under(params.At(i)).String(); got != want[i] {
			t.Errorf("Under(%s) = %s, want %s", params.At(i), got, want[i])
		}
	}
	if got := Under(pkg.Scope().Lookup("ints").Type()); !types.IsInterface(got) {
		t.Errorf("Under(ints) = %s, want an interface", got)
	}
}

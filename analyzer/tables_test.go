package analyzer

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// What is left of initialisers has all pointers, calls and lengths.
func TestDropTables(t *testing.T) {
	const src = `package p

type pair struct {
	a int
	s string
}

var n = 3

var (
	array   = [...]int{1, 2, 3}
	nested  = [2][2]pair{{{1, "a"}}, {{2, "b"}}}
	slice   = []pair{{1, "a"}, {2, "b"}}
	keyed   = []string{5: "f", 2: "c", "d"}
	inside  = &struct{ t []byte }{t: []byte{1, 2}}
	many    = [][]int{{1, 2}, {3}}
	one     = []int{1}
	calls   = []int{f(), 2}
	variable = []int{n, 2}
	pointer = []*pair{{1, "a"}, nil}
	any     = []interface{}{1, 2}
	table   = map[string]int{"a": 1, "b": 2}
	literal = func() []int { return []int{1, 2} }
)

func f() int { return len([]int{1, 2}) }
`
	want := strings.NewReplacer(
		"{1, 2, 3}", "{}",
		`{{{1, "a"}}, {{2, "b"}}}`, "{}",
		`{{1, "a"}, {2, "b"}}`, `{1: {2, "b"}}`,
		`{5: "f", 2: "c", "d"}`, `{5: "f"}`,
		"[]byte{1, 2}", "[]byte{1: 2}",
		"{{1, 2}, {3}}", "{{1: 2}, {3}}",
	).Replace(src)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Instances: make(map[*ast.Ident]types.Instance),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	pkg := types.NewPackage("p", "p")
	if err := types.NewChecker(new(types.Config), fset, pkg, info).Files([]*ast.File{f}); err != nil {
		t.Fatal(err)
	}
	dropTables([]*ast.File{f}, info)
	var got strings.Builder
	if err := format.Node(&got, fset, f); err != nil {
		t.Fatal(err)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if squeeze(got.String()) != squeeze(want) {
		t.Errorf("got\n%s", got.String())
	}
	prog := ssa.NewProgram(fset, ssa.SanityCheckFunctions)
	prog.CreatePackage(pkg, []*ast.File{f}, info, false).Build()
}

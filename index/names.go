package index

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// rangeNames finds the variables of range loops. SSA does not keep them: the
// k-th header of a range loop belongs to the k-th range statement, unless
// blocks were found dead, and then there are no names.
func (b *builder) rangeNames() map[*ssa.BasicBlock]string {
	if b.ranges != nil {
		return b.ranges
	}
	b.ranges = make(map[*ssa.BasicBlock]string)
	var body *ast.BlockStmt
	switch n := b.f.SSA.Syntax().(type) {
	case *ast.FuncDecl:
		body = n.Body
	case *ast.FuncLit:
		body = n.Body
	}
	if body == nil {
		return b.ranges
	}
	var headers []*ssa.BasicBlock
	for _, blk := range b.f.SSA.Blocks {
		switch blk.Comment {
		case "rangeindex.loop", "rangeint.body", "rangeiter.loop", "rangechan.loop":
			headers = append(headers, blk)
		}
	}
	var names []string
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			name := ""
			if id, ok := n.Key.(*ast.Ident); ok && id.Name != "_" {
				name = id.Name
			}
			names = append(names, name)
		}
		return true
	})
	if len(names) == len(headers) {
		for i, h := range headers {
			b.ranges[h] = names[i]
		}
	}
	return b.ranges
}

// phiName is the variable that a phi stands for; of a range loop's own phi the
// kind and the variable: "rangeint x".
func (b *builder) phiName(x *ssa.Phi) string {
	if !strings.HasPrefix(x.Comment, "range") {
		return x.Comment
	}
	kind, _, _ := strings.Cut(x.Comment, ".")
	return kind + " " + b.rangeNames()[x.Block()]
}

// rangeVar returns the variable named by phiName for a range loop's phi.
func rangeVar(s string) (kind, name string, ok bool) {
	if !strings.HasPrefix(s, "range") {
		return "", "", false
	}
	kind, name, ok = strings.Cut(s, " ")
	if ok && name == "" {
		name = "i"
	}
	return kind, name, ok
}

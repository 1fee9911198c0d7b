package pta

import (
	"go/constant"
	"strings"

	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// namesTypes reports whether operand k of a call is formatted, and the format
// asks for nothing but types and addresses: the operands are not looked into.
func namesTypes(e *library.Func, args []ssa.Value, k int) bool {
	formatted := false
	for _, f := range e.Formats {
		formatted = formatted || f == k
	}
	if k < 0 {
		k = len(args) - 1 // the variadic arguments
	}
	if !formatted || k <= 0 || k >= len(args) {
		return false
	}
	c, ok := args[k-1].(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return false
	}
	verbs := 0
	for s := constant.StringVal(c.Value); ; {
		_, rest, found := strings.Cut(s, "%")
		if !found {
			return verbs > 0
		}
		rest = strings.TrimLeft(rest, "+-# 0123456789.[]")
		if rest == "" || !strings.ContainsRune("Tp%", rune(rest[0])) {
			return false
		}
		if rest[0] != '%' {
			verbs++
		}
		s = rest[1:]
	}
}

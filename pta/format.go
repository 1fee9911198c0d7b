package pta

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// namesTypes reports whether operand k of a call is formatted, and the format
// asks for nothing but types and addresses, and numbers and strings that are passed as such: the
// operands are not looked into.
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
	verbs, indexed, other := 0, false, []int(nil)
	for s := constant.StringVal(c.Value); ; {
		_, rest, found := strings.Cut(s, "%")
		if !found {
			break
		}
		flags := len(rest)
		s = strings.TrimLeft(rest, "+-# 0123456789.[]")
		flags -= len(s)
		indexed = indexed || strings.ContainsAny(rest[:flags], "[")
		if s == "" {
			return false
		}
		if !strings.ContainsRune("Tp%", rune(s[0])) {
			if s[0] == '*' {
				return false // the width is an operand, too
			}
			other = append(other, verbs)
		}
		if s[0] != '%' {
			verbs++
		}
		s = s[1:]
	}
	if len(other) == 0 {
		return verbs > 0
	}
	if indexed {
		return false
	}
	plain := plainOperands(args[k])
	return !slices.ContainsFunc(other, func(n int) bool { return !plain[n] })
}

// plainOperands tells which of the variadic operands that make up a slice are numbers or strings.
func plainOperands(v ssa.Value) map[int]bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	list, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	plain := make(map[int]bool)
	for _, r := range *list.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		n, ok := at.Index.(*ssa.Const)
		if !ok {
			return nil
		}
		for _, r := range *at.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				if i, ok := st.Val.(*ssa.MakeInterface); ok {
					_, plain[int(n.Int64())] = types.Unalias(i.X.Type()).(*types.Basic)
				}
			}
		}
	}
	return plain
}

package pta

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// namesTypes reports whether operand k of a call is formatted, and the format
// asks for nothing but types and addresses, and numbers and strings that are passed as such: the
// operands are not looked into.
func namesTypes(e *library.Func, args []ssa.Value, k int) bool {
	if !slices.Contains(e.Formats, k) {
		return false
	}
	if k < 0 {
		k = len(args) - 1 // the variadic arguments
	}
	format, ok := formatOf(args, k)
	if !ok {
		return false
	}
	verbs, indexed := verbsOf(format)
	some, plain := false, map[int]bool(nil)
	if !indexed {
		plain = plainOperands(args[k])
	}
	for n, verb := range verbs {
		some = true
		if !strings.ContainsRune("Tp", verb) && !plain[n] {
			return false
		}
	}
	return some
}

// formatOf returns the format of operand k of a call, which stands before it, if that is a constant.
func formatOf(args []ssa.Value, k int) (format string, ok bool) {
	if k <= 0 || k >= len(args) {
		return "", false
	}
	c, ok := args[k-1].(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// verbsOf lists the verbs of a format, in order, as far as each is for the next operand; indexed is set if some
// may be for another one.
func verbsOf(format string) (verbs []rune, indexed bool) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return verbs, indexed
		}
		flags := len(rest)
		format = strings.TrimLeft(rest, "+-# 0123456789.[]")
		flags -= len(format)
		indexed = indexed || strings.ContainsAny(rest[:flags], "[")
		if format == "" {
			return append(verbs, '!'), true
		}
		verb, size := utf8.DecodeRuneInString(format)
		format = format[size:]
		switch verb {
		case '%':
		case '*': // the width is an operand, too
			verbs, indexed = append(verbs, verb), true
		default:
			verbs = append(verbs, verb)
		}
	}
}

// namedOnly reports whether a store puts an operand in its place among the variadic ones of a call that formats them, and the
// format asks for its type, or its address, and nothing else:
//
//	fmt.Errorf("%T: %w", c, err)
//
// So c is none of what the call looks into.
func (l *lowerer) namedOnly(st *ssa.Store) bool {
	ia, ok := st.Addr.(*ssa.IndexAddr)
	if !ok || !isVarargs(ia.X) {
		return false
	}
	n, ok := ia.Index.(*ssa.Const)
	if !ok {
		return false
	}
	for _, r := range *ia.X.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, use := range *s.Referrers() {
			call, ok := use.(ssa.CallInstruction)
			if !ok || call.Common().StaticCallee() == nil {
				return false
			}
			e, args := l.p.entry(call.Common().StaticCallee()), call.Common().Args
			k := len(args) - 1
			if e == nil || k < 0 || args[k] != ssa.Value(s) || !slices.Contains(e.Formats, -1) && !slices.Contains(e.Formats, k) {
				return false
			}
			format, ok := formatOf(args, k)
			if !ok {
				return false
			}
			verbs, indexed := verbsOf(format)
			if i := int(n.Int64()); indexed || i >= len(verbs) || verbs[i] != 'T' && !(verbs[i] == 'p' && hasAddress(st.Val)) {
				return false
			}
		}
	}
	return true
}

// hasAddress reports whether %p prints an operand as an address, and does not complain and print what it is.
func hasAddress(v ssa.Value) bool {
	i, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	switch ssair.Under(i.X.Type()).(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Signature:
		return true
	}
	return false
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

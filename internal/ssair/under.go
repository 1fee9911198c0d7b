package ssair

import "go/types"

// Under returns the underlying type of t. The body of a generic function that
// nothing instantiates is analysed as it stands: of a type parameter that is
// what all its type arguments have for an underlying type, if the constraint
// says so, and the constraint's interface otherwise.
func Under(t types.Type) types.Type {
	u := t.Underlying()
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		if iface, ok := p.Constraint().Underlying().(*types.Interface); ok {
			if c := core(iface, 8); c != nil {
				return c
			}
		}
	}
	return u
}

// IsInteger reports whether t is an integer type.
func IsInteger(t types.Type) bool {
	b, ok := Under(t).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// core returns the underlying type that all terms of a constraint share, or nil.
func core(iface *types.Interface, depth int) types.Type {
	var out types.Type
	for i := range iface.NumEmbeddeds() {
		terms := []types.Type{iface.EmbeddedType(i)}
		if u, ok := terms[0].(*types.Union); ok {
			terms = terms[:0]
			for term := range u.Terms() {
				terms = append(terms, term.Type())
			}
		}
		var same types.Type
		for k, t := range terms {
			c := t.Underlying()
			if in, ok := c.(*types.Interface); ok {
				if c = nil; depth > 0 {
					c = core(in, depth-1)
				}
				if c == nil && len(terms) == 1 {
					break // methods, or comparable
				}
			}
			switch {
			case k > 0 && isString(c) && isBytes(same):
				c = same // bytes, some of which nobody can write
			case k > 0 && (isString(same) && isBytes(c)):
			case c == nil || k > 0 && !types.Identical(same, c):
				return nil
			}
			same = c
		}
		if same != nil {
			out = same // other embedded interfaces narrow further
		}
	}
	return out
}

func isString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.String
}

func isBytes(t types.Type) bool {
	s, ok := t.(*types.Slice)
	return ok && types.Identical(s.Elem().Underlying(), types.Typ[types.Byte])
}

package flow

import (
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// nonZero reports whether v is known not to be the zero value of its type: an
// address, new memory, or a variable that only ever held one.
func nonZero(v ssa.Value) bool {
	for range 8 {
		switch x := v.(type) {
		case *ssa.Convert:
			if !pointer(x.X.Type()) || !pointer(x.Type()) {
				return false
			}
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			st, ok := ssair.AssignedBefore(x)
			if !ok {
				return false
			}
			v = st.Val
		case *ssa.Alloc, *ssa.Global, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Function, *ssa.FieldAddr, *ssa.IndexAddr:
			return true
		default:
			return false
		}
	}
	return false
}

// pointer reports whether t is a pointer or an unsafe.Pointer: a conversion
// between these keeps what is not nil so.
func pointer(t types.Type) bool {
	switch u := ssair.Under(t).(type) {
	case *types.Pointer:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// zeroOf is the nil of v's type.
func zeroOf(v ssa.Value) ssa.Value { return ssa.NewConst(nil, v.Type()) }

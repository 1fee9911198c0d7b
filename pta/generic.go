package pta

import (
	"go/token"
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// vague returns an instruction of a generic function's own body that works on
// what a type argument is made of, where the constraint leaves that open: it
// ranges over a slice or a map. Other bodies are lowered as they stand, a value
// of unknown type being like one in an interface.
func vague(fn *ssa.Function) ssa.Instruction {
	if fn.TypeParams().Len() == 0 || len(fn.TypeArgs()) > 0 {
		return nil
	}
	open := func(vs ...ssa.Value) bool {
		for _, v := range vs {
			if v == nil {
				continue
			}
			for _, t := range []types.Type{v.Type(), deref(v.Type())} {
				if _, param := types.Unalias(t).(*types.TypeParam); param && types.IsInterface(ssair.Under(t)) {
					return true
				}
			}
		}
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			found := false
			switch in := in.(type) {
			case *ssa.IndexAddr:
				found = open(in.X)
			case *ssa.Index:
				found = open(in.X)
			case *ssa.Slice:
				found = open(in.X)
			case *ssa.Range:
				found = open(in.X)
			case *ssa.Lookup:
				found = open(in.X)
			case *ssa.MapUpdate:
				found = open(in.Map)
			case *ssa.Send:
				found = open(in.Chan)
			case *ssa.UnOp:
				found = in.Op == token.ARROW && open(in.X)
			case *ssa.Select:
				for _, st := range in.States {
					found = found || open(st.Chan)
				}
			case *ssa.MakeSlice:
				found = open(in)
			case *ssa.MakeMap:
				found = open(in)
			case *ssa.MakeChan:
				found = open(in)
			case *ssa.Call:
				if b, builtin := in.Call.Value.(*ssa.Builtin); builtin {
					switch args := in.Call.Args; b.Name() {
					case "min", "max": // of values
					case "delete":
						found = open(args[0]) // whatever the key is
					default:
						found = open(args...)
					}
				}
			}
			if found {
				return in
			}
		}
	}
	return nil
}

package ssair

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// LastStore returns the last store before a load to the address that it loads from,
// in the same block, or nil: what a variable holds there, if nothing else can change
// it. go/ssa keeps the results of functions that defer in such variables.
func LastStore(load *ssa.UnOp) (last *ssa.Store) {
	for _, in := range load.Block().Instrs {
		if in == ssa.Instruction(load) {
			break
		}
		if st, ok := in.(*ssa.Store); ok && st.Addr == load.X {
			last = st
		}
	}
	return last
}

// IsMap reports whether a type is that of maps.
func IsMap(t types.Type) bool {
	_, ok := Under(t).(*types.Map)
	return ok
}

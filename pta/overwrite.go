package pta

import (
	"golang.org/x/tools/go/ssa"
)

// overwritten returns the leaves of a struct, new with the store that fills it,
// that are set anew before anyone can look at them: in
//
//	d := *c
//	d.user = &user{…}
//	return &d
//
// no one ever finds c's user in d. Only what follows the store in its block
// counts, up to the first instruction that does more with the struct than set a
// field.
func (l *lowerer) overwritten(in *ssa.Store) map[int32]bool {
	cell, ok := in.Addr.(*ssa.Alloc)
	if !ok || cell.Block() != in.Block() {
		return nil
	}
	var out map[int32]bool
	stored := false
	fields := make(map[ssa.Value]int)
	for _, x := range in.Block().Instrs {
		switch x := x.(type) {
		case *ssa.FieldAddr:
			if x.X == cell && stored {
				fields[x] = x.Field
				continue
			}
		case *ssa.Store:
			if x == in {
				stored = true
				continue
			}
			if f, ok := fields[x.Addr]; ok && x.Val != ssa.Value(cell) && !isField(fields, x.Val) {
				if out == nil {
					out = make(map[int32]bool)
				}
				from := l.p.types.fieldOffset(deref(cell.Type()), f)
				for i := range l.leaves(x.Val.Type()) {
					out[from+i] = true
				}
				continue
			}
		case *ssa.DebugRef, *ssa.Alloc:
			continue
		}
		for _, op := range x.Operands(nil) {
			if *op == ssa.Value(cell) || isField(fields, *op) {
				return out
			}
		}
	}
	return out
}

func isField(fields map[ssa.Value]int, v ssa.Value) bool {
	_, ok := fields[v]
	return ok
}

package flow

import (
	"go/types"

	"github.com/iterace/iterace/model/library"
)

// This file is about locks behind interfaces of the program's own, of which nothing in view is an implementation:
//
//	type Mutex interface {
//		Lock()
//		Unlock()
//	}
//
// Whatever the value is, Lock takes a lock, and Unlock releases it (soundness: lockers). Where implementations are in view, what they
// do tells.

// LockerOp returns what a method of that name does to a lock, if it is one of a lock.
func LockerOp(name string) library.Op {
	switch name {
	case "Lock":
		return library.OpLock
	case "Unlock":
		return library.OpUnlock
	case "RLock":
		return library.OpRLock
	case "RUnlock":
		return library.OpRUnlock
	}
	return library.OpNone
}

// undone names, by operation, the method that undoes it.
var undone = map[library.Op]string{library.OpLock: "Unlock", library.OpUnlock: "Lock", library.OpRLock: "RUnlock", library.OpRUnlock: "RLock"}

// lockerOp is LockerOp for a method of an interface, which must have the method that undoes it, too; both take and return nothing.
func lockerOp(m *types.Func) library.Op {
	op := LockerOp(m.Name())
	recv := m.Signature().Recv()
	if op == library.OpNone || recv == nil || !takesNothing(m) {
		return library.OpNone
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return library.OpNone
	}
	for i := range iface.NumMethods() {
		if x := iface.Method(i); x.Name() == undone[op] && takesNothing(x) {
			return op
		}
	}
	return library.OpNone
}

// takesNothing reports whether a method takes and returns nothing.
func takesNothing(m *types.Func) bool {
	return m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 0
}

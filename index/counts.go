package index

import (
	"strings"

	"github.com/iterace/iterace/internal/ssair"
)

// A Change is what an instruction makes of an integer in memory, if that is a
// matter of constants.
type Change struct {
	Known bool
	Set   bool  // it is set to By, or else By is added to it by an atomic operation
	Plain bool  // it is set by an assignment, which races with what else is done to it
	By    int64 // no more than a 32-bit number
}

// Changes returns what an instruction of the function makes of the integer that it
// writes.
func (fn *Func) Changes(at ssair.Instr) (x Change) {
	c := fn.body()
	if c == nil || at < 0 {
		return x
	}
	v := c.get(c.at[at])
	switch {
	case v.op == opStore && len(v.a) == 2:
		x.Set, x.Plain = true, true
	case v.op != opCall || v.n != 0 || len(v.a) != 3:
		return x
	case isAtomic(v.s, "Add"):
	case isAtomic(v.s, "Store"):
		x.Set = true
	default:
		return x
	}
	k := c.get(v.a[len(v.a)-1])
	if k.op == opConst && k.n > -huge && k.n < huge {
		x.Known, x.By = true, k.n
	}
	return x
}

// isAtomic reports whether a name is that of the function, or one of the methods,
// of sync/atomic by which integers are added to, or set.
func isAtomic(name, what string) bool {
	name, ok := strings.CutPrefix(strings.TrimPrefix(name, "(*"), "sync/atomic.")
	if !ok {
		return false
	}
	if typ, method, ok := strings.Cut(name, ")."); ok {
		return method == what && isIntType(typ)
	}
	typ, ok := strings.CutPrefix(name, what)
	return ok && isIntType(typ)
}

func isIntType(name string) bool {
	switch name {
	case "Int32", "Int64", "Uint32", "Uint64", "Uintptr":
		return true
	}
	return false
}

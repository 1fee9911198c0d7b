package index

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file decides what captured variables hold.

// onlyLoads reports whether the closure, and closures made in it, only load
// the variable that p is bound as.
func onlyLoads(mc *ssa.MakeClosure, p ssa.Value, depth int) bool {
	fn := mc.Fn.(*ssa.Function)
	if depth > 4 {
		return false
	}
	for i, x := range mc.Bindings {
		if x == p && !loadsOnly(fn.FreeVars[i], depth) {
			return false
		}
	}
	return true
}

func loadsOnly(p ssa.Value, depth int) bool {
	if p.Referrers() == nil {
		return false
	}
	for _, u := range *p.Referrers() {
		switch u := u.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if _, _, ok := partOf(u.(ssa.Value)); !ok || depth > 4 || !loadsOnly(u.(ssa.Value), depth+1) {
				return false
			}
		case *ssa.MakeClosure:
			if !onlyLoads(u, p, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// captured returns what the closure's free variables hold, as far as that is
// settled when the closure is made: nothing is stored later, unless to a new
// incarnation of the variable.
func (b *builder) captured(mc *ssa.MakeClosure) []binding {
	var out []binding
	n := int32(b.f.Num(mc))
	for i, p := range mc.Bindings {
		c := b.cellOf(p)
		if c == nil {
			continue
		}
		settled := true
		for _, s := range c.stores {
			settled = settled && !b.f.Reaches(mc, s.in, c.def)
		}
		if !settled {
			continue
		}
		for _, path := range leafPaths(deref(p.Type())) {
			if v := b.readAt(p, c, path, mc.Block(), n); v != 0 {
				out = append(out, binding{int32(i), path, v})
			}
		}
	}
	return out
}

// leafPaths lists the field paths of a variable whose values are kept: the
// variable, or the fields of a small struct, and those of structs in it as long as
// they are few.
func leafPaths(t types.Type) []string {
	if _, part := parts(t); part == nil {
		return []string{""}
	}
	type field struct {
		t    types.Type
		path string
	}
	var out []string
	level := []field{{t, ""}}
	for range maxNested {
		var next []field
		n := len(out)
		for _, l := range level {
			all, part := parts(l.t)
			if all > maxLeaves {
				continue
			}
			for i := range all {
				f := field{part(i), l.path + fieldStep(i)}
				if _, nested := parts(f.t); nested != nil {
					next = append(next, f)
				} else if kindOf(f.t) != kOther {
					out = append(out, f.path)
				}
			}
		}
		if len(out) > maxLeaves {
			return out[:n]
		}
		level = next
	}
	return out
}

// Bounds on the fields of a captured struct that are followed, and on how deep they lie.
const (
	maxLeaves = 16
	maxNested = 2
)

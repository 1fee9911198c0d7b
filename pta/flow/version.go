package flow

import (
	"go/types"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model/library"
)

// versions tells, for one class of memory, which instruction may have written
// it last at the start of each block: memory SSA for that class. Two loads of
// one address in one version yield the same value.
//
// Classes are by type: a field of a struct type, the elements of a type, one
// variable. A write by another thread makes no version: it would be a race of
// its own, and is reported as such (soundness: stable-base).
type versions struct {
	class string
	own   bool // a variable that this function alone stores to
	in    []ssair.Instr
	kills []ssair.Instr // sorted
}

const versionUnset ssair.Instr = -3

// A block whose predecessors disagree begins a version of its own, numbered
// from here down so as not to meet an instruction's.
const versionBlock ssair.Instr = -1000

// version returns the version of the memory that v loads.
func (b *builder) version(v *ssa.UnOp) ssair.Instr {
	class := memClass(v.X)
	vs := b.mem[class]
	if vs == nil {
		vs = b.versions(class, ownVariable(v.X))
		if b.mem == nil {
			b.mem = make(map[string]*versions)
		}
		b.mem[class] = vs
	}
	blk := v.Block()
	return vs.at(b.ir, blk.Index, b.ir.Num(v))
}

func (vs *versions) at(ir *ssair.Func, blk int, before ssair.Instr) ssair.Instr {
	cur := vs.in[blk]
	for _, k := range vs.kills {
		if k >= ir.Start[blk] && k < before {
			cur = k
		}
	}
	return cur
}

func (b *builder) versions(class string, own bool) *versions {
	blocks := b.ir.SSA.Blocks
	vs := &versions{class: class, own: own, in: make([]ssair.Instr, len(blocks))}
	for i, blk := range blocks {
		vs.in[i] = versionUnset
		for k, in := range blk.Instrs {
			if b.mayWrite(in, vs) {
				vs.kills = append(vs.kills, b.ir.Start[i]+ssair.Instr(k))
			}
		}
	}
	if len(blocks) == 0 {
		return vs
	}
	vs.in[0] = versionEntry
	for changed := true; changed; {
		changed = false
		for i, blk := range blocks {
			if i == 0 && len(blk.Preds) == 0 {
				continue
			}
			own := versionBlock - ssair.Instr(i)
			if vs.in[i] == own {
				continue
			}
			meet := versionUnset
			if i == 0 {
				meet = versionEntry
			}
			for _, p := range blk.Preds {
				out := vs.at(b.ir, p.Index, b.ir.Start[p.Index+1])
				switch {
				case out == versionUnset || out == meet:
				case meet == versionUnset:
					meet = out
				default:
					meet = own
				}
			}
			if meet != vs.in[i] {
				vs.in[i] = meet
				changed = true
			}
		}
	}
	return vs
}

// mayWrite reports whether in may write memory of the class.
func (b *builder) mayWrite(in ssa.Instruction, vs *versions) bool {
	class := vs.class
	switch in := in.(type) {
	case *ssa.Store:
		c := memClass(in.Addr)
		if c == class {
			return true
		}
		if vs.own {
			return false
		}
		if _, ok := ssair.Under(in.Val.Type()).(*types.Struct); ok {
			return true
		}
		return opaque(in.Addr) && valueClass(in.Val.Type()) == valueOf(class)
	case *ssa.Call:
		if vs.own {
			return false
		}
		if elem := overwritten(&in.Call); elem != nil {
			return elementMayBe(elem, class)
		}
		return b.callMayWrite(&in.Call)
	case *ssa.RunDefers, *ssa.MapUpdate:
		return false
	}
	return false
}

func (b *builder) callMayWrite(c *ssa.CallCommon) bool {
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return false
	}
	f := b.lib.Func(calleeName(c))
	if f == nil {
		return true
	}
	switch f.Op {
	case library.OpWGWait, library.OpJoin, library.OpOnce, library.OpMapRange, library.OpParallel:
		return true // what they wait for, or run, may write
	}
	return len(f.Calls) > 0 || len(f.Writes) > 0 || len(f.DeepWrites) > 0
}

// overwritten returns the type of the elements that a builtin function writes, nil
// for any other call.
func overwritten(c *ssa.CallCommon) types.Type {
	bi, ok := c.Value.(*ssa.Builtin)
	if !ok {
		return nil
	}
	switch bi.Name() {
	case "append", "copy", "clear":
		if s, ok := ssair.Under(c.Args[0].Type()).(*types.Slice); ok {
			return s.Elem()
		}
	}
	return nil
}

// elementMayBe reports whether an element of a slice may be memory of a class, or
// hold it: it is no variable, and has fields only if it is a struct.
func elementMayBe(elem types.Type, class string) bool {
	if _, ok := types.Unalias(elem).(*types.TypeParam); ok {
		return true
	}
	switch ssair.Under(elem).(type) {
	case *types.Struct, *types.Array:
		return true
	}
	of := valueOf(class)
	if strings.HasPrefix(of, "[") && !strings.HasPrefix(of, "[]") {
		return true // an array, of which there may be a slice
	}
	kind, _, _ := strings.Cut(class, "|")
	return (kind == "elem" || kind == "any") && of == valueClass(elem)
}

// ownVariable reports whether addr is a variable that only this function stores
// to, however many closures read it: no call changes it.
func ownVariable(addr ssa.Value) bool {
	a, ok := addr.(*ssa.Alloc)
	if !ok {
		return false
	}
	var st *ssa.Store
	all, own := 0, 0
	if !ssair.OnlyCells(a, &st, &all, 0) {
		return false
	}
	for _, r := range *a.Referrers() {
		if _, ok := r.(*ssa.Store); ok {
			own++
		}
	}
	return own == all
}

// opaque reports whether addr may point to a field or variable of any class
// with its type.
func opaque(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Global, *ssa.Alloc, *ssa.FreeVar:
		return false
	}
	return true
}

// memClass names the class of memory behind an address: "kind name|type".
func memClass(addr ssa.Value) string {
	elem := addr.Type()
	if p, ok := ssair.Under(elem).(*types.Pointer); ok {
		elem = p.Elem()
	}
	suffix := "|" + valueClass(elem)
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		t := a.X.Type()
		if p, ok := ssair.Under(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		return "field " + t.String() + "." + fieldName(a.X.Type(), a.Field) + suffix
	case *ssa.IndexAddr:
		return "elem" + suffix
	case *ssa.Global:
		return "global " + a.String() + suffix
	case *ssa.Alloc:
		return "cell " + a.Name() + suffix
	case *ssa.FreeVar:
		return "cell " + a.Name() + suffix
	}
	return "any" + suffix
}

func valueClass(t types.Type) string { return ssair.Under(t).String() }

func valueOf(class string) string {
	for i := len(class) - 1; i >= 0; i-- {
		if class[i] == '|' {
			return class[i+1:]
		}
	}
	return ""
}

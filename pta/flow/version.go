package flow

import (
	"go/types"
	"slices"
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
	in    []ssair.Instr // by block
	kills []ssair.Instr // sorted
}

const versionUnset ssair.Instr = -3

// A block whose predecessors disagree begins a version of its own, numbered
// from here down so as not to meet an instruction's.
const versionBlock ssair.Instr = -1000

// version returns the version of the memory that v loads.
func (b *builder) version(v *ssa.UnOp) ssair.Instr {
	class := b.memClass(v.X)
	vs := b.mem[class]
	if vs == nil {
		vs = b.versions(class, ownVariable(v.X))
		if b.mem == nil {
			b.mem = make(map[string]*versions)
		}
		b.mem[class] = vs
	}
	blk := v.Block()
	return vs.at(b.ir.Start[blk.Index], vs.in[blk.Index], b.ir.Num(v))
}

// at returns the version before an instruction of the block that begins at start
// in version in.
func (vs *versions) at(start, in, before ssair.Instr) ssair.Instr {
	i, _ := slices.BinarySearch(vs.kills, before)
	if i > 0 && vs.kills[i-1] >= start {
		return vs.kills[i-1]
	}
	return in
}

func (b *builder) versions(class string, own bool) *versions {
	blocks := b.ir.SSA.Blocks
	vs := &versions{in: make([]ssair.Instr, len(blocks)), kills: b.writersOf(class, own)}
	if len(blocks) == 0 {
		return vs
	}
	if len(vs.kills) == 0 {
		for i := range vs.in {
			vs.in[i] = versionEntry
		}
		return vs
	}
	last := make([]ssair.Instr, len(blocks)) // the write that leaves a block
	for i := range blocks {
		vs.in[i] = versionUnset
		last[i] = vs.at(b.ir.Start[i], versionUnset, b.ir.Start[i+1])
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
				out := last[p.Index]
				if out == versionUnset {
					out = vs.in[p.Index]
				}
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

// writers are the instructions of a function that may write memory, by what they
// may write.
type writers struct {
	classes map[string][]ssair.Instr // stores, by the class of their address
	opaque  map[string][]ssair.Instr // stores to an address that may be any of a type, by the class of the value
	all     []ssair.Instr            // calls
	elems   []partsWriter            // of elements of slices
	structs []partsWriter
}

// A partsWriter is an instruction that writes all of some memory of a type.
type partsWriter struct {
	at ssair.Instr
	of types.Type
}

// parts is what memory of a type consists of: the structs in it, that itself among them, and the types of
// all values in it, as in the names of classes.
type parts struct {
	structs []string
	values  []string
	open    bool // some are of a type parameter
}

// has reports whether memory of a class may be a part, or such memory itself.
func (p *parts) has(class string) bool {
	if p.open {
		return true
	}
	kind, rest, _ := strings.Cut(class, " ")
	if kind == "field" {
		return slices.ContainsFunc(p.structs, func(name string) bool {
			f, ok := strings.CutPrefix(rest, name)
			return ok && strings.HasPrefix(f, ".")
		})
	}
	return slices.Contains(p.values, valueOf(class))
}

// partsOf returns those of a type.
func (b *builder) partsOf(t types.Type) *parts {
	if p := b.parts[t]; p != nil {
		return p
	}
	p := new(parts)
	var add func(t types.Type)
	add = func(t types.Type) {
		t = types.Unalias(t)
		if _, ok := t.(*types.TypeParam); ok {
			p.open = true
		}
		p.values = append(p.values, b.valueClass(t))
		switch u := ssair.Under(t).(type) {
		case *types.Struct:
			p.structs = append(p.structs, b.typeName(t))
			for i := range u.NumFields() {
				add(u.Field(i).Type())
			}
		case *types.Array:
			add(u.Elem())
		}
	}
	add(t)
	if b.parts == nil {
		b.parts = make(map[types.Type]*parts)
	}
	b.parts[t] = p
	return p
}

// writersOf returns, in order, the instructions that may write memory of a class;
// own says that only stores to it do.
func (b *builder) writersOf(class string, own bool) []ssair.Instr {
	if b.writers == nil {
		b.writers = b.allWriters()
	}
	w := b.writers
	stores := w.classes[class]
	if own {
		return stores
	}
	opaque := w.opaque[valueOf(class)]
	out := make([]ssair.Instr, 0, len(stores)+len(opaque)+len(w.all))
	out = append(append(append(out, stores...), opaque...), w.all...)
	for _, e := range w.elems {
		if b.elementMayBe(e.of, class) {
			out = append(out, e.at)
		}
	}
	for _, x := range w.structs {
		if b.partsOf(x.of).has(class) {
			out = append(out, x.at)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (b *builder) allWriters() *writers {
	w := &writers{classes: make(map[string][]ssair.Instr), opaque: make(map[string][]ssair.Instr)}
	for i, blk := range b.ir.SSA.Blocks {
		for k, in := range blk.Instrs {
			at := b.ir.Start[i] + ssair.Instr(k)
			switch in := in.(type) {
			case *ssa.Store:
				c := b.memClass(in.Addr)
				w.classes[c] = append(w.classes[c], at)
				if _, ok := ssair.Under(in.Val.Type()).(*types.Struct); ok {
					w.structs = append(w.structs, partsWriter{at, in.Val.Type()})
				} else if opaque(in.Addr) {
					v := b.valueClass(in.Val.Type())
					w.opaque[v] = append(w.opaque[v], at)
				}
			case *ssa.Call:
				if elem := overwritten(&in.Call); elem != nil {
					w.elems = append(w.elems, partsWriter{at, elem})
				} else if b.callMayWrite(&in.Call) {
					w.all = append(w.all, at)
				}
			}
		}
	}
	return w
}

func (b *builder) callMayWrite(c *ssa.CallCommon) bool {
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return false
	}
	f := b.lib.Called(c)
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
func (b *builder) elementMayBe(elem types.Type, class string) bool {
	if _, ok := types.Unalias(elem).(*types.TypeParam); ok {
		return true
	}
	switch ssair.Under(elem).(type) {
	case *types.Struct:
		return b.partsOf(elem).has(class)
	case *types.Array:
		return true
	}
	of := valueOf(class)
	if strings.HasPrefix(of, "[") && !strings.HasPrefix(of, "[]") {
		return true // an array, of which there may be a slice
	}
	kind, _, _ := strings.Cut(class, "|")
	return (kind == "elem" || kind == "any") && of == ssair.Under(elem).String()
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
func (b *builder) memClass(addr ssa.Value) string {
	elem := addr.Type()
	if p, ok := ssair.Under(elem).(*types.Pointer); ok {
		elem = p.Elem()
	}
	suffix := "|" + b.valueClass(elem)
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		t := a.X.Type()
		if p, ok := ssair.Under(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		return "field " + b.typeName(types.Unalias(t)) + "." + fieldName(a.X.Type(), a.Field) + suffix
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

func (b *builder) valueClass(t types.Type) string { return b.typeName(ssair.Under(t)) }

// typeName is t.String(), which is asked for each load and store.
func (b *builder) typeName(t types.Type) string {
	s, ok := b.typeNames[t]
	if !ok {
		s = t.String()
		if b.typeNames == nil {
			b.typeNames = make(map[types.Type]string)
		}
		b.typeNames[t] = s
	}
	return s
}

func valueOf(class string) string {
	for i := len(class) - 1; i >= 0; i-- {
		if class[i] == '|' {
			return class[i+1:]
		}
	}
	return ""
}

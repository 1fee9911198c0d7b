package index

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file is about loads of one place between which nothing is written:
//
//	old, next := w.buf[w.flip], w.buf[1-w.flip]
//	... // a parallel loop
//	w.flip = 1 - w.flip
//
// The field is written after the loop, so that it does not keep its value as Oracle.Kept asks. But
// both loads find the same (soundness: stable-base). What other goroutines do to it meanwhile would be a race of its own.

// Of an opLoad, val.n has these, and the number of its epoch above them.
const (
	loadEarly   = 1 << iota // what may be new is read: what its maker has stored there is a[1]
	loadSettled             // a variable that nothing is stored to any more
	loadEpoch   = 2         // bits to the right of the number
)

// callEpoch is the bits of an opCall's val.n to the right of the number of its epoch, if it writes nothing.
const callEpoch = 3

// callFlags are those bits.
const callFlags = 1<<callEpoch - 1

// epochs numbers, in each block, the loads and the calls of functions that only load by how much has been written
// before, and marks the loads of what is settled.
func (b *builder) epochs() {
	for _, blk := range b.f.SSA.Blocks {
		var loads, calls []vref
		epoch := int64(1)
		end := func() {
			// A load alone has nothing to be compared with, but in a callee.
			if len(loads)+len(calls) > 1 || b.depth > 0 {
				for _, r := range loads {
					b.c.vals[r].n |= epoch << loadEpoch
				}
				for _, r := range calls {
					b.c.vals[r].n |= epoch << callEpoch
				}
			}
			loads, calls = loads[:0], calls[:0]
			epoch++
		}
		for _, in := range blk.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				r := b.byInstr[b.f.Num(in)]
				if v := &b.c.vals[r]; r != 0 && v.op == opLoad && v.at == b.f.Num(in) && !b.isCell(in.X) {
					if stores, ok := b.settled(in); ok {
						v.n |= loadSettled
						if xs := b.elements(stores); xs != nil {
							v = &b.c.vals[r] // which b.val may have moved
							v.a = b.list(append([]vref{v.a[0]}, xs...)...)
						}
					}
					if v.kind.isInt() || v.kind == kSlice || v.kind == kPointer {
						loads = append(loads, r)
					}
				}
			case *ssa.Call:
				r := b.byInstr[b.f.Num(in)]
				if fn := in.Call.StaticCallee(); fn != nil && readsOnly(fn) {
					if v := &b.c.vals[r]; r != 0 && v.op == opCall && v.at == b.f.Num(in) && v.sub != nil {
						calls = append(calls, r)
					}
					continue
				}
			}
			if b.mayWrite(in) {
				end()
			}
		}
		end()
	}
}

// mayWrite reports whether an instruction may change what a load finds that is no load of a cell.
func (b *builder) mayWrite(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return !b.isCell(in.Addr)
	case *ssa.Call:
		return !isReader(&in.Call)
	}
	return !reads(in)
}

// reads reports whether an instruction writes nothing and waits for nothing.
func reads(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op != token.ARROW
	case *ssa.DebugRef, *ssa.BinOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Convert, *ssa.ChangeType,
		*ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Slice, *ssa.Phi, *ssa.Extract, *ssa.Alloc,
		*ssa.MakeSlice, *ssa.MakeClosure, *ssa.Lookup, *ssa.Return, *ssa.Jump, *ssa.If:
		return true
	}
	return false
}

// isReader reports whether a call is of a builtin function that writes nothing.
func isReader(call *ssa.CallCommon) bool {
	bi, ok := call.Value.(*ssa.Builtin)
	if !ok {
		return false
	}
	switch bi.Name() {
	case "len", "cap", "min", "max":
		return true
	}
	return false
}

// readsOnly reports whether a function does nothing but load and compute, straight on.
func readsOnly(fn *ssa.Function) bool {
	if len(fn.Blocks) != 1 || len(fn.Blocks[0].Instrs) > smallInstrs {
		return false
	}
	for _, in := range fn.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			if p, _ := cellPath(in.Addr); !isLocal(p) {
				return false
			}
		case *ssa.Call:
			if !isReader(&in.Call) {
				return false
			}
		default:
			if !reads(in) {
				return false
			}
		}
	}
	return true
}

func isLocal(p ssa.Value) bool {
	a, ok := p.(*ssa.Alloc)
	return ok && !a.Heap
}

// settled reports whether a load is of a variable of the function that nothing else knows, and that the function stores
// nothing to any more, and returns the stores that have come before:
//
//	buf := [2][]int{make([]int, n), make([]int, n)}
//	for step := range steps {
//		old, next := buf[step%2], buf[(step+1)%2]
//
// The variables themselves are no memory that several goroutines could have.
func (b *builder) settled(ld *ssa.UnOp) (stores []*ssa.Store, ok bool) {
	p := ld.X
	for {
		if i, ok := p.(*ssa.IndexAddr); ok && !ssair.IsSlice(i.X.Type()) {
			p = i.X
		} else if f, ok := p.(*ssa.FieldAddr); ok {
			p = f.X
		} else {
			break
		}
	}
	a, ok := p.(*ssa.Alloc)
	if !ok || a.Heap || b.f.Innermost(a.Block()) != nil || !ownUses(a, &stores, 0) {
		return nil, false
	}
	return stores, !slices.ContainsFunc(stores, func(st *ssa.Store) bool { return b.f.Reaches(ld, st, a) })
}

// elements returns what stores put into the elements of an array, where each time that is made for it; nil if something else
// is stored.
func (b *builder) elements(stores []*ssa.Store) []vref {
	var out []vref
	for _, st := range stores {
		if ld, ok := st.Val.(*ssa.UnOp); ok && ld.Op == token.MUL && isLocal(st.Addr) && isLocal(ld.X) { // all of a literal
			from, ok := b.settled(ld)
			if !ok || out != nil {
				return nil
			}
			if out = b.elements(from); out == nil {
				return nil
			}
			continue
		}
		i, ok := st.Addr.(*ssa.IndexAddr)
		if !ok || !isLocal(i.X) {
			return nil
		}
		if in, ok := ssair.Uncut(st.Val).(ssa.Instruction); !ok || in.Block() != st.Block() || len(out) == maxArray {
			return nil
		}
		out = append(out, b.val(st.Val))
	}
	return out
}

// ownElements reports whether a load finds in each element of an array other memory.
func (f *frame) ownElements(v *val) bool {
	if v.op != opLoad || v.n&loadSettled == 0 || len(v.a) < 2 {
		return false
	}
	var seen []vref
	for _, x := range v.a[1:] {
		m := f.newMemory(x)
		if m == 0 || slices.Contains(seen, m) {
			return false
		}
		seen = append(seen, m)
	}
	return true
}

// ownUses collects the stores to an address of a variable, or in it; false if the address is used for more than that and loads.
func ownUses(p ssa.Value, stores *[]*ssa.Store, depth int) bool {
	if depth > 4 {
		return false
	}
	for _, u := range *p.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if u.Val == p {
				return false
			}
			*stores = append(*stores, u)
		case *ssa.FieldAddr:
			if !ownUses(u, stores, depth+1) {
				return false
			}
		case *ssa.IndexAddr:
			if u.X != p || !ownUses(u, stores, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// epoch names the epoch that a load of the frame belongs to: equal names, of loads of one place, stand for equal values. It is "" if there
// is none.
func (f *frame) epoch(v *val) string {
	if v.op != opLoad || v.n>>loadEpoch == 0 {
		return ""
	}
	n, blk := v.n>>loadEpoch, v.blk
	for ; f.call != 0; f = f.up {
		if n != 1 {
			return "" // the callee has set a variable of its own
		}
		call := &f.up.c.vals[f.call]
		if n, blk = call.n>>callEpoch, call.blk; call.op != opCall || n == 0 {
			return ""
		}
	}
	return f.key(blk, "e"+strconv.Itoa(int(n))+"b", int(blk))
}

// inEpoch names the place that a load reads together with the load's epoch; "" if it belongs to none.
func (f *frame) inEpoch(v *val, x *ref) string {
	e := f.epoch(v)
	if e == "" || !x.ok {
		return ""
	}
	shape, args := x.place.shape()
	var b strings.Builder
	b.WriteString(e + "*" + shape)
	for _, p := range args {
		b.WriteByte('|')
		b.WriteString(p.key())
	}
	return b.String()
}

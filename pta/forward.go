package pta

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// This file tells what a load yields of what its function has just stored there.

// forwarded returns what a load yields, if the function has stored there just before what it has made,
// or was given by a call: what was there until then is none of that.
//
//	o.headers = maps.Clone(o.headers)
//	o.headers[k] = v
//
// That holds for fields of what is its own, or its caller's, and for elements of a slice that it has
// made. What a goroutine has captured, or finds behind a pointer, others may have set anew meanwhile: they race then, on what they find, too.
func (l *lowerer) forwarded(in *ssa.UnOp) ssa.Value {
	var v ssa.Value
	switch at := in.X.(type) {
	case *ssa.FieldAddr:
		if store, ok := l.f.Flow.StoredBefore(l.at); ok && ownField(at) {
			v = l.ir.At(store).(*ssa.Store).Val
		} else if !ok {
			v = storedInNew(in, at)
		}
	case *ssa.IndexAddr:
		v = lastElement(in, at)
	}
	if v == nil {
		return nil
	}
	if h := l.home(v); h != nil && h != l.loop || !l.isMade(v) {
		return nil
	}
	return v
}

// ownField reports whether a field is one of a variable, or of what a parameter points to.
func ownField(at *ssa.FieldAddr) bool {
	for {
		switch x := at.X.(type) {
		case *ssa.FieldAddr:
			at = x
		case *ssa.Alloc, *ssa.Parameter:
			return true
		default:
			return false
		}
	}
}

// storedInNew returns what a function has stored in a field of what it has made, if it alone has that at a
// load of the field, whatever it has called meanwhile:
//
//	m := &message{}
//	m.queue = &queue{}
//	read(buf, &m.size) // of m itself nobody else has a pointer
//	m.queue.id = id
//
// nil if there is no such value, or more than one.
func storedInNew(load *ssa.UnOp, at *ssa.FieldAddr) ssa.Value {
	n := newField{load: load}
	for addr := at; ; {
		n.path = append(n.path, addr.Field)
		outer, ok := addr.X.(*ssa.FieldAddr)
		if !ok {
			n.made, _ = addr.X.(*ssa.Alloc)
			break
		}
		addr = outer
	}
	slices.Reverse(n.path)
	if n.made == nil || !n.uses(n.made, 0) || n.store == nil {
		return nil
	}
	return n.store.Val
}

// A newField is a field of what a function makes, the load of which is looked at.
type newField struct {
	made  *ssa.Alloc
	path  []int // of fields
	load  *ssa.UnOp
	store *ssa.Store
}

// uses looks at what is done before the load with an address that leads to the field by what follows of its path.
// It reports whether that is understood.
func (n *newField) uses(addr ssa.Value, depth int) bool {
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			continue
		case *ssa.FieldAddr:
			if depth < len(n.path) {
				if u.Field == n.path[depth] && !n.uses(u, depth+1) {
					return false
				}
				continue
			}
		case *ssa.Store:
			if u.Addr == addr && depth == len(n.path) && u.Val != addr && ssair.LeadsWithin(n.made, u, n.load) {
				if n.store != nil || !u.Block().Dominates(n.load.Block()) {
					return false
				}
				n.store = u
				continue
			}
		}
		if ssair.LeadsWithin(n.made, u, n.load) { // the address is handed on, or more is written than the field
			return false
		}
	}
	return true
}

// lastElement returns what the block of a load has stored last in the element of a slice that the
// function has made; nil where it has not, or something in between may have stored there:
//
//	rows[i] = clone(list[i])
//	rows[i].id = i
//
// Versions of memory, as fields have them (flow.StoredBefore), would cost more than these few are worth.
func lastElement(load *ssa.UnOp, at *ssa.IndexAddr) ssa.Value {
	if _, made := at.X.(*ssa.MakeSlice); !made {
		return nil
	}
	before := load.Block().Instrs
	before = before[:slices.Index(before, ssa.Instruction(load))]
	for _, in := range slices.Backward(before) {
		switch in := in.(type) {
		case *ssa.Call:
			if _, builtin := in.Call.Value.(*ssa.Builtin); !builtin || ssair.IsBuiltin(in, "append") || ssair.IsBuiltin(in, "copy") || ssair.IsBuiltin(in, "clear") {
				return nil
			}
		case *ssa.Store:
			if to, ok := in.Addr.(*ssa.IndexAddr); ok && to.X == at.X && sameIndex(to.Index, at.Index) {
				return in.Val
			}
			if types.Identical(in.Val.Type(), load.Type()) {
				return nil
			}
		case *ssa.RunDefers, *ssa.Select, *ssa.Send:
			return nil
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				return nil // meanwhile others may have had their turn
			}
		}
	}
	return nil
}

// sameIndex reports whether two indices are one value, or one constant.
func sameIndex(i, j ssa.Value) bool {
	if i == j {
		return true
	}
	c, ok := i.(*ssa.Const)
	d, ok2 := j.(*ssa.Const)
	return ok && ok2 && constant.Compare(c.Value, token.EQL, d.Value)
}

// A part is what a store puts into a variable: a value, and the first leaf of the variable that it fills.
type part struct {
	store *ssa.Store
	off   int32
}

// maxParts bounds the stores to a variable whose loads are told by them.
const maxParts = 16

// partsOf returns what stores put into the struct that a load reads, or reads a field of, and the first leaf that it
// reads, if the struct is a variable that the function alone stores to and loads from, each part once:
//
//	v := view{jobs: s.jobs}
//	s.jobs = nil
//	for _, j := range v.jobs {
//
// What is loaded there is what the function has found in s, taken away and all.
func (l *lowerer) partsOf(in *ssa.UnOp) (parts []part, off int32) {
	of, off := l.fieldIn(in.X)
	cell, ok := of.(*ssa.Alloc)
	if !ok || !l.inOneCopy(cell, in) {
		return nil, 0
	}
	parts, known := l.parts[cell]
	if !known {
		parts = l.partsIn(cell)
		if l.parts == nil {
			l.parts = make(map[*ssa.Alloc][]part)
		}
		l.parts[cell] = parts
	}
	return parts, off
}

// partsIn returns what is stored in a struct, nil if it is no such variable.
func (l *lowerer) partsIn(cell *ssa.Alloc) (parts []part) {
	if _, ok := ssair.Under(deref(cell.Type())).(*types.Struct); !ok {
		return nil
	}
	var uses func(addr ssa.Value, off int32) bool
	uses = func(addr ssa.Value, off int32) bool {
		for _, u := range *addr.Referrers() {
			switch u := u.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			case *ssa.FieldAddr:
				if !uses(u, off+l.p.types.fieldOffset(deref(addr.Type()), u.Field)) {
					return false
				}
			case *ssa.Store:
				size := l.leaves(u.Val.Type())
				again := func(p part) bool { return off < p.off+l.leaves(p.store.Val.Type()) && p.off < off+size }
				if u.Addr != addr || !l.inOneCopy(cell, u) || len(parts) == maxParts || slices.ContainsFunc(parts, again) {
					return false // which of two it is the stores themselves tell better, see overwritten
				}
				parts = append(parts, part{u, off})
			default:
				return false
			}
		}
		return true
	}
	if !uses(cell, 0) {
		return nil
	}
	return parts
}

// copyParts copies to a value of n leaves what parts have of it, from its first leaf on in the variable.
func (l *lowerer) copyParts(d Node, n, first int32, parts []part) {
	for _, p := range parts {
		s, size := l.val(p.store.Val), l.leaves(p.store.Val.Type())
		lo, hi := max(first, p.off), min(first+n, p.off+size)
		if s != None && lo < hi {
			l.copyLeaves(d+Node(lo-first), s+Node(lo-p.off), hi-lo)
		}
	}
}

// isMade reports whether a value is what an instruction makes, or a call returns. What a pool
// yields is known by where it is kept.
func (l *lowerer) isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Call:
		return true
	case *ssa.Slice:
		return l.isMade(v.X)
	case *ssa.ChangeType:
		return l.isMade(v.X)
	case *ssa.MakeInterface:
		return l.isMade(v.X)
	case *ssa.TypeAssert:
		call, ok := v.X.(*ssa.Call)
		return ok && !v.CommaOk && !l.takesOut(call)
	}
	return false
}

// takesOut reports whether a call takes something out of a pool.
func (l *lowerer) takesOut(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	e := l.p.entry(fn)
	return e != nil && e.Op == library.OpPoolGet
}

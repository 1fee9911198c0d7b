package pta

import (
	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file decides which memory is blank when a call fills it: in
//
//	var msg message
//	err := json.Unmarshal(data, &msg)
//
// msg leads nowhere yet, whatever is put into it afterwards. What the call makes
// for it is new.

// blank reports whether v refers to memory that the frame has made, and into which
// nobody has put a pointer when in is run, other than such calls as in.
func (l *lowerer) blank(v ssa.Value, in ssa.CallInstruction) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
			continue
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.FieldAddr:
			v = x.X
			continue
		}
		break
	}
	obj, ok := v.(*ssa.Alloc)
	if !ok || l.beforeEscape(obj, in) != newHere {
		return false
	}
	// What puts a pointer there is to the object's blankness what handing it on is
	// to its newness.
	w := &web{made: []ssair.Instr{l.ir.Num(obj)}, simple: true}
	if !l.touches(obj, in, w, make(map[ssa.Value]bool)) {
		return false
	}
	w.spread(l.ir)
	return !w.escaped(l.ir, in)
}

// touches collects what may put a pointer into an object by v, an address in it,
// but for the call that is asked about and others that fill it. It is false if v
// is stored anywhere.
func (l *lowerer) touches(v ssa.Value, call ssa.CallInstruction, w *web, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp, *ssa.BinOp:
			continue
		case *ssa.FieldAddr, *ssa.MakeInterface, *ssa.ChangeType:
			if !l.touches(r.(ssa.Value), call, w, seen) {
				return false
			}
			continue
		case *ssa.Store:
			if x.Val == v {
				return false
			}
			if _, zero := x.Val.(*ssa.Const); zero || !l.p.types.layoutOf(x.Val.Type()).Ptr {
				continue
			}
		default:
			if r == ssa.Instruction(call) || l.onlyFills(r) {
				continue
			}
		}
		w.escapes = append(w.escapes, l.ir.Num(r))
	}
	return true
}

// onlyFills reports whether an instruction is a call that fills the object, and does
// nothing else with it.
func (l *lowerer) onlyFills(r ssa.Instruction) bool {
	c, ok := r.(*ssa.Call)
	if !ok {
		return false
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	e := l.p.entry(fn)
	return e != nil && len(e.DeepWrites) > 0 && len(e.Stores) == 0
}

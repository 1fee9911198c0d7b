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
	b := &blankness{l: l, obj: obj, in: in, seen: make(map[ssa.Value]bool)}
	return b.untouched(obj)
}

type blankness struct {
	l    *lowerer
	obj  *ssa.Alloc
	in   ssa.CallInstruction
	seen map[ssa.Value]bool
}

// untouched reports whether no use of v, an address in the object, puts a pointer
// there before the call.
func (b *blankness) untouched(v ssa.Value) bool {
	if b.seen[v] {
		return true
	}
	b.seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp, *ssa.BinOp:
		case *ssa.Store:
			_, zero := r.Val.(*ssa.Const)
			if r.Val == v || !zero && b.l.p.types.layoutOf(r.Val.Type()).Ptr && b.before(r) {
				return false
			}
		case *ssa.FieldAddr:
			if !b.untouched(r) {
				return false
			}
		case *ssa.MakeInterface:
			if !b.untouched(r) {
				return false
			}
		case *ssa.ChangeType:
			if !b.untouched(r) {
				return false
			}
		default:
			if r != ssa.Instruction(b.in) && !b.fills(r) && b.before(r) {
				return false
			}
		}
	}
	return true
}

// fills reports whether an instruction is a call that fills the object, and does
// nothing else with it.
func (b *blankness) fills(r ssa.Instruction) bool {
	c, ok := r.(*ssa.Call)
	if !ok {
		return false
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	e := b.l.p.entry(fn)
	return e != nil && len(e.DeepWrites) > 0 && len(e.Stores) == 0
}

// before reports whether control may go from r to the call without making the
// object again.
func (b *blankness) before(r ssa.Instruction) bool {
	ir := b.l.ir
	from, to, made := ir.Num(r), ir.Num(b.in), ir.Num(b.obj)
	// within follows a block from an instruction on: does it come to the call, or
	// to its end?
	within := func(blk *ssa.BasicBlock, lo ssair.Instr) (hit, end bool) {
		hi := ir.Num(blk.Instrs[len(blk.Instrs)-1])
		first := hi + 1
		for _, at := range []ssair.Instr{to, made} {
			if lo <= at && at <= hi {
				first = min(first, at)
			}
		}
		return first == to, first > hi
	}
	hit, end := within(r.Block(), from)
	if hit || !end {
		return hit
	}
	seen := make(map[*ssa.BasicBlock]bool)
	work := append([]*ssa.BasicBlock(nil), r.Block().Succs...)
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[blk] {
			continue
		}
		seen[blk] = true
		hit, end := within(blk, ir.Num(blk.Instrs[0]))
		if hit {
			return true
		}
		if end {
			work = append(work, blk.Succs...)
		}
	}
	return false
}

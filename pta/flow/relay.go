package flow

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"golang.org/x/tools/go/ssa"
)

// A Relay is a field that holds the channel which the function has made last. Each run
// receives from the one before it puts its own there:
//
//	if s.done != nil {
//		<-s.done
//	}
//	done := make(chan struct{})
//	s.done = done
type Relay struct {
	Store ssair.Instr // of the run's own channel
	Made  ssair.Instr // where that is made
}

// relays finds the relays of the function.
func (b *builder) relays() {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			if _, ok := ssair.Under(st.Val.Type()).(*types.Chan); !ok {
				continue
			}
			place, made := b.path(st.Addr), b.path(st.Val)
			if place <= 0 || made <= 0 || b.paths[place].kind != pathField || b.paths[made].kind != pathValue {
				continue
			}
			at := b.paths[made].at
			if _, ok := b.ir.At(at).(*ssa.MakeChan); ok && b.relayed(st, place) {
				b.Relays = append(b.Relays, Relay{b.ir.Num(st), at})
			}
		}
	}
}

// relayed reports whether every way to a store, from the start or from the last time that
// it was made, passes a receive from what the place holds, or finds nothing there; and what
// it holds is the same until the store. Nothing is called in between, which might run the
// function, and no lock given back, under which another may.
func (b *builder) relayed(st *ssa.Store, place PathID) bool {
	holds := func(v ssa.Value) bool {
		ld, ok := v.(*ssa.UnOp)
		return ok && ld.Op == token.MUL && b.path(ld.X) == place
	}
	leads := leadingTo(st.Block())
	loaded := false
	for _, blk := range b.ir.SSA.Blocks {
		for k, in := range blk.Instrs {
			if v, ok := in.(ssa.Value); !ok || !holds(v) {
				continue
			}
			// What comes after the load, up to the store.
			_, calm := walkTo(blk, k+1, st, func(_, to *ssa.BasicBlock) bool { return !leads[to] }, func(in ssa.Instruction) (bool, bool) {
				return false, b.disturbs(in, place)
			})
			if loaded = true; !calm {
				return false
			}
		}
	}
	if !loaded {
		return false
	}
	waits := func(in ssa.Instruction) (bool, bool) {
		u, ok := in.(*ssa.UnOp)
		return ok && u.Op == token.ARROW && holds(u.X), false
	}
	empty := func(from, to *ssa.BasicBlock) bool {
		if sel, k := takenOn(from, to); sel != nil && sel.States[k].Dir == types.RecvOnly && holds(sel.States[k].Chan) {
			return true
		}
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] {
			return false
		}
		is, ok := cond.Cond.(*ssa.BinOp)
		if !ok || !holds(is.X) {
			return false
		}
		c, ok := is.Y.(*ssa.Const)
		return ok && c.IsNil() && (is.Op == token.EQL && to == from.Succs[0] || is.Op == token.NEQ && to == from.Succs[1])
	}
	first, _ := walkTo(b.ir.SSA.Blocks[0], 0, st, empty, waits)
	again, _ := walkTo(st.Block(), slices.Index(st.Block().Instrs, ssa.Instruction(st))+1, st, empty, waits)
	return !first && !again
}

// disturbs reports whether an instruction may change what a place holds, or let others do so.
func (b *builder) disturbs(in ssa.Instruction, place PathID) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return b.path(in.Addr) == place
	case *ssa.Go, *ssa.Defer:
		return false
	case *ssa.RunDefers:
		return true
	case *ssa.Call:
		if _, ok := in.Call.Value.(*ssa.Builtin); ok {
			return false
		}
		if f := b.lib.Called(&in.Call); f != nil {
			switch f.Op {
			case library.OpLock, library.OpRLock, library.OpTimerChan:
				return false
			}
		}
		return true
	}
	return false
}

// walkTo goes from an instruction on to all that may come after, without what stop says to
// pass by: of an instruction, whether it ends the way, and whether it disturbs; past tells
// which edges are not taken. It returns whether it comes to an instruction, and whether
// nothing on the ways there disturbs.
func walkTo(blk *ssa.BasicBlock, k int, to ssa.Instruction, past func(from, to *ssa.BasicBlock) bool, stop func(ssa.Instruction) (ends, disturbs bool)) (comes, calm bool) {
	type place struct {
		blk *ssa.BasicBlock
		k   int
	}
	calm = true
	seen := make(map[*ssa.BasicBlock]bool)
	work := []place{{blk, k}}
next:
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, in := range p.blk.Instrs[p.k:] {
			if in == to {
				comes = true
				continue next
			}
			ends, disturbs := stop(in)
			if ends {
				continue next
			}
			calm = calm && !disturbs
		}
		for _, s := range p.blk.Succs {
			if !seen[s] && (past == nil || !past(p.blk, s)) {
				seen[s] = true
				work = append(work, place{s, 0})
			}
		}
	}
	return comes, calm
}

// leadingTo returns the blocks from which control may come to one.
func leadingTo(blk *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	leads := map[*ssa.BasicBlock]bool{blk: true}
	for work := []*ssa.BasicBlock{blk}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range b.Preds {
			if !leads[p] {
				leads[p] = true
				work = append(work, p)
			}
		}
	}
	return leads
}

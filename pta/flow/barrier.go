package flow

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// A Barrier is what a function does that keeps whoever runs it until a number of runs have begun. Each run counts itself. The one
// that makes the number full does what it has to do, and then changes a mark; all others return only where they find that
// the mark has changed since they came:
//
//	g := b.gen
//	b.count++
//	if b.count == b.n {
//		b.count = 0
//		b.gen++
//		b.cond.Broadcast()
//		return
//	}
//	for g == b.gen {
//		b.cond.Wait()
//	}
//
// That all this is done under one lock, and that nothing else sets the count or the mark, is for others to see.
type Barrier struct {
	Count, Bump ssair.Instr   // the stores to the count, of one more than it was, and to the mark
	Sees        []ssair.Instr // the loads of the count and of the mark
	Size        PathID        // the number, where it has a name that does not change
	Load        ssair.Instr   // what loads the number, otherwise
	Last        []int32       // the blocks of the run that makes the number full, up to Bump; sorted
}

// InLast reports whether an instruction is done by the run that makes the number full, before it changes the mark.
func (f *Func) InLast(bar *Barrier, at ssair.Instr) bool {
	return f.holds(bar.Last, at) && (f.Block(at) != f.Block(bar.Bump) || at < bar.Bump)
}

func (f *Func) holds(blocks []int32, at ssair.Instr) bool {
	_, ok := slices.BinarySearch(blocks, f.Block(at))
	return ok
}

// barriers finds the barriers of the function.
func (b *builder) barriers() {
	for _, blk := range b.ir.SSA.Blocks {
		if cond, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If); ok {
			b.barrier(cond)
		}
	}
}

// barrier notes a barrier where a test finds the number full.
func (b *builder) barrier(cond *ssa.If) {
	is, ok := cond.Cond.(*ssa.BinOp)
	if !ok || is.Op != token.EQL && is.Op != token.NEQ {
		return
	}
	full, rest := cond.Block().Succs[0], cond.Block().Succs[1]
	if is.Op == token.NEQ {
		full, rest = rest, full
	}
	if full == rest || len(full.Preds) != 1 {
		return
	}
	for _, v := range [2][2]ssa.Value{{is.X, is.Y}, {is.Y, is.X}} {
		count, load := b.arrival(v[0])
		// A run counts itself once, and then comes to the test.
		if count == nil || count.Block() != cond.Block() || leadingTo(count.Block())[full] || leadingTo(count.Block())[rest] {
			continue
		}
		bar := Barrier{Count: b.ir.Num(count), Sees: []ssair.Instr{b.ir.Num(load)}, Load: ssair.NoInstr}
		if ld, ok := v[1].(*ssa.UnOp); ok && ld.Op == token.MUL && !b.stable(ld) {
			bar.Load = b.ir.Num(ld)
		} else if bar.Size = b.path(v[1]); bar.Size <= 0 {
			continue
		}
		for _, bump := range b.marks(full) {
			if sees, ok := b.waitsFor(rest, bump); ok {
				bar.Bump, bar.Sees = b.ir.Num(bump), append(bar.Sees, sees...)
				bar.Last = b.upTo(full, bump)
				b.Barriers = append(b.Barriers, bar)
				return
			}
		}
	}
}

// stable reports whether what a load yields has a name that does not change.
func (b *builder) stable(ld *ssa.UnOp) bool {
	p := b.path(ld)
	return p > 0 && !b.Path(p).Loads()
}

// arrival returns the store by which a run has counted itself, if a value is what the count is then, and the load
// before it. Nothing is called between the two, by which others could count themselves.
func (b *builder) arrival(v ssa.Value) (*ssa.Store, *ssa.UnOp) {
	var st *ssa.Store
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL { // looked at again
		last := b.storeBefore(ld)
		if last == nil {
			return nil, nil
		}
		st, v = last, last.Val
	}
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD {
		return nil, nil
	}
	load, ok := sum.X.(*ssa.UnOp)
	one, isOne := intConst(sum.Y)
	if !ok || load.Op != token.MUL || !isOne || one != 1 {
		return nil, nil
	}
	place := b.path(load.X)
	if st == nil {
		for _, r := range *sum.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Val == sum {
				st = s
			}
		}
	}
	if st == nil || place <= 0 || b.path(st.Addr) != place || load.Block() != st.Block() || !b.undisturbed(load, st, place) {
		return nil, nil
	}
	return st, load
}

// storeBefore returns the store whose value a load of the same block yields, nil if something may have come between.
func (b *builder) storeBefore(ld *ssa.UnOp) (last *ssa.Store) {
	place := b.path(ld.X)
	for _, in := range ld.Block().Instrs {
		switch {
		case in == ssa.Instruction(ld):
			return last
		case b.disturbs(in, place):
			if last = nil; place > 0 {
				if st, ok := in.(*ssa.Store); ok {
					last = st
				}
			}
		}
	}
	return nil
}

// undisturbed reports whether nothing between two instructions of a block changes what a place holds, or lets others do so.
func (b *builder) undisturbed(from, to ssa.Instruction, place PathID) bool {
	instrs := from.Block().Instrs
	i, j := slices.Index(instrs, from), slices.Index(instrs, to)
	return i < j && !slices.ContainsFunc(instrs[i+1:j], func(in ssa.Instruction) bool { return b.disturbs(in, place) })
}

// marks lists the stores that are behind the first instruction of a block on all ways, to places with a name.
func (b *builder) marks(full *ssa.BasicBlock) (out []*ssa.Store) {
	for _, blk := range b.ir.SSA.Blocks {
		if !full.Dominates(blk) {
			continue
		}
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			if _, own := st.Addr.(*ssa.Alloc); !own && b.path(st.Addr) > 0 {
				out = append(out, st)
			}
		}
	}
	return out
}

// waitsFor reports whether each way from a block to a return passes a test that finds the mark that is stored by bump
// to have changed during the run, and returns the loads of the mark. That it changed before the run counted itself is not
// possible if it changes only when all have.
func (b *builder) waitsFor(rest *ssa.BasicBlock, bump *ssa.Store) (sees []ssair.Instr, ok bool) {
	place := b.path(bump.Addr)
	mark := func(v ssa.Value) *ssa.UnOp {
		if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL && b.path(ld.X) == place {
			return ld
		}
		return nil
	}
	leaves := func(from, to *ssa.BasicBlock) bool {
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] {
			return false
		}
		is, ok := cond.Cond.(*ssa.BinOp)
		if !ok {
			return false
		}
		x, y := mark(is.X), mark(is.Y)
		if x == nil || y == nil || x == y ||
			!(is.Op == token.EQL && to == from.Succs[1] || is.Op == token.NEQ && to == from.Succs[0]) {
			return false
		}
		for _, ld := range []*ssa.UnOp{x, y} {
			if at := b.ir.Num(ld); !slices.Contains(sees, at) {
				sees = append(sees, at)
			}
		}
		return true
	}
	seen := map[*ssa.BasicBlock]bool{rest: true}
	for work := []*ssa.BasicBlock{rest}; len(work) > 0; {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ends := blk.Instrs[len(blk.Instrs)-1].(*ssa.Return); ends {
			return nil, false
		}
		for _, s := range blk.Succs {
			if !seen[s] && !leaves(blk, s) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return sees, len(sees) > 0
}

// upTo lists the blocks behind a block to which no way leads from a store, and that of the store, if that is not in a loop.
func (b *builder) upTo(full *ssa.BasicBlock, bump *ssa.Store) (out []int32) {
	after := make(map[*ssa.BasicBlock]bool)
	for work := []*ssa.BasicBlock{bump.Block()}; len(work) > 0; {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range blk.Succs {
			if !after[s] {
				after[s] = true
				work = append(work, s)
			}
		}
	}
	for i, blk := range b.ir.SSA.Blocks {
		if full.Dominates(blk) && !after[blk] {
			out = append(out, int32(i))
		}
	}
	return out
}

// A FieldSize is what a function stores to a field of a struct that has a condition to wait for, a number that may say how many
// wait for each other.
type FieldSize struct {
	At    ssair.Instr
	Value PathID
}

// fieldSizes finds them.
func (b *builder) fieldSizes() {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			field, ok := st.Addr.(*ssa.FieldAddr)
			if !ok || !ssair.IsInteger(st.Val.Type()) || !hasCond(field.X.Type()) {
				continue
			}
			if p := b.path(st.Val); p > 0 {
				b.Sizes = append(b.Sizes, FieldSize{b.ir.Num(st), p})
			}
		}
	}
}

// hasCond reports whether a struct that t points to has a sync.Cond.
func hasCond(t types.Type) bool {
	ptr, ok := ssair.Under(t).(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := ssair.Under(ptr.Elem()).(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if t := f.Type(); isCond(t) || isCond(types.NewPointer(t)) {
			return true
		}
	}
	return false
}

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
// The mark may be a channel. The one that makes the number full puts another one in its place and closes it, and all others
// receive from what they have found there:
//
//	g := b.gate
//	b.count++
//	if b.count < b.n {
//		b.mu.Unlock()
//		<-g
//		return
//	}
//	b.count = 0
//	b.gate = make(chan struct{})
//	close(g)
//
// That all this but the waiting is done under one lock, and that nothing else sets the count or the mark, is for others to see.
type Barrier struct {
	Count, Bump ssair.Instr   // the stores to the count, of one more than it was, and to the mark
	Sees        []ssair.Instr // the loads of the count and of the mark, and where count is set to zero if it might grow without
	Waits       []ssair.Instr // the receives, where the mark is a channel
	Opens       ssair.Instr   // what closes it then
	Size        PathID        // the number, where it has a name that does not change
	Load        ssair.Instr   // what loads the number, otherwise
	Last        []int32       // the blocks of the run that makes the number full, up to where it lets the others go; sorted
}

// opened is where the run that makes the number full lets the others go.
func (bar *Barrier) opened() ssair.Instr {
	if bar.Opens != ssair.NoInstr {
		return bar.Opens
	}
	return bar.Bump
}

// InLast reports whether an instruction is done by the run that makes the number full, before it lets the others go.
func (f *Func) InLast(bar *Barrier, at ssair.Instr) bool {
	return f.holds(bar.Last, at) && (f.Block(at) != f.Block(bar.opened()) || at < bar.opened())
}

// TellsLast returns the outcome with which the run returns that makes the number full, and no other one does; AnyOutcome if there is none.
func (f *Func) TellsLast(bar *Barrier) Outcome {
	opens := f.Block(bar.opened())
	told := AnyOutcome
	last, rest := f.blocksFrom(opens, -1), f.blocksFrom(0, opens)
	for b := range f.Blocks {
		if o := f.Blocks[b].Outcome; f.Blocks[b].Exit && last[b] {
			if o == AnyOutcome || told != AnyOutcome && o != told {
				return AnyOutcome
			}
			told = o
		}
	}
	for b := range f.Blocks {
		if o := f.Blocks[b].Outcome; f.Blocks[b].Exit && rest[b] && (o == AnyOutcome || o == told) {
			return AnyOutcome
		}
	}
	return told
}

// blocksFrom returns the blocks to which control may come from one, past another one.
func (f *Func) blocksFrom(from, past int32) []bool {
	seen := make([]bool, len(f.Blocks))
	if from == past {
		return seen
	}
	seen[from] = true
	for work := []int32{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range f.Blocks[b].Succs {
			if !seen[e.To] && e.To != past {
				seen[e.To] = true
				work = append(work, e.To)
			}
		}
	}
	return seen
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
	if !ok {
		return
	}
	for _, t := range [2]fullTest{{is.X, is.Y, is.Op}, {is.Y, is.X, mirrored[is.Op]}} {
		var full, rest *ssa.BasicBlock
		switch succs := cond.Block().Succs; t.op {
		case token.EQL, token.GEQ:
			full, rest = succs[0], succs[1]
		case token.NEQ, token.LSS:
			full, rest = succs[1], succs[0]
		}
		if full == rest || len(full.Preds) != 1 {
			continue
		}
		count, load := b.arrival(t.count)
		// A run counts itself once, and then comes to the test.
		if count == nil || count.Block() != cond.Block() || leadingTo(count.Block())[full] || leadingTo(count.Block())[rest] {
			continue
		}
		bar := Barrier{Count: b.ir.Num(count), Sees: []ssair.Instr{b.ir.Num(load)}, Load: ssair.NoInstr, Opens: ssair.NoInstr}
		if ld, ok := t.size.(*ssa.UnOp); ok && ld.Op == token.MUL && !b.stable(ld) {
			bar.Load = b.ir.Num(ld)
		} else if bar.Size = b.path(t.size); bar.Size <= 0 {
			continue
		}
		if t.op == token.GEQ || t.op == token.LSS {
			zero := b.zeroed(full, count)
			if zero == nil {
				continue // whoever comes next finds it full, too
			}
			bar.Sees = append(bar.Sees, b.ir.Num(zero))
		}
		for _, bump := range b.marks(full) {
			opens := ssa.Instruction(bump)
			sees, ok := b.waitsFor(rest, bump)
			if !ok {
				sees, bar.Waits = b.waitsAt(rest, bump)
				if opens, sees = b.opener(full, bump, sees); opens == nil || len(bar.Waits) == 0 {
					continue
				}
				bar.Opens = b.ir.Num(opens)
			}
			bar.Bump, bar.Sees = b.ir.Num(bump), append(bar.Sees, sees...)
			bar.Last = b.upTo(full, opens)
			b.Barriers = append(b.Barriers, bar)
			return
		}
	}
}

// A fullTest asks how a count is to the number that is awaited.
type fullTest struct {
	count, size ssa.Value
	op          token.Token
}

// zeroed returns the store by which a block sets the count to zero before all else that it stores or calls.
func (b *builder) zeroed(full *ssa.BasicBlock, count *ssa.Store) *ssa.Store {
	for _, in := range full.Instrs {
		switch in := in.(type) {
		case *ssa.Store:
			if zero, ok := intConst(in.Val); ok && zero == 0 && b.path(in.Addr) == b.path(count.Addr) {
				return in
			}
			return nil
		case ssa.CallInstruction:
			return nil
		}
	}
	return nil
}

// waitsAt returns the loads of a channel, which is the mark, and the receives from it of which each way from a block to
// a return passes one.
func (b *builder) waitsAt(rest *ssa.BasicBlock, bump *ssa.Store) (sees, waits []ssair.Instr) {
	receives := func(blk *ssa.BasicBlock) bool {
		for _, in := range blk.Instrs {
			if recv, ok := in.(*ssa.UnOp); ok && recv.Op == token.ARROW {
				if ld := b.loadOf(recv.X, bump); ld != nil {
					sees, waits = append(sees, b.ir.Num(ld)), append(waits, b.ir.Num(recv))
					return true
				}
			}
		}
		return false
	}
	if returnsPast(rest, receives, func(from, to *ssa.BasicBlock) bool { return false }) {
		return nil, nil
	}
	slices.Sort(sees)
	return slices.Compact(sees), waits
}

// returnsPast reports whether a way leads from a block to a return that comes by no block and no edge of some.
func returnsPast(from *ssa.BasicBlock, at func(*ssa.BasicBlock) bool, by func(from, to *ssa.BasicBlock) bool) bool {
	seen := map[*ssa.BasicBlock]bool{from: true}
	for work := []*ssa.BasicBlock{from}; len(work) > 0; {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if at(blk) {
			continue
		}
		if _, ends := blk.Instrs[len(blk.Instrs)-1].(*ssa.Return); ends {
			return true
		}
		for _, s := range blk.Succs {
			if !seen[s] && !by(blk, s) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// loadOf returns v if it loads from where the mark is stored.
func (b *builder) loadOf(v ssa.Value, bump *ssa.Store) *ssa.UnOp {
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL && b.path(ld.X) == b.path(bump.Addr) {
		return ld
	}
	return nil
}

// opener returns what closes the channel that was the mark until bump, which stores a new one, and the loads of the mark with
// the one before it. If it is closed first, nothing is between the two, so that who holds the lock there holds it here.
func (b *builder) opener(full *ssa.BasicBlock, bump *ssa.Store, sees []ssair.Instr) (ssa.Instruction, []ssair.Instr) {
	if _, fresh := bump.Val.(*ssa.MakeChan); !fresh {
		return nil, nil
	}
	before := func(x, y ssa.Instruction) bool {
		return x.Block() != y.Block() && x.Block().Dominates(y.Block()) || follows(y, x)
	}
	for _, blk := range b.ir.SSA.Blocks {
		if !full.Dominates(blk) {
			continue
		}
		for _, in := range blk.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || !ssair.IsBuiltin(call, "close") {
				continue
			}
			ld := b.loadOf(call.Call.Args[0], bump)
			if ld == nil || !before(ld, bump) {
				continue
			}
			if before(bump, call) || call.Block() == bump.Block() && changesNothing(slices.DeleteFunc(between(call, bump), makesChan)) {
				return call, append(sees, b.ir.Num(ld))
			}
		}
	}
	return nil, nil
}

// follows reports whether an instruction comes after another one of its block.
func follows(in, other ssa.Instruction) bool {
	instrs := in.Block().Instrs
	return in.Block() == other.Block() && slices.Index(instrs, other) < slices.Index(instrs, in)
}

// between lists the instructions between two of a block.
func between(from, to ssa.Instruction) []ssa.Instruction {
	instrs := from.Block().Instrs
	return slices.Clone(instrs[slices.Index(instrs, from)+1 : slices.Index(instrs, to)])
}

func makesChan(in ssa.Instruction) bool {
	_, ok := in.(*ssa.MakeChan)
	return ok
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
	return follows(to, from) && !slices.ContainsFunc(between(from, to), func(in ssa.Instruction) bool { return b.disturbs(in, place) })
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
	leaves := func(from, to *ssa.BasicBlock) bool {
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] {
			return false
		}
		is, ok := cond.Cond.(*ssa.BinOp)
		if !ok {
			return false
		}
		x, y := b.loadOf(is.X, bump), b.loadOf(is.Y, bump)
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
	past := returnsPast(rest, func(*ssa.BasicBlock) bool { return false }, leaves)
	return sees, !past && len(sees) > 0
}

// upTo lists the blocks behind a block to which no way leads from an instruction, and that of the instruction, if that is not
// in a loop.
func (b *builder) upTo(full *ssa.BasicBlock, bump ssa.Instruction) (out []int32) {
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

// A FieldSize is what a function stores to a field of a struct: a number, which may say how many wait for each other where the struct
// has a condition or a channel to wait for, or a new slice, of which Value is the length, or a new channel, of which it is the capacity.
type FieldSize struct {
	At    ssair.Instr
	Value PathID
	Of    SizeOf
}

// A SizeOf tells of what a number is the size.
type SizeOf uint8

// The kinds of size.
const (
	SizeItself SizeOf = iota
	SizeLen
	SizeCap
)

// IsSizeOf reports whether a path that begins with a load of a field is that number, length or capacity.
func (f *Func) IsSizeOf(id PathID, size FieldSize) bool {
	if id <= 0 {
		return false
	}
	n := &f.paths[id]
	switch size.Of {
	case SizeLen:
		return f.IsLoadedLen(id)
	case SizeCap:
		return n.kind == pathCap && n.base > 0 && f.paths[n.base].kind == pathLoad
	}
	return n.kind == pathLoad
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
			if !ok {
				continue
			}
			size, of := st.Val, SizeItself
			list, isList := size.(*ssa.MakeSlice)
			ch, isChan := size.(*ssa.MakeChan)
			switch {
			case isList:
				size, of = list.Len, SizeLen
			case isChan:
				size, of = ch.Size, SizeCap
			case !ssair.IsInteger(size.Type()) || !hasWaiting(field.X.Type()):
				continue
			}
			if p := b.path(size); p > 0 {
				b.Sizes = append(b.Sizes, FieldSize{b.ir.Num(st), p, of})
			}
		}
	}
}

// hasWaiting reports whether a struct that t points to has a sync.Cond or a channel.
func hasWaiting(t types.Type) bool {
	ptr, ok := ssair.Under(t).(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := ssair.Under(ptr.Elem()).(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		t := f.Type()
		if _, isChan := ssair.Under(t).(*types.Chan); isChan || isCond(t) || isCond(types.NewPointer(t)) {
			return true
		}
	}
	return false
}

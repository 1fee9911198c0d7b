package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
)

// This file follows memory that a function gives away, by a send or by putting
// it back into a pool: which instructions may still work on it afterwards. A
// variable that is set anew holds other memory from there on,
//
//	ch <- batch
//	batch = make([]T, 0, n)
//
// and as that depends on the way that control takes, it is data flow over SSA
// values, which the skeleton does not have.

// A Gone is memory given away, or new memory that is put where others may find it.
type Gone struct {
	At ssair.Instr // the send, the select, the call that puts it back, or the store
	K  int         // which case of a select
	// After lists the instructions that may work on it or hand it on afterwards,
	// calls included, sorted.
	After []ssair.Instr
	// Within lists those that may work on what it leads to, sorted.
	Within []ssair.Instr
	// Kept is set if the field that it was found in still holds its memory: cut, to be filled again.
	Kept bool
}

// A Web is a pointer, slice or map that comes from one of several places.
type Web struct {
	At ssair.Instr // whose value it is
	// Leaves lists the instructions that it may come from, sorted.
	Leaves []ssair.Instr
}

// maxWeb bounds the values that one value is followed back through.
const maxWeb = 64

// AfterGone returns what may work on what the operation at a site gives away,
// once it has.
func (f *Func) AfterGone(at ssair.Instr, k int) (after []ssair.Instr, known bool) {
	for i := range f.Gone {
		if g := &f.Gone[i]; g.At == at && g.K == k {
			return g.After, true
		}
	}
	return nil, false
}

// KeepsGone reports whether a field still holds what the operation at a site gives away.
func (f *Func) KeepsGone(at ssair.Instr, k int) bool {
	return slices.ContainsFunc(f.Gone, func(g Gone) bool { return g.At == at && g.K == k && g.Kept })
}

// Leaves returns the instructions that the value of an instruction may come from,
// if it is chosen, cut or grown from what they yield or from nil. What grows is new
// memory if it does not fit.
func (f *Func) Leaves(at ssair.Instr) (leaves []ssair.Instr, ok bool) {
	for i := range f.Webs {
		if f.Webs[i].At == at {
			return f.Webs[i].Leaves, true
		}
	}
	return nil, false
}

// webs notes where the values come from that may be given away.
func (b *builder) webs() {
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			v, ok := in.(ssa.Value)
			if !ok || !refers(v.Type()) {
				continue
			}
			switch v := v.(type) {
			case *ssa.Phi, *ssa.Slice:
			case *ssa.Call:
				if !isAppend(v) {
					continue
				}
			default:
				continue
			}
			if leaves, ok := b.leaves(v); ok {
				b.Webs = append(b.Webs, Web{b.ir.Num(in), leaves})
			}
		}
	}
}

// leaves returns the instructions that v may come from. What is nil comes from
// nowhere.
func (b *builder) leaves(v ssa.Value) ([]ssair.Instr, bool) {
	var out []ssair.Instr
	for x := range b.behind(v) {
		if x == nil {
			return nil, false
		}
		if len(sources(x)) > 0 {
			continue
		}
		if c, ok := x.(*ssa.Const); ok && c.Value == nil {
			continue
		}
		in, ok := x.(ssa.Instruction)
		if !ok {
			return nil, false
		}
		out = append(out, b.ir.Num(in))
	}
	slices.Sort(out)
	return out, true
}

// behind returns v and all that it may share memory with by way of what it is
// made from; nil is among them if there is more.
func (b *builder) behind(v ssa.Value) map[ssa.Value]bool {
	seen := map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range sources(x) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
		if len(seen) > maxWeb {
			seen[nil] = true
			break
		}
	}
	return seen
}

// sources returns the values in whose memory that of v lies.
func sources(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.Slice:
		return []ssa.Value{v.X}
	case *ssa.ChangeType:
		return []ssa.Value{v.X}
	case *ssa.ChangeInterface:
		return []ssa.Value{v.X}
	case *ssa.MakeInterface:
		return []ssa.Value{v.X}
	case *ssa.TypeAssert:
		if !v.CommaOk {
			return []ssa.Value{v.X}
		}
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return []ssa.Value{t.X}
		}
	case *ssa.Call:
		if isAppend(v) {
			return v.Call.Args[:1]
		}
	}
	return nil
}

func isAppend(c *ssa.Call) bool {
	return ssair.IsBuiltin(c, "append") && len(c.Call.Args) == 2
}

// gone collects what the function gives away.
func (b *builder) gone() {
	for i, blk := range b.ir.SSA.Blocks {
		for k, in := range blk.Instrs {
			var v ssa.Value
			switch in := in.(type) {
			case *ssa.Send:
				v = in.X
			case *ssa.Call:
				if f := b.lib.Called(&in.Call); f != nil && f.Op == library.OpPoolPut && len(in.Call.Args) > 1 {
					v = in.Call.Args[1]
				}
			}
			if v != nil && refers(v.Type()) {
				b.Gone = b.goneBy(b.Gone, b.ir.Num(in), 0, v, func(fl *spent) { fl.run(blk, k+1, fl.start()) })
			}
			if v := shown(in); v != nil && b.isNew(v) && usedAfter(v, in) {
				b.Shown = b.goneBy(b.Shown, b.ir.Num(in), 0, v, func(fl *spent) {
					fl.within = nil // nobody asks
					fl.run(blk, k+1, fl.start())
				})
			}
			for _, ev := range b.Untested {
				if ev.Site != b.ir.Num(in) || !ev.Send {
					continue
				}
				if v := in.(*ssa.Select).States[ev.Operand].Send; refers(v.Type()) {
					b.Gone = b.goneBy(b.Gone, ev.Site, ev.Operand, v, func(fl *spent) { fl.run(blk, k+1, fl.start()) })
				}
			}
		}
		for _, e := range b.Blocks[i].Succs {
			for _, ev := range e.Events {
				if ev.Kind != CaseTaken || !ev.Send {
					continue
				}
				sel, ok := b.ir.At(ev.Site).(*ssa.Select)
				if !ok || ev.Operand >= len(sel.States) {
					continue
				}
				if v := sel.States[ev.Operand].Send; v != nil && refers(v.Type()) {
					to := b.ir.SSA.Blocks[e.To]
					b.Gone = b.goneBy(b.Gone, ev.Site, ev.Operand, v, func(fl *spent) { fl.cross(blk, to, fl.start()) })
				}
			}
		}
	}
}

// shown returns what an instruction puts into memory that is no variable of the function
// alone; nil if it does not.
func shown(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		if a, ok := in.Addr.(*ssa.Alloc); ok && !a.Heap || ssair.Private(in.Addr) || !refers(in.Val.Type()) {
			return nil
		}
		return in.Val
	case *ssa.MapUpdate:
		if refers(in.Value.Type()) {
			return in.Value
		}
	}
	return nil
}

// usedAfter reports whether a value may be used when an instruction has been.
func usedAfter(v ssa.Value, in ssa.Instruction) bool {
	for _, u := range *v.Referrers() {
		if _, debug := u.(*ssa.DebugRef); !debug && u != in && ssair.Reaches(in.Block(), u.Block()) {
			return true
		}
	}
	return false
}

// isNew reports whether a value is memory that the function has made.
func (b *builder) isNew(v ssa.Value) bool {
	for x := range b.behind(v) {
		switch x := x.(type) {
		case *ssa.Alloc:
			if x.Heap {
				continue
			}
		case *ssa.MakeMap, *ssa.MakeSlice:
			continue
		}
		if x == nil || len(sources(x)) == 0 {
			return false
		}
	}
	return true
}

// goneBy adds to a list what is given away at an instruction.
func (b *builder) goneBy(list []Gone, at ssair.Instr, k int, v ssa.Value, begin func(*spent)) []Gone {
	fl := &spent{b: b, first: b.behind(v), in: make(map[*ssa.BasicBlock]map[referrer]bool), after: make(map[ssair.Instr]bool), within: make(map[ssair.Instr]bool)}
	if fl.first[nil] {
		return list
	}
	begin(fl)
	for len(fl.work) > 0 {
		blk := fl.work[len(fl.work)-1]
		fl.work = fl.work[:len(fl.work)-1]
		fl.run(blk, 0, maps.Clone(fl.in[blk]))
	}
	// Deferred calls come after everything.
	for _, d := range b.defs {
		if slices.ContainsFunc(d.Call.Args, func(x ssa.Value) bool { return fl.first[x] }) || fl.first[d.Call.Value] {
			fl.after[b.ir.Num(d)] = true
		}
	}
	return append(list, Gone{at, k, slices.Sorted(maps.Keys(fl.after)), slices.Sorted(maps.Keys(fl.within)), b.kept(fl.first)})
}

// kept reports whether a value, by all that is behind it, was found in a field into which nothing
// is put but parts of what it held.
func (b *builder) kept(behind map[ssa.Value]bool) bool {
	var slot *ssa.FieldAddr
	for x := range behind {
		if len(sources(x)) > 0 {
			continue
		}
		f, ok := loadedField(x)
		if !ok || slot != nil && !sameSlot(slot, f) {
			return false
		}
		slot = f
	}
	cut := false
	for _, blk := range b.ir.SSA.Blocks {
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok || slot == nil || !sameSlot(st.Addr, slot) {
				continue
			}
			for x := range b.behind(st.Val) {
				switch f, ok := loadedField(x); {
				case ok && sameSlot(f, slot):
					cut = true
				case x == nil || len(sources(x)) == 0:
					return false
				}
			}
		}
	}
	return cut
}

// loadedField returns the field that a value is loaded from.
func loadedField(v ssa.Value) (*ssa.FieldAddr, bool) {
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return nil, false
	}
	f, ok := ld.X.(*ssa.FieldAddr)
	return f, ok
}

// spent follows what has been given away.
type spent struct {
	b     *builder
	first map[ssa.Value]bool
	in    map[*ssa.BasicBlock]map[referrer]bool
	work  []*ssa.BasicBlock
	after map[ssair.Instr]bool

	within map[ssair.Instr]bool
	slots  []*ssa.FieldAddr // that it was found in, one mention of each
}

// A referrer is a value that leads to what has been given away.
type referrer struct {
	v     ssa.Value
	leads leads
}

// leads says how a referrer leads there.
type leads uint8

const (
	itself  leads = iota // it may refer to it
	holding              // the content of the variable may
	inside               // it may refer to what the object leads to
)

// start returns what refers to it when it is given away.
func (fl *spent) start() map[referrer]bool {
	set := make(map[referrer]bool)
	for v := range fl.first {
		if _, ok := v.(*ssa.Const); ok {
			continue // nil is nobody's
		}
		set[referrer{v, itself}] = true
		if c := variable(v); c != nil {
			set[referrer{c, holding}] = true
		}
		if f, ok := loadedField(v); ok {
			set[referrer{fl.slot(f), holding}] = true
		}
	}
	return set
}

// slot returns the first mention of a field that what was given away was found in, by whose name it is known here.
func (fl *spent) slot(f *ssa.FieldAddr) *ssa.FieldAddr {
	for _, s := range fl.slots {
		if sameSlot(s, f) {
			return s
		}
	}
	fl.slots = append(fl.slots, f)
	return f
}

// stillIn reports whether a value is loaded from a field that still holds what was found there, and given away:
//
//	b.out <- b.cur
//	b.cur.final = last
func (fl *spent) stillIn(v ssa.Value, set map[referrer]bool) bool {
	if len(fl.slots) == 0 || v == nil || !refers(v.Type()) {
		return false
	}
	f, ok := loadedField(v)
	return ok && slices.ContainsFunc(fl.slots, func(s *ssa.FieldAddr) bool { return sameSlot(s, f) && set[referrer{s, holding}] })
}

// empty forgets the fields of which it is not known what they hold after an instruction: it sets one, by whatever
// pointer, or others may do so meanwhile.
func (fl *spent) empty(in ssa.Instruction, set map[referrer]bool) {
	var assigned *ssa.FieldAddr
	switch in := in.(type) {
	case *ssa.Store:
		f, ok := in.Addr.(*ssa.FieldAddr)
		if !ok || set[referrer{in.Val, itself}] {
			return
		}
		assigned = f
	case *ssa.Call:
		if _, ok := in.Call.Value.(*ssa.Builtin); ok {
			return
		}
	case *ssa.UnOp:
		if in.Op != token.ARROW {
			return
		}
	case *ssa.Select, *ssa.RunDefers:
	default:
		return
	}
	for _, s := range fl.slots {
		if assigned == nil || assigned.Field == s.Field && types.Identical(assigned.X.Type(), s.X.Type()) {
			delete(set, referrer{s, holding})
		}
	}
}

// variable returns the variable that v is loaded from, or nil.
func variable(v ssa.Value) ssa.Value {
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL && refers(ld.Type()) {
		switch ld.X.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return ld.X
		}
	}
	return nil
}

// run takes a set through the instructions of a block from k on.
func (fl *spent) run(blk *ssa.BasicBlock, k int, set map[referrer]bool) {
	for _, in := range blk.Instrs[k:] {
		if _, phi := in.(*ssa.Phi); !phi { // see cross
			fl.instr(in, set)
		}
	}
	for _, to := range blk.Succs {
		fl.cross(blk, to, set)
	}
}

// cross takes a set along an edge.
func (fl *spent) cross(from, to *ssa.BasicBlock, set map[referrer]bool) {
	next := maps.Clone(set)
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		for _, how := range []leads{itself, inside} {
			delete(next, referrer{phi, how})
			for i, p := range to.Preds {
				if p == from && set[referrer{phi.Edges[i], how}] {
					next[referrer{phi, how}] = true
				}
			}
		}
	}
	old, seen := fl.in[to]
	if !seen {
		fl.in[to] = next
		fl.work = append(fl.work, to)
		return
	}
	grown := false
	for v := range next {
		if !old[v] {
			old[v], grown = true, true
		}
	}
	if grown {
		fl.work = append(fl.work, to)
	}
}

// instr takes a set through an instruction.
func (fl *spent) instr(in ssa.Instruction, set map[referrer]bool) {
	has := func(v ssa.Value) bool { return v != nil && set[referrer{v, itself}] }
	v, isValue := in.(ssa.Value)
	var self referrer
	if isValue {
		self = referrer{v, itself}
	}
	fl.lookInside(in, set)
	fl.empty(in, set)
	if st, ok := in.(*ssa.Store); ok && refers(st.Val.Type()) && !has(st.Addr) {
		switch st.Addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			// The variable is set: it holds what is stored.
			if delete(set, referrer{st.Addr, holding}); has(st.Val) {
				set[referrer{st.Addr, holding}] = true
			}
			return
		}
	}
	if c := variable(v); c != nil && set[referrer{c, holding}] || fl.stillIn(v, set) {
		set[self] = true
		return
	}
	uses := false
	var space [10]*ssa.Value
	for _, op := range in.Operands(space[:0]) {
		uses = uses || has(*op) || *op != nil && closes(in) && set[referrer{*op, holding}]
	}
	if isValue {
		delete(set, self) // another round makes another value
	}
	if !uses {
		return
	}
	switch in := in.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Range:
		set[self] = true
		return
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		return
	case *ssa.Call:
		if (ssair.IsBuiltin(in, "len") || ssair.IsBuiltin(in, "cap")) && !ssair.IsMap(in.Call.Args[0].Type()) {
			return // of a slice: no memory is looked at
		}
	}
	var srcs []ssa.Value
	if isValue {
		srcs = sources(v)
	}
	for _, s := range srcs {
		if has(s) {
			set[self] = true
			if _, ok := in.(*ssa.Call); !ok {
				return // only another name for it
			}
		}
	}
	fl.after[fl.b.ir.Num(in)] = true
}

// lookInside is instr for what the object leads to: what is loaded from it, and from that.
func (fl *spent) lookInside(in ssa.Instruction, set map[referrer]bool) {
	if fl.within == nil {
		return
	}
	uses, found := false, false
	var space [10]*ssa.Value
	for _, op := range in.Operands(space[:0]) {
		uses = uses || *op != nil && set[referrer{*op, inside}]
	}
	switch in := in.(type) {
	case *ssa.UnOp:
		found = in.Op == token.MUL && refers(in.Type()) && (uses || set[referrer{in.X, itself}])
	case *ssa.Lookup:
		found = refers(in.Type()) && (uses || set[referrer{in.X, itself}])
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
		found = uses
	}
	if v, ok := in.(ssa.Value); ok {
		delete(set, referrer{v, inside})
		if found {
			set[referrer{v, inside}] = true
		}
	}
	if uses {
		fl.within[fl.b.ir.Num(in)] = true
	}
}

// closes reports whether an instruction captures variables.
func closes(in ssa.Instruction) bool { _, ok := in.(*ssa.MakeClosure); return ok }

// refers reports whether values of a type refer to memory that a function may own.
func refers(t types.Type) bool {
	switch ssair.Under(t).(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

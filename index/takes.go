package index

import (
	"go/constant"
	"go/token"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file finds takes: the critical sections by which threads share work
// without an atomic counter.
//
//	mu.Lock(); i := next; next++; mu.Unlock()
//	mu.Lock(); j := queue[0]; queue = queue[1:]; mu.Unlock()
//
// A take loads a cell and stores what it has made of the value; in between it
// calls nothing, so that whatever lock is held at the load is still held at the
// store. That the lock is one for all takes, and that nothing else stores to the
// cell, is for the oracle to know; what follows is in ticket.go.

// How a take changes its cell; see Func.Takes.
const (
	takeUp    = "+" // adds a positive constant
	takeDown  = "-" // subtracts one
	takeHead  = "h" // cuts elements off the head of a slice
	takeTail  = "t" // cuts elements off its end
	takePush  = "p" // appends some
	TakeOther = "?" // anything that begins with the value of the cell
)

// A take's load is bound to what the take stores (path takeFirst and how), to
// the load that the store uses, where it is another one (takeSame), or to what
// has been stored, where it comes after the store (takeAfter).
const (
	takeFirst = '<'
	takeSame  = "="
	takeAfter = ">"
)

// A take is a store to a cell of what the load has found there.
type take struct {
	load  *ssa.UnOp
	store *ssa.Store
	how   string
}

// maxTakes bounds the takes of one function.
const maxTakes = 64

// findTakes finds the takes of the function.
func (b *builder) findTakes() {
	var stores []*ssa.Store
	for _, blk := range b.f.SSA.Blocks {
		for _, in := range blk.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			switch k := kindOf(st.Val.Type()); {
			case k == kPointer:
				b.pointers = append(b.pointers, st)
			case (k.isInt() || k == kSlice) && sharedCell(st.Addr):
				stores = append(stores, st)
			}
		}
	}
	for _, st := range stores {
		ld := b.usedLoad(st.Val, st.Addr, 0, nil)
		if ld == nil || len(b.takes) == maxTakes {
			continue
		}
		how := b.howTaken(ld, st.Val)
		if how == takePush && b.givesBack(st.Val.(*ssa.Call).Call.Args[1], st.Addr) {
			continue
		}
		if how != "" && b.pure(ld, st) {
			b.takes = append(b.takes, take{ld, st, how})
		}
	}
}

// sharedCell reports whether an address may be that of memory that others have,
// by its form.
func sharedCell(p ssa.Value) bool {
	switch p.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.FreeVar, *ssa.Global, *ssa.UnOp, *ssa.Parameter, *ssa.Alloc:
		return true
	}
	return false
}

// maxUsed bounds the operations between the load and the store of a take.
const maxUsed = 6

// usedLoad returns the load of the cell that a value is computed from, by
// operations that lead one way: (next+1)%n is no take. seen has the phis that were asked already,
// and how deep: of the hundreds that a scanner's loop has, each has all others. Scanners of a
// highlighter's grammars took 50 of 60 s otherwise.
func (b *builder) usedLoad(v ssa.Value, cell ssa.Value, depth int, seen map[*ssa.Phi]int) *ssa.UnOp {
	if depth > maxUsed {
		return nil
	}
	if phi, ok := v.(*ssa.Phi); ok {
		if at, asked := seen[phi]; asked && at <= depth {
			return nil
		}
		if seen == nil {
			seen = make(map[*ssa.Phi]int)
		}
		seen[phi] = depth
	}
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return nil
		}
		if b.sameCell(v.X, cell, 0) {
			return v
		}
		if _, variable := v.X.(*ssa.Alloc); variable {
			if st := ssair.LastStore(v); st != nil {
				from = []ssa.Value{st.Val}
			}
		}
	case *ssa.BinOp:
		switch v.Op {
		case token.ADD:
			from = []ssa.Value{v.X, v.Y}
		case token.SUB:
			from = []ssa.Value{v.X}
		}
	case *ssa.Convert:
		from = []ssa.Value{v.X}
	case *ssa.ChangeType:
		from = []ssa.Value{v.X}
	case *ssa.Slice:
		from = []ssa.Value{v.X}
	case *ssa.Phi:
		from = v.Edges
	case *ssa.Call:
		bi, ok := v.Call.Value.(*ssa.Builtin)
		switch {
		case ok && (bi.Name() == "min" || bi.Name() == "max"):
			from = v.Call.Args
		case ok && bi.Name() == "append" && depth == 0:
			from = v.Call.Args[:1]
		}
	}
	for _, x := range from {
		if ld := b.usedLoad(x, cell, depth+1, seen); ld != nil {
			return ld
		}
	}
	return nil
}

// givesBack reports whether what is appended to a cell's slice comes from there: who
// has taken an item and puts it back may go on using it.
func (b *builder) givesBack(items, cell ssa.Value) bool {
	arr, ok := items.(*ssa.Slice)
	if !ok {
		return b.fromCell(items, cell, 0)
	}
	a, ok := arr.X.(*ssa.Alloc)
	if !ok {
		return b.fromCell(arr.X, cell, 0)
	}
	for _, r := range *a.Referrers() {
		if at, ok := r.(*ssa.IndexAddr); ok {
			for _, r := range *at.Referrers() {
				if st, ok := r.(*ssa.Store); ok && b.fromCell(st.Val, cell, 0) {
					return true
				}
			}
		}
	}
	return false
}

// fromCell reports whether a value is an element or a part of a cell's slice.
func (b *builder) fromCell(v, cell ssa.Value, depth int) bool {
	if depth > maxUsed {
		return true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return false
		}
		if at, ok := v.X.(*ssa.IndexAddr); ok {
			return b.fromCell(at.X, cell, depth+1)
		}
		return b.sameCell(v.X, cell, 0)
	case *ssa.Slice:
		return b.fromCell(v.X, cell, depth+1)
	case *ssa.MakeInterface:
		return b.fromCell(v.X, cell, depth+1)
	case *ssa.ChangeType:
		return b.fromCell(v.X, cell, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if b.fromCell(e, cell, depth+1) {
				return true
			}
		}
	}
	return false
}

// howTaken tells how a value differs from what the load has found, "" if it may be
// anything.
func (b *builder) howTaken(ld *ssa.UnOp, v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.BinOp:
		x, y := v.X, v.Y
		if v.Op == token.ADD && x != ssa.Value(ld) {
			x, y = y, x
		}
		k, isConst := y.(*ssa.Const)
		if x != ssa.Value(ld) || !isConst || k.Value == nil || k.Value.Kind() != constant.Int {
			break
		}
		sign := constant.Sign(k.Value)
		if v.Op == token.SUB {
			sign = -sign
		}
		switch {
		case v.Op != token.ADD && v.Op != token.SUB:
		case sign > 0:
			return takeUp
		case sign < 0:
			return takeDown
		}
	case *ssa.Slice:
		switch {
		case v.X != ssa.Value(ld) || v.Max != nil:
		case v.High == nil:
			return takeHead // the number of elements is not negative
		case v.Low == nil && b.shortens(v.High, ld):
			return takeTail
		}
		return ""
	}
	if kindOf(v.Type()) != kSlice {
		return TakeOther
	}
	if x, ok := v.(*ssa.Call); ok && x.Call.Args[0] == ssa.Value(ld) {
		return takePush
	}
	return ""
}

// shortens reports whether hi is the length of what a load of the same cell
// found, less a positive constant.
func (b *builder) shortens(hi ssa.Value, ld *ssa.UnOp) bool {
	x, ok := hi.(*ssa.BinOp)
	if !ok || x.Op != token.SUB {
		return false
	}
	k, isConst := x.Y.(*ssa.Const)
	if !isConst || k.Value == nil || constant.Sign(k.Value) <= 0 {
		return false
	}
	n, ok := x.X.(*ssa.Call)
	if !ok {
		return false
	}
	bi, ok := n.Call.Value.(*ssa.Builtin)
	if !ok || bi.Name() != "len" {
		return false
	}
	of, ok := n.Call.Args[0].(*ssa.UnOp)
	return ok && of.Op == token.MUL && b.sameCell(of.X, ld.X, 0)
}

// bindTakes binds the loads of the cells of takes to what is stored.
func (b *builder) bindTakes() {
	if len(b.takes) == 0 {
		return
	}
	var loads []*ssa.UnOp
	for _, blk := range b.f.SSA.Blocks {
		for _, in := range blk.Instrs {
			if ld, ok := in.(*ssa.UnOp); ok && ld.Op == token.MUL && sharedCell(ld.X) {
				loads = append(loads, ld)
			}
		}
	}
	for _, t := range b.takes {
		st := int32(b.f.Num(t.store))
		first := b.shared(t.load)
		if first == 0 {
			continue
		}
		stored := b.val(t.store.Val)
		b.bindTake(first, binding{st, string(takeFirst) + t.how, stored})
		for _, ld := range loads {
			if ld == t.load || ld.Type() != t.load.Type() || !b.sameCell(ld.X, t.store.Addr, 0) {
				continue
			}
			r := b.shared(ld)
			switch {
			case r == 0:
			case b.precedes(ld, t.store) && b.pure(ld, t.store):
				b.bindTake(r, binding{st, takeSame, first})
			case b.precedes(t.store, ld) && b.pure(t.store, ld):
				b.bindTake(r, binding{st, takeAfter, stored})
			}
		}
	}
}

// shared returns the val of a load that reads memory which others may have, or 0.
func (b *builder) shared(ld *ssa.UnOp) vref {
	r := b.resolve(b.val(ld))
	if v := &b.c.vals[r]; v.op != opLoad && v.op != opFreeVal || v.at != b.f.Num(ld) {
		return 0
	}
	return r
}

func (b *builder) bindTake(r vref, x binding) {
	for _, y := range b.c.vals[r].bind {
		if y.free == x.free {
			return
		}
	}
	b.c.vals[r].bind = append(b.c.vals[r].bind, x)
}

// TakesItems reports whether an instruction ends a take that cuts items off a
// slice, or appends some.
func (fn *Func) TakesItems(at ssair.Instr) bool {
	switch fn.Takes(at) {
	case takeHead, takeTail, takePush:
		return true
	}
	return false
}

// Takes reports how the take that ends with the store at an instruction of the
// function changes its cell: TakeOther and so on, or "" if it is no take.
func (fn *Func) Takes(at ssair.Instr) string {
	c := fn.body()
	if c == nil {
		return ""
	}
	return c.takes[at]
}

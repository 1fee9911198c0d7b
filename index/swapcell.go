package index

import (
	"go/token"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// swaps notes the captured variables that only change places with another one:
// val.n of both is the number of the pair, and val.a what they begin with.
func (b *builder) swaps() {
	pairs := int64(0)
	for _, blk := range b.f.SSA.Blocks {
		for _, in := range blk.Instrs {
			p, ok := in.(*ssa.Alloc)
			if !ok || !p.Heap {
				continue
			}
			q, first := b.partner(p)
			if q == nil {
				continue
			}
			back, second := b.partner(q)
			if back != p || b.f.Num(p) > b.f.Num(q) {
				continue
			}
			pairs++
			for _, x := range []struct {
				cell  *ssa.Alloc
				begin ssa.Value
			}{{p, first}, {q, second}} {
				begin := b.val(x.begin)
				v := &b.c.vals[b.val(x.cell)]
				v.n, v.a = pairs, b.list(begin)
			}
		}
	}
}

// heldOver marks a captured variable that val.a lists memory for which is made after what
// the variable holds, whenever a closure that has captured it is made.
const heldOver = -1

// generations notes the captured variables that hold what an earlier round has made:
//
//	for ... {
//		next := make([]T, n)
//		... // goroutines that read from cur and write to next
//		cur = next
//	}
func (b *builder) generations() {
	for _, blk := range b.f.SSA.Blocks {
		for _, in := range blk.Instrs {
			p, ok := in.(*ssa.Alloc)
			if !ok || !p.Heap {
				continue
			}
			var stores []*ssa.Store
			if !ssair.OnlyRead(p, &stores) || len(stores) < 2 {
				continue
			}
			var made []vref
			for _, st := range stores {
				if m := b.c.maker(b.val(st.Val)); m != 0 && !slices.Contains(made, m) && b.madeSince(b.f.At(b.c.vals[m].at), p, stores) {
					made = append(made, m)
				}
			}
			if v := &b.c.vals[b.val(p)]; len(made) > 0 && v.n == 0 {
				v.n, v.a = heldOver, b.list(made...)
			}
		}
	}
}

// madeSince reports whether an instruction runs between each of some stores to a
// variable and the making of closures that capture it.
func (b *builder) madeSince(m ssa.Instruction, p *ssa.Alloc, stores []*ssa.Store) bool {
	for _, r := range *p.Referrers() {
		mc, ok := r.(*ssa.MakeClosure)
		if ok && slices.ContainsFunc(stores, func(st *ssa.Store) bool { return b.f.Reaches(st, mc, m) }) {
			return false
		}
	}
	return true
}

// partner returns the variable that p changes places with, and what p begins
// with; nil if p is stored to in another way.
func (b *builder) partner(p *ssa.Alloc) (q *ssa.Alloc, begin ssa.Value) {
	var stores []*ssa.Store
	if !ssair.OnlyRead(p, &stores) || len(stores) < 2 {
		return nil, nil
	}
	for _, st := range stores {
		ld, ok := st.Val.(*ssa.UnOp)
		var other *ssa.Alloc
		if ok && ld.Op == token.MUL {
			other, _ = ld.X.(*ssa.Alloc)
		}
		if other == nil {
			if begin != nil || b.f.Innermost(st.Block()) != b.f.Innermost(p.Block()) {
				return nil, nil // twice, it may be what the other has now
			}
			begin = st.Val
			continue
		}
		if other == p || q != nil && q != other || !b.changesPlaces(st, ld, p, other) {
			return nil, nil
		}
		q = other
	}
	if begin == nil {
		return nil, nil
	}
	return q, begin
}

// changesPlaces reports whether in the block of a store to p of what was loaded
// from q, there is one of q with what was loaded from p, both loads come first, and
// nothing else is stored to either.
func (b *builder) changesPlaces(st *ssa.Store, ld *ssa.UnOp, p, q *ssa.Alloc) bool {
	blk := st.Block()
	if ld.Block() != blk {
		return false
	}
	var back *ssa.Store
	n := 0
	for _, in := range blk.Instrs {
		if s, ok := in.(*ssa.Store); ok && (s.Addr == p || s.Addr == q) {
			if n++; s.Addr == q {
				back = s
			}
		}
	}
	if n != 2 || back == nil {
		return false
	}
	from, ok := back.Val.(*ssa.UnOp)
	if !ok || from.Op != token.MUL || from.X != p || from.Block() != blk {
		return false
	}
	first := min(b.f.Num(st), b.f.Num(back))
	return b.f.Num(ld) < first && b.f.Num(from) < first
}

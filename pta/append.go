package pta

import (
	"go/token"
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file lowers append. In a loop that fills a slice with one append per
// round, what a round appends is the round's own element.

// append lowers result = append(s, more...). The result is s's memory or new
// memory. What s held stays reachable through s's memory, so growing needs no
// copy of the content, unless the result is new for certain.
func (l *lowerer) append(v *ssa.Call, s, more ssa.Value, in ssa.CallInstruction) {
	if v == nil {
		return
	}
	elem := l.elem(v.Type())
	d := l.dst(v)
	none, cut := isNil(s) || emptied(s), full(s)
	grows := none || cut && l.varargs(more) // one element at least, and no room for it
	if !grows {
		l.copyLeaves(d, l.val(s), 1)
		l.widen(d, l.val(s), l.p.types.layout(elem))
	}
	k := l.allocate(v, Alloc{Kind: AllocArray, Type: elem, Word: "append", Name: storedName(v)})
	if d != None && l.grownBack(v) {
		n := l.newNodes(1)
		l.emit(Constraint{Op: OpAddr, Dst: n, Arg: k})
		l.widen(n, l.val(s), l.p.types.layout(elem))
		if l.grown == nil {
			l.grown = make(map[grownKey]Node)
		}
		l.grown[grownKey{v, l.loop, l.side}] = n
	}
	if !none {
		if !cut {
			l.accessElems(s, FlagWrite, in)
		}
		l.accessElems(s, 0, in)
	}
	if isString(more.Type()) {
		return
	}
	if !l.varargs(more) {
		l.accessElems(more, 0, in)
	}
	part := uint8(partAny)
	if l.fillsAlone(v, more) {
		part = l.side
	}
	l.moveElems(d, more, part, l.appendFact(more))
	if grows && !none {
		l.copyElems(d, s)
	}
}

// varargs reports whether a slice was made for the arguments of this call.
func (l *lowerer) varargs(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	return ok && isVarargs(s.X)
}

// isVarargs reports whether an array was made for the variadic arguments of a call.
func isVarargs(v ssa.Value) bool {
	a, ok := v.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// variadic lists what is put into the slice that was made for the arguments of a call; nothing
// where another slice is passed.
func (l *lowerer) variadic(more ssa.Value) (out []ssa.Value) {
	if !l.varargs(more) {
		return nil
	}
	for _, r := range *more.(*ssa.Slice).X.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range *ia.Referrers() {
			if st, ok := u.(*ssa.Store); ok && st.Addr == ia {
				out = append(out, st.Val)
			}
		}
	}
	return out
}

// appendFact is fresh if all appended elements are.
func (l *lowerer) appendFact(more ssa.Value) int32 {
	fresh, again := l.varargs(more), false
	sole := fresh
	for _, v := range l.variadic(more) {
		fresh = fresh && l.storedFresh(v)
		again = again || l.storedAgain(v)
		sole = sole && l.putSole(v)
	}
	fact := l.fact(more)
	l.f.Facts[fact].Fresh, l.f.Facts[fact].Sole = fresh, sole
	if x := l.appended(more); x != nil {
		l.noteGiven(&l.f.Facts[fact], x)
	} else if !fresh {
		l.several(fact, more)
	}
	l.f.Facts[fact].Again = l.f.Facts[fact].Again || again
	return fact
}

// several records that a store puts what a slice holds into several elements.
func (l *lowerer) several(fact int32, from ssa.Value) {
	f := &l.f.Facts[fact]
	f.Several = true
	if s, ok := ssair.Under(from.Type()).(*types.Slice); ok && l.leaves(s.Elem()) == 1 {
		f.From = l.val(from)
	}
}

// appended returns the one value that an append adds, or nil if it adds another
// number of them.
func (l *lowerer) appended(more ssa.Value) ssa.Value {
	vs := l.variadic(more)
	if len(vs) == 0 {
		return nil
	}
	if t, ok := ssair.Under(deref(more.(*ssa.Slice).X.Type())).(*types.Array); !ok || t.Len() != 1 {
		return nil
	}
	return vs[0]
}

// fillsAlone reports whether each round of the split loop adds one element to a
// slice by this append, and is the first in the function to do so: then no two
// rounds' elements are one. A second append in a loop may add what the first has
// added, or what shares something with it. It is enough that the second goes to
// any part, which both sides see.
func (l *lowerer) fillsAlone(v *ssa.Call, more ssa.Value) bool {
	if l.loop == nil || l.loop.parallel || l.ir.Innermost(v.Block()) != l.loop.loop {
		return false
	}
	x := l.appended(more)
	if x == nil {
		return false
	}
	mine := l.filled(v)
	if l.storedAgain(x) && !l.everyRound(v, mine) {
		return false // the element has another index than what else holds the value
	}
	for _, b := range l.fn.Blocks {
		nat := l.ir.Innermost(b)
		if nat == nil {
			continue
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if ssair.IsBuiltin(in, "append") && l.before(in, v) && mine.meets(l.filled(in)) {
					return false
				}
			case *ssa.IndexAddr:
				// jobs[i] = x beside the append.
				if nat == l.loop.loop && storedTo(in) && mine.meets(l.filled(in.X)) {
					return false
				}
			}
		}
	}
	return true
}

// before reports whether what one append adds may be there when another one
// runs: in a loop of its own, or earlier in the round.
func (l *lowerer) before(first, v *ssa.Call) bool {
	a, b := first.Block(), v.Block()
	nat := l.ir.Innermost(b)
	if a == b || l.ir.Innermost(a) != nat {
		return l.ir.Num(first) < l.ir.Num(v)
	}
	return inRound(nat, a, b, func(*ssa.BasicBlock) bool { return false })
}

// everyRound reports whether each round of the innermost loop around an append
// comes by it, or by another one to the same slice.
func (l *lowerer) everyRound(v *ssa.Call, mine *filled) bool {
	nat := l.ir.Innermost(v.Block())
	passes := func(b *ssa.BasicBlock) bool {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && (c == v || ssair.IsBuiltin(c, "append") && mine.meets(l.filled(c))) {
				return true
			}
		}
		return false
	}
	return !inRound(nat, nat.Header, nat.Header, passes)
}

// inRound reports whether a round of a loop may come from the start of one
// block to the end of another without a block that is left out; a target that
// is the header stands for the next round's.
func inRound(nat *ssair.Loop, from, to *ssa.BasicBlock, out func(*ssa.BasicBlock) bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || !nat.Contains(b) || out(b) {
			continue
		}
		seen[b] = true
		for _, s := range b.Succs {
			if s == to {
				return true
			}
			if s != nat.Header {
				work = append(work, s)
			}
		}
	}
	return false
}

// storedTo reports whether an address is stored to.
func storedTo(p ssa.Value) bool {
	for _, r := range *p.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == p {
			return true
		}
	}
	return false
}

// A filled slice is named by the values that it may have been before, and by
// the variables that held it.
type filled struct {
	values map[ssa.Value]bool
	addrs  []ssa.Value
}

// filled follows a slice back to where it comes from.
func (l *lowerer) filled(v ssa.Value) *filled {
	if f, ok := l.fills[v]; ok {
		return f
	}
	f := &filled{values: make(map[ssa.Value]bool)}
	if l.fills == nil {
		l.fills = make(map[ssa.Value]*filled)
	}
	l.fills[v] = f
	f.add(v)
	return f
}

func (f *filled) add(v ssa.Value) {
	if _, isConst := v.(*ssa.Const); isConst || f.values[v] {
		return
	}
	f.values[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			f.add(e)
		}
	case *ssa.Slice:
		f.add(v.X)
	case *ssa.ChangeType:
		f.add(v.X)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			f.addrs = append(f.addrs, v.X)
		}
	case *ssa.Call:
		if ssair.IsBuiltin(v, "append") {
			f.add(v.Call.Args[0])
		}
	}
}

// meets reports whether two slices may be one, now or after more appends.
func (f *filled) meets(g *filled) bool {
	for v := range f.values {
		if g.values[v] {
			return true
		}
	}
	for _, a := range f.addrs {
		for _, b := range g.addrs {
			if sameAddr(a, b) {
				return true
			}
		}
	}
	return false
}

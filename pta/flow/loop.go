package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file counts the rounds of loops.

func (b *builder) loops() {
	if len(b.ir.Loops) == 0 {
		return
	}
	b.inner = slices.Repeat([]int32{-1}, len(b.Blocks))
	for i, blk := range b.ir.SSA.Blocks {
		if l := b.ir.Innermost(blk); l != nil {
			b.inner[i] = int32(l.Index)
		}
	}
	for _, l := range b.ir.Loops {
		fl := Loop{Header: int32(l.Header.Index), Parent: -1, ExitFrom: -1, ExitTo: -1, Guard: -1}
		if l.Parent != nil {
			fl.Parent = int32(l.Parent.Index)
		}
		for i, in := range l.Blocks {
			if in {
				fl.Blocks = append(fl.Blocks, int32(i))
			}
		}
		b.count(l, &fl)
		fl.Counters = b.counters(l)
		b.Loops = append(b.Loops, fl)
	}
}

// count finds the counting condition of l: a comparison of an induction
// variable with an invariant bound, tested in every round, whose failure
// leaves the loop.
func (b *builder) count(l *ssair.Loop, fl *Loop) {
	for i, in := range l.Blocks {
		blk := b.ir.SSA.Blocks[i]
		if !in || len(blk.Instrs) == 0 {
			continue
		}
		cond, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If)
		if !ok || !everyRound(l, blk) {
			continue
		}
		stay := 0
		if !l.Contains(blk.Succs[0]) {
			stay = 1
		}
		if l.Contains(blk.Succs[stay]) == l.Contains(blk.Succs[1-stay]) {
			continue
		}
		if t, ok := b.trip(l, blk, cond.Cond, stay == 1); ok {
			fl.Trip = t
			fl.ExitFrom, fl.ExitTo = int32(i), int32(blk.Succs[1-stay].Index)
			fl.Guard = guard(l, cond)
			return
		}
		// A loop over a map or channel has no count, but one exit that
		// means "all done".
		if ex, ok := cond.Cond.(*ssa.Extract); ok && ex.Index <= 1 {
			switch t := ex.Tuple.(type) {
			case *ssa.UnOp:
				if t.Op != token.ARROW || ex.Index != 1 || stay != 0 || blk != l.Header || t.Block() != blk {
					continue
				}
				fl.ExitFrom, fl.ExitTo, fl.Drains = int32(i), int32(blk.Succs[1].Index), true
			case *ssa.Next:
				fl.ExitFrom, fl.ExitTo = int32(i), int32(blk.Succs[1-stay].Index)
			}
		}
	}
}

// guard returns the block that compares the first value of the induction variable
// with the bound as the last block of each round does the next, or -1.
func guard(l *ssair.Loop, test *ssa.If) int32 {
	var g *ssa.BasicBlock
	for _, p := range l.Header.Preds {
		if !l.Contains(p) {
			if g != nil {
				return -1
			}
			g = p
		}
	}
	if g == nil || !isLatch(l, test.Block()) || len(g.Succs) != 2 || g.Succs[0] != l.Header || g.Succs[1] == l.Header {
		return -1
	}
	next, ok := test.Cond.(*ssa.BinOp)
	if !ok || test.Block().Succs[0] != l.Header {
		return -1
	}
	first, ok := g.Instrs[len(g.Instrs)-1].(*ssa.If).Cond.(*ssa.BinOp)
	if !ok || first.Op != next.Op || first.Y != next.Y {
		return -1
	}
	step, ok := next.X.(*ssa.BinOp)
	if !ok {
		return -1
	}
	phi, ok := step.X.(*ssa.Phi)
	if !ok || phi.Block() != l.Header {
		return -1
	}
	for i, p := range l.Header.Preds {
		if p == g {
			x, okx := intConst(phi.Edges[i])
			y, oky := intConst(first.X)
			if okx && oky && x == y {
				return int32(g.Index)
			}
		}
	}
	return -1
}

func everyRound(l *ssair.Loop, blk *ssa.BasicBlock) bool {
	for _, latch := range l.Latch {
		if !blk.Dominates(latch) {
			return false
		}
	}
	return true
}

// trip computes the trip count from the condition to stay in the loop.
func (b *builder) trip(l *ssair.Loop, blk *ssa.BasicBlock, cond ssa.Value, negate bool) (Trip, bool) {
	for {
		n, ok := cond.(*ssa.UnOp)
		if !ok || n.Op != token.NOT {
			break
		}
		cond, negate = n.X, !negate
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		return Trip{}, false
	}
	op, ok := cmp.Op, true
	if _, ok = negated[op]; !ok {
		return Trip{}, false
	}
	if negate {
		op = negated[op]
	}
	x, y := cmp.X, cmp.Y
	ind, ok := b.induction(l, x)
	if !ok {
		if ind, ok = b.induction(l, y); !ok {
			return Trip{}, false
		}
		op, x, y = mirrored[op], y, x
	}
	// Values of the tested expression: ind.lo, ind.lo+step, … The body runs
	// once for each value that passes; a test at the bottom follows the
	// round, and the first round is let in by the guard before the loop.
	first := ind.lo
	bottom := isLatch(l, blk)
	if bottom {
		first -= ind.step // the value that the guard let in
	}
	switch {
	case ind.step > 0 && (op == token.LSS || op == token.LEQ || op == token.NEQ && ind.step == 1):
	case ind.step < 0 && (op == token.GTR || op == token.GEQ || op == token.NEQ && ind.step == -1):
	default:
		return Trip{}, false
	}
	if k, ok := fixed(y); ok && ind.known {
		n := k - first
		if ind.step < 0 {
			n = -n
		}
		step := max(ind.step, -ind.step)
		if op == token.LEQ || op == token.GEQ {
			n++
		}
		n = max(0, (n+step-1)/step)
		return Trip{Kind: TripConst, N: n}, true
	}
	bound := b.path(y)
	if !ind.known || !invariant(b.ir, l, y) && !b.steady(l, bound) {
		return b.downward(ind, op, y)
	}
	if ind.step != 1 || bound <= 0 {
		return Trip{}, false
	}
	off := -first
	if op == token.LEQ {
		off++
	}
	return Trip{Kind: TripBound, Bound: bound, N: off}, true
}

// steady reports whether a value that each round of l computes anew, such as
// the length of a slice in the loop's condition, is the same every time: its
// path depends on nothing that the loop defines, and on no memory that it
// writes.
func (b *builder) steady(l *ssair.Loop, p PathID) bool {
	if p <= 0 {
		return false
	}
	path := b.Path(p)
	for _, at := range path.Defined() {
		if l.Contains(b.ir.SSA.Blocks[b.ir.Block(at)]) {
			return false
		}
	}
	// Memory whose version begins where a block's predecessors disagree.
	for s := path.Root + path.Sels; ; {
		i := strings.Index(s, "~-")
		if i < 0 {
			return true
		}
		s = s[i+2:]
		j := 0
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		n, err := strconv.Atoi(s[:j])
		blk := n + int(versionBlock)
		if err != nil || blk < 0 || blk >= len(b.ir.SSA.Blocks) || l.Contains(b.ir.SSA.Blocks[blk]) {
			return false
		}
	}
}

// fixed returns the constant that v is, or the capacity of a channel, or the
// length of a slice, made with a constant one, or what a variable always holds.
func fixed(v ssa.Value) (int64, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		return constCell(v)
	case *ssa.Call:
		bi, ok := v.Call.Value.(*ssa.Builtin)
		if ok && bi.Name() == "len" {
			return madeLen(v.Call.Args[0])
		}
		if !ok || bi.Name() != "cap" {
			return 0, false
		}
		ch := v.Call.Args[0]
		if ld, ok := ch.(*ssa.UnOp); ok && ld.Op == token.MUL {
			st, ok := ssair.AssignedOnce(ld.X)
			if !ok {
				return 0, false
			}
			ch = st.Val
		}
		if mk, ok := ch.(*ssa.MakeChan); ok {
			return intConst(mk.Size)
		}
		return 0, false
	}
	return intConst(v)
}

// madeLen returns the length of a slice that is made with a constant one.
func madeLen(v ssa.Value) (int64, bool) {
	if ld, ok := v.(*ssa.UnOp); ok {
		st, ok := ssair.AssignedBefore(ld)
		if !ok {
			return 0, false
		}
		v = st.Val
	}
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return intConst(v.Len)
	case *ssa.Slice:
		p, ok := ssair.Under(v.X.Type()).(*types.Pointer)
		if !ok {
			return 0, false
		}
		arr, ok := ssair.Under(p.Elem()).(*types.Array)
		if !ok {
			return 0, false
		}
		lo, hi := int64(0), arr.Len()
		if v.Low != nil {
			if lo, ok = intConst(v.Low); !ok {
				return 0, false
			}
		}
		if v.High != nil {
			if hi, ok = intConst(v.High); !ok {
				return 0, false
			}
		}
		return hi - lo, true
	}
	return 0, false
}

// downward handles a variable that starts at a bound and counts down to a
// constant.
func (b *builder) downward(ind induction, op token.Token, y ssa.Value) (Trip, bool) {
	k, ok := intConst(y)
	if !ok || ind.step != -1 || ind.init == nil {
		return Trip{}, false
	}
	bound := b.path(ind.init)
	if bound <= 0 {
		return Trip{}, false
	}
	off := -k
	if op == token.GEQ {
		off++
	}
	return Trip{Kind: TripBound, Bound: bound, N: off}, true
}

func isLatch(l *ssair.Loop, blk *ssa.BasicBlock) bool {
	for _, x := range l.Latch {
		if x == blk {
			return true
		}
	}
	return false
}

// An induction describes an expression that starts at lo and grows by step
// each round.
type induction struct {
	lo    int64
	known bool // lo is; otherwise it starts at init
	init  ssa.Value
	step  int64
}

func (b *builder) induction(l *ssair.Loop, v ssa.Value) (induction, bool) {
	add := int64(0)
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
			continue
		case *ssa.BinOp:
			if k, ok := intConst(x.Y); ok && (x.Op == token.ADD || x.Op == token.SUB) && l.Contains(x.Block()) {
				if x.Op == token.SUB {
					k = -k
				}
				add += k
				v = x.X
				continue
			}
		case *ssa.UnOp:
			if phi, ok := x.X.(*ssa.Phi); ok && x.Op == token.MUL {
				return cellInduction(l, phi, add)
			}
		case *ssa.Call:
			if phi := lenOf(x); phi != nil && phi.Block() == l.Header {
				return lengthInduction(l, phi, add)
			}
		}
		break
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.Header {
		return induction{}, false
	}
	var ind induction
	seen := false
	for i, e := range phi.Edges {
		if !l.Contains(phi.Block().Preds[i]) {
			if ind.init != nil && ind.init != e {
				return induction{}, false
			}
			ind.init = e
			continue
		}
		k, ok := increment(e, phi)
		if !ok || seen && k != ind.step {
			return induction{}, false
		}
		ind.step, seen = k, true
	}
	if !seen || ind.step == 0 || ind.init == nil {
		return induction{}, false
	}
	if lo, ok := intConst(ind.init); ok {
		ind.lo, ind.known = lo+add, true
	} else if add != 0 {
		return induction{}, false
	}
	return ind, true
}

// lenOf returns the slice of which a call is the length, if it depends on the way to a block.
func lenOf(c *ssa.Call) *ssa.Phi {
	if !ssair.IsBuiltin(c, "len") {
		return nil
	}
	phi, _ := c.Call.Args[0].(*ssa.Phi)
	return phi
}

// lengthInduction handles the length of a slice to which each round appends as many elements:
//
//	for len(got) < n {
//		got = append(got, <-results)
//	}
func lengthInduction(l *ssair.Loop, phi *ssa.Phi, add int64) (ind induction, ok bool) {
	ind.lo = -1
	for i, e := range phi.Edges {
		n, ok := int64(0), true
		if l.Contains(phi.Block().Preds[i]) {
			if n, ok = appended(e, phi); !ok || n == 0 || ind.step != 0 && ind.step != n {
				return induction{}, false
			}
			ind.step = n
			continue
		}
		if !nilConst(e) {
			n, ok = madeLen(e)
		}
		if !ok || ind.lo >= 0 && ind.lo != n {
			return induction{}, false
		}
		ind.lo = n
	}
	if ind.step == 0 || ind.lo < 0 {
		return induction{}, false
	}
	ind.lo, ind.known = ind.lo+add, true
	return ind, true
}

// appended returns how many elements v has more than the slice to which they are appended.
func appended(v, to ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Call)
	if !ok {
		return 0, false
	}
	if !ssair.IsBuiltin(c, "append") || len(c.Call.Args) != 2 || c.Call.Args[0] != to {
		return 0, false
	}
	return madeLen(c.Call.Args[1])
}

// increment returns k if v is phi + k.
func increment(v ssa.Value, phi ssa.Value) (int64, bool) {
	x, ok := v.(*ssa.BinOp)
	if !ok || x.X != phi {
		return 0, false
	}
	k, ok := intConst(x.Y)
	switch {
	case !ok:
		return 0, false
	case x.Op == token.ADD:
		return k, true
	case x.Op == token.SUB:
		return -k, true
	}
	return 0, false
}

// cellInduction handles a captured variable of a three-clause loop under
// Go 1.22 rules: a phi of allocations, each round copying the last one's
// value and then adding a constant.
func cellInduction(l *ssair.Loop, phi *ssa.Phi, add int64) (induction, bool) {
	if phi.Block() != l.Header {
		return induction{}, false
	}
	var ind induction
	for i, e := range phi.Edges {
		a, ok := e.(*ssa.Alloc)
		if !ok {
			return induction{}, false
		}
		stores := plainStores(a)
		if l.Contains(phi.Block().Preds[i]) {
			// *next = *i; *next = *next + k
			k, ok := cellStep(a, phi, stores)
			if !ok {
				return induction{}, false
			}
			ind.step = k
			continue
		}
		if len(stores) != 1 {
			return induction{}, false
		}
		ind.init = stores[0].Val
		lo, ok := intConst(stores[0].Val)
		if !ok {
			return induction{}, false
		}
		ind.lo, ind.known = lo+add, true
	}
	// The body must not write the variable: neither it nor a closure that
	// captures it.
	if !neverStored(phi, 0) {
		return induction{}, false
	}
	return ind, ind.step != 0 && ind.known
}

func plainStores(a *ssa.Alloc) []*ssa.Store {
	var out []*ssa.Store
	for _, r := range *a.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == a {
			out = append(out, st)
		}
	}
	return out
}

func cellStep(a *ssa.Alloc, phi *ssa.Phi, stores []*ssa.Store) (int64, bool) {
	if len(stores) != 2 {
		return 0, false
	}
	if ld, ok := stores[0].Val.(*ssa.UnOp); !ok || ld.Op != token.MUL || ld.X != phi {
		return 0, false
	}
	x, ok := stores[1].Val.(*ssa.BinOp)
	if !ok {
		return 0, false
	}
	ld, ok := x.X.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || ld.X != ssa.Value(a) {
		return 0, false
	}
	k, ok := intConst(x.Y)
	if x.Op == token.SUB {
		k = -k
	} else if x.Op != token.ADD {
		return 0, false
	}
	return k, ok
}

// neverStored reports whether nothing stores to the cell at v, and its
// address goes nowhere but into closures that do not store to it either.
func neverStored(v ssa.Value, depth int) bool {
	if depth > 6 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			if !ok {
				return false
			}
			for i, bound := range r.Bindings {
				if bound == v && (i >= len(fn.FreeVars) || !neverStored(fn.FreeVars[i], depth+1)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// invariant reports whether v has one value for all rounds of l.
func invariant(ir *ssair.Func, l *ssair.Loop, v ssa.Value) bool {
	in, ok := v.(ssa.Instruction)
	return !ok || !l.Contains(in.Block())
}

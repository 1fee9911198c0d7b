package pta

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// A splitLoop is a loop whose body is lowered twice, once for each side: a
// loop that spawns, or one that fills a collection. Both copies of the body
// have nodes, allocations and calls of their own, so that what one round makes
// and what another makes stay apart. Doing that for the allocations only is
// not enough: with one node for a stored value both objects reach both parts.
type splitLoop struct {
	loop     *ssair.Loop
	index    int8
	parallel bool
	own      bool     // its index tells any two iterations apart
	counter  *ssa.Phi // the one that does, once asked for
}

// maxSplits bounds the split loops of one function; StoreFact and Constraint
// keep the index in a small integer.
const maxSplits = 100

func (l *lowerer) findSplits() {
	l.inner = make([]*splitLoop, len(l.fn.Blocks))
	if l.init {
		return
	}
	byLoop := make(map[*ssair.Loop]*splitLoop)
	for _, b := range l.fn.Blocks {
		nat := l.ir.Innermost(b)
		if nat == nil {
			continue
		}
		for _, in := range b.Instrs {
			spawns, fills := l.spawns(in), false
			if !spawns {
				fills = l.mayFill(in)
			}
			if !spawns && !fills || byLoop[nat] != nil && (!spawns || byLoop[nat].parallel) {
				continue
			}
			if byLoop[nat] == nil {
				byLoop[nat] = &splitLoop{loop: nat}
			}
			byLoop[nat].parallel = byLoop[nat].parallel || spawns
		}
	}
	for _, nat := range l.ir.Loops {
		if s := byLoop[nat]; s != nil && len(l.splits) < maxSplits {
			s.index = int8(len(l.splits))
			s.own = !s.parallel || l.joinedInside(nat)
			l.splits = append(l.splits, s)
			l.f.Splits = append(l.f.Splits, Split{
				Loop: int32(nat.Index), Parallel: s.parallel, Region: l.region(nat),
				Pos: l.p.pos(l.loopPos(nat)), Form: loopForm(nat),
				spans: l.spansOf(l.ir.Loops[l.region(nat)]),
			})
		}
	}
	if len(l.splits) == 0 {
		return
	}
	for _, b := range l.fn.Blocks {
		if nat := l.ir.Innermost(b); nat != nil {
			l.inner[b.Index] = l.chooseSplit(nat)
		}
	}
}

// chooseSplit returns the split loop that instructions of loop nat belong to:
// the innermost parallel one around it, else the innermost filling one.
func (l *lowerer) chooseSplit(nat *ssair.Loop) *splitLoop {
	var fill *splitLoop
	for ; nat != nil; nat = nat.Parent {
		for _, s := range l.splits {
			if s.loop != nat {
				continue
			}
			if s.parallel {
				return s
			}
			if fill == nil {
				fill = s
			}
		}
	}
	return fill
}

// spawns reports whether an instruction starts goroutines, one or many.
func (l *lowerer) spawns(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Go:
		return true
	case *ssa.Call:
		if fn := in.Call.StaticCallee(); fn != nil {
			if e := l.p.entry(fn); e != nil {
				return isSpawn(e.Op) || flow.Overlaps(&in.Call, e, holes{l.p})
			}
			return fn != l.fn && (l.p.wrapperOutside(fn) || l.p.freshInfoOf(fn).wrapper)
		}
	}
	return false
}

func isSpawn(op library.Op) bool {
	return op == library.OpSpawn || op == library.OpTimerFunc
}

// mayFill reports whether an instruction adds pointers to a collection once
// per round.
func (l *lowerer) mayFill(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.IndexAddr:
		if !l.p.types.layout(l.elem(in.X.Type())).Ptr {
			return false
		}
		return l.inductionLoop(in.Index) != nil
	case *ssa.Call:
		if ssair.IsBuiltin(in, "append") {
			return l.p.types.layout(l.elem(in.Type())).Ptr
		}
	}
	return false
}

// joinedInside reports whether rounds of the loops around a spawning loop
// cannot overlap, so that the loop's own index tells any two live iterations
// apart: there is no loop around it, or one that waits in every round.
func (l *lowerer) joinedInside(nat *ssair.Loop) bool {
	outer := nat.Parent
	if outer == nil {
		return true
	}
	for bi, in := range outer.Blocks {
		if !in || nat.Blocks[bi] {
			continue
		}
		for _, instr := range l.fn.Blocks[bi].Instrs {
			if l.joins(instr) {
				return true
			}
		}
	}
	return false
}

// spansOf returns the instructions of a loop.
func (l *lowerer) spansOf(nat *ssair.Loop) []span {
	var out []span
	for b, in := range nat.Blocks {
		if in {
			out = append(out, span{l.ir.Start[b], l.ir.Start[b+1]})
		}
	}
	return out
}

// region returns the outermost loop around a spawning loop whose rounds may
// overlap.
func (l *lowerer) region(nat *ssair.Loop) int32 {
	for nat.Parent != nil && !l.joinedInside(nat) {
		nat = nat.Parent
	}
	return int32(nat.Index)
}

// joins reports whether an instruction waits for goroutines.
func (l *lowerer) joins(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	fn := c.Call.StaticCallee()
	if fn == nil {
		return false
	}
	e := l.p.entry(fn)
	return e != nil && (e.Op == library.OpWGWait || e.Op == library.OpJoin)
}

// loopPos returns where a loop stands: the first position in its header, which
// belongs to its clause; or the statement's own, where the header is not that of the clause
// but begins with the body (for {, for range n) or has no position (a range over a map).
func (l *lowerer) loopPos(nat *ssair.Loop) token.Pos {
	first, _ := textOf(nat.Header.Instrs)
	var inside []ssa.Instruction
	for bi, in := range nat.Blocks {
		if in {
			inside = append(inside, l.fn.Blocks[bi].Instrs...)
		}
	}
	from, to := textOf(inside)
	if !first.IsValid() {
		first = from
	}
	if st, body := loopAround(l.fn.Syntax(), from, to); st.IsValid() && body <= first {
		return st
	}
	return first
}

// textOf returns the first and the last position of some instructions.
func textOf(instrs []ssa.Instruction) (from, to token.Pos) {
	for _, in := range instrs {
		if _, isPhi := in.(*ssa.Phi); isPhi {
			continue // the position of the variable's declaration
		}
		if p := in.Pos(); p.IsValid() {
			if !from.IsValid() || p < from {
				from = p
			}
			to = max(to, p)
		}
	}
	return from, to
}

// loopAround returns where the innermost loop statement begins that has two positions in it,
// and where its body does; or nothing, as for a loop by goto.
func loopAround(fn ast.Node, from, to token.Pos) (stmt, body token.Pos) {
	if fn == nil || !from.IsValid() {
		return token.NoPos, token.NoPos
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == nil || from < n.Pos() || n.End() <= to {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			stmt, body = n.For, n.Body.Lbrace
		case *ast.RangeStmt:
			stmt, body = n.For, n.Body.Lbrace
		}
		return true
	})
	return stmt, body
}

func loopForm(l *ssair.Loop) string {
	switch c := l.Header.Comment; c {
	case "rangeindex.loop":
		return "range"
	case "rangeint.loop", "rangeint.body":
		return "range int"
	case "rangeiter.loop":
		return "range map"
	case "rangechan.loop":
		return "range chan"
	}
	return "for"
}

// own says by what an index differs between two iterations: it is the index
// of a split loop, or one of the function's own parameters and free variables.
type own struct {
	loop *splitLoop
	mask uint32
}

// ownBit returns the own bit of parameter or free variable k, or 0.
func ownBit(k int) uint32 {
	if k < 32 {
		return 1 << k
	}
	return 0
}

// ownOf classifies an index. Own is the value itself and nothing else: i+1 is
// not, or ps[i] and ps[i+1] would meet nobody.
func (l *lowerer) ownOf(v ssa.Value) own {
	if o, ok := l.index[v]; ok {
		return o
	}
	l.index[v] = own{} // cycles through cells answer no
	o := l.ownOf1(v)
	l.index[v] = o
	return o
}

func (l *lowerer) ownOf1(v ssa.Value) own {
	switch v := v.(type) {
	case *ssa.Parameter:
		for k, p := range l.fn.Params {
			if p == v && ssair.IsInteger(v.Type()) {
				return own{mask: ownBit(k)}
			}
		}
	case *ssa.FreeVar:
		return own{mask: ownBit(len(l.fn.Params) + l.free[v])}
	case *ssa.Convert:
		if ssair.IsInteger(v.Type()) && ssair.IsInteger(v.X.Type()) && wide(v.Type()) {
			return l.ownOf(v.X)
		}
	case *ssa.ChangeType:
		return l.ownOf(v.X)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			switch a := v.X.(type) {
			case *ssa.Alloc, *ssa.FreeVar:
				return l.ownOf(a) // the cell's content
			case *ssa.Phi:
				if nat := l.cellPhi(a); nat != nil {
					return l.ownLoop(nat, a)
				}
			}
		}
	case *ssa.Alloc:
		return l.ownCell(v)
	}
	if nat := l.inductionLoop(v); nat != nil {
		phi, ok := v.(*ssa.Phi)
		if !ok {
			phi = v.(*ssa.BinOp).X.(*ssa.Phi)
		}
		return l.ownLoop(nat, phi)
	}
	if phi, ok := v.(*ssa.Phi); ok {
		if nat := l.cellPhi(phi); nat != nil {
			return l.ownLoop(nat, phi)
		}
	}
	return own{}
}

// ownLoop returns the loop that a counter counts the rounds of. Of several
// counters of a loop only the first that is asked for is the round's own: with
// j one ahead of i, a[j] is what a[i] is in the next round.
func (l *lowerer) ownLoop(nat *ssair.Loop, counter *ssa.Phi) own {
	for _, s := range l.splits {
		if s.loop == nat && s.own {
			if s.counter == nil {
				s.counter = counter
			}
			if s.counter == counter {
				return own{loop: s}
			}
		}
	}
	return own{}
}

// wide reports whether a conversion to t keeps indices apart (soundness: no-wrap).
func wide(t types.Type) bool {
	switch ssair.Under(t).(*types.Basic).Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16:
		return false
	}
	return true
}

// inductionLoop returns the loop whose round number v tells: a header phi that
// every latch steps by a constant, or, for a range over a slice, that plus one.
func (l *lowerer) inductionLoop(v ssa.Value) *ssair.Loop {
	switch v := v.(type) {
	case *ssa.Phi:
		nat := l.headed(v.Block())
		if nat == nil || v.Comment == "rangeindex" {
			return nil // the phi of a range lags one round behind the index
		}
		if l.constStep(v, nat, nil) {
			return nat
		}
	case *ssa.BinOp:
		phi, ok := v.X.(*ssa.Phi)
		if ok && v.Op == token.ADD && phi.Comment == "rangeindex" && isConst(v.Y) {
			return l.headed(phi.Block())
		}
	}
	return nil
}

func isConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) != 0
}

func (l *lowerer) headed(b *ssa.BasicBlock) *ssair.Loop {
	if b == nil || l.ir == nil {
		return nil
	}
	nat := l.ir.Innermost(b)
	if nat != nil && nat.Header == b {
		return nat
	}
	return nil
}

// constStep reports whether on every latch the phi's value is itself plus a
// constant; content looks through a cell where the phi is one of pointers.
func (l *lowerer) constStep(phi *ssa.Phi, nat *ssair.Loop, content func(ssa.Value) ssa.Value) bool {
	if content == nil && !ssair.IsInteger(phi.Type()) {
		return false
	}
	latches := 0
	for i, e := range phi.Edges {
		if !nat.Contains(phi.Block().Preds[i]) {
			continue
		}
		latches++
		if content != nil {
			e = content(e)
		}
		b, ok := e.(*ssa.BinOp)
		if !ok || b.Op != token.ADD && b.Op != token.SUB || !isConst(b.Y) {
			return false
		}
		if content == nil && b.X != phi {
			return false
		}
	}
	return latches > 0
}

// cellPhi recognises the per-iteration variable of a three-clause loop that a
// closure captures (Go 1.22): a phi of cells, where each latch makes a new cell,
// copies the old content and steps it.
func (l *lowerer) cellPhi(phi *ssa.Phi) *ssair.Loop {
	nat := l.headed(phi.Block())
	if nat == nil {
		return nil
	}
	if _, ok := ssair.Under(phi.Type()).(*types.Pointer); !ok {
		return nil
	}
	ok := l.constStep(phi, nat, func(e ssa.Value) ssa.Value {
		cell, isAlloc := e.(*ssa.Alloc)
		if !isAlloc {
			return nil
		}
		copied, stepped := false, ssa.Value(nil)
		for _, r := range *cell.Referrers() {
			st, isStore := r.(*ssa.Store)
			if !isStore || st.Addr != cell {
				continue
			}
			if ld, isLoad := st.Val.(*ssa.UnOp); isLoad && ld.X == phi {
				copied = true
			} else if b, isOp := st.Val.(*ssa.BinOp); isOp && stepped == nil {
				if ld, isLoad := b.X.(*ssa.UnOp); isLoad && ld.X == cell {
					stepped = b
				}
			} else {
				return nil
			}
		}
		if !copied {
			return nil
		}
		return stepped
	})
	if !ok || l.storedElsewhere(phi, nat) {
		return nil
	}
	return nat
}

// storedElsewhere reports whether the body or a closure assigns to the cell.
func (l *lowerer) storedElsewhere(phi *ssa.Phi, nat *ssair.Loop) bool {
	for _, r := range *phi.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			return true
		case *ssa.MakeClosure:
			if closureStores(r, phi, 4) {
				return true
			}
		case *ssa.UnOp, *ssa.DebugRef, *ssa.Phi:
		default:
			return true
		}
	}
	return false
}

// closureStores reports whether the closure, or one inside it, may assign to
// the captured cell.
func closureStores(mc *ssa.MakeClosure, cell ssa.Value, depth int) bool {
	if depth == 0 {
		return true
	}
	fn := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b != cell {
			continue
		}
		fv := fn.FreeVars[i]
		for _, r := range *fv.Referrers() {
			switch r := r.(type) {
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.MakeClosure:
				if closureStores(r, fv, depth-1) {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// ownCell classifies the content of a variable: own if every value stored in
// it is own by the same thing, and no closure stores to it.
func (l *lowerer) ownCell(a *ssa.Alloc) own {
	if !ssair.IsInteger(deref(a.Type())) {
		return own{}
	}
	var o own
	stores := 0
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			x := l.ownOf(r.Val)
			if r.Val == a || stores > 0 && x != o {
				return own{}
			}
			o = x
			stores++
		case *ssa.MakeClosure:
			if closureStores(r, a, 4) {
				return own{}
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return own{}
		}
	}
	if o.loop != nil {
		// One cell for all rounds holds the last index only.
		if nat := l.ir.Innermost(a.Block()); nat == nil || !o.loop.loop.Encloses(nat) {
			return own{}
		}
	}
	return o
}

package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/model/library"
)

// This file reads off branch conditions what taking an edge proves.

func (b *builder) edges(blk *ssa.BasicBlock) []Edge {
	if b.stopped[blk.Index] {
		return nil
	}
	out := make([]Edge, len(blk.Succs))
	for i, s := range blk.Succs {
		out[i].To = int32(b.pastBranches(blk, s).Index)
	}
	if slices.Contains(b.failing, blk) {
		for i := range out {
			out[i].Events = append(out[i].Events, Event{Kind: Failed})
		}
	}
	if len(blk.Instrs) == 0 || len(out) != 2 {
		return out
	}
	if cond, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If); ok {
		b.condition(cond.Cond, &out[0], &out[1], 0)
	}
	return out
}

// condition adds to yes and no what v and its negation prove.
func (b *builder) condition(v ssa.Value, yes, no *Edge, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Bool {
			if constant.BoolVal(v.Value) {
				no.Dead = true
			} else {
				yes.Dead = true
			}
		}
	case *ssa.UnOp:
		switch v.Op {
		case token.NOT:
			b.condition(v.X, no, yes, depth+1)
		case token.MUL: // a boolean variable
			if held, ok := ssair.HeldValue(v); ok {
				b.condition(held, yes, no, depth+1)
				return
			}
			if n, ok := constCell(v); ok {
				if n != 0 {
					no.Dead = true
				} else {
					yes.Dead = true
				}
				return
			}
			if st, ok := ssair.AssignedBefore(v); ok { // one that a closure reads, too
				if p, ok := st.Val.(*ssa.Parameter); ok && p.Parent() == v.Parent() {
					b.paramTest(p, yes, no)
					return
				}
			}
			b.plainTest(v, token.NEQ, 0, yes, no)
		}
	case *ssa.Parameter:
		b.paramTest(v, yes, no)
	case *ssa.Extract:
		b.extracted(v, yes, no)
	case *ssa.Lookup:
		b.mapTest(v, false, yes, no)
	case *ssa.Call:
		b.callTest(v, yes, no)
	case *ssa.BinOp:
		b.comparison(v, yes, no, depth)
		b.unarranged(v, yes, no)
	}
}

// extracted handles the ok result of a receive.
func (b *builder) extracted(v *ssa.Extract, yes, no *Edge) {
	if c, ok := toldBy(v); ok {
		b.returned(c, NonZero, yes, no)
		return
	}
	if t, ok := v.Tuple.(*ssa.Lookup); ok {
		b.mapTest(t, v.Index == 1, yes, no)
		return
	}
	if v.Index != 1 {
		return
	}
	switch t := v.Tuple.(type) {
	case *ssa.UnOp:
		if t.Op == token.ARROW {
			at := b.ir.Num(t)
			yes.Events = append(yes.Events, Event{Kind: RecvSent, Site: at, Path: b.path(t.X)})
			no.Events = append(no.Events, Event{Kind: RecvClosed, Site: at, Path: b.path(t.X)})
		}
	case *ssa.Select:
		if k := receivedBy(t, v.Block()); k >= 0 {
			at := b.ir.Num(t)
			p := b.path(t.States[k].Chan)
			yes.Events = append(yes.Events, Event{Kind: RecvSent, Site: at, Operand: k, Path: p})
			no.Events = append(no.Events, Event{Kind: RecvClosed, Site: at, Operand: k, Path: p})
		}
	}
}

// receivedBy returns the case of a select that has received where ok is looked at
// in a block: the only one that receives, or the one to whose body the block
// belongs; -1 if it is not known.
func receivedBy(sel *ssa.Select, blk *ssa.BasicBlock) int {
	only := -1
	for i, st := range sel.States {
		if st.Dir == types.RecvOnly {
			if only >= 0 {
				only = -1
				break
			}
			only = i
		}
	}
	if only >= 0 {
		return only
	}
	for ; blk != nil; blk = blk.Idom() {
		if s, k := takenBefore(blk); s == sel && sel.States[k].Dir == types.RecvOnly {
			return k
		}
	}
	return -1
}

// takenBefore returns a select and the case of it that was taken by all who come to a block,
// as the edge that leads there says; nil if none.
func takenBefore(blk *ssa.BasicBlock) (*ssa.Select, int) {
	if len(blk.Preds) != 1 {
		return nil, 0
	}
	return takenOn(blk.Preds[0], blk)
}

// takenOn is takenBefore for who comes from another block.
func takenOn(from, to *ssa.BasicBlock) (*ssa.Select, int) {
	cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] != to || from.Succs[1] == to {
		return nil, 0
	}
	is, ok := cond.Cond.(*ssa.BinOp)
	if !ok || is.Op != token.EQL {
		return nil, 0
	}
	x, ok := is.X.(*ssa.Extract)
	if !ok || x.Index != 0 {
		return nil, 0
	}
	sel, ok := x.Tuple.(*ssa.Select)
	if k, is := scalarConst(is.Y); ok && is && 0 <= k && k < int64(len(sel.States)) {
		return sel, int(k)
	}
	return nil, 0
}

// callTest handles a boolean call: TryLock, CompareAndSwap, Load of a flag.
func (b *builder) callTest(c *ssa.Call, yes, no *Edge) {
	if at, up, ok := b.prevented(c); ok {
		yes.Events = append(yes.Events, Event{Kind: Prevented, Site: b.ir.Num(c), Operand: up, Const: int64(at)})
		return
	}
	f := b.lib.Called(&c.Call)
	if f == nil {
		b.returned(c, NonZero, yes, no)
		return
	}
	if len(c.Call.Args) == 0 {
		return
	}
	e := Event{Site: b.ir.Num(c), Op: f.Op, Path: b.path(c.Call.Args[0])}
	switch f.Op {
	case library.OpTryLock, library.OpTryRLock:
		e.Kind = Acquired
		yes.Events = append(yes.Events, e)
	case library.OpAtomicCAS:
		if len(c.Call.Args) < 3 {
			return
		}
		if old, ok := scalarConst(c.Call.Args[1]); ok {
			e.Kind, e.Const = FlagTest, old
			e.Cmp = "=="
			yes.Events = append(yes.Events, e)
			e.Cmp = "!="
			no.Events = append(no.Events, e)
		} else {
			e.Kind = Swapped
			yes.Events = append(yes.Events, e)
		}
	case library.OpAtomicLoad, library.OpAtomicSwap:
		e.Kind, e.Const = FlagTest, 1
		e.Cmp = "=="
		yes.Events = append(yes.Events, e)
		e.Const = 0
		no.Events = append(no.Events, e)
	}
}

var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// comparison handles `value op constant`.
func (b *builder) comparison(v *ssa.BinOp, yes, no *Edge, depth int) {
	op, x, y := v.Op, v.X, v.Y
	if _, ok := negated[op]; !ok {
		return
	}
	if _, ok := x.(*ssa.Const); ok {
		op, x, y = mirrored[op], y, x
	}
	k, ok := scalarConst(y)
	if !ok {
		// What equals something that is not zero is not zero either.
		if nonZero(y) || nonZero(x) {
			if nonZero(x) {
				x, y = y, x
			}
			switch op {
			case token.EQL:
				b.comparison(&ssa.BinOp{Op: token.NEQ, X: x, Y: zeroOf(y)}, yes, &Edge{}, depth)
			case token.NEQ:
				b.comparison(&ssa.BinOp{Op: token.NEQ, X: x, Y: zeroOf(y)}, no, &Edge{}, depth)
			}
		}
		b.countTest(op, x, y, yes, no)
		return
	}
	switch x := unconverted(x).(type) {
	case *ssa.Const:
		if n, ok := scalarConst(x); ok {
			if holds(n, op, k) {
				no.Dead = true
			} else {
				yes.Dead = true
			}
		}
	case *ssa.Extract:
		if c, ok := toldBy(x); ok && k == 0 && isError(x.Type()) {
			b.errorTest(c, op, yes, no)
			return
		}
		b.caseTest(x, op, k, yes, no)
	case *ssa.Call:
		if isBool(x.Type()) { // b == true, b == false
			switch {
			case op == token.EQL && k == 1, op == token.NEQ && k == 0:
				b.condition(x, yes, no, depth+1)
			case op == token.EQL && k == 0, op == token.NEQ && k == 1:
				b.condition(x, no, yes, depth+1)
			}
			return
		}
		if k == 0 && isError(x.Type()) {
			b.errorTest(x, op, yes, no)
			return
		}
		b.atomicTest(x, op, k, yes, no)
	case *ssa.UnOp:
		if held, ok := ssair.HeldValue(x); ok {
			b.comparison(&ssa.BinOp{Op: op, X: held, Y: y}, yes, no, depth)
			return
		}
		if n, ok := constCell(x); ok {
			// A variable that only ever holds this constant.
			if holds(n, op, k) {
				no.Dead = true
			} else {
				yes.Dead = true
			}
			return
		}
		if x.Op == token.MUL {
			b.plainTest(x, op, k, yes, no)
		}
	}
}

// constCell returns the constant that a variable holds when v loads it.
func constCell(v *ssa.UnOp) (int64, bool) {
	st, ok := ssair.AssignedBefore(v)
	if !ok {
		return 0, false
	}
	return scalarConst(st.Val)
}

func holds(n int64, op token.Token, k int64) bool {
	return constant.Compare(constant.MakeInt64(n), op, constant.MakeInt64(k))
}

func isBool(t types.Type) bool {
	bt, ok := ssair.Under(t).(*types.Basic)
	return ok && bt.Info()&types.IsBoolean != 0
}

// caseTest handles the dispatch after a select: index == k.
func (b *builder) caseTest(x *ssa.Extract, op token.Token, k int64, yes, no *Edge) {
	sel, ok := x.Tuple.(*ssa.Select)
	if !ok || x.Index != 0 || op != token.EQL || k < 0 || k >= int64(len(sel.States)) {
		return
	}
	yes.Events = append(yes.Events, b.caseOf(sel, int(k)))
	if sel.Blocking && k == int64(len(sel.States))-1 {
		no.Dead = true // one of the cases is taken
	}
}

// caseOf is the event that case k of a select was taken.
func (b *builder) caseOf(sel *ssa.Select, k int) Event {
	st := sel.States[k]
	return Event{
		Kind: CaseTaken, Site: b.ir.Num(sel), Operand: k,
		Path: b.path(st.Chan), Send: st.Dir == types.SendOnly, Value: b.sent(st.Send),
	}
}

func (b *builder) atomicTest(c *ssa.Call, op token.Token, k int64, yes, no *Edge) {
	f := b.lib.Called(&c.Call)
	if f == nil || len(c.Call.Args) == 0 {
		return
	}
	e := Event{Kind: FlagTest, Site: b.ir.Num(c), Op: f.Op, Const: k, Path: b.path(c.Call.Args[0])}
	switch f.Op {
	case library.OpAtomicLoad, library.OpAtomicSwap:
	case library.OpAtomicAdd:
		if len(c.Call.Args) > 1 {
			e.Delta, e.HasDelta = addend(c.Call.Args[1])
		}
	default:
		return
	}
	e.Cmp = op.String()
	yes.Events = append(yes.Events, e)
	e.Cmp = negated[op].String()
	no.Events = append(no.Events, e)
}

func (b *builder) plainTest(x *ssa.UnOp, op token.Token, k int64, yes, no *Edge) {
	p := b.path(x.X)
	if p <= 0 {
		return
	}
	if _, writes, ok := writesTo(x.X); ok {
		b.Flags = append(b.Flags, Flag{b.ir.Num(x), writes})
	}
	e := Event{Kind: PlainTest, Site: b.ir.Num(x), Const: k, Path: p}
	e.Cmp = op.String()
	yes.Events = append(yes.Events, e)
	e.Cmp = negated[op].String()
	no.Events = append(no.Events, e)
}

// countTest handles `counter op number`, where the number is none of the code: the edge on which a counter has come to it.
func (b *builder) countTest(op token.Token, x, y ssa.Value, yes, no *Edge) {
	if !ssair.IsInteger(x.Type()) {
		return
	}
	for _, v := range []struct {
		counter, bound ssa.Value
		op             token.Token
	}{{x, y, op}, {y, x, mirrored[op]}} {
		reached := yes
		switch v.op {
		case token.EQL, token.GEQ:
		case token.NEQ, token.LSS:
			reached = no
		default:
			continue
		}
		e := Event{Kind: CountTest, Value: b.path(v.bound)}
		switch c := unconverted(v.counter).(type) {
		case *ssa.Call:
			f := b.lib.Called(&c.Call)
			if f == nil || len(c.Call.Args) == 0 || f.Op != library.OpAtomicLoad && f.Op != library.OpAtomicAdd {
				continue
			}
			e.Site, e.Op, e.Path = b.ir.Num(c), f.Op, b.path(c.Call.Args[0])
		case *ssa.UnOp:
			if c.Op != token.MUL {
				continue
			}
			cell, writes, ok := writesTo(c.X)
			if !ok || !slices.ContainsFunc(writes, func(w FlagWrite) bool { return w.Adds != 0 && w.Fn != cell.Parent().String() }) {
				continue // others than the function that makes it do not count in it
			}
			b.Flags = append(b.Flags, Flag{b.ir.Num(c), writes})
			e.Site, e.Path = b.ir.Num(c), b.path(c.X)
		default:
			continue
		}
		if e.Value > 0 && e.Path > 0 {
			reached.Events = append(reached.Events, e)
		}
	}
}

// unconverted returns what a value was before its conversions.
func unconverted(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok {
			return v
		}
		v = c.X
	}
}

func (b *builder) paramTest(x *ssa.Parameter, yes, no *Edge) {
	e := Event{Kind: ParamTest, Site: ssair.NoInstr, Path: b.path(x), Cmp: "!="}
	yes.Events = append(yes.Events, e)
	e.Cmp = "=="
	no.Events = append(no.Events, e)
}

// mapTest handles a map that says of a key whether it has been seen, by its value
// or by being there.
func (b *builder) mapTest(x *ssa.Lookup, there bool, yes, no *Edge) {
	p := b.mapElem(x.X, x.Index, there)
	if p <= 0 {
		return
	}
	e := Event{Kind: MapTest, Site: b.ir.Num(x), Path: p, Cmp: "!="}
	yes.Events = append(yes.Events, e)
	e.Cmp = "=="
	no.Events = append(no.Events, e)
}

// mapElem returns the path of an element of a map, or of whether it is there; 0 if
// the key is not known.
func (b *builder) mapElem(m, key ssa.Value, there bool) PathID {
	if !ssair.IsMap(m.Type()) {
		return 0
	}
	base, k := b.path(m), b.path(key)
	if base <= 0 || k <= 0 {
		return 0
	}
	p := b.intern(pathNode{kind: pathElem, base: base, idx: k})
	if there {
		p = b.intern(pathNode{kind: pathField, base: p, name: "?"})
	}
	return p
}

// mapStore notes what becomes of an element of a map, and of whether it is there.
func (b *builder) mapStore(at ssair.Instr, m, key, val ssa.Value) {
	there := int64(1)
	if val == nil {
		there = 0
		b.Stores = append(b.Stores, Store{at, b.mapElem(m, key, false), 0})
	} else if n, ok := scalarConst(val); ok {
		b.Stores = append(b.Stores, Store{at, b.mapElem(m, key, false), n})
	}
	b.Stores = append(b.Stores, Store{at, b.mapElem(m, key, true), there})
}

// writesTo returns the variable of which a value is the address, and the stores to it; ok is false if these are not all in
// sight.
func writesTo(v ssa.Value) (cell *ssa.Alloc, writes []FlagWrite, ok bool) {
	for depth := 0; depth < 8; depth++ {
		fv, ok := v.(*ssa.FreeVar)
		if !ok {
			break
		}
		if v = ssair.Binding(fv); v == nil {
			return nil, nil, false
		}
	}
	cell, ok = v.(*ssa.Alloc)
	ok = ok && cell.Heap && cellStores(cell, &writes, 0)
	return cell, writes, ok
}

// cellStores collects the stores to a cell; false if it may be written
// otherwise.
func cellStores(v ssa.Value, out *[]FlagWrite, depth int) bool {
	if depth > 6 || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != v {
				return false
			}
			n, ok := scalarConst(r.Val)
			*out = append(*out, FlagWrite{r.Parent().String(), numberOf(r), n, ok, added(r)})
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			if !ok {
				return false
			}
			for i, bound := range r.Bindings {
				if bound == v && (i >= len(fn.FreeVars) || !cellStores(fn.FreeVars[i], out, depth+1)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// added returns the constant that a store adds to what the variable holds, or 0.
func added(st *ssa.Store) int64 {
	sum, ok := st.Val.(*ssa.BinOp)
	if !ok {
		return 0
	}
	ld, ok := sum.X.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL || ld.X != st.Addr {
		return 0
	}
	n, _ := increment(sum, ld)
	return n
}

// numberOf is the number of an instruction of any function.
func numberOf(in ssa.Instruction) ssair.Instr {
	n := ssair.Instr(0)
	for _, blk := range in.Parent().Blocks {
		if blk == in.Block() {
			for _, x := range blk.Instrs {
				if x == in {
					return n
				}
				n++
			}
		}
		n += ssair.Instr(len(blk.Instrs))
	}
	return ssair.NoInstr
}

package index

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

var intOps = map[token.Token]op{
	token.ADD: opAdd, token.SUB: opSub, token.MUL: opMul, token.QUO: opQuo, token.REM: opRem,
	token.SHL: opShl, token.SHR: opShr, token.AND: opAnd, token.OR: opOr, token.XOR: opXor, token.AND_NOT: opAndNot,
}

var floatOps = map[token.Token]op{
	token.ADD: opFloatAdd, token.SUB: opFloatSub, token.MUL: opFloatMul, token.QUO: opFloatQuo,
}

var compareOps = map[token.Token]op{
	token.LSS: opLess, token.LEQ: opLessEq, token.GTR: opGreater, token.GEQ: opGreaterEq,
	token.EQL: opEqual, token.NEQ: opNotEqual,
}

// lowerInstr lowers an instruction that yields a value.
func (b *builder) lowerInstr(v ssa.Value, in ssa.Instruction) vref {
	k := kindOf(v.Type())
	switch x := v.(type) {
	case *ssa.Phi:
		return b.phi(x, k)
	case *ssa.UnOp:
		return b.unop(x, k)
	case *ssa.Call:
		return b.call(x, &x.Call, 0)
	}
	// Reserve the number first: an operand may come back through a phi.
	n := b.f.Num(in)
	b.byInstr[n] = b.add(val{kind: k, at: n, blk: int32(in.Block().Index)})
	out := val{kind: k}
	switch x := v.(type) {
	case *ssa.Alloc:
		out.op, out.s = opAlloc, x.Comment
		b.allocs = append(b.allocs, x)
	case *ssa.BinOp:
		out.op = binOp(x, kindOf(x.X.Type()))
		if out.op != opNone {
			out.a = b.list(b.val(x.X), b.val(x.Y))
		}
	case *ssa.ChangeType:
		return b.same(n, x.X)
	case *ssa.MakeInterface:
		return b.same(n, x.X)
	case *ssa.ChangeInterface:
		return b.same(n, x.X)
	case *ssa.TypeAssert:
		if !x.CommaOk {
			return b.same(n, x.X)
		}
	case *ssa.Convert:
		from := kindOf(x.X.Type())
		switch {
		case from.isInt() && k.isInt():
			out.op = opConv
		case from.isInt() && k == kFloat:
			out.op = opIntToFloat
		case from == kFloat && k.isInt():
			out.op = opFloatToInt
		case from == k:
			return b.same(n, x.X)
		}
		if out.op != opNone {
			out.a = b.list(b.val(x.X))
		}
	case *ssa.IndexAddr:
		out.op, out.a, out.n = opIndexAddr, b.list(b.val(x.X), b.val(x.Index)), arrayLen(x.X.Type())
	case *ssa.Index:
		if k, ok := x.Index.(*ssa.Const); ok {
			if all, part := parts(x.X.Type()); part != nil && 0 <= k.Int64() && k.Int64() < int64(all) {
				out.op, out.n, out.a = opField, k.Int64(), b.list(b.val(x.X))
				out.s = "[" + strconv.Itoa(int(out.n)) + "]"
				if st := b.c.get(out.a[0]); st.op == opStruct && int(out.n) < len(st.a) {
					return b.alias(n, st.a[out.n])
				}
				break
			}
		}
		out.op, out.a, out.n = opIndex, b.list(b.val(x.X), b.val(x.Index)), arrayLen(x.X.Type())
	case *ssa.FieldAddr:
		out.op, out.n, out.a = opFieldAddr, int64(x.Field), b.list(b.val(x.X))
		out.s = ssair.Under(deref(x.X.Type())).(*types.Struct).Field(x.Field).Name()
	case *ssa.Field:
		out.op, out.n, out.a = opField, int64(x.Field), b.list(b.val(x.X))
		out.s = ssair.Under(x.X.Type()).(*types.Struct).Field(x.Field).Name()
		if st := b.c.get(out.a[0]); st.op == opStruct && x.Field < len(st.a) {
			return b.alias(n, st.a[x.Field])
		}
	case *ssa.Slice:
		out.op, out.n = opSlice, arrayLen(x.X.Type())
		if kindOf(x.X.Type()) == kString {
			out.n = -2
		}
		out.a = b.list(b.val(x.X), b.optional(x.Low), b.optional(x.High), b.optional(x.Max))
	case *ssa.MakeSlice:
		out.op, out.a, out.s = opMakeSlice, b.list(b.val(x.Len), b.val(x.Cap)), madeFor(x)
	case *ssa.MakeClosure:
		out.op, out.s = opClosure, x.Fn.(*ssa.Function).String()
		for _, p := range x.Bindings {
			out.a = append(out.a, b.val(p))
		}
		out.bind = b.captured(x)
	case *ssa.Lookup:
		if ssair.IsMap(x.X.Type()) {
			out.op, out.a = opLookup, b.list(b.val(x.X), b.val(x.Index))
			out.kind = kindOf(ssair.Under(x.X.Type()).(*types.Map).Elem())
			b.c.vals[b.byInstr[n]].kind = out.kind
		}
	case *ssa.MakeMap:
		out.op = opMakeMap
	case *ssa.Range:
		if ssair.IsMap(x.X.Type()) {
			out.op, out.a = opRange, b.list(b.val(x.X))
		}
	case *ssa.Extract:
		return b.extract(x, n, out)
	case *ssa.SliceToArrayPointer:
		out.op, out.n, out.a = opSlice, -1, b.list(b.val(x.X), 0, 0, 0)
	}
	return b.instr(in, out)
}

// same makes the reserved val an alias of another value.
func (b *builder) same(n ssair.Instr, x ssa.Value) vref { return b.alias(n, b.val(x)) }

func (b *builder) alias(n ssair.Instr, to vref) vref {
	r := b.byInstr[n]
	if to == 0 || b.resolve(to) == r {
		return r
	}
	b.c.vals[r] = val{op: opAlias, a: b.list(to), at: n, blk: b.c.vals[r].blk, kind: b.c.vals[r].kind}
	return r
}

func (b *builder) optional(v ssa.Value) vref {
	if v == nil {
		return 0
	}
	r := b.val(v)
	if r == 0 {
		r = b.fresh(v.Type(), b.f.SSA.Blocks[0])
	}
	return r
}

func binOp(x *ssa.BinOp, k kind) op {
	switch {
	case k.isInt():
		if o, ok := intOps[x.Op]; ok {
			return o
		}
		return compareOps[x.Op]
	case k == kFloat:
		return floatOps[x.Op]
	}
	return opNone
}

func arrayLen(t types.Type) int64 {
	if a, ok := ssair.Under(deref(t)).(*types.Array); ok {
		return a.Len()
	}
	return -1
}

func (b *builder) phi(x *ssa.Phi, k kind) vref {
	n := b.f.Num(x)
	r := b.add(val{kind: k, at: n, blk: int32(x.Block().Index)})
	b.byInstr[n] = r
	if k == kOther || k == kFloat || k == kBool && !calledEach(x) {
		return r
	}
	args := arena(&b.s.refs, len(x.Edges))
	for i, e := range x.Edges {
		if b.f.LiveEdge(x.Block(), i) {
			args[i] = b.val(e)
		}
	}
	cut := b.deadEdges(x.Block(), args)
	b.instr(x, val{op: opPhi, kind: k, s: b.phiName(x), a: args})
	if cut {
		b.phis = append(b.phis, r)
		b.trivial(r)
	}
	return r
}

// deadEdges gives the edges to a block that constants keep from being taken the value of
// one that is taken, if there are any: of a back edge for a back edge.
func (b *builder) deadEdges(blk *ssa.BasicBlock, args []vref) (cut bool) {
	for i := range args {
		if b.f.LiveEdge(blk, i) {
			continue
		}
		cut = true
		for k := range args {
			if b.f.LiveEdge(blk, k) && (args[i] == 0 || blk.Dominates(blk.Preds[k]) == blk.Dominates(blk.Preds[i])) {
				args[i] = args[k]
			}
		}
	}
	return cut
}

// calledEach reports whether all edges of a phi are results of calls, see
// frame.repeated.
func calledEach(x *ssa.Phi) bool {
	for _, e := range x.Edges {
		t, ok := e.(*ssa.Extract)
		if !ok {
			return false
		}
		if _, ok = t.Tuple.(*ssa.Call); !ok {
			return false
		}
	}
	return true
}

func (b *builder) unop(x *ssa.UnOp, k kind) vref {
	n := b.f.Num(x)
	if x.Op == token.MUL {
		if r := b.cellLoad(x); r != 0 {
			return r
		}
	}
	b.byInstr[n] = b.add(val{kind: k, at: n, blk: int32(x.Block().Index)})
	out := val{kind: k}
	switch x.Op {
	case token.MUL:
		out.op, out.a = opLoad, b.list(b.val(x.X))
		p, _ := cellPath(x.X)
		if _, _, may := b.mayBeEarly(p, x); may {
			out.n = loadEarly
			b.earlies = append(b.earlies, x)
		}
		if p, path := cellPath(x.X); path != "" || p == x.X {
			if fv, ok := p.(*ssa.FreeVar); ok {
				f := b.c.get(b.leaf(fv))
				out.op, out.n, out.s = opFreeVal, f.n, path
			}
		}
	case token.SUB:
		if k.isInt() {
			out.op, out.a = opNeg, b.list(b.val(x.X))
		} else if k == kFloat {
			out.op, out.a = opFloatNeg, b.list(b.val(x.X))
		}
	case token.XOR:
		out.op, out.a = opNot, b.list(b.val(x.X))
	case token.NOT:
		out.op, out.a = opBoolNot, b.list(b.val(x.X))
	case token.ARROW:
		out.op, out.a = opRecv, b.list(b.val(x.X))
		if usedIfOk(x) {
			out.n = okChecked
		}
	}
	return b.instr(x, out)
}

// extract lowers one result of a tuple.
func (b *builder) extract(x *ssa.Extract, n ssair.Instr, out val) vref {
	switch t := x.Tuple.(type) {
	case *ssa.UnOp: // v, ok := <-c
		if x.Index == 0 {
			return b.same(n, t)
		}
	case *ssa.TypeAssert:
		if x.Index == 0 {
			return b.same(n, t.X)
		}
	case *ssa.Lookup:
		if x.Index == 0 {
			return b.same(n, t)
		}
	case *ssa.Next:
		switch {
		case t.IsString:
		case x.Index == 1:
			out.op, out.a = opKey, b.list(b.val(t.Iter))
		case x.Index == 2:
			out.op, out.n, out.a = opEntry, int64(b.f.Num(t)), b.list(b.val(t.Iter))
		}
	case *ssa.Select:
		i := 2 // the first received value
		for _, s := range t.States {
			if s.Dir != types.RecvOnly {
				continue
			}
			if i == x.Index {
				out.op, out.a = opRecv, b.list(b.val(s.Chan))
			}
			i++
		}
	case *ssa.Call:
		out.op, out.n, out.a = opExtract, int64(x.Index), b.list(b.val(t))
	}
	return b.instr(x, out)
}

// usedIfOk reports whether v of v, ok := <-c is used only where ok is true.
func usedIfOk(x *ssa.UnOp) bool {
	if !x.CommaOk {
		return false
	}
	var yes *ssa.BasicBlock
	for _, u := range *x.Referrers() {
		if e, ok := u.(*ssa.Extract); ok && e.Index == 1 {
			for _, w := range *e.Referrers() {
				br, ok := w.(*ssa.If)
				if ok && len(br.Block().Succs[0].Preds) == 1 {
					yes = br.Block().Succs[0]
				}
			}
		}
	}
	if yes == nil {
		return false
	}
	for _, u := range *x.Referrers() {
		e, ok := u.(*ssa.Extract)
		if !ok || e.Index == 1 {
			continue
		}
		for _, w := range *e.Referrers() {
			phi, ok := w.(*ssa.Phi)
			if !ok {
				if !yes.Dominates(w.Block()) {
					return false
				}
				continue
			}
			for i, v := range phi.Edges { // used where control comes from
				if v == e && !yes.Dominates(phi.Block().Preds[i]) {
					return false
				}
			}
		}
	}
	return true
}

// call lowers a call, go or defer statement.
func (b *builder) call(in ssa.Instruction, call *ssa.CallCommon, flags int64) vref {
	n := b.f.Num(in)
	if r := b.byInstr[n]; r != 0 {
		return r
	}
	k := kOther
	if v, ok := in.(ssa.Value); ok {
		k = kindOf(v.Type())
	}
	b.byInstr[n] = b.add(val{kind: k, at: n, blk: int32(in.Block().Index)})
	out := val{op: opCall, kind: k, n: flags}
	if bi, ok := call.Value.(*ssa.Builtin); ok {
		out = b.builtin(bi.Name(), call.Args, k)
		return b.instr(in, out)
	}
	callee := vref(0)
	if fn := call.StaticCallee(); fn != nil {
		if _, closure := call.Value.(*ssa.MakeClosure); closure {
			callee = b.val(call.Value)
		} else {
			out.s = fn.String()
			if !isAtomic(out.s, "Add") && b.worthwhile(fn, in) { // what adds to a counter is that call, whether its body is in view or not
				out.sub = b.small(fn)
			}
		}
	} else if call.IsInvoke() {
		callee = b.val(call.Value)
		out.n |= callInvoke
		out.s = call.Method.Name()
	} else {
		callee = b.val(call.Value)
	}
	out.a = []vref{callee}
	for i, x := range call.Args {
		out.a = append(out.a, b.val(x))
		if mi, ok := x.(*ssa.MakeInterface); ok {
			if t := mi.X.Type(); kindOf(t) == kSlice || kindOf(t) == kStruct {
				out.bind = append(out.bind, binding{int32(i), t.String(), b.val(mi.X)})
			}
		}
	}
	return b.instr(in, out)
}

func (b *builder) builtin(name string, args []ssa.Value, k kind) val {
	out := val{kind: k}
	switch name {
	case "len":
		out.op, out.n = opLen, arrayLen(args[0].Type())
	case "cap":
		out.op, out.n = opCap, arrayLen(args[0].Type())
	case "min", "max":
		if !k.isInt() {
			return out
		}
		out.op = opMin
		if name == "max" {
			out.op = opMax
		}
	case "copy":
		out.op = opCopy
	case "append":
		out.op = opAppend
	case "clear":
		out.op = opClear
	default:
		return out
	}
	for _, x := range args {
		out.a = append(out.a, b.val(x))
	}
	return out
}

// Callees up to this size are kept with the caller, so that a helper like
// func lower(i, n int) int is understood; twice the size if they return a
// struct, like image.Rectangle's Intersect. Twice the size for all made Build a
// quarter slower and its results a quarter larger.
const (
	smallBlocks = 8
	smallInstrs = 40
)

// worthwhile reports whether an index may depend on what fn returns: results
// of which indices are computed, an interface that the caller takes for a
// pointer right away, or a function that it calls.
func (b *builder) worthwhile(fn *ssa.Function, call ssa.Instruction) bool {
	res := fn.Signature.Results()
	if res.Len() == 1 && types.IsInterface(res.At(0).Type()) {
		return asserted(call)
	}
	if res.Len() == 1 && kindOf(res.At(0).Type()) == kFunc {
		v, ok := call.(ssa.Value)
		return ok && calledThere(v)
	}
	return indicesFrom(res)
}

// calledThere reports whether the function that a call returns is called at once, as that of an iterator, which ranges
// over parts, knows of how much; or by a goroutine, or a literal that has captured it.
func calledThere(v ssa.Value) bool {
	return v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(u ssa.Instruction) bool {
		switch u := u.(type) {
		case *ssa.Call:
			return u.Call.Value == v
		case *ssa.Go:
			return u.Call.Value == v
		case *ssa.MakeClosure:
			return true
		case *ssa.Store:
			a, ok := u.Addr.(*ssa.Alloc)
			return ok && slices.ContainsFunc(*a.Referrers(), func(u ssa.Instruction) bool {
				_, ok := u.(*ssa.MakeClosure)
				return ok
			})
		}
		return false
	})
}

// indicesFrom reports whether an index may be computed from results: they are
// integers, slices, pointers, structs of such, perhaps with truth values that
// say what the others are good for. A pointer with one is what a lookup has
// found, of which there are many, and none has anything to do with indices.
func indicesFrom(res *types.Tuple) bool {
	told, some := false, false
	for i := range res.Len() {
		switch t := res.At(i).Type(); {
		case kindOf(t) == kBool:
			told = true
		case !indexLike(t, 2):
			return false
		}
	}
	for i := range res.Len() {
		k := kindOf(res.At(i).Type())
		some = some || k != kBool && (k != kPointer || !told)
	}
	return some
}

// indexLike reports whether an index may be computed from a value of the type.
func indexLike(t types.Type, depth int) bool {
	switch k := kindOf(t); {
	case k.isInt(), k == kSlice, k == kPointer:
		return true
	case k == kStruct && depth > 0:
		st := ssair.Under(t).(*types.Struct)
		for i := range st.NumFields() {
			if !indexLike(st.Field(i).Type(), depth-1) {
				return false
			}
		}
		return st.NumFields() > 0
	}
	return false
}

// asserted reports whether the only use of a call's result is to take it for a
// pointer.
func asserted(call ssa.Instruction) bool {
	v, ok := call.(ssa.Value)
	if !ok || v.Referrers() == nil {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.TypeAssert:
			if kindOf(r.AssertedType) != kPointer {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// maxCallees is how deep small callees of small callees are kept.
const maxCallees = 3

// small returns the code of a callee that is small and has no loop, or nil.
// What else it does is of no concern: only its results are evaluated.
func (b *builder) small(fn *ssa.Function) *Func {
	if b.depth < maxCallees && len(fn.Blocks) == 0 && b.outside != nil {
		return b.outside(fn)
	}
	size := 1
	if res := fn.Signature.Results(); res.Len() == 1 && kindOf(res.At(0).Type()) == kStruct {
		size = 2
	}
	if b.depth >= maxCallees || len(fn.Blocks) == 0 || len(fn.Blocks) > size*smallBlocks {
		return nil
	}
	n := 0
	for _, blk := range fn.Blocks {
		n += len(blk.Instrs)
		if n > size*smallInstrs {
			return nil
		}
		for _, s := range blk.Succs {
			if s.Dominates(blk) {
				return nil // a loop
			}
		}
		for _, in := range blk.Instrs {
			if _, ok := in.(*ssa.Defer); ok {
				return nil // may change the results
			}
		}
	}
	return build(ssair.New(fn), b.depth+1, b.outside)
}

// madeFor returns the name of the variable in memory that new memory is stored in first, if it is.
func madeFor(v ssa.Value) string {
	for _, r := range *v.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			if a, ok := st.Addr.(*ssa.Alloc); ok && allocNames[a.Comment] == "" {
				return a.Comment
			}
		}
	}
	return ""
}

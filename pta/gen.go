package pta

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// A lowerer turns one SSA function into its template.
type lowerer struct {
	p      *Program
	fn     *ssa.Function
	ir     *ssair.Func
	f      *Func
	splits []*splitLoop
	inner  []*splitLoop // by block: the split loop whose copies hold the block, or nil
	vals   map[ssa.Value]*[3]Node
	unions map[ssa.Value]Node
	index  map[ssa.Value]own
	free   map[*ssa.FreeVar]int

	overwrites map[*ssa.Alloc]*overwrite
	parts      map[*ssa.Alloc][]part // see partsOf

	init bool // package initialiser of library code: accesses are of no interest

	// the copy being lowered
	loop    *splitLoop
	side    uint8
	at      ssair.Instr
	root    Root      // where the pointer of the access being recorded comes from
	puts    Content   // what the store being recorded puts
	ofCalls []Yielded // for the access that is recorded next
	putIn   []PutIn   // likewise; one at most
	windows map[*ssa.Slice]bool
	fills   map[ssa.Value]*filled
	webs    map[webKey]*web // what is known of new memory, see webOf
	arg     int8            // argument of the call being lowered, -1 for none
	rulings map[ssa.Value][]ruling
	ruled   map[ruledKey]Node
	typed   map[ssa.Value][]typeEdge
	tested  map[testKey]Node
	grown   map[grownKey]Node // the new memory of appends, see back.go
}

// lower makes the template of fn.
func (p *Program) lower(fn *ssa.Function) *Func {
	pkg := pkgPath(fn)
	f := &Func{
		Name:   fn.String(),
		Pkg:    pkg,
		Pos:    p.pos(fn.Pos()),
		App:    p.Application(pkg),
		Test:   p.inTestFile(fn),
		Result: None,
	}
	l := &lowerer{
		p: p, fn: fn, f: f, arg: -1,
		windows: make(map[*ssa.Slice]bool),
		webs:    make(map[webKey]*web),
		vals:    make(map[ssa.Value]*[3]Node),
		unions:  make(map[ssa.Value]Node),
		index:   make(map[ssa.Value]own),
		free:    make(map[*ssa.FreeVar]int),
	}
	f.Lib = p.entry(fn)
	if r := fn.Signature.Recv(); r != nil {
		f.Recv = typeString(deref(r.Type()))
	}
	l.signature()
	if fn.Blocks == nil || f.Lib != nil && p.blackHole(f.Lib) {
		l.external()
		return f
	}
	if in := vague(fn); in != nil {
		if f.App {
			f.Notices = append(f.Notices, model.Notice{
				Pos: p.pos(in.Pos()), Code: model.SoundnessNumber("generic-body"),
				Message: f.Name + " is instantiated nowhere, and what it does depends on its type arguments: not analysed",
			})
		}
		return f
	}
	l.ir = ssair.New(fn)
	l.init = ssair.Initialises(fn) && !f.App
	kind, _, _ := strings.Cut(fn.Synthetic, " ")
	f.Between = kind == "wrapper" || kind == "bound" || kind == "thunk"
	f.Index = index.Build(l.ir, p.smallIndex)
	l.policy()
	l.findSplits()
	l.findRulings()
	l.findTypeEdges()
	l.findGuards()
	l.findGates()
	l.setResults()
	f.Flow = flow.Build(l.ir, holes{p})
	for b, n := range flow.Come(l.ir, holes{p}) {
		if n > 0 {
			l.block(fn.Blocks[b], n)
		}
	}
	l.summaries()
	l.handed()
	return f
}

// signature allocates the nodes of parameters, free variables and results.
func (l *lowerer) signature() {
	f := l.f
	for _, v := range l.fn.Params {
		f.Params = append(f.Params, l.define(v, 0))
		f.PLen = append(f.PLen, l.leaves(v.Type()))
		pos := f.Pos // of what go/ssa makes, parameters stand in other packages
		if l.fn.Synthetic == "" {
			pos = l.p.pos(v.Pos())
		}
		f.Vars = append(f.Vars, Var{v.Name(), l.p.types.id(v.Type()), pos})
	}
	for i, v := range l.fn.FreeVars {
		l.free[v] = i
		f.Free = append(f.Free, l.define(v, 0))
		f.FLen = append(f.FLen, l.leaves(v.Type()))
	}
	res := l.fn.Signature.Results()
	off := int32(0)
	for i := range res.Len() {
		f.ROff = append(f.ROff, off)
		off += l.p.types.layoutOf(res.At(i).Type()).Len()
	}
	if l.p.types.layoutOf(res).Ptr {
		f.Result = l.newNodes(off)
		f.RLen = off
	}
}

func (l *lowerer) newNodes(n int32) Node {
	x := Node(l.f.NNodes)
	l.f.NNodes += n
	return x
}

// leaves returns the number of nodes that values of a type need.
func (l *lowerer) leaves(t types.Type) int32 {
	lay := l.p.types.layoutOf(t)
	if !lay.Ptr {
		return 0
	}
	return lay.Len()
}

// define returns the node of v in copy side, allocating it on first use.
func (l *lowerer) define(v ssa.Value, side uint8) Node {
	ns := l.vals[v]
	if ns == nil {
		ns = &[3]Node{-2, -2, -2}
		l.vals[v] = ns
	}
	if ns[side] == -2 {
		ns[side] = None
		if n := l.leaves(v.Type()); n > 0 {
			ns[side] = l.newNodes(n)
		}
	}
	return ns[side]
}

// home returns the split loop in whose copies v is computed, or nil. A phi at
// a loop's head joins both copies, so it lies outside them.
func (l *lowerer) home(v ssa.Value) *splitLoop {
	in, ok := v.(ssa.Instruction)
	if !ok || in.Block() == nil || in.Block().Index >= len(l.inner) {
		return nil
	}
	s := l.inner[in.Block().Index]
	if phi, ok := v.(*ssa.Phi); ok && s != nil && phi.Block() == s.loop.Header {
		return l.outside(s)
	}
	return s
}

// outside returns the split loop whose copies hold what is just outside s.
func (l *lowerer) outside(s *splitLoop) *splitLoop {
	if s.loop.Parent == nil {
		return nil
	}
	return l.chooseSplit(s.loop.Parent)
}

// val returns the node of v as the instruction and the copy being lowered see
// it.
func (l *lowerer) val(v ssa.Value) Node {
	n := l.valueOf(v)
	if l.rulings != nil || l.typed != nil {
		n = l.narrowed(v, n, l.fn.Blocks[l.ir.Block(l.at)], nil)
	}
	return n
}

// narrowed returns the node of v, known as n in the copy being lowered, without what tests have found v
// not to be in block b, or on the edge from it to block to where that is not nil.
func (l *lowerer) narrowed(v ssa.Value, n Node, b, to *ssa.BasicBlock) Node {
	return l.passing(v, l.ruledOut(v, n, b, to), b, to)
}

// valueOf returns the node of v in the copy being lowered, wherever v is used.
func (l *lowerer) valueOf(v ssa.Value) Node {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
		return None
	case *ssa.Global:
		return l.constant(v, Constraint{Op: OpGlobal, Arg: int32(l.p.globalID(v))})
	case *ssa.Function:
		return l.constant(v, Constraint{Op: OpFunc, Arg: int32(l.p.FuncID(v))})
	case *ssa.Range:
		return l.val(v.X)
	}
	home := l.home(v)
	switch {
	case home == nil:
		return l.define(v, 0)
	case home == l.loop:
		return l.define(v, l.side)
	}
	if n, ok := l.unions[v]; ok {
		return n
	}
	n := None
	if k := l.leaves(v.Type()); k > 0 {
		n = l.newNodes(k)
		for side := uint8(partAlpha); side <= partBeta; side++ {
			src := l.define(v, side)
			for i := range k {
				l.f.Constraints = append(l.f.Constraints, Constraint{Op: OpCopy, Loop: -1, Dst: n + Node(i), Src: src + Node(i)})
			}
		}
	}
	l.unions[v] = n
	return n
}

// constant returns the node of a value that needs one constraint, made once
// for the whole function.
func (l *lowerer) constant(v ssa.Value, c Constraint) Node {
	if ns := l.vals[v]; ns != nil {
		return ns[0]
	}
	n := l.newNodes(1)
	l.vals[v] = &[3]Node{n, -2, -2}
	c.Loop, c.Dst = -1, n
	l.f.Constraints = append(l.f.Constraints, c)
	return n
}

// dst returns the node that the value defined by the current instruction has
// in the copy being lowered.
func (l *lowerer) dst(v ssa.Value) Node {
	if l.home(v) == nil {
		return l.define(v, 0)
	}
	return l.define(v, l.side)
}

func (l *lowerer) loopIndex() int8 {
	if l.loop == nil {
		return -1
	}
	return l.loop.index
}

func (l *lowerer) emit(c Constraint) {
	c.Loop, c.Side = l.loopIndex(), l.side
	l.f.Constraints = append(l.f.Constraints, c)
}

// copyLeaves emits d+i ⊇ s+i for the n leaves of a value.
func (l *lowerer) copyLeaves(d, s Node, n int32) {
	if d == None || s == None {
		return
	}
	for i := range n {
		l.emit(Constraint{Op: OpCopy, Dst: d + Node(i), Src: s + Node(i)})
	}
}

// ptrLeaves calls f for every leaf of t that can hold a pointer.
func (l *lowerer) ptrLeaves(t types.Type, f func(i int32)) {
	for i, x := range l.p.types.layoutOf(t).Leaves {
		if x.Ptr {
			f(int32(i))
		}
	}
}

// block lowers the first n instructions of a block, once for each copy that holds it.
func (l *lowerer) block(b *ssa.BasicBlock, n int) {
	var s *splitLoop
	if b.Index < len(l.inner) {
		s = l.inner[b.Index]
	}
	for _, in := range b.Instrs[:n] {
		l.at = l.ir.Num(in)
		home := s
		if v, ok := in.(*ssa.Phi); ok {
			home = l.home(v)
		}
		if home == nil {
			l.loop, l.side = nil, 0
			l.instr(in)
			continue
		}
		l.loop = home
		for l.side = partAlpha; l.side <= partBeta; l.side++ {
			l.instr(in)
		}
		l.loop, l.side = nil, 0 // what comes after the blocks sees both copies
	}
}

func (l *lowerer) pos(in ssa.Instruction) model.Pos {
	if p := in.Pos(); p.IsValid() {
		return l.p.pos(p)
	}
	var rands [10]*ssa.Value
	for _, op := range in.Operands(rands[:0]) {
		if op == nil || *op == nil {
			continue
		}
		switch (*op).(type) {
		case *ssa.Function, *ssa.Global, *ssa.Parameter, *ssa.FreeVar, *ssa.Alloc:
			continue // their position is that of a declaration
		}
		if p := (*op).Pos(); p.IsValid() {
			return l.p.pos(p)
		}
	}
	// What each round of a loop does for its own copy of the variable is where that is declared.
	for _, op := range in.Operands(rands[:0]) {
		if x, ok := (*op).(*ssa.Alloc); ok && x.Pos().IsValid() {
			return l.p.pos(x.Pos())
		}
	}
	return l.f.Pos
}

// instr lowers one instruction in the current copy.
func (l *lowerer) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		if ssair.Initialises(l.fn) && !in.Heap && !l.p.types.layoutOf(deref(in.Type())).Ptr {
			break // of a table, which holds copies: nothing leads there
		}
		l.allocate(in, Alloc{Kind: AllocValue, Type: l.p.types.id(deref(in.Type())), Word: allocWord(in), Name: allocName(in)})
	case *ssa.MakeSlice:
		l.allocate(in, Alloc{Kind: AllocArray, Type: l.elem(in.Type()), Full: in.Len == in.Cap, Word: "make", Name: storedName(in)})
	case *ssa.MakeMap:
		l.allocate(in, Alloc{Kind: AllocMap, Type: l.p.types.id(in.Type()), Word: "make", Name: storedName(in)})
	case *ssa.MakeChan:
		l.allocate(in, Alloc{Kind: AllocChan, Type: l.elem(in.Type()), Word: "make", Name: storedName(in)})
	case *ssa.MakeClosure:
		l.closure(in)
	case *ssa.MakeInterface:
		l.box(in)
	case *ssa.Phi:
		d := l.dst(in)
		for i, e := range in.Edges {
			if l.ir.LiveEdge(in.Block(), i) {
				l.phiEdge(d, e, in.Block().Preds[i], in.Block())
			}
		}
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			l.load(in)
		case token.ARROW:
			l.receive(in, in.X, in.CommaOk)
		}
	case *ssa.Store:
		if !l.namedOnly(in) {
			l.store(in)
		}
	case *ssa.ChangeType:
		l.copyLeaves(l.dst(in), l.val(in.X), l.leaves(in.Type()))
	case *ssa.ChangeInterface:
		l.copyLeaves(l.dst(in), l.val(in.X), 1)
	case *ssa.SliceToArrayPointer:
		l.copyLeaves(l.dst(in), l.val(in.X), 1)
	case *ssa.Convert:
		l.convert(in, in.X)
	case *ssa.MultiConvert:
		l.convert(in, in.X)
	case *ssa.Slice:
		if _, isString := ssair.Under(in.X.Type()).(*types.Basic); !isString {
			l.slice(in)
		}
	case *ssa.FieldAddr:
		if l.needsNode(in) {
			n, off := l.addr(in)
			l.emit(Constraint{Op: OpOffset, Dst: l.dst(in), Src: n, Off: off})
		}
	case *ssa.Field:
		if d := l.dst(in); d != None {
			off := l.p.types.fieldOffset(in.X.Type(), in.Field)
			if s := l.val(in.X); s != None {
				l.copyLeaves(d, s+Node(off), l.leaves(in.Type()))
			}
		}
	case *ssa.IndexAddr:
		l.indexAddr(in)
	case *ssa.Index:
		l.index_(in)
	case *ssa.Lookup:
		l.lookup(in)
	case *ssa.MapUpdate:
		l.mapUpdate(in)
	case *ssa.Next:
		l.next(in)
	case *ssa.Send:
		l.operand(0, l.val(in.Chan))
		l.send(in.Chan, in.X)
	case *ssa.Select:
		l.selectStmt(in)
	case *ssa.TypeAssert:
		l.typeAssert(in)
	case *ssa.Extract:
		if d, s := l.dst(in), l.val(in.Tuple); d != None && s != None {
			l.copyLeaves(d, s+Node(l.tupleOffset(in.Tuple.Type().(*types.Tuple), in.Index)), l.leaves(in.Type()))
		}
	case *ssa.Return:
		for i, v := range in.Results {
			if n := l.val(v); n != None && l.f.Result != None {
				d := l.f.Result + Node(l.f.ROff[i])
				for j := range Node(l.leaves(v.Type())) {
					l.emit(Constraint{Op: OpCopy, Dst: d + j, Src: n + j, Arg: int32(l.at)})
				}
			}
		}
	case *ssa.Call:
		l.call(in, ModePlain)
	case *ssa.Go:
		l.call(in, ModeSpawn)
	case *ssa.Defer:
		l.call(in, ModeDefer)
	case *ssa.BinOp, *ssa.If, *ssa.Jump, *ssa.Panic, *ssa.RunDefers, *ssa.DebugRef, *ssa.Range:
		// no pointers
	default:
		l.notice(in, "S20", "instruction "+in.String()+" is not modelled")
	}
}

func (l *lowerer) notice(in ssa.Instruction, code, msg string) {
	if l.side == partBeta {
		return // said for the other copy
	}
	l.f.Notices = append(l.f.Notices, model.Notice{Pos: l.pos(in), Code: code, Message: msg})
}

func deref(t types.Type) types.Type {
	if p, ok := ssair.Under(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// elem returns the element type of a slice, array, pointer to array or channel.
func (l *lowerer) elem(t types.Type) TypeID {
	switch u := ssair.Under(t).(type) {
	case *types.Slice:
		return l.p.types.id(u.Elem())
	case *types.Array:
		return l.p.types.id(u.Elem())
	case *types.Chan:
		return l.p.types.id(u.Elem())
	case *types.Pointer:
		return l.elem(u.Elem())
	case *types.Basic: // string: bytes
		return l.p.types.id(types.Typ[types.Byte])
	case *types.Interface: // a type parameter, or any: the core type of a generic body
		return l.p.types.id(u)
	}
	return l.p.types.id(types.Typ[types.Invalid])
}

func (l *lowerer) tupleOffset(t *types.Tuple, i int) int32 {
	off := int32(0)
	for j := range i {
		off += l.p.types.layoutOf(t.At(j).Type()).Len()
	}
	return off
}

// allocate records an allocation site and lets the current value point to it.
func (l *lowerer) allocate(v ssa.Value, a Alloc) int32 {
	k := l.addAlloc(a, v.Pos())
	if d := l.dst(v); d != None {
		l.emit(Constraint{Op: OpAddr, Dst: d, Arg: k})
	}
	return k
}

func (l *lowerer) addAlloc(a Alloc, pos token.Pos) int32 {
	a.At, a.Loop, a.Side = l.at, l.loopIndex(), l.side
	a.Pos = l.p.pos(pos)
	a.InLoop = l.inPlainLoop()
	a.Held = None
	l.f.Allocs = append(l.f.Allocs, a)
	return int32(len(l.f.Allocs) - 1)
}

// inPlainLoop reports whether the instruction being lowered runs more than
// once for one run of its copy.
func (l *lowerer) inPlainLoop() bool {
	b := l.fn.Blocks[l.ir.Block(l.at)]
	in := l.ir.Innermost(b)
	if l.loop == nil {
		return in != nil
	}
	return in != l.loop.loop || in.Parent != nil
}

func (l *lowerer) phiEdge(d Node, e ssa.Value, from, to *ssa.BasicBlock) {
	if d == None {
		return
	}
	n := l.leaves(e.Type())
	home := l.home(e)
	if home != nil && home != l.loop {
		// From both copies, without a union node of its own.
		for side := uint8(partAlpha); side <= partBeta; side++ {
			src := l.narrowed(e, l.define(e, side), from, to)
			for i := range n {
				c := Constraint{Op: OpCopy, Dst: d + Node(i), Src: src + Node(i), Arg: oneOf}
				c.Loop, c.Side = l.loopIndex(), l.side
				l.f.Constraints = append(l.f.Constraints, c)
			}
		}
		return
	}
	if s := l.narrowed(e, l.valueOf(e), from, to); s != None {
		arg := int32(oneOf)
		if in, ok := e.(ssa.Instruction); ok && to.Dominates(from) && to.Dominates(in.Block()) && !isPhiOf(e, to) {
			arg = carriedTo(to.Index)
		}
		for i := range Node(n) {
			l.emit(Constraint{Op: OpCopy, Dst: d + i, Src: s + i, Arg: arg})
		}
	}
}

// isPhiOf reports whether a value is a phi of a block.
func isPhiOf(v ssa.Value, b *ssa.BasicBlock) bool {
	phi, ok := v.(*ssa.Phi)
	return ok && phi.Block() == b
}

// closure lowers a MakeClosure: an object that holds the free variables.
func (l *lowerer) closure(in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	a := Alloc{Kind: AllocClosure, Func: l.p.FuncID(fn), Word: "closure", Name: fn.Name()}
	for _, v := range fn.FreeVars {
		a.Vars = append(a.Vars, Var{Name: v.Name(), Type: l.p.types.id(v.Type())})
	}
	for i, b := range in.Bindings {
		a.Binds = append(a.Binds, l.captured(in, b))
		a.Roots = append(a.Roots, l.bound(b))
		o := l.ownOf(b)
		a.OwnBy = append(a.OwnBy, o.mask)
		if l.loop != nil && o.loop == l.loop && len(fn.Params)+i < 32 {
			a.Own |= 1 << (len(fn.Params) + i)
		}
		if l.startedHere(in) && l.p.givesUp(in, b) {
			if a.Gives == nil {
				a.Gives = make([]bool, len(in.Bindings))
			}
			a.Gives[i] = true
		}
	}
	l.allocate(in, a)
}

// captured returns the node of what a closure binds: the variable, or, if nothing is stored there
// from then on and some of what was stored before has been replaced by then, another with the rest.
// It is only read, so that it has no races to take from the variable:
//
//	s, ok := m[k]
//	if !ok {
//		s = new(state) // the closure finds this, and not what was in the map
//		go func() { use(s) }()
//	}
func (l *lowerer) captured(in *ssa.MakeClosure, b ssa.Value) Node {
	cell, ok := b.(*ssa.Alloc)
	if !ok {
		return l.val(b)
	}
	t := deref(cell.Type())
	if !l.p.types.layoutOf(t).Ptr || !l.ir.Settled(in, cell) {
		return l.val(b)
	}
	last, others := l.ir.Seen(in, cell)
	if !others || slices.ContainsFunc(last, func(st *ssa.Store) bool { h := l.home(st.Val); return h != nil && h != l.loop }) {
		return l.val(b)
	}
	k := l.addAlloc(Alloc{Kind: AllocValue, Type: l.p.types.id(t), Word: allocWord(cell), Name: allocName(cell)}, cell.Pos())
	n := l.newNodes(1)
	l.emit(Constraint{Op: OpAddr, Dst: n, Arg: k})
	for _, st := range last {
		s := l.val(st.Val)
		if s == None {
			continue
		}
		fact := l.fact(st.Val)
		l.ptrLeaves(t, func(i int32) {
			l.emit(Constraint{Op: OpStore, Dst: n, Off: i, Src: s + Node(i), Arg: fact})
		})
	}
	return n
}

// box lowers a conversion to an interface.
func (l *lowerer) box(in *ssa.MakeInterface) {
	d := l.dst(in)
	t := in.X.Type()
	id := l.p.types.id(t)
	lay := l.p.types.layout(id)
	if lay.Len() == 1 && lay.Ptr && !types.IsInterface(t) {
		if s := l.val(in.X); s != None {
			l.emit(Constraint{Op: OpBox, Dst: d, Src: s, Arg: int32(id)})
		}
		return
	}
	if !lay.Ptr && types.NewMethodSet(t).Len() == 0 {
		return // a plain value: nothing can be reached through it
	}
	if !lay.Ptr {
		// Nobody can write what an interface holds, and nothing is reached from
		// it: one object stands for all values of the type.
		l.emit(Constraint{Op: OpBoxConst, Dst: d, Arg: int32(id)})
		return
	}
	l.allocVal(d, in.X, id)
}

// allocVal boxes a copy of a multi-leaf or pointer-free value.
func (l *lowerer) allocVal(d Node, v ssa.Value, id TypeID) {
	k := l.addAlloc(Alloc{Kind: AllocValue, Type: id, Word: "interface", Name: ""}, v.Pos())
	l.emit(Constraint{Op: OpBoxVal, Dst: d, Off: k, Arg: int32(id)})
	s := l.val(v)
	if s == None {
		return
	}
	tmp := l.newNodes(1)
	l.emit(Constraint{Op: OpAddr, Dst: tmp, Arg: k})
	fact := l.fact(nil)
	l.ptrLeaves(v.Type(), func(i int32) {
		l.emit(Constraint{Op: OpStore, Dst: tmp, Off: i, Src: s + Node(i), Arg: fact})
	})
}

func (l *lowerer) convert(in ssa.Value, x ssa.Value) {
	d := l.dst(in)
	if d == None {
		if isString(in.Type()) && !isString(x.Type()) {
			l.accessElems(x, 0, in.(ssa.Instruction)) // string(bytes) reads them
		}
		return
	}
	if ssair.IsSlice(in.Type()) {
		word := "conversion"
		if _, constant := x.(*ssa.Const); constant && l.fn.Synthetic == "package initializer" {
			word = "literal" // without room for more (soundness: constant-bytes)
		}
		l.allocate(in, Alloc{Kind: AllocArray, Type: l.elem(in.Type()), Word: word, Name: storedName(in)})
		return
	}
	if l.leaves(x.Type()) == 1 && l.leaves(in.Type()) == 1 {
		l.copyLeaves(d, l.val(x), 1)
		if types.Identical(ssair.Under(in.Type()), types.Typ[types.UnsafePointer]) {
			return
		}
	}
	if b, ok := ssair.Under(x.Type()).(*types.Basic); ok && b.Kind() == types.UnsafePointer && l.f.App {
		l.notice(in.(ssa.Instruction), "S16", "unsafe.Pointer conversion: the result is taken to point to what the operand points to, whatever its type")
	}
}

func isString(t types.Type) bool {
	b, ok := ssair.Under(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func (l *lowerer) typeAssert(in *ssa.TypeAssert) {
	d := l.dst(in)
	at := in.Block()
	s := l.ruledOut(in.X, l.valueOf(in.X), at, nil)
	if d == None || s == None {
		return
	}
	id := l.p.types.id(in.AssertedType)
	if types.IsInterface(in.AssertedType) {
		s = l.passing(in.X, s, at, nil) // of a concrete type other tests leave all or nothing
		l.emit(Constraint{Op: OpFilter, Dst: d, Src: s, Arg: int32(id)})
		return
	}
	lay := l.p.types.layout(id)
	if lay.Len() == 1 && lay.Ptr {
		l.emit(Constraint{Op: OpUnbox, Dst: d, Src: s, Arg: int32(id)})
		return
	}
	l.ptrLeaves(in.AssertedType, func(i int32) {
		l.emit(Constraint{Op: OpUnboxVal, Dst: d + Node(i), Src: s, Off: i, Arg: int32(id)})
	})
}

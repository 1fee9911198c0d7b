package pta

import (
	"go/types"
	"slices"
	"strings"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// This file lowers calls: to functions with templates, to builtins, and to
// functions that the library model describes.

// methodValue reports whether fn is what x.f stands for where it is not called at once:
// it calls the method with what it has captured, and has no argument that an entry of
// the library model could speak of.
func methodValue(fn *ssa.Function) bool { return strings.HasPrefix(fn.Synthetic, "bound method") }

// wrapper reports whether fn only calls a method, of what its receiver points to or embeds: an
// entry of the library model for the method speaks of that, and not of what fn is called on.
func wrapper(fn *ssa.Function) bool { return strings.HasPrefix(fn.Synthetic, "wrapper for") }

// entry returns what the library model says of fn, or nil.
func (p *Program) entry(fn *ssa.Function) *library.Func {
	if p.Library == nil {
		return nil
	}
	if e, ok := p.entries[fn]; ok {
		return e
	}
	var e *library.Func
	path := pkgPath(fn)
	switch m, ok := fn.Object().(*types.Func); {
	case methodValue(fn), wrapper(fn):
	case p.Application(path) && !standard(path):
		// What is known of a library is no answer to who asks about its own code.
		e = p.Library.Stated().Func(libraryName(fn))
	case ok && fn.Signature.Recv() != nil && !p.Application(path):
		e = p.resolve(m)
	default:
		e = p.Library.Func(libraryName(fn))
	}
	p.entries[fn] = e
	return e
}

// blackHole reports whether calls of a modelled function are described by the
// entry alone, so that its body is not entered.
func (p *Program) blackHole(e *library.Func) bool { return e.BlackHole(p.Closed) }

// holes is the library model for the flow skeleton: only what is not entered, or not alone.
type holes struct{ p *Program }

// Called returns the entry of a function whose body is not looked at, or not alone; or nil.
func (h holes) Called(c *ssa.CallCommon) *library.Func {
	if h.p.Library == nil {
		return nil
	}
	var callee any = c.Method
	if !c.IsInvoke() {
		fn := c.StaticCallee()
		if fn == nil || methodValue(fn) {
			return nil
		}
		callee = fn
	}
	e, ok := h.p.holes[callee]
	if !ok {
		e = h.named(flow.CalleeName(c))
		h.p.holes[callee] = e
	}
	return e
}

func (h holes) named(name string) *library.Func {
	lib := h.p.Library
	if h.p.ownCode(name) {
		lib = lib.Stated()
	}
	if e := lib.Func(name); e != nil && (e.Entered || h.p.blackHole(e)) {
		return e
	}
	return nil
}

// ownCode reports whether the function of that name is the user's own.
func (p *Program) ownCode(name string) bool {
	name = library.Normalize(name)
	for i := strings.LastIndexByte(name, '/') + 1; i < len(name); i++ {
		if path := name[:i]; name[i] == '.' && p.Application(path) && !standard(path) {
			return true
		}
	}
	return false
}

func (l *lowerer) call(in ssa.CallInstruction, mode CallMode) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		l.builtin(in, b.Name())
		return
	}
	if fn := c.StaticCallee(); fn != nil {
		if l.p.notCalled(fn) {
			return
		}
		if e := l.p.entry(fn); e != nil {
			if !e.Enters() { // the model says what it sets, even where its body is looked at
				l.shown(e, c.Args)
			}
			if l.p.blackHole(e) {
				// What starts others again stands for them: `go srv.Serve(l)`.
				if mode == ModeSpawn && e.Op == library.OpNone && len(e.Concurrent)+len(e.ConcurrentMethods) == 0 && !e.Serves() {
					l.startExternal(in, fn, e)
					return
				}
				l.modelled(in, e, mode)
				return
			}
		}
		if e := l.p.entry(fn); e != nil && e.Entered && mode != ModeSpawn {
			if !l.inHand(fn, c.Args) {
				l.modelled(in, e, mode)
				return
			}
			l.effects(in, c.Signature(), e, c.Args)
			l.handsTo(in, e, c.Args)
			l.addCall(in, Call{Kind: CallStatic, Mode: mode, Callee: l.p.FuncID(fn), Args: l.withheld(e, c.Args, in, func(int) bool { return true }), Given: l.given(c.Args)})
			return
		}
		if l.p.outside(fn) && l.p.entry(fn) == nil && !l.p.known(fn) {
			if fn.Synthetic == "package initializer" {
				return // package unsafe has none
			}
			l.p.noteUnknown(fn)
			e := &library.Func{Name: libraryName(fn)}
			l.shown(e, c.Args)
			l.modelled(in, e, mode)
			return
		}
		if _, closure := c.Value.(*ssa.MakeClosure); closure {
			l.addCall(in, Call{Kind: CallDynamic, Literal: true, Mode: mode, Callee: l.p.FuncID(fn), Fn: l.val(c.Value), Recv: l.rootOf(c.Value, rootDepth), Args: l.args(c.Args, in), Given: l.given(c.Args)})
			return
		}
		l.addCall(in, Call{Kind: CallStatic, Mode: mode, Callee: l.p.FuncID(fn), Args: l.args(c.Args, in), Given: l.given(c.Args), Bare: bare(c.Args)})
		return
	}
	if c.IsInvoke() {
		if e := (holes{l.p}).Called(c); e != nil && len(e.Concurrent)+len(e.ConcurrentMethods) > 0 {
			l.modelled(in, e, mode) // whoever implements the interface
			return
		}
		l.operand(0, l.val(c.Value))
		l.openCall(in)
		l.addCall(in, Call{Kind: CallInvoke, Mode: mode, Fn: l.val(c.Value), Method: l.p.methodID(methodOf(c.Method)), Recv: l.rootOf(c.Value, rootDepth), Inner: l.innerBeforeEscape(c.Value, in) != notNew, Args: l.args(c.Args, in), Given: l.given(c.Args)})
		return
	}
	root, through := l.rootOfCalled(c.Value)
	l.addCall(in, Call{Kind: CallDynamic, Mode: mode, Fn: l.val(c.Value), Recv: root, Through: through, Args: l.args(c.Args, in), Given: l.given(c.Args)})
}

// startExternal starts a goroutine with a modelled function: what that does to its arguments
// it does there, as wrapExternal has it, and not where it is started.
func (l *lowerer) startExternal(in ssa.CallInstruction, fn *ssa.Function, e *library.Func) {
	args := in.Common().Args
	for k, a := range args {
		l.operand(int32(k), l.val(a))
	}
	// What it asks for the type only it does not look into.
	given := l.withheld(e, args, in, func(k int) bool { return namesTypes(e, args, k) })
	l.addCall(in, Call{Kind: CallStatic, Mode: ModeSpawn, Callee: l.p.FuncID(fn), Args: given, Given: l.given(args), Bare: bare(args), Result: None})
}

// inHand reports whether a call of a library function whose body is looked at, too, has no receiver,
// or one that the function or its literals' maker has in a variable. What lies in a field or comes from
// elsewhere, the logger of a server say, is one of many that meet in the library's functions, and there
// are many calls (soundness: retained-streams).
func (l *lowerer) inHand(fn *ssa.Function, args []ssa.Value) bool {
	if fn.Signature.Recv() == nil || len(args) == 0 {
		return true
	}
	switch v := args[0].(type) {
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callee != nil && l.p.entry(callee) != nil
	case *ssa.FreeVar, *ssa.Alloc:
		return true
	case *ssa.UnOp:
		switch v.X.(type) {
		case *ssa.FreeVar, *ssa.Alloc:
			return true
		}
	}
	return false
}

// withheld is args, without those that the model says are formatted and which are not passed on.
func (l *lowerer) withheld(e *library.Func, vs []ssa.Value, in ssa.Instruction, drop func(k int) bool) []Arg {
	out := l.args(vs, in)
	for _, k := range e.Formats {
		if n := len(vs); n > 0 && drop(k) {
			out[(k+n)%n].Node = None
		}
	}
	return out
}

// bare reports whether some arguments may be functions, and all of these are nil.
func bare(args []ssa.Value) bool {
	some := false
	for _, v := range args {
		if !HasFunc(v.Type()) {
			continue
		}
		if !isNil(v) {
			return false
		}
		some = true
	}
	return some
}

func (l *lowerer) args(vs []ssa.Value, in ssa.Instruction) []Arg {
	out := make([]Arg, len(vs))
	for i, v := range vs {
		o := l.ownOf(v)
		out[i] = Arg{Node: l.val(v), Len: l.leaves(v.Type()), Own: o.loop != nil && o.loop == l.loop, Mask: o.mask, Each: None}
		if out[i].Node != None {
			out[i].Root = l.rootOfTaken(v)
			out[i].Each = l.eachOf(v)
			out[i].Init = l.beforeEscape(v, in) != notNew
			out[i].Inner = l.innerBeforeEscape(v, in) != notNew
			out[i].Gives = l.starts(in) && l.p.givesUp(in, v)
			out[i].Alone = out[i].Init && out[i].Len == 1 && l.putsAway(in, v) && l.p.givesUp(in, v)
		}
	}
	return out
}

// putsAway reports whether a call may put what an argument refers to somewhere. Most do not: givesUp took 0.37 of the 1.60 s
// of samples in which a fuzzy finder was lowered when it was asked of all new ones, and takes 0.15 of 1.15.
func (l *lowerer) putsAway(in ssa.Instruction, v ssa.Value) bool {
	c, ok := in.(ssa.CallInstruction)
	return ok && !l.p.returnsAll(c.Common(), v)
}

// callPos returns the position of a call; of what a function without code does, in is nil.
func (l *lowerer) callPos(in ssa.CallInstruction) model.Pos {
	if in == nil {
		return l.f.Pos
	}
	return l.pos(in)
}

// addCall records a call in the current copy; a spawn also gets its Spawn.
func (l *lowerer) addCall(in ssa.CallInstruction, c Call) {
	c.At, c.Loop, c.Side, c.Spawn = l.at, l.loopIndex(), l.side, -1
	c.Pos = l.callPos(in)
	if in != nil {
		c.InLoop = l.inPlainLoop()
		c.Own = l.ofNew(in.Common())
	}
	if !c.known() {
		c.Callee = noFunc
	}
	if c.Kind != CallStatic && c.Fn == None {
		return // a nil function
	}
	if c.Result == 0 {
		c.Result = None
		if in != nil && in.Value() != nil && c.Mode == ModePlain {
			c.Result = l.dst(in.Value())
		}
	}
	if c.Mode == ModeSpawn {
		c.Spawn = l.spawn(in, library.OpNone, "go", false)
	}
	l.f.Calls = append(l.f.Calls, c)
}

// spawn returns the index of the Spawn at the current instruction.
func (l *lowerer) spawn(in ssa.CallInstruction, op library.Op, kind string, self bool) int8 {
	for i, s := range l.f.Spawns {
		if s.At == l.at {
			return int8(i)
		}
	}
	if len(l.f.Spawns) == maxSplits {
		l.notice(in, "S21", "more than 100 spawns in one function: this one is taken for the last of them")
		return maxSplits - 1
	}
	// The body of a range over a function runs once per round of a loop that
	// lies in the iterator, and so may any function that is passed on.
	self = self || in != nil && l.loop == nil && (l.fn.Synthetic == yieldBody || l.calledInRounds())
	s := Spawn{At: l.at, Split: -1, Kind: kind, Op: op, Pos: l.callPos(in), Self: self}
	if l.loop != nil && l.loop.parallel {
		s.Split = l.loop.index
	}
	l.f.Spawns = append(l.f.Spawns, s)
	return int8(len(l.f.Spawns) - 1)
}

func (l *lowerer) builtin(in ssa.CallInstruction, name string) {
	args := in.Common().Args
	switch name {
	case "append":
		l.append(in.Value(), args[0], args[1], in)
	case "copy":
		l.accessElems(args[1], 0, in)
		l.accessElems(args[0], FlagWrite, in)
		l.copyElems(l.val(args[0]), args[1])
	case "delete":
		l.mapAccess(args[0], FlagWrite, in)
	case "clear":
		if _, isMap := ssair.Under(args[0].Type()).(*types.Map); isMap {
			l.mapAccess(args[0], FlagWrite, in)
		} else {
			l.accessElems(args[0], FlagWrite, in)
		}
	case "len":
		if _, isMap := ssair.Under(args[0].Type()).(*types.Map); isMap {
			l.mapAccess(args[0], 0, in)
		}
	case "close":
		l.operand(0, l.val(args[0]))
	case "ssa:wrapnilchk":
		l.copyLeaves(l.dst(in.Value()), l.val(args[0]), 1)
	case "recover":
		if in.Value() != nil && in.Value().Referrers() != nil && len(*in.Value().Referrers()) > 0 && l.f.App {
			l.notice(in, "S22", "what recover returns is taken to hold no pointers")
		}
	case "Add", "String", "StringData", "Slice", "SliceData":
		if v := in.Value(); v != nil && len(args) > 0 { // package unsafe
			l.copyLeaves(l.dst(v), l.val(args[0]), min(l.leaves(v.Type()), l.leaves(args[0].Type())))
		}
	}
}

// copyElems stores the elements of slice src into dst as well.
func (l *lowerer) copyElems(dst Node, src ssa.Value) {
	fact := l.fact(src)
	l.f.Facts[fact].Fresh = false // the slice may be new, what is in it is in two places now
	l.several(fact, src)
	l.moveElems(dst, src, partAny, fact)
}

// moveElems stores the elements of slice src into part of dst.
func (l *lowerer) moveElems(dst Node, src ssa.Value, part uint8, fact int32) {
	s := l.val(src)
	if dst == None || s == None {
		return
	}
	elem := l.elem(src.Type())
	lay := l.p.types.layout(elem)
	if !lay.Ptr {
		return
	}
	to := l.newNodes(1)
	c := Constraint{Op: OpElem, Dst: to, Src: dst, Part: part}
	if splits(lay) {
		c.Off = lay.Len()
	}
	l.emit(c)
	for i, x := range lay.Leaves {
		if !x.Ptr {
			continue
		}
		tmp := l.newNodes(1)
		l.emit(Constraint{Op: OpLoad, Dst: tmp, Src: s, Off: int32(i)})
		l.emit(Constraint{Op: OpStore, Dst: to, Off: int32(i), Src: tmp, Arg: fact})
	}
}

// modelled lowers a call of a function that the library model describes.
func (l *lowerer) modelled(in ssa.CallInstruction, e *library.Func, mode CallMode) {
	args := flow.Operands(in.Common())
	var res ssa.Value
	d := None
	if v := in.Value(); v != nil && mode == ModePlain {
		res, d = v, l.dst(v)
	}
	for k, a := range args {
		l.operand(int32(k), l.val(a))
	}
	if e.Partly && l.p.Application(pkgPath(l.fn)) {
		l.notice(in, "S17", shortName(e.Name)+": what it does through types is followed in part only")
	}
	l.effects(in, in.Common().Signature(), e, args)
	if e.Op != library.OpNone && l.operation(in, e, args, res, d) {
		return
	}
	for _, k := range e.Calls {
		n := len(l.f.Calls)
		if l.callback(in, e, args, k, ModePlain); e.ReturnsCalled && len(l.f.Calls) > n {
			l.returnsCalled(&l.f.Calls[n], args, k, res, d)
		}
	}
	l.handsTo(in, e, args)
	l.results(in, e, args, res, d)
}

// handsTo lowers what a modelled function has its arguments do, but for functions that it calls
// before it returns, and what it stores in them.
func (l *lowerer) handsTo(in ssa.CallInstruction, e *library.Func, args []ssa.Value) {
	beside := e.ConcurrentMethods
	if l.knownSafe(e, args) {
		beside = nil
	}
	if e.ManyAtOnce() && len(e.Concurrent)+len(beside) > 0 {
		l.spawn(in, library.OpNone, shortName(e.Name), true)
	}
	if e.Op == library.OpFinalizer {
		l.spawn(in, e.Op, "go", false)
	}
	for _, k := range e.Concurrent {
		l.callback(in, e, args, k, ModeSpawn)
	}
	for _, m := range e.CallsMethods {
		if namesTypes(e, args, m.Arg) {
			continue
		}
		l.callMethods(in, args, m, ModePlain)
	}
	for _, m := range beside {
		l.callMethods(in, args, m, ModeSpawn)
	}
	for _, st := range e.Stores {
		if st.Into >= 0 && st.Into < len(args) {
			l.stores(in, st, args, l.val(args[st.Into]), args[st.Into].Type())
		}
	}
	l.registers(in, e, args)
	l.dispatches(in, e, args)
}

// stores lowers that a modelled function stores arguments in what n, of type t, points to.
func (l *lowerer) stores(in ssa.CallInstruction, st library.Store, args []ssa.Value, n Node, t types.Type) {
	off := int32(0)
	if st.Field != "" {
		var ok bool
		if off, ok = l.p.types.fieldNamed(t, st.Field); !ok {
			return
		}
	}
	for _, k := range st.From {
		if n != None && k < len(args) && l.val(args[k]) != None {
			l.emit(Constraint{Op: OpStore, Dst: n, Off: off, Src: l.val(args[k]), Arg: l.factOf(in, args[k])})
		}
	}
}

func (l *lowerer) callback(in ssa.CallInstruction, e *library.Func, args []ssa.Value, k int, mode CallMode) {
	k, fn, t := l.called(args, k)
	if k < 0 {
		return
	}
	if v := unconverted(args[k]); t == args[k].Type() && v != args[k] {
		fn, t = l.val(v), v.Type() // it takes functions of any type
	}
	if sig, ok := ssair.Under(t).(*types.Signature); ok {
		l.addCall(in, Call{Kind: CallDynamic, Mode: mode, Fn: fn, Args: l.callbackArgs(e, args, sig), Result: None})
	}
}

// knownSafe reports whether all methods that a modelled function has run on other goroutines are
// of types that the model knows to be safe, as counters are that are registered as metrics.
func (l *lowerer) knownSafe(e *library.Func, args []ssa.Value) bool {
	if len(args) == 0 {
		return false
	}
	for _, m := range e.ConcurrentMethods {
		given := args[min(max(m.Arg, 0), len(args)):]
		if m.Arg < 0 {
			given = l.variadic(args[len(args)-1])
		} else if len(given) > 0 {
			given = given[:1]
		}
		if m.Field != "" || len(given) == 0 || slices.Contains(m.Names, library.AllMethods) {
			return false
		}
		for _, v := range given {
			n, ok := types.Unalias(deref(unconverted(v).Type())).(*types.Named)
			if !ok || unconverted(v) == v || n.Obj().Pkg() == nil {
				return false
			}
			for _, name := range m.Names {
				safe := l.p.Library.Func(n.Obj().Pkg().Path() + "." + n.Obj().Name() + "." + name)
				if safe == nil || !safe.SafeOnClosure || safe.Enters() {
					return false
				}
			}
		}
	}
	return len(e.ConcurrentMethods) > 0
}

// unconverted returns what a value was before it became one of an interface.
func unconverted(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	}
	return v
}

// called returns which argument a modelled function calls, or calls methods of, its node and
// its type: of variadic ones (-1) those of the elements. It returns -1 if there is none.
func (l *lowerer) called(args []ssa.Value, k int) (arg int, n Node, t types.Type) {
	elems := k < 0
	if elems {
		k = len(args) - 1
	}
	if k < 0 || k >= len(args) || l.val(args[k]) == None {
		return -1, None, nil
	}
	n, t = l.val(args[k]), args[k].Type()
	if s, ok := ssair.Under(t).(*types.Slice); ok && elems {
		n, t = l.newNodes(1), s.Elem()
		l.emit(Constraint{Op: OpLoad, Dst: n, Src: l.val(args[k])})
	}
	return k, n, t
}

// returnsCalled hands what the function returns that a modelled one calls to the
// caller of that. A method keeps it in its receiver: others that call it get the
// same, as the callers that singleflight holds up do.
func (l *lowerer) returnsCalled(c *Call, args []ssa.Value, k int, res ssa.Value, d Node) {
	sig, ok := ssair.Under(args[k].Type()).(*types.Signature)
	if !ok || d == None || l.leaves(sig.Results()) == 0 {
		return
	}
	c.Result = l.newNodes(l.leaves(sig.Results()))
	to, ok := res.Type().(*types.Tuple)
	if !ok {
		to = types.NewTuple(types.NewVar(0, nil, "", res.Type()))
	}
	kept := None
	if _, ok := ssair.Under(args[0].Type()).(*types.Pointer); ok && k > 0 && l.val(args[0]) != None &&
		l.p.types.layoutOf(deref(args[0].Type())).Leaves[0].Ptr {
		kept = l.val(args[0])
	}
	for i := range min(to.Len(), sig.Results().Len()) {
		t := to.At(i).Type()
		if !types.Identical(t, sig.Results().At(i).Type()) || l.leaves(t) == 0 {
			continue
		}
		from, dst := c.Result+Node(l.tupleOffset(sig.Results(), i)), d+Node(l.tupleOffset(to, i))
		l.copyLeaves(dst, from, l.leaves(t))
		if kept != None && l.leaves(t) == 1 {
			l.emit(Constraint{Op: OpStore, Dst: kept, Src: from, Arg: l.fact(args[k])})
			l.emit(Constraint{Op: OpLoad, Dst: dst, Src: kept})
		}
	}
}

// callbackArgs returns what a modelled function passes to the function that it
// calls: what its own arguments point to, where the entry says so.
func (l *lowerer) callbackArgs(e *library.Func, args []ssa.Value, sig *types.Signature) []Arg {
	var out []Arg
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		a := Arg{Node: None, Len: l.leaves(t), Each: None}
		if a.Len == 1 {
			for _, k := range e.CallsWith {
				if k >= len(args) || l.leaves(args[k].Type()) != 1 {
					continue
				}
				if a.Node == None {
					a.Node = l.newNodes(1)
				}
				element, into := elementsOf(args[k].Type(), t)
				if !element {
					l.emit(Constraint{Op: OpCopy, Dst: a.Node, Src: l.val(args[k])})
				}
				if !into && !onlyItself(args[k].Type(), t) {
					l.emit(Constraint{Op: OpLoad, Dst: a.Node, Src: l.val(args[k])})
				}
			}
		}
		out = append(out, a)
	}
	return out
}

// onlyItself reports whether of what is passed only a pointer to a struct itself is of type t, and not what the struct
// begins with.
func onlyItself(passed, t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok || !types.Identical(passed, t) {
		return false
	}
	first := p.Elem()
	for {
		st, ok := ssair.Under(first).(*types.Struct)
		if !ok {
			break
		}
		if st.NumFields() == 0 {
			return true
		}
		first = st.Field(0).Type()
	}
	return !types.IsInterface(first) && !types.Identical(first, t)
}

// elementsOf tells whether values of type t are the elements of what is passed, as
// to a comparison function, or pointers to them.
func elementsOf(passed, t types.Type) (element, into bool) {
	s, ok := ssair.Under(passed).(*types.Slice)
	if !ok {
		return false, false
	}
	if types.Identical(s.Elem(), t) {
		return true, false
	}
	p, ok := ssair.Under(t).(*types.Pointer)
	return false, ok && types.Identical(p.Elem(), s.Elem())
}

// callMethods lowers the methods that a modelled function calls on what it is
// given: a Stringer's String, a Writer's Write.
func (l *lowerer) callMethods(in ssa.CallInstruction, args []ssa.Value, m library.MethodCall, mode CallMode) {
	k, recv, t := l.called(args, m.Arg)
	if k < 0 {
		return
	}
	if m.Field != "" {
		off, ok := l.p.types.fieldNamed(t, m.Field)
		if !ok || in != nil && nilled(in, args[k], m.Field) {
			return
		}
		recv = l.newNodes(1)
		l.emit(Constraint{Op: OpLoad, Dst: recv, Src: l.val(args[k]), Off: off})
		if len(m.Names) == 0 {
			l.addCall(in, Call{Kind: CallDynamic, Mode: mode, Fn: recv, Result: None})
		}
	} else if !types.IsInterface(t) {
		return
	}
	names := m.Names
	if slices.Contains(names, library.AllMethods) {
		names = served(args[k])
	}
	for _, name := range names {
		l.addCall(in, Call{Kind: CallInvoke, Mode: mode, Fn: recv, Method: l.p.methodNamed(name), Result: None})
	}
}

// nilled reports whether the function of a call has set a field of an argument to nil before it, and to nothing
// else: what was there is gone, and what others may have put there since is not looked for (soundness: own-receiver).
func nilled(in ssa.CallInstruction, arg ssa.Value, field string) bool {
	refs := arg.Referrers()
	if refs == nil {
		return false
	}
	before := false
	for _, r := range *refs {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || ssair.Under(ssair.Under(fa.X.Type()).(*types.Pointer).Elem()).(*types.Struct).Field(fa.Field).Name() != field {
			continue
		}
		for _, use := range *fa.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok || st.Addr != ssa.Value(fa) {
				continue
			}
			if c, ok := st.Val.(*ssa.Const); !ok || !c.IsNil() {
				return false
			}
			before = before || comesBefore(st, in)
		}
	}
	return before
}

// comesBefore reports whether an instruction comes before another on all ways to that.
func comesBefore(x, y ssa.Instruction) bool {
	if x.Block() != y.Block() {
		return x.Block().Dominates(y.Block())
	}
	list := x.Block().Instrs
	return slices.Index(list, x) < slices.Index(list, y)
}

// served lists the methods of a service that is passed as an interface value: those of the
// interface that it had been before, as generated code has it, or else those of its type that
// take a request and return an error, and not a context alone, which starts or ends a service.
func served(v ssa.Value) (names []string) {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		if t, ok := ssair.Under(v.X.Type()).(*types.Interface); ok {
			for m := range t.Methods() {
				if m.Exported() {
					names = append(names, m.Name())
				}
			}
		}
	case *ssa.MakeInterface:
		for m := range types.NewMethodSet(v.X.Type()).Methods() {
			sig := m.Type().(*types.Signature)
			in, out := sig.Params(), sig.Results()
			if m.Obj().Exported() && in.Len() > 0 && out.Len() > 0 && types.Identical(out.At(out.Len()-1).Type(), errorType) &&
				in.At(in.Len()-1).Type().String() != "context.Context" {
				names = append(names, m.Obj().Name())
			}
		}
	}
	return names
}

// results gives the result of a call that is not entered its pointers.
func (l *lowerer) results(in ssa.CallInstruction, e *library.Func, args []ssa.Value, res ssa.Value, d Node) {
	if d == None {
		return
	}
	tuple, ok := res.Type().(*types.Tuple)
	if !ok {
		tuple = types.NewTuple(types.NewVar(0, nil, "", res.Type()))
	}
	for i := range tuple.Len() {
		t := tuple.At(i).Type()
		if !l.p.types.layoutOf(t).Ptr {
			continue
		}
		n := d + Node(l.tupleOffset(tuple, i))
		for _, k := range e.Returns {
			if k >= 0 && k < len(args) && l.leaves(args[k].Type()) == 1 && l.leaves(t) == 1 && mayReturn(args[k].Type(), t) {
				l.returned(n, t, e, args, k)
				if s := l.val(args[k]); s != None && ssair.IsSlice(args[k].Type()) {
					l.f.Cut = append(l.f.Cut, s) // bytes.TrimSpace
				}
			}
		}
		if len(e.Returns) == 0 {
			l.newResult(n, t, e)
		}
		for _, st := range e.Stores {
			if st.Into == library.StoreResult {
				l.stores(in, st, args, n, t)
			}
		}
		for _, k := range e.Copies {
			if k >= 0 && k < len(args) && l.val(args[k]) != None {
				l.copied(n, t, args[k])
			}
		}
	}
}

// mayReturn reports whether a result may be an argument, or lead to it: an error tells what went
// wrong and has of the arguments those only that are errors, the cause that a context
// was cancelled with (soundness: opaque-results).
func mayReturn(arg, result types.Type) bool {
	return !types.Identical(result, errorType) || types.IsInterface(arg) || types.Implements(arg, errorType.Underlying().(*types.Interface))
}

// returned lets a result be argument k, without what another argument hides of it
// (soundness: context-values).
func (l *lowerer) returned(d Node, t types.Type, e *library.Func, args []ssa.Value, k int) {
	s := l.val(args[k])
	if arg := args[k].Type(); s != None && types.Identical(t, errorType) && types.IsInterface(arg) && !types.Identical(arg, t) {
		errs := l.newNodes(1)
		l.emit(Constraint{Op: OpFilter, Dst: errs, Src: s, Arg: int32(l.p.types.id(t))})
		s = errs
	}
	for _, h := range e.Hides {
		if h == k || h >= len(args) || s == None {
			continue
		}
		if m, ok := args[h].(*ssa.MakeInterface); ok {
			rest := l.newNodes(1)
			l.emit(Constraint{Op: OpNotType, Dst: rest, Src: s, Arg: int32(l.p.types.id(m.X.Type()))})
			s = rest
		}
	}
	l.copyLeaves(d, s, 1)
}

// newResult lets a result point to new memory of its type. The dynamic type of
// an interface result is not known: it points to nothing (soundness:
// opaque-results).
func (l *lowerer) newResult(n Node, t types.Type, e *library.Func) {
	a := Alloc{Word: "result", Name: ""}
	if !l.p.resultMemory(&a, t) {
		return
	}
	k := l.addAlloc(a, l.fn.Pos())
	l.f.Allocs[k].Pos = l.p.pos(l.ir.At(l.at).Pos())
	l.f.Allocs[k].Name = "result of " + e.Name
	l.emit(Constraint{Op: OpAddr, Dst: n, Arg: k})
	if len(e.Copies) == 0 {
		l.fillResult(n, l.f.Allocs[k])
	}
}

// copied lets a result hold what an argument's memory holds.
func (l *lowerer) copied(n Node, t types.Type, arg ssa.Value) {
	var lay *Layout
	switch u := ssair.Under(t).(type) {
	case *types.Pointer:
		lay = l.p.types.layoutOf(u.Elem())
	case *types.Slice:
		lay = l.p.types.array(l.p.types.id(u.Elem()))
	case *types.Map:
		lay = l.p.types.mapObject(l.p.types.id(t))
	default:
		return
	}
	fact := l.fact(arg)
	l.several(fact, arg)
	for i, x := range lay.Leaves {
		if x.Ptr {
			tmp := l.newNodes(1)
			l.emit(Constraint{Op: OpLoad, Dst: tmp, Src: l.val(arg), Off: int32(i)})
			l.emit(Constraint{Op: OpStore, Dst: n, Off: int32(i), Src: tmp, Arg: fact})
		}
	}
}

// effects records what a modelled call does to its arguments' memory. For a function without code,
// whose arguments are its parameters, in is nil.
func (l *lowerer) effects(in ssa.CallInstruction, sig *types.Signature, e *library.Func, args []ssa.Value) {
	at := func(k int, arg ssa.Value, flags uint32) {
		n := l.val(arg)
		if n == None {
			return
		}
		size := int32(1)
		fl := flags | FlagCall
		switch u := ssair.Under(arg.Type()).(type) {
		case *types.Pointer:
			size = l.p.types.layoutOf(u.Elem()).Len()
			l.root = l.rootOf(arg, rootDepth)
		case *types.Slice:
			l.root = l.rowRoot(arg)
			size = l.p.types.layoutOf(u.Elem()).Len()
			fl |= FlagElem | FlagRegion
			// What writes up to the capacity, as append does, gives the slice back.
			if !slices.Contains(e.Returns, k) && !slices.Contains(e.Retains, k) {
				fl |= FlagWithin
			}
		case *types.Map:
			fl |= FlagMap
		}
		switch {
		case flags&FlagBlank != 0:
			fl |= FlagInit
		case in != nil && e.Op == library.OpNone && flags&FlagDeep == 0: // what lies deeper is other memory
			fl |= l.beforeEscape(arg, in).flag() | l.innerBeforeEscape(arg, in).innerFlag()
		}
		what := describe(arg)
		if what == "" || in == nil {
			what = e.Name
		}
		l.arg = int8(k)
		l.access(fl, n, 0, size, l.callPos(in), what)
		l.arg, l.root = -1, Root{}
	}
	for _, s := range e.Sets {
		if s.Arg >= len(args) {
			continue
		}
		arg := ssair.Given(args[s.Arg])
		fl := uint32(FlagWrite | FlagCall)
		if in != nil {
			fl |= l.beforeEscape(arg, in).flag()
		}
		l.root = l.rootOf(arg, rootDepth)
		for _, name := range s.Fields {
			if off, ok := l.p.types.fieldNamed(arg.Type(), name); ok {
				l.access(fl, l.val(arg), off, 1, l.callPos(in), name)
			}
		}
		l.root = Root{}
	}
	each := func(ks []int, flags uint32) {
		for _, k := range ks {
			last := k < 0
			if last {
				k = len(args) - 1
			}
			if k < 0 || k >= len(args) {
				continue
			}
			if !last || flags&FlagDeep != 0 || !sig.Variadic() {
				at(k, ssair.Given(args[k]), flags)
				continue
			}
			// Each of the variadic arguments is meant, not the slice that was made of them.
			for _, v := range l.variadic(args[k]) {
				if m, boxed := v.(*ssa.MakeInterface); boxed {
					v = m.X
				}
				switch ssair.Under(v.Type()).(type) {
				case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
					at(k, v, flags)
				}
			}
			if !l.varargs(args[k]) { // a slice, or nil for none
				at(k, args[k], flags&^FlagWrite)
				if flags&FlagWrite != 0 {
					at(k, args[k], flags|FlagDeep|FlagFormat) // what the elements point to
				}
			}
		}
	}
	each(e.Reads, 0)
	each(e.Writes, FlagWrite)
	deep := deepFlags(e)
	for _, k := range e.DeepReads {
		if namesTypes(e, args, k) {
			continue
		}
		flags := deep
		if slices.Contains(e.Formats, k) {
			flags |= FlagFormat
		}
		each([]int{k}, flags)
	}
	for _, k := range e.DeepWrites {
		flags := deep | FlagWrite
		if k >= 0 && k < len(args) && in != nil && l.blank(args[k], in) {
			flags |= FlagBlank
		}
		each([]int{k}, flags)
		if e.Fills && k >= 0 && k < len(args) && in != nil {
			l.decodes(unconverted(args[k]))
		}
	}
}

// deepFlags are the flags of what a modelled function does to all that it can reach.
func deepFlags(e *library.Func) uint32 {
	if e.Exported {
		return FlagDeep | FlagPublic
	}
	return FlagDeep
}

// operation lowers what a synchronisation function does to pointers, and
// reports whether nothing else is to be said of the call.
func (l *lowerer) operation(in ssa.CallInstruction, e *library.Func, args []ssa.Value, res ssa.Value, d Node) bool {
	arg := func(k int) Node {
		if k < len(args) {
			return l.val(args[k])
		}
		return None
	}
	atomic := func(flags uint32) {
		if len(args) > 0 {
			size := l.p.types.layoutOf(deref(args[0].Type())).Len()
			n, off := l.addr(args[0])
			l.access(flags|FlagAtomic, n, off, size, l.pos(in), describe(args[0]))
		}
	}
	put := func(k int) {
		if s := arg(k); s != None {
			l.emit(Constraint{Op: OpStore, Dst: arg(0), Src: s, Arg: l.fact(args[k])})
		}
	}
	take := func(part uint8, taken int32) {
		if d != None {
			l.emit(Constraint{Op: OpLoad, Dst: d, Src: arg(0), Part: part, Arg: taken})
		}
	}
	switch e.Op {
	case library.OpAtomicLoad:
		atomic(0)
		take(0, 0)
	case library.OpAtomicStore:
		atomic(FlagWrite)
		put(1)
	case library.OpAtomicSwap:
		atomic(FlagWrite)
		put(1)
		take(0, takenLoad)
	case library.OpAtomicCAS:
		atomic(FlagWrite)
		put(2)
	case library.OpAtomicAdd, library.OpAtomicAnd, library.OpAtomicOr:
		atomic(FlagWrite)
	case library.OpPoolPut:
		put(1)
	case library.OpPoolGet:
		take(l.ownLoad(), 0)
		fn := l.newNodes(1)
		l.emit(Constraint{Op: OpLoad, Dst: fn, Src: arg(0)})
		// What New makes has a node of its own: an overlay runs the load again,
		// and takes what it does not run again from the base.
		made := l.newNodes(1)
		l.addCall(in, Call{Kind: CallDynamic, Fn: fn, Result: made})
		if d != None {
			l.emit(Constraint{Op: OpCopy, Dst: d, Src: made})
		}
	case library.OpMapLoad:
		for k := 1; k < len(args); k++ {
			put(k) // LoadOrStore; a key that is only looked up does no harm
		}
		take(0, 0)
	case library.OpMapTake:
		take(0, takenLoad)
	case library.OpMapStore:
		for k := 1; k < len(args); k++ {
			put(k)
		}
		take(0, 0)
	case library.OpMapRange:
		content := l.newNodes(1)
		l.emit(Constraint{Op: OpLoad, Dst: content, Src: arg(0)})
		a := Arg{Node: content, Len: 1, Each: None}
		l.addCall(in, Call{Kind: CallDynamic, Fn: arg(e.Body), Args: []Arg{a, a}, Result: None})
	case library.OpOnce:
		l.addCall(in, Call{Kind: CallDynamic, Fn: arg(e.Body), Result: None})
	case library.OpSpawn, library.OpTimerFunc, library.OpParallel, library.OpSubtest:
		l.operator(in, e, args)
		// A timer or a handle is a result.
		return e.Op == library.OpSubtest || e.Op == library.OpSpawn && e.Join
	case library.OpTestCleanup:
		later := ModePlain
		if c, ok := in.(*ssa.Call); ok && flow.CleansUp(c, e) {
			later = ModeDefer
		}
		l.callback(in, e, args, e.Body, later)
	case library.OpBubble:
		l.callback(in, e, args, e.Body, ModePlain)
	case library.OpTimerChan:
		l.timer(e, res, d)
	default:
		return false
	}
	return true
}

// operator lowers a call that starts goroutines.
func (l *lowerer) operator(in ssa.CallInstruction, e *library.Func, args []ssa.Value) {
	if e.Body < 0 || e.Body >= len(args) {
		return
	}
	body := args[e.Body]
	fn := l.val(body)
	sig, ok := ssair.Under(body.Type()).(*types.Signature)
	if fn == None || !ok {
		return
	}
	c := Call{Kind: CallDynamic, Mode: ModePlain, Fn: fn, Recv: l.rootOf(body, rootDepth), Result: None}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		a := Arg{Node: None, Len: l.leaves(t), Each: None}
		for _, u := range e.Unique {
			a.Own = a.Own || u == i
		}
		c.Args = append(c.Args, a)
	}
	n := len(l.f.Calls)
	l.addCall(in, c)
	if e.Op == library.OpSubtest && !flow.Overlaps(in.Common(), e, holes{l.p}) {
		return // the call runs the body to its end
	}
	if len(l.f.Calls) > n {
		self := e.Op == library.OpParallel
		last := &l.f.Calls[n]
		last.Mode = ModeSpawn
		last.Spawn = l.spawn(in, e.Op, shortName(e.Name), self)
	}
}

// shortName turns "(*sync.WaitGroup).Go" into "WaitGroup.Go".
func shortName(name string) string {
	out := name
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' || name[i] == '*' || name[i] == '(' {
			out = name[i+1:]
			break
		}
	}
	s := make([]byte, 0, len(out))
	for i := range len(out) {
		if out[i] != ')' {
			s = append(s, out[i])
		}
	}
	return string(s)
}

// external makes the template of a function without a body, or of one that
// the model describes and that is reached through a func value or an
// interface. Its calls are those of its own parameters.
func (l *lowerer) external() {
	if l.f.Lib == nil && l.p.outside(l.fn) {
		l.p.noteUnknown(l.fn) // called through an interface or a func value
		return
	}
	if l.f.Lib == nil {
		// What the standard library leaves to the runtime is covered by the
		// model of what calls it.
		if l.f.App || l.fn.Synthetic == "" && !standard(l.f.Pkg) {
			l.f.Notices = append(l.f.Notices, noBody(l))
		}
		return
	}
	l.wrapExternal()
}

// standard reports whether a package belongs to the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// summaries fills in what needs the finished template.
func (l *lowerer) summaries() {
	for i, s := range l.f.Spawns {
		if s.Split < 0 || i >= 32 {
			continue
		}
		nat := l.splits[s.Split].loop
		if nat.Parent != nil {
			continue
		}
		for _, b := range l.fn.Blocks {
			if nat.Contains(b) || !nat.Header.Dominates(b) {
				continue
			}
			for _, in := range b.Instrs {
				if l.joins(in) {
					l.markAfter(in, uint32(1)<<i)
				}
			}
		}
	}
}

// markAfter sets a bit on the facts of all stores that a join dominates.
func (l *lowerer) markAfter(join ssa.Instruction, bit uint32) {
	jb, jn := join.Block(), l.ir.Num(join)
	if l.ir.Innermost(jb) != nil {
		return
	}
	for i := range l.f.Facts {
		fact := &l.f.Facts[i]
		b := l.fn.Blocks[l.ir.Block(fact.At)]
		if b == jb && fact.At > jn || b != jb && jb.Dominates(b) {
			fact.AfterJoin |= bit
		}
	}
}
